/* Straight lines as streaks. Thin ones are a Gaussian across, of the line's width and the pixel's
 * filter, whose integral is the width: lines thinner than a pixel become faint instead of broken.
 * Wider ones have an edge. */
#include "render/splat.h"

#include <string.h>

#define SHARP    3.0f /* px: wider lines have an edge */
#define FARTHEST 1e6f /* px */

static float magnitude(float x)
{
    return x < 0 ? -x : x;
}

/* Colours share an exponent; see Splat. */
static void set_color(Splat *splat, const float color[3])
{
    float most = 1e-30f;
    for (int k = 0; k < 3; ++k) most = color[k] > most ? color[k] : most;
    most = most < 1e8f ? most : 1e8f;
    uint32_t bits;
    float scale;
    memcpy(&bits, &most, sizeof bits);
    splat->exponent = (uint8_t)((bits >> 23) + 1);
    bits = (uint32_t)(270 - splat->exponent) << 23;
    memcpy(&scale, &bits, sizeof scale);
    for (int k = 0; k < 3; ++k) {
        float steps = (color[k] > 0 ? color[k] : 0) * scale + 0.5f;
        splat->color[k] = (uint16_t)(steps < 65535 ? steps : 65535);
    }
}

/* Across and at the ends. */
static void set_shape(float width, float length, Splat *splat, Streak *streak)
{
    const float across = __builtin_sqrtf(width * width * 0.15915494f + 1 / 6.0f); /* 1/(2 pi) */
    bool sharp = width > SHARP;
    splat->kind = KIND_STREAK | (sharp ? PROFILE_BAR : PROFILE_GAUSSIAN);
    splat->reach = sharp ? 0.5f * width + 0.5f : 3 * across + 0.5f;
    streak->half = 0.5f * length;
    streak->scale = sharp ? 1 : width;
    streak->sharp[0] = 2; /* the pixel's filter */
    streak->sharp[1] = 1 / across;
    const float end = streak->half + 1.5f, *u = streak->u;
    for (int k = 0; k < 2; ++k)
        streak->extent[k] = magnitude(u[k]) * end + magnitude(u[1 - k]) * splat->reach;
}

static bool is_seen(const View *view, const Splat *splat, const Streak *streak)
{
    const float size[2] = {(float)view->width, (float)view->height};
    const float place[2] = {splat->x, splat->y}, *extent = streak->extent;
    for (int k = 0; k < 2; ++k)
        if (!(place[k] + extent[k] > 0 && place[k] - extent[k] < size[k])) return false;
    return splat->depth >= view->near && splat->depth < 1e30f && splat->alpha > 0;
}

size_t stroke_splat(const View *view, const Stroke *stroke, Splat *out)
{
    const float *a = stroke->ends[0], *b = stroke->ends[1];
    float way[2] = {b[0] - a[0], b[1] - a[1]};
    float length = __builtin_sqrtf(way[0] * way[0] + way[1] * way[1]);
    float far = magnitude(a[0]) + magnitude(a[1]) + magnitude(b[0]) + magnitude(b[1]);
    if (!(far < FARTHEST) || !(length > 1e-4f) || !(stroke->width > 0)) return 0;
    float width = stroke->width < FARTHEST ? stroke->width : FARTHEST;
    Splat splat = {.x = 0.5f * (a[0] + b[0]),
                   .y = 0.5f * (a[1] + b[1]),
                   .depth = stroke->depth,
                   .id = stroke->id,
                   .alpha = stroke->alpha < 1 ? stroke->alpha : 1};
    Streak streak = {.u = {way[0] / length, way[1] / length}};
    set_shape(width, length, &splat, &streak);
    set_color(&splat, stroke->color);
    if (stroke->added) splat.kind |= KIND_ADDED;
    if (!is_seen(view, &splat, &streak)) return 0;
    memcpy(out, &splat, sizeof splat);
    memcpy(out + 1, &streak, sizeof streak);
    return 2;
}
