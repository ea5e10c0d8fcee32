/* The integrator family: a row advances the state of a range in stages.
 *
 * It knows nothing of forces: the solver evaluates r->a at the state (r->x, r->v) before every
 * stage. In a first-order problem dx/dt = u(x, t) the solver writes u to r->v instead, and the
 * state is the position alone. Which calls make up a step, advance.h says.
 *
 * h is the step, `dt` of the range; a(t) the acceleration where the row is at t. Slides of
 * Teschner's lecture (docs/course.md) give the same schemes, some with slips that rows name where
 * they put them right. Orders here are global: the error after a fixed time goes with h^order; a
 * slide that says O(h^3) for leapfrog counts the error of one step, one power more. */
#ifndef INTEGRATE_INTEGRATOR_H
#define INTEGRATE_INTEGRATOR_H

#include "base/isa.h"
#include "base/row.h"
#include "particles/range.h"

/* X(row, file in rows/ that holds it). */
#define INTEGRATOR_ROWS(X)                                                                         \
    X(integrator_euler, euler)                                                                     \
    X(integrator_symplectic_euler, euler)                                                          \
    X(integrator_euler_cromer, euler)                                                              \
    X(integrator_leapfrog, composition)                                                            \
    X(integrator_yoshida4, composition)                                                            \
    X(integrator_leapfrog_staggered, staggered)                                                    \
    X(integrator_verlet, verlet)                                                                   \
    X(integrator_verlet_backward, verlet)                                                          \
    X(integrator_velocity_verlet, verlet)                                                          \
    X(integrator_beeman, beeman)                                                                   \
    X(integrator_gear, gear)                                                                       \
    X(integrator_midpoint, runge_kutta)                                                            \
    X(integrator_heun, runge_kutta)                                                                \
    X(integrator_ralston, runge_kutta)                                                             \
    X(integrator_ralston34, runge_kutta)                                                           \
    X(integrator_rk4, runge_kutta)                                                                 \
    X(integrator_rk4_38, runge_kutta)                                                              \
    X(integrator_theta, theta)                                                                     \
    X(integrator_implicit_euler, theta)                                                            \
    X(integrator_crank_nicolson, theta)                                                            \
    X(integrator_dormand_prince, dormand_prince)                                                   \
    X(integrator_ab1, adams)                                                                       \
    X(integrator_ab2, adams)                                                                       \
    X(integrator_ab3, adams)                                                                       \
    X(integrator_ab4, adams)                                                                       \
    X(integrator_ab5, adams)                                                                       \
    X(integrator_abm1, adams)                                                                      \
    X(integrator_abm2, adams)                                                                      \
    X(integrator_abm3, adams)                                                                      \
    X(integrator_abm4, adams)                                                                      \
    X(integrator_abm5, adams)

typedef struct IntegratorRow IntegratorRow;

/* What a row remembers of earlier steps; see particles/history.h. */
typedef struct HistoryNeeds {
    int entries; /* columns; 0: none, a one-step scheme */
    int planes;  /* of an entry: 6 slopes of position and velocity, or 3 of one of them */
    int steps;   /* earlier steps that a row must remember; until then its starter advances it */
    /* The slope at the start of a step is kept from the end of the step before, so a row that was
     * just started needs one evaluation more. */
    bool keeps_slope;
} HistoryNeeds;

/* How exact the steps of an adaptive row are to be. */
typedef struct Tolerance {
    double relative; /* of the size of position and velocity */
    double absolute; /* m and m/s */
} Tolerance;

/* What an adaptive row's step came to. */
typedef struct StepError {
    double size;  /* in units of the tolerance: good up to 1 */
    size_t worst; /* row of the range */
} StepError;

struct IntegratorRow {
    mote_Row head;
    int stages;           /* evaluations of the forces per step */
    const double *nodes;  /* when, as fractions of the step */
    bool first_order_too; /* also integrates dx/dt = u(x, t) */

    /* What is promised, and tested. */
    int order;                    /* global order in position, forces of x and t */
    int order_with_drag;          /* the same when forces depend on velocity */
    int order_velocity;           /* in velocity; 0: as in position */
    int order_velocity_with_drag; /* the same when forces depend on velocity */
    /* On an oscillator of frequency w with steps h: */
    double window;    /* the order shows from w h = window downwards, until rounding takes over */
    double stable_to; /* the amplitude does not grow up to this w h; 0: it always grows */
    double usable_to; /* it grows by less than 1 % per step up to this w h */
    /* Steps by which velocities are behind positions: under a constant force, x and v + lag h a lie
     * on one parabola. Schemes of order 1 alone have one; implicit ones theta - 1/2. */
    double lag;
    bool symplectic, reversible;
    bool bounded_energy; /* forces of x: the energy swings, but does not drift */
    bool alias;          /* another name of a row above */

    /* What it needs. */
    bool needs_start;   /* reads r->x0, r->v0 */
    int scratch_planes; /* r->scratch holds as many */
    HistoryNeeds history;
    /* What takes first-order problems along that stand beside positions and velocities; NULL: the
     * row itself, where it solves them. */
    const IntegratorRow *along;
    const IntegratorRow *starter; /* advances a row while its history is too short */
    const void *scheme;           /* coefficients of the family */
    bool implicit;                /* solved for all rows together by theta_solve; has no stages */
    double theta;                 /* of an implicit scheme; below 0: the solver's */

    /* Optional, before the first evaluation. */
    void (*open)(const IntegratorRow *row, const Range *r);
    /* After evaluation k. `planes` is 6 for position and velocity, 3 in first-order problems. */
    void (*stage)(const IntegratorRow *row, const Range *r, int k, int planes);
    /* With histories: notes the slope at the start of a step that the starter makes. */
    void (*remember)(const IntegratorRow *row, const Range *r, int planes);
    /* With histories: makes what the first own step needs, from the slope at its start. */
    void (*prime)(const IntegratorRow *row, const Range *r, int planes);
    /* Adaptive rows: the error of the step just made; back to its start. */
    StepError (*error)(const IntegratorRow *row, const Range *r, int planes, Tolerance tolerance);
    void (*reject)(const IntegratorRow *row, const Range *r, int planes);
    /* Adaptive rows with dense output (particles/dense.h): keeps what the state within the step
     * just made is; the state at a share of what was kept, exactly the step's end at 1. */
    void (*keep)(const IntegratorRow *row, const Range *r, int planes);
    void (*recall)(const IntegratorRow *row, const Range *r, int planes, double share);
};

/* Members of a row: evaluations, and when; its orders, without and with drag, and the window they
 * show in; and how long steps may be. */
#define INTEGRATOR_STAGES(count, at)         .stages = count, .nodes = at
#define INTEGRATOR_ORDERS(plain, drag, from) .order = plain, .order_with_drag = drag, .window = from
#define INTEGRATOR_STEPS(stable, usable)     .stable_to = stable, .usable_to = usable

const mote_Row *const *integrator_rows(Isa isa, size_t *count);

/* The columns that the row keeps its state in, `planes` as in stage. Before there are rows. */
mote_Status integrator_add_columns(const IntegratorRow *row, mote_System *system, int planes,
                                   mote_Error *error);

/* The derivative of plane `plane` of the state: velocity, then acceleration. */
static inline mote_real *range_derivative(const Range *r, int plane)
{
    return plane < 3 ? r->v[plane] : r->a[plane - 3];
}

/* Scratch planes of the row or its starter. */
static inline int integrator_scratch_planes(const IntegratorRow *row)
{
    int own = row->scratch_planes, start = row->starter != NULL ? row->starter->scratch_planes : 0;
    return own > start ? own : start;
}

#endif
