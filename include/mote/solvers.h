/* Solvers: what moves a system. */
#ifndef MOTE_SOLVERS_H
#define MOTE_SOLVERS_H

#include <mote/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Solver "points": particles that do not feel each other. */
typedef struct mote_PointsSolver {
    const char *integrator; /* row of the integrators; NULL: "symplectic-euler" */
    const char *trace;      /* name of a velocity field: particles follow it, forces are unused */
    /* Of the implicit integrators: */
    double theta;            /* of "theta": 1 implicit Euler, 1/2 Crank-Nicolson, 0 Euler */
    uint64_t newton_most;    /* Newton steps in a sub-step */
    double newton_tolerance; /* size of the last one, as a share of the largest speed */
    uint64_t cg_most;        /* iterations of conjugate gradients in a Newton step */
    double cg_tolerance;     /* what they leave of the residual */
    /* Adaptive integrators ("dormand-prince"): a step's error may be absolute_tolerance (m in
     * position, m/s in velocity) and relative_tolerance times their size; a sub-step that rejects
     * more than most_rejections steps ends the run with MOTE_DIVERGED. */
    double relative_tolerance, absolute_tolerance;
    uint64_t most_rejections;
} mote_PointsSolver;

MOTE_API mote_PointsSolver mote_points_solver_def(void);

#ifdef __cplusplus
}
#endif
#endif
