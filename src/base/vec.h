/* Three-vectors by value, for code outside the planar loops. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <mote/base.h>

static inline mote_Vec3 vec3(mote_real x, mote_real y, mote_real z)
{
    return (mote_Vec3){x, y, z};
}

static inline mote_Vec3 vec3_add(mote_Vec3 a, mote_Vec3 b)
{
    return vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline mote_Vec3 vec3_sub(mote_Vec3 a, mote_Vec3 b)
{
    return vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline mote_Vec3 vec3_scale(mote_Vec3 a, mote_real s)
{
    return vec3(a.x * s, a.y * s, a.z * s);
}

/* a + s b */
static inline mote_Vec3 vec3_madd(mote_Vec3 a, mote_real s, mote_Vec3 b)
{
    return vec3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline mote_real vec3_dot(mote_Vec3 a, mote_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline mote_Vec3 vec3_cross(mote_Vec3 a, mote_Vec3 b)
{
    return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline mote_real vec3_length(mote_Vec3 a)
{
#ifdef MOTE_DOUBLE
    return __builtin_sqrt(vec3_dot(a, a));
#else
    return __builtin_sqrtf(vec3_dot(a, a));
#endif
}

/* The direction of a; `fallback` when a has no length. */
static inline mote_Vec3 vec3_unit(mote_Vec3 a, mote_Vec3 fallback)
{
    mote_real length = vec3_length(a);
    return length > 0 ? vec3_scale(a, 1 / length) : fallback;
}

/* A unit vector across the unit vector n. */
static inline mote_Vec3 vec3_across(mote_Vec3 n)
{
    mote_real ax = n.x < 0 ? -n.x : n.x;
    mote_Vec3 other = ax < (mote_real)0.6 ? vec3(1, 0, 0) : vec3(0, 1, 0);
    return vec3_unit(vec3_cross(n, other), vec3(0, 0, 1));
}

#endif
