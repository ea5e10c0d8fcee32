/* Dense output: the state within the last step of an adaptive scheme, as columns.
 *
 * A system whose scheme looks ahead has, one after another, the columns `dense_end` and
 * `dense_step` (when that step ends, and its length) and dense1, dense2, ... (what the state within
 * it is made of). Its rows show the state at the end of the sub-step, while the scheme has gone on
 * beyond. A `dense_step` of 0 says that a row is where it shows itself: new rows begin with it, and
 * whatever changes a row from outside the scheme sets it. */
#ifndef PARTICLES_DENSE_H
#define PARTICLES_DENSE_H

#include "particles/range.h"

enum { DENSE_ENTRIES = 5 };

/* Adds the columns, with entries of `planes` values each. Before there are rows. */
mote_Status system_add_dense(mote_System *system, int planes, mote_Error *error);

static inline bool has_dense(const mote_System *system)
{
    return system->dense > 0;
}

/* Per row, from the range's first on. */
static inline double *dense_ends(const Range *r)
{
    return (double *)r->system->columns[r->system->dense].data + r->first;
}

static inline double *dense_steps(const Range *r)
{
    return (double *)r->system->columns[r->system->dense + 1].data + r->first;
}

static inline mote_real *dense_entry(const Range *r, int entry, int plane)
{
    return column_real(&r->system->columns[r->system->dense + 2 + (size_t)entry], plane) + r->first;
}

/* The rows are where they show themselves. */
void dense_forget(const Range *r);
/* How many rows from `from` on have the same step behind them. */
size_t dense_same_step(const Range *r, size_t from);

#endif
