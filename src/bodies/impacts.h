/* Impacts: pairs that near each other quickly bounce, before contact is solved. */
#ifndef BODIES_IMPACTS_H
#define BODIES_IMPACTS_H

#include "bodies/solver.h"

/* All impacts of the next piece of time h (s) that are faster than `slowest` (m/s). */
void impacts_resolve(const Solids *solids, const Contacts *contacts, double h, double slowest,
                     SolveRoom *room);

#endif
