/* SPHERIC test 2 (Kleefsman et al. 2005): a dam breaks and hits a box, in three dimensions, with
 * heights of water and pressures on the box.
 *
 * Two runs. Heights are of the whole 6 s. The impact is a matter of the sheet that arrives: it is a
 * thin wedge, and while it is one particle thick it hits like the blunt end of a block, with rho
 * u^2 on its whole front instead of rho u^2 / 2 at the foot; so that run is finer, and ends soon.
 */
#include "study/cases.h"

#include "study/files.h"
#include "study/reference.h"

#include <math.h>
#include <stdlib.h>

/* Columns of the experiment's table, and where the probes stand; x from the dry end. */
enum { P1 = 1, P3 = 3, H2 = 10, H4 = 12 };

static const char box_text[] =
    "{ mote: 1, params: { spacing: 0.025 },\n"
    "  world: { up: 'z', fps: 100, max_step: 0.002, gravity: [0, 0, -9.81] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing',\n"
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
    "    { name: 'H4', type: 'height', system: 'water', at: [2.638, 0.5, 0], measure: 'wetted' } ] "
    "}\n";

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

/* The experiment: 10 ms means of all of it, and the impact by milliseconds. */
typedef struct BoxData {
    Reference slow, fast;
} BoxData;

static const char *const gauge_names[4] = {"P1", "P3", "H2", "H4"};
static const int gauge_columns[4] = {P1, P3, H2, H4};

static void free_box(BoxRun *box)
{
    for (int g = 0; g < 4; ++g) free(box->gauges[g].t), free(box->gauges[g].v);
}

/* Spacings that fit into the 0.55 m and the 1 m of the water. */
typedef struct BoxPart {
    const char *name;
    double spacing, support, seconds;
    double impact; /* without it `wcsph` bounces off the box and hits it twice */
    double quick_spacing, quick_seconds;
} BoxPart;

static const BoxPart whole = {"spheric-2", 0.025, 2, 6, 0, 0.05, 1};
static const BoxPart impact = {"spheric-2-impact", 0.01, 2.4, 0.6, 3, 0.05, 0.6};

static mote_Status run_box(const StudyOptions *options, const BoxPart *part, const char *pressure,
                           BoxRun *box, mote_Error *error)
{
    LiquidRun run = {.options = options};
    case_begin(part->name, pressure);
    liquid_set(&run, "spacing=%.9g", options->quick ? part->quick_spacing : part->spacing);
    liquid_set(&run, "systems.water.solver.support=%g", part->support);
    liquid_set(&run, "systems.water.solver.impact=%g", part->impact);
    liquid_set(&run, "systems.water.solver.pressure=%s", pressure);
    mote_Status status = liquid_open(&run, "box", box_text, error);
    if (status == MOTE_OK)
        status = liquid_advance(&run, options->quick ? part->quick_seconds : part->seconds, error);
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
    Finding f = finding_make(whole.name, pressure, quantity, 0.15);
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

/* The integral over `span` s from a moment on. */
static double impulse(const double *t, const double *v, size_t count, double from, double span)
{
    double sum = 0;
    for (size_t i = 1; i < count; ++i)
        if (t[i] > from && t[i] <= from + span) sum += v[i] * (t[i] - t[i - 1]);
    return sum;
}

static void add_finding(Findings *findings, Finding f, const char *quantity, double measured,
                        double reference)
{
    f.quantity = quantity, f.measured = measured, f.reference = reference;
    f.off = fabs(measured / reference - 1);
    findings_add(findings, f);
}

/* Both sides seen through the same mean: layers of particles hit one after another like hammers, a
 * spacing over the speed apart; longer means are pressure. */
static void compare_impact(const BoxRun *box, const BoxData *data, const char *pressure,
                           Findings *findings)
{
    const Reference *fast = &data->fast;
    const Gauge *p1 = &box->gauges[0];
    const double *t = fast->values[0], *p = fast->values[P1];
    const double came = arrival(p1->t, p1->v, p1->count, 1000);
    const double right = arrival(t, p, fast->rows, 1000);
    Finding f = finding_make(impact.name, pressure, "", 0.05);
    add_finding(findings, f, "arrival at the box (s)", came, right);
    f.tolerance = 0.25;
    add_finding(findings, f, "first peak of P1 (Pa), over 20 ms",
                largest_mean(p1->t, p1->v, p1->count, 0.8, 0.02),
                largest_mean(t, p, fast->rows, 0.8, 0.02));
    add_finding(findings, f, "impulse of P1 (Pa s), 0.15 s from its arrival",
                impulse(p1->t, p1->v, p1->count, came, 0.15),
                impulse(t, p, fast->rows, right, 0.15));
}

static void compare_heights(const BoxRun *box, const BoxData *data, const char *pressure,
                            Findings *findings)
{
    findings_add(findings, height_finding(&box->gauges[2], &data->slow, H2, pressure,
                                          "height H2 (m), rms of 0.55 m"));
    findings_add(findings, height_finding(&box->gauges[3], &data->slow, H4, pressure,
                                          "height H4 (m), rms of 0.55 m"));
}

/* ---- plots ---- */

/* What is plotted: means over `span` s around each sample; 0: the samples. */
static Gauge smoothed(const double *t, const double *v, size_t count, double span)
{
    Gauge mean = {malloc((count + 1) * sizeof(double)), malloc((count + 1) * sizeof(double)), 0};
    if (mean.t == NULL || mean.v == NULL) return mean;
    for (size_t i = 0, first = 0, end = 0; i < count; ++i) {
        double sum = 0;
        while (t[i] - t[first] > span / 2) ++first;
        while (end < count && t[end] - t[i] <= span / 2) ++end;
        for (size_t k = first; k < end; ++k) sum += v[k];
        mean.t[i] = t[i], mean.v[i] = sum / (double)(end - first);
    }
    mean.count = count;
    return mean;
}

static PlotSeries series_of(const char *name, const Gauge *gauge, int color)
{
    return (PlotSeries){
        .name = name, .x = gauge->t, .y = gauge->v, .count = gauge->count, .color = color};
}

static mote_Status plot_gauge(const StudyOptions *options, const BoxRun *boxes, int g,
                              const BoxPart *part, const Reference *data, mote_Error *error)
{
    const double span = g < 2 ? 0.01 : 0;
    PlotSeries series[MOST_PRESSURES + 1];
    Gauge shown[MOST_PRESSURES + 1];
    size_t count = 0;
    char file[64], title[128];
    for (size_t i = 0; case_pressure(i) != NULL; ++i) {
        const Gauge *gauge = &boxes[i].gauges[g];
        if (gauge->count == 0) continue;
        shown[count] = smoothed(gauge->t, gauge->v, gauge->count, span);
        series[count] = series_of(case_pressure(i), &shown[count], 0);
        ++count;
    }
    shown[count] = smoothed(data->values[0], data->values[gauge_columns[g]], data->rows, span);
    series[count] = series_of("experiment", &shown[count], -1);
    snprintf(file, sizeof file, "spheric-2-%s", gauge_names[g]);
    snprintf(title, sizeof title, "Dam break on a box (SPHERIC test 2): %s%s", gauge_names[g],
             span > 0 ? ", means over 10 ms" : "");
    Plot figure = {
        .title = title,
        .x = {.label = "time (s)", .max = options->quick ? part->quick_seconds : part->seconds},
        .y = {.label = g < 2 ? "pressure (Pa)" : "height (m)"},
        .series = series,
        .series_count = count + 1};
    if (g < 2) figure.x.min = 0.35;
    mote_Status status = study_plot(options, file, &figure, error);
    for (size_t i = 0; i <= count; ++i) free(shown[i].t), free(shown[i].v);
    return status;
}

typedef void Compare(const BoxRun *box, const BoxData *data, const char *pressure,
                     Findings *findings);

/* One of the two runs by every solver; gauges `first` and the next are plotted. */
static mote_Status part_cases(const StudyOptions *options, const BoxPart *part, Compare *compare,
                              int first, Findings *findings, mote_Error *error)
{
    static BoxData data;
    BoxRun boxes[MOST_PRESSURES] = {0};
    bool any = false;
    mote_Status status =
        reference_read("spheric_test2_kleefsman_dambreak_box_10ms_mean", &data.slow, error);
    if (status == MOTE_OK)
        status = reference_read("spheric_test2_kleefsman_dambreak_box_1khz_impact_0.35-0.80s",
                                &data.fast, error);
    for (size_t i = 0; case_pressure(i) != NULL && status == MOTE_OK; ++i) {
        if (!case_wanted(options, part->name, case_pressure(i))) continue;
        status = run_box(options, part, case_pressure(i), &boxes[i], error);
        if (status == MOTE_OK) compare(&boxes[i], &data, case_pressure(i), findings), any = true;
    }
    for (int g = first; g < first + 2 && status == MOTE_OK && any && options->folder != NULL; ++g)
        status = plot_gauge(options, boxes, g, part, g < 2 ? &data.fast : &data.slow, error);
    for (size_t i = 0; i < MOST_PRESSURES; ++i) free_box(&boxes[i]);
    return status;
}

mote_Status box_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    mote_Status status = part_cases(options, &impact, compare_impact, 0, findings, error);
    if (status != MOTE_OK) return status;
    return part_cases(options, &whole, compare_heights, 2, findings, error);
}
