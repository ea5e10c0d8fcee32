/* Tracers at walls: convex bodies as planes of the world, other shapes by their distance. */
#ifndef SOLVERS_VORTEX_WALLS_H
#define SOLVERS_VORTEX_WALLS_H

#include "geometry/polytope.h"
#include "solvers/solver.h"

/* Rows of tracers that were moved; planes go on to a whole eight. */
typedef struct WallRows {
    mote_real *x[3], *v[3];
    const mote_real *radius, *mass;
    size_t count;
    mote_real dt;
    mote_real restitution; /* of the wall */
} WallRows;

/* What a wall got from some rows. */
typedef struct TracerShare {
    double impulse[3], angular[3]; /* about the body's position */
    uint64_t hits;
} TracerShare;

typedef struct VortexWallKernels {
    /* Each writes numbers of rows, and says how many. Those that went further than `way`: */
    size_t (*fast)(const WallRows *w, mote_real way, uint32_t *rows);
    /* Those nearer to the polytope than their radius: */
    size_t (*touching)(const Polytope *polytope, const WallRows *w, uint32_t *rows);
    /* Puts rows that touch, not of a hole, to the surface, turns their velocity, and adds to the
     * share in the order of the rows. */
    void (*meet)(const Polytope *polytope, const WallRows *w, const uint32_t *rows, size_t count,
                 TracerShare *share);
} VortexWallKernels;
const VortexWallKernels *vortex_wall_kernels(Isa isa);

struct Follow; /* solver.h */

/* After the tracers of system s were moved and counted: gives them their masses and puts them out
 * of the walls, with their momentum to the bodies. Adds to *hits. False when out of memory. */
bool tracers_meet_walls(const SolverStep *step, size_t s, const struct Follow *follow,
                        uint64_t *hits);

/* Rows of system s from `first` on whose centres are inside of a wall: they live no longer. */
void drop_embedded(const SolverStep *step, size_t s, size_t first);

#endif
