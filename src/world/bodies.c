/* Bodies in a world: adding them, what they meet, moving them, and what particles did to them.
 *
 * Every body has a collider of its name, which particles meet, frames show, and loads are collected
 * on. Other bodies and all colliders that act on every system are solid to it. */
#include "world/objects.h"

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
    status = world_keep_object(world, &world->bodies, body, sizeof *body, status, error);
    if (added && status == MOTE_OK) ((Collider *)world->colliders.items[surface])->body = body;
    return status;
}

/* ---- what is solid ---- */

/* Sliding friction by what law the collider has; a film holds no solid. */
static double friction_of(const Collider *c)
{
    if (c->friction->sticks) return 1e6;
    if (!c->friction->is_dry) return 0;
    return (double)dry_sliding(&c->friction_params.dry);
}

/* Pieces anew: parameters of shapes may have changed. */
static mote_Status make_wall(mote_World *world, const Collider *c, Solid *wall, mote_Error *error)
{
    const DPose own = {{0, 0, 0}, {0, 0, 0, 1}};
    wall->pieces.count = 0;
    mote_Status status =
        pieces_make(&world->memory, c->shape, c->object.params, &own, &wall->pieces, error);
    pieces_measure(&wall->pieces, &wall->reach, &wall->smallest);
    return status;
}

static void place_wall(const Collider *c, Solid *wall)
{
    wall->pose = dpose_of(&c->pose);
    wall->velocity = d3_of(c->linear);
    wall->spin = d3_of(c->angular);
    wall->belt = d3_of(c->def.velocity);
    wall->friction = friction_of(c);
    wall->restitution = (double)c->def.restitution;
}

static void free_walls(mote_World *world)
{
    WorldSolids *s = &world->solids;
    for (size_t i = 0; i < s->wall_count; ++i) pieces_free(&world->memory, &s->walls[i].pieces);
    s->wall_count = 0;
}

static bool is_wall(const Collider *c)
{
    return c->body == NULL && c->systems == UINT64_MAX && !c->def.sink;
}

static bool reserve_solids(mote_World *world, size_t walls)
{
    Memory *memory = &world->memory;
    WorldSolids *s = &world->solids;
    size_t bodies = world->bodies.count;
    return memory_reserve(memory, (void **)&s->walls, &s->wall_capacity, walls, sizeof *s->walls) &&
           memory_reserve(memory, (void **)&s->wall_numbers, &s->number_capacity, walls,
                          sizeof *s->wall_numbers) &&
           memory_reserve(memory, (void **)&s->list.items, &s->item_capacity, walls + bodies,
                          sizeof *s->list.items) &&
           memory_reserve(memory, (void **)&s->list.bodies, &s->body_capacity, bodies,
                          sizeof *s->list.bodies);
}

static mote_Status list_solids(mote_World *world, mote_Error *error)
{
    WorldSolids *s = &world->solids;
    size_t walls = 0, bodies = world->bodies.count;
    for (size_t i = 0; i < world->colliders.count; ++i) walls += is_wall(world->colliders.items[i]);
    if (!reserve_solids(world, walls)) return status_no_memory(error, "bodies", walls + bodies);
    for (size_t i = 0; i < bodies; ++i) {
        s->list.bodies[i] = body_at(world, i);
        s->list.items[i] = &body_at(world, i)->solid;
    }
    for (size_t i = 0; i < world->colliders.count; ++i) {
        if (!is_wall(world->colliders.items[i])) continue;
        s->walls[s->wall_count] = (Solid){0};
        s->wall_numbers[s->wall_count] = i;
        s->list.items[bodies + s->wall_count] = &s->walls[s->wall_count];
        ++s->wall_count;
    }
    s->list.body_count = bodies, s->list.count = bodies + s->wall_count;
    return MOTE_OK;
}

static mote_Status prepare_walls(mote_World *world, double t, double dt, bool anew,
                                 mote_Error *error)
{
    WorldSolids *s = &world->solids;
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < s->wall_count && status == MOTE_OK; ++i) {
        Collider *c = world->colliders.items[s->wall_numbers[i]];
        status = collider_prepare(c, t, dt, error);
        if (status == MOTE_OK && anew) status = make_wall(world, c, &s->walls[i], error);
        place_wall(c, &s->walls[i]);
    }
    return status;
}

/* ---- overlaps at the start ---- */

static const char *solid_name(const mote_World *world, uint32_t i)
{
    const WorldSolids *s = &world->solids;
    if (i < s->list.body_count) return s->list.bodies[i]->object.name;
    const Collider *c = world->colliders.items[s->wall_numbers[i - s->list.body_count]];
    return c->object.name;
}

/* A hundredth of the thickness is for rounding and for stacks that stand close. */
static mote_Status refuse_overlaps(const mote_World *world, mote_Error *error)
{
    const Contacts *contacts = &world->solids.contacts;
    for (size_t i = 0; i < contacts->count; ++i) {
        const Manifold *m = &contacts->items[i];
        const Solid *a = world->solids.list.items[m->a], *b = world->solids.list.items[m->b];
        double depth = 0;
        for (uint32_t k = 0; k < m->count; ++k) depth = fmax(depth, -m->points[k].gap);
        if (depth > 0.02 * fmin(a->smallest, b->smallest))
            return status_fail(error, MOTE_BAD_VALUE,
                               "body %s: it starts %.3g m inside %s %s; move one of them away",
                               solid_name(world, m->a), depth,
                               m->b < world->solids.list.body_count ? "body" : "collider",
                               solid_name(world, m->b));
    }
    return MOTE_OK;
}

static mote_Status check_start(mote_World *world, mote_Error *error)
{
    WorldSolids *s = &world->solids;
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < s->list.body_count && status == MOTE_OK; ++i)
        if (!s->list.bodies[i]->def.free) status = body_follow(s->list.bodies[i], 0, 0, error);
    if (status != MOTE_OK) return status;
    if (!contacts_find(&world->memory, &s->contacts, s->list.items, s->list.count, 0, 0))
        return status_no_memory(error, "contacts", s->contacts.count);
    return refuse_overlaps(world, error);
}

mote_Status world_plan_bodies(mote_World *world, mote_Error *error)
{
    free_walls(world);
    if (world->bodies.count == 0) return MOTE_OK;
    mote_Status status = list_solids(world, error);
    if (status == MOTE_OK) status = prepare_walls(world, world->time, 0, true, error);
    return status == MOTE_OK && world->substep == 0 ? check_start(world, error) : status;
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
        Body *body = body_at(world, i);
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
        Body *body = body_at(world, i);
        body_end_step(body, dt);
        if (!is_finite(&body->state))
            return status_fail(error, MOTE_DIVERGED,
                               "body %s is no longer finite (t = %g s); likely something pushes "
                               "it too hard for the step of %g s: try a max_step of %g s",
                               body->object.name, t, dt, dt / 4);
    }
    return MOTE_OK;
}

/* Scratch from the arena. */
static bool make_room(mote_World *world, SolveRoom *room)
{
    const Contacts *contacts = &world->solids.contacts;
    size_t bodies = world->bodies.count, points = 0;
    for (size_t i = 0; i < contacts->count; ++i) points += contacts->items[i].count;
    room->rows = arena_take(&world->arena, (points + 1) * sizeof *room->rows);
    room->accelerations = arena_take(&world->arena, bodies * sizeof *room->accelerations);
    room->torques = arena_take(&world->arena, bodies * sizeof *room->torques);
    world->report.contacts += points;
    return room->rows != NULL && room->accelerations != NULL && room->torques != NULL;
}

mote_Status world_move_bodies(mote_World *world, double t, double dt, mote_Error *error)
{
    if (world->bodies.count == 0) return MOTE_OK;
    WorldSolids *s = &world->solids;
    const BodyStep step = {
        .dt = dt, .pieces = pieces_for(dt), .gravity = d3_of(world->def.gravity), .t = t};
    SolveRoom room = {0};
    bool anew = world->def.before_substep != NULL;
    mote_Status status = prepare_walls(world, t, dt, anew, error);
    if (status == MOTE_OK) status = begin_bodies(world, t, dt, error);
    if (status != MOTE_OK) return status;
    if (!contacts_find(&world->memory, &s->contacts, s->list.items, s->list.count, dt,
                       d3_length(step.gravity)) ||
        !make_room(world, &room))
        return status_no_memory(error, "contacts", s->contacts.count);
    solids_advance(&s->list, &s->contacts, &step, &room);
    if (!contacts_keep(&world->memory, &s->contacts))
        return status_no_memory(error, "contacts", s->contacts.count);
    return end_bodies(world, t, dt, error);
}

/* ---- exchange ----
 *
 * Particles meet a body as if it were infinitely heavy; what they do to it would throw a body back
 * that is lighter than all that touches it, faster every time. So they share: with the yields k_i
 * of the body where particles of mass m_i touch it, each keeps only the share s = 1 / (1 + sum m_i
 * k_i) of its change of velocity, and the body gets the impulses of that. For one particle this is
 * the law of impact of two bodies; for many it is Jacobi's iteration with a factor that makes it
 * converge, as mass splitting is (Tonge, Benevolenski and Voroshilov 2012). Momentum is kept.
 *
 * In a narrow wedge the pushes of two walls that nothing holds back are large and cancel. A body
 * cannot push like that: a touch that, alone, would leave the particle with more energy than it
 * came with, seen from the body, counts for the body as one that leaves it as much; and the
 * particle does not leave faster, seen from the body, than it came, seen from any of the walls. */

static Body *free_body(const mote_World *world, const Touch *touch)
{
    const Collider *c = world->colliders.items[touch->collider];
    return c->body != NULL && c->body->def.free ? (Body *)c->body : NULL;
}

static mote_Vec3 row_velocity(const mote_System *system, size_t row)
{
    const mote_Column *v = &system->columns[COLUMN_VELOCITY];
    return vec3(column_real(v, 0)[row], column_real(v, 1)[row], column_real(v, 2)[row]);
}

static void set_row_velocity(mote_System *system, size_t row, mote_Vec3 v)
{
    const mote_Column *column = &system->columns[COLUMN_VELOCITY];
    column_real(column, 0)[row] = v.x, column_real(column, 1)[row] = v.y;
    column_real(column, 2)[row] = v.z;
}

/* Of a change c at the relative velocity u, lost = - u . c - c^2 / 2 must not be negative. */
static mote_real possible_share(const Touch *touch)
{
    mote_real change2 = vec3_dot(touch->change, touch->change);
    if (!(touch->lost < 0 && change2 > 0)) return 1;
    return real_max(0, 1 + 2 * touch->lost / change2);
}

static void cut_touch(Touch *touch, mote_real share)
{
    touch->change = vec3_scale(touch->change, share);
    touch->lost = touch->lost > 0 ? touch->lost * share : 0;
}

static void share_touch(mote_System *system, size_t row, Touch *touch, mote_real share)
{
    mote_Vec3 v = row_velocity(system, row);
    set_row_velocity(system, row, vec3_madd(v, share - 1, touch->change));
    cut_touch(touch, share);
}

static mote_Vec3 wall_of(const mote_World *world, const Touch *touch)
{
    return wall_velocity(world->colliders.items[touch->collider], 0, touch->at, vec3(0, 0, 0));
}

static void slow_row(const mote_World *world, const SystemSlot *slot, size_t row,
                     const Touch *body_touch)
{
    const TouchList *list = &slot->touched[row];
    mote_Vec3 after = row_velocity(slot->system, row), before = after;
    mote_Vec3 wall = wall_of(world, body_touch), leaves = vec3_sub(after, wall);
    mote_real most = 0, speed = vec3_length(leaves);
    for (uint32_t i = 0; i < list->count; ++i) before = vec3_sub(before, list->touches[i].change);
    for (uint32_t i = 0; i < list->count; ++i)
        most = real_max(most, vec3_length(vec3_sub(before, wall_of(world, &list->touches[i]))));
    if (speed > most) set_row_velocity(slot->system, row, vec3_madd(wall, most / speed, leaves));
}

static void add_burdens(const mote_World *world, const SystemSlot *slot)
{
    const mote_real *mass = slot->system->columns[COLUMN_MASS].data;
    for (size_t row = 0; row < slot->system->count; ++row) {
        TouchList *list = &slot->touched[row];
        for (uint32_t i = 0; i < list->count; ++i) {
            Touch *touch = &list->touches[i];
            Body *body = free_body(world, touch);
            if (body == NULL) continue;
            if (touch->lost < 0) slow_row(world, slot, row, touch);
            cut_touch(touch, possible_share(touch));
            body->burden +=
                (double)mass[row] * body_yield(body, d3_of(touch->at), d3_of(touch->change));
        }
    }
}

void world_share_touches(mote_World *world, SystemSlot *slot)
{
    if (world->bodies.count == 0 || slot->touched == NULL) return;
    for (size_t i = 0; i < world->bodies.count; ++i) body_at(world, i)->burden = 0;
    add_burdens(world, slot);
    for (size_t row = 0; row < slot->system->count; ++row) {
        TouchList *list = &slot->touched[row];
        for (uint32_t i = 0; i < list->count; ++i) {
            const Body *body = free_body(world, &list->touches[i]);
            if (body == NULL) continue;
            mote_real share = (mote_real)(1 / (1 + body->burden));
            share_touch(slot->system, row, &list->touches[i], share);
        }
    }
}

static D3 difference(const double all[3], D3 before)
{
    return d3_sub(d3(all[0], all[1], all[2]), before);
}

/* What came in this sub-step, and noted as taken: the loads are those of the frame so far. */
static BodyLoad take_load(Body *body, const mote_ColliderLoad *all)
{
    BodyLoad fresh = {difference(all->impulse, body->taken.impulse),
                      difference(all->angular, body->taken.angular), all->heat - body->taken.heat};
    const double *p = all->impulse, *l = all->angular;
    body->taken = (BodyLoad){{p[0], p[1], p[2]}, {l[0], l[1], l[2]}, all->heat};
    return fresh;
}

/* Loads are about the shape's origin, at the start of the sub-step. */
static void exchange(Body *body, const Collider *c)
{
    BodyLoad load = take_load(body, &c->load);
    DPose from = dpose_of(&body->from);
    D3 arm = dquat_rotate(from.orientation, d3_scale(body->mass.in_shape.position, -1));
    load.angular = d3_add(load.angular, d3_cross(arm, load.impulse));
    body_exchange(body, &load);
}

void world_exchange(mote_World *world)
{
    for (size_t i = 0; i < world->colliders.count; ++i) {
        const Collider *c = world->colliders.items[i];
        if (c->body != NULL) exchange((Body *)c->body, c);
    }
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

void world_free_bodies(mote_World *world)
{
    Memory *memory = &world->memory;
    WorldSolids *s = &world->solids;
    free_walls(world);
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
    *body = number != SIZE_MAX ? body_at(world, number) : NULL;
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
