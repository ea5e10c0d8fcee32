/* Casting a sphere against a convex shape, from its signed distance d and normal n alone.
 *
 * Along a straight way the function f(t) = d(from + t along) - radius is convex, because the signed
 * distance of a convex body is. Newton's step t - f / f', f' = n . along, therefore never passes
 * the first root, converges quadratically to it (a grazing touch: by half), and f' >= 0 proves that
 * there is none. Where the surface is flat one step is exact. */
#ifndef GEOMETRY_CONVEX_CAST_H
#define GEOMETRY_CONVEX_CAST_H

#include "geometry/shape.h"

typedef struct SurfaceAt {
    mote_real distance;
    mote_Vec3 normal;
} SurfaceAt;

enum { CONVEX_CAST_STEPS = 100 };

static inline void cast_hit(const ShapeCast *cast, mote_real t, const SurfaceAt *at, ShapeHit *hit)
{
    mote_Vec3 centre = vec3_madd(cast->from, t, cast->along);
    *hit = (ShapeHit){t, vec3_madd(centre, -at->distance, at->normal), at->normal,
                      t == 0 && at->distance < cast->radius};
}

/* `surface(params, x)` gives distance and normal at one point. `start`: a time in [0, 1] before
 * which nothing is touched. */
static inline bool convex_cast_from(SurfaceAt (*surface)(const void *params, mote_Vec3 x),
                                    const void *params, const ShapeCast *cast, mote_real start,
                                    ShapeHit *hit)
{
    mote_real t = start;
    for (int i = 0;; ++i) {
        SurfaceAt at = surface(params, vec3_madd(cast->from, t, cast->along));
        mote_real gap = at.distance - cast->radius, slope = vec3_dot(at.normal, cast->along);
        bool touches = !(gap > 0);
        if (!touches && !(slope < 0)) return false;
        mote_real next = touches ? t : t - gap / slope;
        if (next > 1) return false;
        if (!(next > t) || i == CONVEX_CAST_STEPS) {
            cast_hit(cast, t, &at, hit);
            return t > 0 || gap < 0 || slope < 0;
        }
        t = next;
    }
}

static inline bool convex_cast(SurfaceAt (*surface)(const void *params, mote_Vec3 x),
                               const void *params, const ShapeCast *cast, ShapeHit *hit)
{
    return convex_cast_from(surface, params, cast, 0, hit);
}

#endif
