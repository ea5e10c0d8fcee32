/* A point mass with Plummer softening: a = -GM d / (d^2 + s^2)^(3/2), energy -m GM / sqrt(d^2 +
 * s^2). Plummer, MNRAS 71, 1911. */
#include "base/loop.h"
#include "base/math.h"
#include "base/row.h"
#include "base/vec.h"
#include "forces/force.h"

#include <math.h>

static const mote_Param params[] = {
    PARAM_VEC3(mote_AttractorForce, center, "m", "the point that attracts", 0, 0, 0),
    PARAM_REAL(mote_AttractorForce, strength, "m^3/s^2", "GM of the point; negative repels", 1,
               -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_REAL(mote_AttractorForce, softening, "m", "distance below which the force levels off",
               0.01, 0, PARAM_LARGEST),
};

/* d^2 + s^2, never zero: at the very centre of an unsoftened attractor the force is zero. */
static inline mote_real softened(mote_real d2, mote_real s2)
{
    const mote_real least = (mote_real)1e-18; /* of which a float holds GM / least */
    return d2 + s2 > least ? d2 + s2 : least;
}

static void accelerate(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    const mote_AttractorForce *p = force->object.params;
    const mote_Vec3 c = p->center;
    const mote_real gm = p->strength, s2 = p->softening * p->softening;
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    mote_real *ax = a[0], *ay = a[1], *az = a[2];
    (void)t;
    FOR_ROWS (i, r->count) {
        mote_real dx = x[i] - c.x, dy = y[i] - c.y, dz = z[i] - c.z;
        mote_real near = 1 / REAL_SQRT(softened(dx * dx + dy * dy + dz * dz, s2));
        mote_real k = gm * near * near; /* no cube: it leaves the range of a float early */
        ax[i] -= k * (near * dx), ay[i] -= k * (near * dy), az[i] -= k * (near * dz);
    }
}

static void potential(const Force *force, const Range *r, double t, mote_real *energy)
{
    const mote_AttractorForce *p = force->object.params;
    const mote_Vec3 c = p->center;
    const mote_real gm = p->strength, s2 = p->softening * p->softening;
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    (void)t;
    FOR_ROWS (i, r->count) {
        mote_real dx = x[i] - c.x, dy = y[i] - c.y, dz = z[i] - c.z;
        energy[i] -= mass[i] * gm / REAL_SQRT(softened(dx * dx + dy * dy + dz * dz, s2));
    }
}

/* da/dx = -GM (I / s^3 - 3 d d^T / s^5), s^2 = d^2 + softening^2 */
static void derivative(const Force *force, const Range *r, double t, const mote_real by[2],
                       mote_real *const j[FORCE_DERIVATIVE_PLANES])
{
    const mote_AttractorForce *p = force->object.params;
    const mote_Vec3 c = p->center;
    const mote_real gm = by[0] * p->strength, s2 = p->softening * p->softening;
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    mote_real *xx = j[0], *yy = j[1], *zz = j[2], *yz = j[3], *xz = j[4], *xy = j[5];
    (void)t;
    FOR_ROWS (i, r->count) {
        mote_real dx = x[i] - c.x, dy = y[i] - c.y, dz = z[i] - c.z;
        mote_real near = 1 / REAL_SQRT(softened(dx * dx + dy * dy + dz * dz, s2));
        mote_real k = gm * near * near * near;
        dx *= near, dy *= near, dz *= near;
        xx[i] += k * (1 - 3 * dx * dx), yy[i] += k * (1 - 3 * dy * dy);
        zz[i] += k * (1 - 3 * dz * dz);
        yz[i] -= 3 * k * dy * dz, xz[i] -= 3 * k * dx * dz, xy[i] -= 3 * k * dx * dy;
    }
}

/* Towards a point that repels without softening, at most nine tenths of the distance. */
static mote_real limit(const Force *force, const Range *r, mote_real *const way[3])
{
    const mote_AttractorForce *p = force->object.params;
    const mote_real c[3] = {p->center.x, p->center.y, p->center.z}, most = (mote_real)0.9;
    mote_real share = 1;
    if (p->strength >= 0 || p->softening > 0) return 1;
    for (size_t i = 0; i < r->count; ++i) {
        mote_real inward = 0, square = 0;
        for (int k = 0; k < 3; ++k) {
            mote_real d = r->x[k][i] - c[k];
            inward -= d * way[k][i], square += d * d;
        }
        if (inward * share > most * square) share = most * square / inward;
    }
    return share;
}

/* ---- before a run ---- */

/* Nearest approach of a particle that starts at d with velocity v around GM = strength (Kepler). */
static double nearest_approach(mote_Vec3 d, mote_Vec3 v, double strength)
{
    double r = (double)vec3_length(d), speed = (double)vec3_length(v);
    double h = (double)vec3_length(vec3_cross(d, v));
    double energy = 0.5 * speed * speed - strength / r;
    if (!(r > 0) || !(strength > 0)) return 0;
    double p = h * h / strength, e2 = 1 + 2 * energy * h * h / (strength * strength);
    return p / (1 + sqrt(e2 > 0 ? e2 : 0));
}

/* How near to the attractor particles come; 0 where that cannot be said. */
static double approach(const Outlook *o, const mote_AttractorForce *p)
{
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < o->start_count; ++i) {
        const OutlookStart *s = &o->starts[i];
        if (!s->even) return 0;
        mote_Vec3 d = vec3_sub(s->at, p->center);
        nearest = fmin(nearest, nearest_approach(d, s->velocity, (double)p->strength));
    }
    return nearest;
}

/* The fastest motion around an attractor has the frequency sqrt(GM / d^3). */
static void forecast(const void *raw, const Outlook *o)
{
    const mote_AttractorForce *p = raw;
    double gm = fabs((double)p->strength);
    double d = fmax((double)p->softening, approach(o, p));
    double period = sqrt(d * d * d / gm); /* s per radian */
    if (gm > 0 && o->dt > 0.5 * period)
        OUTLOOK_WARN(o,
                     "forces.%s: sub-steps of %.3g s are too long for passes at %.3g m, which "
                     "throw particles out; set world.max_step: %.2g or less, or softening: %.2g or "
                     "more\n",
                     o->name, o->dt, d,
                     outlook_advise(o->longest, d > 0 ? 0.2 * period : 0.1 * o->dt),
                     math_pow(gm * 25 * o->dt * o->dt, 1.0 / 3));
}

const ForceRow ISA(force_attractor) = {
    .head = ROW_HEAD("attractor", "attraction by a point mass with Plummer softening", params,
                     mote_AttractorForce),
    FORCE_CALLBACKS,
    .limit = limit,
    .forecast = forecast,
};
