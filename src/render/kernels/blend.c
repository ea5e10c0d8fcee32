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
    float edge;  /* of discs */
    float fade;  /* 1/m: over how much depth the splat fades before the opaque scene */
} Brush;

INLINE Brush brush_make(Profile profile, bool streak, const Splat *s, const Tile *tile)
{
    Ink ink = ink_make(s);
    Brush brush = {.splat = *s, .alpha = spread(ink.alpha), .sharp = 1 / s->reach};
    for (int k = 0; k < 3; ++k) brush.color[k] = spread(ink.color[k]);
    if (streak) brush.streak = *splat_streak(s);
    if (profile == PROFILE_DISC) brush.edge = disc_edge(s->reach);
    if (tile->z != NULL)
        brush.fade = 1 / (radius_per_reach[profile] * s->reach * metres(tile, s->depth));
    return brush;
}

/* Part of a splat that is seen before the opaque scene: all of it a radius before, nothing behind
 * (soft particles, T. Lorach, NVIDIA 2007). */
INLINE V8 in_front(const Tile *tile, const Brush *brush, int x, int y)
{
    return clamped((load8(tile_z(tile, x, y)) - brush->splat.depth) * brush->fade);
}

INLINE void blend_run(const Brush *brush, Tile *tile, int x, int y, V8 w)
{
    if (tile->z != NULL) w *= in_front(tile, brush, x, y);
    blend8(brush->color, brush->alpha, tile_row(tile, y) + (x - tile->box.x0), tile->stride, w);
}

/* ---- splats of at most a run: a vector per row, from wherever the splat starts ---- */

/* The product of a weight along x and one along y. */
INLINE void paint_product(const Brush *brush, Tile *tile, Bounds b, V8 wx, V8 wy)
{
    float rows[RUN];
    store8(rows, wy);
    for (int y = b.y0; y < b.y1; ++y) blend_run(brush, tile, b.x0, y, wx * rows[y - b.y0]);
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
    V8 above = circle_above(&circle, ((float)b.y0 + 0.5f - s->y) - 0.5f, circle.g[0]);
    for (int y = b.y0; y < b.y1; ++y) {
        float edge = ((float)y + 1.5f - brush.splat.y) - 0.5f;
        V8 next = circle_above(&circle, edge, circle.g[y + 1 - b.y0]);
        blend_run(&brush, tile, b.x0, y, clamped(circle.radius2 * (next - above)));
        above = next;
    }
}

INLINE V8 soft_row(V8 square, float dy, float sharp)
{
    V8 e = at_least(1 - square - (dy * sharp) * (dy * sharp), 0);
    return e * e;
}

static void paint_small_soft(const Splat *s, Tile *tile, Bounds b)
{
    const Brush brush = brush_make(PROFILE_SOFT, false, s, tile);
    const float sharp = brush.sharp, top = brush.splat.y;
    V8 ax = pixel_offsets(b.x0, s->x) * sharp, square = ax * ax;
    for (int y = b.y0; y < b.y1; ++y)
        blend_run(&brush, tile, b.x0, y, soft_row(square, ((float)y + 0.5f) - top, sharp));
}

/* ---- any other: aligned runs ---- */

INLINE V8 weight(Profile profile, bool streak, const Brush *brush, V8 dx, float dy)
{
    if (streak && profile == PROFILE_DISC)
        return disc_streak(brush->splat.reach, &brush->streak, dx, dy);
    if (streak) {
        const Streak *k = &brush->streak;
        V8 along = dx * k->u[0] + dy * k->u[1], across = dy * k->u[0] - dx * k->u[1];
        V8 w;
        if (profile == PROFILE_BAR)
            w = bar_streak(brush->splat.reach, k, along, across);
        else
            w = profile == PROFILE_SOFT ? soft_streak(k, along, across)
                                        : gaussian_streak(k, along, across);
        return at_most(w * k->scale, 1);
    }
    if (profile == PROFILE_DISC) return disc_cover(brush->edge, dx, spread(dy));
    V8 ax = dx * brush->sharp;
    if (profile == PROFILE_SOFT) return soft_row(ax * ax, dy, brush->sharp);
    float ay = dy * brush->sharp;
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
    const int row = y - tile->box.y0, last = (span[1] - 1 - tile->box.x0) / RUN;
    uint8_t *closed = tile->closed + row * (tile->stride / RUN);
    const float dy = ((float)y + 0.5f) - brush->splat.y;
    for (int run = (span[0] - tile->box.x0) / RUN; run <= last; ++run) {
        if (closed[run]) continue;
        int x = tile->box.x0 + run * RUN;
        V8 w = weight(profile, streak, brush, pixel_offsets(x, brush->splat.x), dy);
        if (tile->z != NULL) w *= in_front(tile, brush, x, y);
        V8 t = blend8(brush->color, brush->alpha, tile_row(tile, y) + run * RUN, tile->stride, w);
        if (brush->alpha[0] > 0 && !any_open(t)) close_run(tile, row, run);
    }
}

INLINE void paint_runs(Profile profile, bool streak, const Splat *s, Tile *tile, Bounds b)
{
    const Brush brush = brush_make(profile, streak, s, tile);
    for (int y = b.y0; y < b.y1; ++y) {
        int span[2] = {b.x0, b.x1};
        if (streak) streak_span(s, (float)y, (float)(y + 1), span);
        if (span[0] < span[1]) paint_row(profile, streak, &brush, tile, span, y);
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
    for (size_t i = 0; i < count && tile->open > 0; ++i) {
        const Splat *splat = &splats[(uint32_t)order[i]];
        if (i + AHEAD < count) __builtin_prefetch(&splats[(uint32_t)order[i + AHEAD]]);
        Bounds bounds = splat_bounds(splat, tile->box);
        if (bounds_empty(bounds)) continue;
        Profile profile = splat_profile(splat);
        Paint *const *paint = paints[splat->reach > 0.5f * RUN];
        (splat->kind & KIND_STREAK ? streak_paints : paint)[profile](splat, tile, bounds);
    }
}
