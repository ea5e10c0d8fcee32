/* Bodies among themselves and colliders: what is solid, whether bodies start inside of any of it,
 * and the way of all of them through a sub-step. */
#include "collide/solids.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

/* Sliding friction by what law the collider has; a film holds no solid. */
static double friction_of(const Collider *c)
{
    if (c->friction->sticks) return 1e6;
    if (!c->friction->is_dry) return 0;
    return (double)dry_sliding(&c->friction_params.dry);
}

/* Pieces anew: parameters of shapes may have changed. */
static mote_Status make_wall(Memory *memory, const Collider *c, Solid *wall, mote_Error *error)
{
    const DPose own = {{0, 0, 0}, {0, 0, 0, 1}};
    wall->pieces.count = 0;
    mote_Status status =
        pieces_make(memory, c->shape, c->object.params, &own, &wall->pieces, error);
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

static void free_walls(Memory *memory, SolidSet *set)
{
    for (size_t i = 0; i < set->wall_count; ++i) pieces_free(memory, &set->walls[i].pieces);
    set->wall_count = 0;
}

void solids_free(Memory *memory, SolidSet *set)
{
    free_walls(memory, set);
    memory_free(memory, set->walls, set->wall_capacity * sizeof *set->walls);
    memory_free(memory, set->wall_colliders, set->collider_capacity * sizeof *set->wall_colliders);
    memory_free(memory, set->list.items, set->item_capacity * sizeof *set->list.items);
    memory_free(memory, set->list.bodies, set->body_capacity * sizeof *set->list.bodies);
    contacts_free(memory, &set->contacts);
}

static bool is_wall(const Collider *c)
{
    return c->body == NULL && c->systems == UINT64_MAX && !c->def.sink;
}

static bool reserve(SolidSet *s, Memory *memory, size_t walls, size_t bodies)
{
    return memory_reserve(memory, (void **)&s->walls, &s->wall_capacity, walls, sizeof *s->walls) &&
           memory_reserve(memory, (void **)&s->wall_colliders, &s->collider_capacity, walls,
                          sizeof *s->wall_colliders) &&
           memory_reserve(memory, (void **)&s->list.items, &s->item_capacity, walls + bodies,
                          sizeof *s->list.items) &&
           memory_reserve(memory, (void **)&s->list.bodies, &s->body_capacity, bodies,
                          sizeof *s->list.bodies);
}

/* Colliders that are solid to bodies, from t to t + dt; anew: their pieces are made again. */
static mote_Status prepare_walls(SolidSet *s, const SolidStep *step, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < s->wall_count && status == MOTE_OK; ++i) {
        Collider *c = s->wall_colliders[i];
        status = collider_prepare(c, step->t, step->dt, error);
        if (status == MOTE_OK && step->anew)
            status = make_wall(step->memory, c, &s->walls[i], error);
        place_wall(c, &s->walls[i]);
    }
    return status;
}

mote_Status solids_list(SolidSet *s, const SolidSource *from, double t, mote_Error *error)
{
    const SolidStep start = {.memory = from->memory, .t = t, .anew = true};
    size_t walls = 0, bodies = from->body_count;
    free_walls(from->memory, s);
    s->list.body_count = s->list.count = 0;
    if (bodies == 0) return MOTE_OK;
    for (size_t i = 0; i < from->collider_count; ++i) walls += is_wall(from->colliders[i]);
    if (!reserve(s, from->memory, walls, bodies))
        return status_no_memory(error, "bodies", walls + bodies);
    for (size_t i = 0; i < bodies; ++i) {
        s->list.bodies[i] = from->bodies[i];
        s->list.items[i] = &from->bodies[i]->solid;
    }
    for (size_t i = 0; i < from->collider_count; ++i) {
        if (!is_wall(from->colliders[i])) continue;
        s->walls[s->wall_count] = (Solid){0};
        s->wall_colliders[s->wall_count] = from->colliders[i];
        s->list.items[bodies + s->wall_count] = &s->walls[s->wall_count];
        ++s->wall_count;
    }
    s->list.body_count = bodies, s->list.count = bodies + s->wall_count;
    return prepare_walls(s, &start, error);
}

/* ---- what is taken out ---- */

/* Its number in the list; the list's end when it is not in it. */
static uint32_t number_of(const SolidSet *s, const Collider *collider)
{
    const size_t bodies = s->list.body_count;
    uint32_t number = 0;
    if (collider->body != NULL)
        while (number < bodies && s->list.bodies[number] != collider->body) ++number;
    if (collider->body != NULL) return number < bodies ? number : (uint32_t)s->list.count;
    while (number < s->wall_count && s->wall_colliders[number] != collider) ++number;
    return number + (uint32_t)bodies;
}

/* Remembered contacts name solids by number. Those behind go down, which keeps the order. */
static void forget_contacts(SolidSet *s, uint32_t gone)
{
    Contacts *contacts = &s->contacts;
    size_t kept = 0;
    for (size_t i = 0; i < contacts->kept_count; ++i) {
        ContactMemory *memory = &contacts->kept[i];
        const uint32_t a = (uint32_t)memory->key[0], b = (uint32_t)memory->key[1];
        const uint32_t other = a == gone ? b : a;
        if (a == gone || b == gone) {
            if (other < s->list.body_count) s->list.bodies[other]->state.quiet = 0;
            continue;
        }
        memory->key[0] -= a > gone, memory->key[1] -= b > gone;
        contacts->kept[kept++] = *memory;
    }
    contacts->kept_count = kept;
}

void solids_lose(SolidSet *s, Memory *memory, const Collider *collider)
{
    const uint32_t gone = number_of(s, collider);
    const size_t bodies = s->list.body_count;
    if (gone >= s->list.count) return;
    forget_contacts(s, gone);
    if (gone < bodies) {
        memmove(s->list.bodies + gone, s->list.bodies + gone + 1,
                (--s->list.body_count - gone) * sizeof *s->list.bodies);
    } else {
        size_t wall = gone - bodies, behind = --s->wall_count - wall;
        pieces_free(memory, &s->walls[wall].pieces);
        memmove(s->walls + wall, s->walls + wall + 1, behind * sizeof *s->walls);
        memmove(s->wall_colliders + wall, s->wall_colliders + wall + 1,
                behind * sizeof *s->wall_colliders);
    }
    --s->list.count;
}

/* ---- overlaps at the start ---- */

static const char *solid_name(const SolidSet *s, uint32_t i)
{
    if (i < s->list.body_count) return s->list.bodies[i]->object.name;
    return s->wall_colliders[i - s->list.body_count]->object.name;
}

/* A hundredth of the thickness is for rounding and for stacks that stand close. */
static mote_Status refuse_overlaps(const SolidSet *s, mote_Error *error)
{
    const Contacts *contacts = &s->contacts;
    for (size_t i = 0; i < contacts->count; ++i) {
        const Manifold *m = &contacts->items[i];
        const Solid *a = s->list.items[m->a], *b = s->list.items[m->b];
        double depth = 0;
        for (uint32_t k = 0; k < m->count; ++k) depth = fmax(depth, -m->points[k].gap);
        if (depth > 0.02 * fmin(a->smallest, b->smallest))
            return status_fail(error, MOTE_BAD_VALUE,
                               "body %s: it starts %.3g m inside %s %s; move one of them away",
                               solid_name(s, m->a), depth,
                               m->b < s->list.body_count ? "body" : "collider",
                               solid_name(s, m->b));
    }
    return MOTE_OK;
}

mote_Status solids_check_start(SolidSet *s, Memory *memory, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < s->list.body_count && status == MOTE_OK; ++i)
        if (!s->list.bodies[i]->def.free) status = body_follow(s->list.bodies[i], 0, 0, error);
    if (status != MOTE_OK) return status;
    if (!contacts_find(memory, &s->contacts, s->list.items, s->list.count, 0, 0))
        return status_no_memory(error, "contacts", s->contacts.count);
    return refuse_overlaps(s, error);
}

/* ---- sub-steps ---- */

/* The longest piece of a sub-step that contact is solved in, s. */
#define LONGEST_PIECE (1.0 / 480)
enum { MOST_SOLVE_PIECES = 64 };

static int pieces_for(double dt)
{
    double pieces = ceil(dt / LONGEST_PIECE * (1 - 1e-9));
    return pieces < 1 ? 1 : pieces > MOST_SOLVE_PIECES ? MOST_SOLVE_PIECES : (int)pieces;
}

static mote_Status begin_bodies(const Solids *list, const SolidStep *step, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < list->body_count && status == MOTE_OK; ++i) {
        Body *body = list->bodies[i];
        body_load(body);
        if (body->def.free)
            body_begin_step(body);
        else
            status = body_follow(body, step->t, step->dt, error);
    }
    return status;
}

/* Scratch from the arena, for so many points of contact. */
static bool make_room(Arena *arena, size_t bodies, size_t points, SolveRoom *room,
                      IslandRoom *islands)
{
    room->rows = arena_take(arena, (points + 1) * sizeof *room->rows);
    room->accelerations = arena_take(arena, bodies * sizeof *room->accelerations);
    room->torques = arena_take(arena, bodies * sizeof *room->torques);
    islands->roots = arena_take(arena, bodies * sizeof *islands->roots);
    islands->marks = arena_take(arena, bodies * sizeof *islands->marks);
    return room->rows != NULL && room->accelerations != NULL && room->torques != NULL &&
           islands->roots != NULL && islands->marks != NULL;
}

static size_t count_points(const Contacts *contacts)
{
    size_t points = 0;
    for (size_t i = 0; i < contacts->count; ++i) points += contacts->items[i].count;
    return points;
}

mote_Status solids_step(SolidSet *s, const SolidStep *step, uint64_t *points, mote_Error *error)
{
    const double dt = step->dt;
    const BodyStep way = {
        .dt = dt, .pieces = pieces_for(dt), .gravity = d3_of(step->gravity), .t = step->t};
    SolveRoom room = {0};
    IslandRoom islands = {0};
    *points = 0;
    mote_Status status = prepare_walls(s, step, error);
    if (status == MOTE_OK) status = begin_bodies(&s->list, step, error);
    if (status != MOTE_OK) return status;
    bool found = contacts_find(step->memory, &s->contacts, s->list.items, s->list.count, dt,
                               d3_length(way.gravity));
    *points = count_points(&s->contacts);
    if (!found || !make_room(step->arena, s->list.body_count, (size_t)*points, &room, &islands))
        return status_no_memory(error, "contacts", s->contacts.count);
    islands_rest(&s->list, &s->contacts, &islands);
    solids_advance(&s->list, &s->contacts, &way, &room);
    /* Where the host may change anything at any time, nobody is quiet. */
    islands_note(&s->list, d3_length(way.gravity), dt / way.pieces, step->anew ? 0 : dt);
    if (!contacts_keep(step->memory, &s->contacts))
        return status_no_memory(error, "contacts", s->contacts.count);
    for (size_t i = 0; i < s->list.body_count; ++i) body_end_step(s->list.bodies[i], dt);
    return MOTE_OK;
}
