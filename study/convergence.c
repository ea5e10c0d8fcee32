/* The study of convergence: every integrator on motions that are known exactly. */
#include "base/row.h"
#include "base/status.h"
#include "study/dense.h"
#include "study/files.h"
#include "study/measures.h"

#include <math.h>

enum { MOST_ROWS = 64 };

typedef struct Finding {
    const IntegratorRow *row;
    ErrorCurve curves[MOTION_COUNT];
    double evaluations; /* per step */
    double stable_to;
    EnergyCurve energy;
} Finding;

typedef struct Findings {
    Finding items[MOST_ROWS];
    size_t count;
} Findings;

/* ---- measuring ---- */

static mote_Status find_all(const StudyOptions *options, Finding *finding, mote_Error *error)
{
    const char *name = finding->row->head.name;
    mote_Status status = measure_evaluations(name, &finding->evaluations, error);
    for (int m = 0; m < MOTION_COUNT && status == MOTE_OK; ++m)
        status =
            measure_curve(&motions[m], name, options->quick ? 7 : 13, &finding->curves[m], error);
    if (status == MOTE_OK) status = measure_stability(name, &finding->stable_to, error);
    if (status == MOTE_OK)
        status = measure_energy(name, options->quick ? 5000 : 100000, &finding->energy, error);
    return status;
}

static mote_Status measure_rows(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    size_t count;
    const mote_Row *const *rows = integrator_rows(ISA_V1, &count);
    for (size_t i = 0; i < count && findings->count < MOST_ROWS; ++i) {
        const IntegratorRow *row = (const IntegratorRow *)rows[i];
        if (row->alias) continue;
        Finding *finding = &findings->items[findings->count++];
        finding->row = row;
        mote_Status status = find_all(options, finding, error);
        if (status != MOTE_OK) return status;
    }
    return MOTE_OK;
}

/* ---- the table ---- */

static void put_number(FILE *file, double order)
{
    if (order == order)
        fprintf(file, "%4.1f", order);
    else
        fputs("   -", file); /* no step length was short enough */
}

static void put_order(FILE *file, const Finding *finding, int motion)
{
    const ErrorCurve *curve = &finding->curves[motion];
    double x = measure_order(curve->position, curve->h, curve->count);
    double v = measure_order(curve->velocity, curve->h, curve->count);
    fputs("  ", file);
    put_number(file, x);
    fputs(" /", file);
    put_number(file, v);
}

static void put_stability(FILE *file, const Finding *finding)
{
    double declared = finding->row->stable_to;
    if (finding->stable_to >= MEASURE_STABLE_MOST)
        fprintf(file, "   > %3.1f", finding->stable_to);
    else
        fprintf(file, "  %6.3f", finding->stable_to);
    if (declared > 100)
        fputs("    any", file);
    else if (declared > 0)
        fprintf(file, "  %5.3f", declared);
    else
        fprintf(file, "   none");
}

static void print_table(const Findings *findings)
{
    printf("Integrators in %s. Orders: position / velocity, fitted above the floor of rounding.\n"
           "Stable: largest w h on an oscillator, measured (amplitude within ten times for 2000\n"
           "steps) and in theory (no growth at all; none: it always grows a little; any: no\n"
           "limit, for dormand-prince because it chooses its steps, but not here).\n"
           "Energy: largest relative error on a Kepler orbit (e = 0.3, 200 steps a turn), in the\n"
           "first and the last part of %llu steps.\n\n",
           study_precision, (unsigned long long)findings->items[0].energy.steps);
    printf("%-16s %5s  %-11s %-11s %-11s %-11s  %-14s  %s\n", "", "evals", "oscillator", "damped",
           "kepler", "drag", "stable to", "energy error");
    for (size_t i = 0; i < findings->count; ++i) {
        const Finding *f = &findings->items[i];
        printf("%-16s %5.2f", f->row->head.name, f->evaluations);
        for (int m = 0; m < MOTION_COUNT; ++m) put_order(stdout, f, m);
        put_stability(stdout, f);
        printf("   %7.1e %7.1e\n", f->energy.error[0], f->energy.error[ENERGY_SAMPLES - 1]);
    }
}

/* ---- the textbook table ---- */

static const Finding *finding_of(const Findings *findings, const char *name)
{
    size_t count;
    const mote_Row *const *rows = integrator_rows(ISA_V1, &count);
    const mote_Row *row = row_named(rows, count, name);
    for (size_t i = 0; i < findings->count; ++i)
        if (&findings->items[i].row->head == row) return &findings->items[i];
    return NULL;
}

/* A table as lecture notes on particle simulation give it, and what is measured. */
static const struct {
    const char *method, *row;
    int evaluations, position, velocity;
    const char *remark;
} textbook[] = {
    {"Euler", "euler", 1, 1, 1, "as it says"},
    {"RK 2nd order", "midpoint", 2, 2, 2, "as it says; so do heun and ralston"},
    {"RK 4th order", "rk4", 4, 4, 4, "as it says"},
    {"Verlet", "verlet-backward", 1, 3, 1,
     "a step's error is h^4, but errors of position add up twice (in displacement and place): 2"},
    {"Velocity Verlet", "velocity-verlet", 1, 2, 2,
     "as it says; with drag only if F sees v + h a, not the velocity of the half step"},
    {"Beeman", "beeman", 1, 3, 3,
     "as it says, if a(t - h) of the first step is right; with a(t - h) = a(t) it is 2"},
};

static void print_textbook(const Findings *findings)
{
    printf("\nA textbook's table beside it: force evaluations, order of position and velocity.\n\n"
           "%-16s %-9s %-22s\n",
           "", "textbook", "measured (kepler)");
    for (size_t i = 0; i < sizeof textbook / sizeof textbook[0]; ++i) {
        const Finding *f = finding_of(findings, textbook[i].row);
        if (f == NULL) continue;
        const ErrorCurve *curve = &f->curves[MOTION_KEPLER];
        printf("%-16s %d  %d  %d   %3.1f ", textbook[i].method, textbook[i].evaluations,
               textbook[i].position, textbook[i].velocity, f->evaluations);
        put_number(stdout, measure_order(curve->position, curve->h, curve->count));
        printf(" ");
        put_number(stdout, measure_order(curve->velocity, curve->h, curve->count));
        printf("  %s\n", textbook[i].remark);
    }
}

/* ---- files ---- */

static mote_Status write_errors(const StudyOptions *options, const Findings *findings,
                                mote_Error *error)
{
    FILE *file;
    mote_Status status = study_open_csv(options, "convergence", &file, error);
    if (status != MOTE_OK) return status;
    fprintf(file, "integrator,motion,h,evaluations,position_error,velocity_error\n");
    for (size_t i = 0; i < findings->count; ++i)
        for (int m = 0; m < MOTION_COUNT; ++m) {
            const ErrorCurve *c = &findings->items[i].curves[m];
            for (int k = 0; k < c->count; ++k)
                fprintf(file, "%s,%s,%.9g,%.0f,%.6g,%.6g\n", findings->items[i].row->head.name,
                        motions[m].name, c->h[k], c->evaluations[k], c->position[k],
                        c->velocity[k]);
        }
    return study_close_csv(options, "convergence", file, error);
}

static mote_Status write_energies(const StudyOptions *options, const Findings *findings,
                                  mote_Error *error)
{
    FILE *file;
    mote_Status status = study_open_csv(options, "energy", &file, error);
    if (status != MOTE_OK) return status;
    fprintf(file, "integrator,turns,relative_energy_error\n");
    for (size_t i = 0; i < findings->count; ++i)
        for (int k = 0; k < ENERGY_SAMPLES; ++k)
            fprintf(file, "%s,%.9g,%.6g\n", findings->items[i].row->head.name,
                    findings->items[i].energy.turns[k], findings->items[i].energy.error[k]);
    return study_close_csv(options, "energy", file, error);
}

static mote_Status write_summary(const StudyOptions *options, const Findings *findings,
                                 mote_Error *error)
{
    FILE *file;
    mote_Status status = study_open_csv(options, "integrators", &file, error);
    if (status != MOTE_OK) return status;
    fprintf(file, "integrator,evaluations_per_step");
    for (int m = 0; m < MOTION_COUNT; ++m)
        fprintf(file, ",order_position_%s,order_velocity_%s", motions[m].name, motions[m].name);
    fprintf(file, ",stable_to,stable_to_in_theory,energy_error_first,energy_error_last\n");
    for (size_t i = 0; i < findings->count; ++i) {
        const Finding *f = &findings->items[i];
        fprintf(file, "%s,%.6g", f->row->head.name, f->evaluations);
        for (int m = 0; m < MOTION_COUNT; ++m) {
            const ErrorCurve *c = &f->curves[m];
            fprintf(file, ",%.4g,%.4g", measure_order(c->position, c->h, c->count),
                    measure_order(c->velocity, c->h, c->count));
        }
        fprintf(file, ",%.4g,%.4g,%.4g,%.4g\n", f->stable_to, f->row->stable_to, f->energy.error[0],
                f->energy.error[ENERGY_SAMPLES - 1]);
    }
    return study_close_csv(options, "integrators", file, error);
}

/* ---- plots ---- */

typedef struct SeriesOf {
    const double *x, *y;
    size_t count;
} SeriesOf;

static SeriesOf error_over_step(const Finding *f)
{
    const ErrorCurve *c = &f->curves[MOTION_KEPLER];
    return (SeriesOf){c->h, c->position, (size_t)c->count};
}

static SeriesOf error_over_cost(const Finding *f)
{
    const ErrorCurve *c = &f->curves[MOTION_KEPLER];
    return (SeriesOf){c->evaluations, c->position, (size_t)c->count};
}

static SeriesOf energy_over_turns(const Finding *f)
{
    return (SeriesOf){f->energy.turns, f->energy.error, ENERGY_SAMPLES};
}

static const struct {
    const char *name;
    Plot plot;
    SeriesOf (*series)(const Finding *finding);
    PlotStyle style;
} plots[] = {
    {"error-over-step",
     {.title = "Kepler orbit, e = 0.3: error over length of step",
      .x = {.label = "step (s)", .scale = PLOT_LOG},
      .y = {.label = "error of position (m)", .scale = PLOT_LOG, .min = 1e-15, .max = 10}},
     error_over_step,
     PLOT_LINE_POINTS},
    {"work-precision",
     {.title = "Kepler orbit, e = 0.3: error over cost",
      .x = {.label = "evaluations of the force", .scale = PLOT_LOG},
      .y = {.label = "error of position (m)", .scale = PLOT_LOG, .min = 1e-15, .max = 10}},
     error_over_cost,
     PLOT_LINE_POINTS},
    {"energy",
     {.title = "Kepler orbit, e = 0.3, 200 steps a turn: error of the energy",
      .x = {.label = "turns", .scale = PLOT_LOG},
      .y = {.label = "|E / E0 - 1|", .scale = PLOT_LOG, .min = 1e-10, .max = 10}},
     energy_over_turns,
     PLOT_LINE},
};

static mote_Status draw_plots(const StudyOptions *options, const Findings *findings,
                              mote_Error *error)
{
    PlotSeries series[MOST_ROWS];
    for (size_t p = 0; p < sizeof plots / sizeof plots[0]; ++p) {
        Plot plot = plots[p].plot;
        for (size_t i = 0; i < findings->count; ++i) {
            SeriesOf values = plots[p].series(&findings->items[i]);
            series[i] = (PlotSeries){.name = findings->items[i].row->head.name,
                                     .x = values.x,
                                     .y = values.y,
                                     .count = values.count,
                                     .style = plots[p].style};
        }
        if (sizeof(mote_real) == 4) plot.y.min = 1e-8;
        plot.series = series, plot.series_count = findings->count;
        plot.width = 1000, plot.height = 680;
        mote_Status status = study_plot(options, plots[p].name, &plot, error);
        if (status != MOTE_OK) return status;
    }
    return MOTE_OK;
}

mote_Status study_convergence(const StudyOptions *options, mote_Error *error)
{
    static Findings findings;
    findings.count = 0;
    mote_Status status = study_expect_plain(options, error);
    if (status == MOTE_OK) status = study_make_folder(options, error);
    if (status == MOTE_OK) status = measure_rows(options, &findings, error);
    if (status != MOTE_OK) return status;
    print_table(&findings);
    print_textbook(&findings);
    status = study_dense(options, error);
    if (status != MOTE_OK || !study_keeps_numbers(options)) return status;
    status = write_summary(options, &findings, error);
    if (status == MOTE_OK) status = write_errors(options, &findings, error);
    if (status == MOTE_OK) status = write_energies(options, &findings, error);
    if (status != MOTE_OK || options->folder == NULL) return status;
    status = draw_plots(options, &findings, error);
    if (status == MOTE_OK)
        printf("\nNumbers and plots are in %s: *-%s.csv, .png, .svg\n", options->folder,
               study_precision);
    return status;
}
