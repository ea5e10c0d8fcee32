/* The runs of places around the cell that a point is in. They are kept while points are in the same
 * cell; which they are depends on the cell alone, so sums do not depend on who asked before. */
#ifndef SOLVERS_SPH_CELL_AROUND_H
#define SOLVERS_SPH_CELL_AROUND_H

#include "base/lanes.h"
#include "space/cells.h"

typedef struct CellAround {
    mote_real at[3]; /* the cell, from the anchor */
    int count;       /* -1: nobody asked yet */
    CellRun runs[CELLS_MOST_RUNS];
} CellAround;

static inline void cell_around(const Cells *cells, const mote_real x[3], CellAround *around)
{
    mote_real at[3];
    bool same = around->count >= 0;
    for (int c = 0; c < 3; ++c) {
        at[c] = cells->space.flat && c == 2 ? 0 : cells_at(cells, c, x[c]);
        same = same && at[c] == around->at[c];
    }
    if (same) return;
    double centre[3];
    for (int c = 0; c < 3; ++c) {
        around->at[c] = at[c];
        centre[c] = (double)cells->anchor[c] + ((double)at[c] + 0.5) * (double)cells->edge[c];
    }
    BallWalk walk = ball_walk(cells, centre, (double)cells->reach);
    around->count = 0;
    while (around->count < CELLS_MOST_RUNS && ball_next(&walk, &around->runs[around->count]))
        ++around->count;
}

/* Of the eight places from k on those that are nearer to x than the root of `square`, with the ways
 * d from them to x and their r^2. The last eight of a run reach into the next cell: a point there
 * may be near, too, and is counted with its own run. */
EIGHT_INLINE EightBits run_near(const Cells *cells, const CellRun *run, uint32_t k,
                                const mote_real x[3], mote_real square, Eight d[3], Eight *r2)
{
    static const mote_real numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int axes = cells->space.flat ? 2 : 3;
    *r2 = (Eight){0};
    for (int c = 0; c < axes; ++c) {
        d[c] = x[c] - run->shift[c] - eight_load(cells->x[c] + k);
        *r2 = *r2 + d[c] * d[c];
    }
    return (EightBits)(*r2 < square) & (EightBits)(eight_load(numbers) < (mote_real)(run->end - k));
}

#endif
