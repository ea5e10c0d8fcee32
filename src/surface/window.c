/* Bins around a block: filling, depth, and the particles that count. */
#include "surface/window.h"

#include "base/status.h"

#include <string.h>

/* Share of a full box from which on liquid is deep. */
#define DEEP 0.88f

/* Bins that must be so around a deep one. */
enum { EDGE = 1 };

/* Bins over a length, rounded up; a thousandth too much is none. */
static int whole_bins(double cells, int bin)
{
    int bins = (int)(cells / bin);
    return bins + ((double)bins * bin < cells * 0.999);
}

static WindowBins bins_around(const Blocks *blocks, int halo)
{
    return (WindowBins){halo, (size_t)(blocks->bins + 2 * halo)};
}

mote_Status window_make(Window *w, const WindowDef *def, mote_Error *error)
{
    const Blocks *blocks = def->blocks;
    float bin = (float)blocks->bin;
    *w = (Window){.blocks = blocks,
                  .kernels = def->kernels,
                  .relative = 1 / def->weight,
                  .weighs = def->weighs,
                  .box = whole_bins(def->spacing, blocks->bin),
                  .reach = (int)(blocks->reach / bin),
                  .uniform = def->uniform};
    w->reach += (float)w->reach * bin < blocks->reach;
    w->near = bins_around(blocks, 1 + EDGE + w->box);
    w->far = bins_around(blocks, 1 + 2 * w->reach);
    double side = (2 * w->box + 1) * blocks->bin / def->spacing;
    w->full = (float)(side * side * side);
    size_t near = bins_count(&w->near), far = bins_count(&w->far);
    w->fill = memory_zeroed(blocks->memory, near * sizeof *w->fill);
    w->float_scratch = memory_zeroed(blocks->memory, near * sizeof *w->float_scratch);
    w->deep = memory_zeroed(blocks->memory, near);
    w->source = memory_zeroed(blocks->memory, far);
    w->byte_scratch = memory_zeroed(blocks->memory, near > far ? near : far);
    bool good = w->fill != NULL && w->float_scratch != NULL && w->deep != NULL &&
                w->source != NULL && w->byte_scratch != NULL;
    return good ? MOTE_OK : status_no_memory(error, "a surface's bins", 9 * near + 2 * far);
}

void window_free(Window *w)
{
    if (w->blocks == NULL) return;
    size_t near = bins_count(&w->near), far = bins_count(&w->far);
    Memory *memory = w->blocks->memory;
    memory_free(memory, w->fill, near * sizeof *w->fill);
    memory_free(memory, w->float_scratch, near * sizeof *w->float_scratch);
    memory_free(memory, w->deep, near);
    memory_free(memory, w->source, far);
    memory_free(memory, w->byte_scratch, near > far ? near : far);
}

/* ---- walking rows of bins ---- */

static int block_of(int bin, int bins)
{
    return bin < 0 ? -1 : bin >= bins ? 1 : 0;
}

/* The particles of row (y, z) of the window that stand in the block `dx` beside. */
static const SurfaceParticle *row_part(const Window *w, const SurfaceBlock *block, int dx, int y,
                                       int z, size_t *count)
{
    int bins = w->blocks->bins, dy = block_of(y, bins), dz = block_of(z, bins);
    uint32_t number = block->neighbour[13 + dx + 3 * dy + 9 * dz];
    *count = 0;
    if (number == BLOCK_NONE || w->blocks->blocks[number].count == 0) return NULL;
    return block_row(w->blocks, &w->blocks->blocks[number], y - dy * bins, z - dz * bins, count);
}

static int clipped_low(const Window *w, int halo)
{
    return -(halo < w->blocks->bins ? halo : w->blocks->bins);
}

static float volume_of(const Window *w, const SurfaceParticle *p)
{
    float relative = p->weight * w->relative;
    return w->weighs == WEIGHT_VOLUME ? relative : relative * relative * relative;
}

/* ---- filling ---- */

static void add_volumes(Window *w, const SurfaceBlock *block, int y, int z)
{
    int bins = w->blocks->bins, bin = w->blocks->bin;
    for (int dx = -1; dx <= 1; ++dx) {
        size_t count;
        const SurfaceParticle *p = row_part(w, block, dx, y, z, &count);
        for (size_t i = 0; i < count; ++i) {
            int x = (int)p[i].at[0] / bin + dx * bins;
            if (x < -w->near.halo || x >= bins + w->near.halo) continue;
            w->fill[bins_at(&w->near, x, y, z)] += volume_of(w, &p[i]);
        }
    }
}

static void find_fill(Window *w, const SurfaceBlock *block)
{
    int low = clipped_low(w, w->near.halo), high = w->blocks->bins - low;
    memset(w->fill, 0, bins_count(&w->near) * sizeof *w->fill);
    for (int z = low; z < high; ++z)
        for (int y = low; y < high; ++y) add_volumes(w, block, y, z);
    w->kernels->box_sums((SurfaceCube){w->near.side, (size_t)w->box}, w->fill, w->float_scratch);
}

/* False when fewer particles are around than a full box has, or boxes are larger than blocks. To
 * count is far cheaper than to fill the bins. */
static bool may_be_deep(const Window *w, const SurfaceBlock *block)
{
    size_t count = 0;
    float least = w->full * DEEP;
    if (w->near.halo > w->blocks->bins) return false;
    if (!w->uniform) return true;
    for (int n = 0; n < 27; ++n)
        if (block->neighbour[n] != BLOCK_NONE)
            count += w->blocks->blocks[block->neighbour[n]].count;
    return (float)count >= least;
}

/* ---- depth ---- */

/* Bins with points of the block's grid that are not deep; how many of them have points of cells. */
static size_t mark_needed(Window *w)
{
    size_t needed = 0;
    int bins = w->blocks->bins;
    memset(w->source, 0, bins_count(&w->far));
    for (int z = -1; z <= bins; ++z)
        for (int y = -1; y <= bins; ++y) {
            const uint8_t *deep = w->deep + bins_at(&w->near, 0, y, z);
            uint8_t *source = w->source + bins_at(&w->far, 0, y, z);
            uint8_t count = 0;
            for (int x = -1; x <= bins; ++x) source[x] = !deep[x];
            for (int x = 0; x <= bins; ++x) count = (uint8_t)(count + source[x]);
            if (y >= 0 && z >= 0) needed += count;
        }
    return needed;
}

/* What is deep is eroded by a bin: `all_of` asks that the bins around are full as well. What is
 * needed is then dilated by the reach: particles that a point which is not deep can see. */
bool window_look(Window *w, const SurfaceBlock *block, bool fill, bool whole)
{
    w->has_deep = !whole && may_be_deep(w, block);
    w->has_fill = w->has_deep || fill;
    if (w->has_fill) find_fill(w, block);
    if (!w->has_deep) return true;
    w->kernels->at_least((SurfaceCube){w->near.side, 0}, w->fill, w->full * DEEP, w->deep);
    w->kernels->all_of((SurfaceCube){w->near.side, EDGE}, w->deep, w->byte_scratch);
    if (mark_needed(w) == 0) return false;
    w->kernels->any_of((SurfaceCube){w->far.side, (size_t)w->reach}, w->source, w->byte_scratch);
    return true;
}

/* Between the middles of bins, linear along each axis. */
float window_fill_at(const Window *w, const float at[3])
{
    int low[3];
    float t[3], sum = 0;
    for (int k = 0; k < 3; ++k) {
        /* Values stand in the middles of bins, hence the half; with 2 more the cast is the floor.
         */
        float bins = at[k] / (float)w->blocks->bin - 0.5f + 2; /* positive */
        low[k] = (int)bins - 2;
        t[k] = bins - (float)(int)bins;
    }
    for (int c = 0; c < 8; ++c) {
        float share = 1;
        for (int k = 0; k < 3; ++k) share *= (c >> k & 1) ? t[k] : 1 - t[k];
        sum +=
            share *
            w->fill[bins_at(&w->near, low[0] + (c & 1), low[1] + (c >> 1 & 1), low[2] + (c >> 2))];
    }
    return sum / w->full;
}

/* ---- particles that count ---- */

static bool counts(const Window *w, int x, int y, int z)
{
    return x >= -w->reach - 1 && x <= w->blocks->bins + w->reach &&
           w->source[bins_at(&w->far, x, y, z)];
}

/* Bins of a row follow each other, and so do their particles. */
static void visit_row(const Window *w, const SurfaceBlock *block, int y, int z,
                      const WindowVisit *visit)
{
    int bins = w->blocks->bins, bin = w->blocks->bin;
    for (int dx = -1; dx <= 1; ++dx) {
        size_t count, first = 0;
        const SurfaceParticle *p = row_part(w, block, dx, y, z, &count);
        const int shift[3] = {dx * BLOCK_CELLS, block_of(y, bins) * BLOCK_CELLS,
                              block_of(z, bins) * BLOCK_CELLS};
        for (size_t i = 0; i <= count; ++i) {
            bool on =
                i < count && (!w->has_deep || counts(w, (int)p[i].at[0] / bin + dx * bins, y, z));
            if (on) continue;
            if (i > first) visit->run(visit->context, p + first, i - first, shift);
            first = i + 1;
        }
    }
}

void window_visit(const Window *w, const SurfaceBlock *block, const WindowVisit *visit)
{
    int low = clipped_low(w, w->reach), high = w->blocks->bins - low;
    for (int z = low; z < high; ++z)
        for (int y = low; y < high; ++y) visit_row(w, block, y, z, visit);
}
