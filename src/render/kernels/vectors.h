/* Eight pixels at a time. */
#ifndef RENDER_KERNELS_VECTORS_H
#define RENDER_KERNELS_VECTORS_H

#include "base/lanes.h"
#include "render/splat.h"

#include <stdint.h>
#include <string.h>

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

INLINE V8 magnitude(V8 x)
{
    return (V8)((I8)x & 0x7fffffff);
}

INLINE V8 at_least(V8 x, float limit)
{
    return most8(x, all8(limit));
}

INLINE V8 at_most(V8 x, float limit)
{
    return least8(x, all8(limit));
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
