/* Diffusion of vorticity and heat between vortons.
 *
 * Particle-strength exchange (Degond and Mas-Gallic, Math. Comp. 53, 1989):
 *     d alpha_p / dt = (2 nu / e^2) sum over q of (V_p alpha_q - V_q alpha_p) eta_e(x_p - x_q)
 * with a Gaussian eta of width e, the core radius; a true viscosity of second order, and the sum of
 * strengths does not change. The exchange published for games swaps shares of vorticity between
 * vortons of the same and of face-adjacent cells at a rate, and lets all fade at that rate. Both
 * are gathers from the state before, so no order of pairs matters. */
#include "base/loop.h"
#include "base/math.h"
#include "solvers/vortex/bins.h"
#include "solvers/vortex/vortons.h"

/* A quantity that spreads: strengths or heat. */
enum { SPREAD_PLANES = 4 }; /* strength, temperature */

typedef struct Spread {
    const VortexWork *work;
    const VortonRows *rows;
    PointBins bins;
    bool published;
    mote_real rate, heat_rate; /* m^2/s, or 1/s as published; times the sub-step */
    mote_real *change[SPREAD_PLANES];
} Spread;

enum { STABLE_SHARE = 10, MOST_SUBSTEPS = 64 }; /* nu dt / e^2 at most 1 / STABLE_SHARE */
#define REACH ((mote_real)4)                    /* widths */

/* Changes of row i by row j, for one unit of the weight. */
static void add_pair(const Spread *s, size_t i, size_t j, mote_real change[SPREAD_PLANES])
{
    const VortonRows *r = s->rows;
    mote_real d2 = 0, e2 = (r->radius[i] * r->radius[i] + r->radius[j] * r->radius[j]) / 2;
    mote_real vi = vorton_volume(r, i), vj = vorton_volume(r, j), weight, heat;
    for (int c = 0; c < 3; ++c) {
        mote_real d = r->x[c][i] - r->x[c][j];
        d2 += d * d;
    }
    if (s->published) { /* reaches over four diameters; halves of the pair's harmonic volume */
        weight = 2 * s->rate * real_exp(-d2 / (64 * e2)) * 2 / (vi + vj);
        heat = 2 * s->heat_rate * real_exp(-d2 / (64 * e2)) * 2 * vj / (vi + vj);
    } else {
        if (d2 > REACH * REACH * e2) return;
        mote_real eta =
            (mote_real)0.06349363593424098 / (e2 * REAL_SQRT(e2)) * real_exp(-d2 / (2 * e2));
        weight = 2 * s->rate / e2 * eta;
        heat = 2 * s->heat_rate / e2 * eta * vj;
    }
    for (int c = 0; c < 3; ++c)
        change[c] += weight * (vi * r->strength[c][j] - vj * r->strength[c][i]);
    change[3] += heat * (r->temperature[j] - r->temperature[i]);
}

static void add_bin(const Spread *s, size_t i, const size_t at[3], mote_real *change)
{
    size_t bin = bins_number(&s->bins, at);
    for (uint32_t k = s->bins.start[bin]; k < s->bins.start[bin + 1]; ++k)
        if (s->bins.items[k] != i) add_pair(s, i, s->bins.items[k], change);
}

static void spread_body(void *context, size_t begin, size_t end, int worker)
{
    const Spread *s = context;
    const mote_real *const x[3] = {s->rows->x[0], s->rows->x[1], s->rows->x[2]};
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        size_t at[3], bin[3], low[3], high[3];
        mote_real change[SPREAD_PLANES] = {0};
        bins_place(&s->bins, x, i, at);
        for (int c = 0; c < 3; ++c) {
            low[c] = at[c] > 0 ? at[c] - 1 : 0;
            high[c] = at[c] + 1 < s->bins.cells[c] ? at[c] + 1 : at[c];
        }
        for (bin[2] = low[2]; bin[2] <= high[2]; ++bin[2])
            for (bin[1] = low[1]; bin[1] <= high[1]; ++bin[1])
                for (bin[0] = low[0]; bin[0] <= high[0]; ++bin[0]) {
                    int off = (bin[0] != at[0]) + (bin[1] != at[1]) + (bin[2] != at[2]);
                    if (!s->published || off <= 1) add_bin(s, i, bin, change);
                }
        for (int k = 0; k < SPREAD_PLANES; ++k) s->change[k][i] = change[k];
    }
}

/* One sub-step, from the state before it. */
static bool spread_once(Spread *s, const mote_real side[3])
{
    const mote_real *const x[3] = {s->rows->x[0], s->rows->x[1], s->rows->x[2]};
    const VortonRows *r = s->rows;
    if (!bins_make(&s->bins, x, r->count, side, s->work->arena)) return false;
    mote_parallel_for(s->work->tasks, r->count, 64, spread_body, s);
    for (size_t i = 0; i < r->count; ++i) {
        for (int c = 0; c < 3; ++c) r->strength[c][i] += s->change[c][i];
        r->temperature[i] += s->change[3][i];
    }
    return true;
}

static bool take_planes(Spread *s)
{
    for (int k = 0; k < SPREAD_PLANES; ++k) {
        s->change[k] = arena_take(s->work->arena, s->rows->count * sizeof(mote_real));
        if (s->change[k] == NULL) return false;
    }
    return true;
}

static bool exchange_strength(Spread *s)
{
    const mote_VortexSolver *p = s->work->params;
    mote_real least = s->rows->radius[0], most = least;
    for (size_t i = 1; i < s->rows->count; ++i) {
        least = s->rows->radius[i] < least ? s->rows->radius[i] : least;
        most = s->rows->radius[i] > most ? s->rows->radius[i] : most;
    }
    mote_real larger = p->viscosity > p->diffusivity ? p->viscosity : p->diffusivity;
    mote_real wanted = STABLE_SHARE * larger * s->work->dt / (least * least);
    int steps = wanted < MOST_SUBSTEPS ? (int)wanted + 1 : MOST_SUBSTEPS;
    mote_real h = s->work->dt / (mote_real)steps, side = REACH * most;
    s->rate = p->viscosity * h, s->heat_rate = p->diffusivity * h;
    for (int k = 0; k < steps; ++k)
        if (!spread_once(s, (mote_real[]){side, side, side})) return false;
    return true;
}

/* Losses to the surroundings: of vorticity as published, of heat. */
static void fade(const VortexWork *work, const VortonRows *rows)
{
    const mote_VortexSolver *p = work->params;
    mote_real keep = real_exp(-p->exchange * work->dt);
    mote_real keep_heat = real_exp(-(p->heat_exchange + p->heat_loss) * work->dt);
    for (size_t i = 0; i < rows->count; ++i) {
        for (int c = 0; c < 3; ++c) rows->strength[c][i] *= keep;
        rows->temperature[i] = p->temperature + keep_heat * (rows->temperature[i] - p->temperature);
    }
}

bool diffuse(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid)
{
    const mote_VortexSolver *p = work->params;
    Spread s = {.work = work, .rows = rows};
    bool pse = p->viscosity > 0 || p->diffusivity > 0;
    bool published = p->exchange > 0 || p->heat_exchange > 0;
    if (rows->count == 0) return true;
    if ((pse || published) && !take_planes(&s)) return false;
    if (pse && !exchange_strength(&s)) return false;
    s.published = true;
    s.rate = p->exchange * work->dt, s.heat_rate = p->heat_exchange * work->dt;
    if (published && !spread_once(&s, grid->size)) return false;
    if (published || p->heat_loss > 0) fade(work, rows);
    return true;
}
