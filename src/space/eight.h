/* Vectors of eight numbers, for sums over pairs: always eight, so that the order of additions, and
 * with it every bit, is the same for every instruction set. Masks are lanes of all ones or zeros.
 * For files that are compiled per instruction set. */
#ifndef SPACE_EIGHT_H
#define SPACE_EIGHT_H

#include "base/loop.h"

#if defined(__SSE2__)
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
#if defined(__AVX__) && !defined(MOTE_DOUBLE)
    return (Eight)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)chosen);
#else
    return (Eight)((chosen & (EightBits)a) | (~chosen & (EightBits)b));
#endif
}

/* a where chosen, else 0; what is not a number is masked too. */
EIGHT_INLINE Eight eight_where(EightBits chosen, Eight a)
{
    return (Eight)(chosen & (EightBits)a);
}

/* The larger of two, b where they are equal or one is not a number: what max instructions do. */
EIGHT_INLINE Eight eight_most(Eight a, Eight b)
{
#if defined(__AVX__) && !defined(MOTE_DOUBLE)
    return (Eight)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return eight_choose((EightBits)(a > b), a, b);
#endif
}

EIGHT_INLINE Eight eight_least(Eight a, Eight b)
{
#if defined(__AVX__) && !defined(MOTE_DOUBLE)
    return (Eight)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return eight_choose((EightBits)(a < b), a, b);
#endif
}

/* Parts of eight numbers that are as wide as a register. */
#if defined(__AVX__)
#define EIGHT_REGISTER 32
#else
#define EIGHT_REGISTER 16
#endif
enum { EIGHT_PARTS = 8 * sizeof(mote_real) / EIGHT_REGISTER };

EIGHT_INLINE Eight eight_sqrt(Eight a)
{
#if defined(__SSE2__)
    union {
        Eight all;
#if defined(__AVX__) && !defined(MOTE_DOUBLE)
        __m256 part[EIGHT_PARTS];
#define EIGHT_PART_SQRT _mm256_sqrt_ps
#elif defined(__AVX__)
        __m256d part[EIGHT_PARTS];
#define EIGHT_PART_SQRT _mm256_sqrt_pd
#elif !defined(MOTE_DOUBLE)
        __m128 part[EIGHT_PARTS];
#define EIGHT_PART_SQRT _mm_sqrt_ps
#else
        __m128d part[EIGHT_PARTS];
#define EIGHT_PART_SQRT _mm_sqrt_pd
#endif
    } root = {a};
    for (int k = 0; k < EIGHT_PARTS; ++k) root.part[k] = EIGHT_PART_SQRT(root.part[k]);
    return root.all;
#else
    for (int l = 0; l < 8; ++l) a[l] = REAL_SQRT(a[l]);
    return a;
#endif
}

/* ---- eight records at once ---- */

typedef mote_real Four __attribute__((vector_size(4 * sizeof(mote_real))));

/* Four numbers at a and four at b, side by side. */
EIGHT_INLINE Eight eight_fours(const mote_real *a, const mote_real *b)
{
    Four low, high;
    __builtin_memcpy(&low, a, sizeof low);
    __builtin_memcpy(&high, b, sizeof high);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/* From four quantities of the records (0, 4), (1, 5), (2, 6), (3, 7) to a vector for each quantity.
 * Several times faster than gathering the quantities one by one. */
EIGHT_INLINE void eight_turn(Eight r04, Eight r15, Eight r26, Eight r37, Eight out[4])
{
    Eight a = __builtin_shufflevector(r04, r15, 0, 8, 1, 9, 4, 12, 5, 13);
    Eight b = __builtin_shufflevector(r04, r15, 2, 10, 3, 11, 6, 14, 7, 15);
    Eight c = __builtin_shufflevector(r26, r37, 0, 8, 1, 9, 4, 12, 5, 13);
    Eight d = __builtin_shufflevector(r26, r37, 2, 10, 3, 11, 6, 14, 7, 15);
    out[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    out[1] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    out[2] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    out[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

/* The nearest image of a difference along a periodic axis. */
EIGHT_INLINE Eight eight_nearest_image(Eight d, mote_real period)
{
    const mote_real half = period / 2;
    d = d - eight_where((EightBits)(d > half), eight_all(period));
    return d + eight_where((EightBits)(d < -half), eight_all(period));
}

/* The sum of the lanes: ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)). */
EIGHT_INLINE mote_real eight_sum(Eight a)
{
    mote_real even = (a[0] + a[4]) + (a[2] + a[6]), odd = (a[1] + a[5]) + (a[3] + a[7]);
    return even + odd;
}

/* The sums of the lanes of four vectors, each in the order of eight_sum. */
EIGHT_INLINE Four eight_sums(const Eight a[4])
{
    Four h[4];
    for (int k = 0; k < 4; ++k)
        h[k] = __builtin_shufflevector(a[k], a[k], 0, 1, 2, 3) +
               __builtin_shufflevector(a[k], a[k], 4, 5, 6, 7);
    Four low = __builtin_shufflevector(h[0], h[1], 0, 4, 1, 5),
         high = __builtin_shufflevector(h[0], h[1], 2, 6, 3, 7);
    Four low2 = __builtin_shufflevector(h[2], h[3], 0, 4, 1, 5),
         high2 = __builtin_shufflevector(h[2], h[3], 2, 6, 3, 7);
    Four first = low + high, second = low2 + high2; /* even and odd lanes of two sums each */
    return __builtin_shufflevector(first, second, 0, 1, 4, 5) +
           __builtin_shufflevector(first, second, 2, 3, 6, 7);
}

#endif
