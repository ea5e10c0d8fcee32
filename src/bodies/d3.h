/* Vectors, matrices and rotations in double, by value.
 *
 * Bodies are few and their errors last: a stack rests on differences far below a float's rounding,
 * so that bodies compute in double in both libraries, and hand out poses in mote_real. */
#ifndef BODIES_D3_H
#define BODIES_D3_H

#include "base/math.h"
#include "geometry/pose.h"

typedef struct D3 {
    double x, y, z;
} D3;

typedef struct D33 {
    D3 row[3];
} D33;

typedef struct DQuat {
    double x, y, z, w;
} DQuat;

/* ---- vectors ---- */

static inline D3 d3(double x, double y, double z)
{
    return (D3){x, y, z};
}

static inline D3 d3_of(mote_Vec3 a)
{
    return d3((double)a.x, (double)a.y, (double)a.z);
}

static inline mote_Vec3 d3_real(D3 a)
{
    return vec3((mote_real)a.x, (mote_real)a.y, (mote_real)a.z);
}

static inline D3 d3_add(D3 a, D3 b)
{
    return d3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline D3 d3_sub(D3 a, D3 b)
{
    return d3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline D3 d3_scale(D3 a, double s)
{
    return d3(a.x * s, a.y * s, a.z * s);
}

/* a + s b */
static inline D3 d3_madd(D3 a, double s, D3 b)
{
    return d3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double d3_dot(D3 a, D3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline D3 d3_cross(D3 a, D3 b)
{
    return d3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double d3_length(D3 a)
{
    return __builtin_sqrt(d3_dot(a, a));
}

/* The direction of a; `fallback` when a has no length. */
static inline D3 d3_unit(D3 a, D3 fallback)
{
    double length = d3_length(a);
    return length > 0 ? d3_scale(a, 1 / length) : fallback;
}

/* A unit vector across the unit vector n. */
static inline D3 d3_across(D3 n)
{
    D3 other = __builtin_fabs(n.x) < 0.6 ? d3(1, 0, 0) : d3(0, 1, 0);
    return d3_unit(d3_cross(n, other), d3(0, 0, 1));
}

static inline D3 d3_min(D3 a, D3 b)
{
    return d3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static inline D3 d3_max(D3 a, D3 b)
{
    return d3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

/* ---- matrices ---- */

static inline D3 d33_times(const D33 *a, D3 x)
{
    return d3(d3_dot(a->row[0], x), d3_dot(a->row[1], x), d3_dot(a->row[2], x));
}

/* ---- rotations ---- */

static inline DQuat dquat_identity(void)
{
    return (DQuat){0, 0, 0, 1};
}

static inline DQuat dquat_of(mote_Quat q)
{
    return (DQuat){(double)q.x, (double)q.y, (double)q.z, (double)q.w};
}

static inline mote_Quat dquat_real(DQuat q)
{
    return (mote_Quat){(mote_real)q.x, (mote_real)q.y, (mote_real)q.z, (mote_real)q.w};
}

static inline DQuat dquat_inverse(DQuat q)
{
    return (DQuat){-q.x, -q.y, -q.z, q.w};
}

/* First b, then a. */
static inline DQuat dquat_product(DQuat a, DQuat b)
{
    return (DQuat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                   a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                   a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                   a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline DQuat dquat_unit(DQuat q)
{
    double length = __builtin_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 0)) return dquat_identity();
    double s = 1 / length;
    return (DQuat){q.x * s, q.y * s, q.z * s, q.w * s};
}

static inline D3 dquat_rotate(DQuat q, D3 p)
{
    D3 v = d3(q.x, q.y, q.z), inner = d3_madd(d3_cross(v, p), q.w, p);
    return d3_madd(p, 2, d3_cross(v, inner));
}

static inline D3 dquat_rotate_back(DQuat q, D3 p)
{
    return dquat_rotate(dquat_inverse(q), p);
}

/* The rotation about the direction of `turn` by its length (rad). */
static inline DQuat dquat_of_turn(D3 turn)
{
    double angle = d3_length(turn), s, c;
    if (!(angle > 0)) return dquat_identity();
    math_sincos(0.5 * angle, &s, &c);
    D3 v = d3_scale(turn, s / angle);
    return (DQuat){v.x, v.y, v.z, c};
}

/* R diag(d) R^T: a tensor with principal values d along the axes of the frame q, in the world. */
static inline D33 dquat_tensor(DQuat q, D3 d)
{
    D3 a = dquat_rotate(q, d3(1, 0, 0)), b = dquat_rotate(q, d3(0, 1, 0)),
       c = dquat_rotate(q, d3(0, 0, 1));
    D3 rows[3] = {d3(a.x, b.x, c.x), d3(a.y, b.y, c.y), d3(a.z, b.z, c.z)};
    D33 out;
    for (int i = 0; i < 3; ++i) {
        D3 scaled = d3(rows[i].x * d.x, rows[i].y * d.y, rows[i].z * d.z);
        out.row[i] = d3(d3_dot(scaled, rows[0]), d3_dot(scaled, rows[1]), d3_dot(scaled, rows[2]));
    }
    return out;
}

/* ---- poses ---- */

typedef struct DPose {
    D3 position;
    DQuat orientation;
} DPose;

static inline DPose dpose_of(const mote_Pose *pose)
{
    return (DPose){d3_of(pose->position), dquat_unit(dquat_of(pose->orientation))};
}

static inline mote_Pose dpose_real(const DPose *pose)
{
    return (mote_Pose){d3_real(pose->position), quat_unit(dquat_real(pose->orientation))};
}

static inline D3 dpose_apply(const DPose *pose, D3 p)
{
    return d3_add(pose->position, dquat_rotate(pose->orientation, p));
}

static inline D3 dpose_invert(const DPose *pose, D3 x)
{
    return dquat_rotate_back(pose->orientation, d3_sub(x, pose->position));
}

/* A pose that is given in the frame of another. */
static inline DPose dpose_product(const DPose *outer, const DPose *inner)
{
    return (DPose){dpose_apply(outer, inner->position),
                   dquat_unit(dquat_product(outer->orientation, inner->orientation))};
}

#endif
