/* Vectors of eight numbers, by the vector extensions of gcc and clang: always eight, so that the
 * order of additions, and with it every bit, is the same for every instruction set. Masks are lanes
 * of all ones or zeros. For files that are compiled per instruction set.
 *
 *   V8 I8 U8 V4 I4   floats, signed and unsigned words, whatever the precision: pictures, places
 *   Eight Four       numbers of the library's precision; in float they are V8 and V4
 *
 * Least, most and root are intrinsics where there are some, because gcc finds no instruction for
 * them in vector expressions. Those of AVX go by the compilers' own names: <immintrin.h>, which has
 * them, takes longer to read than most kernels take to compile. */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include "base/loop.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#ifndef __has_builtin
#define __has_builtin(name) 0
#endif
#if defined(__AVX__) && __has_builtin(__builtin_ia32_maxps256) &&                                  \
    __has_builtin(__builtin_ia32_sqrtps256) && __has_builtin(__builtin_ia32_sqrtpd256) &&          \
    __has_builtin(__builtin_ia32_blendvps256) && __has_builtin(__builtin_ia32_movmskps256)
#define LANES_AVX 1
#else
#define LANES_AVX 0
#endif

typedef float V8 __attribute__((vector_size(32)));
typedef int32_t I8 __attribute__((vector_size(32)));
typedef uint32_t U8 __attribute__((vector_size(32)));
typedef float V4 __attribute__((vector_size(16)));
typedef int32_t I4 __attribute__((vector_size(16)));
typedef uint16_t HalfWords4 __attribute__((vector_size(8)));
typedef uint16_t HalfWords8 __attribute__((vector_size(16)));
typedef uint8_t Bytes8 __attribute__((vector_size(8)));

#ifdef MOTE_DOUBLE
typedef double Eight __attribute__((vector_size(64)));
typedef uint64_t EightBits __attribute__((vector_size(64)));
typedef double Four __attribute__((vector_size(32)));
#else
typedef V8 Eight;
typedef U8 EightBits;
typedef V4 Four;
#endif

/* Loads and stores of vectors V of numbers of a type, at any address. */
#define LANES_ACCESS(V, type, load, store)                                                         \
    INLINE V load(const type *from)                                                                \
    {                                                                                              \
        V a;                                                                                       \
        __builtin_memcpy(&a, from, sizeof a);                                                      \
        return a;                                                                                  \
    }                                                                                              \
    INLINE void store(type *to, V a)                                                               \
    {                                                                                              \
        __builtin_memcpy(to, &a, sizeof a);                                                        \
    }

LANES_ACCESS(V8, float, load8, store8)
LANES_ACCESS(U8, uint32_t, words_load, words_store)
LANES_ACCESS(Eight, mote_real, eight_load, eight_store)

#define LANES_ALL(a)                                                                               \
    {                                                                                              \
        a, a, a, a, a, a, a, a                                                                     \
    }

INLINE U8 words_all(uint32_t a)
{
    return (U8)LANES_ALL(a);
}

/* ---- eight floats ---- */

INLINE V8 all8(float a)
{
    return (V8)LANES_ALL(a);
}

/* By bits, which with AVX-512 is one instruction of any port. */
INLINE V8 choose8(I8 chosen, V8 a, V8 b)
{
    return (V8)((chosen & (I8)a) | (~chosen & (I8)b));
}

/* The larger or smaller of two, b where they are equal or one is not a number: what the
 * instructions do; and the root. */
#if LANES_AVX
INLINE V8 most8(V8 a, V8 b)
{
    return __builtin_ia32_maxps256(a, b);
}

INLINE V8 least8(V8 a, V8 b)
{
    return __builtin_ia32_minps256(a, b);
}

INLINE V8 sqrt8(V8 a)
{
    return __builtin_ia32_sqrtps256(a);
}
#elif defined(__SSE2__) || defined(__wasm_simd128__)
#ifdef __SSE2__
typedef __m128 Half8;
#define HALF_MOST(a, b)  _mm_max_ps(a, b)
#define HALF_LEAST(a, b) _mm_min_ps(a, b)
#define HALF_ROOT(a)     _mm_sqrt_ps(a)
#else
typedef v128_t Half8; /* these take the first of equals, so the other way round */
#define HALF_MOST(a, b)  wasm_f32x4_pmax(b, a)
#define HALF_LEAST(a, b) wasm_f32x4_pmin(b, a)
#define HALF_ROOT(a)     wasm_f32x4_sqrt(a)
#endif
typedef union Halves8 {
    V8 whole;
    Half8 half[2];
} Halves8;

INLINE V8 most8(V8 a, V8 b)
{
    Halves8 x = {a}, y = {b};
    for (int i = 0; i < 2; ++i) x.half[i] = HALF_MOST(x.half[i], y.half[i]);
    return x.whole;
}

INLINE V8 least8(V8 a, V8 b)
{
    Halves8 x = {a}, y = {b};
    for (int i = 0; i < 2; ++i) x.half[i] = HALF_LEAST(x.half[i], y.half[i]);
    return x.whole;
}

INLINE V8 sqrt8(V8 a)
{
    Halves8 x = {a};
    for (int i = 0; i < 2; ++i) x.half[i] = HALF_ROOT(x.half[i]);
    return x.whole;
}
#else
INLINE V8 most8(V8 a, V8 b)
{
    return choose8(a > b, a, b);
}

INLINE V8 least8(V8 a, V8 b)
{
    return choose8(a < b, a, b);
}

INLINE V8 sqrt8(V8 a)
{
    for (int i = 0; i < 8; ++i) a[i] = __builtin_sqrtf(a[i]);
    return a;
}
#endif

/* ---- eight numbers of the library's precision ---- */

#define EIGHT_INLINE INLINE

/* What a comparison of vectors says, as a mask, or the bits of numbers; and numbers of bits.
 * Formulas go by these names, because devices have other ones (device/lanes.cl). */
#define EIGHT_MASK(comparison) ((EightBits)(comparison))
#define EIGHT_OF_MASK(bits)    ((Eight)(bits))

/* A table of a formula, and what a pointer to one points to. */
#define EIGHT_TABLE    static const
#define EIGHT_OF_TABLE const

EIGHT_INLINE Eight eight_all(mote_real a)
{
    return (Eight)LANES_ALL(a);
}

/* a where chosen, else 0; what is not a number is masked too. */
EIGHT_INLINE Eight eight_where(EightBits chosen, Eight a)
{
    return (Eight)(chosen & (EightBits)a);
}

EIGHT_INLINE Eight eight_choose(EightBits chosen, Eight a, Eight b)
{
#if LANES_AVX && !defined(MOTE_DOUBLE)
    return __builtin_ia32_blendvps256(b, a, (V8)chosen);
#else
    return (Eight)((chosen & (EightBits)a) | (~chosen & (EightBits)b));
#endif
}

#ifdef MOTE_DOUBLE
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
#if LANES_AVX
    union {
        Eight all;
        Four part[2];
    } root = {a};
    for (int k = 0; k < 2; ++k) root.part[k] = __builtin_ia32_sqrtpd256(root.part[k]);
    return root.all;
#elif defined(__SSE2__)
    union {
        Eight all;
        __m128d part[4];
    } root = {a};
    for (int k = 0; k < 4; ++k) root.part[k] = _mm_sqrt_pd(root.part[k]);
    return root.all;
#else
    for (int l = 0; l < 8; ++l) a[l] = __builtin_sqrt(a[l]);
    return a;
#endif
}
#else
#define eight_most  most8
#define eight_least least8
#define eight_sqrt  sqrt8
#endif

/* Bit l: lane l is chosen. */
EIGHT_INLINE unsigned eight_bits(EightBits chosen)
{
#if LANES_AVX && !defined(MOTE_DOUBLE)
    return (unsigned)__builtin_ia32_movmskps256((V8)chosen);
#elif defined(__wasm_simd128__) && !defined(MOTE_DOUBLE)
    const Halves8 x = {(V8)chosen};
    return wasm_i32x4_bitmask(x.half[0]) | wasm_i32x4_bitmask(x.half[1]) << 4;
#else
    unsigned bits = 0;
    for (unsigned l = 0; l < 8; ++l) bits |= (unsigned)(chosen[l] & 1) << l;
    return bits;
#endif
}

/* ---- eight records at once ---- */

/* Four numbers at a and four at b, side by side. gcc takes the upper half from memory only where it
 * is told to insert it, and shuffles else. */
EIGHT_INLINE Eight eight_fours(const mote_real *a, const mote_real *b)
{
    Four low, high;
    __builtin_memcpy(&low, a, sizeof low);
    __builtin_memcpy(&high, b, sizeof high);
#if LANES_AVX && !defined(MOTE_DOUBLE) && __has_builtin(__builtin_ia32_vinsertf128_ps256)
    return __builtin_ia32_vinsertf128_ps256(
        __builtin_shufflevector(low, low, 0, 1, 2, 3, -1, -1, -1, -1), high, 1);
#else
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
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

#include "base/formulas/nearest_image.h"

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
