/* Solver `linked`: what `points` is where rows act on each other: through springs, or a force
 * between all of them. */
#ifndef SOLVERS_LINKED_LINKED_H
#define SOLVERS_LINKED_LINKED_H

#include "solvers/points/coupled.h"

extern const SolverRow linked_solver_row;

/* Potential energy of a slot's links, J; block_sums has a place for every block. False when out of
 * memory. */
bool linked_energy(Workshop *shop, SystemSlot *slot, double *block_sums, double *energy);

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

#endif
