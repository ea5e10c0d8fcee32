/* Opaque, lit spheres: seen as discs whose pixels have a depth of their own,
 *     z = depth - r sqrt(1 - d^2 / R^2).
 * Pixels that are covered wholly are drawn first, the nearest one wins; those of the rim are then
 * blended with everything else, in depth order. Spheres that are not opaque are blended whole. */
#ifndef RENDER_KERNELS_SPHERE_H
#define RENDER_KERNELS_SPHERE_H

#include "render/kernels/ink.h"
#include "render/kernels/weights.h"

#define WHOLE 0.999f /* coverage from which a pixel is covered wholly */

typedef struct Ball {
    float x, y, depth;
    float radius;         /* px */
    float inverse, world; /* 1/px and m, of the radius */
    bool small;
    Ink ink;
    Circle circle;
} Ball;

INLINE bool sphere_is_solid(const Splat *s)
{
    return splat_profile(s) == PROFILE_SPHERE && s->alpha >= WHOLE && !(s->kind & KIND_ADDED);
}

INLINE Ball ball_make(const Splat *s, const Tile *tile, Bounds b)
{
    float radius = s->reach - DISC_EDGE;
    radius = radius > 1e-3f ? radius : 1e-3f;
    Ball ball = {.x = s->x,
                 .y = s->y,
                 .depth = s->depth,
                 .radius = radius,
                 .inverse = 1 / radius,
                 .world = radius * metres(tile, s->depth),
                 .small = s->reach <= 0.5f * RUN,
                 .ink = ink_make(s)};
    if (ball.small) ball.circle = circle_make(s, b.x0, b.y0, b.y1 - b.y0);
    return ball;
}

/* Coverage of eight pixels; small balls begin at b.x0. */
INLINE V8 ball_cover(const Ball *ball, Bounds b, V8 dx, int y)
{
    if (!ball->small) return disc_cover(ball->radius, dx, (float)y + 0.5f - ball->y);
    V8 area = circle_above(&ball->circle, y + 1 - b.y0) - circle_above(&ball->circle, y - b.y0);
    return clamped(ball->circle.radius2 * area);
}

/* Toward the eye: the third part of the normal, less its sign. */
INLINE V8 ball_height(const Ball *ball, V8 dx, float dy)
{
    V8 nx = dx * ball->inverse;
    float ny = dy * ball->inverse;
    return root(at_least(1 - nx * nx - ny * ny, 0));
}

INLINE void ball_shade(const Ball *ball, const Shading *shading, V8 dx, float dy, V8 height,
                       V8 color[3])
{
    V8 nx = dx * ball->inverse, light[3];
    float ny = dy * ball->inverse;
    for (int k = 0; k < 3; ++k) light[k] = spread(shading->ambient[k]);
    for (int i = 0; i < shading->count; ++i) {
        const float *toward = shading->lights[i].toward, *tint = shading->lights[i].color;
        V8 facing = at_least(nx * toward[0] + ny * toward[1] - height * toward[2], 0);
        for (int k = 0; k < 3; ++k) light[k] += facing * tint[k];
    }
    for (int k = 0; k < 3; ++k) color[k] = light[k] * ball->ink.color[k];
}

/* The first of eight pixels: small balls take a vector a row, large ones aligned runs. */
INLINE int ball_first(const Ball *ball, const Tile *tile, Bounds b)
{
    return ball->small ? b.x0 : tile->box.x0 + (b.x0 - tile->box.x0) / RUN * RUN;
}

INLINE void rim_run(const Ball *ball, Tile *tile, Bounds b, int x, int y, bool solid)
{
    V8 dx = pixel_offsets(x, ball->x), color[3], w = ball_cover(ball, b, dx, y);
    float dy = (float)y + 0.5f - ball->y;
    V8 height = ball_height(ball, dx, dy);
    if (solid) w = where(w < WHOLE, w);
    if (tile->z != NULL)
        w = where(load8(tile_z(tile, x, y)) > ball->depth - height * ball->world, w);
    ball_shade(ball, tile->shading, dx, dy, height, color);
    blend8(color, spread(ball->ink.alpha), tile_row(tile, y) + (x - tile->box.x0),
           (size_t)tile->stride, w);
}

INLINE void sphere_rim(const Splat *s, Tile *tile, Bounds b)
{
    const Ball ball = ball_make(s, tile, b);
    const bool solid = sphere_is_solid(s) && tile->solid != NULL;
    for (int y = b.y0; y < b.y1; ++y)
        for (int x = ball_first(&ball, tile, b); x < b.x1; x += RUN)
            rim_run(&ball, tile, b, x, y, solid);
}

#endif
