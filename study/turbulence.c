/* Decaying turbulence: a ball of large random eddies that break up into smaller ones, on meshes
 * with vortons that carry the vorticity. While viscosity takes all of it, energy and spectrum are
 * beside those of a pseudo-spectral method; with next to none, energy falls all the time and its
 * spectrum fills up to a range that falls as k^-5/3 (Kolmogorov 1941). */
#include "study/turbulence.h"

#include "study/eddies.h"
#include "study/files.h"
#include "study/periodic.h"

#include "base/memory.h"
#include "solvers/vortex/m4.h"
#include "solvers/vortex/vortons.h"

#include <mote/world.h>

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { SPECTRA = 5, SAMPLES = 16, MOST_SAMPLES = SAMPLES + 1 };

/* What a mesh still resolves: with a third of it small eddies have nowhere to go, and pile up. */
#define VISCOSITY 0.46 /* m^2/s, over the square of `side` */

/* `side` vortons along the ball's diameter of 2 m, that fill it. Sub-steps are of a third of a
 * cell's way: in four times that stretching blows up. */
static const char turbulence_text[] =
    "{ mote: 1, params: { side: 40, viscosity: '=0.46/side^2', end: 8, steps: '=side/2' },\n"
    "  world: { duration: '=end', fps: '=steps', max_step: 1, gravity: [0, 0, 0] },\n"
    "  systems: [ { name: 'vortons', solver: { type: 'vortex', boundary: 'penalised',\n"
    "    viscosity: '=viscosity', remesh_spacing: '=2/side', remesh_overlap: 0.5,\n"
    "    core: 'gaussian', remesh_cut: 1e-3, shed_lifetime: 0, resolution: 0.01 } } ] }\n";

typedef struct Turbulence {
    LiquidRun run;
    Eddies eddies;
    Periodic mesh;
    Spectrum spectra[MOST_SAMPLES];
    double times[MOST_SAMPLES], h, viscosity, end;
    size_t count, most; /* samples; vortons */
} Turbulence;

/* ---- the start ---- */

static VortonRows rows_of(const Turbulence *t)
{
    const mote_System *system = mote_world_system(t->run.world, "vortons");
    VortonRows rows = {.count = system->count};
    for (int c = 0; c < 3; ++c) {
        rows.x[c] = column_real(mote_system_column(system, "position"), c);
        rows.strength[c] = column_real(mote_system_column(system, "strength"), c);
    }
    rows.radius = column_real(mote_system_column(system, "radius"), 0);
    return rows;
}

/* A node of the lattice of the ball; false: it is outside. */
static bool ball_place(int side, int i, double x[3])
{
    const int at[3] = {i % side, i / side % side, i / side / side};
    for (int c = 0; c < 3; ++c) x[c] = 2.0 / side * (at[c] - side / 2);
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < 1;
}

/* Vortons on a lattice in the ball, with the vorticity there. */
static mote_Status fill_ball(Turbulence *t, int side, mote_Error *error)
{
    mote_System *system = mote_world_system(t->run.world, "vortons");
    double x[3], w[3];
    size_t row, count = 0;
    for (int i = 0; i < side * side * side; ++i) count += ball_place(side, i, x);
    mote_Status status = mote_system_add_rows(system, count, &row, error);
    if (status != MOTE_OK) return status;
    const VortonRows rows = rows_of(t);
    for (int i = 0; i < side * side * side; ++i) {
        if (!ball_place(side, i, x)) continue;
        eddies_vorticity(&t->eddies, x, w);
        for (int c = 0; c < 3; ++c) {
            rows.x[c][row] = (mote_real)x[c];
            rows.strength[c][row] = (mote_real)(w[c] * t->h * t->h * t->h);
        }
        rows.radius[row++] = (mote_real)(0.5 * t->h);
    }
    mote_system_edited(system);
    return MOTE_OK;
}

/* ---- what is measured ---- */

static void put_on_mesh(const VortonRows *rows, Periodic *mesh)
{
    const size_t n = mesh->n;
    for (size_t i = 0; i < rows->count; ++i) {
        double w[3][M4_NODES];
        ptrdiff_t at[3];
        for (int c = 0; c < 3; ++c)
            at[c] = m4_weights(((double)rows->x[c][i] / PERIODIC_BOX + 0.5) * (double)n, w[c]);
        for (int a = 0; a < M4_NODES * M4_NODES * M4_NODES; ++a) {
            const int j[3] = {a / 16, a / 4 % 4, a % 4};
            const double share = w[0][j[0]] * w[1][j[1]] * w[2][j[2]];
            size_t node = 0;
            for (int c = 0; c < 3; ++c)
                node = node * n + ((size_t)(at[c] + j[c] + (ptrdiff_t)n) % n);
            for (int c = 0; c < 3; ++c)
                mesh->strength[c].re[node] += (float)(share * (double)rows->strength[c][i]);
        }
    }
}

static void clear_mesh(Periodic *mesh)
{
    for (size_t i = 0; i < mesh->n * mesh->n * mesh->n; ++i)
        for (int c = 0; c < 3; ++c) mesh->strength[c].re[i] = mesh->strength[c].im[i] = 0;
}

static void note(Turbulence *t, double time)
{
    const VortonRows rows = rows_of(t);
    clear_mesh(&t->mesh);
    put_on_mesh(&rows, &t->mesh);
    periodic_transform(&t->mesh);
    periodic_measure(&t->mesh, 0, &t->spectra[t->count]);
    fprintf(stderr, "  %.3g s: energy %.5g m^5/s^2, squared vorticity %.5g m^3/s^2\n", time,
            t->spectra[t->count].energy, t->spectra[t->count].enstrophy);
    t->times[t->count++] = time;
    t->most = rows.count > t->most ? rows.count : t->most;
}

static mote_Status run_all(Turbulence *t, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (int n = 0; n <= SAMPLES && status == MOTE_OK; ++n) {
        status = liquid_advance(&t->run, t->end * n / SAMPLES, error);
        if (status == MOTE_OK) note(t, t->end * n / SAMPLES);
    }
    return status;
}

/* The last of a case's settings by this name; those of the command line come last. */
static double setting_of(const LiquidRun *run, const char *name, double value)
{
    char key[LIQUID_SETTING_SIZE];
    snprintf(key, sizeof key, "%s=%%lf", name);
    for (size_t i = 0; i < run->setting_count; ++i) sscanf(run->settings[i], key, &value);
    return value;
}

static mote_Status run_vortons(Turbulence *t, const char *name, mote_Error *error)
{
    case_begin(name, "mesh");
    mote_Status status = liquid_open(&t->run, name, turbulence_text, error);
    const int side = (int)setting_of(&t->run, "side", 40);
    t->viscosity = setting_of(&t->run, "viscosity", VISCOSITY / side / side);
    t->end = setting_of(&t->run, "end", 8), t->h = 2.0 / side;
    eddies_draw(&t->eddies);
    if (status == MOTE_OK) status = fill_ball(t, side, error);
    if (status == MOTE_OK)
        status =
            periodic_open(&t->mesh, fft_length_above(2 * (size_t)side), false, t->run.tasks, error);
    if (status == MOTE_OK) status = run_all(t, error);
    if (status == MOTE_OK) case_end(&t->run);
    return status;
}

static void close_all(Turbulence *t)
{
    periodic_close(&t->mesh);
    liquid_close(&t->run);
}

/* ---- what is found ---- */

/* The slope of the spectrum between two wave numbers, by least squares of logarithms. */
static double slope_between(const Spectrum *s, double low, double high)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t k = 1; k < s->shells; ++k) {
        if (s->k[k] < low || s->k[k] > high || !(s->density[k] > 0)) continue;
        const double x = log(s->k[k]), y = log(s->density[k]);
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/* What viscosity takes, dE/dt = - nu times the squared vorticity, over what went in all. */
static double viscous_share(const Turbulence *t)
{
    double taken = 0;
    for (size_t i = 1; i < t->count; ++i)
        taken += t->viscosity * (t->times[i] - t->times[i - 1]) / 2 *
                 (t->spectra[i].enstrophy + t->spectra[i - 1].enstrophy);
    return taken / (t->spectra[0].energy - t->spectra[t->count - 1].energy);
}

static void add_rises(const Turbulence *t, const char *name, Findings *findings)
{
    Finding f = finding_make(name, "mesh", "rises of energy, largest", 0);
    for (size_t i = 1; i < t->count; ++i)
        f.measured = fmax(f.measured, t->spectra[i].energy / t->spectra[i - 1].energy - 1);
    f.off = f.measured;
    findings_add(findings, f);
}

static void add_findings(const Turbulence *t, Findings *findings)
{
    const Spectrum *last = &t->spectra[t->count - 1];
    const double low = 10, high = 0.25 * pi / t->h; /* 1/m */
    Finding f = finding_make("turbulence", "mesh", "slope of E(k), at the end", 0.15);
    add_rises(t, "turbulence", findings);
    f.measured = slope_between(last, low, high), f.reference = -5.0 / 3;
    f.off = fabs(f.measured / f.reference - 1);
    if (high > 3 * low) findings_add(findings, f);
    f = finding_make("turbulence", "mesh", "energy left at the end", 1);
    f.measured = last->energy / t->spectra[0].energy;
    findings_add(findings, f);
    f = finding_make("turbulence", "mesh", "of what went, by viscosity", 1);
    f.measured = viscous_share(t);
    findings_add(findings, f);
    f = finding_make("turbulence", "mesh", "vortons, at most", 1);
    f.measured = (double)t->most;
    findings_add(findings, f);
}

static mote_Status plot_spectra(const StudyOptions *options, const Turbulence *t, mote_Error *error)
{
    static char names[SPECTRA][32];
    const Spectrum *last = &t->spectra[t->count - 1];
    const size_t first = 5, guided = last->shells / 2;
    double guide[PERIODIC_SHELLS];
    PlotSeries series[SPECTRA + 1];
    for (size_t k = 1; k < last->shells; ++k)
        guide[k] = 2 * last->density[first] * pow(last->k[k] / last->k[first], -5.0 / 3);
    for (int n = 0; n < SPECTRA; ++n) {
        const size_t i = (size_t)n * SAMPLES / (SPECTRA - 1);
        snprintf(names[n], sizeof names[n], "%.3g s", t->times[i]);
        series[n] = (PlotSeries){.name = names[n],
                                 .x = t->spectra[i].k + 1,
                                 .y = t->spectra[i].density + 1,
                                 .count = last->shells - 1};
    }
    series[SPECTRA] = (PlotSeries){.name = "k^-5/3",
                                   .x = last->k + first,
                                   .y = guide + first,
                                   .count = guided,
                                   .style = PLOT_DASHED};
    Plot figure = {.title = "Turbulence that decays: energy by wave number",
                   .x = {.label = "k (1/m)", .scale = PLOT_LOG},
                   .y = {.label = "E(k) (m^6/s^2)", .scale = PLOT_LOG, .min = 1e-8, .max = 1e-2},
                   .series = series,
                   .series_count = SPECTRA + 1};
    return study_plot(options, "turbulence-spectra", &figure, error);
}

static mote_Status plot_decay(const StudyOptions *options, const Turbulence *t, mote_Error *error)
{
    double energy[MOST_SAMPLES], enstrophy[MOST_SAMPLES];
    for (size_t i = 0; i < t->count; ++i) {
        energy[i] = t->spectra[i].energy / t->spectra[0].energy;
        enstrophy[i] = t->spectra[i].enstrophy / t->spectra[0].enstrophy;
    }
    PlotSeries series[] = {{.name = "energy", .x = t->times, .y = energy, .count = t->count},
                           {.name = "enstrophy", .x = t->times, .y = enstrophy, .count = t->count}};
    Plot figure = {.title = "Turbulence that decays, over its start",
                   .x = {.label = "time (s)"},
                   .y = {.label = "share"},
                   .series = series,
                   .series_count = 2};
    return study_plot(options, "turbulence-decay", &figure, error);
}

/* ---- cases ---- */

static mote_Status run_turbulence(const StudyOptions *options, Findings *findings,
                                  mote_Error *error)
{
    static Turbulence t;
    if (!case_wanted(options, "turbulence", "mesh")) return MOTE_OK;
    t = (Turbulence){.run = {.options = options}};
    if (options->quick) liquid_set(&t.run, "side=%d", 20);
    if (options->quick) liquid_set(&t.run, "end=%d", 2);
    mote_Status status = run_vortons(&t, "turbulence", error);
    if (status == MOTE_OK) add_findings(&t, findings);
    close_all(&t);
    if (status != MOTE_OK || options->folder == NULL) return status;
    status = plot_spectra(options, &t, error);
    return status == MOTE_OK ? plot_decay(options, &t, error) : status;
}

/* The same eddies in a periodic box: what is still outside of the ball at first stays nearly so. */
static mote_Status run_reference(const Turbulence *t, size_t n, Spectrum *spectrum,
                                 mote_Error *error)
{
    const double h = PERIODIC_BOX / (double)n;
    const int steps = (int)(t->end / 0.05 + 0.5);
    Periodic flow;
    mote_Status status = periodic_open(&flow, n, true, t->run.tasks, error);
    for (size_t at = 0; at < n * n * n && status == MOTE_OK; ++at) {
        const size_t i[3] = {at / n / n, at / n % n, at % n};
        double x[3], w[3];
        for (int c = 0; c < 3; ++c) x[c] = h * (double)i[c] - PERIODIC_BOX / 2;
        eddies_vorticity(&t->eddies, x, w);
        for (int c = 0; c < 3; ++c) flow.strength[c].re[at] = (float)(w[c] * h * h * h);
    }
    if (status == MOTE_OK) periodic_transform(&flow);
    for (int k = 0; k < steps && status == MOTE_OK; ++k)
        periodic_step(&flow, t->viscosity, t->end / steps);
    if (status == MOTE_OK) periodic_measure(&flow, 0, spectrum);
    periodic_close(&flow);
    return status;
}

static void add_beside(const char *quantity, double measured, double reference, double tolerance,
                       Findings *findings)
{
    Finding f = finding_make("eddies", "mesh", quantity, tolerance);
    f.measured = measured, f.reference = reference, f.off = fabs(measured / reference - 1);
    findings_add(findings, f);
}

static mote_Status run_eddies(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    static Turbulence t;
    static Spectrum exact;
    if (!case_wanted(options, "eddies", "mesh")) return MOTE_OK;
    t = (Turbulence){.run = {.options = options}};
    liquid_set(&t.run, "viscosity=5e-4");
    liquid_set(&t.run, "end=%d", options->quick ? 1 : 8);
    mote_Status status = run_vortons(&t, "eddies", error);
    if (status == MOTE_OK) status = run_reference(&t, options->quick ? 40 : 80, &exact, error);
    if (status == MOTE_OK) {
        const Spectrum *last = &t.spectra[t.count - 1];
        add_rises(&t, "eddies", findings);
        add_beside("energy (m^5/s^2)", last->energy, exact.energy, 0.05, findings);
        add_beside("squared vorticity (m^3/s^2)", last->enstrophy, exact.enstrophy, 0.1, findings);
        add_beside("of what went, by viscosity", viscous_share(&t), 1, 0.05, findings);
    }
    close_all(&t);
    return status;
}

mote_Status turbulence_cases(const StudyOptions *options, Findings *findings, mote_Error *error)
{
    mote_Status status = run_eddies(options, findings, error);
    return status == MOTE_OK ? run_turbulence(options, findings, error) : status;
}
