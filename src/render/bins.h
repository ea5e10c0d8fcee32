/* Bins: all splats of a picture, and their copies tile by tile. */
#ifndef RENDER_BINS_H
#define RENDER_BINS_H

#include "base/memory.h"
#include "render/splat.h"

/* Rows of one source that are projected at a time; the same for any number of threads. */
typedef struct Chunk {
    const Source *source;
    size_t first, count; /* rows */
    Splat *splats;       /* room for count */
    size_t visible;
    uint32_t *counts; /* per tile: entries; after bins_sum, entries of earlier chunks */
} Chunk;

typedef struct Bins {
    const View *view;
    const Plane *planes;
    size_t plane_count;
    int tile;          /* px, a power of two, at least RUN */
    int shift;         /* its logarithm */
    int columns, rows; /* of tiles */
    Chunk *chunks;
    size_t chunk_count;
    size_t *totals; /* entries of each tile */
    /* the band that is being drawn: tiles first <= t < last */
    size_t first, last;
    size_t *starts; /* of each tile of the band in `entries` */
    Splat *entries; /* room for `capacity` */
    size_t capacity;
    size_t most; /* entries of the fullest tile */
} Bins;

static inline size_t bins_tiles(const Bins *bins)
{
    return (size_t)bins->columns * (size_t)bins->rows;
}

static inline Bounds bins_box(const Bins *bins, size_t tile)
{
    int x = (int)(tile % (size_t)bins->columns) * bins->tile;
    int y = (int)(tile / (size_t)bins->columns) * bins->tile;
    int right = x + bins->tile, bottom = y + bins->tile;
    return (Bounds){x, y, right < bins->view->width ? right : bins->view->width,
                    bottom < bins->view->height ? bottom : bins->view->height};
}

/* Projects all rows and counts entries. bins->view, planes and tile are set by the caller; memory
 * comes from the arena. False when out of memory. */
bool bins_fill(Bins *bins, const Source *sources, size_t count, Arena *arena, mote_Tasks *tasks);

/* Chooses the next band of tiles after bins->last and copies its splats; false after the last. A
 * band holds as many tiles as fit into `entries`, so memory does not grow with the splats' size. */
bool bins_next_band(Bins *bins, mote_Tasks *tasks);

#endif
