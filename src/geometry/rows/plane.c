/* Half-space: distance = n . x - offset. */
#include "base/loop.h"
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"
#include "geometry/shape.h"

static const mote_Param params[] = {
    PARAM_VEC3(mote_PlaneShape, normal, "", "outward direction of the plane", 0, 1, 0),
    PARAM_REAL(mote_PlaneShape, offset, "m", "distance of the plane from the origin", 0,
               -PARAM_LARGEST, PARAM_LARGEST),
};

/* A normal that is a unit vector up to rounding is left alone, so that preparing once or at every
 * sub-step gives the same bits. */
static void prepare(void *raw)
{
    mote_PlaneShape *p = raw;
    mote_real off = vec3_dot(p->normal, p->normal) - 1;
    if (!(REAL_ABS(off) <= 8 * REAL_EPSILON)) p->normal = vec3_unit(p->normal, vec3(0, 1, 0));
}

/* A ground that is level along an axis needs one coordinate only. */
static bool near_level(size_t count, const mote_real *x, mote_real slope, mote_real reach)
{
    int far_away = 1;
    FOR_ROWS (i, count) far_away &= slope * x[i] >= reach;
    return !far_away;
}

static bool near(const void *raw, size_t count, mote_real *const x[3], mote_real limit)
{
    const mote_PlaneShape *p = raw;
    const mote_Vec3 n = p->normal;
    const mote_real reach = p->offset + limit;
    const mote_real *px = x[0], *py = x[1], *pz = x[2];
    if (n.x == 0 && n.z == 0) return near_level(count, py, n.y, reach);
    int far_away = 1;
    FOR_ROWS (i, count) far_away &= n.x * px[i] + n.y * py[i] + n.z * pz[i] >= reach;
    return !far_away;
}

static void distance(const void *raw, size_t count, mote_real *const x[3], mote_real *out)
{
    const mote_PlaneShape *p = raw;
    const mote_Vec3 n = p->normal;
    const mote_real *px = x[0], *py = x[1], *pz = x[2];
    FOR_ROWS (i, count) out[i] = n.x * px[i] + n.y * py[i] + n.z * pz[i] - p->offset;
}

static void normal(const void *raw, size_t count, mote_real *const x[3], mote_real *const out[3])
{
    const mote_PlaneShape *p = raw;
    const mote_Vec3 n = p->normal;
    mote_real *nx = out[0], *ny = out[1], *nz = out[2];
    (void)x;
    FOR_ROWS (i, count) nx[i] = n.x, ny[i] = n.y, nz[i] = n.z;
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_PlaneShape *p = raw;
    if (vec3_length(p->normal) > 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: normal is zero, but must be a direction", where);
}

const ShapeRow ISA(shape_plane) = {
    .head = ROW_HEAD("plane", "the half-space behind a plane; for grounds and walls", params,
                     mote_PlaneShape),
    .prepare = prepare,
    .near = near,
    .distance = distance,
    .normal = normal,
    .check = check,
};
