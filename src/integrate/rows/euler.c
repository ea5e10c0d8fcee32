/* The two Euler schemes. Explicit: both updates with the old values. Symplectic (Euler-Cromer):
 * position with the new velocity.
 *
 *     explicit      x(t + h) = x + h v(t),        v(t + h) = v + h a(t)
 *     symplectic    v(t + h) = v + h a(t),        x(t + h) = x + h v(t + h)
 * On an oscillator the first grows by sqrt(1 + (w h)^2) a step, whatever h is; the second keeps the
 * area of phase space, and swings for w h < 2 within a band of (w h / 2) / (1 - w h / 2) of the
 * energy. Bargteil and Teschner call it symplectic Euler and Euler-Cromer. */
#include "base/loop.h"
#include "integrate/integrator.h"

static const double start_of_step[] = {0};

/* y += dt dy, plane after plane; a velocity plane is read by its position before it changes. */
static void euler_stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const mote_real dt = (mote_real)r->dt;
    (void)row, (void)k;
    for (int p = 0; p < planes; ++p) {
        mote_real *y = range_state(r, p);
        const mote_real *dy = range_derivative(r, p);
        FOR_ROWS (i, r->count) y[i] += dt * dy[i];
    }
}

const IntegratorRow ISA(integrator_euler) = {
    .head = ROW_PLAIN("euler", "explicit Euler: simple, order 1, gains energy"),
    INTEGRATOR_STAGES(1, start_of_step),
    .order = 1,
    .order_with_drag = 1,
    .first_order_too = true,
    .window = 0.02,
    .usable_to = 0.141,
    .lag = -0.5,
    .stage = euler_stage,
};

static void symplectic_stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const mote_real dt = (mote_real)r->dt;
    (void)row, (void)k, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *x = r->x[c], *v = r->v[c];
        const mote_real *a = r->a[c];
        FOR_ROWS (i, r->count) {
            mote_real w = v[i] + dt * a[i];
            v[i] = w;
            x[i] += dt * w;
        }
    }
}

#define SYMPLECTIC_EULER(row, name_, doc_, alias_)                                                 \
    const IntegratorRow ISA(row) = {                                                               \
        .head = ROW_PLAIN(name_, doc_),                                                            \
        .stages = 1,                                                                               \
        .nodes = start_of_step,                                                                    \
        INTEGRATOR_ORDERS(1, 1, 0.02),                                                             \
        INTEGRATOR_STEPS(2, 2),                                                                    \
        .lag = 0.5,                                                                                \
        .symplectic = true,                                                                        \
        .bounded_energy = true,                                                                    \
        .alias = alias_,                                                                           \
        .along = &ISA(integrator_euler),                                                           \
        .stage = symplectic_stage,                                                                 \
    }

SYMPLECTIC_EULER(integrator_symplectic_euler, "symplectic-euler",
                 "symplectic Euler (Euler-Cromer): order 1, one evaluation, energy bounded", false);
SYMPLECTIC_EULER(integrator_euler_cromer, "euler-cromer", "another name of symplectic-euler", true);
