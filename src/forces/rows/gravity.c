/* Uniform gravity: a = g, energy -m g . x. */
#include "base/loop.h"
#include "base/row.h"
#include "forces/force.h"

static const mote_Param params[] = {
    PARAM_VEC3(mote_GravityForce, acceleration, "m/s^2", "acceleration of every particle", 0, -9.81,
               0),
};

static mote_Vec3 uniform(const Force *force)
{
    const mote_GravityForce *p = force->object.params;
    return p->acceleration;
}

static void accelerate(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    const mote_GravityForce *p = force->object.params;
    const mote_real g[3] = {p->acceleration.x, p->acceleration.y, p->acceleration.z};
    (void)t;
    for (int c = 0; c < 3; ++c) {
        mote_real *ac = a[c], gc = g[c];
        if (gc == 0) continue;
        FOR_ROWS (i, r->count) ac[i] += gc;
    }
}

static void potential(const Force *force, const Range *r, double t, mote_real *energy)
{
    const mote_GravityForce *p = force->object.params;
    const mote_Vec3 g = p->acceleration;
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    (void)t;
    FOR_ROWS (i, r->count) energy[i] -= mass[i] * (g.x * x[i] + g.y * y[i] + g.z * z[i]);
}

const ForceRow ISA(force_gravity) = {
    .head = ROW_HEAD("gravity", "the same acceleration everywhere", params, mote_GravityForce),
    .uniform = uniform,
    .accelerate = accelerate,
    .potential = potential,
};
