/* Casting a sphere against a shape from its signed distance d and normal n alone.
 *
 * A convex shape: along a straight way the function f(t) = d(from + t along) - radius is convex,
 * because the signed distance of a convex body is. Newton's step t - f / f', f' = n . along,
 * therefore never passes the first root, converges quadratically to it (a grazing touch: by half),
 * and f' >= 0 proves that there is none. Where the surface is flat one step is exact. */
#ifndef GEOMETRY_CONVEX_CAST_H
#define GEOMETRY_CONVEX_CAST_H

#include "geometry/shape.h"

#include "geometry/formulas/surfaces.h"

enum { CONVEX_CAST_STEPS = 100 };

/* A gap that rounding cannot tell from none: nearer, the direction to the surface is noise. */
static inline mote_real cast_tolerance(mote_Vec3 x, mote_real radius)
{
    return 4 * REAL_EPSILON * (REAL_ABS(x.x) + REAL_ABS(x.y) + REAL_ABS(x.z) + radius);
}

static inline void cast_hit(const ShapeCast *cast, mote_real t, const SurfaceAt *at, ShapeHit *hit)
{
    mote_Vec3 centre = vec3_madd(cast->from, t, cast->along);
    *hit = (ShapeHit){t, vec3_madd(centre, -at->distance, at->normal), at->normal,
                      t == 0 && at->distance < cast->radius};
}

/* `surface(params, x)` gives distance and normal at one point. `start`: a time in [0, 1] before
 * which nothing is touched. */
static inline bool convex_cast_from(SurfaceAt (*surface)(const void *params, mote_Vec3 x),
                                    const void *raw, const ShapeCast *way, mote_real start,
                                    ShapeHit *hit)
{
    mote_real t = start;
    for (int i = 0;; ++i) {
        mote_Vec3 x = vec3_madd(way->from, t, way->along);
        SurfaceAt at = surface(raw, x);
        mote_real gap = at.distance - way->radius, slope = vec3_dot(at.normal, way->along);
        bool touches = !(gap > cast_tolerance(x, way->radius));
        if (!touches && !(slope < 0)) return false;
        mote_real next = touches ? t : t - gap / slope;
        if (next > 1) return false;
        if (!(next > t) || i == CONVEX_CAST_STEPS) {
            cast_hit(way, t, &at, hit);
            return t > 0 || gap < 0 || slope < 0;
        }
        t = next;
    }
}

static inline bool convex_cast(SurfaceAt (*surface)(const void *params, mote_Vec3 x),
                               const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    return convex_cast_from(surface, raw, way, 0, hit);
}

/* The rest of a way that grazes, where the surface is nearly straight: Newton's steps, as long as
 * they come nearer and do not pass into the shape. */
static inline mote_real straight_rest(SurfaceAt (*surface)(const void *params, mote_Vec3 x),
                                      const void *raw, const ShapeCast *way, mote_real side,
                                      mote_real t, SurfaceAt *at)
{
    for (int i = 0; i < CONVEX_CAST_STEPS; ++i) {
        const mote_real gap = side * at->distance - way->radius;
        const mote_real slope = side * vec3_dot(at->normal, way->along), next = t - gap / slope;
        if (!(slope < 0) || !(next > t) || !(next <= 1)) break;
        const mote_Vec3 x = vec3_madd(way->from, next, way->along);
        const SurfaceAt there = surface(raw, x);
        const mote_real left = side * there.distance - way->radius;
        if (!(left < gap) || left < -cast_tolerance(x, way->radius)) break;
        t = next, *at = there;
    }
    return t;
}

/* Any shape, from outside (side 1) or from inside (side -1): the surface is never nearer than its
 * distance, so that steps of this length are safe. They shrink towards a touch like a geometric
 * series; a way that grazes for too many of them is taken to touch. */
static inline bool march_cast(SurfaceAt (*surface)(const void *params, mote_Vec3 x),
                              const void *raw, const ShapeCast *way, mote_real side, ShapeHit *hit)
{
    enum { STEPS = 1000 };
    const mote_real speed = vec3_length(way->along);
    mote_real t = 0;
    for (int i = 0;; ++i) {
        mote_Vec3 x = vec3_madd(way->from, t, way->along);
        SurfaceAt at = surface(raw, x);
        mote_real gap = side * at.distance - way->radius, close = cast_tolerance(x, way->radius);
        mote_real slope = side * vec3_dot(at.normal, way->along);
        mote_real next = t + (gap > close ? gap : close) / speed; /* what leaves may come back */
        bool overlaps = t == 0 && gap < 0, arrived = !(gap > close) || !(next > t);
        if (overlaps || (arrived && slope < 0) || i == STEPS) {
            if (i == STEPS) t = straight_rest(surface, raw, way, side, t, &at);
            cast_hit(way, t, &at, hit);
            hit->normal = vec3_scale(at.normal, side);
            hit->overlaps = overlaps;
            return true;
        }
        t = next > t ? next : t + REAL_EPSILON;
        if (!(t <= 1)) return false;
    }
}

/* From inside a convex one: f(t) = -d(from + t along) - radius is concave. It has no root when it
 * is positive at both ends; otherwise Newton's steps from the end never pass below the one root. */
static inline bool concave_cast(SurfaceAt (*surface)(const void *params, mote_Vec3 x),
                                const void *raw, const ShapeCast *way, ShapeHit *hit)
{
    SurfaceAt at = surface(raw, way->from);
    mote_real t = -at.distance - way->radius < 0 ? 0 : (mote_real)1;
    bool overlaps = t == 0;
    for (int i = 0; t > 0 && i < CONVEX_CAST_STEPS; ++i) {
        at = surface(raw, vec3_madd(way->from, t, way->along));
        mote_real gap = -at.distance - way->radius, slope = -vec3_dot(at.normal, way->along);
        if (!(gap < 0) && i == 0) return false;
        mote_real next = slope < 0 ? t - gap / slope : t;
        if (!(gap < 0) || !(next < t)) break;
        t = real_max(next, 0);
    }
    if (t == 0 && !overlaps) at = surface(raw, way->from);
    cast_hit(way, t, &at, hit);
    hit->normal = vec3_scale(at.normal, -1);
    hit->overlaps = overlaps;
    return true;
}

#endif
