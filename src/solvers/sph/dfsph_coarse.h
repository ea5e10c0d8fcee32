/* Pressures of long waves, found on a coarse grid. */
#ifndef SOLVERS_SPH_DFSPH_COARSE_H
#define SOLVERS_SPH_DFSPH_COARSE_H

#include "solvers/sph/dfsph_flow.h"

typedef struct Coarse Coarse;

/* The grid over the particles of a sub-step, from its arena. NULL: no memory. */
Coarse *coarse_make(const Flow *flow);

/* Adds what the excess of the pressures in flow asks for to these pressures. */
void coarse_mend(Coarse *coarse, Flow *flow);

#endif
