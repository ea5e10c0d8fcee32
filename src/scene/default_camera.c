/* The camera of a scene that has none. It looks at where the scene takes place (stage_box.c) from
 * the front; where a collider would be around the eye or before it, from another side, from higher
 * up or from nearer. */

#include "base/vec.h"
#include "geometry/motion.h"
#include "scene/stage.h"

#include "render/view.h"

#include <math.h>
#include <string.h>

enum { TARGETS = 9, ENOUGH = 5 }; /* places that are looked at; how many are to be seen */

/* ---- what is in the way ---- */

bool scene_shows_solid(const mote_Scene *scene, const char *name)
{
    const mote_ShapeLook *looks = scene->shape_looks.items;
    for (size_t i = 0; name != NULL && i < scene->shape_looks.count; ++i)
        if (strcmp(looks[i].shape, name) == 0)
            return looks[i].visible && !looks[i].wireframe && !looks[i].glass;
    return true;
}

static void add_obstacle(Obstacles *all, const Forecast *f, const mote_ColliderDef *def)
{
    Obstacle *next = &all->items[all->count];
    if (!scene_shows_solid(f->scene, def->name) ||
        !forecast_shape(f, def, &next->params, &next->shape) ||
        shape_form(next->shape.row, next->shape.params).hollow != NULL)
        return;
    next->restitution = def->restitution;
    ++all->count;
}

static Obstacles find_obstacles(mote_Scene *scene)
{
    const Forecast forecast = {.scene = scene};
    const mote_ColliderDef *colliders = scene->colliders.items;
    const mote_BodyDef *bodies = scene->bodies.items;
    const size_t most = scene->colliders.count + scene->bodies.count;
    Obstacles all = {.items = arena_take(&scene->drawing, (most + 1) * sizeof *all.items)};
    for (size_t i = 0; all.items != NULL && i < scene->colliders.count; ++i)
        add_obstacle(&all, &forecast, &colliders[i]);
    for (size_t i = 0; all.items != NULL && i < scene->bodies.count; ++i) {
        const mote_ColliderDef body = collider_of_body(&bodies[i]);
        add_obstacle(&all, &forecast, &body);
    }
    return all;
}

static mote_real distance_to(const Obstacle *o, mote_Vec3 place)
{
    mote_real distance;
    posed_distance(&o->shape, 1, (mote_real *[3]){&place.x, &place.y, &place.z}, &distance);
    return distance;
}

/* Not only outside, but with some room before it: what is too near fills the picture. */
static bool eye_is_free(const Obstacles *all, mote_Vec3 eye, mote_real room)
{
    for (size_t i = 0; i < all->count; ++i)
        if (!(distance_to(&all->items[i], eye) > room)) return false;
    return true;
}

static bool cast_at(const Obstacle *o, mote_Vec3 from, mote_Vec3 to, ShapeHit *hit)
{
    const ShapeCast cast = {from, vec3_sub(to, from), 0};
    return o->shape.row->cast != NULL && posed_cast(&o->shape, &cast, hit);
}

const Obstacle *obstacles_meet(const Obstacles *all, mote_Vec3 from, mote_Vec3 to, ShapeHit *hit)
{
    const Obstacle *first = NULL;
    for (size_t i = 0; i < all->count; ++i) {
        ShapeHit one;
        if (distance_to(&all->items[i], from) <= 0 || !cast_at(&all->items[i], from, to, &one))
            continue;
        if (first == NULL || one.time < hit->time) *hit = one, first = &all->items[i];
    }
    return first;
}

/* What is inside an obstacle is not hidden by it: there is nothing else to see there. */
static bool is_hidden(const Obstacles *all, mote_Vec3 eye, mote_Vec3 place)
{
    ShapeHit hit;
    for (size_t i = 0; i < all->count; ++i)
        if (distance_to(&all->items[i], place) > 0 && cast_at(&all->items[i], eye, place, &hit))
            return true;
    return false;
}

/* How many of the box's middle and eight places around it are seen. */
static int count_seen(const Obstacles *all, mote_Vec3 eye, const Aabb *box)
{
    const mote_Vec3 half = vec3_scale(vec3_sub(box->high, box->low), (mote_real)0.5);
    const mote_Vec3 middle = vec3_add(box->low, half);
    int seen = is_hidden(all, eye, middle) ? 0 : 1;
    for (int c = 0; c < 8; ++c) {
        const mote_Vec3 out = {c & 1 ? half.x : -half.x, c & 2 ? half.y : -half.y,
                               c & 4 ? half.z : -half.z};
        seen += is_hidden(all, eye, vec3_madd(middle, (mote_real)0.7, out)) ? 0 : 1;
    }
    return seen;
}

/* ---- places for the eye ---- */

/* In the order in which they are tried. */
static const mote_real turns[] = {0, 35, -35, 70, -70, 110, -110, 180}; /* degrees about up */
static const mote_real rises[] = {0, (mote_real)0.6, 2}; /* further up, in distances */
static const mote_real parts[] = {1, (mote_real)0.7, (mote_real)0.45, (mote_real)0.25,
                                  (mote_real)0.15};
enum { TURNS = sizeof turns / sizeof turns[0], RISES = sizeof rises / sizeof rises[0] };
enum { PARTS = sizeof parts / sizeof parts[0] };

static mote_Camera camera_at(const mote_Camera *front, const Aabb *box, double aspect, int turn,
                             int rise)
{
    mote_Camera c = *front;
    const mote_real away = vec3_length(vec3_sub(c.from, c.to));
    c.orbit += turns[turn];
    c.from = vec3_madd(c.from, rises[rise] * away, vec3_unit(c.up, vec3(0, 1, 0)));
    mote_camera_fit_box(&c, box->low, box->high, aspect);
    return c;
}

/* Straight on what happens in two dimensions. */
static mote_Camera camera_before_plane(const mote_Camera *front, const Aabb *box, double aspect)
{
    mote_Camera c = *front;
    c.from = vec3_add(c.to, vec3(0, 0, vec3_length(vec3_sub(c.from, c.to))));
    c.up = vec3(0, 1, 0);
    mote_camera_fit_box(&c, box->low, box->high, aspect);
    return c;
}

/* Tries places around the box, then higher ones, then nearer ones, until one sees enough of it past
 * what stands in the way; else the one that saw most, or the first when none is free. */
void scene_place_camera(mote_Scene *scene, double aspect, mote_Camera *camera)
{
    const Obstacles obstacles = find_obstacles(scene);
    const Aabb box = stage_box(scene, &obstacles);
    const mote_Camera front = *camera;
    int best = -1;
    if (box.low.x > box.high.x) return;
    if (scene->world.def.dimension == 2) {
        *camera = camera_before_plane(&front, &box, aspect);
        return;
    }
    for (int part = 0; part < PARTS; ++part) {
        for (int rise = 0; rise < RISES; ++rise) {
            for (int turn = 0; turn < TURNS && best < ENOUGH; ++turn) {
                mote_Camera c = camera_at(&front, &box, aspect, turn, rise);
                const mote_Vec3 arm = vec3_scale(vec3_sub(c.from, c.to), parts[part]);
                c.from = vec3_add(c.to, arm);
                const mote_real room = vec3_length(arm) * (mote_real)0.02 + c.near;
                const int seen = eye_is_free(&obstacles, c.from, room)
                                     ? count_seen(&obstacles, c.from, &box)
                                     : -1;
                if (seen <= best && !(best < 0 && part + rise + turn == 0)) continue;
                best = seen;
                *camera = c;
            }
        }
    }
}
