/* Solvers of a world (src/solvers/solver.h). */
#ifndef WORLD_SOLVERS_H
#define WORLD_SOLVERS_H

#include "solvers/linked/linked.h"
#include "solvers/sph/sph.h"
#include "solvers/vortex/solver.h"
#include "world/world.h"

/* X(row): what a system may name as its solver. The first is what is meant without a name. */
#define SOLVER_ROWS(X)                                                                             \
    X(points_solver_row)                                                                           \
    X(sph_solver_row) X(foam_solver_row) X(vortex_solver_row) X(tracers_solver_row)

const mote_Row *const *solver_rows(Isa isa, size_t *count);

/* As mote_world_add_system, with the row given: solvers of tests are in no table. */
mote_Status world_add_system(mote_World *world, const mote_SystemDef *def, const SolverRow *row,
                             mote_System **system, mote_Error *error);

static inline const Force *const *world_forces(const mote_World *world)
{
    return (const Force *const *)world->forces.items;
}

/* The slot's solver: a new one, or one of an earlier system that it joins. */
mote_Status world_open_solver(mote_World *world, const SolverRow *row, const mote_SystemDef *def,
                              SystemSlot *slot, mote_Error *error);

/* The solver that publishes the field; NULL: it is one of its own. */
const Solver *world_publisher(const Field *field);

/* That nothing needs equal sub-steps. */
mote_Status world_check_uneven(const mote_World *world, mote_Error *error);

/* Before a step: whether solvers choose sub-steps, and that nothing else needs equal ones. */
mote_Status world_plan_solvers(mote_World *world, mote_Error *error);

/* The span, as the solver sees it. */
SolverStep world_solver_step(mote_World *world, Solver *solver, const TimeSpan *span);

/* The longest sub-step that all solvers allow at time t, at most `most`. */
double world_solver_limit(mote_World *world, double t, double most);

/* At the start of a sub-step, before births; and at its end. */
mote_Status world_begin_solvers(mote_World *world, const TimeSpan *span, mote_Error *error);
void world_finish_solvers(mote_World *world, const TimeSpan *span);

#endif
