/* Leapfrog in its staggered form: velocities live at half steps, and leap over the positions.
 *   v(t + h/2) = v(t - h/2) + h a(t),  x(t + h) = x(t) + h v(t + h/2)
 * The first step is half a step of v, v(h/2) = v(0) + h a(0) / 2; a whole one would leave order 1.
 * The velocity of the half step is remembered. What a row shows is v(t + h/2) + h a(t) / 2, carried
 * to the whole step by the last acceleration, so that positions and velocities belong to one time
 * and forces F(x, v) see a velocity with an error of h^2: order 2 stays for them. Positions are
 * those of velocity Verlet. Hockney and Eastwood, Computer Simulation Using Particles, 1988. */
#include "base/loop.h"
#include "integrate/integrator.h"
#include "particles/history.h"

static const double start_of_step[] = {0};

/* The half step of the start: the stage adds a whole one. */
static void prime(const IntegratorRow *row, const Range *r, int planes)
{
    const mote_real half = (mote_real)(0.5 * r->dt);
    (void)row, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *between = history_entry(r, 0, c);
        const mote_real *v = r->v[c], *a = r->a[c];
        FOR_ROWS (i, r->count) between[i] = v[i] - half * a[i];
    }
}

static void stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const mote_real h = (mote_real)r->dt, half = (mote_real)(0.5 * r->dt);
    (void)row, (void)k, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *x = r->x[c], *v = r->v[c], *between = history_entry(r, 0, c);
        const mote_real *a = r->a[c];
        FOR_ROWS (i, r->count) {
            mote_real next = between[i] + h * a[i];
            between[i] = next;
            x[i] += h * next;
            v[i] = next + half * a[i];
        }
    }
}

const IntegratorRow ISA(integrator_leapfrog_staggered) = {
    .head = {.name = "leapfrog-staggered",
             .doc = "leapfrog with velocities at half steps, started by half a step: order 2"},
    .stages = 1,
    .nodes = start_of_step,
    .order = 2,
    .order_with_drag = 2,
    .window = 0.04,
    .stable_to = 2,
    .usable_to = 2,
    .symplectic = true, /* in x(t), v(t + h/2) */
    .bounded_energy = true,
    .history = {.entries = 1, .planes = 3},
    .stage = stage,
    .prime = prime,
};
