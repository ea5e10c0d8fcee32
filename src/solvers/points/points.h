/* Solver `points`: forces + integrator, or a velocity field that particles are traced through.
 *
 * Rows do not feel each other, so a range of any rows can be advanced by itself: the caller works
 * block by block. */
#ifndef SOLVERS_POINTS_POINTS_H
#define SOLVERS_POINTS_POINTS_H

#include <mote/solvers.h>

#include "forces/force.h"
#include "integrate/integrator.h"

typedef struct PointsSolver {
    const IntegratorRow *integrator;
    const Field *trace; /* NULL: forces */
    const Force *const *forces;
    size_t force_count;
    bool flat; /* two-dimensional world: nothing moves along z */
} PointsSolver;

extern const mote_Row points_solver_row;

/* Advances the range from r->t by r->dt. */
void points_solve(const PointsSolver *solver, const Range *r);

/* True when the acceleration is the same for all rows and at all velocities. */
bool points_is_uniform(const PointsSolver *solver);

/* Acceleration at the range's state, in r->a. */
void points_accelerate(const PointsSolver *solver, const Range *r, double t);

#endif
