/* Flows without obstacles, in two dimensions: a Taylor-Green vortex that decays, a standing wave,
 * a square patch that turns, and momentum where nothing pushes. */
#include "study/cases.h"

#include "base/math.h"
#include "study/files.h"
#include "study/wave.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- what the flows share ---- */

enum { COLUMN_X = 2, COLUMN_PX = 5, COLUMN_KINETIC = 8 };

/* Slope of the straight line through (x, log y). */
static double log_slope(const double *x, const double *y, size_t count)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, n = (double)count;
    for (size_t i = 0; i < count; ++i) {
        double l = math_log(y[i]);
        sx += x[i], sy += l, sxx += x[i] * x[i], sxy += x[i] * l;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void take_series(const LiquidRun *run, const char *probe, size_t column, Series *series)
{
    const Record *record = liquid_record(run, probe);
    series->count = record->count < 2048 ? record->count : 2048;
    for (size_t i = 0; i < series->count; ++i) {
        series->t[i] = record->times[i];
        series->v[i] = record->values[i * record->columns + column];
    }
}

/* ---- Taylor-Green ---- */

static const char vortex_text[] =
    "{ mote: 1, params: { spacing: 0.02 },\n"
    "  world: { dimension: 2, fps: 50, max_step: 0.005, gravity: [0, 0],\n"
    "    periodic_x: true, periodic_y: true, box_min: [0, 0], box_max: [1, 1] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing', viscosity: 0.01,\n"
    "    artificial: 0, sound: 10, clamp: false, background: 1e5, divergence: 'linear',\n"
    "    support: 3, kernel: 'wendland-c2' } } ],\n"
    "  probes: [ { name: 'all', type: 'total', system: 'water' } ] }\n";

static void vortex_velocity(const double x[3], double v[3])
{
    v[0] = -math_cos(2 * pi * x[0]) * math_sin(2 * pi * x[1]);
    v[1] = math_sin(2 * pi * x[0]) * math_cos(2 * pi * x[1]);
    v[2] = 0;
}

static mote_Status run_vortex(const StudyOptions *options, const char *pressure, Series *energy,
                              Findings *findings, mote_Error *error)
{
    LiquidRun run = {.options = options};
    if (!case_wanted(options, "taylor-green", pressure)) return MOTE_OK;
    int n = options->quick ? 25 : 50;
    LiquidBlock block = {
        .spacing = 1.0 / n, .density = 1000, .count = {n, n, 0}, .velocity = vortex_velocity};
    /* a flow that stretches needs either against clumps */
    if (!pressure_has(pressure, "background"))
        liquid_set(&run, "systems.water.solver.shifting=0.2");
    mote_Status status = case_open(&run, "taylor-green", vortex_text, &block, pressure, error);
    if (status == MOTE_OK) status = liquid_advance(&run, 1, error);
    if (status == MOTE_OK) {
        take_series(&run, "all", COLUMN_KINETIC, energy);
        double first = 0.25 * 1000, rate = 16 * pi * pi / 100; /* J, 1/s */
        Finding f = finding_make("taylor-green", pressure, "decay of the energy (1/s)", 0.05);
        f.measured = -log_slope(energy->t, energy->v, energy->count), f.reference = rate;
        f.off = fabs(f.measured / rate - 1);
        findings_add(findings, f);
        f = finding_make("taylor-green", pressure, "energy at 1 s (J), of that at 0 s", 0.05);
        f.measured = energy->v[energy->count - 1], f.reference = first * math_exp(-rate);
        f.off = fabs(f.measured - f.reference) / first;
        findings_add(findings, f);
        case_end(&run);
    }
    liquid_close(&run);
    return status;
}

/* ---- a standing wave ---- */

typedef struct Peaks {
    double t[32], v[32];
    int count;
} Peaks;

/* Maxima, each the largest within `reach` s on both sides, by a parabola through three samples. */
static Peaks find_peaks(const Series *series, double reach)
{
    Peaks peaks = {.count = 0};
    const double *t = series->t, *v = series->v;
    for (size_t i = 1; i + 1 < series->count && peaks.count < 32; ++i) {
        bool most = v[i] > 0;
        for (size_t j = 0; j < series->count && most; ++j)
            if (fabs(t[j] - t[i]) < reach && v[j] > v[i]) most = false;
        if (!most || t[i] < reach / 2 || t[i] > t[series->count - 1] - reach / 2) continue;
        double left = v[i - 1], right = v[i + 1], bend = left - 2 * v[i] + right;
        double shift = bend < 0 ? 0.5 * (left - right) / bend : 0;
        peaks.t[peaks.count] = t[i] + shift * (t[i + 1] - t[i]);
        peaks.v[peaks.count++] = v[i];
    }
    return peaks;
}

static void wave_findings(const Series *energy, const char *pressure, Findings *findings)
{
    const double complex rate = wave_rate();
    double omega = cimag(rate);
    Peaks peaks = find_peaks(energy, 0.2);
    Finding f = finding_make("standing-wave", pressure, "frequency (rad/s)", 0.02);
    f.measured = pi * (peaks.count - 1) / (peaks.t[peaks.count - 1] - peaks.t[0]);
    f.reference = omega, f.off = fabs(f.measured / omega - 1);
    findings_add(findings, f);
    f = finding_make("standing-wave", pressure, "decay of the energy (1/s)", 0.1);
    f.measured = -log_slope(peaks.t, peaks.v, (size_t)peaks.count);
    f.reference = -2 * creal(rate), f.off = fabs(f.measured / f.reference - 1);
    findings_add(findings, f);
}

static mote_Status run_wave(const StudyOptions *options, const char *pressure, Series *energy,
                            Findings *findings, mote_Error *error)
{
    if (!case_wanted(options, "standing-wave", pressure)) return MOTE_OK;
    mote_Status status = wave_run(options, pressure, options->quick ? 25 : 60, energy, error);
    if (status == MOTE_OK) wave_findings(energy, pressure, findings);
    return status;
}

/* ---- a square patch that turns ---- */

static const char patch_text[] =
    "{ mote: 1, params: { spacing: 0.02 },\n"
    "  world: { dimension: 2, fps: 100, max_step: 0.005, gravity: [0, 0] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing', viscosity: 0,\n"
    "    viscosity_model: 'none', support: 3, kernel: 'wendland-c2', density: 'continuity',\n"
    "    divergence: 'linear', clamp: false, shifting: 0.5 } } ],\n"
    "  probes: [ { name: 'all', type: 'total', system: 'water' } ] }\n";

enum { TURN = 5 }; /* rad/s */

static void patch_velocity(const double x[3], double v[3])
{
    v[0] = TURN * x[1], v[1] = -TURN * x[0], v[2] = 0;
}

typedef struct PatchState {
    double angular;  /* per kg */
    double farthest; /* m from the middle: the corners */
    double nearest;  /* m: smallest distance of two particles */
} PatchState;

static PatchState measure_patch(const LiquidRun *run)
{
    size_t n;
    const mote_real *x = liquid_plane(run, "water", "position", 0, &n),
                    *y = liquid_plane(run, "water", "position", 1, &n),
                    *u = liquid_plane(run, "water", "velocity", 0, &n),
                    *v = liquid_plane(run, "water", "velocity", 1, &n);
    PatchState s = {.nearest = HUGE_VAL};
    for (size_t i = 0; i < n; ++i) {
        double a = (double)x[i], b = (double)y[i], r = sqrt(a * a + b * b);
        s.angular += (a * (double)v[i] - b * (double)u[i]) / (double)n;
        if (r > s.farthest) s.farthest = r;
        for (size_t j = 0; j < i; ++j) {
            double dx = a - (double)x[j], dy = b - (double)y[j], d = sqrt(dx * dx + dy * dy);
            if (d < s.nearest) s.nearest = d;
        }
    }
    return s;
}

/* One radian: the corners have drawn out. Pressure below zero holds the patch together, shifting
 * keeps particles from pairing along the arms. */
static mote_Status run_patch(const StudyOptions *options, const char *pressure, Findings *findings,
                             mote_Error *error)
{
    LiquidRun run = {.options = options};
    if (!case_wanted(options, "square-patch", pressure)) return MOTE_OK;
    int n = options->quick ? 20 : 50;
    LiquidBlock block = {.spacing = 1.0 / n,
                         .low = {-0.5, -0.5, 0},
                         .density = 1000,
                         .count = {n, n, 0},
                         .velocity = patch_velocity};
    mote_Status status = case_open(&run, "square-patch", patch_text, &block, pressure, error);
    if (status == MOTE_OK) {
        PatchState first = measure_patch(&run);
        status = liquid_advance(&run, 1.0 / TURN, error);
        PatchState last = measure_patch(&run);
        Finding f = finding_make("square-patch", pressure, "angular momentum (m^2/s per kg)", 0.01);
        f.measured = last.angular, f.reference = first.angular;
        f.off = fabs(last.angular / first.angular - 1);
        findings_add(findings, f);
        f = finding_make("square-patch", pressure, "nearest pair, below 0.4 d", 0);
        f.measured = last.nearest, f.reference = block.spacing;
        f.off = fmax(0, 0.4 - last.nearest / block.spacing);
        findings_add(findings, f);
        f = finding_make("square-patch", pressure, "corners (m), no nearer than at first", 0.02);
        f.measured = last.farthest, f.reference = first.farthest;
        f.off = fmax(0, 1 - last.farthest / first.farthest);
        findings_add(findings, f);
        if (status == MOTE_OK) case_end(&run);
    }
    liquid_close(&run);
    return status;
}

/* ---- momentum ---- */

static const char drop_text[] =
    "{ mote: 1, params: { spacing: 0.05 },\n"
    "  world: { fps: 100, max_step: 0.005, gravity: [0, 0, 0] },\n"
    "  systems: [ { name: 'water', solver: { type: 'sph', spacing: '=spacing' } } ],\n"
    "  probes: [ { name: 'all', type: 'total', system: 'water' } ] }\n";

/* Two halves of a block fly against each other, past the middle. */
static void clash_velocity(const double x[3], double v[3])
{
    v[0] = x[0] < 0 ? 2 : -1, v[1] = x[0] < 0 ? 0.5 : -0.3, v[2] = 0.25 * x[1];
}

static void add_spin(const LiquidRun *run, double spin[3], double *scale)
{
    size_t n;
    const mote_real *x[3], *v[3];
    for (int c = 0; c < 3; ++c) {
        x[c] = liquid_plane(run, "water", "position", c, &n);
        v[c] = liquid_plane(run, "water", "velocity", c, &n);
        spin[c] = 0;
    }
    *scale = 0;
    for (size_t i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) {
            int a = (c + 1) % 3, b = (c + 2) % 3;
            double term = (double)x[a][i] * (double)v[b][i],
                   other = (double)x[b][i] * (double)v[a][i];
            spin[c] += term - other;
            *scale += fabs(term) + fabs(other);
        }
}

static mote_Status run_clash(const StudyOptions *options, const char *pressure, Findings *findings,
                             mote_Error *error)
{
    LiquidRun run = {.options = options};
    if (!case_wanted(options, "momentum", pressure)) return MOTE_OK;
    LiquidBlock block = {.spacing = 0.05,
                         .low = {-0.5, -0.25, -0.25},
                         .density = 1000,
                         .count = {20, 10, 10},
                         .velocity = clash_velocity};
    mote_Status status = case_open(&run, "momentum", drop_text, &block, pressure, error);
    double before[3], after[3], scale = 1, off = 0, turned = 0;
    if (status == MOTE_OK) add_spin(&run, before, &scale);
    if (status == MOTE_OK) status = liquid_advance(&run, 0.3, error);
    if (status == MOTE_OK) {
        const Record *record = liquid_record(&run, "all");
        double mass = record_last(record, 1);
        const double right[3] = {0.5, 0.1, 0}; /* m/s, means of the two halves */
        for (int c = 0; c < 3; ++c)
            off = fmax(off, fabs(record_last(record, COLUMN_PX + (size_t)c) / mass - right[c]));
        add_spin(&run, after, &scale);
        for (int c = 0; c < 3; ++c) turned = fmax(turned, fabs(after[c] - before[c]) / scale);
        Finding f = finding_make("momentum", pressure, "linear (m/s), of 2 m/s", 1e-6);
        f.measured = off, f.off = off / 2;
        findings_add(findings, f);
        f = finding_make("momentum", pressure, "angular, of the sum of |x v|", 1e-6);
        f.measured = f.off = turned;
        findings_add(findings, f);
        case_end(&run);
    }
    liquid_close(&run);
    return status;
}

/* ---- plots and cases ---- */

static mote_Status plot_energies(const StudyOptions *options, const char *file, const char *title,
                                 Series *series, size_t count, mote_Error *error)
{
    PlotSeries lines[MOST_PRESSURES + 1];
    static Series exact;
    bool wave = strcmp(file, "standing-wave") == 0;
    exact.count = series[0].count;
    for (size_t i = 0; i < exact.count; ++i) {
        double t = series[0].t[i];
        exact.t[i] = t;
        exact.v[i] = wave ? wave_exact(t) : math_exp(-0.16 * pi * pi * t);
    }
    for (size_t s = 0; s < count; ++s) {
        double first = wave ? 1 : 250;
        for (size_t i = 0; i < series[s].count; ++i) series[s].v[i] /= first;
        lines[s] = (PlotSeries){
            .name = case_pressure(s), .x = series[s].t, .y = series[s].v, .count = series[s].count};
    }
    lines[count] = series_exact(&exact);
    Plot figure = {.title = title,
                   .x = {.label = "time (s)"},
                   .y = {.label = "kinetic energy, of the first"},
                   .series = lines,
                   .series_count = count + 1};
    return study_plot(options, file, &figure, error);
}

mote_Status flow_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    static Series vortex[MOST_PRESSURES], wave[MOST_PRESSURES];
    mote_Status status = MOTE_OK;
    size_t count = 0;
    for (; case_pressure(count) != NULL && status == MOTE_OK; ++count) {
        const char *pressure = case_pressure(count);
        status = run_vortex(options, pressure, &vortex[count], findings, error);
        if (status == MOTE_OK) status = run_wave(options, pressure, &wave[count], findings, error);
        if (status == MOTE_OK) status = run_patch(options, pressure, findings, error);
        if (status == MOTE_OK) status = run_clash(options, pressure, findings, error);
    }
    if (status != MOTE_OK || options->folder == NULL || options->only != NULL) return status;
    status = plot_energies(options, "taylor-green", "A Taylor-Green vortex at Re = 100", vortex,
                           count, error);
    if (status != MOTE_OK) return status;
    return plot_energies(options, "standing-wave", "A standing wave, nu = 0.005 m^2/s", wave, count,
                         error);
}

mote_Status study_flows(const StudyOptions *options, mote_Error *error)
{
    printf("Flows without obstacles: decay, waves, rotation, momentum.\n\n");
    return cases_study(flow_cases, "flows", options, error);
}
