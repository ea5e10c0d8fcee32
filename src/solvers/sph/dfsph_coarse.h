/* Pressures of long waves, found on a coarse grid. */
#ifndef SOLVERS_SPH_DFSPH_COARSE_H
#define SOLVERS_SPH_DFSPH_COARSE_H

#include "solvers/sph/flow.h"

#include <math.h>

#include "solvers/sph/formulas/coarse.h"

typedef struct Coarse Coarse;

/* The window of cells that the liquid is in, on all ranks. */
Cells coarse_window(const SphStep *step);

/* The grid over it, from the sub-step's arena. NULL: no memory. And the particles in its cells. */
Coarse *coarse_make(const Flow *flow, const Cells *window);
void coarse_count(Coarse *coarse, const SphStep *step);

/* Adds what the excess of the pressures in flow asks for to these pressures. */
void coarse_mend(Coarse *coarse, Flow *flow);

/* When to stop. */
typedef struct FlowGoal {
    double residual; /* mean of what is left, as a share of the rest density */
    double balance;  /* its mean with sign */
    double worst;    /* largest compression */
    uint64_t most;   /* iterations */
} FlowGoal;

/* What came of a solve. */
typedef struct FlowSolved {
    FlowSums left;
    uint64_t used; /* iterations */
} FlowSolved;

/* Who iterates: what goes over all places. */
typedef struct FlowHands {
    /* The excess of the pressures in flow, and what is left. */
    FlowSums (*evaluate)(Flow *flow);
    /* The next trial starts from them. */
    void (*restart)(Flow *flow);
    /* To the least error of the plane of both ways, and a trial from there, into flow. */
    void (*mend)(Flow *flow);
    /* Adds what the coarse grid makes of the excess to the pressures in flow. */
    void (*mend_long)(Flow *flow);
    /* Optional: the next trial, its evaluation and the decision about it, as often as it likes
     * while that is FLOW_MEND. */
    void (*go_on)(Flow *flow, const struct FlowHands *hands, const FlowLimits *limits,
                  FlowControl *control);
} FlowHands;

/* Makes the trial that was decided on. */
void flow_try(Flow *flow, const FlowHands *hands, const FlowControl *control);

/* A sub-step, in its order: what is between the solves. A stage that stops it returns false. */
typedef struct FlowStages {
    /* To sources and pressures to start from; the sum of what velocities compress. */
    bool (*start)(Flow *flow, double *closing);
    /* No mean of the sources, of the pressures, of the excess. */
    void (*level_sources)(Flow *flow);
    void (*level_pressures)(Flow *flow);
    void (*level_excess)(Flow *flow);
    bool (*solve)(Flow *flow, const FlowGoal *goal);
    void (*push)(Flow *flow); /* pressures of velocities are final */
    void (*lift)(Flow *flow); /* and those of positions */
} FlowStages;

FlowSolved flow_solve_by(Flow *flow, const FlowHands *hands, const FlowGoal *goal);
extern const FlowHands flow_host_hands;

/* Whether that is good enough; it is counted. */
bool flow_accept_solved(const Flow *flow, const FlowGoal *goal, const FlowSolved *solved);

/* Finds the pressures q >= 0, in flow->in.flow, that leave no excess where q > 0, from those that
 * are there; their accelerations are then in moves. False: what came out is far from the goal, and
 * a shorter sub-step may do better. Where the goal is missed by little, that is counted. */
bool flow_solve(Flow *flow, const FlowGoal *goal);

/* ---- the grid, for the two files that make and solve it ---- */

/* A cell with particles. */
typedef struct CoarseCell {
    uint32_t node[8]; /* corner a: low or high along x, y, z by the bits of a */
    double particles; /* each 1/s of one, where liquids differ */
} CoarseCell;

struct Coarse {
    CoarseLaw law;
    size_t node_count, cell_count;
    CoarseCell *used; /* by ascending number, those of a layer along z together */
    uint32_t *layer;  /* the first of each layer of cells, and the end */
    double product[8][8];
    /* by node: */
    double *wanted, *held, *diagonal, *pressure, *left, *way, *answer;
    int64_t *count; /* by cell, of 1/s */
    int64_t *parts; /* of held and wanted, times these scales, summed by parts of the places */
    size_t part_count;
    double light; /* all particles, each 1/s of one */
    double scale[2];
    double *largest;       /* amounts of both, by worker */
    double *sums;          /* by layer of nodes */
    double length, growth; /* of the present step of conjugate gradients */
    Flow *flow;
};

/* Pressures by node that leave little of what is wanted. */
void coarse_solve(Coarse *grid);

#endif
