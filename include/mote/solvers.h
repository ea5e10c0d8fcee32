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
} mote_PointsSolver;

MOTE_API mote_PointsSolver mote_points_solver_def(void);

#ifdef __cplusplus
}
#endif
#endif
