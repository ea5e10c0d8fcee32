/* Questions of hosts about what is solid, as it stands now: rays, balls on their way, nearest
 * points. */
#include "world/world.h"

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
