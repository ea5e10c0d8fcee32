/* A column of water at rest, 1 m deep, in two dimensions: pressure rho g (depth - y), a surface
 * that stays where it is, and motion that dies out. */
#include "study/cases.h"

#include "study/files.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { LEVELS = 18, SAMPLES = 25 };

static const char text[] =
    "{ mote: 1, params: { spacing: 0.0125 },\n"
    "  world: { dimension: 2, fps: 50, max_step: 0.004, duration: 5 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing', support: 3,\n"
    "    kernel: 'wendland-c2', mach: 14, artificial: 0.1 } } ],\n"
    "  colliders: [ { name: 'floor', shape: { type: 'plane', normal: [0, 1] } },\n"
    "    { name: 'left', shape: { type: 'plane', normal: [1, 0] } },\n"
    "    { name: 'right', shape: { type: 'plane', normal: [-1, 0] }, motion: { at: [0.4, 0] } } "
    "],\n"
    "  probes: [ { name: 'all', type: 'total', system: 'water' },\n"
    "    { name: 'floor', type: 'load', collider: 'floor' },\n"
    "    { name: 'height', type: 'height', system: 'water', at: [0.2, 0] } ] }\n";

typedef struct Profile {
    double y[LEVELS], p[LEVELS];
} Profile;

/* The mean pressure of all particles in slices, over one sample now that counts so much. */
static void add_profile(const LiquidRun *run, double weight, double sums[LEVELS][2])
{
    size_t count;
    const mote_real *y = liquid_plane(run, "water", "position", 1, &count);
    const mote_real *p = liquid_plane(run, "water", "pressure", 0, &count);
    for (size_t i = 0; i < count && p != NULL; ++i) {
        double level = floor((double)y[i] * LEVELS);
        if (!(level >= 0 && level < LEVELS)) continue;
        /* brought to the middle of its slice along the slope that is right */
        double middle = (level + 0.5) / LEVELS;
        sums[(int)level][0] += weight * ((double)p[i] + 9810 * ((double)y[i] - middle));
        sums[(int)level][1] += weight;
    }
}

/* A column that is let go rings with 4 H/c, and hardly decays: after 5 s of a weakly compressible
 * one the pressure at the floor swings by a sixth about its mean. Samples in the middle count
 * most (Hann's window), so that a period that was begun does not pass for a pressure. */
static mote_Status measure(LiquidRun *run, double end, Profile *profile, mote_Error *error)
{
    double sums[LEVELS][2] = {{0}};
    mote_Status status = liquid_advance(run, end - 0.5, error);
    for (int k = 0; k < SAMPLES && status == MOTE_OK; ++k) {
        status = liquid_advance(run, end - 0.5 + 0.5 / SAMPLES * (k + 1), error);
        add_profile(run, 1 - cos(2 * pi * (k + 0.5) / SAMPLES), sums);
    }
    for (int k = 0; k < LEVELS; ++k) {
        profile->y[k] = (k + 0.5) / LEVELS;
        profile->p[k] = sums[k][0] / sums[k][1];
    }
    return status;
}

/* Root of the mean square, as a share of the pressure at the floor. */
static double profile_error(const Profile *profile)
{
    double sum = 0;
    for (int k = 0; k < LEVELS; ++k) {
        double off = profile->p[k] / 9810 - (1 - profile->y[k]);
        sum += off * off;
    }
    return sqrt(sum / LEVELS);
}

static void report(const LiquidRun *run, const char *pressure, const Profile *profile,
                   Findings *findings)
{
    double mass = record_last(liquid_record(run, "all"), 1);
    Finding f = finding_make("hydrostatic", pressure, "pressure profile, rms of rho g H", 0.02);
    f.measured = f.off = profile_error(profile);
    findings_add(findings, f);
    f = finding_make("hydrostatic", pressure, "settled height (m)", 0.01);
    f.measured = record_last(liquid_record(run, "height"), 0), f.reference = 1;
    f.off = fabs(f.measured - 1);
    findings_add(findings, f);
    f = finding_make("hydrostatic", pressure, "kinetic energy left, of m g H", 1e-4);
    f.measured = f.off = record_mean(liquid_record(run, "all"), 8, 25) / (mass * 9.81 * 1);
    findings_add(findings, f);
    f = finding_make("hydrostatic", pressure, "force on the floor (N/m)", 0.02);
    f.measured = record_mean(liquid_record(run, "floor"), 1, 25), f.reference = -mass * 9.81;
    f.off = fabs(f.measured / f.reference - 1);
    findings_add(findings, f);
}

static mote_Status run_one(const StudyOptions *options, const char *pressure, Profile *profile,
                           Findings *findings, mote_Error *error)
{
    LiquidRun run = {.options = options};
    double spacing = options->quick ? 0.05 : 0.0125;
    LiquidBlock block = {.spacing = spacing,
                         .density = 1000,
                         .count = {(int)(0.4 / spacing + 0.5), (int)(1 / spacing + 0.5), 0}};
    case_begin("hydrostatic", pressure);
    liquid_set(&run, "spacing=%g", spacing);
    liquid_set(&run, "systems.water.solver.pressure=%s", pressure);
    mote_Status status = liquid_open(&run, "hydrostatic", text, error);
    if (status == MOTE_OK) status = liquid_fill(&run, "water", &block, error);
    if (status == MOTE_OK) status = measure(&run, options->quick ? 2 : 5, profile, error);
    if (status == MOTE_OK) report(&run, pressure, profile, findings), case_end(&run);
    liquid_close(&run);
    return status;
}

static mote_Status plot(const StudyOptions *options, const Profile *profiles, size_t count,
                        mote_Error *error)
{
    static const double ends[2] = {0, 9810}, depths[2] = {1, 0};
    PlotSeries series[MOST_PRESSURES + 1];
    for (size_t i = 0; i < count; ++i)
        series[i] = (PlotSeries){.name = case_pressure(i),
                                 .x = profiles[i].p,
                                 .y = profiles[i].y,
                                 .count = LEVELS,
                                 .style = PLOT_POINTS};
    series[count] = (PlotSeries){.name = "rho g (H - y)",
                                 .x = ends,
                                 .y = depths,
                                 .count = 2,
                                 .style = PLOT_DASHED,
                                 .color = -1};
    Plot figure = {.title = "Water at rest, 1 m deep",
                   .x = {.label = "pressure (Pa)", .max = 11000},
                   .y = {.label = "height (m)"},
                   .series = series,
                   .series_count = count + 1};
    return study_plot(options, "hydrostatic", &figure, error);
}

mote_Status hydrostatic_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    Profile profiles[MOST_PRESSURES];
    size_t count = 0;
    mote_Status status = MOTE_OK;
    for (; case_pressure(count) != NULL && count < MOST_PRESSURES && status == MOTE_OK; ++count) {
        profiles[count] = (Profile){{0}, {0}};
        if (!case_wanted(options, "hydrostatic", case_pressure(count))) continue;
        status = run_one(options, case_pressure(count), &profiles[count], findings, error);
    }
    if (status != MOTE_OK || options->folder == NULL) return status;
    return plot(options, profiles, count, error);
}

mote_Status study_hydrostatic(const StudyOptions *options, mote_Error *error)
{
    printf("A column of water at rest, 1 m deep and 0.4 m wide, in two dimensions.\n\n");
    return cases_study(hydrostatic_cases, "hydrostatic", options, error);
}
