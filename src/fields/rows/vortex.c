/* A straight vortex of Rankine: u = speed (r / core) inside the core, speed (core / r) outside,
 * around the axis. Continuous, divergence-free. Rankine, A Manual of Applied Mechanics, 1858. */
#include "base/loop.h"
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"
#include "fields/field.h"

static const mote_Param params[] = {
    PARAM_VEC3(mote_VortexField, center, "m", "a point of the axis", 0, 0, 0),
    PARAM_VEC3(mote_VortexField, axis, "", "direction the vortex turns around", 0, 1, 0),
    PARAM_REAL(mote_VortexField, speed, "m/s", "speed at the edge of the core", 1, -PARAM_LARGEST,
               PARAM_LARGEST),
    PARAM_REAL(mote_VortexField, core, "m", "radius of the core", 1, PARAM_POSITIVE, PARAM_LARGEST),
};

static void sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_VortexField *p = field->object.params;
    const mote_Vec3 n = vec3_unit(p->axis, vec3(0, 1, 0)), c = p->center;
    const mote_real core2 = p->core * p->core, rate = p->speed / p->core;
    const mote_real *x = points->x[0], *y = points->x[1], *z = points->x[2];
    mote_real *ox = out[0], *oy = out[1], *oz = out[2];
    FOR_ROWS (i, points->count) {
        mote_real dx = x[i] - c.x, dy = y[i] - c.y, dz = z[i] - c.z;
        mote_real ux = n.y * dz - n.z * dy, uy = n.z * dx - n.x * dz, uz = n.x * dy - n.y * dx;
        mote_real r2 = ux * ux + uy * uy + uz * uz;
        mote_real w = r2 > core2 ? rate * core2 / r2 : rate;
        ox[i] = w * ux, oy[i] = w * uy, oz[i] = w * uz;
    }
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_VortexField *p = raw;
    if (vec3_length(p->axis) > 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: axis is zero, but must be a direction", where);
}

static void forecast(const void *raw, const Outlook *o)
{
    const mote_VortexField *p = raw;
    double speed = (double)REAL_ABS(p->speed), core = (double)p->core;
    if (o->sampled && speed * o->dt > 0.5 * core)
        OUTLOOK_WARN(o,
                     "fields.%s: a sub-step of %.3g s carries particles %.3g m, but the core is "
                     "%.3g m: sampled badly; set world.max_step: %.2g or less, or a larger core\n",
                     o->name, o->dt, speed * o->dt, core,
                     outlook_advise(o->longest, 0.1 * core / speed));
}

const FieldRow ISA(field_vortex) = {
    .head = ROW_HEAD("vortex", "a straight Rankine vortex: solid core, 1/r outside", params,
                     mote_VortexField),
    .components = 3,
    .sample = sample,
    .check = check,
    .forecast = forecast,
};
