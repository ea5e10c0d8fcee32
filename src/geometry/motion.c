/* Motion: its parameters, and poses from it. */
#include "geometry/motion.h"

#include "base/row.h"

static const mote_Param params[] = {
    PARAM_VEC3(mote_Motion, at, "m", "where the shape's origin is", 0, 0, 0),
    PARAM_VEC3(mote_Motion, rotate, "degrees", "turned about the axes x, y, z, in this order", 0, 0,
               0),
    PARAM_VEC3(mote_Motion, velocity, "m/s", "constant velocity, on top of `at`", 0, 0, 0),
    PARAM_VEC3(mote_Motion, spin, "degrees/s", "constant turning, on top of `rotate`", 0, 0, 0),
};

const mote_Row motion_row =
    ROW_HEAD("motion", "where something stands, and how it moves", params, mote_Motion);

static bool is_zero(mote_Vec3 a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

mote_Pose motion_pose(const mote_Motion *m, double t)
{
    mote_Vec3 at = {(mote_real)((double)m->at.x + t * (double)m->velocity.x),
                    (mote_real)((double)m->at.y + t * (double)m->velocity.y),
                    (mote_real)((double)m->at.z + t * (double)m->velocity.z)};
    mote_Vec3 angles = vec3_scale(m->rotate, RADIANS_PER_DEGREE);
    mote_Pose pose = {at, {0, 0, 0, 1}};
    if (!is_zero(angles)) pose = mote_pose_turned(at, angles);
    if (is_zero(m->spin)) return pose;
    const double degree = (double)RADIANS_PER_DEGREE;
    mote_Vec3 turn = {(mote_real)(t * degree * (double)m->spin.x),
                      (mote_real)(t * degree * (double)m->spin.y),
                      (mote_real)(t * degree * (double)m->spin.z)};
    pose.orientation = quat_unit(quat_product(quat_of_turn(turn), pose.orientation));
    return pose;
}
