/* Blending a tile: premultiplied `over` and added light in one pass from front to back,
 *     D += T w color,  T -= T w alpha,
 * eight pixels at a time (T: what still comes through). Every weight depends on the splat and the
 * pixel alone and is exactly zero outside the splat's bounds, so tiles leave no trace.
 *
 * A run of eight pixels whose T is below 1/512 everywhere is closed: its T moves to `behind` and
 * becomes zero. Only splats wider than a run look for that, whatever tile they are drawn in. */
#include "render/kernels/kernels.h"

#include <string.h>

typedef float V8 __attribute__((vector_size(32)));
typedef int32_t I8 __attribute__((vector_size(32)));

#define CLOSED_BELOW (1 / 512.0f)
enum { AHEAD = 6 }; /* splats that are fetched before they are needed */

static inline V8 load8(const float *from)
{
    V8 v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store8(float *to, V8 v)
{
    memcpy(to, &v, sizeof v);
}

static inline V8 spread(float x)
{
    return (V8){x, x, x, x, x, x, x, x};
}

/* x where it is positive, else 0; NaN gives 0. */
static inline V8 positive(V8 x)
{
    return (V8)((I8)x & (x > 0));
}

static inline V8 magnitude(V8 x)
{
    return (V8)((I8)x & 0x7fffffff);
}

static inline V8 root(V8 x)
{
    V8 y;
    for (int i = 0; i < 8; ++i) y[i] = __builtin_sqrtf(x[i]);
    return y;
}

/* exp(-5 q) (1 - q^8): the exponential as the eighth power of a polynomial for exp(-5 q / 8). */
static inline V8 gaussian(V8 q)
{
    V8 e = 1 + q * (-0.624994939f + q * (0.195150021f + q * (-0.0398630082f + q * 0.00497391853f)));
    e = e * e;
    e = e * e;
    e = e * e;
    V8 q2 = q * q, q4 = q2 * q2;
    return (V8)((I8)(e * (1 - q4 * q4)) & (q < 1));
}

static inline V8 soft(V8 q)
{
    V8 e = positive(1 - q);
    return e * e;
}

/* One splat, ready for its rows. */
typedef struct Brush {
    Splat splat;  /* a copy: for the compiler, the planes that are written could be the original */
    float radius; /* px: reach of the profile */
    float fade;   /* 1/m: over how much depth the splat fades before the opaque scene */
} Brush;

/* Radius of a particle per reach of its profile. */
static const float radius_per_reach[] = {[PROFILE_GAUSSIAN] = 0.62808691f,
                                         [PROFILE_SOFT] = 1,
                                         [PROFILE_DISC] = 1,
                                         [PROFILE_TENT] = 0.5f};

static inline Brush brush_make(Profile profile, const Splat *s, const Tile *tile)
{
    float radius = 0, fade = 0;
    if (profile == PROFILE_DISC || tile->depth.z != NULL)
        radius = 1 / __builtin_sqrtf(s->u[0] * s->u[0] + s->u[1] * s->u[1]);
    if (tile->depth.z != NULL)
        fade = tile->view->focal /
               (radius_per_reach[profile] * radius * (tile->view->orthographic ? 1 : s->depth));
    return (Brush){.splat = *s, .radius = radius, .fade = fade};
}

static inline V8 clamped(V8 x)
{
    const I8 one = (I8)spread(1);
    x = positive(x);
    I8 below = x < 1;
    return (V8)(((I8)x & below) | (one & ~below));
}

/* Part of the pixel's square on the inner side of the edge, `inside` px from its middle, where the
 * edge is a line with the normal (dx, dy) / d: the convolution of two boxes as wide as the normal's
 * parts, the narrower one by Gauss's two points. */
static inline V8 disc_round(float radius, V8 dx, float dy)
{
    V8 d = root(dx * dx + dy * dy) + 1e-20f;
    V8 nx = magnitude(dx) / d, ny = magnitude(spread(dy)) / d, wider = positive(nx - ny);
    V8 broad = ny + wider, narrow = nx - wider;
    broad = 0.70710678f + positive(broad - 0.70710678f);
    V8 inside = (radius - DISC_EDGE - d) / broad + 0.5f, step = 0.28867513f * narrow / broad;
    return 0.5f * (clamped(inside - step) + clamped(inside + step));
}

/* Streaks: coverage falls from 1 to 0 within a pixel. */
static inline V8 disc_streak(V8 q, float radius)
{
    return clamped(radius - (DISC_EDGE - 0.5f) - radius * root(q));
}

static inline V8 tent(V8 dx, float dy)
{
    float part = 1 - (dy < 0 ? -dy : dy);
    return positive(1 - magnitude(dx)) * (part > 0 ? part : 0);
}

static inline __attribute__((always_inline)) V8 form_q(Form form, const Splat *s, V8 dx, float dy)
{
    if (form == FORM_ROUND) {
        V8 ax = dx * s->u[0];
        float ay = dy * s->u[0];
        return ax * ax + ay * ay;
    }
    V8 along = dx * s->u[0] + dy * s->u[1], across = dy * s->u[0] - dx * s->u[1];
    along = form == FORM_ELLIPSE ? along * s->m : positive(magnitude(along) - s->m);
    return along * along + across * across;
}

static inline __attribute__((always_inline)) V8 weight(Profile profile, Form form,
                                                       const Brush *brush, V8 dx, float dy)
{
    if (profile == PROFILE_TENT) return tent(dx, dy);
    if (profile == PROFILE_DISC && form == FORM_ROUND) return disc_round(brush->radius, dx, dy);
    V8 q = form_q(form, &brush->splat, dx, dy);
    if (profile == PROFILE_GAUSSIAN) return gaussian(q);
    return profile == PROFILE_SOFT ? soft(q) : disc_streak(q, brush->radius);
}

/* Part of a splat that is seen before the opaque scene: all of it a radius before, nothing behind
 * (soft particles, T. Lorach, NVIDIA 2007). */
static inline V8 in_front(const Tile *tile, const Brush *brush, int x, int y)
{
    V8 z = load8(tile->depth.z + (size_t)y * tile->depth.stride + (size_t)x);
    return clamped((z - brush->splat.depth) * brush->fade);
}

/* Blends eight pixels at `at` (red; the other planes follow); returns what comes through now. */
static inline __attribute__((always_inline)) V8 blend8(const Splat *s, float *at, int stride, V8 w)
{
    float *green = at + stride, *blue = green + stride, *through = blue + stride;
    V8 t = load8(through), light = t * w;
    store8(at, load8(at) + light * s->color[0]);
    store8(green, load8(green) + light * s->color[1]);
    store8(blue, load8(blue) + light * s->color[2]);
    t = t - light * s->alpha;
    store8(through, t);
    return t;
}

static inline V8 pixel_offsets(int x, float center)
{
    static const V8 middles = {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f};
    return (middles + (float)x) - center;
}

/* Splats of at most one run: a vector per row, from wherever the splat starts. */
static inline __attribute__((always_inline)) void
paint_small(Profile profile, Form form, const Splat *splat, Tile *tile, Bounds b)
{
    const Brush brush = brush_make(profile, splat, tile);
    const Splat *s = &brush.splat;
    const int stride = tile->stride;
    V8 dx = pixel_offsets(b.x0, s->x);
    float *at = tile_row(tile, b.y0) + (b.x0 - tile->box.x0);
    for (int y = b.y0; y < b.y1; ++y, at += 4 * stride) {
        float dy = ((float)y + 0.5f) - s->y;
        V8 w = weight(profile, form, &brush, dx, dy);
        if (tile->depth.z != NULL) w *= in_front(tile, &brush, b.x0, y);
        blend8(s, at, stride, w);
    }
}

static bool any_open(V8 through)
{
    I8 open = through >= CLOSED_BELOW;
    int64_t words[4];
    memcpy(words, &open, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
}

static void close_run(Tile *tile, int row, int run)
{
    float *through = tile->planes + ((size_t)row * 4 + 3) * (size_t)tile->stride + run * RUN;
    memcpy(tile->behind + (size_t)row * (size_t)tile->stride + run * RUN, through,
           RUN * sizeof(float));
    memset(through, 0, RUN * sizeof(float));
    tile->closed[row * (tile->stride / RUN) + run] = 1;
    --tile->open;
}

static inline __attribute__((always_inline)) void
paint_large(Profile profile, Form form, const Splat *splat, Tile *tile, Bounds b)
{
    const Brush brush = brush_make(profile, splat, tile);
    const Splat *s = &brush.splat;
    const int runs = tile->stride / RUN;
    for (int y = b.y0; y < b.y1; ++y) {
        int span[2] = {b.x0, b.x1}, row = y - tile->box.y0;
        if (form != FORM_ROUND) streak_span(s, (float)y, (float)(y + 1), span);
        if (span[0] >= span[1]) continue;
        float dy = ((float)y + 0.5f) - s->y, *start = tile_row(tile, y);
        int last = (span[1] - 1 - tile->box.x0) / RUN;
        for (int run = (span[0] - tile->box.x0) / RUN; run <= last; ++run) {
            if (tile->closed[row * runs + run]) continue;
            V8 dx = pixel_offsets(tile->box.x0 + run * RUN, s->x);
            V8 w = weight(profile, form, &brush, dx, dy);
            if (tile->depth.z != NULL) w *= in_front(tile, &brush, tile->box.x0 + run * RUN, y);
            V8 t = blend8(s, start + run * RUN, tile->stride, w);
            if (s->alpha > 0 && !any_open(t)) close_run(tile, row, run);
        }
    }
}

/* X(profile, form): the combinations that exist. */
#define BRUSHES(X)                                                                                 \
    X(GAUSSIAN, ROUND)                                                                             \
    X(GAUSSIAN, ELLIPSE)                                                                           \
    X(GAUSSIAN, CAPSULE)                                                                           \
    X(SOFT, ROUND)                                                                                 \
    X(SOFT, ELLIPSE)                                                                               \
    X(SOFT, CAPSULE)                                                                               \
    X(DISC, ROUND)                                                                                 \
    X(DISC, CAPSULE)                                                                               \
    X(TENT, ROUND)

#define DEFINE_PAINT(profile, form)                                                                \
    static void paint_##profile##_##form(const Splat *splat, Tile *tile, Bounds b, bool large)     \
    {                                                                                              \
        if (large)                                                                                 \
            paint_large(PROFILE_##profile, FORM_##form, splat, tile, b);                           \
        else                                                                                       \
            paint_small(PROFILE_##profile, FORM_##form, splat, tile, b);                           \
    }
BRUSHES(DEFINE_PAINT)

typedef void Paint(const Splat *splat, Tile *tile, Bounds b, bool large);

#define PAINT_ENTRY(profile, form) [PROFILE_##profile][FORM_##form] = paint_##profile##_##form,
static Paint *const paints[4][3] = {BRUSHES(PAINT_ENTRY)};

/* Whether a splat is wider than a run, in whatever tile. */
static bool is_large(const Splat *splat)
{
    return (splat->shape & EXTENT_MOST) >= 4 * RUN / 2;
}

void ISA(splat_blend)(Tile *tile, const Splat *splats, const uint64_t *order, size_t count)
{
    for (size_t i = 0; i < count && tile->open > 0; ++i) {
        const Splat *splat = &splats[(uint32_t)order[i]];
        if (i + AHEAD < count) __builtin_prefetch(&splats[(uint32_t)order[i + AHEAD]]);
        Bounds bounds = splat_bounds(splat, tile->box);
        if (bounds.x0 >= bounds.x1) continue;
        Profile profile = shape_profile(splat->shape);
        paints[profile][shape_form(splat->shape)](splat, tile, bounds, is_large(splat));
    }
}
