/* Beeman's scheme with the coefficients that have order 3 in position and velocity:
 *   x += h v + h^2 (4 a(t) - a(t - h)) / 6
 *   v += h (5 a(t + h) + 8 a(t) - a(t - h)) / 12
 * Schofield, Comput. Phys. Commun. 5, 1973; Beeman, J. Comput. Phys. 20, 1976 (whose own weights
 * 2, 5, -1 over 6 make Verlet's positions). Forces F(x, v) see v + h (3 a(t) - a(t - h)) / 2, whose
 * error h^3 leaves order 3. The first step is RK4's: a(t - h) = a(t) would leave order 2. */
#include "base/loop.h"
#include "integrate/integrator.h"
#include "particles/history.h"

enum { ENTRIES = 2 }; /* a ring: a(t), a(t - h) */

static const double end_of_step[] = {1};

/* During a step, back = 1 is a(t) and back = 2 is a(t - h); its end overwrites that by a(t + h).
 * The starter's step and the first own step note a(t), which was evaluated at their start. */
static void remember(const IntegratorRow *row, const Range *r, int planes)
{
    (void)row, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *now = history_ring(r, ENTRIES, 1, c);
        const mote_real *a = r->a[c];
        FOR_ROWS (i, r->count) now[i] = a[i];
    }
}

static void open(const IntegratorRow *row, const Range *r)
{
    const mote_real h = (mote_real)r->dt, sixth = (mote_real)(r->dt * r->dt / 6);
    const mote_real half = (mote_real)(0.5 * r->dt);
    (void)row;
    for (int c = 0; c < 3; ++c) {
        mote_real *x = r->x[c], *v = r->v[c];
        const mote_real *a = history_ring(r, ENTRIES, 1, c), *b = history_ring(r, ENTRIES, 2, c);
        FOR_ROWS (i, r->count) {
            x[i] += h * v[i] + sixth * (4 * a[i] - b[i]);
            v[i] += half * (3 * a[i] - b[i]); /* predicted, for forces of v */
        }
    }
}

/* From the predicted velocity to the right one: (5 a1 + 8 a - b) / 12 - (18 a - 6 b) / 12. */
static void stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const mote_real twelfth = (mote_real)(r->dt / 12);
    (void)row, (void)k, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *v = r->v[c], *newest = history_ring(r, ENTRIES, 0, c);
        const mote_real *a1 = r->a[c], *a = history_ring(r, ENTRIES, 1, c);
        FOR_ROWS (i, r->count) {
            mote_real b = newest[i]; /* the oldest entry's place is the newest one's */
            v[i] += twelfth * (5 * a1[i] - 10 * a[i] + 5 * b);
            newest[i] = a1[i];
        }
    }
}

extern const IntegratorRow ISA(integrator_rk4);

const IntegratorRow ISA(integrator_beeman) = {
    .head =
        ROW_PLAIN("beeman", "Beeman's scheme with Schofield's weights: order 3, one evaluation"),
    INTEGRATOR_STAGES(1, end_of_step),
    INTEGRATOR_ORDERS(3, 3, 0.04),
    INTEGRATOR_STEPS(1.732, 1.734),
    .history = {.entries = ENTRIES, .planes = 3, .steps = 1, .keeps_slope = true},
    .starter = &ISA(integrator_rk4),
    .open = open,
    .stage = stage,
    .remember = remember,
    .prime = remember,
};
