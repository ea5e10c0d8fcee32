/* Splats of at most a run: a vector per row, from wherever the splat starts. For blend.c alone. */
#ifndef RENDER_KERNELS_SMALL_SPLATS_H
#define RENDER_KERNELS_SMALL_SPLATS_H

#include "render/kernels/brush.h"

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

#endif
