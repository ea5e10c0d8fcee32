/* Vectors of eight numbers, for sums over pairs: always eight, so that the order of additions, and
 * with it every bit, is the same for every instruction set. Masks are lanes of all ones or zeros.
 * For files that are compiled per instruction set. */
#ifndef SPACE_EIGHT_H
#define SPACE_EIGHT_H

#include "base/loop.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

#define EIGHT_INLINE static inline __attribute__((always_inline))

typedef mote_real Eight __attribute__((vector_size(8 * sizeof(mote_real))));
typedef RealBits EightBits __attribute__((vector_size(8 * sizeof(mote_real))));

EIGHT_INLINE Eight eight_load(const mote_real *from)
{
    Eight a;
    __builtin_memcpy(&a, from, sizeof a);
    return a;
}

EIGHT_INLINE void eight_store(mote_real *to, Eight a)
{
    __builtin_memcpy(to, &a, sizeof a);
}

EIGHT_INLINE Eight eight_all(mote_real a)
{
    return (Eight){a, a, a, a, a, a, a, a};
}

EIGHT_INLINE Eight eight_choose(EightBits chosen, Eight a, Eight b)
{
    return (Eight)((chosen & (EightBits)a) | (~chosen & (EightBits)b));
}

/* a where chosen, else 0; what is not a number is masked too. */
EIGHT_INLINE Eight eight_where(EightBits chosen, Eight a)
{
    return (Eight)(chosen & (EightBits)a);
}

EIGHT_INLINE Eight eight_most(Eight a, Eight b)
{
    return eight_choose((EightBits)(a > b), a, b);
}

EIGHT_INLINE Eight eight_least(Eight a, Eight b)
{
    return eight_choose((EightBits)(a < b), a, b);
}

EIGHT_INLINE Eight eight_sqrt(Eight a)
{
#if defined(__AVX__) && !defined(MOTE_DOUBLE)
    return (Eight)_mm256_sqrt_ps((__m256)a);
#else
    Eight root;
    for (int l = 0; l < 8; ++l) root[l] = REAL_SQRT(a[l]);
    return root;
#endif
}

/* The sum of the lanes: ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)). */
EIGHT_INLINE mote_real eight_sum(Eight a)
{
    mote_real even = (a[0] + a[4]) + (a[2] + a[6]), odd = (a[1] + a[5]) + (a[3] + a[7]);
    return even + odd;
}

#endif
