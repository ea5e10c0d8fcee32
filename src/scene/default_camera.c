/* The camera of a scene that has none: it sees the emitters, where their particles fly without
 * forces but gravity, and the colliders that have an end. It depends on the scene alone, so it
 * stands still. */
#include "base/vec.h"
#include "collide/collider.h"
#include "scene/forecast.h"
#include "scene/look.h"

#include "geometry/posed.h"
#include "render/view.h"

#include <string.h>

#define LONGEST_FLIGHT 2.5 /* s */
enum { MOMENTS = 4, STEPS = 8 };

typedef struct Stage {
    Forecast forecast;
    Aabb box;
    mote_Vec3 ground; /* unit normal of a plane; zero: none */
    mote_real level;
} Stage;

static void include(Stage *stage, mote_Vec3 p, mote_real reach)
{
    mote_real below = stage->level - vec3_dot(stage->ground, p);
    if (vec3_dot(stage->ground, stage->ground) > 0 && below > 0)
        p = vec3_madd(p, below, stage->ground);
    stage->box.low = vec3_min(stage->box.low, vec3_sub(p, vec3(reach, reach, reach)));
    stage->box.high = vec3_max(stage->box.high, vec3_add(p, vec3(reach, reach, reach)));
}

/* Straight on, and to the sides by the emitter's spread. */
static void include_flight(Stage *stage, const mote_EmitterDef *e, double duration)
{
    const mote_Vec3 g = stage->forecast.scene->world.def.gravity, v = e->velocity;
    double life = e->lifetime > 0 ? (double)e->lifetime : duration;
    life = life < duration ? life : duration;
    life = life < LONGEST_FLIGHT ? life : LONGEST_FLIGHT;
    mote_real speed = vec3_length(v),
              spread = e->spread < (mote_real)1.3 ? e->spread : (mote_real)1.3;
    mote_Vec3 way = vec3_unit(v, vec3(0, 1, 0)), a = vec3_across(way), b = vec3_cross(way, a);
    for (int k = 0; k <= STEPS; ++k) {
        mote_real t = (mote_real)(life * k / STEPS), side = (mote_real)0.7 * speed * spread * t;
        mote_Vec3 p = vec3_madd(vec3_madd(e->at, t, v), t * t / 2, g);
        include(stage, p, e->radius);
        for (int s = -1; s <= 1; s += 2) {
            include(stage, vec3_madd(p, (mote_real)s * side, a), e->radius);
            include(stage, vec3_madd(p, (mote_real)s * side, b), e->radius);
        }
    }
}

static void find_ground(Stage *stage)
{
    const mote_Scene *scene = stage->forecast.scene;
    const mote_ColliderDef *colliders = scene->colliders.items;
    for (size_t i = 0; i < scene->colliders.count; ++i) {
        if (colliders[i].shape == NULL || strcmp(colliders[i].shape, "plane") != 0) continue;
        const mote_PlaneShape *plane = colliders[i].shape_params;
        stage->ground = vec3_unit(plane->normal, vec3(0, 1, 0));
        stage->level = plane->offset;
        return;
    }
}

/* Where bodies start, and where they fall. */
static void include_bodies(Stage *stage)
{
    const mote_Scene *scene = stage->forecast.scene;
    const mote_BodyDef *bodies = scene->bodies.items;
    for (size_t i = 0; i < scene->bodies.count; ++i) {
        if (bodies[i].shape == NULL || bodies[i].shape_params == NULL) continue;
        const mote_Row *row = forecast_row("shapes", bodies[i].shape);
        if (row == NULL) continue;
        Aabb box = ((const ShapeRow *)(const void *)row)->bounds(bodies[i].shape_params);
        if (!aabb_is_finite(&box)) continue;
        mote_Motion now = bodies[i].motion;
        mote_real reach = vec3_length(vec3_scale(vec3_sub(box.high, box.low), (mote_real)0.5));
        include(stage, now.at, reach);
        if (!bodies[i].free || !bodies[i].gravity) continue;
        now.at = vec3_madd(now.at, 1, vec3_scale(scene->world.def.gravity, (mote_real)0.3));
        include(stage, now.at, reach);
    }
}

void scene_place_camera(mote_Scene *scene, double aspect, mote_Camera *camera)
{
    Stage stage = {.forecast = {.scene = scene}, .box = aabb_empty()};
    find_ground(&stage);
    for (size_t i = 0; i < scene->emitters.count; ++i) {
        for (int k = 0; k < MOMENTS; ++k) {
            mote_EmitterDef e =
                forecast_emitter(&stage.forecast, i, scene->world.duration * k / MOMENTS);
            include_flight(&stage, &e, scene->world.duration);
        }
    }
    include_bodies(&stage);
    if (stage.box.low.x <= stage.box.high.x)
        mote_camera_fit_box(camera, stage.box.low, stage.box.high, aspect);
}
