/* What particles carry, at eight vertices at a time (attributes.c says how). Vertices that are near
 * to each other have most of the particles around them in common: these are found once, and every
 * lane is a vertex. */
#include "base/lanes.h"
#include "particles/system.h"
#include "surface/kernels.h"
#include "surface/near.h"

#define FLAT 1e-4f /* share of the identity */

enum { LANES = 8, ROOM = 1024 /* particles around the vertices, at most */ };

typedef struct CarryAround {
    float x[3][ROOM];
    uint32_t row[ROOM];
    size_t count;
    bool full; /* there are more */
} CarryAround;

/* Squared, of a particle from the box around the vertices. */
INLINE float gap_of(const float x[3], const float low[3], const float high[3])
{
    float sum = 0;
    for (int k = 0; k < 3; ++k) {
        const float below = low[k] - x[k], above = x[k] - high[k];
        const float most = below > above ? below : above, gap = most > 0 ? most : 0;
        sum += gap * gap;
    }
    return sum;
}

static void look_around(const CarryAsked *ask, float reach, CarryAround *around)
{
    const Blocks *b = ask->blocks;
    float low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = high[k] = ask->vertices[0].at[k];
        for (size_t i = 1; i < ask->count; ++i) {
            const float x = ask->vertices[i].at[k];
            low[k] = x < low[k] ? x : low[k], high[k] = x > high[k] ? x : high[k];
        }
    }
    NearWalk walk = near_walk(b, ask->block, low, high, reach);
    around->count = 0, around->full = false;
    for (NearRun run; near_next(&walk, &run);)
        for (size_t i = 0; i < run.count; ++i) {
            const SurfaceParticle *p = &run.particles[i];
            float x[3];
            for (int k = 0; k < 3; ++k) x[k] = p->at[k] + run.shift[k];
            if (gap_of(x, low, high) >= reach * reach) continue;
            if (around->count == ROOM) {
                around->full = true;
                return;
            }
            for (int k = 0; k < 3; ++k) around->x[k][around->count] = x[k];
            around->row[around->count++] = b->rows[p - b->particles];
        }
}

/* ---- the fit ---- */

typedef struct CarryFit {
    V8 m[4][4]; /* upper half of M */
    V8 c[4];
} CarryFit;

/* u but its first, and w. */
INLINE V8 offsets(const V8 at[3], const CarryAround *around, size_t j, float inverse, V8 u[3])
{
    V8 t = all8(1);
    for (int k = 0; k < 3; ++k) {
        u[k] = (around->x[k][j] - at[k]) * inverse;
        t = t - u[k] * u[k];
    }
    t = most8(t, all8(0));
    return t * t;
}

INLINE void fit_add(CarryFit *fit, const V8 u[3], V8 w)
{
    fit->m[0][0] += w;
    for (int i = 0; i < 3; ++i) {
        const V8 wu = w * u[i];
        fit->m[0][i + 1] += wu;
        for (int j = i; j < 3; ++j) fit->m[i + 1][j + 1] += wu * u[j];
    }
}

/* M = U D U^T with ones on the diagonal of U, from the last row to the first; M is positive
 * definite. Then U D U^T c = e_1 up to a factor, which the sum of the weights takes out again: U y
 * = e_1 has y = e_1, and U^T c = e_1 / D_1 is solved from the first to the last. */
INLINE void fit_solve(CarryFit *fit)
{
    V8 factor[4][4] = {{{0}}}, pivot[4];
    for (int i = 1; i < 4; ++i) fit->m[i][i] += FLAT * fit->m[0][0];
    for (int i = 3; i >= 0; --i) {
        pivot[i] = fit->m[i][i];
        for (int k = i + 1; k < 4; ++k) pivot[i] -= factor[i][k] * factor[i][k] * pivot[k];
        for (int j = i - 1; j >= 0; --j) {
            V8 sum = fit->m[j][i];
            for (int k = i + 1; k < 4; ++k) sum -= factor[i][k] * factor[j][k] * pivot[k];
            factor[j][i] = sum / pivot[i];
        }
    }
    fit->c[0] = all8(1);
    for (int i = 1; i < 4; ++i) {
        fit->c[i] = all8(0);
        for (int k = 0; k < i; ++k) fit->c[i] -= factor[k][i] * fit->c[k];
    }
}

/* ---- values ---- */

/* Weights of all lanes, by particle, and 1 over their sums. M c = e_1 is solved once for all
 * columns, since shares depend only on places. Returns 0 in lanes where no particle is near. */
INLINE V8 find_weights(const V8 at[3], const CarryAround *around, float inverse, V8 *weights,
                       V8 *whole)
{
    CarryFit fit = {.m = {{{0}}}};
    V8 u[3], sum = all8(0);
    for (size_t j = 0; j < around->count; ++j) {
        weights[j] = offsets(at, around, j, inverse, u);
        fit_add(&fit, u, weights[j]);
    }
    const V8 found = fit.m[0][0];
    fit_solve(&fit);
    for (size_t j = 0; j < around->count; ++j) {
        offsets(at, around, j, inverse, u);
        V8 share = fit.c[0];
        for (int k = 0; k < 3; ++k) share += fit.c[k + 1] * u[k];
        weights[j] *= share;
        sum += weights[j];
    }
    *whole = 1 / sum;
    return found;
}

INLINE float value_of(const mote_Column *column, int component, uint32_t row)
{
    if (column->type == MOTE_COLUMN_REAL) return (float)column_real(column, component)[row];
    return (float)column_value(column, component, row);
}

/* Eight vertices at most, and what they are given. */
typedef struct CarryLanes {
    const CarryVertex *vertices;
    size_t count;
    V8 whole, found; /* of find_weights */
} CarryLanes;

/* Of the lanes that found any. */
INLINE void carry_values(const CarryAsked *ask, const CarryAround *around, const V8 *weights,
                         const CarryLanes *lanes)
{
    for (size_t i = 0; i < ask->column_count; ++i)
        for (int c = 0; c < ask->from[i].components; ++c) {
            /* as differences, so that what is the same everywhere stays so */
            const float base = value_of(&ask->from[i], c, around->row[0]);
            V8 sum = all8(0);
            for (size_t j = 0; j < around->count; ++j)
                sum += weights[j] * (value_of(&ask->from[i], c, around->row[j]) - base);
            sum = base + sum * lanes->whole;
            mote_real *to = column_real(&ask->to[i], c);
            for (size_t v = 0; v < lanes->count; ++v)
                if (lanes->found[v] > 0) to[lanes->vertices[v].number] = (mote_real)sum[v];
        }
}

static bool carry_lanes(const CarryAsked *ask, const CarryAround *around, float reach, size_t first)
{
    CarryLanes lanes = {.vertices = ask->vertices + first, .count = ask->count - first};
    V8 weights[ROOM], at[3] = {all8(0), all8(0), all8(0)};
    if (lanes.count > LANES) lanes.count = LANES;
    for (int k = 0; k < 3; ++k)
        for (size_t v = 0; v < LANES; ++v) at[k][v] = lanes.vertices[v < lanes.count ? v : 0].at[k];
    lanes.found = find_weights(at, around, 1 / reach, weights, &lanes.whole);
    carry_values(ask, around, weights, &lanes);
    bool all = true;
    for (size_t v = 0; v < lanes.count; ++v) all = all && lanes.found[v] > 0;
    return all;
}

static bool carry(const CarryAsked *ask, float reach)
{
    CarryAround around;
    bool all = true;
    look_around(ask, reach, &around);
    if (around.count == 0 || (around.full && ask->count > 1)) return false;
    for (size_t first = 0; first < ask->count; first += LANES)
        all = carry_lanes(ask, &around, reach, first) && all;
    return all;
}

const CarryKernels ISA(carry_table) = {carry};
