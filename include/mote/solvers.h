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
