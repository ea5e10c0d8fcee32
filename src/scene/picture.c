/* How a frame is drawn: the camera at its time, and its systems as their looks say. */
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"
#include "render/tables.h"
#include "scene/cloth.h"
#include "scene/stage.h"
#include "world/world.h"

#include <string.h>

static const SceneSystem *find_system(const mote_Scene *scene, const char *name)
{
    const SceneSystem *systems = scene->systems.items;
    for (size_t i = 0; i < scene->systems.count; ++i)
        if (strcmp(systems[i].def.name, name) == 0) return &systems[i];
    return NULL;
}

static size_t part_count(const mote_Scene *scene, const mote_Frame *frame)
{
    size_t parts = 0;
    for (size_t i = 0; i < frame->system_count; ++i) {
        const SceneSystem *found = find_system(scene, frame->systems[i].name);
        parts += found != NULL ? look_parts(&found->look) : 1;
    }
    return parts;
}

/* The number of a system's first part. */
static size_t moved_number(const mote_Scene *scene, const mote_Frame *frame, size_t system)
{
    size_t number = 0;
    for (size_t i = 0; i < system && i < frame->system_count; ++i) {
        const SceneSystem *found = find_system(scene, frame->systems[i].name);
        number += found != NULL ? look_parts(&found->look) : 1;
    }
    return number;
}

/* Meshes and surfaces name their system by its number, which further parts before it move. */
static bool move_meshes(mote_Scene *scene, const mote_Frame *frame, mote_Frame *drawn)
{
    mote_FrameMesh *meshes = arena_take(&scene->drawing, (frame->mesh_count + 1) * sizeof *meshes);
    mote_FrameSurface *surfaces =
        arena_take(&scene->drawing, (frame->surface_count + 1) * sizeof *surfaces);
    if (meshes == NULL || surfaces == NULL) return false;
    for (size_t m = 0; m < frame->mesh_count; ++m) {
        meshes[m] = frame->meshes[m];
        meshes[m].system = moved_number(scene, frame, frame->meshes[m].system);
    }
    for (size_t i = 0; i < frame->surface_count; ++i) {
        surfaces[i] = frame->surfaces[i];
        surfaces[i].system = moved_number(scene, frame, frame->surfaces[i].system);
    }
    drawn->meshes = meshes, drawn->surfaces = surfaces;
    return true;
}

static bool has_references(const mote_Row *row)
{
    for (size_t i = 0; row != NULL && i < row->param_count; ++i)
        if (param_is_reference(&row->params[i])) return true;
    return false;
}

/* What the scene says about the shape of that name and type, of a collider or a body; or NULL. */
static const void *said_params(const mote_Scene *scene, const mote_FrameShape *shape)
{
    const mote_ColliderDef *colliders = scene->colliders.items;
    const mote_BodyDef *bodies = scene->bodies.items;
    for (size_t i = 0; i < scene->colliders.count; ++i)
        if (colliders[i].shape != NULL && strcmp(colliders[i].name, shape->name) == 0 &&
            strcmp(colliders[i].shape, shape->type) == 0)
            return colliders[i].shape_params;
    for (size_t i = 0; i < scene->bodies.count; ++i)
        if (bodies[i].shape != NULL && strcmp(bodies[i].name, shape->name) == 0 &&
            strcmp(bodies[i].shape, shape->type) == 0)
            return bodies[i].shape_params;
    return NULL;
}

/* Meshes and parts of a shape are not in caches: they come from the scene, for live frames too. */
static bool complete_shapes(mote_Scene *scene, const mote_Frame *frame, mote_Frame *drawn)
{
    mote_FrameShape *shapes =
        arena_take(&scene->drawing, (frame->shape_count + 1) * sizeof *shapes);
    for (size_t i = 0; shapes != NULL && i < frame->shape_count; ++i) {
        shapes[i] = frame->shapes[i];
        const void *said = has_references(shapes[i].row) ? said_params(scene, &shapes[i]) : NULL;
        if (said != NULL) shapes[i].params = said;
    }
    drawn->shapes = shapes;
    return shapes != NULL;
}

static mote_Status draw_systems(mote_Scene *scene, const mote_Frame *frame,
                                mote_FrameSystem *systems, mote_Legend *legends, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    size_t at = 0;
    for (size_t i = 0; i < frame->system_count && status == MOTE_OK; ++i) {
        const SceneSystem *found = find_system(scene, frame->systems[i].name);
        systems[at] = frame->systems[i];
        legends[i] = (mote_Legend){.title = NULL};
        if (found != NULL)
            status =
                look_draw(&found->look, frame, &scene->drawing, &systems[at], &legends[i], error);
        if (status == MOTE_OK && found != NULL && !scene_spread_cloth(scene, found, &systems[at]))
            return status_no_memory(error, "a picture", systems[at].count);
        at += found != NULL ? look_parts(&found->look) : 1;
    }
    return status;
}

static mote_Status draw_frame(mote_Scene *scene, const mote_Frame *frame, mote_RenderDef *def,
                              const mote_Frame **out, mote_Error *error)
{
    size_t parts = part_count(scene, frame);
    mote_Frame *drawn = arena_take(&scene->drawing, sizeof *drawn);
    mote_FrameSystem *systems = arena_take(&scene->drawing, (parts + 1) * sizeof *systems);
    mote_Legend *legends = arena_take(&scene->drawing, (frame->system_count + 1) * sizeof *legends);
    if (drawn == NULL || systems == NULL || legends == NULL)
        return status_no_memory(error, "a picture", parts * sizeof *systems);
    *drawn = *frame;
    drawn->systems = systems;
    drawn->system_count = parts;
    *out = drawn;
    def->legends = legends;
    def->legend_count = frame->system_count;
    if (!move_meshes(scene, frame, drawn) || !complete_shapes(scene, frame, drawn))
        return status_no_memory(error, "a picture", parts);
    return draw_systems(scene, frame, systems, legends, error);
}

/* ---- camera and looks ---- */

static mote_Look *make_looks(mote_Scene *scene, const mote_Frame *frame, const mote_Frame *drawn)
{
    mote_Look *looks = arena_take(&scene->drawing, (drawn->system_count + 1) * sizeof *looks);
    size_t at = 0;
    for (size_t i = 0; looks != NULL && i < frame->system_count; ++i) {
        const SceneSystem *found = find_system(scene, frame->systems[i].name);
        size_t parts = found != NULL ? look_parts(&found->look) : 1;
        for (size_t part = 0; part < parts; ++part, ++at)
            looks[at] = found != NULL ? look_of_part(&found->look, drawn->systems[at].name, part)
                                      : mote_look_def();
    }
    return looks;
}

static mote_Status bind(const ParamBindings *bindings, const mote_Frame *frame, void *params,
                        mote_Error *error)
{
    double values[EXPRESSION_SLOTS] = {[SLOT_T] = frame->time, [SLOT_FRAME] = (double)frame->index};
    mote_Status status = MOTE_OK;
    for (const ParamBinding *b = bindings->first; b != NULL && status == MOTE_OK; b = b->next)
        status = binding_apply(b, values, params, error);
    return status;
}

static mote_Status place_camera(mote_Scene *scene, const mote_Frame *frame, mote_Camera *camera,
                                mote_Error *error)
{
    *camera = scene->camera;
    if (!scene->has_camera)
        scene_place_camera(scene, (double)scene->picture.width / (double)scene->picture.height,
                           camera);
    scene_follow_camera_keys(scene, frame->time, camera);
    return bind(&scene->camera_bindings, frame, camera, error);
}

static mote_Status make_lights(mote_Scene *scene, const mote_Frame *frame, mote_RenderDef *def,
                               mote_Error *error)
{
    mote_Light *lights = arena_take(&scene->drawing, MOTE_LIGHTS_MOST * sizeof *lights);
    if (lights == NULL) return status_no_memory(error, "lights", sizeof *lights);
    for (size_t i = 0; i < scene->light_count; ++i) {
        lights[i] = scene->lights[i].def;
        mote_Status status = bind(&scene->lights[i].bindings, frame, &lights[i], error);
        if (status != MOTE_OK) return status;
    }
    def->lights = lights;
    def->light_count = scene->light_count;
    return MOTE_OK;
}

mote_Status mote_scene_picture(mote_Scene *scene, const mote_Frame *frame, mote_RenderDef *def,
                               const mote_Frame **drawn, mote_Error *error)
{
    arena_reset(&scene->drawing);
    *def = scene->picture.def;
    mote_Status status = draw_frame(scene, frame, def, drawn, error);
    if (status != MOTE_OK) return status;
    mote_Look *looks = make_looks(scene, frame, *drawn);
    if (looks == NULL) return status_no_memory(error, "a picture", 1);
    def->looks = looks;
    def->look_count = (*drawn)->system_count;
    def->shapes = scene->shape_looks.items;
    def->shape_count = scene->shape_looks.count;
    def->show = scene->show;
    def->time = frame->time;
    def->wrap = world_period(&scene->world.def);
    def->backdrop = scene->sky;
    def->ground = scene->ground;
    def->trace = scene->trace;
    status = make_lights(scene, frame, def, error);
    if (status == MOTE_OK) status = place_camera(scene, frame, &def->camera, error);
    return status;
}
