/* Axis-aligned bounding boxes. */
#ifndef GEOMETRY_AABB_H
#define GEOMETRY_AABB_H

#include "geometry/pose.h"

/* A coordinate beyond which a box has no end: finite, so that sums and products with it are too. */
#define AABB_ENDLESS ((mote_real)1e30)

typedef struct Aabb {
    mote_Vec3 low, high;
} Aabb;

static inline Aabb aabb_endless(void)
{
    const mote_real end = AABB_ENDLESS;
    return (Aabb){{-end, -end, -end}, {end, end, end}};
}

/* Holds nothing; joins with a box to that box. */
static inline Aabb aabb_empty(void)
{
    const mote_real end = AABB_ENDLESS;
    return (Aabb){{end, end, end}, {-end, -end, -end}};
}

static inline bool aabb_is_finite(const Aabb *b)
{
    const mote_real end = AABB_ENDLESS;
    return b->low.x > -end && b->low.y > -end && b->low.z > -end && b->high.x < end &&
           b->high.y < end && b->high.z < end;
}

static inline mote_real real_min(mote_real a, mote_real b)
{
    return a < b ? a : b;
}

static inline mote_real real_max(mote_real a, mote_real b)
{
    return a > b ? a : b;
}

static inline Aabb aabb_join(const Aabb *a, const Aabb *b)
{
    return (Aabb){vec3_min(a->low, b->low), vec3_max(a->high, b->high)};
}

static inline Aabb aabb_add_point(const Aabb *a, mote_Vec3 p)
{
    return (Aabb){vec3_min(a->low, p), vec3_max(a->high, p)};
}

static inline Aabb aabb_grown(const Aabb *a, mote_real by)
{
    mote_Vec3 margin = vec3(by, by, by);
    return (Aabb){vec3_sub(a->low, margin), vec3_add(a->high, margin)};
}

/* Boxes that touch overlap; a box with NaN overlaps everything. */
static inline bool aabb_overlap(const Aabb *a, const Aabb *b)
{
    return !(a->low.x > b->high.x) && !(a->low.y > b->high.y) && !(a->low.z > b->high.z) &&
           !(b->low.x > a->high.x) && !(b->low.y > a->high.y) && !(b->low.z > a->high.z);
}

static inline bool aabb_holds(const Aabb *outer, const Aabb *inner)
{
    return outer->low.x <= inner->low.x && outer->low.y <= inner->low.y &&
           outer->low.z <= inner->low.z && outer->high.x >= inner->high.x &&
           outer->high.y >= inner->high.y && outer->high.z >= inner->high.z;
}

static inline mote_Vec3 aabb_centre(const Aabb *a)
{
    return vec3_scale(vec3_add(a->low, a->high), (mote_real)0.5);
}

/* Half of the surface: what a random line meets the box in proportion to. */
static inline mote_real aabb_half_area(const Aabb *a)
{
    mote_Vec3 d = vec3_sub(a->high, a->low);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

/* 0 inside. */
static inline mote_real aabb_distance2(const Aabb *a, mote_Vec3 p)
{
    mote_Vec3 d = vec3_max(vec3_sub(a->low, p), vec3_sub(p, a->high));
    d = vec3_max(d, vec3(0, 0, 0));
    return vec3_dot(d, d);
}

static inline mote_real aabb_clamp_end(mote_real x)
{
    return real_max(-AABB_ENDLESS, real_min(x, AABB_ENDLESS));
}

/* The box around a box that was moved; a little larger than needed, never smaller. */
static inline Aabb aabb_posed(const Aabb *a, const mote_Pose *pose)
{
    if (pose_is_identity(pose)) return *a;
    const PoseAxes e = pose_axes(pose);
    mote_Vec3 half = vec3_scale(vec3_sub(a->high, a->low), (mote_real)0.5);
    mote_Vec3 c = pose_apply(pose, aabb_centre(a));
    mote_Vec3 r =
        vec3(REAL_ABS(e.x.x) * half.x + REAL_ABS(e.y.x) * half.y + REAL_ABS(e.z.x) * half.z,
             REAL_ABS(e.x.y) * half.x + REAL_ABS(e.y.y) * half.y + REAL_ABS(e.z.y) * half.z,
             REAL_ABS(e.x.z) * half.x + REAL_ABS(e.y.z) * half.y + REAL_ABS(e.z.z) * half.z);
    mote_real margin = 8 * REAL_EPSILON * (vec3_length(r) + vec3_length(c));
    r = vec3_add(r, vec3(margin, margin, margin));
    mote_Vec3 low = vec3_sub(c, r), high = vec3_add(c, r);
    return (Aabb){vec3(aabb_clamp_end(low.x), aabb_clamp_end(low.y), aabb_clamp_end(low.z)),
                  vec3(aabb_clamp_end(high.x), aabb_clamp_end(high.y), aabb_clamp_end(high.z))};
}

#endif
