/* Checks of a forecast: particles that start inside a collider or outside the box. */
#include "scene/forecast.h"

#include <mote/mesh.h>

#include "base/vec.h"
#include "collide/collider.h"
#include "emit/emitter.h"
#include "geometry/posed.h"
#include "scene/stage.h"

#include <math.h>

/* How far a source reaches from its place along the direction n. */
static double source_reach(const Forecast *f, const mote_EmitterDef *def, mote_Vec3 n)
{
    const SourceRow *row = (const void *)forecast_row("sources", def->source);
    ParamsCopy copy;
    if (row == NULL || row->reach == NULL) return 0;
    if (!forecast_params(f, "source", def->name, def->source_params, &row->head, &copy)) return 0;
    return row->reach(copy.bytes, n);
}

/* A prepared copy of a collider's shape where it stands at the start. */
bool forecast_shape(const Forecast *f, const mote_ColliderDef *def, ParamsCopy *copy,
                    PosedShape *shape)
{
    const mote_Row *row = forecast_row("shapes", def->shape);
    const ShapeRow *kind = (const ShapeRow *)(const void *)row; /* its head is the first member */
    const Collider collider = {.def = *def, .pose = mote_pose_def()};
    if (row == NULL || !forecast_params(f, "shape", def->name, def->shape_params, row, copy))
        return false;
    if (kind->check != NULL && kind->check(copy->bytes, "", NULL) != MOTE_OK) return false;
    if (kind->prepare != NULL) kind->prepare(copy->bytes);
    *shape = (PosedShape){kind, copy->bytes, collider_pose(&collider, 0)};
    return true;
}

/* Signed distance of a point from a shape, and the normal there. */
static double shape_distance(const PosedShape *shape, mote_Vec3 at, mote_Vec3 *normal)
{
    mote_real distance;
    posed_surface(shape, 1, (mote_real *[3]){&at.x, &at.y, &at.z}, &distance,
                  (mote_real *[3]){&normal->x, &normal->y, &normal->z});
    return (double)distance;
}

static void check_start(const Forecast *f, const mote_EmitterDef *def, const mote_ColliderDef *c)
{
    const SceneSystem *system = forecast_system(f, def->system);
    if (system == NULL || !forecast_acts_on(c->systems, c->system_count, def->system)) return;
    if (!forecast_collides(system) || forecast_flows(system)) return;
    ParamsCopy copy;
    PosedShape shape;
    if (!forecast_shape(f, c, &copy, &shape)) return;
    mote_Vec3 n = {0, 1, 0};
    double distance = shape_distance(&shape, def->at, &n);
    double radius = system->def.collide.as_points ? 0 : (double)def->radius;
    /* how far a source reaches towards a plane is known; around other shapes it may reach beside */
    bool flat = shape_form(shape.row, shape.params).core == CORE_HALF_SPACE;
    double need = (flat ? source_reach(f, def, n) : 0) + radius;
    if (distance < -radius)
        WARN(f, "emitters.%s: `at` is %.3g m inside colliders.%s; move it out by %.3g m\n",
             def->name, -distance, c->name, need - distance);
    else if (distance < need * (1 - 1e-6))
        WARN(f,
             "emitters.%s: its source overlaps colliders.%s by %.3g m; move `at` away or make "
             "the source smaller\n",
             def->name, c->name, need - distance);
}

void check_starts(const Forecast *f)
{
    const mote_ColliderDef *colliders = f->scene->colliders.items;
    const mote_BodyDef *bodies = f->scene->bodies.items;
    for (size_t i = 0; i < f->scene->emitters.count; ++i) {
        mote_EmitterDef def = forecast_emitter(f, i, 0);
        if (f->laid != NULL && f->laid[i].places.count > 0)
            continue; /* place by place, elsewhere */
        for (size_t c = 0; c < f->scene->colliders.count; ++c) check_start(f, &def, &colliders[c]);
        for (size_t b = 0; b < f->scene->bodies.count; ++b) {
            mote_ColliderDef surface = collider_of_body(&bodies[b]);
            check_start(f, &def, &surface);
        }
    }
}

/* Looks that draw no solid are not asked for: their surfaces are no trouble for the eye. */
void check_camera(const Forecast *f)
{
    const mote_ColliderDef *colliders = f->scene->colliders.items;
    for (size_t i = 0; f->scene->has_camera && i < f->scene->colliders.count; ++i) {
        const mote_ColliderDef *c = &colliders[i];
        mote_Vec3 normal;
        ParamsCopy copy;
        PosedShape shape;
        if (!forecast_shape(f, c, &copy, &shape) || !scene_shows_solid(f->scene, c->name)) continue;
        const ShapeForm form = shape_form(shape.row, shape.params);
        const bool solid = form.core != CORE_HALF_SPACE && form.hollow == NULL;
        if (solid && shape_distance(&shape, f->scene->camera.from, &normal) < 0)
            WARN(f,
                 "camera: `from` is inside colliders.%s, which is not drawn then; move it, or give "
                 "the collider look: { visible: false }\n",
                 c->name);
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
