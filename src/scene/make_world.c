/* From definitions to a world, with expressions evaluated at every sub-step. */
#include "scene/scene.h"
#include "scene/stage.h"

#include "base/status.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* Values of the slots: t and the frame that t belongs to. */
static void set_slots(const mote_Scene *scene, double t, double values[EXPRESSION_SLOTS])
{
    for (int i = 0; i < EXPRESSION_SLOTS; ++i) values[i] = 0;
    values[SLOT_T] = t;
    values[SLOT_FRAME] = floor(t * scene->world.def.fps * (1 + 1e-12));
}

static mote_Status apply_bindings(const ParamBindings *bindings, const double *values, void *params,
                                  mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (const ParamBinding *b = bindings->first; b != NULL && status == MOTE_OK; b = b->next)
        status = binding_apply(b, values, params, error);
    return status;
}

mote_Status scene_motion_at(void *context, double t, mote_Motion *motion, mote_Error *error)
{
    const SceneMotion *from = context;
    double values[EXPRESSION_SLOTS];
    set_slots(from->scene, t, values);
    return apply_bindings(&from->bindings, values, motion, error);
}

static mote_Status before_substep(void *context, mote_World *world, double t, mote_Error *error)
{
    mote_Scene *scene = context;
    const SceneBinding *all = scene->bindings.items;
    double values[EXPRESSION_SLOTS];
    set_slots(scene, t, values);
    for (size_t i = 0; i < scene->bindings.count; ++i) {
        void *params = mote_world_find(world, all[i].kind, all[i].name);
        if (params == NULL) continue;
        mote_Status status = apply_bindings(&all[i].bindings, values, params, error);
        if (status != MOTE_OK) return status;
    }
    return MOTE_OK;
}

static mote_Status add_systems(const mote_Scene *scene, mote_World *world, mote_Error *error)
{
    SceneSystem *systems = scene->systems.items;
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < scene->systems.count && status == MOTE_OK; ++i) {
        if (systems[i].def.solver_params == NULL) systems[i].def.solver_params = &systems[i].solver;
        status = mote_world_add_system(world, &systems[i].def, NULL, error);
    }
    return status;
}

/* What a world says of an object begins with the object's place in the scene, unless it names a
 * closer one. Copies of a body stand at no place of their own. */
static void add_place(const mote_Scene *scene, const char *key, SceneList list, size_t i,
                      mote_Error *error)
{
    const Node *all = node_find(scene->document->root, key);
    const Node *node = all != NULL && all->count == list.count ? node_child(all, i) : NULL;
    char place[160];
    if (error == NULL || node == NULL || node->source == NULL) return;
    const char *name = node->source->name;
    if (strncmp(error->message, name, strlen(name)) == 0) return;
    const mote_Error said = *error;
    place_text(node_place(node), place, sizeof place);
    status_fail(error, said.status, "%s: %s", place, said.message);
}

/* In the order of what they refer to: systems follow fields, bodies and probes name any of what
 * stands before them. */
static mote_Status add_objects(const mote_Scene *scene, mote_World *world, mote_Error *error)
{
#define ADD_ALL(list, Def, add)                                                                    \
    for (size_t i = 0; i < scene->list.count && status == MOTE_OK; ++i)                            \
        if ((status = add(world, (const Def *)scene->list.items + i, error)) != MOTE_OK)           \
    add_place(scene, #list, scene->list, i, error)
    mote_Status status = MOTE_OK;
    ADD_ALL(fields, mote_FieldDef, mote_world_add_field);
    if (status == MOTE_OK) status = add_systems(scene, world, error);
    ADD_ALL(colliders, mote_ColliderDef, mote_world_add_collider);
    ADD_ALL(bodies, mote_BodyDef, mote_world_add_body);
    ADD_ALL(forces, mote_ForceDef, mote_world_add_force);
    ADD_ALL(links, mote_LinksDef, mote_world_add_links);
    ADD_ALL(emitters, mote_EmitterDef, mote_world_add_emitter);
    ADD_ALL(probes, mote_ProbeDef, mote_world_add_probe);
#undef ADD_ALL
    return status;
}

/* Said before hours of simulating, not with the first picture. */
static mote_Status check_looks(const mote_Scene *scene, mote_World *world, mote_Error *error)
{
    const SceneSystem *systems = scene->systems.items;
    bool named = false;
    for (size_t i = 0; i < scene->systems.count; ++i)
        named = named || systems[i].look.by.column != NULL;
    const mote_Frame *frame = named ? mote_world_frame(world) : NULL;
    mote_Status status = MOTE_OK;
    for (size_t s = 0; frame != NULL && s < frame->system_count && status == MOTE_OK; ++s)
        status = look_check(&systems[s].look, &frame->systems[s], error);
    return status;
}

/* What would be computed, but not as it is: said at the place of its system. */
static mote_Status check_steps(mote_Scene *scene, mote_Error *error)
{
    size_t at;
    mote_Status status = scene_refuse(scene, &at, error);
    if (status != MOTE_OK) add_place(scene, "systems", scene->systems, at, error);
    return status;
}

/* What a run that has burst is told is what it was warned of. */
static double advised_step(void *scene)
{
    mote_SceneForecast forecast = {0};
    return mote_scene_forecast(scene, &forecast, NULL) == MOTE_OK ? forecast.max_step : 0;
}

/* All that a world holds, and whether ranks can share it. */
static mote_Status fill_world(const mote_Scene *scene, mote_World *world, mote_Error *error)
{
    mote_Status status = add_objects(scene, world, error);
    const bool many = ranks_are_many(world->shop.ranks);
    if (status == MOTE_OK && (scene->bodies.count > 0 || many)) status = world_plan(world, error);
    return ranks_agree(world->shop.ranks, status, error);
}

mote_Status mote_scene_world(mote_Scene *scene, mote_Tasks *tasks, mote_World **out,
                             mote_Error *error)
{
    return mote_scene_world_on(scene, tasks, NULL, out, error);
}

/* Bindings make parameters vary: only then is the world asked to call back before every sub-step,
 * which costs it the fusing of sub-steps. */
mote_Status mote_scene_world_on(mote_Scene *scene, mote_Tasks *tasks, const mote_Ranks *ranks,
                                mote_World **out, mote_Error *error)
{
    mote_WorldDef def = scene->world.def;
    mote_World *world;
    *out = NULL;
    def.tasks = tasks;
    def.ranks = ranks;
    def.allocator = scene->memory.allocator;
    def.before_substep = scene->bindings.count > 0 ? before_substep : NULL;
    def.before_context = scene;
    mote_Status status = mote_world_create(&def, &world, error);
    if (ranks != NULL) status = ranks_agree(ranks, status, error); /* others have made theirs */
    if (status != MOTE_OK) {
        mote_world_destroy(world);
        return status;
    }
    world->advised_step = advised_step;
    world->advisor = scene;
    status = fill_world(scene, world, error);
    if (status == MOTE_OK) status = check_steps(scene, error);
    if (status == MOTE_OK) status = check_looks(scene, world, error);
    if (status == MOTE_OK)
        *out = world;
    else
        mote_world_destroy(world);
    return status;
}
