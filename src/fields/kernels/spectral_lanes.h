/* Vectors of the interpolation: the components of one point, and of two neighbouring points side by
 * side, as they lie in a table. Pure maps: the same bits for every width of the machine's own
 * vectors. A pair is one vector where the machine has vectors of that size; elsewhere it is two,
 * since compilers keep wider vectors in memory. */
#ifndef FIELDS_KERNELS_SPECTRAL_LANES_H
#define FIELDS_KERNELS_SPECTRAL_LANES_H

#include "base/lanes.h"
#include "fields/kernels/spectral_kernels.h"

#include <string.h>

INLINE Four load_quad(const float *from)
{
    V4 quad;
    memcpy(&quad, from, sizeof quad);
#ifdef MOTE_DOUBLE
    return __builtin_convertvector(quad, Four);
#else
    return quad;
#endif
}

INLINE void store_quad(mote_real *to, Four quad)
{
    memcpy(to, &quad, sizeof quad);
}

#if defined(__AVX__) && !defined(MOTE_DOUBLE)

typedef V8 Pair;

INLINE Pair pair_load(const float *from)
{
    Pair pair;
    memcpy(&pair, from, sizeof pair);
    return pair;
}

INLINE Pair pair_none(void)
{
    return (Pair){0};
}

/* a + part (b - a) */
INLINE Pair pair_between(Pair a, Pair b, mote_real part)
{
    return a + part * (b - a);
}

/* sum + weight a */
INLINE Pair pair_add(Pair sum, mote_real weight, Pair a)
{
    return sum + weight * a;
}

INLINE Four pair_first(Pair pair)
{
    return __builtin_shufflevector(pair, pair, 0, 1, 2, 3);
}

INLINE Four pair_second(Pair pair)
{
    return __builtin_shufflevector(pair, pair, 4, 5, 6, 7);
}

#else

typedef struct Pair {
    Four first, second;
} Pair;

INLINE Pair pair_load(const float *from)
{
    return (Pair){load_quad(from), load_quad(from + SPECTRAL_LANES)};
}

INLINE Pair pair_none(void)
{
    return (Pair){(Four){0}, (Four){0}};
}

INLINE Pair pair_between(Pair a, Pair b, mote_real part)
{
    return (Pair){a.first + part * (b.first - a.first), a.second + part * (b.second - a.second)};
}

INLINE Pair pair_add(Pair sum, mote_real weight, Pair a)
{
    return (Pair){sum.first + weight * a.first, sum.second + weight * a.second};
}

INLINE Four pair_first(Pair pair)
{
    return pair.first;
}

INLINE Four pair_second(Pair pair)
{
    return pair.second;
}

#endif

/* The pair at `offset` of the two tables, blended; `still`: there is only one. */
INLINE Pair pair_now(const SpectralView *view, size_t offset, bool still)
{
    Pair before = pair_load(view->before + offset);
    return still ? before : pair_between(before, pair_load(view->after + offset), view->blend);
}

#endif
