/* The velocity of circular orbits around a point mass with Plummer softening: u = w (axis x d), w^2
 * = GM / (d^2 + s^2)^(3/2), which an attractor or a heavy particle of the same GM and softening s
 * keeps on their circles. */
#include "base/loop.h"
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"
#include "fields/field.h"

static const mote_Param params[] = {
    PARAM_VEC3(mote_OrbitField, center, "m", "where the mass is", 0, 0, 0),
    PARAM_VEC3(mote_OrbitField, axis, "", "direction the orbits turn around", 0, 1, 0),
    PARAM_REAL(mote_OrbitField, strength, "m^3/s^2", "GM of the mass", 1, 0, PARAM_LARGEST),
    PARAM_REAL(mote_OrbitField, softening, "m", "distance below which its pull levels off", 0.01, 0,
               PARAM_LARGEST),
};

static void sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_OrbitField *p = field->object.params;
    const mote_Vec3 n = vec3_unit(p->axis, vec3(0, 1, 0)), c = p->center;
    const mote_real root = REAL_SQRT(p->strength), s2 = p->softening * p->softening;
    const mote_real least = (mote_real)1e-18;
    const mote_real *x = points->x[0], *y = points->x[1], *z = points->x[2];
    mote_real *ox = out[0], *oy = out[1], *oz = out[2];
    FOR_ROWS (i, points->count) {
        mote_real dx = x[i] - c.x, dy = y[i] - c.y, dz = z[i] - c.z;
        mote_real q = dx * dx + dy * dy + dz * dz + s2;
        mote_real near = 1 / REAL_SQRT(q > least ? q : least);
        mote_real w = root * near * REAL_SQRT(near);
        ox[i] = w * (n.y * dz - n.z * dy);
        oy[i] = w * (n.z * dx - n.x * dz);
        oz[i] = w * (n.x * dy - n.y * dx);
    }
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_OrbitField *p = raw;
    if (vec3_length(p->axis) > 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: axis is zero, but must be a direction", where);
}

const FieldRow ISA(field_orbit) = {
    .head = ROW_HEAD("orbit", "velocity of circular orbits around a point mass", params,
                     mote_OrbitField),
    .components = 3,
    .sample = sample,
    .check = check,
};
