/* Turning bodies: the flow they drag along, and the side force on them when they move. */
#ifndef SOLVERS_VORTEX_SPINS_H
#define SOLVERS_VORTEX_SPINS_H

#include "solvers/solver.h"
#include "solvers/vortex/vortons.h"

/* Turning bodies as sources of the flow, into `work`. False when out of memory. */
bool find_spins(const SolverStep *step, VortexWork *work);
/* Adds what they induce to velocities at points. */
void add_spins(const VortexWork *work, const mote_real *const x[3], size_t count,
               mote_real *const out[3]);
/* At one point. */
mote_Vec3 spins_at(const VortexWork *work, mote_Vec3 x);
/* What of it is in the velocity of a vorton at x: on a grid what is left there, which misses the
 * peak at the surface. */
mote_Vec3 spins_felt(const VortexWork *work, const VortexGrid *grid, mote_Vec3 x);
/* The Magnus force on them. False when out of memory. */
bool push_sideways(const SolverStep *step, const VortexWork *work, const VortonRows *rows);

#endif
