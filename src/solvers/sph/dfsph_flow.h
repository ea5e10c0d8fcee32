/* The divergence-free solver at work: what its parts share within a sub-step. */
#ifndef SOLVERS_SPH_DFSPH_FLOW_H
#define SOLVERS_SPH_DFSPH_FLOW_H

#include "solvers/sph/dfsph_kernels.h"
#include "solvers/sph/sph.h"

enum { FLOW_PLACES_PER_TASK = 512 };

typedef struct Flow {
    SphStep *step;
    const FlowKernels *kernels;
    const FlowOperators *operators;
    struct FlowScale {
        mote_real *stiffness, *soft;
    } scales[2]; /* of the operators: sums, and linear ones */
    bool linear; /* those of velocities are */
    FlowInput in;
    const mote_real *warm; /* the rows' pressures, Pa */
    mote_real *lift;       /* and what moved their positions, dt q, m^2/s */
    FlowSums *sums;        /* per task */
    size_t tasks;
    struct Coarse *coarse; /* for pressures of long waves */
    bool closed;           /* the liquid has no surface */
    bool apart;            /* what mends densities moves positions alone, not velocities */
    double share;          /* of the time in which the liquid moves by 0.4 spacings, at most 1 */
} Flow;

/* When to stop. */
typedef struct FlowGoal {
    double residual; /* mean of what is left, as a share of the rest density */
    double balance;  /* its mean with sign */
    double worst;    /* largest compression */
    uint64_t most;   /* iterations */
} FlowGoal;

void flow_for_places(Flow *flow, mote_TaskBody *body);

/* Finds the pressures q >= 0, in flow->in.flow, that leave no excess where q > 0, from those that
 * are there; their accelerations are then in moves. False: what came out is far from the goal, and
 * a shorter sub-step may do better. Where the goal is missed by little, that is counted. */
bool flow_solve(Flow *flow, const FlowGoal *goal);

#endif
