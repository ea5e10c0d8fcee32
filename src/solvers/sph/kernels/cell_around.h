/* The runs of places around the cell that a point is in. They are kept while points are in the same
 * cell; which they are depends on the cell alone, so sums do not depend on who asked before. */
#ifndef SOLVERS_SPH_CELL_AROUND_H
#define SOLVERS_SPH_CELL_AROUND_H

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

#endif
