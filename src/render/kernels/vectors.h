/* Eight floats at a time, by the vector extensions of gcc and clang: the same bits on any
 * instruction set. Least, most and root are intrinsics where there are some, because gcc finds no
 * instruction for them in vector expressions. */
#ifndef RENDER_KERNELS_VECTORS_H
#define RENDER_KERNELS_VECTORS_H

#include "render/splat.h"

#include <stdint.h>
#include <string.h>

typedef float V8 __attribute__((vector_size(32)));
typedef int32_t I8 __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

INLINE V8 load8(const float *from)
{
    V8 v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store8(float *to, V8 v)
{
    memcpy(to, &v, sizeof v);
}

INLINE V8 spread(float x)
{
    return (V8){x, x, x, x, x, x, x, x};
}

/* Four words of any type. */
INLINE V4 load4(const void *from)
{
    V4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* Rows become columns. */
INLINE void transpose4(V4 v[4])
{
    V4 a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
    V4 b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
    V4 c = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
    V4 d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
    v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    v[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    v[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

/* x where the mask is set, else 0. */
INLINE V8 where(I8 mask, V8 x)
{
    return (V8)((I8)x & mask);
}

INLINE V8 choose(I8 mask, V8 yes, V8 no)
{
    return (V8)(((I8)yes & mask) | ((I8)no & ~mask));
}

INLINE V8 magnitude(V8 x)
{
    return (V8)((I8)x & 0x7fffffff);
}

/* a > b ? a : b, a < b ? a : b and sqrt, lane by lane; NaN in a gives b. */
#if defined(__AVX__)
INLINE V8 most8(V8 a, V8 b)
{
    return (V8)_mm256_max_ps((__m256)a, (__m256)b);
}

INLINE V8 least8(V8 a, V8 b)
{
    return (V8)_mm256_min_ps((__m256)a, (__m256)b);
}

INLINE V8 root(V8 x)
{
    return (V8)_mm256_sqrt_ps((__m256)x);
}
#elif defined(__SSE2__)
typedef union Halves {
    V8 whole;
    __m128 half[2];
} Halves;

INLINE V8 most8(V8 a, V8 b)
{
    Halves x = {a}, y = {b};
    for (int i = 0; i < 2; ++i) x.half[i] = _mm_max_ps(x.half[i], y.half[i]);
    return x.whole;
}

INLINE V8 least8(V8 a, V8 b)
{
    Halves x = {a}, y = {b};
    for (int i = 0; i < 2; ++i) x.half[i] = _mm_min_ps(x.half[i], y.half[i]);
    return x.whole;
}

INLINE V8 root(V8 x)
{
    Halves y = {x};
    for (int i = 0; i < 2; ++i) y.half[i] = _mm_sqrt_ps(y.half[i]);
    return y.whole;
}
#else
INLINE V8 most8(V8 a, V8 b)
{
    return choose(a > b, a, b);
}

INLINE V8 least8(V8 a, V8 b)
{
    return choose(a < b, a, b);
}

INLINE V8 root(V8 x)
{
    for (int i = 0; i < 8; ++i) x[i] = __builtin_sqrtf(x[i]);
    return x;
}
#endif

INLINE V8 at_least(V8 x, float limit)
{
    return most8(x, spread(limit));
}

INLINE V8 at_most(V8 x, float limit)
{
    return least8(x, spread(limit));
}

INLINE V8 within(V8 x, V8 low, V8 high)
{
    return least8(most8(x, low), high);
}

INLINE V8 clamped(V8 x)
{
    return at_most(at_least(x, 0), 1);
}

/* From `center` to the middles of eight pixels. */
static const V8 middles = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f};

INLINE V8 pixel_offsets(int first, float center)
{
    return (middles + (float)first) - center;
}

#endif
