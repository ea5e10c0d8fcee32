/* The points within any distance of any place: a walk over the runs of points in the rows of cells
 * that a ball touches. For queries that are not the sums over all points: probes, inflow, particles
 * of different sizes. */
#ifndef SPACE_BALL_H
#define SPACE_BALL_H

#include "space/cells.h"

typedef struct BallWalk {
    const Cells *cells;
    mote_real centre[3];
    int64_t low[3], high[3]; /* cells, beyond the ends of periodic axes too */
    int64_t x, y, z;         /* where the walk is: part of a row, row */
} BallWalk;

/* On periodic axes 2 radius must not exceed the period. A centre that is not finite meets nothing.
 */
BallWalk ball_walk(const Cells *cells, const mote_real centre[3], mote_real radius);

/* The next run; its points may be nearer than the radius or not. False: no more. */
bool ball_next(BallWalk *walk, CellRun *run);

/* Places of all points nearer than the radius, in the order of the walk, at most `room` of them;
 * returns how many there are. */
size_t ball_points(const Cells *cells, const mote_real centre[3], mote_real radius,
                   uint32_t *places, size_t room);

#endif
