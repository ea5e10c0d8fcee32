/* Martin and Moyce 1952: a column of water of width a and height 2 a collapses, in two dimensions.
 *
 * Beside their front and their height stands the potential flow of the same column, which is exact
 * for a liquid without friction that is let go at once (tests/data/sph/potential_collapse.py). It
 * runs ahead of the experiment's front: that one is stopped for a while between 1.1 and 1.2 a,
 * where a membrane has to get out of the way, and keeps the delay. So the front is compared as
 * published, with one delay taken off, and with potential flow; time is T = t sqrt(2 g / a)
 * throughout. */
#include "study/cases.h"

#include "study/files.h"
#include "study/reference.h"

#include <math.h>

enum { MOST_SAMPLES = 1024 };
enum { FRONT, HEIGHT, CURVES };

static const double width = 2.25 * 0.0254, gravity = 9.81;

static const char column_text[] =
    "{ mote: 1, params: { a: 0.05715, across: 40 },\n"
    "  world: { dimension: 2, fps: 400, max_step: 0.002 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=a/across', support: 3,\n"
    "    kernel: 'wendland-c2', density: 'continuity' } } ],\n"
    "  emitters: [ { name: 'column', system: 'water', at: ['=a/2', '=a'], from: { type: 'fill',\n"
    "    spacing: '=a/across', shape: { type: 'box', size: ['=a', '=2*a', 1] } } } ],\n"
    "  colliders: [ { name: 'floor', shape: { type: 'plane', normal: [0, 1] } },\n"
    "    { name: 'back', shape: { type: 'plane', normal: [1, 0] } } ],\n"
    "  probes: [ { name: 'height', type: 'height', system: 'water', at: ['=3*a/across', 0] } ] }\n";

/* Front over a, height over 2 a. */
typedef struct Column {
    double t[MOST_SAMPLES], v[CURVES][MOST_SAMPLES];
    size_t count;
} Column;

/* What there is to compare with. */
typedef struct Known {
    Reference front, narrow, height, flow; /* flow: T, front, height */
} Known;

/* ---- running ---- */

/* The end of the sheet, as one sees it: the last particle, and half a spacing, before the first gap
 * of two spacings along the floor. Drops beyond it are no front. */
static double front_of(const LiquidRun *run)
{
    enum { BINS = 8192 };
    static double last[BINS];
    size_t count;
    const mote_real *x = liquid_plane(run, "water", "position", 0, &count);
    const mote_real *radius = liquid_plane(run, "water", "radius", 0, &count);
    const double spacing = count > 0 ? 2 * (double)radius[0] : 1;
    double front = 0;
    for (size_t k = 0; k < BINS; ++k) last[k] = -1;
    for (size_t i = 0; i < count; ++i) {
        size_t k = (size_t)((double)x[i] / spacing);
        if (k < BINS && (double)x[i] > last[k]) last[k] = (double)x[i];
    }
    for (size_t k = 0; k < BINS; ++k) {
        if (last[k] < 0) continue;
        if (last[k] - front > 2 * spacing) break;
        front = last[k];
    }
    return front + spacing / 2;
}

static mote_Status run_column(const StudyOptions *options, const char *pressure, Column *column,
                              mote_Error *error)
{
    LiquidRun run = {.options = options};
    const double scale = sqrt(2 * gravity / width), end = (options->quick ? 3.5 : 9.3) / scale;
    case_begin("martin-moyce", pressure);
    if (options->quick) liquid_set(&run, "across=16");
    liquid_set(&run, "systems.water.solver.pressure=%s", pressure);
    mote_Status status = liquid_open(&run, "column", column_text, error);
    column->count = 0;
    while (status == MOTE_OK && mote_world_time(run.world) < end && column->count < MOST_SAMPLES) {
        status = liquid_advance(&run, mote_world_time(run.world) + 0.0025, error);
        if (status != MOTE_OK) break;
        column->t[column->count] = mote_world_time(run.world) * scale;
        column->v[FRONT][column->count] = front_of(&run) / width;
        column->v[HEIGHT][column->count++] =
            record_last(liquid_record(&run, "height"), 0) / (2 * width);
    }
    if (status == MOTE_OK) case_end(&run);
    liquid_close(&run);
    return status;
}

/* ---- comparing ---- */

/* The mean over the points of |v(T - delay) - V| / V. */
static double mean_off(const double *t, const double *v, size_t count, const Reference *data,
                       int column, double delay)
{
    double sum = 0;
    size_t used = 0;
    for (size_t i = 0; i < data->rows; ++i) {
        double at = curve_at(t, v, count, data->values[0][i] - delay);
        if (isnan(at)) continue;
        sum += fabs(at / data->values[column][i] - 1);
        ++used;
    }
    return sum / (double)used;
}

/* One number for the whole curve. */
static double best_delay(const double *t, const double *v, size_t count, const Reference *data)
{
    double best = 0, least = HUGE_VAL;
    for (int k = 0; k <= 60; ++k) {
        double off = mean_off(t, v, count, data, 1, 0.01 * k);
        if (off < least) least = off, best = 0.01 * k;
    }
    return best;
}

static void compare_delayed(const Column *column, const Known *known, Finding f, Findings *findings)
{
    const Reference *flow = &known->flow;
    f.quantity = "front, one delay fitted (T)";
    f.measured = best_delay(column->t, column->v[FRONT], column->count, &known->front);
    f.reference = best_delay(flow->values[0], flow->values[1], flow->rows, &known->front);
    f.off = mean_off(column->t, column->v[FRONT], column->count, &known->front, 1, f.measured);
    findings_add(findings, f);
}

/* Heights are small in the end, so they are compared with 2 a. */
static double height_off(const Column *column, const Reference *data, int at)
{
    double sum = 0;
    size_t used = 0;
    for (size_t i = 0; i < data->rows; ++i) {
        double h = curve_at(column->t, column->v[HEIGHT], column->count, data->values[0][i]);
        if (isnan(h)) continue;
        sum += fabs(h - data->values[at][i]);
        ++used;
    }
    return sum / (double)used;
}

static void compare_column(const Column *column, const Known *known, const char *pressure,
                           Findings *findings)
{
    const Reference *flow = &known->flow;
    const double *front = column->v[FRONT];
    Finding f = finding_make("martin-moyce", pressure, "front, from the release, mean off",
                             pressure[0] == 'd' ? 0.05 : 0.08);
    f.measured = f.off = mean_off(column->t, front, column->count, &known->front, 1, 0);
    f.reference = mean_off(flow->values[0], flow->values[1], flow->rows, &known->front, 1, 0);
    findings_add(findings, f);
    compare_delayed(column, known, f, findings);
    f.quantity = "front, beside potential flow, mean off";
    f.measured = f.off = mean_off(column->t, front, column->count, flow, 1, 0);
    f.reference = 0;
    findings_add(findings, f);
    f.quantity = "height, mean off, of 2 a";
    f.measured = f.off = height_off(column, &known->height, 1);
    findings_add(findings, f);
    f.quantity = "height, beside potential flow, of 2 a";
    f.measured = f.off = height_off(column, flow, 2);
    findings_add(findings, f);
}

/* ---- plots ---- */

static PlotSeries points_of(const char *name, const Reference *data)
{
    return (PlotSeries){.name = name,
                        .x = data->values[0],
                        .y = data->values[1],
                        .count = data->rows,
                        .style = PLOT_POINTS};
}

static mote_Status plot_columns(const StudyOptions *options, const Column *columns, int curve,
                                const Known *known, mote_Error *error)
{
    PlotSeries series[MOST_PRESSURES + 3];
    size_t count = 0;
    for (size_t i = 0; case_pressure(i) != NULL; ++i)
        if (columns[i].count > 0)
            series[count++] = (PlotSeries){.name = case_pressure(i),
                                           .x = columns[i].t,
                                           .y = columns[i].v[curve],
                                           .count = columns[i].count};
    series[count++] = (PlotSeries){.name = "potential flow",
                                   .x = known->flow.values[0],
                                   .y = known->flow.values[curve == FRONT ? 1 : 2],
                                   .count = known->flow.rows,
                                   .color = -1};
    if (curve == FRONT) {
        series[count++] = points_of("experiment, a = 2.25 in", &known->front);
        series[count++] = points_of("experiment, a = 1.125 in", &known->narrow);
    } else {
        series[count++] = points_of("experiment", &known->height);
    }
    Plot figure = {.title = curve == FRONT ? "Front of a collapsing column (Martin and Moyce 1952)"
                                           : "Height of a collapsing column",
                   .x = {.label = "t sqrt(2 g / a)"},
                   .y = {.label = curve == FRONT ? "front / a" : "height / (2 a)"},
                   .series = series,
                   .series_count = count};
    const char *name = curve == FRONT ? "martin-moyce" : "martin-moyce-height";
    return study_plot(options, name, &figure, error);
}

static mote_Status read_known(Known *known, mote_Error *error)
{
    const struct {
        const char *name;
        Reference *reference;
    } files[] = {{"martin_moyce_1952_n2eq2_a2.25in_front", &known->front},
                 {"martin_moyce_1952_n2eq2_a1.125in_front", &known->narrow},
                 {"martin_moyce_1952_n2eq2_a2.25in_height", &known->height},
                 {"potential_collapse_n2eq2", &known->flow}};
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < sizeof files / sizeof files[0] && status == MOTE_OK; ++i)
        status = reference_read(files[i].name, files[i].reference, error);
    return status;
}

mote_Status column_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    static Column columns[MOST_PRESSURES];
    static Known known;
    bool any = false;
    mote_Status status = read_known(&known, error);
    for (size_t i = 0; case_pressure(i) != NULL && status == MOTE_OK; ++i) {
        columns[i].count = 0;
        if (!case_wanted(options, "martin-moyce", case_pressure(i))) continue;
        status = run_column(options, case_pressure(i), &columns[i], error);
        if (status == MOTE_OK)
            compare_column(&columns[i], &known, case_pressure(i), findings), any = true;
    }
    if (status != MOTE_OK || options->folder == NULL || !any) return status;
    status = plot_columns(options, columns, FRONT, &known, error);
    return status == MOTE_OK ? plot_columns(options, columns, HEIGHT, &known, error) : status;
}
