/* Rods: the order in which sums over all points are taken.
 *
 * A rod is four cells along x, within a brick of 4 x 4 x 4 cells; cells are anchored, so rods and
 * bricks are too. Points of a rod stand one after another. A sum over all points is taken over the
 * points of each rod in their order, then over the rods of each brick in theirs, and the bricks'
 * sums are added as integers (base/limbs.h), which have no order. So it depends on where points are
 * and on their ids, but neither on the order of rows, nor on who adds what: a thread, a rank that
 * has some of the bricks, or a device. */
#ifndef SPACE_RODS_H
#define SPACE_RODS_H

#include "base/limbs.h"
#include "space/cells.h"

enum { RODS_MOST_SUMS = 8, ROD_CELLS = 4 };

/* Of a cell from the anchor: its brick along an axis. Cells below the anchor have bricks too. */
static inline int64_t brick_of_cell(int64_t at)
{
    return at >= 0 ? at / ROD_CELLS : -((ROD_CELLS - 1 - at) / ROD_CELLS);
}

typedef struct Rods {
    size_t count;          /* those with points; the last one has the points in no cell, if any */
    uint32_t *first;       /* count + 1 places */
    size_t brick_count;    /* those with rods */
    uint32_t *brick_first; /* brick_count + 1 entries of `sorted` */
    uint32_t *sorted;      /* rods by brick, ascending in each */
    Limbs *parts;          /* RODS_MOST_SUMS for each worker */
    const bool *kept;      /* by rod: it counts in sums; NULL: all do */
} Rods;

/* From the arena; false when out of memory. */
bool rods_make(Rods *rods, const Cells *cells, Arena *arena, mote_Tasks *tasks);

/* Calls body on all rods, about as many places at a time as one thread should have. */
void rods_for(const Rods *rods, mote_Tasks *tasks, mote_TaskBody *body, void *context);

/* Sums over all rods: total[k] of of_rods[rod * each + k], for k < each <= RODS_MOST_SUMS. */
void rods_total(const Rods *rods, mote_Tasks *tasks, const double *of_rods, size_t each,
                double *total);

/* Leaves bricks out of sums whose rods are not `kept`, one word a rod: others have them. */
void rods_keep(Rods *rods, const bool *kept);

/* The same as integers, which may be added to those of others. */
void rods_limbs(const Rods *rods, mote_Tasks *tasks, const double *of_rods, size_t each,
                Limbs *total);

#endif
