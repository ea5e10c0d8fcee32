/* Neighbour lists: for every point all others within H.
 *
 * Points are named by their place in Cells. A list is in the order of cells and places, and filled
 * up to a multiple of eight with the point itself, whose distance, and so every difference, is
 * zero: sums of differences need no masks. Beside the lists comes the sum of W over the point and
 * its neighbours, because the distances are at hand. */
#ifndef SPACE_NEIGHBOURS_H
#define SPACE_NEIGHBOURS_H

#include "space/cells.h"
#include "space/smoothing.h"

#include <stdatomic.h>

typedef struct Neighbours {
    Memory *memory;
    uint32_t *index; /* all lists; where one stands depends on who was first, what it is does not */
    size_t capacity; /* of index */
    /* by place: */
    uint32_t *start; /* first entry of the list, in units of 8 */
    uint32_t *count; /* of neighbours */
    mote_real *sum;  /* of W; NULL: not wanted */
    size_t points, point_capacity;
    uint64_t pairs; /* sum of count */
} Neighbours;

Neighbours neighbours_make(Memory *memory);
void neighbours_free(Neighbours *lists);

/* Finds all neighbours nearer than the cells' reach; `kernel` gives the sums, or NULL. Memory grows
 * as it is needed and stays. False when there is none. */
bool neighbours_find(Neighbours *lists, const Cells *cells, const Smoothing *kernel, Isa isa,
                     Arena *arena, mote_Tasks *tasks);

static inline const uint32_t *neighbours_of(const Neighbours *lists, size_t point)
{
    return lists->index + (size_t)lists->start[point] * 8;
}

/* Entries of a list with what fills it up. */
static inline size_t neighbours_padded(const Neighbours *lists, size_t point)
{
    return ((size_t)lists->count[point] + 7) / 8 * 8;
}

/* ---- for the kernel files ---- */

/* What a worker writes into: chunks of the index, taken one after another. */
typedef struct NeighbourTask {
    const Cells *cells;
    Neighbours *lists;
    const Smoothing *kernel; /* NULL: no sums */
    atomic_size_t *taken;    /* entries of the index, by all workers */
    size_t chunk;            /* entries in a chunk: longer than any list */
    size_t used, end;        /* entries: the present chunk's */
    uint64_t pairs, entries; /* found so far, also those that did not fit */
    mote_real *near[3];      /* the worker's copies of the points around a cell */
    uint32_t *near_index;    /* their places */
    mote_real *squares;      /* squared distances of a point's neighbours */
    uint32_t *found;         /* their places */
} NeighbourTask;

typedef struct NeighbourKernels {
    void (*find)(NeighbourTask *task, size_t first_cell, size_t last_cell);
} NeighbourKernels;

const NeighbourKernels *neighbour_kernels(Isa isa);

#endif
