/* Implicit schemes: Newton's method on what a solver says about its forces.
 *
 * The theta scheme, with h = dt:
 *
 *     x1 = x0 + h [(1 - theta) v0 + theta v1]
 *     v1 = v0 + h [(1 - theta) a(x0, v0, t0) + theta a(x1, v1, t1)]
 *
 * theta = 1 is implicit Euler, 1/2 Crank-Nicolson, 0 explicit Euler. The unknown is v1, and with
 * masses m, stiffness K = dF/dx and damping D = dF/dv a Newton step solves
 *
 *     (m - h theta D - (h theta)^2 K) dv = m [v0 + h (1 - theta) a0 + h theta a - v]
 *
 * by conjugate gradients (Baraff and Witkin, "Large steps in cloth simulation", SIGGRAPH 1998). */
#ifndef INTEGRATE_IMPLICIT_H
#define INTEGRATE_IMPLICIT_H

#include "integrate/vector.h"

typedef struct ImplicitReport {
    uint64_t newton, cg; /* iterations */
    double residual;     /* of the last Newton step: its size, as a share of the speeds */
    bool converged;
} ImplicitReport;

/* Planes that a problem lends, each over all rows; its own derivatives may follow. */
enum {
    IMPLICIT_START = 0,    /* v0, then the constant part of x */
    IMPLICIT_KNOWN = 6,    /* v0 + h (1 - theta) a0 */
    IMPLICIT_BASE = 9,     /* v before the line search */
    IMPLICIT_STEP = 12,    /* dv */
    IMPLICIT_RIGHT = 15,   /* m times the residual */
    IMPLICIT_SCRATCH = 18, /* of conjugate gradients: z, p, q */
    IMPLICIT_INVERSE = 27, /* preconditioner */
    IMPLICIT_PLANES = 33
};

/* Scratch planes of an implicit scheme: those, the derivative of the forces on single rows, and
 * what a caller keeps while it solves a step twice (x, v at the start and a velocity). */
enum {
    IMPLICIT_KEPT = 9,
    IMPLICIT_SCRATCH_PLANES = IMPLICIT_PLANES + MATRIX_PLANES + IMPLICIT_KEPT
};

typedef struct ImplicitProblem {
    void *context;
    mote_Tasks *tasks;
    const VectorKernels *kernels;
    size_t rows;
    double t, dt, theta;
    Vector x, v;            /* the state: in at t, out at t + dt */
    Vector a;               /* what accelerate writes */
    const mote_real *mass;  /* kg */
    const uint32_t *pinned; /* rows that are not solved for, where not 0; or NULL */
    mote_real *planes;      /* IMPLICIT_PLANES, `stride` apart */
    size_t stride;
    double *sums;     /* a place for every block */
    double slowest;   /* m/s: speeds below do not matter */
    double tolerance; /* on a Newton step, as a share of the largest speed */
    uint64_t newton_most;
    double cg_tolerance;
    uint64_t cg_most;
    /* a at the state (x, v) and time t. */
    void (*accelerate)(void *context, double t);
    /* Makes A = m - by_v D - by_x K at the present state; its 3 x 3 blocks go to `blocks`. */
    void (*linearise)(void *context, double by_x, double by_v, const Matrices *blocks);
    void (*times)(void *context, const Vector *p, const Vector *q);
    /* How much of the way from x to x + way may be gone at once, at most 1; NULL: all. */
    double (*limit)(void *context, const Vector *way);
} ImplicitProblem;

/* Advances the state by dt. A step that does not converge ends with the best that was found, and
 * says so. */
ImplicitReport theta_solve(const ImplicitProblem *problem);

#endif
