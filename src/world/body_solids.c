/* What is solid to bodies: all bodies, and the colliders that act on every system; and whether
 * bodies start inside of any of it. */
#include "world/bodies.h"

#include "base/status.h"

#include <math.h>

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

void world_free_walls(mote_World *world)
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
        s->list.bodies[i] = world_body_at(world, i);
        s->list.items[i] = &world_body_at(world, i)->solid;
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

mote_Status world_prepare_walls(mote_World *world, double t, double dt, bool anew,
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
    world_free_walls(world);
    if (world->bodies.count == 0) return MOTE_OK;
    mote_Status status = list_solids(world, error);
    if (status == MOTE_OK) status = world_prepare_walls(world, world->time, 0, true, error);
    return status == MOTE_OK && world->substep == 0 ? check_start(world, error) : status;
}
