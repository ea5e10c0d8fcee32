/* Opaque, lit spheres: seen as discs whose pixels have a depth of their own,
 *     z = depth - r sqrt(1 - d^2 / R^2).
 * Pixels that are covered wholly are drawn first, the nearest one wins; those of the rim are then
 * blended with everything else, in depth order. Spheres that are not opaque are blended whole, and
 * so are those that move: the mean of what they are at moments of the shutter's time. */
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
    return splat_profile(s) == PROFILE_SPHERE && s->alpha >= WHOLE &&
           !(s->kind & (KIND_ADDED | KIND_STREAK));
}

INLINE Ball ball_make(const Splat *s, const Tile *tile, SplatBounds b)
{
    float radius = s->reach - DISC_EDGE;
    radius = radius > 1e-3f ? radius : 1e-3f;
    Ball ball = {.x = s->x,
                 .y = s->y,
                 .depth = s->depth,
                 .radius = radius,
                 .inverse = 1 / radius,
                 .world = radius * metres(tile, s->depth),
                 .small = s->reach <= SMALL_REACH && !(s->kind & KIND_STREAK),
                 .ink = ink_make(s)};
    if (ball.small) ball.circle = circle_make(s, b.x0, b.y0, b.y1 - b.y0);
    return ball;
}

/* Coverage of eight pixels; small balls begin at b.x0. */
INLINE V8 ball_cover(const Ball *ball, SplatBounds b, V8 dx, int y)
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
    return sqrt8(at_least(1 - nx * nx - ny * ny, 0));
}

INLINE void ball_shade(const Ball *ball, const Shading *shading, V8 dx, float dy, V8 height,
                       V8 color[3])
{
    V8 nx = dx * ball->inverse, light[3];
    float ny = dy * ball->inverse;
    for (int k = 0; k < 3; ++k) light[k] = all8(shading->ambient[k]);
    for (int i = 0; i < shading->count; ++i) {
        const float *toward = shading->lights[i].toward, *tint = shading->lights[i].color;
        V8 facing = at_least(nx * toward[0] + ny * toward[1] - height * toward[2], 0);
        for (int k = 0; k < 3; ++k) light[k] += facing * tint[k];
    }
    for (int k = 0; k < 3; ++k) color[k] = light[k] * ball->ink.color[k];
}

/* The first of eight pixels: small balls take a vector a row, large ones aligned runs. */
INLINE int ball_first(const Ball *ball, const Tile *tile, SplatBounds b)
{
    return ball->small ? b.x0 : tile->box.x0 + (b.x0 - tile->box.x0) / RUN * RUN;
}

INLINE void rim_run(const Ball *ball, Tile *tile, SplatBounds b, int x, int y, bool solid)
{
    V8 dx = pixel_offsets(x, ball->x), color[3], w = ball_cover(ball, b, dx, y);
    float dy = (float)y + 0.5f - ball->y;
    V8 height = ball_height(ball, dx, dy);
    if (solid) w = where(w < WHOLE, w);
    if (tile->z != NULL)
        w = where(load8(tile_z(tile, x, y)) > ball->depth - height * ball->world, w);
    ball_shade(ball, tile->shading, dx, dy, height, color);
    blend8(color, all8(ball->ink.alpha), tile_row(tile, y) + (x - tile->box.x0),
           (size_t)tile->stride, w);
}

/* ---- spheres that move ---- */

enum { MOMENTS = 64 }; /* at most; else a quarter or half of a pixel apart */

/* Colour and coverage of eight pixels, weighted and summed over the moments. */
INLINE void moments_sum(const Ball *ball, const Tile *tile, const Streak *k, V8 dx, float dy,
                        V8 before, V8 sum[4])
{
    const float moments = (2 * k->half < DISC_SHORT ? 8 : 4) * k->half;
    const int count = moments < MOMENTS ? (int)moments + 1 : MOMENTS;
    const float step = 2 * k->half / (float)count, first = 0.5f * step - k->half;
    const bool exact = ball->radius < 1 || 2 * k->half < DISC_SHORT;
    for (int c = 0; c < 4; ++c) sum[c] = all8(0);
    for (int i = 0; i < count; ++i) {
        const float t = first + step * (float)i, y = dy - t * k->u[1];
        V8 x = dx - t * k->u[0], color[3], height = ball_height(ball, x, y);
        V8 w = exact ? disc_cover(ball->radius, x, y)
                     : clamped(ball->radius + 0.5f - sqrt8(x * x + y * y));
        w = where(before > ball->depth - height * ball->world, w) * (1 / (float)count);
        ball_shade(ball, tile->shading, x, y, height, color);
        for (int c = 0; c < 3; ++c) sum[c] += w * color[c];
        sum[3] += w;
    }
}

INLINE void sphere_streak(const Splat *s, Tile *tile, SplatBounds b)
{
    const Ball ball = ball_make(s, tile, b);
    const Slant slant = slant_make(s);
    const Streak k = *splat_streak(s);
    const size_t stride = (size_t)tile->stride;
    for (int y = b.y0; y < b.y1; ++y) {
        const float dy = ((float)y + 0.5f) - s->y;
        const Span span = slant_span(&slant, dy, (float)b.x0, (float)b.x1);
        for (int x = span.begin; x < span.end; x += RUN) {
            V8 before = tile->z != NULL ? load8(tile_z(tile, x, y)) : all8(1e30f), sum[4];
            moments_sum(&ball, tile, &k, pixel_offsets(x, s->x), dy, before, sum);
            blend8(sum, sum[3] * ball.ink.alpha, tile_row(tile, y) + (x - tile->box.x0), stride,
                   all8(1));
        }
    }
}

INLINE void sphere_rim(const Splat *s, Tile *tile, SplatBounds b)
{
    const Ball ball = ball_make(s, tile, b);
    const bool solid = sphere_is_solid(s) && tile->solid != NULL;
    for (int y = b.y0; y < b.y1; ++y)
        for (int x = ball_first(&ball, tile, b); x < b.x1; x += RUN)
            rim_run(&ball, tile, b, x, y, solid);
}

#endif
