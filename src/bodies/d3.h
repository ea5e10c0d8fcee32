/* Matrices, rotations and poses in double, by value.
 *
 * Bodies are few and their errors last: a stack rests on differences far below a float's rounding,
 * so that bodies compute in double in both libraries, and hand out poses in mote_real. */
#ifndef BODIES_D3_H
#define BODIES_D3_H

#include "base/math.h"
#include "geometry/pose.h"

typedef struct D33 {
    D3 row[3];
} D33;

typedef struct DQuat {
    double x, y, z, w;
} DQuat;

/* ---- matrices ---- */

static inline D3 d33_times(const D33 *a, D3 x)
{
    return d3(d3_dot(a->row[0], x), d3_dot(a->row[1], x), d3_dot(a->row[2], x));
}

/* ---- rotations ---- */

#define QUAT        DQuat
#define QUAT_(f)    dquat_##f
#define QUAT_REAL   double
#define QUAT_SQRT   __builtin_sqrt
#define QUAT_SINCOS math_sincos
#define VEC         D3
#define VEC_(f)     d3_##f
#include "geometry/quat_family.h"

static inline DQuat dquat_of(mote_Quat q)
{
    return (DQuat){(double)q.x, (double)q.y, (double)q.z, (double)q.w};
}

static inline mote_Quat dquat_real(DQuat q)
{
    return (mote_Quat){(mote_real)q.x, (mote_real)q.y, (mote_real)q.z, (mote_real)q.w};
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
