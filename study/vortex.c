/* Vortex fluids whose behaviour is known: rings alone and leapfrogging over a thousand steps by
 * each way to have velocity from vorticity, a ball that turns, a plate at incidences; forces three
 * ways, bodies on meshes and turbulence beside. */
#include "study/cases.h"

#include "study/files.h"
#include "study/forces.h"
#include "study/penalised.h"
#include "study/turbulence.h"

#include <mote/vortex.h>
#include <mote/world.h>

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* ---- rings ---- */

/* Of a ring alone; two leapfrog once in a quarter of them, and then thin ones break. */
enum { RING_STEPS = 1000 };

static const char ring_text[] =
    "{ mote: 1, params: { count: 1, rate: 50, vortons: 126 },\n"
    "  world: { fps: '=rate', max_step: 1, gravity: [0, 0, 0] },\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', evaluation: 'vortons',\n"
    "    scheme: 'rk4', angle: 0.5, ring_count: '=count', ring_vortons: '=vortons', ring_radius: "
    "1,\n"
    "    ring_core: 0.1, ring_circulation: 1, ring_gap: 0.6 } } ] }\n";

/* A way to velocity, and what may be expected of it over RING_STEPS steps. */
typedef struct RingLine {
    const char *name, *induction, *evaluation;
    int vortons;        /* of a ring */
    double step;        /* s */
    double speed, kept; /* largest errors: of the speed; of impulse and strength */
    double energy;
} RingLine;

static const RingLine ring_lines[] = {
    {"direct", "direct", "vortons", 126, 0.02, 5e-4, 1e-5, 0.01},
    {"tree", "tree", "vortons", 630, 0.02, 5e-3, 1e-3, 0.01},
    {"grid", "direct", "grid", 126, 0.005, 0.05, 0.05, 0.05},
};
enum { RING_LINES = sizeof ring_lines / sizeof ring_lines[0] };

static double length_of(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double gap_of(const double a[3], const double b[3])
{
    return length_of((double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

static void add_ring_findings(const char *scene, const RingLine *line, double time,
                              const mote_VortexSums sums[2], Findings *findings)
{
    double impulse = length_of(sums[0].impulse), speed = (log(8 / 0.1) - 0.5) / (4 * pi);
    Finding f = finding_make(scene, line->name, "speed (m/s)", line->speed);
    f.measured = (sums[1].centre[1] - sums[0].centre[1]) / time;
    f.reference = speed, f.off = fabs(f.measured / speed - 1);
    if (scene[0] == 'r') findings_add(findings, f);
    f = finding_make(scene, line->name, "sum of strengths, change", line->kept);
    f.measured = f.off = gap_of(sums[1].strength, sums[0].strength) / (2 * pi);
    findings_add(findings, f);
    f = finding_make(scene, line->name, "impulse, change", line->kept);
    f.measured = f.off = gap_of(sums[1].impulse, sums[0].impulse) / impulse;
    findings_add(findings, f);
    f = finding_make(scene, line->name, "angular impulse, change",
                     line->kept > 1e-3 ? line->kept : 1e-3);
    f.measured = f.off = gap_of(sums[1].angular, sums[0].angular) / impulse;
    findings_add(findings, f);
    f = finding_make(scene, line->name, "kinetic energy, change", line->energy);
    f.measured = f.off = fabs(sums[1].energy / sums[0].energy - 1);
    findings_add(findings, f);
}

static mote_Status run_rings(const StudyOptions *options, int count, const RingLine *line,
                             Findings *findings, mote_Error *error)
{
    LiquidRun run = {.options = options};
    const char *scene = count == 1 ? "ring" : "leapfrog";
    double step = line->step;
    mote_VortexSums sums[2];
    int steps = (options->quick ? RING_STEPS / 10 : RING_STEPS) / (count * count);
    if (!case_wanted(options, scene, line->name)) return MOTE_OK;
    case_begin(scene, line->name);
    liquid_set(&run, "count=%d", count);
    liquid_set(&run, "vortons=%d", line->vortons);
    liquid_set(&run, "rate=%g", 1 / step);
    liquid_set(&run, "systems.vortons.solver.induction=%s", line->induction);
    liquid_set(&run, "systems.vortons.solver.evaluation=%s", line->evaluation);
    liquid_set(&run, "systems.vortons.solver.resolution=%d", 40);
    mote_Status status = liquid_open(&run, scene, ring_text, error);
    for (int k = 0; k < 2 && status == MOTE_OK; ++k) {
        status = liquid_advance(&run, k * steps * step, error);
        const mote_System *vortons = mote_world_system(run.world, "vortons");
        if (status == MOTE_OK) status = mote_vortex_sums(vortons, 0, &sums[k], error);
    }
    if (status == MOTE_OK) {
        case_end(&run);
        add_ring_findings(scene, line, steps * step, sums, findings);
    }
    liquid_close(&run);
    return status;
}

/* ---- a ball that turns ---- */

enum { RADII = 12, ROUND = 24 };

static const char ball_text[] =
    "{ mote: 1, params: { vortons: 2000 },\n"
    "  world: { fps: 30, max_step: 1, gravity: [0, 0, 0], seed: 3 },\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', born_spin: 1e-3, resolution: 20 } "
    "},\n"
    "    { name: 'air', solver: { type: 'tracers', of: 'vortons' } } ],\n"
    "  emitters: [ { system: 'vortons', rate: 0, burst: '=vortons', radius: 0.07,\n"
    "      from: { type: 'box', size: [2.8, 2.8, 2.8] } },\n"
    "    { system: 'air', rate: 0, burst: 1000, from: { type: 'box', size: [2.8, 2.8, 2.8] } } ],\n"
    "  colliders: [ { name: 'ball', shape: { type: 'sphere', radius: 0.3 },\n"
    "      motion: { spin: [0, 360, 0] } } ] }\n";

/* Mean velocity along circles about the axis. */
static mote_Status swirl_at(const LiquidRun *run, double radius, double *swirl, mote_Error *error)
{
    mote_real x[3][ROUND] = {{0}}, u[3][ROUND], *out[3] = {u[0], u[1], u[2]};
    for (int k = 0; k < ROUND; ++k) {
        x[0][k] = (mote_real)(radius * cos(2 * pi * k / ROUND));
        x[2][k] = (mote_real)(radius * sin(2 * pi * k / ROUND));
    }
    mote_FieldPoints points = {ROUND, {x[0], x[1], x[2]}, 0};
    mote_Status status =
        mote_world_sample_field(run->world, "vortons.velocity", &points, out, error);
    *swirl = 0;
    for (int k = 0; k < ROUND; ++k)
        *swirl += ((double)u[0][k] * sin(2 * pi * k / ROUND) -
                   (double)u[2][k] * cos(2 * pi * k / ROUND)) /
                  ROUND;
    return status;
}

static mote_Status plot_swirl(const StudyOptions *options, const double *radius,
                              const double *swirl, mote_Error *error)
{
    double exact[RADII];
    for (int k = 0; k < RADII; ++k) exact[k] = 2 * pi * 0.027 / (radius[k] * radius[k]);
    PlotSeries series[] = {
        {.name = "mote", .x = radius, .y = swirl, .count = RADII, .style = PLOT_POINTS},
        {.name = "Stokes, 1/r^2", .x = radius, .y = exact, .count = RADII, .style = PLOT_DASHED}};
    Plot figure = {.title = "Air around a ball of 0.3 m that turns once a second",
                   .x = {.label = "distance from the axis (m)", .scale = PLOT_LOG},
                   .y = {.label = "velocity (m/s)", .scale = PLOT_LOG},
                   .series = series,
                   .series_count = 2};
    return study_plot(options, "turning-ball", &figure, error);
}

static mote_Status run_ball(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    LiquidRun run = {.options = options};
    double radius[RADII], swirl[RADII] = {0};
    if (!case_wanted(options, "turning-ball", "grid")) return MOTE_OK;
    case_begin("turning-ball", "grid");
    mote_Status status = liquid_open(&run, "turning-ball", ball_text, error);
    if (status == MOTE_OK) status = liquid_advance(&run, options->quick ? 0.5 : 3, error);
    for (int k = 0; k < RADII && status == MOTE_OK; ++k) {
        radius[k] = 0.45 * pow(1.2 / 0.45, (double)k / (RADII - 1));
        status = swirl_at(&run, radius[k], &swirl[k], error);
    }
    liquid_close(&run);
    if (status != MOTE_OK) return status;
    Finding f = finding_make("turning-ball", "grid", "exponent of the swirl, 1.5 to 4 radii", 0.15);
    f.measured = log(swirl[RADII - 1] / swirl[0]) / log(radius[RADII - 1] / radius[0]);
    f.reference = -2, f.off = fabs(f.measured + 2) / 2;
    findings_add(findings, f);
    return options->folder != NULL ? plot_swirl(options, radius, swirl, error) : MOTE_OK;
}

/* ---- a plate at incidences ---- */

enum { INCIDENCES = 9 };

static const char plate_text[] =
    "{ mote: 1, params: { incidence: 20, tracers: 20000 },\n"
    "  world: { fps: 30, max_step: 1, gravity: [0, 0, 0], seed: 3 },\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', density: 1 } },\n"
    "    { name: 'air', solver: { type: 'tracers', of: 'vortons' } } ],\n"
    "  emitters: [ { system: 'vortons', radius: 0.07, from: { type: 'fill', spacing: 0.15,\n"
    "      shape: { type: 'box', size: [5, 1.5, 1.2] } } },\n"
    "    { system: 'air', radius: 0.004, from: { type: 'fill', spacing: '=(11.2/tracers)^(1/3)',\n"
    "      shape: { type: 'box', size: [5, 1.6, 1.4] } } } ],\n"
    "  colliders: [ { name: 'plate', shape: { type: 'box', size: [0.7, 0.08, 1] }, measure: true,\n"
    "      motion: { at: ['=-1.9+t', 0, 0], rotate: [0, 0, '=incidence'] } } ] }\n";

/* Mean force on the plate over the way, N: drag and lift. */
static mote_Status tow_plate(const StudyOptions *options, double incidence, int tracers,
                             double force[2], mote_Error *error)
{
    LiquidRun run = {.options = options};
    double end = options->quick ? 0.6 : 3;
    force[0] = force[1] = 0;
    liquid_set(&run, "incidence=%g", incidence);
    liquid_set(&run, "tracers=%d", tracers);
    mote_Status status = liquid_open(&run, "plate", plate_text, error);
    for (int k = 1; k <= (int)(30 * end) && status == MOTE_OK; ++k) {
        mote_ColliderLoad load;
        status = liquid_advance(&run, k / 30.0, error);
        if (status == MOTE_OK) status = mote_world_collider_load(run.world, "plate", &load, error);
        if (status != MOTE_OK) break;
        force[0] -= load.impulse[0] / end, force[1] += load.impulse[1] / end;
    }
    liquid_close(&run);
    return status;
}

static mote_Status plot_plate(const StudyOptions *options, const double *incidence,
                              double (*force)[2], mote_Error *error)
{
    double drag[INCIDENCES], lift[INCIDENCES];
    for (int k = 0; k < INCIDENCES; ++k) drag[k] = force[k][0], lift[k] = force[k][1];
    /* 2 pi a / (1 + 2 / AR) times 1/2 rho U^2 S, AR = 1 / 0.7, of wings whose flow is attached */
    const double slope = 0.5 * 0.7 * 2 * pi / (1 + 2 * 0.7), some[2] = {-20, 20},
                 wing[2] = {-slope * pi / 9, slope * pi / 9};
    PlotSeries series[] = {
        {.name = "drag", .x = incidence, .y = drag, .count = INCIDENCES, .style = PLOT_LINE_POINTS},
        {.name = "lift", .x = incidence, .y = lift, .count = INCIDENCES, .style = PLOT_LINE_POINTS},
        {.name = "lift, theory", .x = some, .y = wing, .count = 2, .style = PLOT_DASHED}};
    Plot figure = {.title = "Force on a plate, 0.7 m x 1 m, towed at 1 m/s through 1 kg/m^3",
                   .x = {.label = "incidence (degrees)"},
                   .y = {.label = "mean force (N)"},
                   .series = series,
                   .series_count = 3};
    return study_plot(options, "plate-forces", &figure, error);
}

static void add_plate_findings(double (*force)[2], const double many[2], Findings *findings)
{
    const int flat = INCIDENCES / 2, up = flat + 2, down = flat - 2;
    Finding f = finding_make("plate", "grid", "lift at 20 and -20 degrees (N)", 0.05);
    f.measured = force[up][1], f.reference = -force[down][1];
    f.off = fabs(f.measured / f.reference - 1);
    findings_add(findings, f);
    f = finding_make("plate", "grid", "lift at 0, of that at 20 degrees", 0.05);
    f.measured = f.off = fabs(force[flat][1] / force[up][1]);
    findings_add(findings, f);
    f = finding_make("plate", "grid", "drag at 20 degrees, twice the tracers (N)", 0.1);
    f.measured = many[0], f.reference = force[up][0], f.off = fabs(many[0] / force[up][0] - 1);
    findings_add(findings, f);
    f = finding_make("plate", "grid", "lift at 20 degrees, twice the tracers (N)", 0.1);
    f.measured = many[1], f.reference = force[up][1], f.off = fabs(many[1] / force[up][1] - 1);
    findings_add(findings, f);
}

static mote_Status run_plate(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    double incidence[INCIDENCES], force[INCIDENCES][2], many[2];
    int tracers = options->quick ? 5000 : 20000;
    mote_Status status = MOTE_OK;
    if (!case_wanted(options, "plate", "grid")) return MOTE_OK;
    case_begin("plate", "grid");
    for (int k = 0; k < INCIDENCES && status == MOTE_OK; ++k) {
        incidence[k] = 10 * (k - INCIDENCES / 2);
        status = tow_plate(options, incidence[k], tracers, force[k], error);
    }
    if (status == MOTE_OK) status = tow_plate(options, 20, 2 * tracers, many, error);
    if (status != MOTE_OK) return status;
    add_plate_findings(force, many, findings);
    return options->folder != NULL ? plot_plate(options, incidence, force, error) : MOTE_OK;
}

mote_Status vortex_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (int count = 1; count <= 2; ++count)
        for (size_t k = 0; k < RING_LINES && status == MOTE_OK; ++k)
            status = run_rings(options, count, &ring_lines[k], findings, error);
    if (status == MOTE_OK) status = run_ball(options, findings, error);
    if (status == MOTE_OK) status = run_plate(options, findings, error);
    if (status == MOTE_OK) status = force_cases(options, findings, error);
    if (status == MOTE_OK) status = penalised_cases(options, findings, error);
    return status == MOTE_OK ? turbulence_cases(options, findings, error) : status;
}

mote_Status study_vortex(const StudyOptions *options, mote_Error *error)
{
    return cases_study(vortex_cases, "vortex", options, error);
}
