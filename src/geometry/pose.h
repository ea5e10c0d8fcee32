/* Poses: rotation and translation of points and directions, and the motion between two poses.
 * Between two poses a body moves with constant linear velocity and turns at a constant rate about
 * one axis (Rodrigues; Shoemake 1985). */
#ifndef GEOMETRY_POSE_H
#define GEOMETRY_POSE_H

#include <mote/shapes.h>

#include "base/loop.h"
#include "base/math.h"
#include "base/vec.h"

/* ---- quaternions ---- */

#define QUAT        mote_Quat
#define QUAT_(f)    quat_##f
#define QUAT_REAL   mote_real
#define QUAT_SQRT   REAL_SQRT
#define QUAT_SINCOS real_sincos
#define VEC         mote_Vec3
#define VEC_(f)     vec3_##f
#include "geometry/quat_family.h"

static inline mote_Vec3 quat_vector(mote_Quat q)
{
    return vec3(q.x, q.y, q.z);
}

/* The shortest rotation vector (axis times angle, at most pi) of a unit quaternion. The logarithm:
 * q and -q are one rotation, and the one with w >= 0 has the smaller angle. */
static inline mote_Vec3 quat_turn(mote_Quat q)
{
    mote_real sign = q.w < 0 ? -1 : (mote_real)1;
    mote_Vec3 v = vec3_scale(quat_vector(q), sign);
    mote_real sine = vec3_length(v);
    if (!(sine > 0)) return vec3(0, 0, 0);
    return vec3_scale(v, 2 * real_atan2(sine, q.w * sign) / sine);
}

/* ---- poses ---- */

static inline mote_Pose pose_identity(void)
{
    return (mote_Pose){{0, 0, 0}, {0, 0, 0, 1}};
}

static inline bool pose_is_identity(const mote_Pose *pose)
{
    const mote_Vec3 p = pose->position;
    const mote_Quat q = pose->orientation;
    return p.x == 0 && p.y == 0 && p.z == 0 && q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1;
}

/* From the body's frame to the world. */
static inline mote_Vec3 pose_apply(const mote_Pose *pose, mote_Vec3 p)
{
    return vec3_add(pose->position, quat_rotate(pose->orientation, p));
}

/* From the world to the body's frame. */
static inline mote_Vec3 pose_invert(const mote_Pose *pose, mote_Vec3 x)
{
    return quat_rotate_back(pose->orientation, vec3_sub(x, pose->position));
}

/* Directions. */
static inline mote_Vec3 pose_rotate(const mote_Pose *pose, mote_Vec3 n)
{
    return quat_rotate(pose->orientation, n);
}

static inline mote_Vec3 pose_rotate_back(const mote_Pose *pose, mote_Vec3 n)
{
    return quat_rotate_back(pose->orientation, n);
}

/* A pose that is given in the frame of another. */
static inline mote_Pose pose_product(const mote_Pose *outer, const mote_Pose *inner)
{
    return (mote_Pose){pose_apply(outer, inner->position),
                       quat_unit(quat_product(outer->orientation, inner->orientation))};
}

/* ---- motion ---- */

/* Linear velocity of the frame's origin and angular velocity, per unit of time. */
typedef struct PoseVelocity {
    mote_Vec3 linear, angular;
} PoseVelocity;

/* Velocity of the point x of the world that moves with the body. v + w x (x - x_0). */
static inline mote_Vec3 pose_point_velocity(const mote_Pose *pose, const PoseVelocity *velocity,
                                            mote_Vec3 x)
{
    mote_Vec3 arm = vec3_sub(x, pose->position);
    return vec3_add(velocity->linear, vec3_cross(velocity->angular, arm));
}

/* The velocity that leads from one pose to the other in one unit of time, the short way round. */
static inline PoseVelocity pose_velocity_between(const mote_Pose *from, const mote_Pose *to)
{
    mote_Quat change = quat_product(to->orientation, quat_inverse(from->orientation));
    return (PoseVelocity){vec3_sub(to->position, from->position), quat_turn(quat_unit(change))};
}

/* The pose after `time` at constant velocity. */
static inline mote_Pose pose_advance(const mote_Pose *pose, const PoseVelocity *velocity,
                                     mote_real time)
{
    mote_Quat turned =
        quat_product(quat_of_turn(vec3_scale(velocity->angular, time)), pose->orientation);
    return (mote_Pose){vec3_madd(pose->position, time, velocity->linear), quat_unit(turned)};
}

/* ---- planar arrays ---- */

/* The columns of the rotation matrix: images of the axes. */
typedef struct PoseAxes {
    mote_Vec3 x, y, z;
} PoseAxes;

static inline PoseAxes pose_axes(const mote_Pose *pose)
{
    return (PoseAxes){pose_rotate(pose, vec3(1, 0, 0)), pose_rotate(pose, vec3(0, 1, 0)),
                      pose_rotate(pose, vec3(0, 0, 1))};
}

static inline bool quat_is_identity(mote_Quat q)
{
    return q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1;
}

static inline void shift_points(mote_Vec3 o, size_t count, mote_real *const x[3],
                                mote_real *const out[3])
{
    const mote_real *px = x[0], *py = x[1], *pz = x[2];
    mote_real *qx = out[0], *qy = out[1], *qz = out[2];
    FOR_ROWS (i, count) qx[i] = px[i] - o.x, qy[i] = py[i] - o.y, qz[i] = pz[i] - o.z;
}

/* Points of the world into the body's frame. */
static inline void pose_points_in(const mote_Pose *pose, size_t count, mote_real *const x[3],
                                  mote_real *const out[3])
{
    const mote_Vec3 o = pose->position;
    if (quat_is_identity(pose->orientation)) {
        shift_points(o, count, x, out);
        return;
    }
    const PoseAxes e = pose_axes(pose);
    const mote_real *px = x[0], *py = x[1], *pz = x[2];
    mote_real *qx = out[0], *qy = out[1], *qz = out[2];
    FOR_ROWS (i, count) {
        mote_Vec3 r = vec3(px[i] - o.x, py[i] - o.y, pz[i] - o.z);
        qx[i] = vec3_dot(e.x, r), qy[i] = vec3_dot(e.y, r), qz[i] = vec3_dot(e.z, r);
    }
}

/* Directions of the body's frame into the world, in place. */
static inline void pose_directions_out(const mote_Pose *pose, size_t count, mote_real *const n[3])
{
    if (quat_is_identity(pose->orientation)) return;
    const PoseAxes e = pose_axes(pose);
    mote_real *nx = n[0], *ny = n[1], *nz = n[2];
    FOR_ROWS (i, count) {
        mote_Vec3 a = vec3_scale(e.x, nx[i]);
        a = vec3_madd(vec3_madd(a, ny[i], e.y), nz[i], e.z);
        nx[i] = a.x, ny[i] = a.y, nz[i] = a.z;
    }
}

#endif
