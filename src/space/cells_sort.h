/* Sorting points into cells whose grid is chosen. */
#ifndef SPACE_CELLS_SORT_H
#define SPACE_CELLS_SORT_H

#include "space/cells.h"

/* Sets order, x, keys, first, ends, placed, cell_count and most; the arrays but `ends` are there.
 * False when out of memory. */
bool cells_sort(Cells *cells, const mote_real *const x[3], Arena *arena, mote_Tasks *tasks);

#endif
