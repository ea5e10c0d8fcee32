/* The callbacks of a shape whose distance and normal are formulas of one point: loops around
 *
 *     static inline SurfaceAt surface_at(const S *p, mote_Vec3 x);
 *
 * without branches, so that they vectorise. Include after defining surface_at with
 * `#define SHAPE_STRUCT S`, and `#define SHAPE_DENTED` unless the shape is convex. */
#include "base/loop.h"
#include "geometry/convex_cast.h"

static bool near_by_distance(const void *raw, size_t count, mote_real *const x[3], mote_real limit)
{
    const SHAPE_STRUCT *p = raw;
    const mote_real *px = x[0], *py = x[1], *pz = x[2];
    int far_away = 1;
    FOR_ROWS (i, count) far_away &= surface_at(p, vec3(px[i], py[i], pz[i])).distance >= limit;
    return !far_away;
}

static void distance(const void *raw, size_t count, mote_real *const x[3], mote_real *out)
{
    const SHAPE_STRUCT *p = raw;
    const mote_real *px = x[0], *py = x[1], *pz = x[2];
    FOR_ROWS (i, count) out[i] = surface_at(p, vec3(px[i], py[i], pz[i])).distance;
}

static void normal(const void *raw, size_t count, mote_real *const x[3], mote_real *const out[3])
{
    const SHAPE_STRUCT *p = raw;
    const mote_real *px = x[0], *py = x[1], *pz = x[2];
    mote_real *nx = out[0], *ny = out[1], *nz = out[2];
    FOR_ROWS (i, count) {
        mote_Vec3 n = surface_at(p, vec3(px[i], py[i], pz[i])).normal;
        nx[i] = n.x, ny[i] = n.y, nz[i] = n.z;
    }
}

static void at(const void *raw, size_t count, mote_real *const x[3], mote_real *out,
               mote_real *const n[3])
{
    const SHAPE_STRUCT *p = raw;
    const mote_real *px = x[0], *py = x[1], *pz = x[2];
    mote_real *nx = n[0], *ny = n[1], *nz = n[2];
    FOR_ROWS (i, count) {
        SurfaceAt s = surface_at(p, vec3(px[i], py[i], pz[i]));
        out[i] = s.distance;
        nx[i] = s.normal.x, ny[i] = s.normal.y, nz[i] = s.normal.z;
    }
}

static SurfaceAt surface_of(const void *raw, mote_Vec3 x)
{
    return surface_at((const SHAPE_STRUCT *)raw, x);
}

#ifdef SHAPE_DENTED
#define SHAPE_CONVEX false

/* Balls of the distances about both ends are free: what they leave of the way is not. */
static inline mote_real clearance(const SHAPE_STRUCT *p, mote_Vec3 from, mote_Vec3 to)
{
    mote_real ends = surface_at(p, from).distance + surface_at(p, to).distance;
    return (ends - vec3_length(vec3_sub(to, from))) * (mote_real)0.5;
}

static bool cast(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    return march_cast(surface_of, raw, way, 1, hit);
}

static bool leave(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    return march_cast(surface_of, raw, way, -1, hit);
}

#else
#define SHAPE_CONVEX true

/* A convex shape lies behind the plane that touches it at the point nearest to the start: a way
 * that stays in front of that plane misses it. */
static inline mote_real clearance(const SHAPE_STRUCT *p, mote_Vec3 from, mote_Vec3 to)
{
    SurfaceAt s = surface_at(p, from);
    mote_real last = s.distance + vec3_dot(s.normal, vec3_sub(to, from));
    return last < s.distance ? last : s.distance;
}

static bool cast(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    return convex_cast(surface_of, raw, way, hit);
}

static bool leave(const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    return concave_cast(surface_of, raw, way, hit);
}

#endif

static void rule_out(const void *raw, const ShapeWays *ways, uint8_t *flags)
{
    const SHAPE_STRUCT *p = raw;
    const mote_real *px = ways->from[0], *py = ways->from[1], *pz = ways->from[2];
    const mote_real *qx = ways->to[0], *qy = ways->to[1], *qz = ways->to[2];
    const mote_real radius = ways->radius;
    const size_t count = ways->count;
    FOR_ROWS (i, count) {
        mote_Vec3 from = vec3(px[i], py[i], pz[i]), to = vec3(qx[i], qy[i], qz[i]);
        mote_real nearest = clearance(p, from, to);
        mote_real size = REAL_ABS(from.x) + REAL_ABS(from.y) + REAL_ABS(from.z) + REAL_ABS(to.x) +
                         REAL_ABS(to.y) + REAL_ABS(to.z);
        mote_real least = radius + RULE_OUT_MARGIN * (size + radius);
        flags[i] = (uint8_t)(nearest > least ? 0 : flags[i]);
    }
}

/* What rows of such shapes have in common; near_: near_by_distance, or one that knows better. */
#define SHAPE_FORMULA(near_)                                                                       \
    .convex = SHAPE_CONVEX, .quick = true, .near = near_, SHAPE_CALLBACKS, .rule_out = rule_out
