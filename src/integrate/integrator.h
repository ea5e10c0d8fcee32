/* The integrator family: a row advances the state of a range in stages.
 *
 * It knows nothing of forces: the solver evaluates r->a at the state (r->x, r->v) before every
 * stage. In a first-order problem dx/dt = u(x, t) the solver writes u to r->v instead, and the
 * state is the position alone. */
#ifndef INTEGRATE_INTEGRATOR_H
#define INTEGRATE_INTEGRATOR_H

#include "base/isa.h"
#include "particles/range.h"

/* X(row, file in rows/ that holds it). */
#define INTEGRATOR_ROWS(X)                                                                         \
    X(integrator_euler, euler)                                                                     \
    X(integrator_symplectic_euler, euler)                                                          \
    X(integrator_leapfrog, leapfrog)                                                               \
    X(integrator_midpoint, runge_kutta)                                                            \
    X(integrator_heun, runge_kutta)                                                                \
    X(integrator_ralston, runge_kutta)                                                             \
    X(integrator_ralston34, runge_kutta)                                                           \
    X(integrator_rk4, runge_kutta)                                                                 \
    X(integrator_rk4_38, runge_kutta)                                                              \
    X(integrator_theta, theta)                                                                     \
    X(integrator_implicit_euler, theta)                                                            \
    X(integrator_crank_nicolson, theta)

typedef struct IntegratorRow IntegratorRow;

struct IntegratorRow {
    mote_Row head;
    int stages;           /* evaluations of the forces per step */
    const double *nodes;  /* when, as fractions of the step */
    int order;            /* global order in position and velocity, forces of x and t */
    int order_with_drag;  /* the same when forces depend on velocity */
    bool first_order_too; /* also integrates dx/dt = u(x, t) */
    /* On an oscillator of frequency w with steps h: */
    double stable_to; /* the amplitude does not grow up to this w h; 0: it always grows */
    double usable_to; /* it grows by less than 1 % per step up to this w h */
    bool symplectic, reversible;
    bool needs_start;   /* reads r->x0, r->v0 */
    int scratch_planes; /* r->scratch holds as many */
    const void *scheme; /* coefficients of the family */
    bool implicit;      /* solved for all rows together by theta_solve; has no stages */
    double theta;       /* of an implicit scheme; below 0: the solver's */
    /* Optional, before the first evaluation. */
    void (*open)(const IntegratorRow *row, const Range *r);
    /* After evaluation k. `planes` is 6 for position and velocity, 3 in first-order problems. */
    void (*stage)(const IntegratorRow *row, const Range *r, int k, int planes);
};

const mote_Row *const *integrator_rows(Isa isa, size_t *count);

/* The derivative of plane `plane` of the state: velocity, then acceleration. */
static inline mote_real *range_derivative(const Range *r, int plane)
{
    return plane < 3 ? r->v[plane] : r->a[plane - 3];
}

#endif
