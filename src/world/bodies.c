/* Bodies in a world: adding them, moving them, looking at them.
 *
 * Every body has a collider of its name, which particles meet, frames show, and loads are collected
 * on. Other bodies and all colliders that act on every system are solid to it. */
#include "world/bodies.h"

#include "base/status.h"
#include "bodies/islands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- adding ---- */

static void release_body(Memory *memory, void *object)
{
    body_close(memory, object);
}

static mote_Status check_def(const mote_World *world, const mote_BodyDef *def, const char *where,
                             mote_Error *error)
{
    mote_Status status = mote_row_check(&body_row, where, def, error);
    if (status == MOTE_OK) status = mote_row_check(&motion_row, where, &def->motion, error);
    if (status == MOTE_OK && world->def.dimension == 2)
        status =
            status_fail(error, MOTE_BAD_VALUE, "%s: bodies need a world of 3 dimensions", where);
    if (status == MOTE_OK && def->free && def->path != NULL)
        status = status_fail(error, MOTE_BAD_VALUE,
                             "%s: the motion of a free body cannot be a function of time; say "
                             "free: false, or give it numbers",
                             where);
    if (status == MOTE_OK && world->has_intervals)
        status = status_fail(error, MOTE_BAD_VALUE,
                             "%s: bodies and collide.interval do not go together", where);
    return status;
}

static mote_Status open_body(mote_World *world, Body *body, const mote_BodyDef *def,
                             mote_Error *error)
{
    char where[NAME_SIZE + 32];
    snprintf(where, sizeof where, "body %s", body->object.name);
    body->object.release = release_body;
    mote_Status status = check_def(world, def, where, error);
    if (status == MOTE_OK && def->buoyancy != NULL)
        status = world_find_field(world, where, def->buoyancy, 1, &body->fluid, error);
    body->def.name = body->def.shape = body->def.buoyancy = NULL;
    body->def.shape_params = NULL, body->def.systems = NULL;
    return status == MOTE_OK ? body_open(&world->memory, body, where, error) : status;
}

/* The surface that particles meet. */
static mote_Status add_surface(mote_World *world, const mote_BodyDef *def, const Body *body,
                               mote_Error *error)
{
    mote_ColliderDef surface = mote_collider_def();
    surface.name = body->object.name;
    surface.shape = def->shape;
    surface.shape_params = def->shape_params;
    surface.restitution = def->restitution;
    surface.friction = def->friction;
    surface.measure = true;
    surface.motion = def->motion;
    surface.systems = def->systems;
    surface.system_count = def->system_count;
    return mote_world_add_collider(world, &surface, error);
}

mote_Status mote_world_add_body(mote_World *world, const mote_BodyDef *def, mote_Error *error)
{
    const ShapeRow *row =
        (const ShapeRow *)world_find_row(world, shape_rows, "shape", def->shape, error);
    if (row == NULL) return MOTE_BAD_VALUE;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "body-%zu", world->bodies.count);
    NewObject fresh = {"body",       def->name != NULL ? def->name : name,
                       &row->head,   def->shape_params,
                       sizeof(Body), row->check};
    Body *body;
    mote_Status status = world_make_object(world, &world->bodies, &fresh, (void **)&body, error);
    if (status != MOTE_OK) return status;
    body->shape = row;
    body->def = *def;
    status = open_body(world, body, def, error);
    if (status == MOTE_OK) status = add_surface(world, def, body, error);
    size_t surface = world->colliders.count - 1;
    bool added = status == MOTE_OK;
    status = world_keep_object(world, &world->bodies, body, sizeof *body, status);
    if (added && status == MOTE_OK) ((Collider *)world->colliders.items[surface])->body = body;
    return status;
}

/* ---- moving ---- */

/* The longest piece of a sub-step that contact is solved in, s. */
#define LONGEST_PIECE (1.0 / 480)
enum { MOST_SOLVE_PIECES = 64 };

static int pieces_for(double dt)
{
    double pieces = ceil(dt / LONGEST_PIECE * (1 - 1e-9));
    return pieces < 1 ? 1 : pieces > MOST_SOLVE_PIECES ? MOST_SOLVE_PIECES : (int)pieces;
}

static mote_Status begin_bodies(mote_World *world, double t, double dt, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->bodies.count && status == MOTE_OK; ++i) {
        Body *body = world_body_at(world, i);
        body_load(body);
        if (body->def.free)
            body_begin_step(body);
        else
            status = body_follow(body, t, dt, error);
    }
    return status;
}

static bool is_finite(const BodyState *s)
{
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += s->position[c] + s->velocity[c] + s->angular[c];
    return fabs(sum) < 1e30;
}

static mote_Status end_bodies(mote_World *world, double t, double dt, mote_Error *error)
{
    for (size_t i = 0; i < world->bodies.count; ++i) {
        Body *body = world_body_at(world, i);
        body_end_step(body, dt);
        if (!is_finite(&body->state))
            return status_fail(error, MOTE_DIVERGED,
                               "body %s is no longer finite (t = %g s); likely something pushes "
                               "it too hard for the step of %g s: try a max_step of %.2g s",
                               body->object.name, t, dt, world_shorter_step(world, dt));
    }
    return MOTE_OK;
}

/* Scratch from the arena. */
static bool make_room(mote_World *world, SolveRoom *room, IslandRoom *islands)
{
    const Contacts *contacts = &world->solids.contacts;
    size_t bodies = world->bodies.count, points = 0;
    for (size_t i = 0; i < contacts->count; ++i) points += contacts->items[i].count;
    room->rows = arena_take(&world->arena, (points + 1) * sizeof *room->rows);
    room->accelerations = arena_take(&world->arena, bodies * sizeof *room->accelerations);
    room->torques = arena_take(&world->arena, bodies * sizeof *room->torques);
    islands->roots = arena_take(&world->arena, bodies * sizeof *islands->roots);
    islands->marks = arena_take(&world->arena, bodies * sizeof *islands->marks);
    world->report.contacts += points;
    return room->rows != NULL && room->accelerations != NULL && room->torques != NULL &&
           islands->roots != NULL && islands->marks != NULL;
}

mote_Status world_move_bodies(mote_World *world, double t, double dt, mote_Error *error)
{
    if (world->bodies.count == 0) return MOTE_OK;
    WorldSolids *s = &world->solids;
    const BodyStep step = {
        .dt = dt, .pieces = pieces_for(dt), .gravity = d3_of(world->def.gravity), .t = t};
    SolveRoom room = {0};
    IslandRoom islands = {0};
    bool anew = world->def.before_substep != NULL;
    mote_Status status = world_prepare_walls(world, t, dt, anew, error);
    if (status == MOTE_OK) status = begin_bodies(world, t, dt, error);
    if (status != MOTE_OK) return status;
    if (!contacts_find(&world->memory, &s->contacts, s->list.items, s->list.count, dt,
                       d3_length(step.gravity)) ||
        !make_room(world, &room, &islands))
        return status_no_memory(error, "contacts", s->contacts.count);
    islands_rest(&s->list, &s->contacts, &islands);
    solids_advance(&s->list, &s->contacts, &step, &room);
    /* Where the host may change anything at any time, nobody is quiet. */
    islands_note(&s->list, d3_length(step.gravity), dt / step.pieces, anew ? 0 : dt);
    if (!contacts_keep(&world->memory, &s->contacts))
        return status_no_memory(error, "contacts", s->contacts.count);
    return end_bodies(world, t, dt, error);
}

/* ---- state and views ---- */

void world_reload_bodies(mote_World *world)
{
    for (size_t i = 0; i < world->bodies.count; ++i) {
        body_load(world_body_at(world, i));
        body_place(world_body_at(world, i));
    }
}

void world_measure_bodies(mote_World *world)
{
    for (size_t i = 0; i < world->bodies.count; ++i) {
        mote_BodyState state;
        body_report(world_body_at(world, i), &state);
        if (!world_body_at(world, i)->def.free) continue;
        world->report.body_kinetic += state.kinetic;
        for (int c = 0; c < 3; ++c) world->report.body_momentum[c] += state.momentum[c];
    }
}

void world_free_bodies(mote_World *world)
{
    Memory *memory = &world->memory;
    WorldSolids *s = &world->solids;
    world_free_walls(world);
    memory_free(memory, s->walls, s->wall_capacity * sizeof *s->walls);
    memory_free(memory, s->wall_numbers, s->number_capacity * sizeof *s->wall_numbers);
    memory_free(memory, s->list.items, s->item_capacity * sizeof *s->list.items);
    memory_free(memory, s->list.bodies, s->body_capacity * sizeof *s->list.bodies);
    contacts_free(memory, &s->contacts);
}

static mote_Status find_body(const mote_World *world, const char *name, Body **body,
                             mote_Error *error)
{
    size_t number = name_index_find(&world->bodies.names, name);
    *body = number != SIZE_MAX ? world_body_at(world, number) : NULL;
    if (*body != NULL) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "there is no body `%s`", name);
}

mote_Status mote_world_body(const mote_World *world, const char *name, mote_BodyState *state,
                            mote_Error *error)
{
    Body *body;
    mote_Status status = find_body(world, name, &body, error);
    if (body != NULL) body_report(body, state);
    return status;
}

mote_Status mote_world_push_body(mote_World *world, const char *name, const double impulse[3],
                                 const double at[3], mote_Error *error)
{
    Body *body;
    mote_Status status = find_body(world, name, &body, error);
    if (body == NULL) return status;
    D3 push = d3(impulse[0], impulse[1], impulse[2]);
    D3 arm = d3_sub(d3(at[0], at[1], at[2]), body->solid.pose.position);
    BodyLoad load = {push, d3_cross(arm, push), 0};
    body_exchange(body, &load);
    return MOTE_OK;
}
