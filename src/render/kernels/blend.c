/* Blending the splats of a tile from front to back. Every weight depends on the splat and the pixel
 * alone and is exactly zero outside the splat's bounds, so tiles leave no trace.
 *
 * A run of eight pixels whose T is below 1/512 everywhere is closed: its T moves to `behind` and
 * becomes zero. Only splats wider than a run look for that, whatever tile they are drawn in. */
#include "render/kernels/ink.h"
#include "render/kernels/kernels.h"
#include "render/kernels/sphere.h"
#include "render/kernels/weights.h"

#define CLOSED_BELOW (1 / 512.0f)
enum { AHEAD = 6 }; /* splats that are fetched before they are needed */

/* Radius of a particle per reach of its profile, about. */
static const float radius_per_reach[PROFILE_COUNT] = {
    [PROFILE_GAUSSIAN] = 0.63f, [PROFILE_FINE] = 0.5f, [PROFILE_SOFT] = 1, [PROFILE_DISC] = 1,
    [PROFILE_TENT] = 0.5f,      [PROFILE_SPHERE] = 1,  [PROFILE_BAR] = 1};

/* One splat, ready for its rows: a copy, because for the compiler the planes that are written could
 * be the original. */
typedef struct Brush {
    Splat splat;
    Streak streak;
    V8 color[3], alpha;
    float sharp; /* 1 / reach */
    float mix;   /* of the soft profile */
    float fade;  /* 1/m: over how much depth the splat fades before the opaque scene */
} Brush;

/* What is not needed is left undefined: clearing it would cost more than a row of pixels. */
INLINE Brush brush_make(Profile profile, bool streak, const Splat *s, const Tile *tile)
{
    Ink ink = ink_make(s);
    Brush brush;
    brush.splat = *s;
    brush.alpha = spread(ink.alpha);
    brush.sharp = 1 / s->reach;
    for (int k = 0; k < 3; ++k) brush.color[k] = spread(ink.color[k]);
    if (streak) brush.streak = *splat_streak(s);
    if (profile == PROFILE_SOFT) brush.mix = soft_mix(s);
    if (tile->z != NULL)
        brush.fade = 1 / (radius_per_reach[profile] * s->reach * metres(tile, s->depth));
    return brush;
}

/* Part of a splat that is seen before the opaque scene: all of it a radius before, nothing behind
 * (soft particles, T. Lorach, NVIDIA 2007). */
INLINE V8 in_front(const Brush *brush, const float *z)
{
    return clamped((load8(z) - brush->splat.depth) * brush->fade);
}

/* ---- splats of at most a run: a vector per row, from wherever the splat starts ---- */

/* Where the next row is. Copies of what the tile holds, which for the compiler could change with
 * every pixel that is written. */
typedef struct Cursor {
    float *at;
    const float *z; /* NULL: nothing is in the way */
    size_t stride;
} Cursor;

INLINE Cursor cursor_make(const Tile *tile, Bounds b)
{
    return (Cursor){.at = tile_row(tile, b.y0) + (b.x0 - tile->box.x0),
                    .z = tile->z != NULL ? tile_z(tile, b.x0, b.y0) : NULL,
                    .stride = (size_t)tile->stride};
}

INLINE void stamp(const Brush *brush, Cursor *cursor, V8 w)
{
    if (cursor->z != NULL) {
        w *= in_front(brush, cursor->z);
        cursor->z += cursor->stride;
    }
    blend8(brush->color, brush->alpha, cursor->at, cursor->stride, w);
    cursor->at += 4 * cursor->stride;
}

/* The product of a weight along x and one along y. */
INLINE void paint_product(const Brush *brush, Tile *tile, Bounds b, V8 wx, V8 wy)
{
    Cursor cursor = cursor_make(tile, b);
    float rows[RUN];
    store8(rows, wy);
    for (int i = 0; i < b.y1 - b.y0; ++i) stamp(brush, &cursor, wx * rows[i]);
}

static void paint_fine(const Splat *s, Tile *tile, Bounds b)
{
    const Brush brush = brush_make(PROFILE_FINE, false, s, tile);
    const float sharp = 3 / (s->reach - 0.5f);
    paint_product(&brush, tile, b, bell_pixel(pixel_offsets(b.x0, s->x), sharp),
                  bell_pixel(pixel_offsets(b.y0, s->y), sharp));
}

static void paint_tent(const Splat *s, Tile *tile, Bounds b)
{
    const Brush brush = brush_make(PROFILE_TENT, false, s, tile);
    paint_product(&brush, tile, b, at_least(1 - magnitude(pixel_offsets(b.x0, s->x)), 0),
                  at_least(1 - magnitude(pixel_offsets(b.y0, s->y)), 0));
}

static void paint_small_disc(const Splat *s, Tile *tile, Bounds b)
{
    const Brush brush = brush_make(PROFILE_DISC, false, s, tile);
    const Circle circle = circle_make(s, b.x0, b.y0);
    Cursor cursor = cursor_make(tile, b);
    V8 above = circle_above(&circle, 0);
    for (int i = 1; i <= b.y1 - b.y0; ++i) {
        V8 next = circle_above(&circle, i);
        stamp(&brush, &cursor, clamped(circle.radius2 * (next - above)));
        above = next;
    }
}

static void paint_small_soft(const Splat *s, Tile *tile, Bounds b)
{
    const Brush brush = brush_make(PROFILE_SOFT, false, s, tile);
    V8 ax = pixel_offsets(b.x0, s->x) * brush.sharp, ay = pixel_offsets(b.y0, s->y) * brush.sharp;
    V8 rest = 1 - ax * ax;
    const float mix = soft_mix(s);
    Cursor cursor = cursor_make(tile, b);
    float rows[RUN];
    store8(rows, ay * ay);
    for (int i = 0; i < b.y1 - b.y0; ++i) stamp(&brush, &cursor, soft(rest - rows[i], mix));
}

/* ---- any other: aligned runs ---- */

INLINE V8 weight(Profile profile, bool streak, const Brush *brush, V8 dx, float dy)
{
    if (streak && profile == PROFILE_DISC)
        return disc_streak(brush->splat.reach - DISC_EDGE, &brush->streak, dx, dy);
    if (streak) {
        const Streak *k = &brush->streak;
        V8 along = dx * k->u[0] + dy * k->u[1], across = dy * k->u[0] - dx * k->u[1];
        V8 w;
        if (profile == PROFILE_BAR)
            w = bar_streak(brush->splat.reach, k, along, across);
        else
            w = profile == PROFILE_SOFT ? soft_streak(&brush->splat, k, along, across)
                                        : gaussian_streak(k, along, across);
        return at_most(w * k->scale, 1);
    }
    if (profile == PROFILE_DISC) return disc_cover(brush->splat.reach - DISC_EDGE, dx, dy);
    V8 ax = dx * brush->sharp;
    float ay = dy * brush->sharp;
    if (profile == PROFILE_SOFT) return soft((1 - ax * ax) - ay * ay, brush->mix);
    return gaussian(ax * ax + ay * ay);
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

INLINE void paint_row(Profile profile, bool streak, const Brush *brush, Tile *tile,
                      const int span[2], int y)
{
    const int left = tile->box.x0, last = (span[1] - 1 - left) / RUN, row = y - tile->box.y0;
    const size_t stride = (size_t)tile->stride;
    const float *z = tile->z != NULL ? tile_z(tile, left, y) : NULL;
    float *at = tile_row(tile, y);
    uint8_t *closed = tile->closed + (size_t)row * (stride / RUN);
    const float dy = ((float)y + 0.5f) - brush->splat.y;
    const bool hides = brush->alpha[0] > 0;
    for (int run = (span[0] - left) / RUN; run <= last; ++run) {
        if (closed[run]) continue;
        V8 w = weight(profile, streak, brush, pixel_offsets(left + run * RUN, brush->splat.x), dy);
        if (z != NULL) w *= in_front(brush, z + run * RUN);
        V8 t = blend8(brush->color, brush->alpha, at + run * RUN, stride, w);
        if (hides && !any_open(t)) close_run(tile, row, run);
    }
}

/* Streaks whose rows fit a run: from wherever the row starts. */
INLINE void paint_narrow(Profile profile, const Brush *brush, Tile *tile, const int span[2], int y)
{
    const size_t stride = (size_t)tile->stride;
    V8 dx = pixel_offsets(span[0], brush->splat.x);
    V8 w = weight(profile, true, brush, dx, ((float)y + 0.5f) - brush->splat.y);
    if (tile->z != NULL) w *= in_front(brush, tile_z(tile, span[0], y));
    blend8(brush->color, brush->alpha, tile_row(tile, y) + (span[0] - tile->box.x0), stride, w);
}

INLINE void paint_runs(Profile profile, bool streak, const Splat *s, Tile *tile, Bounds b)
{
    const Brush brush = brush_make(profile, streak, s, tile);
    const bool narrow = streak && streak_is_narrow(s);
    for (int y = b.y0; y < b.y1; ++y) {
        int span[2] = {b.x0, b.x1};
        if (streak) streak_span(s, (float)y + 0.5f, (float)y + 0.5f, span);
        if (span[0] >= span[1]) continue;
        if (narrow)
            paint_narrow(profile, &brush, tile, span, y);
        else
            paint_row(profile, streak, &brush, tile, span, y);
    }
}

/* X(name, profile, streak) */
#define RUN_PAINTS(X)                                                                              \
    X(paint_gaussian, PROFILE_GAUSSIAN, false)                                                     \
    X(paint_soft, PROFILE_SOFT, false)                                                             \
    X(paint_disc, PROFILE_DISC, false)                                                             \
    X(paint_gaussian_streak, PROFILE_GAUSSIAN, true)                                               \
    X(paint_soft_streak, PROFILE_SOFT, true)                                                       \
    X(paint_disc_streak, PROFILE_DISC, true)                                                       \
    X(paint_bar, PROFILE_BAR, true)

#define DEFINE_PAINT(name, profile, streak)                                                        \
    static void name(const Splat *s, Tile *tile, Bounds b)                                         \
    {                                                                                              \
        paint_runs(profile, streak, s, tile, b);                                                   \
    }
RUN_PAINTS(DEFINE_PAINT)

/* ---- all ---- */

static void paint_sphere(const Splat *s, Tile *tile, Bounds b)
{
    sphere_rim(s, tile, b);
}

typedef void Paint(const Splat *splat, Tile *tile, Bounds b);

/* [wider than a run, in whatever tile][profile] */
static Paint *const paints[2][PROFILE_COUNT] = {
    {[PROFILE_GAUSSIAN] = paint_gaussian,
     [PROFILE_FINE] = paint_fine,
     [PROFILE_SOFT] = paint_small_soft,
     [PROFILE_DISC] = paint_small_disc,
     [PROFILE_TENT] = paint_tent,
     [PROFILE_SPHERE] = paint_sphere},
    {[PROFILE_GAUSSIAN] = paint_gaussian,
     [PROFILE_FINE] = paint_fine,
     [PROFILE_SOFT] = paint_soft,
     [PROFILE_DISC] = paint_disc,
     [PROFILE_TENT] = paint_tent,
     [PROFILE_SPHERE] = paint_sphere},
};
static Paint *const streak_paints[PROFILE_COUNT] = {
    [PROFILE_GAUSSIAN] = paint_gaussian_streak,
    [PROFILE_SOFT] = paint_soft_streak,
    [PROFILE_DISC] = paint_disc_streak,
    [PROFILE_BAR] = paint_bar,
};

void ISA(splat_blend)(Tile *tile, const Splat *splats, const uint64_t *order, size_t count)
{
    const Limits limits = tile->limits;
    for (size_t i = 0; i < count && tile->open > 0; ++i) {
        const Splat *splat = &splats[(uint32_t)order[i]];
        __builtin_prefetch(&splats[(uint32_t)order[i + AHEAD < count ? i + AHEAD : i]]);
        Bounds bounds = splat_bounds(splat, &limits);
        if (bounds_empty(bounds)) continue;
        Profile profile = splat_profile(splat);
        Paint *const *paint = paints[splat->reach > 0.5f * RUN];
        (splat->kind & KIND_STREAK ? streak_paints : paint)[profile](splat, tile, bounds);
    }
}
