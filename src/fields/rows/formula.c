/* Fields with a formula: the same everywhere, a vortex, orbits, layers. */
#include "base/loop.h"
#include "base/row.h"
#include "base/vec.h"
#include "fields/field.h"

/* The same value everywhere. */

static const mote_Param uniform_params[] = {
    PARAM_VEC3(mote_UniformField, value, "m/s", "velocity of the wind", 0, 0, 0),
};

static void uniform_sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_UniformField *p = field->object.params;
    const mote_real value[3] = {p->value.x, p->value.y, p->value.z};
    for (int c = 0; c < 3; ++c) {
        mote_real *o = out[c], u = value[c];
        FOR_ROWS (i, points->count) o[i] = u;
    }
}

const FieldRow ISA(field_uniform) = {
    .head = ROW_HEAD("uniform", "the same velocity everywhere", uniform_params, mote_UniformField),
    .components = 3,
    .sample = uniform_sample,
};

/* A straight vortex of Rankine: u = speed (r / core) inside the core, speed (core / r) outside,
 * around the axis. Continuous, divergence-free. Rankine, A Manual of Applied Mechanics, 1858. */

static const mote_Param vortex_params[] = {
    PARAM_VEC3(mote_VortexField, center, "m", "a point of the axis", 0, 0, 0),
    PARAM_VEC3(mote_VortexField, axis, "", "direction the vortex turns around", 0, 1, 0),
    PARAM_REAL(mote_VortexField, speed, "m/s", "speed at the edge of the core", 1, -PARAM_LARGEST,
               PARAM_LARGEST),
    PARAM_REAL(mote_VortexField, core, "m", "radius of the core", 1, PARAM_POSITIVE, PARAM_LARGEST),
};

static void vortex_sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
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

static mote_Status vortex_check(const void *raw, const char *where, mote_Error *error)
{
    const mote_VortexField *p = raw;
    return row_check_direction(p->axis, "axis", where, error);
}

static void vortex_forecast(const void *raw, const Outlook *o)
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
    .head = ROW_HEAD("vortex", "a straight Rankine vortex: solid core, 1/r outside", vortex_params,
                     mote_VortexField),
    .components = 3,
    .sample = vortex_sample,
    .check = vortex_check,
    .forecast = vortex_forecast,
};

/* The velocity of circular orbits around a point mass with Plummer softening: u = w (axis x d), w^2
 * = GM / (d^2 + s^2)^(3/2), which an attractor or a heavy particle of the same GM and softening s
 * keeps on their circles. */

static const mote_Param orbit_params[] = {
    PARAM_VEC3(mote_OrbitField, center, "m", "where the mass is", 0, 0, 0),
    PARAM_VEC3(mote_OrbitField, axis, "", "direction the orbits turn around", 0, 1, 0),
    PARAM_REAL(mote_OrbitField, strength, "m^3/s^2", "GM of the mass", 1, 0, PARAM_LARGEST),
    PARAM_REAL(mote_OrbitField, softening, "m", "distance below which its pull levels off", 0.01, 0,
               PARAM_LARGEST),
};

static void orbit_sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
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

static mote_Status orbit_check(const void *raw, const char *where, mote_Error *error)
{
    const mote_OrbitField *p = raw;
    return row_check_direction(p->axis, "axis", where, error);
}

const FieldRow ISA(field_orbit) = {
    .head = ROW_HEAD("orbit", "velocity of circular orbits around a point mass", orbit_params,
                     mote_OrbitField),
    .components = 3,
    .sample = orbit_sample,
    .check = orbit_check,
};

/* Two layers: one value below a level and another above, with a straight transition between. The
 * density of a stratified fluid, for buoyancy. */

static const mote_Param layers_params[] = {
    PARAM_REAL(mote_LayersField, below, "", "value below the level", 1000, -PARAM_LARGEST,
               PARAM_LARGEST),
    PARAM_REAL(mote_LayersField, above, "", "value above it", 0, -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_VEC3(mote_LayersField, up, "", "direction across the layers", 0, 1, 0),
    PARAM_REAL(mote_LayersField, level, "m", "height of the middle of the transition", 0,
               -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_REAL(mote_LayersField, thickness, "m", "height of the transition", 0, 0, PARAM_LARGEST),
};

static void layers_sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_LayersField *p = field->object.params;
    const mote_Vec3 n = vec3_unit(p->up, vec3(0, 1, 0));
    const mote_real level = p->level, below = p->below, change = p->above - p->below;
    const mote_real half = (mote_real)0.5;
    const mote_real rate = p->thickness > 0 ? 1 / p->thickness : (mote_real)1e30;
    const mote_real *x = points->x[0], *y = points->x[1], *z = points->x[2];
    mote_real *o = out[0];
    FOR_ROWS (i, points->count) {
        mote_real share = (n.x * x[i] + n.y * y[i] + n.z * z[i] - level) * rate + half;
        share = share > 0 ? share : 0;
        o[i] = below + change * (share < 1 ? share : 1);
    }
}

static mote_Status layers_check(const void *raw, const char *where, mote_Error *error)
{
    return row_check_direction(((const mote_LayersField *)raw)->up, "up", where, error);
}

const FieldRow ISA(field_layers) = {
    .head = ROW_HEAD("layers", "one value below a level and another above: stratified fluid",
                     layers_params, mote_LayersField),
    .components = 1,
    .sample = layers_sample,
    .check = layers_check,
};
