/* Half-space: distance = n . x - offset. */
#include "base/row.h"
#include "geometry/convex_cast.h"

static const mote_Param params[] = {
    PARAM_VEC3(mote_PlaneShape, normal, "", "outward direction of the plane", 0, 1, 0),
    PARAM_REAL(mote_PlaneShape, offset, "m", "distance of the plane from the origin", 0,
               -PARAM_LARGEST, PARAM_LARGEST),
};

static inline SurfaceAt surface_at(const mote_PlaneShape *p, mote_Vec3 x)
{
    return plane_surface(p->normal, p->offset, x);
}

#define SHAPE_STRUCT mote_PlaneShape
#include "geometry/shape_loops.h"

/* A normal that is a unit vector up to rounding is left alone, so that preparing once or at every
 * sub-step gives the same bits. */
static void prepare(void *raw)
{
    mote_PlaneShape *p = raw;
    mote_real off = vec3_dot(p->normal, p->normal) - 1;
    if (!(REAL_ABS(off) <= 8 * REAL_EPSILON)) p->normal = vec3_unit(p->normal, vec3(0, 1, 0));
}

/* A ground that is level along an axis needs one coordinate only. */
static bool near(const void *raw, size_t count, mote_real *const x[3], mote_real limit)
{
    const mote_PlaneShape *p = raw;
    const mote_real slope = p->normal.y, reach = p->offset + limit;
    const mote_real *y = x[1];
    if (p->normal.x != 0 || p->normal.z != 0) return near_by_distance(raw, count, x, limit);
    int far_away = 1;
    FOR_ROWS (i, count) far_away &= slope * y[i] >= reach;
    return !far_away;
}

/* A plane across an axis ends there. */
static Aabb bounds(const void *raw)
{
    const mote_PlaneShape *p = raw;
    const mote_real n[3] = {p->normal.x, p->normal.y, p->normal.z};
    mote_real low[3], high[3];
    for (int c = 0; c < 3; ++c) {
        bool across = n[(c + 1) % 3] == 0 && n[(c + 2) % 3] == 0;
        low[c] = across && n[c] < 0 ? -p->offset : -AABB_ENDLESS;
        high[c] = across && n[c] > 0 ? p->offset : AABB_ENDLESS;
    }
    return (Aabb){vec3(low[0], low[1], low[2]), vec3(high[0], high[1], high[2])};
}

static void form(const void *raw, ShapeForm *f)
{
    const mote_PlaneShape *p = raw;
    f->core = CORE_HALF_SPACE;
    f->normal = p->normal, f->offset = p->offset;
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_PlaneShape *p = raw;
    return row_check_direction(p->normal, "normal", where, error);
}

const ShapeRow ISA(shape_plane) = {
    .head = ROW_HEAD("plane", "the half-space behind a plane; for grounds and walls", params,
                     mote_PlaneShape),
    .prepare = prepare,
    .check = check,
    SHAPE_FORMULA(near),
};
