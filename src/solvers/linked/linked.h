/* Solver `linked`: what `points` is where rows act on each other: through springs, or a force
 * between all of them. */
#ifndef SOLVERS_LINKED_LINKED_H
#define SOLVERS_LINKED_LINKED_H

#include "solvers/points/coupled.h"

extern const SolverRow linked_solver_row;

/* Adds the potential energy of a slot's links, J. False when out of memory. */
bool linked_add_energy(Workshop *shop, SystemSlot *slot, double *energy);

/* What an explicit scheme does in this sub-step, and does it: from step->t by step->dt. */
Advance coupled_advance(const CoupledStep *step);
mote_Status coupled_try(CoupledStep *step, mote_Error *error);
void coupled_place_pinned(const CoupledStep *step, const Range *r);

/* As many steps as an adaptive scheme needs. */
mote_Status coupled_solve_adaptively(CoupledStep *step, mote_Error *error);

/* Forces between rows look at all rows of the step and those after it. */
mote_Status coupled_look(const CoupledStep *step, mote_Error *error);

/* Acceleration of all rows at the present state and step->at. */
void coupled_accelerate(CoupledStep *step);

/* The wind relative to the rows, for the triangles of links; planes over all rows. */
AirView coupled_air(const CoupledStep *step, size_t links);

/* Advances all rows by an implicit scheme (implicit.c). */
mote_Status coupled_begin_implicit(CoupledStep *step, mote_Error *error);
void coupled_keep_start(const CoupledStep *step, const Range *r);
/* Again from the start, with the rows that step->touched marks going where they are now; `again`:
 * there were some. */
mote_Status coupled_solve_around_contacts(CoupledStep *step, bool *again, mote_Error *error);

/* ---- company.c: systems whose rows act on each other through a force ---- */

/* Every system is alone again, until the next plan. */
void companies_part(const Slots *all);

/* Which slots are solved together, after their forces are known; their solver is the first's.
 * `mutual`: some force is between rows. */
mote_Status companies_plan(const Slots *all, const Force *const *forces, size_t count, bool *mutual,
                           mote_Error *error);
/* The force's systems go into one company; refused by name where they cannot. */
mote_Status company_join(const Slots *all, const Force *force, mote_Error *error);
/* Forces between rows look at all rows before energies are asked for. */
mote_Status companies_gather_energies(const Slots *all, const Force *const *forces, size_t count,
                                      mote_Error *error);

#endif
