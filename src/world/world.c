/* The world: making, ending, asking. */
#include "world/world.h"
#include "world/parts.h"

#include "base/definition.h"
#include "base/row.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

static const char *const not_finite_choices[] = {"stop", "retire", NULL};

static const char *const axes[] = {"x", "y", "z", NULL};

static const mote_Param params[] = {
    PARAM_COUNT(mote_WorldDef, dimension, "2 or 3; in 2, nothing moves along z", 3, 2, 3),
    PARAM_VEC3(mote_WorldDef, gravity, "m/s^2", "acceleration of every particle", 0, -9.81, 0),
    PARAM_CHOICE(mote_WorldDef, up, "the axis that points up", axes, 1),
    PARAM_DOUBLE(mote_WorldDef, fps, "1/s", "frames per second", 30, 1e-9, 1e9),
    PARAM_DOUBLE(mote_WorldDef, max_step, "s", "longest sub-step", 0.01, 1e-12, 1e12),
    PARAM_COUNT(mote_WorldDef, seed, "of all random numbers", 1, 0, 9007199254740992.0),
    PARAM_BOOL(mote_WorldDef, periodic_x, "the x axis wraps around at the box", 0),
    PARAM_BOOL(mote_WorldDef, periodic_y, "the y axis wraps around at the box", 0),
    PARAM_BOOL(mote_WorldDef, periodic_z, "the z axis wraps around at the box", 0),
    PARAM_VEC3(mote_WorldDef, box_min, "m", "lower corner of the box", -1, -1, -1),
    PARAM_VEC3(mote_WorldDef, box_max, "m", "upper corner of the box", 1, 1, 1),
    PARAM_BOOL(mote_WorldDef, bounded, "particles that leave the box are removed", 0),
    PARAM_CHOICE(mote_WorldDef, not_finite, "what happens to a particle that is not finite",
                 not_finite_choices, 0),
    PARAM_DOUBLE(mote_WorldDef, energy_factor, "",
                 "stop when the mean energy of a particle grows by this factor within a frame", 1e6,
                 1, 1e300),
    PARAM_BOOL(mote_WorldDef, record_events, "keep the events of the last frame", 0),
    PARAM_BOOL(mote_WorldDef, reload_always, "save and reload the state at every sub-step", 0),
};

const mote_Row world_row = ROW_DEFINITION("world", "dimension, gravity, clock, seed and limits",
                                          params, mote_WorldDef, mote_WorldDef);

static mote_WorldDef world_defaults(void)
{
    mote_WorldDef def;
    mote_row_defaults(&world_row, &def);
    return def;
}

DEFINITION_MAKER(mote_WorldDef, mote_world_def, world_defaults)

static mote_Status check_def(const mote_WorldDef *def, mote_Error *error)
{
    mote_Status status = mote_row_check(&world_row, "world", def, error);
    const mote_Vec3 lo = def->box_min, hi = def->box_max;
    if (status == MOTE_OK && !(lo.x < hi.x && lo.y < hi.y && lo.z < hi.z))
        status = status_fail(error, MOTE_BAD_VALUE,
                             "world: box_min must be below box_max on every axis");
    return status;
}

static RowBounds make_bounds(const mote_WorldDef *def)
{
    const mote_real most = ROW_LARGEST;
    const mote_Vec3 lo = def->box_min, hi = def->box_max;
    if (def->bounded) return (RowBounds){{lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}};
    return (RowBounds){{-most, -most, -most}, {most, most, most}};
}

static bool note_broken(void *context, const Links *links, size_t link, double t)
{
    mote_World *world = context;
    mote_Event event = {.time = t,
                        .id = links->ends[link],
                        .kind = MOTE_EVENT_LINK_BROKEN,
                        .system = (uint32_t)links->system,
                        .other = links->ends[links->count + link]};
    return !world->def.record_events || world_add_event(world, &event);
}

static void open_shop(mote_World *world)
{
    const mote_WorldDef *def = &world->def;
    const mote_Vec3 period = world_period(def);
    ranks_time(&world->waits, def->ranks != NULL ? def->ranks : &ranks_single);
    world->shop = (Workshop){.memory = &world->memory,
                             .tasks = def->tasks,
                             .ranks = ranks_are_many(world->waits.host) ? &world->waits.table
                                                                        : world->waits.host,
                             .arena = &world->arena,
                             .isa = world->isa,
                             .kernels = row_kernels(world->isa),
                             .collide_kernels = collide_kernels(world->isa),
                             .worker_count = mote_tasks_workers(def->tasks),
                             .bounds = make_bounds(def),
                             .box_min = def->box_min,
                             .box_max = def->box_max,
                             .period = {period.x, period.y, period.z},
                             .bounded = def->bounded,
                             .note_broken = note_broken,
                             .world = world};
}

mote_Status mote_world_create(const mote_WorldDef *given, mote_World **out, mote_Error *error)
{
    *out = NULL;
    DEFINITION_TAKE(mote_WorldDef, mote_world_def);
    mote_Status status = check_def(def, error);
    if (status != MOTE_OK) return status;
    Memory memory = memory_make(def->allocator);
    mote_World *world = memory_zeroed(&memory, sizeof *world);
    if (world == NULL) return status_no_memory(error, "a world", sizeof *world);
    world->def = *def;
    world->changed_at = (double)NAN;
    world->memory = memory;
    world->arena = arena_make(&world->memory);
    world->state_names = arena_make(&world->memory);
    world->frame_start.arena = arena_make(&world->memory);
    world->isa = isa_pick();
    open_shop(world);
    world->spread = spread_open(&world->shop, def->dimension == 2);
    *out = world;
    mote_GravityForce gravity = {def->gravity};
    mote_ForceDef pull = mote_force_def();
    pull.name = pull.type = "gravity", pull.params = &gravity;
    status = mote_world_add_force(world, &pull, error);
    if (status == MOTE_OK) return MOTE_OK;
    mote_world_destroy(world);
    *out = NULL;
    return status;
}

void world_free_slot(mote_World *world, SystemSlot *slot)
{
    Memory *memory = &world->memory;
    system_destroy(slot->system);
    memory_free(memory, slot->all.cuts, (size_t)world->shop.ranks->count * sizeof *slot->all.cuts);
    memory_free(memory, slot->all.costs,
                (size_t)world->shop.ranks->count * sizeof *slot->all.costs);
    memory_free(memory, slot->forces, slot->force_capacity * sizeof *slot->forces);
    rates_close(slot->rates, memory);
    world_free_broad(world, slot);
    memory_free(memory, slot->links, slot->link_capacity * sizeof *slot->links);
    memory_free(memory, slot->coupled.block,
                slot->coupled.planes * slot->coupled.stride * sizeof *slot->coupled.block);
}

static void free_slots(mote_World *world)
{
    for (size_t i = 0; i < world->slot_count; ++i) world_free_slot(world, &world->slots[i]);
    memory_free(&world->memory, world->slots, world->slot_capacity * sizeof *world->slots);
}

void mote_world_destroy(mote_World *world)
{
    if (world == NULL) return;
    Memory *memory = &world->memory;
    free_slots(world);
    solids_free(memory, &world->solids);
    world_free_objects(world);
    shop_free_workers(&world->shop);
    memory_free(memory, world->dead, world->dead_capacity * sizeof *world->dead);
    memory_free(memory, world->events, world->event_capacity * sizeof *world->events);
    memory_free(memory, world->view_systems,
                world->view_system_capacity * sizeof *world->view_systems);
    memory_free(memory, world->parts, world->part_capacity * sizeof *world->parts);
    memory_free(memory, world->view_columns,
                world->view_column_capacity * sizeof *world->view_columns);
    memory_free(memory, world->view_shapes,
                world->view_shape_capacity * sizeof *world->view_shapes);
    memory_free(memory, world->view_meshes, world->view_mesh_capacity * sizeof *world->view_meshes);
    memory_free(memory, world->state, world->state_capacity * sizeof *world->state);
    arena_free(&world->state_names);
    arena_free(&world->frame_start.arena);
    arena_free(&world->arena);
    spread_close(&world->spread);
    Memory last = *memory;
    memory_free(&last, world, sizeof *world);
}

double mote_world_time(const mote_World *world)
{
    return world->time;
}

uint64_t mote_world_frame_index(const mote_World *world)
{
    return world->frame;
}

void mote_world_memory(const mote_World *world, size_t *bytes, uint64_t *allocations)
{
    *bytes = world->memory.bytes;
    *allocations = world->memory.allocations;
}

mote_System *mote_world_system(mote_World *world, const char *name)
{
    for (size_t i = 0; i < world->slot_count; ++i)
        if (strcmp(world->slots[i].system->name, name) == 0) return world->slots[i].system;
    return NULL;
}

/* ---- the frame: a view ---- */

static bool reserve_view(mote_World *world)
{
    size_t columns = 0;
    for (size_t i = 0; i < world->slot_count; ++i) columns += world->slots[i].system->column_count;
    return memory_reserve(&world->memory, (void **)&world->view_columns,
                          &world->view_column_capacity, columns, sizeof *world->view_columns) &&
           memory_reserve(&world->memory, (void **)&world->view_systems,
                          &world->view_system_capacity, world->slot_count,
                          sizeof *world->view_systems) &&
           memory_reserve(&world->memory, (void **)&world->view_shapes, &world->view_shape_capacity,
                          world->colliders.count, sizeof *world->view_shapes) &&
           memory_reserve(&world->memory, (void **)&world->view_meshes, &world->view_mesh_capacity,
                          world->links.count, sizeof *world->view_meshes);
}

static bool view_meshes(mote_World *world)
{
    for (size_t i = 0; i < world->links.count; ++i) {
        Links *links = world->links.items[i];
        LinksTopology shown;
        if (!links_topology(links, world->slots[links->system].system, &shown)) return false;
        world->view_meshes[i] = (mote_FrameMesh){.name = links->object.name,
                                                 .system = links->system,
                                                 .links = shown.links,
                                                 .link_count = shown.link_count,
                                                 .triangles = shown.triangles,
                                                 .triangle_count = shown.triangle_count};
    }
    return true;
}

/* The columns that frames show, of all that the system has; returns the end of what is left. */
static mote_Column *view_columns(const mote_System *system, mote_Column *columns)
{
    mote_Column *end = columns;
    for (size_t i = 0; i < system->column_count; ++i)
        if (!columns[i].internal) *end++ = columns[i];
    return end;
}

/* Rows that are shown here: of several ranks the first shows all. */
static size_t rows_shown(const mote_World *world, const SystemSlot *slot)
{
    const mote_Ranks *ranks = world->shop.ranks;
    if (!ranks_are_many(ranks)) return slot->system->count;
    return ranks->own == 0 ? (size_t)slot->all.count : 0;
}

static mote_FrameShape collider_view(const Collider *collider, double t, double dt)
{
    mote_Pose pose = collider_pose(collider, t);
    const PoseVelocity change = collider_velocity(collider, t, 0.5 * dt);
    const mote_Vec3 v = change.linear, w = change.angular;
    const mote_Quat q = pose.orientation;
    const mote_Vec3 p = pose.position;
    return (mote_FrameShape){.name = collider->object.name,
                             .type = collider->shape->head.name,
                             .params = collider->object.params,
                             .row = &collider->shape->head,
                             .body = collider->body != NULL,
                             .position = {(double)p.x, (double)p.y, (double)p.z},
                             .orientation = {(double)q.x, (double)q.y, (double)q.z, (double)q.w},
                             .velocity = {(double)v.x, (double)v.y, (double)v.z},
                             .spin = {(double)w.x, (double)w.y, (double)w.z}};
}

static mote_Status view_systems(mote_World *world, mote_Error *error)
{
    mote_Column *columns = world->view_columns;
    mote_Status status = MOTE_OK;
    arena_reset(&world->spread.gathered[GATHERED_FRAME]);
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i) {
        SystemSlot *slot = &world->slots[i];
        status = spread_gather(&world->spread, slot, GATHERED_FRAME, columns, error);
        mote_Column *end = view_columns(slot->system, columns);
        world->view_systems[i] = (mote_FrameSystem){.name = slot->system->name,
                                                    .count = rows_shown(world, slot),
                                                    .columns = columns,
                                                    .column_count = (size_t)(end - columns)};
        columns = end;
    }
    return status;
}

const mote_Frame *mote_world_frame(mote_World *world)
{
    return world_show(world, view_systems);
}

const mote_Frame *world_show(mote_World *world,
                             mote_Status (*view)(mote_World *world, mote_Error *error))
{
    mote_Error error;
    mote_Status status = reserve_view(world) && view_meshes(world) ? MOTE_OK : MOTE_NO_MEMORY;
    if (ranks_are_many(world->shop.ranks) && status == MOTE_OK) status = world_plan(world, &error);
    status = ranks_agree(world->shop.ranks, status, NULL);
    const Slots slots = world_slots(world);
    if (status == MOTE_OK) status = spread_settle(&world->spread, &slots, &error);
    if (status == MOTE_OK) status = view(world, &error);
    if (status != MOTE_OK) return NULL;
    for (size_t i = 0; i < world->colliders.count; ++i) {
        const Collider *collider = world->colliders.items[i];
        world->view_shapes[i] = collider_view(collider, world->time, 1 / world->def.fps);
    }
    world->view = (mote_Frame){.index = world->frame,
                               .time = world->time,
                               .dt = 1 / world->def.fps,
                               .dimension = (int)world->def.dimension,
                               .up_axis = world->def.up,
                               .systems = world->view_systems,
                               .system_count = world->slot_count,
                               .shapes = world->view_shapes,
                               .shape_count = world->colliders.count,
                               .meshes = world->view_meshes,
                               .mesh_count = world->links.count};
    return &world->view;
}
