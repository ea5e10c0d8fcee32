/* Particles near a box, as runs of rows of bins. */
#ifndef SURFACE_NEAR_H
#define SURFACE_NEAR_H

#include "surface/blocks.h"

/* A walk through the rows of bins within reach of a box, which may be a point. Lengths are cells,
 * places those of the block. */
typedef struct NearWalk {
    const Blocks *blocks;
    const SurfaceBlock *block;
    float low[3], high[3], reach;
    int side;                        /* of the block's neighbours along x */
    int y, z, low_y, high_y, high_z; /* rows of bins */
} NearWalk;

/* Particles of one row whose bins are within reach along x; others may be farther away. */
typedef struct NearRun {
    const SurfaceParticle *particles;
    size_t count;
    float shift[3]; /* where their block begins */
} NearRun;

/* The bin of a place that may be in a block beside. A block's width is added before the division
 * and taken off after it: integers are cut towards 0, and a place below 0 would go to the bin
 * above. */
static inline int near_bin(float at, const Blocks *b)
{
    const int bin = (int)(at + BLOCK_CELLS) / b->bin - b->bins;
    return at < -BLOCK_CELLS ? -b->bins : bin > 2 * b->bins - 1 ? 2 * b->bins - 1 : bin;
}

static inline int near_first_side(const NearWalk *w)
{
    return -(w->low[0] < w->reach);
}

static inline NearWalk near_walk(const Blocks *b, const SurfaceBlock *block, const float low[3],
                                 const float high[3], float reach)
{
    NearWalk w = {.blocks = b, .block = block, .reach = reach};
    for (int k = 0; k < 3; ++k) w.low[k] = low[k], w.high[k] = high[k];
    w.y = w.low_y = near_bin(low[1] - reach, b), w.high_y = near_bin(high[1] + reach, b);
    w.z = near_bin(low[2] - reach, b), w.high_z = near_bin(high[2] + reach, b);
    w.side = near_first_side(&w) - 1;
    return w;
}

/* How far a row of bins is from the box, along one axis. 0 where the row and the box overlap. */
static inline float near_gap(const NearWalk *w, int k, int row)
{
    const float bin = (float)w->blocks->bin, begin = (float)row * bin;
    const float below = w->low[k] - (begin + bin), above = begin - w->high[k];
    return below > 0 ? below : above > 0 ? above : 0;
}

static inline bool near_next_row(NearWalk *w)
{
    for (;;) {
        if (++w->y > w->high_y) w->y = w->low_y, ++w->z;
        if (w->z > w->high_z) return false;
        const float y = near_gap(w, 1, w->y), z = near_gap(w, 2, w->z);
        if (y * y + z * z < w->reach * w->reach) return true;
    }
}

/* False when there is no further row. A run may be empty. */
static inline bool near_next(NearWalk *w, NearRun *run)
{
    const Blocks *b = w->blocks;
    if (++w->side > (w->high[0] + w->reach >= BLOCK_CELLS)) {
        if (!near_next_row(w)) return false;
        w->side = near_first_side(w);
    }
    const int dy = (w->y >= b->bins) - (w->y < 0), dz = (w->z >= b->bins) - (w->z < 0);
    const uint32_t number = w->block->neighbour[13 + w->side + 3 * dy + 9 * dz];
    run->count = 0;
    if (number == BLOCK_NONE || b->blocks[number].count == 0) return true;
    const int side[3] = {w->side, dy, dz};
    for (int k = 0; k < 3; ++k) run->shift[k] = (float)(side[k] * BLOCK_CELLS);
    size_t count;
    const SurfaceParticle *p =
        block_row(b, &b->blocks[number], w->y - dy * b->bins, w->z - dz * b->bins, &count);
    const float wide = w->reach + (float)b->bin; /* particles of a row are in order of their bins */
    const float first = w->low[0] - run->shift[0] - wide, last = w->high[0] - run->shift[0] + wide;
    for (; count > 0 && p->at[0] < first; --count) ++p;
    for (; count > 0 && p[count - 1].at[0] > last;) --count;
    run->particles = p, run->count = count;
    return true;
}

#endif
