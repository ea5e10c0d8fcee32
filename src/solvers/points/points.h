/* Solver `points`: forces + integrator, or a velocity field that particles are traced through.
 *
 * Rows do not feel each other, so a range of any rows can be advanced by itself: blocks.c works
 * block by block. */
#ifndef SOLVERS_POINTS_POINTS_H
#define SOLVERS_POINTS_POINTS_H

#include <mote/solvers.h>

#include "forces/force.h"
#include "integrate/implicit.h"
#include "integrate/integrator.h"
#include "solvers/solver.h"

typedef struct PointsSolver {
    const IntegratorRow *integrator;
    const Field *trace; /* NULL: forces */
    const Force *const *forces;
    size_t force_count;
    bool flat;                 /* two-dimensional world: nothing moves along z */
    const struct Rates *rates; /* columns of the scene's, or NULL */
    Isa isa;
    mote_PointsSolver params; /* of implicit integrators; its names are not used */
    Tolerance tolerance;      /* of adaptive integrators */
    uint64_t most_rejections; /* in a piece of time */
    double longest;           /* s: steps may reach over the end of a piece, but are no longer than
                                 this; 0: they end with it */
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
/* The same, and what it is then. */
bool points_uniform(const PointsSolver *solver, mote_Vec3 *sum);

/* The share that forces at the end of a step have in what the step does: theta of implicit schemes,
 * 0 of those of one stage, a half of others. */
double points_end_weight(const PointsSolver *solver);

/* Steps by which velocities are behind positions; see IntegratorRow. */
double points_lag(const PointsSolver *solver);

/* Acceleration at the range's state, in r->a. */
void points_accelerate(const PointsSolver *solver, const Range *r, double t);

/* ---- adaptive.c ---- */

/* The range with its columns that have a rate, by any explicit one-step scheme. */
void points_solve_with_rates(const PointsSolver *solver, const Range *r);

void points_solve_adaptively(const PointsSolver *solver, const Range *r);

/* ---- implicit.c ---- */

/* The solver's settings, and theta of its scheme; all else is for the caller to fill in. */
ImplicitProblem points_implicit_problem(const PointsSolver *solver);

/* d = mass (1 - by[0] da/dx - by[1] da/dv), symmetric, per row; pinned rows (a column, or NULL)
 * have their mass alone. */
void points_linearise(const PointsSolver *solver, const Range *r, double t, const mote_real by[2],
                      const uint32_t *pinned, mote_real *const d[MATRIX_PLANES]);

/* How much of the way h dv every row of the range may go at once; dv over all rows. */
double points_limit(const PointsSolver *solver, const Range *r, mote_real h, const Vector *dv);
bool points_has_limit(const PointsSolver *solver);

/* m/s: what rounding of the positions makes of speeds, and what uniform forces give in a step. */
double points_slowest(const PointsSolver *solver, const Vector *x, size_t rows, double dt);

/* Adds a solve to the counts. */
void points_count_implicit(ImplicitNotes *notes, const ImplicitReport *report);

/* Advances the range by an implicit scheme: its rows do not feel each other. */
void points_solve_implicitly(const PointsSolver *solver, const Range *r);

#endif
