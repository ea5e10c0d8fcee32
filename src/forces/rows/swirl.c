/* A push around an axis: a = S w / (|w|^2 + R^2), w = axis x d. It feeds energy to what turns with
 * it, as a fan does. */
#include "base/loop.h"
#include "base/row.h"
#include "base/vec.h"
#include "forces/force.h"

static const mote_Param params[] = {
    PARAM_VEC3(mote_SwirlForce, center, "m", "a point of the axis", 0, 0, 0),
    PARAM_VEC3(mote_SwirlForce, axis, "", "direction that the push goes around", 0, 1, 0),
    PARAM_REAL(mote_SwirlForce, strength, "m^2/s^2", "strength; negative turns the other way", 1,
               -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_REAL(mote_SwirlForce, radius, "m", "distance at which the push is strongest", 1,
               PARAM_POSITIVE, PARAM_LARGEST),
};

static void accelerate(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    const mote_SwirlForce *p = force->object.params;
    const mote_Vec3 n = vec3_unit(p->axis, vec3(0, 1, 0)), c = p->center;
    const mote_real strength = p->strength, radius2 = p->radius * p->radius;
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    mote_real *ax = a[0], *ay = a[1], *az = a[2];
    (void)t;
    FOR_ROWS (i, r->count) {
        mote_real dx = x[i] - c.x, dy = y[i] - c.y, dz = z[i] - c.z;
        mote_real wx = n.y * dz - n.z * dy, wy = n.z * dx - n.x * dz, wz = n.x * dy - n.y * dx;
        mote_real k = strength / (wx * wx + wy * wy + wz * wz + radius2);
        ax[i] += k * wx, ay[i] += k * wy, az[i] += k * wz;
    }
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_SwirlForce *p = raw;
    return row_check_direction(p->axis, "axis", where, error);
}

const ForceRow ISA(force_swirl) = {
    .head = ROW_HEAD("swirl", "a push around an axis", params, mote_SwirlForce),
    .accelerate = accelerate,
    .check = check,
};
