/* What vortons keep in sum, whatever is done to them: given back where a method loses of it. */
#ifndef SOLVERS_VORTEX_KEEP_H
#define SOLVERS_VORTEX_KEEP_H

#include "solvers/vortex/panels.h"
#include "solvers/vortex/vortons.h"

/* m^3/s; m^4/s. */
typedef struct RowSums {
    D3 strength, impulse;
} RowSums;

/* The sum of strengths, and of their sizes. */
D3 rows_strength(const VortonRows *rows, double *size);
/* Adds the impulse of all, over density, times `sign`. */
void rows_add_impulse(const VortonRows *rows, double sign, D3 *impulse);
/* Each gives back its share of what the sum of strengths has become more since. */
void rows_balance(const VortonRows *rows, D3 before);
RowSums rows_sum(const VortonRows *rows);
/* Puts back what is missing of them since. */
void rows_keep(const VortonRows *rows, const RowSums *before);

/* Adds the impulse, over density, of a strength at x, times `sign`. */
void add_impulse(mote_Vec3 x, mote_Vec3 strength, double sign, D3 *impulse);

#endif
