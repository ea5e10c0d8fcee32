/* Decaying turbulence: a ball of large random eddies that break up into smaller ones. Energy falls
 * all the time, at first hardly, then as eddies reach the size of cores; and its spectrum fills up
 * to a range that falls as k^-5/3 (Kolmogorov 1941). */
#include "study/turbulence.h"

#include "study/files.h"

#include "base/memory.h"
#include "base/random.h"
#include "fft/fft.h"
#include "solvers/vortex/induce.h"
#include "solvers/vortex/m4.h"
#include "solvers/vortex/vortons.h"

#include <mote/vortex.h>
#include <mote/world.h>

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { MODES = 24, SPECTRA = 4, MOST_TIMES = 64, SHELLS = 64, GAUSSIAN = 2 };

/* `side` vortons along the diameter of 2 m. */
static const char turbulence_text[] =
    "{ mote: 1, params: { side: 40, viscosity: 2e-4 },\n"
    "  world: { fps: 50, max_step: 1, gravity: [0, 0, 0], seed: 3 },\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', core: 'gaussian',\n"
    "    evaluation: 'vortons', induction: 'fourier', resolution: 0.01, stretching: 'mixed',\n"
    "    viscosity: '=viscosity', diffusion: 'spreading', born_volume: '=(2/side)^3',\n"
    "    stretch_limit: 4, remesh: 4, remesh_spacing: '=2/side',\n"
    "    remesh_overlap: 1, remesh_cut: 1e-3 } } ] }\n";

typedef struct Mode {
    double k[3], a[3], phase;
} Mode;

typedef struct Turbulence {
    LiquidRun run;
    Mode modes[MODES];
    Memory memory;
    Arena arena;
    double times[MOST_TIMES], energy[MOST_TIMES], enstrophy[MOST_TIMES];
    size_t count;
    double k[SHELLS], spectrum[SPECTRA][SHELLS];
    size_t most; /* vortons */
} Turbulence;

/* ---- the start ---- */

/* Waves of a metre to half a metre, in all directions. */
static void draw_modes(Mode modes[MODES])
{
    RandomKey key = random_key(11, "turbulence");
    for (uint64_t m = 0; m < MODES; ++m) {
        const Random4 one = random_draw(key, m, 0, 0), two = random_draw(key, m, 1, 0);
        double size = 0;
        for (int c = 0; c < 3; ++c) modes[m].k[c] = (double)random_signed(one.word[c]);
        for (int c = 0; c < 3; ++c) size += modes[m].k[c] * modes[m].k[c];
        for (int c = 0; c < 3; ++c) {
            modes[m].k[c] *= 2 * pi * (1 + (double)random_unit(two.word[3])) / sqrt(size);
            modes[m].a[c] = (double)random_signed(two.word[c]);
        }
        modes[m].phase = 2 * pi * (double)random_unit(one.word[3]);
    }
}

/* A vector potential that ends smoothly at 1 m. */
static double potential(const Mode modes[MODES], const double x[3], int c)
{
    const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    double sum = 0;
    if (r2 >= 1) return 0;
    for (int m = 0; m < MODES; ++m)
        sum += modes[m].a[c] *
               sin(modes[m].k[0] * x[0] + modes[m].k[1] * x[1] + modes[m].k[2] * x[2] +
                   modes[m].phase) /
               (modes[m].k[0] * modes[m].k[0] + modes[m].k[1] * modes[m].k[1] +
                modes[m].k[2] * modes[m].k[2]);
    return sum * (1 - r2) * (1 - r2) * (1 - r2);
}

/* Vorticity is - the Laplacian of a potential, less what of it has a divergence: the curl of a
 * curl, by differences. */
static void vorticity(const Mode modes[MODES], const double x[3], double w[3])
{
    const double d = 1e-3;
    double second[3][3][3]; /* d2 A_c / dx_l dx_m */
    for (int c = 0; c < 3; ++c)
        for (int l = 0; l < 3; ++l)
            for (int m = 0; m < 3; ++m) {
                double sum = 0;
                for (int s = 0; s < 4; ++s) {
                    double at[3] = {x[0], x[1], x[2]};
                    at[l] += s & 1 ? d : -d, at[m] += s & 2 ? d : -d;
                    sum += ((s & 1) != (s >> 1 & 1) ? -1 : 1) * potential(modes, at, c);
                }
                second[c][l][m] = sum / (4 * d * d);
            }
    for (int c = 0; c < 3; ++c) {
        w[c] = 0;
        for (int l = 0; l < 3; ++l) w[c] += second[l][l][c] - second[c][l][l];
    }
}

static VortonRows rows_of(const Turbulence *t)
{
    const mote_System *system = mote_world_system(t->run.world, "vortons");
    VortonRows rows = {.count = system->count};
    for (int c = 0; c < 3; ++c) {
        rows.x[c] = column_real(mote_system_column(system, "position"), c);
        rows.v[c] = column_real(mote_system_column(system, "velocity"), c);
        rows.strength[c] = column_real(mote_system_column(system, "strength"), c);
    }
    rows.radius = column_real(mote_system_column(system, "radius"), 0);
    rows.volume = column_real(mote_system_column(system, "volume"), 0);
    return rows;
}

/* Vortons on a lattice in the ball, with the vorticity there. */
static mote_Status fill_ball(Turbulence *t, int side, mote_Error *error)
{
    mote_System *system = mote_world_system(t->run.world, "vortons");
    const double h = 2.0 / side;
    for (int i = 0; i < side * side * side; ++i) {
        const double x[3] = {h * (i % side - side / 2), h * (i / side % side - side / 2),
                             h * (i / side / side - side / 2)};
        double w[3];
        size_t row;
        if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] > 1) continue;
        mote_Status status = mote_system_add_rows(system, 1, &row, error);
        if (status != MOTE_OK) return status;
        const VortonRows rows = rows_of(t);
        vorticity(t->modes, x, w);
        for (int c = 0; c < 3; ++c) {
            rows.x[c][row] = (mote_real)x[c];
            rows.strength[c][row] = (mote_real)(w[c] * h * h * h);
        }
        rows.radius[row] = (mote_real)h;
    }
    mote_system_edited(system);
    return MOTE_OK;
}

/* ---- what is measured ---- */

/* 1/2 sum alpha . A, the potential on a mesh. */
static bool note_energy(Turbulence *t, double time)
{
    const VortonRows rows = rows_of(t);
    arena_reset(&t->arena);
    mote_real *planes = arena_take(&t->arena, 4 * rows.count * sizeof *planes);
    InduceRequest r = {.core = core_row(isa_pick(), GAUSSIAN),
                       .quantity = QUANTITY_POTENTIAL,
                       .sources = {.count = rows.count},
                       .count = rows.count,
                       .tree = tree_def(),
                       .tasks = t->run.tasks,
                       .arena = &t->arena};
    double energy = 0, enstrophy = 0;
    if (planes == NULL || t->count == MOST_TIMES) return false;
    for (int c = 0; c < 3; ++c) {
        r.x[c] = r.sources.plane[SOURCE_X + c] = rows.x[c];
        r.sources.plane[SOURCE_ALPHA + c] = rows.strength[c];
        r.out[c] = planes + (size_t)c * rows.count;
    }
    r.sources.plane[SOURCE_CORE2] = planes + 3 * rows.count;
    for (size_t i = 0; i < rows.count; ++i)
        planes[3 * rows.count + i] = rows.radius[i] * rows.radius[i];
    if (!induce_fourier.induce(&r)) return false;
    for (size_t i = 0; i < rows.count; ++i)
        for (int c = 0; c < 3; ++c) {
            const double a = (double)rows.strength[c][i];
            energy += 0.5 * a * (double)r.out[c][i];
            enstrophy += a * a / (double)rows.volume[i];
        }
    t->times[t->count] = time, t->energy[t->count] = energy;
    t->enstrophy[t->count++] = enstrophy;
    t->most = rows.count > t->most ? rows.count : t->most;
    return true;
}

/* Strengths of one component on a mesh over a box of 4 m. */
static void put_on_mesh(const VortonRows *rows, int component, size_t n, float *mesh)
{
    for (size_t i = 0; i < rows->count; ++i) {
        double w[3][M4_NODES];
        ptrdiff_t at[3];
        for (int c = 0; c < 3; ++c)
            at[c] = m4_weights(((double)rows->x[c][i] + 2) / 4 * (double)n, w[c]);
        for (int a = 0; a < M4_NODES * M4_NODES * M4_NODES; ++a) {
            const int j[3] = {a / 16, a / 4 % 4, a % 4};
            size_t node = 0;
            for (int c = 0; c < 3; ++c)
                node = node * n + ((size_t)(at[c] + j[c] + (ptrdiff_t)n) % n);
            mesh[node] += (float)(w[0][j[0]] * w[1][j[1]] * w[2][j[2]] *
                                  (double)rows->strength[component][i]);
        }
    }
}

static double wave_of(size_t n, size_t i)
{
    return 2 * pi / 4 * (i <= n / 2 ? (double)i : (double)i - (double)n);
}

/* Adds E(k) = 1/2 |omega(k)|^2 / k^2 of one component to the shells, of width 2 pi / 4 m. */
static void add_shells(const float *re, const float *im, size_t n, double core, double *spectrum)
{
    for (size_t i = 0; i < n * n * n; ++i) {
        const double k[3] = {wave_of(n, i / n / n), wave_of(n, i / n % n), wave_of(n, i % n)};
        const double k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2], dk = 2 * pi / 4;
        const size_t shell = (size_t)(sqrt(k2) / dk + 0.5);
        if (shell == 0 || shell >= SHELLS) continue;
        const double power = (double)re[i] * (double)re[i] + (double)im[i] * (double)im[i];
        spectrum[shell] += 0.5 * power * exp(-k2 * core * core) / k2 / (4 * 4 * 4) / dk;
    }
}

static mote_Status note_spectrum(Turbulence *t, int number, mote_Error *error)
{
    const VortonRows rows = rows_of(t);
    const size_t n = 2 * SHELLS, bytes = n * n * n * sizeof(float);
    const FftShape shape = {.axes = 3, .length = {n, n, n}};
    Fft *fft;
    arena_reset(&t->arena);
    float *re = arena_take(&t->arena, bytes), *im = arena_take(&t->arena, bytes);
    if (re == NULL || im == NULL) {
        snprintf(error->message, sizeof error->message, "turbulence: out of memory");
        return error->status = MOTE_NO_MEMORY;
    }
    mote_Status status = fft_open(&shape, &t->memory, t->run.tasks, isa_pick(), &fft, error);
    if (status != MOTE_OK) return status;
    for (int c = 0; c < 3; ++c) {
        memset(re, 0, bytes), memset(im, 0, bytes);
        put_on_mesh(&rows, c, n, re);
        fft_forward(fft, re, im);
        add_shells(re, im, n, (double)rows.radius[0], t->spectrum[number]);
    }
    fft_close(fft);
    return MOTE_OK;
}

/* ---- what is found ---- */

/* The slope of the spectrum between two wave numbers, by least squares of logarithms. */
static double slope_between(const Turbulence *t, const double *spectrum, double low, double high)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 1; k < SHELLS; ++k) {
        if (t->k[k] < low || t->k[k] > high || !(spectrum[k] > 0)) continue;
        const double x = log(t->k[k]), y = log(spectrum[k]);
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void add_findings(const Turbulence *t, Findings *findings)
{
    Finding f = finding_make("turbulence", "remeshed", "rises of energy, largest", 1e-3);
    for (size_t i = 1; i < t->count; ++i)
        f.measured = fmax(f.measured, (t->energy[i] - t->energy[i - 1]) / t->energy[0]);
    f.off = f.measured;
    findings_add(findings, f);
    f = finding_make("turbulence", "remeshed", "slope of E(k), 12 to 30 1/m, at the end", 0.25);
    f.measured = slope_between(t, t->spectrum[SPECTRA - 1], 12, 30), f.reference = -5.0 / 3;
    f.off = fabs(f.measured / f.reference - 1);
    findings_add(findings, f);
    f = finding_make("turbulence", "remeshed", "energy left at the end", 1);
    f.measured = t->energy[t->count - 1] / t->energy[0];
    findings_add(findings, f);
    f = finding_make("turbulence", "remeshed", "vortons, at most", 1);
    f.measured = (double)t->most;
    findings_add(findings, f);
}

static mote_Status plot(const StudyOptions *options, const Turbulence *t, double end,
                        mote_Error *error)
{
    static char names[SPECTRA][32];
    double guide[SHELLS], energy[MOST_TIMES], enstrophy[MOST_TIMES];
    PlotSeries series[SPECTRA + 1], fall[2];
    for (int k = 1; k < SHELLS; ++k)
        guide[k] = 3 * t->spectrum[SPECTRA - 1][8] * pow(t->k[k] / t->k[8], -5.0 / 3);
    for (int n = 0; n < SPECTRA; ++n) {
        snprintf(names[n], sizeof names[n], "%.2g s", end * n / (SPECTRA - 1));
        series[n] = (PlotSeries){
            .name = names[n], .x = t->k + 1, .y = t->spectrum[n] + 1, .count = SHELLS - 1};
    }
    series[SPECTRA] = (PlotSeries){
        .name = "k^-5/3", .x = t->k + 6, .y = guide + 6, .count = 24, .style = PLOT_DASHED};
    Plot figure = {.title = "Turbulence that decays: energy by wave number",
                   .x = {.label = "k (1/m)", .scale = PLOT_LOG},
                   .y = {.label = "E(k) (m^6/s^2)", .scale = PLOT_LOG},
                   .series = series,
                   .series_count = SPECTRA + 1};
    mote_Status status = study_plot(options, "turbulence-spectra", &figure, error);
    for (size_t i = 0; i < t->count; ++i) {
        energy[i] = t->energy[i] / t->energy[0];
        enstrophy[i] = t->enstrophy[i] / t->enstrophy[0];
    }
    fall[0] = (PlotSeries){.name = "energy", .x = t->times, .y = energy, .count = t->count};
    fall[1] = (PlotSeries){.name = "enstrophy", .x = t->times, .y = enstrophy, .count = t->count};
    Plot decay = {.title = "Turbulence that decays, over its start",
                  .x = {.label = "time (s)"},
                  .y = {.label = "share"},
                  .series = fall,
                  .series_count = 2};
    return status == MOTE_OK ? study_plot(options, "turbulence-decay", &decay, error) : status;
}

static mote_Status run_all(Turbulence *t, double end, mote_Error *error)
{
    const int samples = 30;
    mote_Status status = MOTE_OK;
    for (int n = 0; n <= samples && status == MOTE_OK; ++n) {
        status = liquid_advance(&t->run, end * n / samples, error);
        if (status != MOTE_OK) return status;
        if (!note_energy(t, end * n / samples)) return MOTE_NO_MEMORY;
        if (n % (samples / (SPECTRA - 1)) == 0)
            status = note_spectrum(t, n / (samples / (SPECTRA - 1)), error);
    }
    return status;
}

mote_Status turbulence_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    static Turbulence t;
    const double end = options->quick ? 0.3 : 3;
    if (!case_wanted(options, "turbulence", "remeshed")) return MOTE_OK;
    t = (Turbulence){.run = {.options = options}};
    t.memory = memory_make(mote_default_allocator());
    t.arena = arena_make(&t.memory);
    for (int k = 0; k < SHELLS; ++k) t.k[k] = 2 * pi / 4 * k;
    draw_modes(t.modes);
    case_begin("turbulence", "remeshed");
    int side = options->quick ? 20 : 40;
    for (size_t i = 0; i < options->setting_count; ++i)
        sscanf(options->settings[i], "side=%d", &side);
    liquid_set(&t.run, "side=%d", side);
    mote_Status status = liquid_open(&t.run, "turbulence", turbulence_text, error);
    if (status == MOTE_OK) status = fill_ball(&t, side, error);
    if (status == MOTE_OK) status = run_all(&t, end, error);
    if (status == MOTE_OK) {
        case_end(&t.run);
        add_findings(&t, findings);
    }
    liquid_close(&t.run);
    arena_free(&t.arena);
    if (status != MOTE_OK || options->folder == NULL) return status;
    return plot(options, &t, end, error);
}
