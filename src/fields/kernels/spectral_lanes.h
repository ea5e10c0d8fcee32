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

typedef V8 SpectralPair;

INLINE SpectralPair pair_load(const float *from)
{
    SpectralPair pair;
    memcpy(&pair, from, sizeof pair);
    return pair;
}

INLINE SpectralPair pair_none(void)
{
    return (SpectralPair){0};
}

/* a + part (b - a) */
INLINE SpectralPair pair_between(SpectralPair a, SpectralPair b, mote_real part)
{
    return a + part * (b - a);
}

/* sum + weight a */
INLINE SpectralPair pair_add(SpectralPair sum, mote_real weight, SpectralPair a)
{
    return sum + weight * a;
}

INLINE Four pair_first(SpectralPair pair)
{
    return __builtin_shufflevector(pair, pair, 0, 1, 2, 3);
}

INLINE Four pair_second(SpectralPair pair)
{
    return __builtin_shufflevector(pair, pair, 4, 5, 6, 7);
}

#else

typedef struct SpectralPair {
    Four first, second;
} SpectralPair;

INLINE SpectralPair pair_load(const float *from)
{
    return (SpectralPair){load_quad(from), load_quad(from + SPECTRAL_LANES)};
}

INLINE SpectralPair pair_none(void)
{
    return (SpectralPair){(Four){0}, (Four){0}};
}

INLINE SpectralPair pair_between(SpectralPair a, SpectralPair b, mote_real part)
{
    return (SpectralPair){a.first + part * (b.first - a.first),
                          a.second + part * (b.second - a.second)};
}

INLINE SpectralPair pair_add(SpectralPair sum, mote_real weight, SpectralPair a)
{
    return (SpectralPair){sum.first + weight * a.first, sum.second + weight * a.second};
}

INLINE Four pair_first(SpectralPair pair)
{
    return pair.first;
}

INLINE Four pair_second(SpectralPair pair)
{
    return pair.second;
}

#endif

/* The pair at `offset` of the two tables, blended; `still`: there is only one. */
INLINE SpectralPair pair_now(const SpectralView *view, size_t offset, bool still)
{
    SpectralPair before = pair_load(view->before + offset);
    return still ? before : pair_between(before, pair_load(view->after + offset), view->blend);
}

#endif
