/* Every pressure solver at the same work, in two dimensions: a dam that breaks, a column at rest, a
 * standing wave, and two blocks that clash where nothing else acts. Densities may be off by 1e-3 in
 * the mean for all that look for them. */
#include "study/wave.h"

#include "base/row.h"
#include "base/status.h"
#include "study/files.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { MOST_SOLVERS = 16 };

/* What one solver did. */
typedef struct Compared {
    const char *name;
    double seconds;           /* of processors, per second of the dam's time */
    double iterations;        /* per sub-step */
    double substeps;          /* per second of the dam's time */
    double error, worst;      /* of the density, in the dam: mean over time, and largest */
    double nearest;           /* distance of two particles in the dam, of the spacing */
    Series energy;            /* of the dam, kinetic and potential, of the first */
    double height;            /* of the column at rest, of the first */
    Series wave;              /* energy of its motion, of the first */
    double wave_left;         /* its largest in the last half period, of what it should be */
    double momentum, angular; /* drift in the clash, of all sizes */
} Compared;

static const char *every_pressure(size_t i)
{
    size_t count;
    const mote_Row *const *rows = mote_family_rows("pressures", &count);
    return i < count ? rows[i]->name : NULL;
}

/* ---- a dam that breaks ---- */

static const char dam_text[] =
    "{ mote: 1, params: { spacing: 0.02 },\n"
    "  world: { dimension: 2, fps: 50, max_step: 0.005 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing', artificial: 0.05,\n"
    "    density_error: 1e-3 } } ],\n"
    "  colliders: [ { name: 'floor', shape: { type: 'plane', normal: [0, 1] }, friction: 0 },\n"
    "    { name: 'left', shape: { type: 'plane', normal: [1, 0] }, friction: 0 },\n"
    "    { name: 'right', shape: { type: 'plane', normal: [-1, 0] }, friction: 0,\n"
    "      motion: { at: [1.6, 0] } } ],\n"
    "  probes: [ { name: 'all', type: 'total', system: 'water' } ] }\n";

static double potential_energy(const LiquidRun *run, double mass)
{
    size_t rows;
    double sum = 0;
    const mote_real *y = liquid_plane(run, "water", "position", 1, &rows);
    for (size_t i = 0; i < rows; ++i) sum += (double)y[i];
    return mass * 9.81 * sum;
}

static double nearest_pair(const LiquidRun *run)
{
    size_t rows;
    const mote_real *x = liquid_plane(run, "water", "position", 0, &rows),
                    *y = liquid_plane(run, "water", "position", 1, &rows);
    double least = HUGE_VAL;
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < i; ++j) {
            const double dx = (double)(x[i] - x[j]), dy = (double)(y[i] - y[j]);
            const double square = dx * dx + dy * dy;
            if (square < least) least = square;
        }
    return sqrt(least);
}

static mote_Status follow_dam(LiquidRun *run, double spacing, double end, Compared *c,
                              mote_Error *error)
{
    const double mass = 1000 * spacing * spacing, first = potential_energy(run, mass);
    const clock_t began = clock(); /* of all threads: others' work does not count */
    mote_Status status = MOTE_OK;
    uint64_t iterations = 0;
    c->nearest = HUGE_VAL;
    for (int k = 1; 0.02 * k < end + 0.001 && status == MOTE_OK; ++k) {
        status = liquid_advance(run, 0.02 * k, error);
        const size_t n = c->energy.count++;
        c->energy.t[n] = 0.02 * k;
        c->energy.v[n] = (run->report.kinetic + potential_energy(run, mass)) / first;
        c->error += run->report.density_error;
        c->worst = fmax(c->worst, run->report.worst_density);
        c->nearest = fmin(c->nearest, nearest_pair(run) / spacing);
        iterations += run->report.iterations;
    }
    c->seconds = (double)(clock() - began) / CLOCKS_PER_SEC / end;
    c->substeps = (double)run->substeps / end;
    c->iterations = (double)iterations / (double)run->substeps;
    c->error /= (double)c->energy.count;
    return status;
}

static mote_Status run_dam(const StudyOptions *options, Compared *c, mote_Error *error)
{
    LiquidRun run = {.options = options};
    const int n = options->quick ? 8 : 20;
    const LiquidBlock block = {.spacing = 0.4 / n, .density = 1000, .count = {n, 2 * n, 0}};
    mote_Status status = case_open(&run, "dam", dam_text, &block, c->name, error);
    if (status == MOTE_OK)
        status = follow_dam(&run, block.spacing, options->quick ? 1 : 2, c, error);
    if (status == MOTE_OK) case_end(&run);
    liquid_close(&run);
    return status;
}

/* ---- a column at rest ---- */

static double mean_height(const LiquidRun *run)
{
    size_t rows;
    const mote_real *y = liquid_plane(run, "water", "position", 1, &rows);
    double sum = 0;
    for (size_t i = 0; i < rows; ++i) sum += 2 * (double)y[i] / (double)rows;
    return sum;
}

/* Twice the height of the middle; what rings is averaged. */
static mote_Status run_column(const StudyOptions *options, Compared *c, mote_Error *error)
{
    LiquidRun run = {.options = options};
    const int n = options->quick ? 8 : 16, last = 50;
    const LiquidBlock block = {.spacing = 0.4 / n, .density = 1000, .count = {n, 2 * n, 0}};
    liquid_set(&run, "colliders.right.motion.at=[0.4, 0]");
    mote_Status status = case_open(&run, "rest", dam_text, &block, c->name, error);
    if (status == MOTE_OK) status = liquid_advance(&run, 2, error);
    for (int k = 1; k <= last && status == MOTE_OK; ++k) {
        status = liquid_advance(&run, 2 + 0.02 * k, error);
        c->height += mean_height(&run) / (0.8 * last);
    }
    if (status == MOTE_OK) case_end(&run);
    liquid_close(&run);
    return status;
}

/* ---- a standing wave ---- */

static mote_Status run_wave(const StudyOptions *options, Compared *c, mote_Error *error)
{
    mote_Status status = wave_run(options, c->name, options->quick ? 16 : 40, &c->wave, error);
    const double half = 3.14159265358979323846 / cimag(wave_rate());
    double most = 0, exact = 0;
    for (size_t i = 0; i < c->wave.count; ++i) {
        if (c->wave.t[i] < c->wave.t[c->wave.count - 1] - half) continue;
        most = fmax(most, c->wave.v[i]), exact = fmax(exact, wave_exact(c->wave.t[i]));
    }
    c->wave_left = most / exact;
    return status;
}

/* ---- two blocks clash ---- */

static const char clash_text[] =
    "{ mote: 1, params: { spacing: 0.02 },\n"
    "  world: { dimension: 2, fps: 100, max_step: 0.005, gravity: [0, 0] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing',\n"
    "    density_error: 1e-3, viscosity_model: 'none' } } ],\n"
    "  probes: [ { name: 'all', type: 'total', system: 'water' } ] }\n";

static void clash_velocity(const double x[3], double v[3])
{
    v[0] = x[0] < 0 ? 1 : -0.5, v[1] = x[0] < 0 ? 0.25 : -0.15, v[2] = 0;
}

/* Per kg: px, py, L; and the sums of their sizes. */
typedef struct Clash {
    double p[3], size[3];
} Clash;

static Clash momenta(const LiquidRun *run)
{
    size_t n;
    const mote_real *x = liquid_plane(run, "water", "position", 0, &n),
                    *y = liquid_plane(run, "water", "position", 1, &n),
                    *u = liquid_plane(run, "water", "velocity", 0, &n),
                    *v = liquid_plane(run, "water", "velocity", 1, &n);
    Clash all = {{0}, {0}};
    for (size_t i = 0; i < n; ++i) {
        const double turn = (double)x[i] * (double)v[i], back = (double)y[i] * (double)u[i];
        const double p[3] = {(double)u[i], (double)v[i], turn - back};
        for (int k = 0; k < 3; ++k) all.p[k] += p[k], all.size[k] += fabs(p[k]);
        all.size[2] += fabs(turn) + fabs(back) - fabs(p[2]);
    }
    return all;
}

static mote_Status run_clash(const StudyOptions *options, Compared *c, mote_Error *error)
{
    LiquidRun run = {.options = options};
    const int n = options->quick ? 10 : 20;
    const LiquidBlock block = {.spacing = 0.4 / n,
                               .low = {-0.4, -0.2, 0},
                               .density = 1000,
                               .count = {2 * n, n, 0},
                               .velocity = clash_velocity};
    mote_Status status = case_open(&run, "clash", clash_text, &block, c->name, error);
    if (status == MOTE_OK) {
        const Clash first = momenta(&run);
        status = liquid_advance(&run, 0.5, error);
        const Clash last = momenta(&run);
        const double drift = hypot(last.p[0] - first.p[0], last.p[1] - first.p[1]);
        c->momentum = drift / (first.size[0] + first.size[1]);
        c->angular = fabs(last.p[2] - first.p[2]) / first.size[2];
        case_end(&run);
    }
    liquid_close(&run);
    return status;
}

/* ---- what comes of it ---- */

static mote_Status compare(const StudyOptions *options, Compared *c, mote_Error *error)
{
    mote_Status status = run_dam(options, c, error);
    if (status == MOTE_OK) status = run_column(options, c, error);
    if (status == MOTE_OK) status = run_wave(options, c, error);
    return status == MOTE_OK ? run_clash(options, c, error) : status;
}

static void print_table(const Compared *all, size_t count)
{
    printf("%-9s %8s %9s %6s %9s %8s %8s %7s %7s %6s %9s %9s\n", "solver", "s per s", "sub-steps",
           "iter.", "error", "largest", "nearest", "height", "energy", "wave", "momentum",
           "angular");
    for (size_t i = 0; i < count; ++i) {
        const Compared *c = &all[i];
        printf("%-9s %8.3g %9.0f %6.1f %9.2e %8.4f %8.3f %7.4f %7.4f %6.3f %9.1e %9.1e\n", c->name,
               c->seconds, c->substeps, c->iterations, c->error, c->worst, c->nearest, c->height,
               c->energy.v[c->energy.count - 1], c->wave_left, c->momentum, c->angular);
    }
    printf("\nOf a dam that breaks: seconds of processors and sub-steps per second of its time,\n"
           "iterations of a sub-step, mean and largest error of the density, the nearest pair in\n"
           "spacings, and the energy in the end, of the first. Then the height of a column at\n"
           "rest, of the first; the energy of a standing wave, of what it should be; and what\n"
           "momenta drift by in a clash where nothing else acts, of the sum of their sizes.\n");
}

static mote_Status write_numbers(const StudyOptions *options, const Compared *all, size_t count,
                                 mote_Error *error)
{
    FILE *csv;
    if (!study_keeps_numbers(options)) return MOTE_OK;
    mote_Status status = study_open_csv(options, "pressure-solvers", &csv, error);
    if (status != MOTE_OK) return status;
    fprintf(csv, "solver,seconds_per_second,substeps_per_second,iterations,density_error,"
                 "largest_error,nearest_pair,height,dam_energy,wave_energy,momentum_drift,"
                 "angular_drift\n");
    for (size_t i = 0; i < count; ++i) {
        const Compared *c = &all[i];
        fprintf(csv, "%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", c->name,
                c->seconds, c->substeps, c->iterations, c->error, c->worst, c->nearest, c->height,
                c->energy.v[c->energy.count - 1], c->wave_left, c->momentum, c->angular);
    }
    return study_close_csv(options, "pressure-solvers", csv, error);
}

static mote_Status plot_series(const StudyOptions *options, const Compared *all, size_t count,
                               bool wave, mote_Error *error)
{
    PlotSeries lines[MOST_SOLVERS + 1];
    static Series exact;
    const Series *first = &all[0].wave;
    exact.count = first->count;
    for (size_t i = 0; i < first->count; ++i)
        exact.t[i] = first->t[i], exact.v[i] = wave_exact(first->t[i]);
    for (size_t i = 0; i < count; ++i) {
        const Series *s = wave ? &all[i].wave : &all[i].energy;
        lines[i] = (PlotSeries){.name = all[i].name, .x = s->t, .y = s->v, .count = s->count};
    }
    lines[count] = series_exact(&exact);
    const Plot figure = {.title = wave ? "A standing wave" : "A dam that breaks",
                         .x = {.label = "time (s)"},
                         .y = {.label = wave ? "energy of its motion, of the first"
                                             : "kinetic and potential energy, of the first"},
                         .series = lines,
                         .series_count = count + (wave ? 1 : 0)};
    return study_plot(options, wave ? "pressure-solvers-wave" : "pressure-solvers-dam", &figure,
                      error);
}

static mote_Status compare_all(const StudyOptions *options, Compared *all, size_t *count,
                               mote_Error *error)
{
    mote_Status status = MOTE_OK;
    char names[200] = "";
    for (size_t i = 0; every_pressure(i) != NULL && i < MOST_SOLVERS && status == MOTE_OK; ++i) {
        const char *name = every_pressure(i);
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", name);
        if (options->only != NULL && strcmp(options->only, name) != 0) continue;
        all[*count] = (Compared){.name = name};
        status = compare(options, &all[*count], error);
        *count += status == MOTE_OK;
    }
    if (*count > 0 || status != MOTE_OK) return status;
    return status_fail(error, MOTE_BAD_VALUE, "--case: there is no solver `%.60s`; there are %s",
                       options->only, names);
}

mote_Status study_pressure_solvers(const StudyOptions *options, mote_Error *error)
{
    static Compared all[MOST_SOLVERS];
    size_t count = 0;
    printf("Every pressure solver at the same work, in two dimensions.\n\n");
    mote_Status status = study_make_folder(options, error);
    if (status == MOTE_OK) status = compare_all(options, all, &count, error);
    if (count > 0) print_table(all, count);
    if (status == MOTE_OK) status = write_numbers(options, all, count, error);
    if (status != MOTE_OK || options->folder == NULL || count == 0) return status;
    status = plot_series(options, all, count, false, error);
    return status == MOTE_OK ? plot_series(options, all, count, true, error) : status;
}
