/* Flow between two plates that starts from rest (Morris, Fox and Zhu 1997), L = 1 mm apart, with
 * water's viscosity of 1e-6 m^2/s: driven by a force (Poiseuille) and by the upper plate (Couette).
 * Profiles are compared with the series of the exact solutions. */
#include "study/cases.h"

#include "base/math.h"
#include "study/files.h"

#include <math.h>
#include <string.h>

enum { TIMES = 5, BINS = 20 };

static const double pi = 3.14159265358979323846;
static const double width = 1e-3, nu = 1e-6, fastest = 1.25e-5; /* m, m^2/s, m/s */
static const double times[TIMES] = {0.0225, 0.045, 0.1125, 0.225, 1};

static const char text[] =
    "{ mote: 1, params: { spacing: 2.5e-5, force: 0, belt: 0 },\n"
    "  world: { dimension: 2, fps: 400, max_step: 0.0025, gravity: ['=force', 0],\n"
    "    periodic_x: true, box_min: [0, -1], box_max: ['=10*spacing', 1] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing', viscosity: 1e-6,\n"
    "    artificial: 0, sound: 1.25e-4, support: 2.4, implicit: 'never' } } ],\n"
    "  colliders: [ { name: 'low', shape: { type: 'plane', normal: [0, 1] } },\n"
    "    { name: 'high', shape: { type: 'plane', normal: [0, -1] }, motion: { at: [0, 1e-3] },\n"
    "      velocity: ['=belt', 0] } ] }\n";

typedef struct Flow {
    const char *name, *title;
    double force, belt; /* m/s^2, m/s */
    double (*exact)(double y, double t);
} Flow;

/* ---- exact solutions ---- */

static double poiseuille(double y, double t)
{
    double force = 8 * nu * fastest / (width * width);
    double sum = force / (2 * nu) * y * (width - y);
    for (int n = 0; n < 100; ++n) {
        double k = (2 * n + 1) * pi;
        sum -= 4 * force * width * width / (nu * k * k * k) * math_sin(k * y / width) *
               math_exp(-k * k * nu * t / (width * width));
    }
    return sum;
}

static double couette(double y, double t)
{
    double sum = fastest * y / width;
    for (int n = 1; n < 200; ++n)
        sum += 2 * fastest / (n * pi) * (n % 2 == 0 ? 1 : -1) * math_sin(n * pi * y / width) *
               math_exp(-nu * n * n * pi * pi * t / (width * width));
    return sum;
}

/* ---- measuring ---- */

typedef struct Profile {
    double y[BINS], v[BINS];
    double off; /* rms over all particles, of the largest velocity */
} Profile;

static void measure(const LiquidRun *run, const Flow *flow, double t, Profile *profile)
{
    size_t rows;
    const mote_real *y = liquid_plane(run, "water", "position", 1, &rows);
    const mote_real *v = liquid_plane(run, "water", "velocity", 0, &rows);
    double counts[BINS] = {0}, sum = 0;
    memset(profile, 0, sizeof *profile);
    for (size_t i = 0; i < rows; ++i) {
        double at = floor((double)y[i] / width * BINS);
        int bin = at < 0 ? 0 : at >= BINS ? BINS - 1 : (int)at;
        double off = (double)v[i] - flow->exact((double)y[i], t);
        profile->y[bin] += (double)y[i], profile->v[bin] += (double)v[i];
        counts[bin] += 1;
        sum += off * off;
    }
    profile->off = sqrt(sum / (double)(rows > 0 ? rows : 1)) / fastest;
    for (int b = 0; b < BINS; ++b) profile->y[b] /= counts[b], profile->v[b] /= counts[b];
}

static mote_Status run_flow(const StudyOptions *options, const Flow *flow, const char *pressure,
                            Profile profiles[TIMES], mote_Error *error)
{
    LiquidRun run = {.options = options};
    double spacing = options->quick ? 5e-5 : 2e-5;
    LiquidBlock block = {
        .spacing = spacing, .density = 1000, .count = {10, (int)(1e-3 / spacing + 0.5), 0}};
    case_begin(flow->name, pressure);
    liquid_set(&run, "spacing=%g", spacing);
    liquid_set(&run, "force=%g", flow->force);
    liquid_set(&run, "belt=%g", flow->belt);
    liquid_set(&run, "systems.water.solver.pressure=%s", pressure);
    mote_Status status = liquid_open(&run, flow->name, text, error);
    if (status == MOTE_OK) status = liquid_fill(&run, "water", &block, error);
    for (int k = 0; k < TIMES && status == MOTE_OK; ++k) {
        status = liquid_advance(&run, times[k], error);
        measure(&run, flow, times[k], &profiles[k]);
    }
    if (status == MOTE_OK) case_end(&run);
    liquid_close(&run);
    return status;
}

/* ---- plots ---- */

enum { CURVE = 81 };

static mote_Status plot(const StudyOptions *options, const Flow *flow, const char *pressure,
                        const Profile profiles[TIMES], mote_Error *error)
{
    static double y[CURVE], v[TIMES][CURVE];
    static char names[TIMES][32];
    char file[64], title[128];
    PlotSeries series[2 * TIMES];
    for (int k = 0; k < TIMES; ++k) {
        for (int i = 0; i < CURVE; ++i) {
            y[i] = width * i / (CURVE - 1);
            v[k][i] = flow->exact(y[i], times[k]);
        }
        snprintf(names[k], sizeof names[k], "t = %g s", times[k]);
        series[2 * k] = (PlotSeries){.x = v[k], .y = y, .count = CURVE, .color = k + 1};
        series[2 * k + 1] = (PlotSeries){.name = names[k],
                                         .x = profiles[k].v,
                                         .y = profiles[k].y,
                                         .count = BINS,
                                         .style = PLOT_POINTS,
                                         .color = k + 1};
    }
    snprintf(title, sizeof title, "%s: %s (points), exact (lines)", flow->title, pressure);
    snprintf(file, sizeof file, "%s-%s", flow->name, pressure);
    Plot figure = {.title = title,
                   .x = {.label = "velocity (m/s)"},
                   .y = {.label = "height (m)"},
                   .series = series,
                   .series_count = 2 * TIMES};
    return study_plot(options, file, &figure, error);
}

/* ---- the cases ---- */

static mote_Status case_of(const StudyOptions *options, const Flow *flow, const char *pressure,
                           Findings *findings, mote_Error *error)
{
    static const char *const quantities[TIMES] = {
        "profile at 0.0225 s, rms of V", "profile at 0.045 s, rms of V",
        "profile at 0.1125 s, rms of V", "profile at 0.225 s, rms of V",
        "profile at 1 s, rms of V"};
    Profile profiles[TIMES];
    if (!case_wanted(options, flow->name, pressure)) return MOTE_OK;
    mote_Status status = run_flow(options, flow, pressure, profiles, error);
    for (int k = 0; k < TIMES && status == MOTE_OK; ++k) {
        Finding f = finding_make(flow->name, pressure, quantities[k], 0.02);
        f.measured = f.off = profiles[k].off;
        findings_add(findings, f);
    }
    if (status != MOTE_OK || options->folder == NULL) return status;
    return plot(options, flow, pressure, profiles, error);
}

mote_Status poiseuille_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    const Flow flows[] = {{"poiseuille", "Poiseuille flow from rest",
                           8 * nu * fastest / (width * width), 0, poiseuille},
                          {"couette", "Couette flow from rest", 0, fastest, couette}};
    mote_Status status = MOTE_OK;
    for (size_t f = 0; f < 2; ++f)
        for (size_t i = 0; case_pressure(i) != NULL && status == MOTE_OK; ++i)
            status = case_of(options, &flows[f], case_pressure(i), findings, error);
    return status;
}

mote_Status study_poiseuille(const StudyOptions *options, mote_Error *error)
{
    printf("Flow between plates 1 mm apart that starts from rest, nu = 1e-6 m^2/s, up to 1.25e-5 "
           "m/s.\n\n");
    return cases_study(poiseuille_cases, "poiseuille", options, error);
}
