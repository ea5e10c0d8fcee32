/* Gear's predictor-corrector of six values: position, velocity and r_k = h^k / k! d^k x / dt^k for
 * k = 2 to 5 are extrapolated by Taylor's series, then corrected by what the new acceleration
 * disagrees with: r_k -= C_k (r_2 - h^2 a / 2). Gear, Numerical Initial Value Problems in Ordinary
 * Differential Equations, 1971; Allen and Tildesley, Computer Simulation of Liquids, 1987.
 *
 * C_0 is 3/20, Gear's value for F(x); textbooks give 3/16 for F(x, v), but measured with 3/20 order
 * 5 holds there too. A row starts with four steps of Dormand-Prince; the differences of its
 * accelerations give r_3 to r_5 with errors h^7. Starting with r_3 = r_4 = r_5 = 0 would leave
 * order 2. */
#include "base/loop.h"
#include "integrate/integrator.h"
#include "particles/history.h"

enum { ENTRIES = 4 }; /* r_2 to r_5; while starting, a ring of accelerations */

static const double end_of_step[] = {1};
/* C_0 to C_5 of the slide "Gear - Correction". */
static const double correction[] = {3.0 / 20, 251.0 / 360, 1, 11.0 / 18, 1.0 / 6, 1.0 / 60};

/* The starter's steps note a(t) as the newest entry. */
static void remember(const IntegratorRow *row, const Range *r, int planes)
{
    (void)row, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *now = history_ring(r, ENTRIES, 0, c);
        const mote_real *a = r->a[c];
        FOR_ROWS (i, r->count) now[i] = a[i];
    }
}

/* The derivatives of the quartic through a(t), a(t - h), ..., a(t - 4h). */
static void prime(const IntegratorRow *row, const Range *r, int planes)
{
    const mote_real h2 = (mote_real)(r->dt * r->dt);
    const mote_real to2 = h2 / 2, to3 = h2 / 72, to4 = h2 / 288, to5 = h2 / 240;
    (void)row, (void)planes;
    for (int c = 0; c < 3; ++c) {
        const mote_real *a = r->a[c], *back1 = history_ring(r, ENTRIES, 1, c);
        const mote_real *back2 = history_ring(r, ENTRIES, 2, c);
        const mote_real *back3 = history_ring(r, ENTRIES, 3, c);
        const mote_real *back4 = history_ring(r, ENTRIES, 4, c);
        mote_real *r2 = history_entry(r, 0, c), *r3 = history_entry(r, 1, c);
        mote_real *r4 = history_entry(r, 2, c), *r5 = history_entry(r, 3, c);
        FOR_ROWS (i, r->count) {
            mote_real a0 = a[i], a1 = back1[i], a2 = back2[i], a3 = back3[i], a4 = back4[i];
            r2[i] = to2 * a0;
            r3[i] = to3 * (25 * a0 - 48 * a1 + 36 * a2 - 16 * a3 + 3 * a4);
            r4[i] = to4 * (35 * a0 - 104 * a1 + 114 * a2 - 56 * a3 + 11 * a4);
            r5[i] = to5 * (5 * a0 - 18 * a1 + 24 * a2 - 14 * a3 + 3 * a4);
        }
    }
}

/* Pascal's triangle: r_k(t + h) = sum over j >= k of (j over k) r_j(t). Velocity is r_1 / h. */
static void predict(const IntegratorRow *row, const Range *r)
{
    const mote_real h = (mote_real)r->dt, rate = (mote_real)(1 / r->dt);
    (void)row;
    for (int c = 0; c < 3; ++c) {
        mote_real *x = r->x[c], *v = r->v[c];
        mote_real *r2 = history_entry(r, 0, c), *r3 = history_entry(r, 1, c);
        mote_real *r4 = history_entry(r, 2, c);
        const mote_real *r5 = history_entry(r, 3, c);
        FOR_ROWS (i, r->count) {
            mote_real b = r2[i], d = r3[i], e = r4[i], f = r5[i];
            x[i] += h * v[i] + (b + (d + (e + f)));
            v[i] += rate * (2 * b + (3 * d + (4 * e + 5 * f)));
            r2[i] = b + (3 * d + (6 * e + 10 * f));
            r3[i] = d + (4 * e + 10 * f);
            r4[i] = e + 5 * f;
        }
    }
}

static void correct(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const mote_real half = (mote_real)(0.5 * r->dt * r->dt);
    const mote_real c0 = (mote_real)correction[0], c1 = (mote_real)(correction[1] / r->dt);
    const mote_real c3 = (mote_real)correction[3], c4 = (mote_real)correction[4];
    const mote_real c5 = (mote_real)correction[5];
    (void)row, (void)k, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *x = r->x[c], *v = r->v[c];
        mote_real *r2 = history_entry(r, 0, c), *r3 = history_entry(r, 1, c);
        mote_real *r4 = history_entry(r, 2, c), *r5 = history_entry(r, 3, c);
        const mote_real *a = r->a[c];
        FOR_ROWS (i, r->count) {
            mote_real right = half * a[i], error = r2[i] - right;
            x[i] -= c0 * error;
            v[i] -= c1 * error;
            r2[i] = right;
            r3[i] -= c3 * error;
            r4[i] -= c4 * error;
            r5[i] -= c5 * error;
        }
    }
}

extern const IntegratorRow ISA(integrator_dormand_prince);

const IntegratorRow ISA(integrator_gear) = {
    .head = ROW_PLAIN("gear", "Gear's predictor-corrector of six values: order 5, one evaluation"),
    INTEGRATOR_STAGES(1, end_of_step),
    INTEGRATOR_ORDERS(5, 5, 0.06),
    INTEGRATOR_STEPS(0, 0.847),
    .history = {.entries = ENTRIES, .planes = 3, .steps = 4, .keeps_slope = true},
    .starter = &ISA(integrator_dormand_prince),
    .open = predict,
    .stage = correct,
    .remember = remember,
    .prime = prime,
};
