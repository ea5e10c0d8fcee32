/* The parts of solver `sph`. */
#ifndef SOLVERS_SPH_STEP_H
#define SOLVERS_SPH_STEP_H

#include "solvers/sph/sph.h"

/* The row's `solve` and `limit`. */
mote_Status sph_solve(const SolverStep *outer, mote_Error *error);
double sph_limit(const SolverStep *outer);

/* Once per sub-step: masses of new rows, and now and then rows sorted by cell. */
mote_Status sph_begin(const SolverStep *outer, mote_Error *error);

CellSpace sph_space(const SolverStep *outer);

#endif
