/* Conjugate gradients over all places of a liquid (Hestenes and Stiefel 1952), for friction and
 * heat: what the system is, its planes and its products are their own.
 *
 * Symbols of Teschner's slide on conjugate gradients: v_i is u, r_i the residual r, d_i the way p,
 * alpha `along`, and r'r of the new over the old `forward`. */
#ifndef SOLVERS_SPH_GRADIENTS_H
#define SOLVERS_SPH_GRADIENTS_H

#include "solvers/sph/sph.h"

/* Does something at the places of one rod, and says the sum that they have of it. */
typedef double GradientsSum(void *context, size_t begin, size_t end);

typedef struct Gradients {
    SphStep *step;
    void *context;                /* of all that follows */
    void (*apply)(void *context); /* what pairs make of the way p */
    GradientsSum *answer;         /* A p of that, and p.A p */
    GradientsSum *advance;        /* u += along p, r -= along A p, and r.r */
    mote_TaskBody *turn;          /* p = r + forward p */
    mote_real along, forward;     /* alpha and beta of this iteration */
    double *sums;                 /* by rod */
    GradientsSum *of;             /* what is summed */
} Gradients;

/* By rods, so that the sum does not depend on the threads or the order of the rows. */
double gradients_sum(Gradients *g, GradientsSum *of);
void gradients_for_places(const Gradients *g, mote_TaskBody *body);

/* From r.r = left until it is no more than goal; counted as one of the solver's solves. */
void gradients_solve(Gradients *g, double left, double goal, uint64_t most);

#endif
