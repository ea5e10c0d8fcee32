/* Verlet's schemes. Verlet, Phys. Rev. 159, 1967; Swope et al., J. Chem. Phys. 76, 1982.
 *
 * Position Verlet x(t + h) = 2 x(t) - x(t - h) + h^2 a(t) is computed by way of the displacement
 * d(t) = x(t) - x(t - h), which is remembered: d += h^2 a, x += d. That loses less to rounding, and
 * periodic walls do not matter. A row starts with d = h v - h^2 a / 2, the step that an exact
 * parabola would have made before; d = h v would leave order 1.   backward: v = d / h, which
 * belongs to the middle of the step, hence its order 1;   central:  v = d / h + h a(t + h) / 2 =
 * (x(t + 2h) - x(t)) / 2h. Velocity Verlet x += h v + h^2 a / 2, v += h (a(t) + a(t + h)) / 2. With
 * forces F(x, v) the formulas for a(t + h) are circular, so F sees a velocity predicted with a(t),
 * which keeps order 2. The acceleration is kept from step to step: one evaluation each.
 *
 * Verlet's positions have order 2, not 3 as the slides' table says: h^4 of a step is summed up
 * twice, once for the velocity that it leaves. */
#include "base/loop.h"
#include "integrate/integrator.h"
#include "particles/history.h"

static const double start_of_step[] = {0};
static const double end_of_step[] = {1};

/* Schemes that evaluate forces at the end of a step. */
#define VERLET_ENDS                                                                                \
    .stages = 1, .nodes = end_of_step, INTEGRATOR_ORDERS(2, 2, 0.04), INTEGRATOR_STEPS(2, 2),      \
    .reversible = true, .bounded_energy = true

/* ---- position Verlet ---- */

enum { DISPLACEMENT, ACCELERATION }; /* entries of the history */

static void prime_displacement(const IntegratorRow *row, const Range *r, int planes)
{
    const mote_real h = (mote_real)r->dt, half = (mote_real)(0.5 * r->dt * r->dt);
    (void)row, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *d = history_entry(r, DISPLACEMENT, c);
        const mote_real *v = r->v[c], *a = r->a[c];
        FOR_ROWS (i, r->count) d[i] = h * v[i] - half * a[i];
    }
}

static void backward_stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const mote_real h2 = (mote_real)(r->dt * r->dt), rate = (mote_real)(1 / r->dt);
    (void)row, (void)k, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *x = r->x[c], *v = r->v[c], *d = history_entry(r, DISPLACEMENT, c);
        const mote_real *a = r->a[c];
        FOR_ROWS (i, r->count) {
            mote_real moved = d[i] + h2 * a[i];
            d[i] = moved;
            x[i] += moved;
            v[i] = rate * moved;
        }
    }
}

const IntegratorRow ISA(integrator_verlet_backward) = {
    .head = ROW_PLAIN("verlet-backward",
                      "Verlet with the velocity (x(t+h) - x(t)) / h: order 2, in velocity only 1"),
    INTEGRATOR_STAGES(1, start_of_step),
    INTEGRATOR_ORDERS(2, 1, 0.02),
    INTEGRATOR_STEPS(2, 2),
    .order_velocity = 1,
    .bounded_energy = true,
    .history = {.entries = 1, .planes = 3},
    .stage = backward_stage,
    .prime = prime_displacement,
};

static void note_acceleration(const Range *r, int entry)
{
    for (int c = 0; c < 3; ++c) {
        mote_real *kept = history_entry(r, entry, c);
        const mote_real *a = r->a[c];
        FOR_ROWS (i, r->count) kept[i] = a[i];
    }
}

static void prime_central(const IntegratorRow *row, const Range *r, int planes)
{
    prime_displacement(row, r, planes);
    note_acceleration(r, ACCELERATION);
}

static void central_open(const IntegratorRow *row, const Range *r)
{
    const mote_real h2 = (mote_real)(r->dt * r->dt), rate = (mote_real)(1 / r->dt);
    const mote_real half = (mote_real)(0.5 * r->dt);
    (void)row;
    for (int c = 0; c < 3; ++c) {
        mote_real *x = r->x[c], *v = r->v[c], *d = history_entry(r, DISPLACEMENT, c);
        const mote_real *a = history_entry(r, ACCELERATION, c);
        FOR_ROWS (i, r->count) {
            mote_real moved = d[i] + h2 * a[i];
            d[i] = moved;
            x[i] += moved;
            v[i] = rate * moved + half * a[i]; /* for forces of v */
        }
    }
}

static void central_stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const mote_real rate = (mote_real)(1 / r->dt), half = (mote_real)(0.5 * r->dt);
    (void)row, (void)k, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *v = r->v[c], *kept = history_entry(r, ACCELERATION, c);
        const mote_real *a = r->a[c], *d = history_entry(r, DISPLACEMENT, c);
        FOR_ROWS (i, r->count) {
            v[i] = rate * d[i] + half * a[i];
            kept[i] = a[i];
        }
    }
}

const IntegratorRow ISA(integrator_verlet) = {
    .head = ROW_PLAIN(
        "verlet", "Verlet with the central velocity (x(t+2h) - x(t)) / 2h: order 2, reversible"),
    VERLET_ENDS,
    .history = {.entries = 2, .planes = 3, .keeps_slope = true},
    .open = central_open,
    .stage = central_stage,
    .prime = prime_central,
};

/* ---- velocity Verlet ---- */

static void prime_kept(const IntegratorRow *row, const Range *r, int planes)
{
    (void)row, (void)planes;
    note_acceleration(r, 0);
}

static void velocity_open(const IntegratorRow *row, const Range *r)
{
    const mote_real h = (mote_real)r->dt, half = (mote_real)(0.5 * r->dt * r->dt);
    (void)row;
    for (int c = 0; c < 3; ++c) {
        mote_real *x = r->x[c], *v = r->v[c];
        const mote_real *a = history_entry(r, 0, c);
        FOR_ROWS (i, r->count) {
            x[i] += h * v[i] + half * a[i];
            v[i] += h * a[i]; /* predicted, for forces of v */
        }
    }
}

/* From v + h a(t) to v + h (a(t) + a(t + h)) / 2. */
static void velocity_stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const mote_real half = (mote_real)(0.5 * r->dt);
    (void)row, (void)k, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *v = r->v[c], *kept = history_entry(r, 0, c);
        const mote_real *a = r->a[c];
        FOR_ROWS (i, r->count) {
            v[i] += half * (a[i] - kept[i]);
            kept[i] = a[i];
        }
    }
}

const IntegratorRow ISA(integrator_velocity_verlet) = {
    .head = ROW_PLAIN("velocity-verlet",
                      "velocity Verlet: order 2 also with drag, one evaluation, reversible"),
    VERLET_ENDS,
    .symplectic = true,
    .history = {.entries = 1, .planes = 3, .keeps_slope = true},
    .open = velocity_open,
    .stage = velocity_stage,
    .prime = prime_kept,
};
