/* Bins: the splats of a picture, copied to the tiles that they touch. */
#ifndef RENDER_BINS_H
#define RENDER_BINS_H

#include "base/memory.h"
#include "render/splat.h"

#include <pthread.h>

/* Splats go to the finest level where they touch at most 2 x 2 cells: tiles, squares of 8 x 8
 * tiles, or the whole picture. So a particle needs at most 4 copies, however large it is. */
enum { LEVELS = 3, LEVEL_SHIFT = 3, BLOCK_SLOTS = 63 };

typedef struct BinLevel {
    int shift;   /* logarithm of the cells' side in px */
    int columns; /* of cells */
    size_t first, count;
} BinLevel;

/* Slots of one cell, in pieces of 2 KB. */
typedef struct SlotBlock {
    struct SlotBlock *older;
    uint32_t older_used; /* slots of the older block */
    uint32_t count;      /* of the chain's blocks up to this one */
    uint32_t unused[6 - sizeof(void *) / 4];
    Splat slots[BLOCK_SLOTS];
} SlotBlock;

/* The newest block ends at `end`; both are NULL without a block. */
typedef struct Chain {
    Splat *next, *end;
} Chain;

/* What one worker has collected. */
typedef struct Crate {
    Chain *chains; /* of each cell */
    SlotBlock *next, *end;
    Splat *splats;   /* the rows that are being projected */
    uint32_t *cells; /* where they go */
    bool failed;     /* out of memory */
} Crate;

typedef struct SplatBins {
    const RenderKernels *kernels;
    const View *view;
    const SplatPlane *planes;
    size_t plane_count;
    int tile; /* px, a power of two, at least RUN */
    BinLevel levels[LEVELS];
    Crate *crates;
    size_t crate_count;
    const SplatSource *sources;
    size_t source_count;
    Arena *arena; /* under the lock while workers run */
    pthread_mutex_t lock;
} SplatBins;

static inline size_t bins_tiles(const SplatBins *bins)
{
    return bins->levels[0].count;
}

static inline SplatBounds bins_box(const SplatBins *bins, size_t tile)
{
    int x = (int)(tile % (size_t)bins->levels[0].columns) * bins->tile;
    int y = (int)(tile / (size_t)bins->levels[0].columns) * bins->tile;
    int right = x + bins->tile, bottom = y + bins->tile;
    return (SplatBounds){x, y, right < bins->view->width ? right : bins->view->width,
                         bottom < bins->view->height ? bottom : bins->view->height};
}

/* Memory from the arena, also for workers. NULL when there is none. */
void *bins_take(SplatBins *bins, size_t size);

/* Projects all rows and copies them to their cells. bins->kernels, view, planes, tile and arena
 * are set by the caller. False when out of memory. bins_end must follow in any case. */
bool bins_fill(SplatBins *bins, const SplatSource *sources, size_t count, mote_Tasks *tasks);
void bins_end(SplatBins *bins);

/* At least as many splats as bins_gather finds. */
size_t bins_most(const SplatBins *bins, size_t tile);

/* Finds the splats that touch a tile, in no particular order, and writes their keys (depth in the
 * high half, place in `splats` in the low one). Returns their number. */
size_t bins_gather(const SplatBins *bins, size_t tile, const Splat **splats, uint64_t *keys);

/* ---- the order of the splats of a tile ---- */

/* Sorts keys (depth in the high half, slot in the low one) by depth, then id, then all that a splat
 * holds, so that the order does not depend on that of the input. `spare` has room for count. */
void splat_order(const Splat *const *splats, size_t count, uint64_t *keys, uint64_t *spare);

#endif
