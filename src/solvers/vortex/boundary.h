/* Vortons at walls: they are put beside the surface and take the vorticity that stops the flow at
 * it; the wall gets momentum and heat. */
#ifndef SOLVERS_VORTEX_BOUNDARY_H
#define SOLVERS_VORTEX_BOUNDARY_H

#include "solvers/solver.h"
#include "solvers/vortex/vortons.h"

/* After vortons were moved: all contacts with the walls of the step's system 0, vorton by vorton.
 * Adds to *hits. False when out of memory. */
bool meet_walls(const VortexWork *work, const VortonRows *rows, const SolverStep *step,
                uint64_t *hits);

#endif
