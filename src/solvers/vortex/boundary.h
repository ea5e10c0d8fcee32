/* Vortons at walls: they are put beside the surface and take the vorticity that stops the flow at
 * it; the wall gets angular momentum and heat. */
#ifndef SOLVERS_VORTEX_BOUNDARY_H
#define SOLVERS_VORTEX_BOUNDARY_H

#include "solvers/solver.h"
#include "solvers/vortex/vortons.h"

/* After vortons were moved: all contacts with the walls of the step's system 0, vorton by vorton.
 * Returns how many there were. */
size_t meet_walls(const VortexWork *work, const VortonRows *rows, const SolverStep *step);

/* Turning bodies as sources of the flow. False when out of memory. */
bool find_spins(const SolverStep *step, Sources *spins);
/* The Magnus force on them. */
void push_sideways(const SolverStep *step, const VortexWork *work, const VortexGrid *grid);

#endif
