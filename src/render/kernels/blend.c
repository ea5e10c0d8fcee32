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
enum { BATCH = 8 }; /* splats that are made ready at a time */

/* Radius of a particle per reach of its profile, about. */
static const float radius_per_reach[PROFILE_COUNT] = {
    [PROFILE_GAUSSIAN] = 0.63f, [PROFILE_FINE] = 0.5f, [PROFILE_SOFT] = 1, [PROFILE_DISC] = 1,
    [PROFILE_TENT] = 0.5f,      [PROFILE_SPHERE] = 1,  [PROFILE_BAR] = 1};

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

/* ---- splats of at most a run: a vector per row, from wherever the splat starts ---- */

/* Where the next row is. Copies of what the tile holds, which for the compiler could change with
 * every pixel that is written. */
typedef struct BlendCursor {
    float *at;
    const float *z; /* NULL: nothing is in the way */
    size_t stride;
} BlendCursor;

INLINE BlendCursor cursor_make(const Tile *tile, SplatBounds b)
{
    return (BlendCursor){.at = tile_row(tile, b.y0) + (b.x0 - tile->box.x0),
                         .z = tile->z != NULL ? tile_z(tile, b.x0, b.y0) : NULL,
                         .stride = (size_t)tile->stride};
}

INLINE void stamp(const Brush *brush, BlendCursor *cursor, V8 w)
{
    if (cursor->z != NULL) {
        w *= in_front(brush, cursor->z);
        cursor->z += cursor->stride;
    }
    blend8(brush->color, brush->alpha, cursor->at, cursor->stride, w);
    cursor->at += 4 * cursor->stride;
}

/* The product of a weight along x and one along y. */
INLINE void paint_product(const Brush *brush, Tile *tile, SplatBounds b, V8 wx, V8 wy)
{
    BlendCursor cursor = cursor_make(tile, b);
    float rows[RUN];
    store8(rows, wy);
    for (int i = 0; i < b.y1 - b.y0; ++i) stamp(brush, &cursor, wx * rows[i]);
}

static void paint_fine(const Batch *batch, int i, Tile *tile, SplatBounds b)
{
    const Brush brush = brush_make(PROFILE_FINE, false, batch, i, tile);
    const float sharp = batch->thin[i];
    const bool full = brush.reach > FINE_SHARED;
    paint_product(&brush, tile, b, bell_pixels((float)b.x0, brush.x, sharp, full),
                  bell_pixels((float)b.y0, brush.y, sharp, full));
}

static void paint_tent(const Batch *batch, int i, Tile *tile, SplatBounds b)
{
    const Brush brush = brush_make(PROFILE_TENT, false, batch, i, tile);
    paint_product(&brush, tile, b, at_least(1 - magnitude(pixel_offsets(b.x0, brush.x)), 0),
                  at_least(1 - magnitude(pixel_offsets(b.y0, brush.y)), 0));
}

static void paint_small_disc(const Batch *batch, int i, Tile *tile, SplatBounds b)
{
    const Brush brush = brush_make(PROFILE_DISC, false, batch, i, tile);
    const Circle circle = circle_make(brush.splat, b.x0, b.y0, b.y1 - b.y0);
    BlendCursor cursor = cursor_make(tile, b);
    V8 above = circle_above(&circle, 0);
    for (int row = 1; row <= b.y1 - b.y0; ++row) {
        V8 next = circle_above(&circle, row);
        stamp(&brush, &cursor, clamped(circle.radius2 * (next - above)));
        above = next;
    }
}

static void paint_small_soft(const Batch *batch, int i, Tile *tile, SplatBounds b)
{
    const Brush brush = brush_make(PROFILE_SOFT, false, batch, i, tile);
    V8 ax = pixel_offsets(b.x0, brush.x) * brush.sharp;
    V8 ay = pixel_offsets(b.y0, brush.y) * brush.sharp, rest = 1 - ax * ax;
    BlendCursor cursor = cursor_make(tile, b);
    float rows[RUN];
    store8(rows, ay * ay);
    for (int row = 0; row < b.y1 - b.y0; ++row)
        stamp(&brush, &cursor, soft(rest - rows[row], brush.mix));
}

/* The two that pictures of many particles are made of, where nothing opaque is in the way: rows by
 * twos, so that splats of one size take the same way through the code; a last row without weight
 * changes nothing, and the tile has one to spare. */
typedef struct Lean {
    V8 color[3], alpha;
    float *at;
    size_t stride;
    int rows;
} Lean;

INLINE Lean lean_make(const Batch *batch, int i, const Tile *tile)
{
    return (Lean){{all8(batch->color[0][i]), all8(batch->color[1][i]), all8(batch->color[2][i])},
                  all8(batch->alpha[i]),
                  tile->planes + batch->place[i],
                  (size_t)tile->stride,
                  batch->bounds[3][i] - batch->bounds[1][i]};
}

INLINE void lean_soft_rows(const Lean *lean, V8 rest, const float *rows, float mix, bool steep)
{
    const size_t row = 4 * lean->stride;
    float *at = lean->at;
    for (int y = 0; y < lean->rows; y += 2, at += 2 * row) {
        V8 upper = steep ? steep_soft(rest - rows[y]) : mixed_soft(rest - rows[y], mix);
        V8 lower = steep ? steep_soft(rest - rows[y + 1]) : mixed_soft(rest - rows[y + 1], mix);
        blend8(lean->color, lean->alpha, at, lean->stride, upper);
        blend8(lean->color, lean->alpha, at + row, lean->stride, lower);
    }
}

INLINE void lean_soft(const Batch *batch, int i, const Tile *tile)
{
    const Lean lean = lean_make(batch, i, tile);
    const float sharp = batch->sharp[i], mix = batch->mix[i];
    V8 ax = ((middles + batch->corner[0][i]) - batch->x[i]) * sharp;
    V8 ay = ((middles + batch->corner[1][i]) - batch->y[i]) * sharp, rest = 1 - ax * ax;
    float rows[RUN];
    store8(rows, ay * ay);
    if (mix > MIX_STEEP)
        lean_soft_rows(&lean, rest, rows, mix, true);
    else
        lean_soft_rows(&lean, rest, rows, mix, false);
}

INLINE void lean_fine(const Batch *batch, int i, const Tile *tile)
{
    const Lean lean = lean_make(batch, i, tile);
    const float sharp = batch->thin[i];
    const bool full = batch->reach[i] > FINE_SHARED;
    V8 wx = bell_pixels(batch->corner[0][i], batch->x[i], sharp, full);
    float rows[RUN], *at = lean.at;
    const size_t row = 4 * lean.stride;
    store8(rows, bell_pixels(batch->corner[1][i], batch->y[i], sharp, full));
    for (int y = 0; y < lean.rows; y += 2, at += 2 * row) {
        blend8(lean.color, lean.alpha, at, lean.stride, wx * rows[y]);
        blend8(lean.color, lean.alpha, at + row, lean.stride, wx * rows[y + 1]);
    }
}

/* ---- any other: aligned runs ---- */

INLINE V8 weight(Profile form, bool streak, const Brush *brush, V8 dx, float dy)
{
    if (streak && form == PROFILE_DISC)
        return disc_streak(brush->reach - DISC_EDGE, &brush->streak, dx, dy);
    if (streak) {
        const Streak *k = &brush->streak;
        V8 along = dx * k->u[0] + dy * k->u[1], across = dy * k->u[0] - dx * k->u[1];
        V8 w;
        if (form == PROFILE_BAR)
            w = bar_streak(brush->reach, k, along, across);
        else
            w = form == PROFILE_SOFT ? soft_streak(brush->mix, k, along, across)
                                     : gaussian_streak(k, brush->inner, along, across);
        return at_most(w * k->scale, 1);
    }
    if (form == PROFILE_DISC) return disc_cover(brush->reach - DISC_EDGE, dx, dy);
    V8 ax = dx * brush->sharp;
    float ay = dy * brush->sharp;
    if (form == PROFILE_SOFT) return soft((1 - ax * ax) - ay * ay, brush->mix);
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

INLINE void paint_row(Profile form, bool streak, const Brush *brush, Tile *tile, const int span[2],
                      int y)
{
    const int left = tile->box.x0, last = (span[1] - 1 - left) / RUN, row = y - tile->box.y0;
    const size_t stride = (size_t)tile->stride;
    const float *z = tile->z != NULL ? tile_z(tile, left, y) : NULL;
    float *at = tile_row(tile, y);
    uint8_t *closed = tile->closed + (size_t)row * (stride / RUN);
    const float dy = ((float)y + 0.5f) - brush->y;
    const bool hides = brush->alpha[0] > 0;
    for (int run = (span[0] - left) / RUN; run <= last; ++run) {
        if (closed[run]) continue;
        V8 w = weight(form, streak, brush, pixel_offsets(left + run * RUN, brush->x), dy);
        if (z != NULL) w *= in_front(brush, z + run * RUN);
        V8 t = blend8(brush->color, brush->alpha, at + run * RUN, stride, w);
        if (hides && !any_open(t)) close_run(tile, row, run);
    }
}

/* Streaks are thin: runs from wherever the row of one starts, and none of them is closed. */
INLINE void paint_streak(Profile form, const Brush *brush, const Tile *tile, SplatBounds b)
{
    const Slant slant = slant_make(brush->splat);
    const float first = (float)b.x0, last = (float)b.x1;
    BlendCursor cursor = cursor_make(tile, (SplatBounds){tile->box.x0, b.y0, b.x1, b.y1});
    for (int y = b.y0; y < b.y1; ++y) {
        const Span span = slant_span(&slant, ((float)y + 0.5f) - slant.y, first, last);
        const float dy = ((float)y + 0.5f) - brush->y;
        for (int x = span.begin; x < span.end; x += RUN) {
            const int column = x - tile->box.x0;
            V8 w = weight(form, true, brush, pixel_offsets(x, brush->x), dy);
            if (cursor.z != NULL) w *= in_front(brush, cursor.z + column);
            blend8(brush->color, brush->alpha, cursor.at + column, cursor.stride, w);
        }
        cursor.at += 4 * cursor.stride;
        if (cursor.z != NULL) cursor.z += cursor.stride;
    }
}

INLINE void paint_runs(Profile form, bool streak, const Batch *batch, int i, Tile *tile,
                       SplatBounds b)
{
    const Brush brush = brush_make(form, streak, batch, i, tile);
    const int span[2] = {b.x0, b.x1};
    if (streak)
        paint_streak(form, &brush, tile, b);
    else
        for (int y = b.y0; y < b.y1; ++y) paint_row(form, false, &brush, tile, span, y);
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

#define DEFINE_PAINT(name, form, streak)                                                           \
    static void name(const Batch *batch, int i, Tile *tile, SplatBounds b)                         \
    {                                                                                              \
        paint_runs(form, streak, batch, i, tile, b);                                               \
    }
RUN_PAINTS(DEFINE_PAINT)

/* ---- all ---- */

static void paint_sphere(const Batch *batch, int i, Tile *tile, SplatBounds b)
{
    sphere_rim(batch->splat[i], tile, b);
}

static void paint_sphere_streak(const Batch *batch, int i, Tile *tile, SplatBounds b)
{
    sphere_streak(batch->splat[i], tile, b);
}

typedef void Paint(const Batch *batch, int i, Tile *tile, SplatBounds b);

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
    [PROFILE_SPHERE] = paint_sphere_streak,
    [PROFILE_BAR] = paint_bar,
};

/* Records to planes; the last one again where there are no more. */
INLINE void batch_load(Batch *batch, const Splat *const *splats, const uint64_t *order, size_t n)
{
    float *const planes[2][4] = {
        {batch->x, batch->y, batch->depth, batch->id},
        {batch->reach, batch->opacity, (float *)batch->light[0], (float *)batch->light[1]}};
    for (size_t i = 0; i < BATCH; ++i) batch->splat[i] = splats[(uint32_t)order[i < n ? i : n - 1]];
    for (size_t i = BATCH; i < n; ++i) __builtin_prefetch(splats[(uint32_t)order[i]]);
    for (size_t i = 0; i < BATCH; i += 4) {
        for (size_t half = 0; half < 2; ++half) {
            V4 words[4];
            for (size_t k = 0; k < 4; ++k)
                words[k] = load4((const char *)batch->splat[i + k] + half * sizeof(V4));
            transpose4(words);
            for (size_t k = 0; k < 4; ++k) memcpy(planes[half][k] + i, &words[k], sizeof(V4));
        }
    }
}

/* The same as splat_bounds. */
INLINE void batch_bound(Batch *batch, const Limits *limits, int stride)
{
    V8 x = load8(batch->x), y = load8(batch->y), reach = load8(batch->reach) + EXTENT_SLACK;
    V8 ends[4] = {x - reach + 0.5f, y - reach + 0.5f, x + reach + 0.5f, y + reach + 0.5f};
    for (int k = 0; k < 4; ++k) {
        V8 end = within(ends[k], all8(limits->low[k]), all8(limits->high[k]));
        I8 pixel = __builtin_convertvector(end, I8);
        memcpy(batch->bounds[k], &pixel, sizeof pixel);
        if (k < 2) store8(batch->corner[k], __builtin_convertvector(pixel, V8));
    }
    I8 x0, y0;
    memcpy(&x0, batch->bounds[0], sizeof x0);
    memcpy(&y0, batch->bounds[1], sizeof y0);
    I8 place = (y0 - (int32_t)limits->low[1]) * (4 * stride) + (x0 - (int32_t)limits->low[0]);
    memcpy(batch->place, &place, sizeof place);
}

/* Colours and opacities at weight 1; see ink_make. */
INLINE void batch_ink(Batch *batch)
{
    U8 first, second;
    memcpy(&first, batch->light[0], sizeof first);
    memcpy(&second, batch->light[1], sizeof second);
    V8 opacity = load8(batch->opacity);
    V8 scale = (V8)(((second >> 16 & 255) - 16) << 23) * opacity;
    I8 steps[3] = {(I8)(first & 65535), (I8)(first >> 16), (I8)(second & 65535)};
    for (int k = 0; k < 3; ++k)
        store8(batch->color[k], __builtin_convertvector(steps[k], V8) * scale);
    I8 over = (I8)(second & (uint32_t)KIND_ADDED << 24) == 0;
    store8(batch->alpha, where(over, opacity));
    store8(batch->sharp, 1 / load8(batch->reach));
    store8(batch->thin, 3 / (load8(batch->reach) - 0.5f));
    store8(batch->mix, __builtin_convertvector((I8)(second >> 29), V8) * 0.125f);
}

INLINE void batch_paint(const Batch *batch, int i, Tile *tile, const Limits *limits)
{
    const uint32_t kind = batch->light[1][i] >> 24;
    const bool streak = kind & KIND_STREAK;
    SplatBounds b = {batch->bounds[0][i], batch->bounds[1][i], batch->bounds[2][i],
                     batch->bounds[3][i]};
    if (streak) b = splat_bounds(batch->splat[i], limits);
    if (bounds_empty(b)) return;
    Paint *const *table = streak ? streak_paints : paints[batch->reach[i] > SMALL_REACH];
    table[kind & KIND_PROFILE](batch, i, tile, b);
}

INLINE bool all_lanes(I8 mask)
{
    int64_t words[4];
    memcpy(words, &mask, sizeof words);
    return (words[0] & words[1] & words[2] & words[3]) == -1;
}

/* Whether all eight are small and of one profile, and leave a mark on the tile. */
INLINE bool batch_is(const Batch *batch, Profile form)
{
    I8 second, ends[4];
    memcpy(&second, batch->light[1], sizeof second);
    memcpy(ends, batch->bounds, sizeof ends);
    I8 same = (second >> 24 & (KIND_PROFILE | KIND_STREAK)) == (int32_t)form;
    return all_lanes(same & (load8(batch->reach) <= SMALL_REACH) & (ends[0] < ends[2]) &
                     (ends[1] < ends[3]));
}

void ISA(splat_blend)(Tile *tile, const Splat *const *splats, const uint64_t *order, size_t count)
{
    const Limits limits = tile->limits;
    for (size_t done = 0; done < count && tile->open > 0; done += BATCH) {
        const int n = count - done < BATCH ? (int)(count - done) : BATCH;
        const size_t ahead = count - done < 2 * BATCH ? count - done : 2 * BATCH;
        Batch batch;
        batch_load(&batch, splats, order + done, ahead);
        batch_bound(&batch, &limits, tile->stride);
        batch_ink(&batch);
        if (tile->z == NULL && batch_is(&batch, PROFILE_SOFT))
            for (int i = 0; i < n; ++i) lean_soft(&batch, i, tile);
        else if (tile->z == NULL && batch_is(&batch, PROFILE_FINE))
            for (int i = 0; i < n; ++i) lean_fine(&batch, i, tile);
        else
            for (int i = 0; i < n; ++i) batch_paint(&batch, i, tile, &limits);
    }
}
