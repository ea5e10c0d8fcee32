/* Three-vectors by value, for code outside the planar loops: vec3_ of the library's numbers, and
 * d3_ in double, for what is few and whose errors last. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/loop.h"

static inline mote_Vec3 vec3(mote_real x, mote_real y, mote_real z)
{
    return (mote_Vec3){x, y, z};
}

#define VEC      mote_Vec3
#define VEC_(f)  vec3_##f
#define VEC_REAL mote_real
#define VEC_SQRT REAL_SQRT
#include "base/vec_family.h"

typedef struct D3 {
    double x, y, z;
} D3;

static inline D3 d3(double x, double y, double z)
{
    return (D3){x, y, z};
}

static inline D3 d3_of(mote_Vec3 a)
{
    return d3((double)a.x, (double)a.y, (double)a.z);
}

static inline D3 d3_from(const double a[3])
{
    return d3(a[0], a[1], a[2]);
}

static inline void d3_to(D3 a, double out[3])
{
    out[0] = a.x, out[1] = a.y, out[2] = a.z;
}

static inline mote_Vec3 d3_real(D3 a)
{
    return vec3((mote_real)a.x, (mote_real)a.y, (mote_real)a.z);
}

#define VEC      D3
#define VEC_(f)  d3_##f
#define VEC_REAL double
#define VEC_SQRT __builtin_sqrt
#include "base/vec_family.h"

#endif
