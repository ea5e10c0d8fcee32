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
/* The same for vortons: a body's own layer is not carried round. */
void carry_vortons(const VortexWork *work, const mote_real *const x[3], size_t count,
                   mote_real *const out[3]);
/* How much more the air moves at a surface's point, at the end of the sub-step, than a vorton at x
 * is carried. */
mote_Vec3 spins_between(const VortexWork *work, mote_Vec3 x, mote_Vec3 point);
/* The Magnus force on them. False when out of memory. */
bool push_sideways(const SolverStep *step, const VortexWork *work, const VortonRows *rows);

#endif
