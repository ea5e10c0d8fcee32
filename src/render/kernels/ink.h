/* Premultiplied `over` and added light in one pass from front to back,
 *     D += T w color,  T -= T w alpha,
 * eight pixels at a time (T: what still comes through). */
#ifndef RENDER_KERNELS_INK_H
#define RENDER_KERNELS_INK_H

#include "render/kernels/vectors.h"
#include "render/splat.h"

typedef struct Ink {
    float color[3], alpha; /* at weight 1; alpha 0: added light */
} Ink;

INLINE Ink ink_make(const Splat *s)
{
    uint32_t bits = (uint32_t)(s->exponent - 16) << 23; /* 2^(exponent - 143) */
    float step, color[4];
    HalfWords4 steps;
    memcpy(&step, &bits, sizeof step);
    memcpy(&steps, s->color, sizeof steps); /* and what follows, which is not used */
    V4 light = __builtin_convertvector(__builtin_convertvector(steps, I4), V4) * (step * s->alpha);
    memcpy(color, &light, sizeof color);
    return (Ink){{color[0], color[1], color[2]}, s->kind & KIND_ADDED ? 0 : s->alpha};
}

/* Blends eight pixels at `at` (red; the other planes follow); returns what comes through now. */
INLINE V8 blend8(const V8 color[3], V8 alpha, float *at, size_t stride, V8 w)
{
    V8 t = load8(at + 3 * stride), light = t * w;
    store8(at, load8(at) + light * color[0]);
    store8(at + stride, load8(at + stride) + light * color[1]);
    store8(at + 2 * stride, load8(at + 2 * stride) + light * color[2]);
    t = t - light * alpha;
    store8(at + 3 * stride, t);
    return t;
}

/* ---- what is in front of the opaque scene ---- */

INLINE const float *tile_z(const Tile *tile, int x, int y)
{
    return tile->z + (size_t)(y - tile->box.y0) * (size_t)tile->stride + (size_t)(x - tile->box.x0);
}

/* m per px at the depth of a splat. */
INLINE float metres(const Tile *tile, float depth)
{
    return (tile->view->orthographic ? 1 : depth) / tile->view->focal;
}

#endif
