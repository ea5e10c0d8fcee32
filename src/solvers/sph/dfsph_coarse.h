/* Pressures of long waves, found on a coarse grid. */
#ifndef SOLVERS_SPH_DFSPH_COARSE_H
#define SOLVERS_SPH_DFSPH_COARSE_H

#include "solvers/sph/flow.h"

typedef struct Coarse Coarse;

/* The grid over the particles of a sub-step, from its arena. NULL: no memory. */
Coarse *coarse_make(const Flow *flow);

/* Adds what the excess of the pressures in flow asks for to these pressures. */
void coarse_mend(Coarse *coarse, Flow *flow);

/* When to stop. */
typedef struct FlowGoal {
    double residual; /* mean of what is left, as a share of the rest density */
    double balance;  /* its mean with sign */
    double worst;    /* largest compression */
    uint64_t most;   /* iterations */
} FlowGoal;

/* Finds the pressures q >= 0, in flow->in.flow, that leave no excess where q > 0, from those that
 * are there; their accelerations are then in moves. False: what came out is far from the goal, and
 * a shorter sub-step may do better. Where the goal is missed by little, that is counted. */
bool flow_solve(Flow *flow, const FlowGoal *goal);

#endif
