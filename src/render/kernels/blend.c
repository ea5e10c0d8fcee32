/* Blending the splats of a tile from front to back. Every weight depends on the splat and the pixel
 * alone and is exactly zero outside the splat's bounds, so tiles leave no trace.
 *
 * A run of eight pixels whose T is below 1/512 everywhere is closed: its T moves to `behind` and
 * becomes zero. Only splats wider than a run look for that, whatever tile they are drawn in. */
#include "render/kernels/small_splats.h"
#include "render/kernels/sphere.h"
#include "render/kernels/sprite.h"

#define CLOSED_BELOW (1 / 512.0f)

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
    [PROFILE_SPRITE] = paint_sprite,
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
