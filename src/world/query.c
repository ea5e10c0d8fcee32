/* What is solid, for hosts. Questions about it as it stands now: rays, balls on their way, nearest
 * points; and colliders that they move by hand. */
#include "world/objects.h"

#include "base/status.h"
#include "geometry/posed.h"

#include <math.h>

/* Sinks are not in the way of anything. */
static bool stand(mote_World *world, size_t number, PosedShape *shape)
{
    Collider *collider = world->colliders.items[number];
    if (collider->def.sink) return false;
    if (collider->shape->prepare != NULL) collider->shape->prepare(collider->object.params);
    *shape = (PosedShape){collider->shape, collider->object.params,
                          collider_pose(collider, world->time)};
    return true;
}

static mote_SolidPoint point_of(const mote_World *world, size_t number)
{
    const Collider *collider = world->colliders.items[number];
    return (mote_SolidPoint){.collider = collider->object.name, .number = (uint32_t)number};
}

bool mote_world_cast(mote_World *world, const mote_Cast *cast, mote_SolidPoint *hit)
{
    const ShapeCast way = {cast->from, cast->along, cast->radius};
    const double length = (double)vec3_length(cast->along);
    /* Beyond 1 there is nothing to be met. */
    mote_real first = 2; /* of the way */
    if (!(length > 0) || !isfinite(length + (double)vec3_length(cast->from))) return false;
    for (size_t i = 0; i < world->colliders.count; ++i) {
        PosedShape shape;
        ShapeHit met;
        if (!stand(world, i, &shape) || !posed_cast(&shape, &way, &met) || !(met.time < first))
            continue;
        first = met.time;
        *hit = point_of(world, i);
        hit->distance = (double)met.time * length;
        hit->point = met.point, hit->normal = met.normal;
        hit->inside = met.overlaps;
    }
    return first <= 1;
}

bool mote_world_nearest(mote_World *world, mote_Vec3 at, mote_SolidPoint *nearest)
{
    double least = HUGE_VAL;
    if (!isfinite((double)vec3_length(at))) return false;
    for (size_t i = 0; i < world->colliders.count; ++i) {
        PosedShape shape;
        mote_Vec3 normal;
        mote_real distance;
        mote_real *const x[3] = {&at.x, &at.y, &at.z}, *const n[3] = {&normal.x, &normal.y,
                                                                      &normal.z};
        if (!stand(world, i, &shape)) continue;
        posed_surface(&shape, 1, x, &distance, n);
        if (!((double)distance < least)) continue;
        least = (double)distance;
        *nearest = point_of(world, i);
        nearest->distance = least;
        nearest->normal = normal;
        nearest->point = vec3_madd(at, -distance, normal);
        nearest->inside = distance < 0;
    }
    return least < HUGE_VAL;
}

/* ---- colliders that the host moves: where they are now, and how fast ---- */

static mote_Status find(mote_World *world, const char *name, Collider **out, mote_Error *error)
{
    *out = world_object(&world->colliders, name);
    if (*out == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "there is no collider `%s` to move", name);
    if ((*out)->body == NULL) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "collider %s: it is the surface of a body, which moves by itself", name);
}

static mote_Status check(const char *name, const mote_Pose *pose, const PoseVelocity *velocity,
                         mote_Error *error)
{
    const mote_Quat q = pose->orientation;
    const double turn = (double)(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    const double sum = (double)vec3_length(pose->position) + (double)vec3_length(velocity->linear) +
                       (double)vec3_length(velocity->angular);
    if (!isfinite(sum))
        return status_fail(error, MOTE_BAD_VALUE,
                           "collider %s: its place, velocity and spin must be finite", name);
    if (!(fabs(turn - 1) < 1e-3))
        return status_fail(error, MOTE_BAD_VALUE,
                           "collider %s: its orientation has length %g, but must have 1", name,
                           sqrt(turn));
    return MOTE_OK;
}

mote_Status mote_world_move_collider(mote_World *world, const char *name, const mote_Pose *pose,
                                     mote_Vec3 velocity, mote_Vec3 spin, mote_Error *error)
{
    const PoseVelocity motion = {velocity, spin};
    Collider *collider;
    mote_Status status = find(world, name, &collider, error);
    if (status == MOTE_OK) status = check(name, pose, &motion, error);
    if (status == MOTE_OK) collider_take_in_hand(collider, world->time, pose, &motion);
    return status;
}

mote_Status mote_world_drive_collider(mote_World *world, const char *name, const mote_Pose *to,
                                      double seconds, mote_Error *error)
{
    Collider *collider;
    mote_Status status = find(world, name, &collider, error);
    if (status != MOTE_OK) return status;
    if (!(seconds > 0 && seconds < 1e12))
        return status_fail(error, MOTE_BAD_VALUE,
                           "collider %s: it has %g s to get there, but must have some", name,
                           seconds);
    const mote_Pose from = collider_pose(collider, world->time);
    const PoseVelocity way = pose_velocity_between(&from, to);
    const mote_real rate = (mote_real)(1 / seconds);
    const PoseVelocity motion = {vec3_scale(way.linear, rate), vec3_scale(way.angular, rate)};
    status = check(name, to, &motion, error);
    if (status == MOTE_OK) collider_take_in_hand(collider, world->time, &from, &motion);
    return status;
}
