/* Splats that are made ready, eight at a time and one by one. For blend.c alone. */
#ifndef RENDER_KERNELS_BRUSH_H
#define RENDER_KERNELS_BRUSH_H

#include "render/kernels/ink.h"
#include "render/kernels/kernels.h"
#include "render/kernels/weights.h"

enum { BATCH = 8 }; /* splats that are made ready at a time */

/* Radius of a particle per reach of its profile, about. */
static const float radius_per_reach[PROFILE_COUNT] = {
    [PROFILE_GAUSSIAN] = 0.63f, [PROFILE_FINE] = 0.5f, [PROFILE_SOFT] = 1, [PROFILE_DISC] = 1,
    [PROFILE_TENT] = 0.5f,      [PROFILE_SPHERE] = 1,  [PROFILE_BAR] = 1,  [PROFILE_SPRITE] = 0.7f};

/* Eight splats, each word of their records a plane. */
typedef struct Batch {
    const Splat *splat[BATCH];
    float x[BATCH], y[BATCH], depth[BATCH], id[BATCH], reach[BATCH], opacity[BATCH];
    uint32_t light[2][BATCH];
    /* made from these */
    int32_t bounds[4][BATCH]; /* of pixels in the tile: x0, y0, x1, y1 */
    float corner[2][BATCH];   /* x0, y0 */
    int32_t place[BATCH];     /* of the corner in the tile's planes */
    float color[3][BATCH], alpha[BATCH];
    float sharp[BATCH]; /* 1 / reach */
    float thin[BATCH];  /* 1 / deviation, of PROFILE_FINE */
    float mix[BATCH];   /* of the soft profile */
} Batch;

/* One splat, ready for its rows: a copy, because for the compiler the planes that are written could
 * be the original. What is not needed is left undefined. */
typedef struct Brush {
    float x, y, depth, reach;
    const Splat *splat;
    Streak streak;
    V8 color[3], alpha;
    float sharp, mix;
    float inner; /* px: see gaussian_streak */
    float fade;  /* 1/m: over how much depth the splat fades before the opaque scene */
} Brush;

INLINE Brush brush_make(Profile form, bool streak, const Batch *batch, int i, const Tile *tile)
{
    Brush brush;
    brush.x = batch->x[i], brush.y = batch->y[i], brush.reach = batch->reach[i];
    brush.splat = batch->splat[i];
    for (int k = 0; k < 3; ++k) brush.color[k] = all8(batch->color[k][i]);
    brush.alpha = all8(batch->alpha[i]);
    brush.sharp = batch->sharp[i], brush.mix = batch->mix[i];
    if (streak) {
        brush.streak = *splat_streak(brush.splat);
        brush.inner = brush.streak.half - 3 / brush.streak.sharp[0] - 0.01f;
    }
    if (tile->z != NULL) {
        brush.depth = batch->depth[i];
        brush.fade = 1 / (radius_per_reach[form] * brush.reach * metres(tile, brush.depth));
    }
    return brush;
}

/* Part of a splat that is seen before the opaque scene: all of it a radius before, nothing behind
 * (soft particles, T. Lorach, NVIDIA 2007). */
INLINE V8 in_front(const Brush *brush, const float *z)
{
    return clamped((load8(z) - brush->depth) * brush->fade);
}

#endif
