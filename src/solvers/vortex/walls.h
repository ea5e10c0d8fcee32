/* Tracers at walls: convex bodies as planes of the world, other shapes by their distance. */
#ifndef SOLVERS_VORTEX_WALLS_H
#define SOLVERS_VORTEX_WALLS_H

#include "geometry/polytope.h"
#include "solvers/solver.h"

/* Rows of points, and those of them that touch. */
typedef struct TouchJob {
    const mote_real *x[3], *radius; /* m */
    size_t count;                   /* at most BLOCK_ROWS */
    mote_real margin;               /* m, added to radii */
} TouchJob;

typedef struct VortexWallKernels {
    /* Writes the rows whose contact distance is below their radius and the margin; how many. */
    size_t (*touching)(const Polytope *polytope, const TouchJob *job, uint32_t *rows);
} VortexWallKernels;
const VortexWallKernels *vortex_wall_kernels(Isa isa);

/* After the tracers of system s were moved: puts them out of the walls, with their momentum to the
 * bodies. Adds to *hits. False when out of memory. */
bool tracers_meet_walls(const SolverStep *step, size_t s, uint64_t *hits);

/* Rows of system s from `first` on whose centres are inside of a wall: they live no longer. */
void drop_embedded(const SolverStep *step, size_t s, size_t first);

#endif
