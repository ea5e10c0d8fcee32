/* Bodies in a wind, on meshes: drag of balls and of a square plate, the side force on a ball that
 * turns, a cylinder that is set in motion and the street of vortices behind it, beside experiments
 * and the work of others. */
#include "study/penalised.h"

#include "study/files.h"

#include <math.h>

#define BALL_AREA 0.78539816339744831 /* m^2, of a disc of 1 m */

/* Of one metre of width in a wind of 1 m/s and air of 1 kg/m^3; a cylinder is a disc of two
 * dimensions, and a push aside wakes its street. */
static const char cylinder_text[] =
    "{ mote: 1, params: { cells: 20, re: 100, end: 60, kick: 1, steps: 40 },\n"
    "  world: { duration: '=end', fps: '=steps', max_step: 1, dimension: 2, gravity: [0, 0, 0] },\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', boundary: 'penalised',\n"
    "    wind: [1, 0, 0], density: 1, viscosity: '=1/re', remesh_spacing: '=1/cells',\n"
    "    remesh_overlap: 1, remesh_cut: 1e-5, shed_lifetime: 14, resolution: 0.02 } } ],\n"
    "  colliders: [ { name: 'body', shape: { type: 'sphere', radius: 0.5 }, measure: true,\n"
    "      motion: { at: [0, '=0.3*kick*exp(-(t-2)^2)', 0] } } ],\n"
    "  probes: [ { name: 'load', type: 'load', collider: 'body' } ] }\n";

#define BODY_TEXT(shape)                                                                           \
    "{ mote: 1, params: { cells: 14, re: 100, end: 10, steps: 30, turn: 0 },\n"                    \
    "  world: { duration: '=end', fps: '=steps', max_step: 1, gravity: [0, 0, 0] },\n"             \
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', boundary: 'penalised',\n"           \
    "    wind: [1, 0, 0], density: 1, viscosity: '=1/re', remesh_spacing: '=1/cells',\n"           \
    "    remesh_overlap: 1, remesh_cut: 3e-4, shed_lifetime: 6, resolution: 0.02 } } ],\n"         \
    "  colliders: [ { name: 'body', shape: " shape ", measure: true,\n"                            \
    "      motion: { spin: [0, 0, '=turn*57.29578'] } } ],\n"                                      \
    "  probes: [ { name: 'load', type: 'load', collider: 'body' } ] }\n"
static const char ball_text[] = BODY_TEXT("{ type: 'sphere', radius: 0.5 }");
static const char plate_text[] = BODY_TEXT("{ type: 'box', size: [0.15, 1, 1] }");

/* A case, and what experiments say of its coefficient of drag. */
typedef struct DragCase {
    const char *name, *file, *text;
    double reynolds, area; /* m^2 that meets the wind */
    int cells;             /* to the diameter: a layer is 1 / sqrt(Re) of it thick */
    double drag, tolerance;
} DragCase;

/* Schiller and Naumann's 24 / Re (1 + 0.15 Re^0.687); plates of Hoerner, Fluid-Dynamic Drag, 1965.
 */
static const DragCase drag_cases[] = {
    {"ball, Re 100", "ball-100", ball_text, 100, BALL_AREA, 14, 1.09, 0.15},
    {"ball, Re 300", "ball-300", ball_text, 300, BALL_AREA, 28, 0.66, 0.15},
    {"square plate face-on, Re 500", "plate-500", plate_text, 500, 1, 14, 1.15, 0.05},
};

/* Coefficients over the way of the wind. `area`: that which it meets, m^2. */
static mote_Status plot_load(const StudyOptions *options, const char *file, const char *title,
                             const Record *load, double area, mote_Error *error)
{
    enum { MOST = 4000 };
    static double drag[MOST], lift[MOST];
    const size_t count = load->count < MOST ? load->count : MOST;
    for (size_t i = 0; i < count; ++i) {
        drag[i] = load->values[i * load->columns] / (0.5 * area);
        lift[i] = load->values[i * load->columns + 1] / (0.5 * area);
    }
    PlotSeries series[] = {{.name = "drag", .x = load->times, .y = drag, .count = count},
                           {.name = "lift", .x = load->times, .y = lift, .count = count}};
    Plot figure = {.title = title,
                   .x = {.label = "time, in diameters of the wind's way"},
                   .y = {.label = "coefficient", .min = -1, .max = 2.5},
                   .series = series,
                   .series_count = 2};
    return options->folder != NULL ? study_plot(options, file, &figure, error) : MOTE_OK;
}

static mote_Status run_drag(const StudyOptions *options, const DragCase *c, Findings *findings,
                            mote_Error *error)
{
    LiquidRun run = {.options = options};
    const double end = options->quick ? 0.5 : 10;
    if (!case_wanted(options, c->name, "penalised")) return MOTE_OK;
    case_begin(c->name, "penalised");
    liquid_set(&run, "re=%g", c->reynolds);
    const int cells = options->quick ? 6 : c->cells;
    liquid_set(&run, "cells=%d", cells);
    liquid_set(&run, "steps=%d", cells > 14 ? 15 * cells / 7 : 30);
    mote_Status status = liquid_open(&run, "penalised", c->text, error);
    if (status == MOTE_OK) status = liquid_advance(&run, end, error);
    if (status == MOTE_OK) {
        const Record *load = liquid_record(&run, "load");
        Finding f = finding_make(c->name, "penalised", "coefficient of drag", c->tolerance);
        case_end(&run);
        f.measured = record_mean(load, 0, load->count / 4) / (0.5 * c->area);
        f.reference = c->drag, f.off = fabs(f.measured / c->drag - 1);
        findings_add(findings, f);
        status = plot_load(options, c->file, c->name, load, c->area, error);
    }
    liquid_close(&run);
    return status;
}

/* ---- a ball that turns ---- */

/* The side force of a ball whose surface goes at 0.3 of the wind: its coefficient is 0.3 to 1.5
 * times that in experiments. It acts along turn x way: turning about +z in a wind along +x, whose
 * way is along -x, along -y. */
static mote_Status run_turning(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    LiquidRun run = {.options = options};
    const double share = 0.3, middle = 0.9, width = 0.6;
    if (!case_wanted(options, "turning ball, Re 100", "penalised")) return MOTE_OK;
    case_begin("turning ball, Re 100", "penalised");
    liquid_set(&run, "turn=%g", share / 0.5);
    liquid_set(&run, "cells=%d", options->quick ? 6 : 10);
    mote_Status status = liquid_open(&run, "penalised", ball_text, error);
    if (status == MOTE_OK) status = liquid_advance(&run, options->quick ? 0.5 : 6, error);
    if (status == MOTE_OK) {
        const Record *load = liquid_record(&run, "load");
        Finding f = finding_make("turning ball, Re 100", "penalised",
                                 "coefficient of side force over share of turn", width / middle);
        case_end(&run);
        f.measured = -record_mean(load, 1, load->count / 4) / (0.5 * BALL_AREA) / share;
        f.reference = middle, f.off = fabs(f.measured / middle - 1);
        findings_add(findings, f);
    }
    liquid_close(&run);
    return status;
}

/* ---- a start ---- */

/* A cylinder at Re = 550 that is set in motion at once: its coefficient of drag after a way of so
 * many radii (Koumoutsakos and Leonard, JFM 296, 1995; as read off by the authors of cuIBM). */
static const double start_way[] = {1.07, 2.01, 3.10, 4.81};
static const double start_drag[] = {0.753, 1.119, 1.287, 1.137};
enum { STARTS = sizeof start_way / sizeof start_way[0] };

static double record_at(const Record *record, size_t column, double time)
{
    for (size_t i = 1; i < record->count; ++i) {
        const double from = record->times[i - 1], to = record->times[i];
        if (time > to || !(to > from)) continue;
        const double a = record->values[(i - 1) * record->columns + column];
        const double b = record->values[i * record->columns + column];
        return a + (b - a) * (time - from) / (to - from);
    }
    return (double)NAN;
}

static mote_Status run_start(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    static const char *const quantities[STARTS] = {"drag after 1.07 radii", "drag after 2.01 radii",
                                                   "drag after 3.10 radii",
                                                   "drag after 4.81 radii"};
    LiquidRun run = {.options = options};
    if (!case_wanted(options, "start, Re 550", "penalised")) return MOTE_OK;
    case_begin("start, Re 550", "penalised");
    liquid_set(&run, "cells=%d", options->quick ? 10 : 64);
    liquid_set(&run, "steps=%d", options->quick ? 20 : 800);
    liquid_set(&run, "re=550");
    liquid_set(&run, "kick=0");
    mote_Status status = liquid_open(&run, "start", cylinder_text, error);
    if (status == MOTE_OK) status = liquid_advance(&run, 2.5, error);
    if (status == MOTE_OK) {
        const Record *load = liquid_record(&run, "load");
        case_end(&run);
        for (int k = 0; k < STARTS; ++k) {
            Finding f = finding_make("start, Re 550", "penalised", quantities[k], 0.1);
            f.measured = 2 * record_at(load, 0, start_way[k] / 2), f.reference = start_drag[k];
            f.off = fabs(f.measured / f.reference - 1);
            findings_add(findings, f);
        }
    }
    liquid_close(&run);
    return status;
}

/* ---- the street ---- */

/* From one rise of a column through zero to the next, the mean over the last part of a record, s.
 */
static double period_of(const Record *load, size_t column)
{
    double first = 0, last = 0;
    int rises = 0;
    for (size_t i = load->count / 2; i < load->count; ++i) {
        const double a = load->values[(i - 1) * load->columns + column];
        const double b = load->values[i * load->columns + column];
        if (!(a < 0 && b >= 0)) continue;
        last = load->times[i - 1] + (load->times[i] - load->times[i - 1]) * a / (a - b);
        if (rises++ == 0) first = last;
    }
    return rises > 1 ? (last - first) / (rises - 1) : (double)NAN;
}

static mote_Status run_street(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    LiquidRun run = {.options = options};
    if (!case_wanted(options, "karman-street", "penalised")) return MOTE_OK;
    case_begin("karman-street", "penalised");
    if (options->quick) liquid_set(&run, "cells=%d", 8);
    mote_Status status = liquid_open(&run, "karman-street", cylinder_text, error);
    if (status == MOTE_OK) status = liquid_advance(&run, options->quick ? 1 : 60, error);
    if (status == MOTE_OK) {
        const Record *load = liquid_record(&run, "load");
        Finding f = finding_make("karman-street", "penalised", "coefficient of drag", 0.1);
        case_end(&run);
        f.measured = 2 * record_mean(load, 0, load->count / 3), f.reference = 1.35;
        f.off = fabs(f.measured / f.reference - 1);
        findings_add(findings, f);
        f = finding_make("karman-street", "penalised", "Strouhal's number", 0.1);
        f.measured = 1 / period_of(load, 1), f.reference = 0.165;
        f.off = fabs(f.measured / f.reference - 1);
        findings_add(findings, f);
        status = plot_load(options, "karman-street", "A cylinder at Re = 100", load, 1, error);
    }
    liquid_close(&run);
    return status;
}

mote_Status penalised_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    mote_Status status = run_street(options, findings, error);
    for (size_t k = 0; k < sizeof drag_cases / sizeof drag_cases[0] && status == MOTE_OK; ++k)
        status = run_drag(options, &drag_cases[k], findings, error);
    if (status == MOTE_OK) status = run_turning(options, findings, error);
    return status == MOTE_OK ? run_start(options, findings, error) : status;
}
