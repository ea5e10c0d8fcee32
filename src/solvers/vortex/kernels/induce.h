/* The sum over sources, once for every core: lanes are points, so that a point's sum has the same
 * order and the same bits for every width of vectors. For files compiled per instruction set.
 *
 * A tile of two vectors of points stays in registers while all sources go by: 3 + 7 numbers are
 * loaded for two vectors of pairs. No approximate reciprocal root: sqrt and division are exact
 * everywhere. */
#ifndef SOLVERS_VORTEX_KERNELS_INDUCE_H
#define SOLVERS_VORTEX_KERNELS_INDUCE_H

#include "noise/lanes.h"
#include "solvers/vortex/core.h"

#define INV_4_PI ((mote_real)0.07957747154594767)

LANES_INLINE Lanes lanes_sqrt(Lanes a)
{
#if defined(__AVX512DQ__) && !defined(MOTE_DOUBLE)
    return (Lanes)_mm512_sqrt_ps((__m512)a);
#elif defined(__AVX512DQ__)
    return (Lanes)_mm512_sqrt_pd((__m512d)a);
#elif defined(__AVX2__) && !defined(MOTE_DOUBLE)
    return (Lanes)_mm256_sqrt_ps((__m256)a);
#elif defined(__AVX2__)
    return (Lanes)_mm256_sqrt_pd((__m256d)a);
#elif defined(__SSE2__) && !defined(MOTE_DOUBLE)
    return (Lanes)_mm_sqrt_ps((__m128)a);
#elif defined(__SSE2__)
    return (Lanes)_mm_sqrt_pd((__m128d)a);
#else
    for (int i = 0; i < LANES; ++i) a[i] = REAL_SQRT(a[i]);
    return a;
#endif
}

/* f, g or p of a core, from r^2 and the square of the core radius, lane by lane. */
typedef Lanes CoreFunction(Lanes r2, Lanes core2);
/* f, and g through the pointer. */
typedef Lanes CoreSlope(Lanes r2, Lanes core2, Lanes *g);

enum { TILE = 2, TILE_POINTS = TILE * LANES };

typedef struct Separation {
    Lanes r[3], r2;
} Separation;

LANES_INLINE Separation separation(const Sources *s, size_t j, const Lanes x[3])
{
    Separation d;
    for (int c = 0; c < 3; ++c) d.r[c] = x[c] - s->plane[SOURCE_X + c][j];
    d.r2 = d.r[0] * d.r[0] + d.r[1] * d.r[1] + d.r[2] * d.r[2];
    return d;
}

/* alpha x r of source j. */
LANES_INLINE void swirl(const Sources *s, size_t j, const Lanes r[3], Lanes c[3])
{
    const mote_real *const *a = &s->plane[SOURCE_ALPHA];
    c[0] = a[1][j] * r[2] - a[2][j] * r[1];
    c[1] = a[2][j] * r[0] - a[0][j] * r[2];
    c[2] = a[0][j] * r[1] - a[1][j] * r[0];
}

LANES_INLINE void velocity_tile(const Sources *s, Lanes x[TILE][3], Lanes sum[TILE][3],
                                CoreFunction *f)
{
    for (size_t j = 0; j < s->count; ++j)
        for (int k = 0; k < TILE; ++k) {
            Separation d = separation(s, j, x[k]);
            Lanes weight = f(d.r2, lanes_all(s->plane[SOURCE_CORE2][j])), c[3];
            swirl(s, j, d.r, c);
            for (int i = 0; i < 3; ++i) sum[k][i] += weight * c[i];
        }
}

LANES_INLINE void potential_tile(const Sources *s, Lanes x[TILE][3], Lanes sum[TILE][3],
                                 CoreFunction *p)
{
    for (size_t j = 0; j < s->count; ++j)
        for (int k = 0; k < TILE; ++k) {
            Separation d = separation(s, j, x[k]);
            Lanes weight = p(d.r2, lanes_all(s->plane[SOURCE_CORE2][j]));
            for (int i = 0; i < 3; ++i) sum[k][i] += weight * s->plane[SOURCE_ALPHA + i][j];
        }
}

/* One vector of points: there are twelve sums. */
LANES_INLINE void gradient_lanes(const Sources *s, const Lanes x[3], Lanes sum[INDUCE_GRADIENT],
                                 CoreSlope *fg)
{
    for (size_t j = 0; j < s->count; ++j) {
        Separation d = separation(s, j, x);
        Lanes g, f = fg(d.r2, lanes_all(s->plane[SOURCE_CORE2][j]), &g), c[3], a[3];
        swirl(s, j, d.r, c);
        for (int k = 0; k < 3; ++k) {
            a[k] = f * s->plane[SOURCE_ALPHA + k][j];
            sum[k] += f * c[k];
            Lanes gc = g * c[k];
            for (int l = 0; l < 3; ++l) sum[3 + 3 * k + l] += gc * d.r[l];
        }
        /* f (alpha x e_l)_k */
        sum[3 + 1] -= a[2], sum[3 + 2] += a[1];
        sum[3 + 3] += a[2], sum[3 + 5] -= a[0];
        sum[3 + 6] -= a[1], sum[3 + 7] += a[0];
    }
}

/* ---- points in tiles; the last one may be partly empty ---- */

LANES_INLINE size_t tile_load(const InduceJob *job, size_t first, mote_real (*place)[TILE_POINTS])
{
    size_t count = job->count - first < TILE_POINTS ? job->count - first : TILE_POINTS;
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < TILE_POINTS; ++i)
            place[c][i] = job->x[c][first + (i < count ? i : count - 1)];
    return count;
}

LANES_INLINE void tile_add(const InduceJob *job, int plane, size_t first, size_t count,
                           const mote_real *sums)
{
    mote_real *out = job->out[plane] + first;
    for (size_t i = 0; i < count; ++i) out[i] += INV_4_PI * sums[i];
}

LANES_INLINE void induce_vector(const InduceJob *job, CoreFunction *function, bool is_velocity)
{
    for (size_t first = 0; first < job->count; first += TILE_POINTS) {
        mote_real place[3][TILE_POINTS], sums[TILE_POINTS];
        Lanes x[TILE][3], sum[TILE][3] = {{{0}}};
        size_t count = tile_load(job, first, place);
        for (int k = 0; k < TILE; ++k)
            for (int c = 0; c < 3; ++c) x[k][c] = lanes_load(place[c] + k * LANES);
        if (is_velocity)
            velocity_tile(&job->sources, x, sum, function);
        else
            potential_tile(&job->sources, x, sum, function);
        for (int c = 0; c < 3; ++c) {
            for (int k = 0; k < TILE; ++k) lanes_store(sums + k * LANES, sum[k][c]);
            tile_add(job, c, first, count, sums);
        }
    }
}

LANES_INLINE void induce_gradient(const InduceJob *job, CoreSlope *slope)
{
    for (size_t first = 0; first < job->count; first += TILE_POINTS) {
        mote_real place[3][TILE_POINTS], sums[INDUCE_GRADIENT][TILE_POINTS];
        size_t count = tile_load(job, first, place);
        for (int k = 0; k < TILE; ++k) {
            Lanes x[3], sum[INDUCE_GRADIENT] = {{0}};
            for (int c = 0; c < 3; ++c) x[c] = lanes_load(place[c] + k * LANES);
            gradient_lanes(&job->sources, x, sum, slope);
            for (int p = 0; p < INDUCE_GRADIENT; ++p) lanes_store(sums[p] + k * LANES, sum[p]);
        }
        for (int p = 0; p < INDUCE_GRADIENT; ++p) tile_add(job, p, first, count, sums[p]);
    }
}

/* Defines the row's three functions from the core's f, (f, g) and p. */
#define CORE_FUNCTIONS(f, fg, p)                                                                   \
    static void velocity(const InduceJob *job)                                                     \
    {                                                                                              \
        induce_vector(job, f, true);                                                               \
    }                                                                                              \
    static void gradient(const InduceJob *job)                                                     \
    {                                                                                              \
        induce_gradient(job, fg);                                                                  \
    }                                                                                              \
    static void potential(const InduceJob *job)                                                    \
    {                                                                                              \
        induce_vector(job, p, false);                                                              \
    }
#define CORE_ROW(name_, doc_, beta)                                                                \
    {                                                                                              \
        .head = {.name = name_, .doc = doc_}, .ring_constant = beta, .velocity = velocity,         \
        .gradient = gradient, .potential = potential,                                              \
    }

#endif
