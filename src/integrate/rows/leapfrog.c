/* Leapfrog in drift-kick-drift form: half a step of x, a full step of v with the forces in the
 * middle, half a step of x. Forces that depend on velocity see the velocity of the start of the
 * step, which leaves order 1 for them. */
#include "base/loop.h"
#include "integrate/integrator.h"

static const double middle_of_step[] = {0.5};

static void drift(const Range *r)
{
    const mote_real half = (mote_real)(0.5 * r->dt);
    for (int c = 0; c < 3; ++c) {
        mote_real *x = r->x[c];
        const mote_real *v = r->v[c];
        FOR_ROWS (i, r->count) x[i] += half * v[i];
    }
}

static void open(const IntegratorRow *row, const Range *r)
{
    (void)row;
    drift(r);
}

static void stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const mote_real dt = (mote_real)r->dt;
    (void)row, (void)k, (void)planes;
    for (int c = 0; c < 3; ++c) {
        mote_real *v = r->v[c];
        const mote_real *a = r->a[c];
        FOR_ROWS (i, r->count) v[i] += dt * a[i];
    }
    drift(r);
}

const IntegratorRow ISA(integrator_leapfrog) = {
    .head = {.name = "leapfrog",
             .doc = "leapfrog (drift-kick-drift): order 2, one evaluation, symplectic, reversible"},
    .stages = 1,
    .nodes = middle_of_step,
    .order = 2,
    .order_with_drag = 1,
    .symplectic = true,
    .reversible = true,
    .open = open,
    .stage = stage,
};
