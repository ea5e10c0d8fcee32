/* Checks of a forecast: particles that start inside a collider or outside the box. */
#include "scene/forecast.h"

#include <mote/mesh.h>

#include "base/vec.h"
#include "collide/collider.h"
#include "geometry/pose.h"

#include <math.h>
#include <string.h>

/* How far a source reaches from its place along the direction n. */
static double source_reach(const Forecast *f, const mote_EmitterDef *def, mote_Vec3 n)
{
    const mote_Row *row = forecast_row("sources", def->source);
    ParamsCopy copy;
    if (row == NULL || row->param_count == 0) return 0;
    forecast_params(f, "source", def->name, def->source_params, row, &copy);
    if (strcmp(def->source, "disc") == 0) {
        const mote_DiscSource *p = (const void *)copy.bytes;
        double along = (double)vec3_dot(n, vec3_unit(p->normal, vec3(0, 1, 0)));
        return (double)p->radius * sqrt(fmax(0, 1 - along * along));
    }
    if (strcmp(def->source, "box") == 0) {
        mote_Vec3 size = ((const mote_BoxSource *)(const void *)copy.bytes)->size;
        return 0.5 * (fabs((double)(n.x * size.x)) + fabs((double)(n.y * size.y)) +
                      fabs((double)(n.z * size.z)));
    }
    if (strcmp(def->source, "sphere") == 0)
        return (double)((const mote_SphereSource *)(const void *)copy.bytes)->radius;
    return 0;
}

/* Where a collider stands at the start. */
static mote_Pose collider_start_pose(const mote_ColliderDef *def)
{
    const Collider collider = {.def = *def, .pose = mote_pose_def()};
    return collider_pose(&collider, 0);
}

/* Signed distance of a point from a shape, and the normal there. */
static double shape_distance(const Forecast *f, const mote_ColliderDef *collider, mote_Vec3 at,
                             mote_Vec3 *normal)
{
    const mote_Row *row = forecast_row("shapes", collider->shape);
    ParamsCopy copy;
    const mote_Pose pose = collider_start_pose(collider);
    const mote_Vec3 own = pose_invert(&pose, at);
    mote_real x[3] = {own.x, own.y, own.z}, n[3], distance;
    mote_real *planes[3] = {&x[0], &x[1], &x[2]}, *normals[3] = {&n[0], &n[1], &n[2]};
    if (row == NULL) return HUGE_VAL;
    const ShapeRow *shape = (const ShapeRow *)(const void *)row; /* its head is the first member */
    forecast_params(f, "shape", collider->name, collider->shape_params, row, &copy);
    if (shape->check != NULL && shape->check(copy.bytes, "", NULL) != MOTE_OK) return HUGE_VAL;
    if (shape->prepare != NULL) shape->prepare(copy.bytes);
    shape->distance(copy.bytes, 1, planes, &distance);
    shape->normal(copy.bytes, 1, planes, normals);
    *normal = pose_rotate(&pose, vec3(n[0], n[1], n[2]));
    return (double)distance;
}

static void check_start(const Forecast *f, const mote_EmitterDef *def, const mote_ColliderDef *c)
{
    const SceneSystem *system = forecast_system(f, def->system);
    if (system == NULL || !forecast_acts_on(c->systems, c->system_count, def->system)) return;
    const char *algorithm = system->def.collide.algorithm;
    if (algorithm != NULL && strcmp(algorithm, "none") == 0) return;
    if (forecast_is_fluid(system)) return; /* what is born inside a wall lives no longer */
    mote_Vec3 n = {0, 1, 0};
    double distance = shape_distance(f, c, def->at, &n);
    double radius = system->def.collide.as_points ? 0 : (double)def->radius;
    /* how far a source reaches towards a plane is known; around other shapes it may reach beside */
    bool plane = c->shape != NULL && strcmp(c->shape, "plane") == 0;
    double need = (plane ? source_reach(f, def, n) : 0) + radius;
    if (distance < -radius)
        WARN(f, "emitters.%s: `at` is %.3g m inside colliders.%s; move it out by %.3g m\n",
             def->name, -distance, c->name, need - distance);
    else if (distance < need * (1 - 1e-6))
        WARN(f,
             "emitters.%s: its source overlaps colliders.%s by %.3g m; move `at` away or make "
             "the source smaller\n",
             def->name, c->name, need - distance);
}

/* The surface of a body, as particles meet it. */
static mote_ColliderDef surface_of(const mote_BodyDef *body)
{
    return (mote_ColliderDef){.name = body->name,
                              .shape = body->shape,
                              .shape_params = body->shape_params,
                              .motion = body->motion,
                              .path = body->path,
                              .path_context = body->path_context,
                              .systems = body->systems,
                              .system_count = body->system_count};
}

void check_starts(const Forecast *f)
{
    const mote_ColliderDef *colliders = f->scene->colliders.items;
    const mote_BodyDef *bodies = f->scene->bodies.items;
    for (size_t i = 0; i < f->scene->emitters.count; ++i) {
        mote_EmitterDef def = forecast_emitter(f, i, 0);
        if (f->laid != NULL && f->laid[i].points != NULL) continue; /* place by place, elsewhere */
        for (size_t c = 0; c < f->scene->colliders.count; ++c) check_start(f, &def, &colliders[c]);
        for (size_t b = 0; b < f->scene->bodies.count; ++b) {
            mote_ColliderDef surface = surface_of(&bodies[b]);
            check_start(f, &def, &surface);
        }
    }
}

static void check_mesh(const Forecast *f, const char *name, const mote_Mesh *mesh)
{
    if (mesh == NULL) return;
    const mote_MeshFacts *facts = mote_mesh_facts(mesh);
    if (facts->degenerate > 0)
        WARN(f,
             "colliders.%s: its mesh has %zu triangles without area, which are left out; the first "
             "is at (%g, %g, %g)\n",
             name, facts->degenerate, facts->degenerate_at[0], facts->degenerate_at[1],
             facts->degenerate_at[2]);
}

void check_meshes(const Forecast *f)
{
    const mote_ColliderDef *colliders = f->scene->colliders.items;
    for (size_t i = 0; i < f->scene->colliders.count; ++i) {
        const mote_Row *row = forecast_row("shapes", colliders[i].shape);
        const char *params = colliders[i].shape_params;
        for (size_t k = 0; row != NULL && params != NULL && k < row->param_count; ++k)
            if (row->params[k].type == MOTE_PARAM_MESH)
                check_mesh(f, colliders[i].name,
                           *(mote_Mesh *const *)(const void *)(params + row->params[k].offset));
    }
}

void check_box(const Forecast *f)
{
    const mote_WorldDef *world = &f->scene->world.def;
    const mote_Vec3 lo = world->box_min, hi = world->box_max;
    for (size_t i = 0; world->bounded && i < f->scene->emitters.count; ++i) {
        mote_EmitterDef def = forecast_emitter(f, i, 0);
        const mote_Vec3 p = def.at;
        bool inside =
            p.x >= lo.x && p.x <= hi.x && p.y >= lo.y && p.y <= hi.y && p.z >= lo.z && p.z <= hi.z;
        if (!inside)
            WARN(f,
                 "emitters.%s: `at` is outside the box, where particles are removed; move it or "
                 "widen world.box_min and box_max\n",
                 def.name);
    }
}
