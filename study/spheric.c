/* SPHERIC test 2 (Kleefsman et al. 2005): a dam breaks and hits a box, in three dimensions, with
 * heights of water and pressures on the box. */
#include "study/cases.h"

#include "study/files.h"
#include "study/reference.h"

#include <math.h>
#include <stdlib.h>

/* Columns of the experiment's table, and where the probes stand; x from the dry end. */
enum { P1 = 1, P3 = 3, H2 = 10, H4 = 12 };

static const char box_text[] =
    "{ mote: 1, params: { spacing: 0.016666667 },\n"
    "  world: { up: 'z', fps: 100, max_step: 0.002, gravity: [0, 0, -9.81] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing', support: 2.4,\n"
    "    density: 'continuity', wall_forces: true } } ],\n"
    "  emitters: [ { name: 'dam', system: 'water', at: [2.606, 0.5, 0.275],\n"
    "    from: { type: 'fill', spacing: '=spacing',\n"
    "            shape: { type: 'box', size: [1.228, 1, 0.55] } } } ],\n"
    "  colliders: [\n"
    "    { name: 'tank', motion: { at: [1.61, 0.5, 1] },\n"
    "      shape: { type: 'inverted', shape: { type: 'box', size: [3.22, 1, 2] } } },\n"
    "    { name: 'box', motion: { at: [0.744, 0.5, 0.0805] },\n"
    "      shape: { type: 'box', size: [0.161, 0.403, 0.161] } } ],\n"
    "  probes: [\n"
    "    { name: 'P1', type: 'pressure', system: 'water', at: [0.8245, 0.471, 0.021],\n"
    "      radius: 0.02, normal: [1, 0, 0], interval: 0.001, mean: true,\n"
    "      wall: true },\n"
    "    { name: 'P3', type: 'pressure', system: 'water', at: [0.8245, 0.471, 0.101],\n"
    "      radius: 0.02, normal: [1, 0, 0], interval: 0.001, mean: true,\n"
    "      wall: true },\n"
    "    { name: 'H2', type: 'height', system: 'water', at: [0.992, 0.5, 0], measure: 'wetted' },\n"
    "    { name: 'H4', type: 'height', system: 'water', at: [2.638, 0.5, 0], measure: 'wetted' },\n"
    "    { name: 'box', type: 'load', collider: 'box', interval: 0.01 } ] }\n";

typedef struct Gauge {
    double *t, *v;
    size_t count;
} Gauge;

static mote_Status keep_gauge(const LiquidRun *run, const char *probe, Gauge *gauge)
{
    const Record *record = liquid_record(run, probe);
    gauge->count = record->count;
    gauge->t = malloc((record->count + 1) * sizeof *gauge->t);
    gauge->v = malloc((record->count + 1) * sizeof *gauge->v);
    if (gauge->t == NULL || gauge->v == NULL) return MOTE_NO_MEMORY;
    for (size_t i = 0; i < record->count; ++i) {
        gauge->t[i] = record->times[i];
        gauge->v[i] = record->values[i * record->columns];
    }
    return MOTE_OK;
}

typedef struct BoxRun {
    Gauge gauges[4]; /* P1, P3, H2, H4 */
} BoxRun;

static const char *const gauge_names[4] = {"P1", "P3", "H2", "H4"};
static const int gauge_columns[4] = {P1, P3, H2, H4};

static void free_box(BoxRun *box)
{
    for (int g = 0; g < 4; ++g) free(box->gauges[g].t), free(box->gauges[g].v);
}

static mote_Status run_box(const StudyOptions *options, const char *pressure, BoxRun *box,
                           mote_Error *error)
{
    LiquidRun run = {.options = options};
    case_begin("spheric-2", pressure);
    if (options->quick) liquid_set(&run, "spacing=0.05");
    liquid_set(&run, "systems.water.solver.pressure=%s", pressure);
    mote_Status status = liquid_open(&run, "box", box_text, error);
    if (status == MOTE_OK) status = liquid_advance(&run, options->quick ? 1 : 6, error);
    for (int g = 0; g < 4 && status == MOTE_OK; ++g)
        status = keep_gauge(&run, gauge_names[g], &box->gauges[g]);
    if (status == MOTE_OK) case_end(&run);
    liquid_close(&run);
    return status;
}

/* Root of the mean square difference, as a share of the water's first depth. */
static Finding height_finding(const Gauge *gauge, const Reference *data, int column,
                              const char *pressure, const char *quantity)
{
    double sum = 0;
    size_t used = 0;
    for (size_t i = 0; i < data->rows; ++i) {
        double h = curve_at(gauge->t, gauge->v, gauge->count, data->values[0][i]);
        if (isnan(h)) continue;
        double off = h - data->values[column][i];
        sum += off * off;
        ++used;
    }
    Finding f = finding_make("spheric-2", pressure, quantity, 0.15);
    f.measured = sqrt(sum / (double)used);
    f.off = f.measured / 0.55;
    return f;
}

/* When the pressure first reaches `level`, s. */
static double arrival(const double *t, const double *p, size_t count, double level)
{
    for (size_t i = 0; i < count; ++i)
        if (p[i] >= level) return t[i];
    return (double)NAN;
}

/* The largest mean over `span` s, samples being evenly spaced. */
static double largest_mean(const double *t, const double *v, size_t count, double until,
                           double span)
{
    double most = -HUGE_VAL, sum = 0;
    for (size_t i = 0, first = 0; i < count && t[i] <= until; ++i) {
        sum += v[i];
        for (; t[i] - t[first] > span; ++first) sum -= v[first];
        double mean = sum / (double)(i - first + 1);
        if (i >= 1 && mean > most) most = mean;
    }
    return most;
}

/* Both sides seen through the same mean: layers of particles hit one after another like hammers, a
 * spacing over the speed apart, about 10 ms; longer means are pressure. */
static Finding peak_finding(const Gauge *p1, const Reference *fast, const char *pressure,
                            double span, const char *quantity)
{
    Finding f = finding_make("spheric-2", pressure, quantity, 0.25);
    f.measured = largest_mean(p1->t, p1->v, p1->count, 0.8, span);
    f.reference = largest_mean(fast->values[0], fast->values[P1], fast->rows, 0.8, span);
    f.off = fabs(f.measured / f.reference - 1);
    return f;
}

static void compare_box(const BoxRun *box, const Reference *slow, const Reference *fast,
                        const char *pressure, Findings *findings)
{
    const Gauge *p1 = &box->gauges[0];
    findings_add(findings, height_finding(&box->gauges[2], slow, H2, pressure,
                                          "height H2 (m), rms of 0.55 m"));
    findings_add(findings, height_finding(&box->gauges[3], slow, H4, pressure,
                                          "height H4 (m), rms of 0.55 m"));
    Finding f = finding_make("spheric-2", pressure, "arrival at the box (s)", 0.05);
    f.measured = arrival(p1->t, p1->v, p1->count, 1000);
    f.reference = arrival(fast->values[0], fast->values[P1], fast->rows, 1000);
    f.off = fabs(f.measured / f.reference - 1);
    findings_add(findings, f);
    findings_add(findings,
                 peak_finding(p1, fast, pressure, 0.02, "first peak of P1 (Pa), over 20 ms"));
    findings_add(findings, peak_finding(p1, fast, pressure, 0, "first peak of P1 (Pa), over 1 ms"));
}

static mote_Status plot_gauge(const StudyOptions *options, const BoxRun *boxes, size_t count, int g,
                              const Reference *data, mote_Error *error)
{
    PlotSeries series[MOST_PRESSURES + 1];
    char file[64], title[128];
    for (size_t i = 0; i < count; ++i)
        series[i] = (PlotSeries){.name = case_pressure(i),
                                 .x = boxes[i].gauges[g].t,
                                 .y = boxes[i].gauges[g].v,
                                 .count = boxes[i].gauges[g].count};
    series[count] = (PlotSeries){.name = "experiment",
                                 .x = data->values[0],
                                 .y = data->values[gauge_columns[g]],
                                 .count = data->rows,
                                 .color = -1};
    snprintf(file, sizeof file, "spheric-2-%s", gauge_names[g]);
    snprintf(title, sizeof title, "Dam break on a box (SPHERIC test 2): %s", gauge_names[g]);
    Plot figure = {.title = title,
                   .x = {.label = "time (s)", .min = 0, .max = options->quick ? 1 : 6},
                   .y = {.label = g < 2 ? "pressure (Pa)" : "height (m)"},
                   .series = series,
                   .series_count = count + 1};
    if (g < 2) figure.y.min = -500, figure.y.max = 15000;
    return study_plot(options, file, &figure, error);
}

mote_Status box_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    static Reference slow, fast;
    BoxRun boxes[MOST_PRESSURES] = {0};
    size_t count = 0;
    mote_Status status =
        reference_read("spheric_test2_kleefsman_dambreak_box_10ms_mean", &slow, error);
    if (status == MOTE_OK)
        status = reference_read("spheric_test2_kleefsman_dambreak_box_1khz_impact_0.35-0.80s",
                                &fast, error);
    for (; case_pressure(count) != NULL && status == MOTE_OK; ++count) {
        if (!case_wanted(options, "spheric-2", case_pressure(count))) continue;
        status = run_box(options, case_pressure(count), &boxes[count], error);
        if (status == MOTE_OK)
            compare_box(&boxes[count], &slow, &fast, case_pressure(count), findings);
    }
    for (int g = 0; g < 4 && status == MOTE_OK && options->folder != NULL; ++g)
        status = plot_gauge(options, boxes, count, g, &slow, error);
    for (size_t i = 0; i < count; ++i) free_box(&boxes[i]);
    return status;
}
