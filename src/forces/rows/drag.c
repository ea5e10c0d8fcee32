/* Drag towards a wind u: a = -(linear + quadratic |w|) w with w = v - u (Stokes and Newton drag),
 * divided by the mass when the coefficients are of the force.
 *
 * Of a ball of radius r in a fluid of viscosity mu and density rho, `linear` is 6 pi mu r / m and
 * `quadratic` rho C_d A / (2 m). */
#include "base/loop.h"
#include "base/row.h"
#include "forces/force.h"

#include <string.h>

static const char *const field_kind[] = {"field", NULL};

static const mote_Param params[] = {
    PARAM_REAL(mote_DragForce, linear, "1/s", "linear (Stokes) coefficient", 0, 0, PARAM_LARGEST),
    PARAM_REAL(mote_DragForce, quadratic, "1/m", "quadratic (Newton) coefficient", 0, 0,
               PARAM_LARGEST),
    PARAM_BOOL(mote_DragForce, by_mass, "coefficients in kg/s and kg/m, divided by the mass", 0),
    PARAM_NAME(mote_DragForce, wind, "field whose velocity the particles are dragged along by",
               field_kind),
};

/* The wind at the range, in r->sample. */
static void sample_wind(const Force *force, const Range *r, double t)
{
    if (force->field == NULL) {
        for (int c = 0; c < 3; ++c) memset(r->sample[c], 0, r->count * sizeof(mote_real));
        return;
    }
    FieldPoints points = {.count = r->count, .x = {r->x[0], r->x[1], r->x[2]}, .t = t};
    field_sample(force->field, &points, r->sample);
}

static void drag_linear(const mote_DragForce *p, const Range *r, mote_real *const a[3])
{
    for (int c = 0; c < 3; ++c) {
        mote_real *ac = a[c], k = p->linear;
        const mote_real *v = r->v[c], *u = r->sample[c];
        FOR_ROWS (i, r->count) ac[i] -= k * (v[i] - u[i]);
    }
}

static void drag_general(const mote_DragForce *p, const Range *r, mote_real *const a[3])
{
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    const mote_real *vx = r->v[0], *vy = r->v[1], *vz = r->v[2];
    const mote_real *ux = r->sample[0], *uy = r->sample[1], *uz = r->sample[2];
    mote_real *ax = a[0], *ay = a[1], *az = a[2];
    const mote_real k1 = p->linear, k2 = p->quadratic;
    const bool by_mass = p->by_mass;
    FOR_ROWS (i, r->count) {
        mote_real wx = vx[i] - ux[i], wy = vy[i] - uy[i], wz = vz[i] - uz[i];
        mote_real k = k1 + k2 * REAL_SQRT(wx * wx + wy * wy + wz * wz);
        k /= real_pick(by_mass, mass[i], 1); /* ?: would keep the loop scalar */
        ax[i] -= k * wx, ay[i] -= k * wy, az[i] -= k * wz;
    }
}

static void accelerate(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    const mote_DragForce *p = force->object.params;
    sample_wind(force, r, t);
    if (p->quadratic == 0 && !p->by_mass)
        drag_linear(p, r, a);
    else
        drag_general(p, r, a);
}

/* -da/dv = k I + k2 w w^T / |w|, k = k1 + k2 |w|; how the wind changes from place to place is left
 * out: it makes the matrix unsymmetric and changes slowly. */
static void derivative(const Force *force, const Range *r, double t, const mote_real by[2],
                       mote_real *const d[FORCE_DERIVATIVE_PLANES])
{
    const mote_DragForce *p = force->object.params;
    const mote_real least = (mote_real)1e-18, k1 = p->linear, k2 = p->quadratic;
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    const mote_real *vx = r->v[0], *vy = r->v[1], *vz = r->v[2];
    mote_real *xx = d[0], *yy = d[1], *zz = d[2], *yz = d[3], *xz = d[4], *xy = d[5];
    const bool by_mass = p->by_mass;
    sample_wind(force, r, t);
    const mote_real *ux = r->sample[0], *uy = r->sample[1], *uz = r->sample[2];
    FOR_ROWS (i, r->count) {
        mote_real wx = vx[i] - ux[i], wy = vy[i] - uy[i], wz = vz[i] - uz[i];
        mote_real speed = REAL_SQRT(wx * wx + wy * wy + wz * wz);
        mote_real share = by[1] / real_pick(by_mass, mass[i], 1);
        mote_real k = share * (k1 + k2 * speed), q = share * k2 / (speed > least ? speed : least);
        xx[i] += k + q * wx * wx, yy[i] += k + q * wy * wy, zz[i] += k + q * wz * wz;
        yz[i] += q * wy * wz, xz[i] += q * wx * wz, xy[i] += q * wx * wy;
    }
}

/* Explicit schemes follow dv/dt = -k v only while k dt < 2. */
static void forecast(const void *raw, const Outlook *o)
{
    const mote_DragForce *p = raw;
    for (size_t i = 0; i < o->system_count; ++i) {
        double rate = (double)p->linear;
        rate += (double)p->quadratic * outlook_fastest(o, o->systems[i]);
        if (p->by_mass) rate /= outlook_lightest(o, o->systems[i]);
        if (rate * o->dt > 2)
            OUTLOOK_WARN(o,
                         "forces.%s: drag of %.3g /s on systems.%s is unstable with sub-steps of "
                         "%.3g s; set world.max_step: %.2g or less\n",
                         o->name, rate, o->systems[i], o->dt, outlook_advise(o->longest, 1 / rate));
    }
}

const ForceRow ISA(force_drag) = {
    .head =
        ROW_HEAD("drag", "linear and quadratic drag towards a wind field", params, mote_DragForce),
    .uses_velocity = true,
    .accelerate = accelerate,
    .derivative = derivative,
    .forecast = forecast,
};
