/* Solver `points`: forces + integrator, or a velocity field that particles are traced through.
 *
 * Rows do not feel each other, so a range of any rows can be advanced by itself: blocks.c works
 * block by block. */
#ifndef SOLVERS_POINTS_POINTS_H
#define SOLVERS_POINTS_POINTS_H

#include <mote/solvers.h>

#include "forces/force.h"
#include "integrate/integrator.h"
#include "solvers/solver.h"

typedef struct PointsSolver {
    const IntegratorRow *integrator;
    const Field *trace; /* NULL: forces */
    const Force *const *forces;
    size_t force_count;
    bool flat; /* two-dimensional world: nothing moves along z */
    Isa isa;
    mote_PointsSolver params; /* of implicit integrators; its names are not used */
    Tolerance tolerance;      /* of adaptive integrators */
    uint64_t most_rejections; /* in a piece of time */
} PointsSolver;

extern const SolverRow points_solver_row;

/* Parameters and integrator, from what a scene gives; NULL: defaults. The field that `trace` names,
 * forces and `flat` are for who knows the world. */
mote_Status points_set(PointsSolver *points, const mote_PointsSolver *given, Isa isa,
                       const char *where, mote_Error *error);

/* Advances the range from r->t by r->dt. */
void points_solve(const PointsSolver *solver, const Range *r);

/* Planes of the state that the integrator advances: position and velocity, or position alone. */
static inline int points_planes(const PointsSolver *solver)
{
    return solver->trace != NULL ? 3 : 6;
}

/* The derivative of the state at time t: acceleration in r->a, or the field's velocity in r->v. */
void points_evaluate(const PointsSolver *solver, const Range *r, double t);

/* True when the acceleration is the same for all rows and at all velocities. */
bool points_is_uniform(const PointsSolver *solver);

/* The share that forces at the end of a step have in what the step does: theta of implicit schemes,
 * 0 of those of one stage, a half of others. */
double points_end_weight(const PointsSolver *solver);

/* Steps by which velocities are behind positions; see IntegratorRow. */
double points_lag(const PointsSolver *solver);

/* Acceleration at the range's state, in r->a. */
void points_accelerate(const PointsSolver *solver, const Range *r, double t);

#endif
