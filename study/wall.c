/* A dam breaks and runs against a wall: pressures on it by height above the floor, after the first
 * peak, in two and three dimensions and at several spacings.
 *
 * There is no experiment beside it. Walls are slippery, so that the three-dimensional flow between
 * side walls is the two-dimensional one: what differs between the runs is spacing, dimension and
 * solver, and that is what is looked at. */
#include "study/cases.h"

#include "study/files.h"

#include <math.h>

enum { GAUGES = 4 };

static const double heights[GAUGES] = {0.03, 0.08, 0.13, 0.18}; /* m above the floor */

/* A column of 0.6 x 0.3 m, 1.01 m from the wall; gauges of 0.02 m around. */
static const char flat_text[] =
    "{ mote: 1, params: { spacing: 0.01 },\n"
    "  world: { dimension: 2, fps: 100, max_step: 0.002 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing', support: 3,\n"
    "    kernel: 'wendland-c2', wall_viscosity: 0, wall_forces: true } } ],\n"
    "  emitters: [ { name: 'dam', system: 'water', at: [0.3, 0.15], from: { type: 'fill',\n"
    "    spacing: '=spacing', shape: { type: 'box', size: [0.6, 0.3, 1] } } } ],\n"
    "  colliders: [ { name: 'tank', motion: { at: [0.805, 1] },\n"
    "    shape: { type: 'inverted', shape: { type: 'box', size: [1.61, 2, 1] } } } ],\n"
    "  probes: [\n"
    "    { name: 'low', type: 'pressure', system: 'water', at: [1.61, 0.03], radius: 0.02,\n"
    "      normal: [-1, 0], interval: 0.001, mean: true, wall: true },\n"
    "    { name: 'middle', type: 'pressure', system: 'water', at: [1.61, 0.08], radius: 0.02,\n"
    "      normal: [-1, 0], interval: 0.001, mean: true, wall: true },\n"
    "    { name: 'high', type: 'pressure', system: 'water', at: [1.61, 0.13], radius: 0.02,\n"
    "      normal: [-1, 0], interval: 0.001, mean: true, wall: true },\n"
    "    { name: 'top', type: 'pressure', system: 'water', at: [1.61, 0.18], radius: 0.02,\n"
    "      normal: [-1, 0], interval: 0.001, mean: true, wall: true } ] }\n";

static const char deep_text[] =
    "{ mote: 1, params: { spacing: 0.01 },\n"
    "  world: { fps: 100, max_step: 0.002 },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing', support: 2.4,\n"
    "    wall_viscosity: 0, wall_forces: true } } ],\n"
    "  emitters: [ { name: 'dam', system: 'water', at: [0.3, 0.15, 0.04], from: { type: 'fill',\n"
    "    spacing: '=spacing', shape: { type: 'box', size: [0.6, 0.3, 0.08] } } } ],\n"
    "  colliders: [ { name: 'tank', motion: { at: [0.805, 1, 0.04] },\n"
    "    shape: { type: 'inverted', shape: { type: 'box', size: [1.61, 2, 0.08] } } } ],\n"
    "  probes: [\n"
    "    { name: 'low', type: 'pressure', system: 'water', at: [1.61, 0.03, 0.04], radius: 0.02,\n"
    "      normal: [-1, 0, 0], interval: 0.001, mean: true, wall: true },\n"
    "    { name: 'middle', type: 'pressure', system: 'water', at: [1.61, 0.08, 0.04],\n"
    "      radius: 0.02, normal: [-1, 0, 0], interval: 0.001, mean: true, wall: true },\n"
    "    { name: 'high', type: 'pressure', system: 'water', at: [1.61, 0.13, 0.04],\n"
    "      radius: 0.02, normal: [-1, 0, 0], interval: 0.001, mean: true, wall: true },\n"
    "    { name: 'top', type: 'pressure', system: 'water', at: [1.61, 0.18, 0.04],\n"
    "      radius: 0.02, normal: [-1, 0, 0], interval: 0.001, mean: true, wall: true } ] }\n";

static const char *const gauge_names[GAUGES] = {"low", "middle", "high", "top"};

typedef struct WallRun {
    const char *name, *text;
    double spacing;
    bool quick; /* also with --quick */
} WallRun;

static const WallRun runs[] = {{"flat-0.02", flat_text, 0.02, true},
                               {"flat-0.01", flat_text, 0.01, false},
                               {"flat-0.005", flat_text, 0.005, false},
                               {"deep-0.02", deep_text, 0.02, true},
                               {"deep-0.01", deep_text, 0.01, false}};

/* What the gauges of a run read, Pa. */
typedef struct WallReading {
    double arrival;         /* s: the lowest first reads 500 Pa */
    double longest[3];      /* largest means of the lowest over 1, 5 and 20 ms */
    double rising[GAUGES];  /* means from 0.05 to 0.15 s after the arrival */
    double falling[GAUGES]; /* and from 0.15 to 0.35 s */
} WallReading;

static const double spans[3] = {0.001, 0.005, 0.02};

static double mean_between(const Record *record, double from, double to)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < record->count; ++i) {
        if (!(record->times[i] > from && record->times[i] <= to)) continue;
        sum += record->values[i * record->columns];
        ++count;
    }
    return count > 0 ? sum / (double)count : (double)NAN;
}

static double largest_between(const Record *record, double from, double to, double span)
{
    double most = 0;
    for (size_t i = 0; i < record->count; ++i) {
        const double t = record->times[i];
        if (t - span < from || t > to) continue;
        most = fmax(most, mean_between(record, t - span * 1.0001, t));
    }
    return most;
}

static double arrival_of(const Record *record)
{
    for (size_t i = 0; i < record->count; ++i)
        if (record->values[i * record->columns] >= 500) return record->times[i];
    return (double)NAN;
}

static void read_gauges(const LiquidRun *run, WallReading *reading)
{
    const Record *low = liquid_record(run, gauge_names[0]);
    const double came = reading->arrival = arrival_of(low);
    for (int k = 0; k < 3; ++k)
        reading->longest[k] = largest_between(low, came - 0.01, came + 0.1, spans[k]);
    for (int g = 0; g < GAUGES; ++g) {
        const Record *record = liquid_record(run, gauge_names[g]);
        reading->rising[g] = mean_between(record, came + 0.05, came + 0.15);
        reading->falling[g] = mean_between(record, came + 0.15, came + 0.35);
    }
}

static mote_Status run_wall(const StudyOptions *options, const WallRun *wall, const char *pressure,
                            WallReading *reading, mote_Error *error)
{
    LiquidRun run = {.options = options};
    case_begin(wall->name, pressure);
    liquid_set(&run, "spacing=%g", wall->spacing);
    liquid_set(&run, "systems.water.solver.pressure=%s", pressure);
    mote_Status status = liquid_open(&run, "wall", wall->text, error);
    if (status == MOTE_OK) status = liquid_advance(&run, 0.85, error);
    if (status == MOTE_OK) read_gauges(&run, reading), case_end(&run);
    liquid_close(&run);
    return status;
}

static void print_row(const WallRun *wall, const char *pressure, const WallReading *r, FILE *csv)
{
    printf("%-11s %-6s %7.3f", wall->name, pressure, r->arrival);
    for (int k = 0; k < 3; ++k) printf(" %7.0f", r->longest[k]);
    for (int g = 0; g < GAUGES; ++g) printf(" %5.0f", r->rising[g]);
    for (int g = 0; g < GAUGES; ++g) printf(" %5.0f", r->falling[g]);
    printf("\n");
    fflush(stdout);
    fprintf(csv, "%s,%s,%.9g", wall->name, pressure, r->arrival);
    for (int k = 0; k < 3; ++k) fprintf(csv, ",%.9g", r->longest[k]);
    for (int g = 0; g < GAUGES; ++g) fprintf(csv, ",%.9g", r->rising[g]);
    for (int g = 0; g < GAUGES; ++g) fprintf(csv, ",%.9g", r->falling[g]);
    fprintf(csv, "\n");
}

static mote_Status run_all(const StudyOptions *options, FILE *csv, mote_Error *error)
{
    Findings met = {.count = 0}; /* none is compared with anything: counted alone */
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i)
        for (size_t k = 0; case_pressure(k) != NULL && status == MOTE_OK; ++k) {
            WallReading reading;
            if (!case_wanted(options, runs[i].name, case_pressure(k))) continue;
            ++met.count;
            if (options->quick && !runs[i].quick) continue;
            status = run_wall(options, &runs[i], case_pressure(k), &reading, error);
            if (status == MOTE_OK) print_row(&runs[i], case_pressure(k), &reading, csv);
        }
    return status == MOTE_OK ? cases_check(options, &met, error) : status;
}

mote_Status study_wall(const StudyOptions *options, mote_Error *error)
{
    FILE *csv;
    mote_Status status = study_make_folder(options, error);
    if (status == MOTE_OK) status = study_open_csv(options, "wall", &csv, error);
    if (status != MOTE_OK) return status;
    printf(
        "Water of 0.3 m runs against a wall. Pressures in Pa: largest means of a gauge %g m above "
        "the floor over 1, 5 and 20 ms; means 0.05 to 0.15 s, and 0.15 to 0.35 s after the "
        "arrival at %g, %g, %g and %g m.\n\n",
        heights[0], heights[0], heights[1], heights[2], heights[3]);
    fprintf(csv, "run,pressure,arrival,peak_1ms,peak_5ms,peak_20ms,early_1,early_2,early_3,early_4,"
                 "late_1,late_2,late_3,late_4\n");
    status = run_all(options, csv, error);
    const mote_Status closed = study_close_csv(options, "wall", csv, error);
    return status == MOTE_OK ? closed : status;
}
