/* Diffusion of vorticity and heat between vortons.
 *
 * Particle-strength exchange (Degond and Mas-Gallic, Math. Comp. 53, 1989):
 *     d alpha_p / dt = (2 nu / e^2) sum over q of (V_p alpha_q - V_q alpha_p) eta_e(x_p - x_q)
 * with a Gaussian eta of width e, the core radius; a true viscosity of second order, and the sum of
 * strengths does not change. The exchange published for games swaps shares of vorticity between
 * vortons of the same and of face-adjacent cells at a rate, and lets all fade at that rate. Both
 * are gathers from the state before, so no order of pairs matters.
 *
 * Symbols: nu is `viscosity` (`diffusivity` for heat), e the width, of a pair the root of the mean
 * of both squares, V `volume`, eta_e the Gaussian (2 pi)^(-3/2) e^-3 exp(-|x|^2 / (2 e^2)). It is
 * antisymmetric in p and q, which is why the sum stays. */
#include "base/loop.h"
#include "base/math.h"
#include "solvers/vortex/bins.h"
#include "solvers/vortex/spread.h"
#include "solvers/vortex/vortons.h"

ISA_KERNELS(spread_kernels, SpreadKernels, vortex_spread_kernels)

typedef struct Spread {
    const VortexWork *work;
    const VortonRows *rows;
    const SpreadKernels *kernels;
    PointBins bins;
    SpreadPairs pairs;
    bool fades; /* after this sub-step: */
    mote_real keep, keep_heat;
    mote_real *sorted[SPREAD_PLANES]; /* rows before it, in the order of bins */
} Spread;

/* Explicit Euler is stable up to nu dt / e^2 of about 1/2; a fifth of that is taken. Beyond 64
 * pieces a forecast has warned. */
enum { STABLE_SHARE = 10, MOST_SUBSTEPS = 64 }; /* nu dt / e^2 at most 1 / STABLE_SHARE */
/* Beyond, less than 0.7 % of the second moment is left, and kernels/spread.c puts it back. */
#define REACH ((mote_real)4) /* widths */

/* A row gets into the order of bins in some ten nanoseconds. */
enum { MOST_RUNS = 9, SORT_ROWS = 128 };

/* Vorton k of the sorted ones gets from the neighbouring bins: runs of bins along x lie side by
 * side in the sorted order. Published: from its own bin and those that share a face. */
static size_t runs_around(const Spread *s, size_t k, SpreadRun runs[MOST_RUNS])
{
    const mote_real *const x[3] = {s->sorted[0], s->sorted[1], s->sorted[2]};
    const size_t *cells = s->bins.cells;
    size_t at[3], count = 0;
    bins_place(&s->bins, x, k, at);
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy) {
            size_t y = at[1] + (size_t)dy, z = at[2] + (size_t)dz; /* wraps: beyond the last */
            bool aside = dy != 0 || dz != 0;
            if (y >= cells[1] || z >= cells[2]) continue;
            if (s->pairs.published && dy != 0 && dz != 0) continue;
            bool narrow = s->pairs.published && aside;
            size_t low = at[0] > 0 && !narrow ? at[0] - 1 : at[0];
            size_t high = at[0] + 1 < cells[0] && !narrow ? at[0] + 1 : at[0];
            size_t from = bins_number(&s->bins, (size_t[]){low, y, z});
            runs[count++] = (SpreadRun){s->bins.start[from], s->bins.start[from + high - low + 1]};
        }
    return count;
}

/* Rows in the order of bins. */
static void sort_body(void *context, size_t begin, size_t end, int worker)
{
    const Spread *s = context;
    const VortonRows *r = s->rows;
    (void)worker;
    for (size_t k = begin; k < end; ++k) {
        size_t i = s->bins.items[k];
        for (int c = 0; c < 3; ++c) {
            s->sorted[SPREAD_X + c][k] = r->x[c][i];
            s->sorted[SPREAD_STRENGTH + c][k] = r->strength[c][i];
        }
        s->sorted[SPREAD_TEMPERATURE][k] = r->temperature[i];
        s->sorted[SPREAD_WIDTH2][k] = r->radius[i] * r->radius[i];
        s->sorted[SPREAD_VOLUME][k] = vorton_volume(r, i);
    }
}

/* Losses to the surroundings, in what is left of strength and of heat: as published, of heat. The
 * published loss omega -= nu dt omega turns the sign of omega where nu dt > 1; its exact solution
 * does not. */
static void fade_row(const Spread *s, size_t i)
{
    const VortonRows *r = s->rows;
    const mote_real around = s->work->params->temperature;
    for (int c = 0; c < 3; ++c) r->strength[c][i] *= s->keep;
    r->temperature[i] = around + s->keep_heat * (r->temperature[i] - around);
}

static void fade_body(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t i = begin; i < end; ++i) fade_row(context, i);
}

/* Others look at the rows that were sorted: these may change at once. */
static void spread_body(void *context, size_t begin, size_t end, int worker)
{
    const Spread *s = context;
    const VortonRows *r = s->rows;
    (void)worker;
    for (size_t k = begin; k < end; ++k) {
        SpreadRun runs[MOST_RUNS];
        mote_real change[SPREAD_CHANGES];
        const size_t i = s->bins.items[k], count = runs_around(s, k, runs);
        s->kernels->pairs(&s->pairs, k, runs, count, change);
        for (int c = 0; c < 3; ++c) r->strength[c][i] += change[c];
        r->temperature[i] += change[3];
        if (s->fades) fade_row(s, i);
    }
}

/* One sub-step, from the state before it. */
static bool spread_once(Spread *s, const mote_real side[3])
{
    const VortonRows *r = s->rows;
    mote_Tasks *tasks = s->work->tasks;
    const BinsRequest request = {.x = {r->x[0], r->x[1], r->x[2]},
                                 .count = r->count,
                                 .side = {side[0], side[1], side[2]},
                                 .arena = s->work->arena,
                                 .tasks = tasks};
    const PointBins *made = s->pairs.published ? s->work->bins : NULL;
    if (made != NULL)
        s->bins = *made;
    else if (!bins_make(&s->bins, &request))
        return false;
    mote_parallel_for(tasks, r->count, SORT_ROWS, sort_body, s);
    for (int p = 0; p < SPREAD_PLANES; ++p)
        for (size_t k = r->count; k < r->count + 8; ++k) s->sorted[p][k] = 1;
    mote_parallel_for(tasks, r->count, VORTON_PIECE, spread_body, s);
    return true;
}

static bool take_planes(Spread *s)
{
    size_t bytes = (s->rows->count + 8) * sizeof(mote_real);
    bool room = true;
    for (int k = 0; k < SPREAD_PLANES; ++k) {
        s->sorted[k] = arena_take(s->work->arena, bytes);
        s->pairs.plane[k] = s->sorted[k];
        room = room && s->sorted[k] != NULL;
    }
    return room;
}

/* Boundaries with a mesh diffuse on its nodes (mesh_flow.c), and must not do so twice. */
static mote_real exchanged_viscosity(const mote_VortexSolver *p)
{
    const bool mine = p->diffusion == VORTEX_DIFFUSION_EXCHANGE && !boundary_meshes(p->boundary);
    return mine ? p->viscosity : 0;
}

/* The narrowest core sets how many pieces the sub-step has, the widest one how far is looked. */
static bool exchange_strength(Spread *s)
{
    const mote_VortexSolver *p = s->work->params;
    mote_real least = s->rows->radius[0], most = least;
    for (size_t i = 1; i < s->rows->count; ++i) {
        least = s->rows->radius[i] < least ? s->rows->radius[i] : least;
        most = s->rows->radius[i] > most ? s->rows->radius[i] : most;
    }
    mote_real viscosity = exchanged_viscosity(p);
    mote_real larger = viscosity > p->diffusivity ? viscosity : p->diffusivity;
    mote_real wanted = STABLE_SHARE * larger * s->work->dt / (least * least);
    int steps = wanted < MOST_SUBSTEPS ? (int)wanted + 1 : MOST_SUBSTEPS;
    mote_real h = s->work->dt / (mote_real)steps, side = REACH * most;
    s->pairs.rate = viscosity * h, s->pairs.heat_rate = p->diffusivity * h;
    for (int k = 0; k < steps; ++k)
        if (!spread_once(s, (mote_real[]){side, side, side})) return false;
    return true;
}

/* Cores that get wider: the variance of each grows by 2 nu a second (Leonard 1980). Right for as
 * long as they are not much wider than what they carry varies: remeshing makes them narrow again.
 */
static void spread_cores(const VortexWork *work, const VortonRows *rows)
{
    const mote_real more = 2 * work->params->viscosity * work->dt / (mote_real)work->core->variance;
    for (size_t i = 0; i < rows->count; ++i)
        rows->radius[i] = REAL_SQRT(rows->radius[i] * rows->radius[i] + more);
}

bool diffuse(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid)
{
    const mote_VortexSolver *p = work->params;
    Spread s = {.work = work, .rows = rows, .kernels = spread_kernels(work->isa)};
    bool spreads = p->diffusion == VORTEX_DIFFUSION_SPREADING && p->viscosity > 0 &&
                   !boundary_meshes(p->boundary);
    bool pse = exchanged_viscosity(p) > 0 || p->diffusivity > 0;
    bool published = p->exchange > 0 || p->heat_exchange > 0;
    if (rows->count == 0) return true;
    if (spreads) spread_cores(work, rows);
    s.pairs.flat = rows->flat;
    if ((pse || published) && !take_planes(&s)) return false;
    if (pse && !exchange_strength(&s)) return false;
    s.pairs.published = true;
    s.pairs.rate = p->exchange * work->dt, s.pairs.heat_rate = p->heat_exchange * work->dt;
    s.fades = published || p->heat_loss > 0;
    s.keep = real_exp(-p->exchange * work->dt);
    s.keep_heat = real_exp(-(p->heat_exchange + p->heat_loss) * work->dt);
    if (published) return spread_once(&s, grid->size);
    if (s.fades) mote_parallel_for(work->tasks, rows->count, SORT_ROWS, fade_body, &s);
    return true;
}
