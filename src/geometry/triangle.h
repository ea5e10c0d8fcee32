/* One triangle: the nearest point, and the touch of a moving sphere. */
#ifndef GEOMETRY_TRIANGLE_H
#define GEOMETRY_TRIANGLE_H

#include "geometry/convex_cast.h"
#include "geometry/mesh.h"

/* Where on a triangle: its inside, a corner, or the edge from a corner to the next. */
enum { ON_FACE = 0, ON_CORNER = 1, ON_EDGE = 4 };

typedef struct TrianglePoint {
    mote_Vec3 point;
    int feature; /* ON_FACE, ON_CORNER + k, ON_EDGE + k */
} TrianglePoint;

/* By Voronoi regions (Ericson, Real-Time Collision Detection, 2005, 5.1.5). */
static inline TrianglePoint triangle_nearest(const mote_Vec3 corner[3], mote_Vec3 p)
{
    const mote_Vec3 a = corner[0], b = corner[1], c = corner[2];
    mote_Vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a), ap = vec3_sub(p, a);
    mote_real d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return (TrianglePoint){a, ON_CORNER};
    mote_Vec3 bp = vec3_sub(p, b);
    mote_real d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return (TrianglePoint){b, ON_CORNER + 1};
    mote_Vec3 cp = vec3_sub(p, c);
    mote_real d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return (TrianglePoint){c, ON_CORNER + 2};
    /* n . (pa x pb) and so on, multiplied out: barycentric coordinates of c, b and a but for their
     * sum. */
    mote_real vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return (TrianglePoint){vec3_madd(a, d1 / (d1 - d3), ab), ON_EDGE};
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return (TrianglePoint){vec3_madd(a, d2 / (d2 - d6), ac), ON_EDGE + 2};
    if (va <= 0 && d4 >= d3 && d5 >= d6) {
        mote_real w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (TrianglePoint){vec3_madd(b, w, vec3_sub(c, b)), ON_EDGE + 1};
    }
    mote_real scale = 1 / (va + vb + vc);
    return (TrianglePoint){vec3_madd(vec3_madd(a, vb * scale, ab), vc * scale, ac), ON_FACE};
}

/* Distance from the triangle as a thin sheet, and the direction away from it. */
static inline SurfaceAt triangle_surface(const void *raw, mote_Vec3 x)
{
    const MeshFace *face = raw;
    TrianglePoint near = triangle_nearest(face->corner, x);
    mote_Vec3 away = vec3_sub(x, near.point);
    if (near.feature == ON_FACE) { /* more exact than the difference */
        mote_real height = vec3_dot(face->normal, vec3_sub(x, face->corner[0]));
        mote_real side = height < 0 ? -(mote_real)1 : 1;
        return (SurfaceAt){side * height, vec3_scale(face->normal, side)};
    }
    return (SurfaceAt){vec3_length(away), vec3_unit(away, face->normal)};
}

/* A ray through the triangle from either side (Moeller and Trumbore 1997), with a little more room
 * than the triangle has, so that no ray slips between two. */
static inline bool triangle_ray(const MeshFace *face, const ShapeCast *cast, mote_real most,
                                ShapeHit *hit)
{
    const mote_real room = 16 * REAL_EPSILON;
    mote_Vec3 ab = vec3_sub(face->corner[1], face->corner[0]);
    mote_Vec3 ac = vec3_sub(face->corner[2], face->corner[0]);
    mote_Vec3 from = vec3_sub(cast->from, face->corner[0]);
    mote_Vec3 p = vec3_cross(cast->along, ac), q = vec3_cross(from, ab);
    mote_real det = vec3_dot(ab, p), u = vec3_dot(from, p), v = vec3_dot(cast->along, q);
    if (det == 0) return false;
    mote_real scale = 1 / det;
    u *= scale, v *= scale;
    if (!(u >= -room && v >= -room && u + v <= 1 + room)) return false;
    /* By the plane, not by Cramer's rule: the height is exact near the triangle, where it matters.
     */
    mote_real height = vec3_dot(face->normal, from);
    mote_real t = -height / vec3_dot(face->normal, cast->along);
    if (!(t >= 0 && t <= most)) return false;
    mote_Vec3 n = vec3_scale(face->normal, height < 0 ? -(mote_real)1 : 1);
    *hit = (ShapeHit){t, vec3_madd(cast->from, t, cast->along), n, false};
    return true;
}

/* A moving sphere against the triangle, until `most` of the way. */
static inline bool triangle_cast(const MeshFace *face, const ShapeCast *cast, mote_real most,
                                 ShapeHit *hit)
{
    mote_real height = vec3_dot(face->normal, vec3_sub(cast->from, face->corner[0]));
    mote_real speed = vec3_dot(face->normal, cast->along);
    mote_real size = REAL_ABS(height), gap = size - cast->radius;
    mote_real closing = height < 0 ? speed : -speed;
    if (gap > most * closing && gap > 0) return false; /* does not come near the plane */
    if (cast->radius == 0) return triangle_ray(face, cast, most, hit);
    mote_real start = gap > 0 ? gap / closing * (1 - 4 * REAL_EPSILON) : 0;
    return convex_cast_from(triangle_surface, face, cast, start, hit) && hit->time <= most;
}

#endif
