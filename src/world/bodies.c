/* Bodies in a world: adding them, moving them, looking at them.
 *
 * Every body has a collider of its name, which particles meet, frames show, and loads are collected
 * on. Other bodies and all colliders that act on every system are solid to it. */
#include "world/objects.h"

#include "base/definition.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Body *body_at(const mote_World *world, size_t i)
{
    return world->bodies.items[i];
}

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
    mote_ColliderDef surface = collider_of_body(def);
    surface.name = body->object.name;
    surface.measure = true;
    surface.path = NULL; /* it goes where the body goes */
    return mote_world_add_collider(world, &surface, error);
}

mote_Status mote_world_add_body(mote_World *world, const mote_BodyDef *given, mote_Error *error)
{
    DEFINITION_TAKE(mote_BodyDef, mote_body_def);
    const ShapeRow *row =
        (const ShapeRow *)world_find_row(world, shape_rows, "shape", def->shape, error);
    if (row == NULL) return MOTE_BAD_VALUE;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "body-%zu", world->bodies.made);
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

/* One sum for all nine: NaN and infinity stay in it. */
static bool is_finite(const BodyState *s)
{
    double sum = 0;
    for (int c = 0; c < 3; ++c) sum += s->position[c] + s->velocity[c] + s->angular[c];
    return fabs(sum) < 1e30;
}

static mote_Status check_finite(const mote_World *world, double t, double dt, mote_Error *error)
{
    for (size_t i = 0; i < world->bodies.count; ++i) {
        const Body *body = body_at(world, i);
        if (!is_finite(&body->state))
            return status_fail(error, MOTE_DIVERGED,
                               "body %s is no longer finite (t = %g s); likely something pushes "
                               "it too hard for the step of %g s: try a max_step of %.2g s",
                               body->object.name, t, dt, world_shorter_step(world, dt));
    }
    return MOTE_OK;
}

mote_Status world_move_bodies(mote_World *world, double t, double dt, mote_Error *error)
{
    if (world->bodies.count == 0) return MOTE_OK;
    const SolidStep step = {.memory = &world->memory,
                            .arena = &world->arena,
                            .t = t,
                            .dt = dt,
                            .gravity = world->def.gravity,
                            .anew = world->def.before_substep != NULL};
    uint64_t points;
    mote_Status status = solids_step(&world->solids, &step, &points, error);
    world->report.contacts += points;
    return status == MOTE_OK ? check_finite(world, t, dt, error) : status;
}

mote_Status world_plan_bodies(mote_World *world, mote_Error *error)
{
    const SolidSource source = {.memory = &world->memory,
                                .colliders = world->shop.colliders,
                                .collider_count = world->shop.collider_count,
                                .bodies = (Body *const *)world->bodies.items,
                                .body_count = world->bodies.count};
    mote_Status status = solids_list(&world->solids, &source, world->time, error);
    bool starts = world->substep == 0 && world->bodies.count > 0;
    if (status != MOTE_OK || !starts) return status;
    return solids_check_start(&world->solids, &world->memory, error);
}

/* ---- state and views ---- */

void world_reload_bodies(mote_World *world)
{
    for (size_t i = 0; i < world->bodies.count; ++i) {
        body_load(body_at(world, i));
        body_place(body_at(world, i));
    }
}

void world_measure_bodies(mote_World *world)
{
    for (size_t i = 0; i < world->bodies.count; ++i) {
        mote_BodyState state;
        body_report(body_at(world, i), &state);
        if (!body_at(world, i)->def.free) continue;
        world->report.body_kinetic += state.kinetic;
        for (int c = 0; c < 3; ++c) world->report.body_momentum[c] += state.momentum[c];
    }
}

static mote_Status find_body(const mote_World *world, const char *name, Body **body,
                             mote_Error *error)
{
    *body = world_object(&world->bodies, name);
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
    /* Angular impulse: (x - x_c) x J. */
    D3 arm = d3_sub(d3(at[0], at[1], at[2]), body->solid.pose.position);
    BodyLoad load = {push, d3_cross(arm, push), 0};
    body_exchange(body, &load);
    return MOTE_OK;
}
