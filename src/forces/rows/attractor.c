/* A point mass with Plummer softening: a = -GM d / (d^2 + s^2)^(3/2), energy -m GM / sqrt(d^2 +
 * s^2). Plummer, MNRAS 71, 1911. */
#include "base/loop.h"
#include "base/row.h"
#include "forces/force.h"

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

const ForceRow ISA(force_attractor) = {
    .head = ROW_HEAD("attractor", "attraction by a point mass with Plummer softening", params,
                     mote_AttractorForce),
    .accelerate = accelerate,
    .potential = potential,
};
