/* Taking objects out of a world.
 *
 * What other objects refer to is not taken out: the error names one of them. Forces and colliders
 * that list a system among others go on without it. Numbers of what stood behind in the same list
 * go down by one, so that state, frames and files are those of a world that never had the object.
 */
#include "world/objects.h"

#include "base/status.h"
#include "world/solvers.h"

#include <string.h>

/* The list keeps its order; nothing is allocated, so that nothing can fail. */
static void take_out(mote_World *world, mote_ObjectKind kind, size_t number)
{
    ObjectList *list = world_list(world, kind);
    void *object = list->items[number];
    memmove(list->items + number, list->items + number + 1,
            (--list->count - number) * sizeof *list->items);
    name_index_clear(&list->names);
    for (size_t i = 0; i < list->count; ++i)
        (void)name_index_add(&list->names, ((const Object *)list->items[i])->name, i);
    if (kind == MOTE_KIND_LINKS) links_release(object);
    world_free_object(world, object, world_kind(kind)->size);
    world->planned = false;
}

static mote_Status remove_field(mote_World *world, size_t number, mote_Error *error)
{
    const Field *field = world->fields.items[number];
    const RemovedObject target = {.world = world, .field = field};
    const Solver *solver = world_publisher(field);
    if (solver != NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "field %s: system %s publishes it; it goes with that system",
                           field->object.name, solver->object.name);
    mote_Status status = world_refuse_used(&target, "field", field->object.name, error);
    if (status == MOTE_OK) take_out(world, MOTE_KIND_FIELD, number);
    return status;
}

/* Bodies and solvers ask the definition for it, so it stays with the world. */
static mote_Status remove_force(mote_World *world, size_t number, mote_Error *error)
{
    if (number == 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "force gravity: it is the world's own; a world without has gravity 0");
    take_out(world, MOTE_KIND_FORCE, number);
    return MOTE_OK;
}

/* What solvers and contacts keep for a collider goes with it, and bodies that it held wake. */
static void drop_collider(mote_World *world, size_t number)
{
    const Collider *collider = world->colliders.items[number];
    for (size_t i = 0; i < world->solvers.count; ++i) {
        Solver *solver = world->solvers.items[i];
        if (solver->row->lose_wall != NULL) solver->row->lose_wall(solver, collider);
    }
    solids_lose(&world->solids, &world->memory, collider);
    world->event_count = 0; /* they have numbers of colliders */
    take_out(world, MOTE_KIND_COLLIDER, number);
}

static mote_Status remove_collider(mote_World *world, size_t number, mote_Error *error)
{
    const Collider *collider = world->colliders.items[number];
    const RemovedObject target = {.world = world, .collider = collider};
    const char *name = collider->object.name;
    if (collider->body != NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "collider %s: it is the surface of body %s; remove that", name, name);
    mote_Status status = world_refuse_used(&target, "collider", name, error);
    if (status == MOTE_OK) drop_collider(world, number);
    return status;
}

static mote_Status remove_body(mote_World *world, size_t number, mote_Error *error)
{
    const Body *body = world->bodies.items[number];
    size_t surface = name_index_find(&world->colliders.names, body->object.name);
    const RemovedObject target = {.world = world, .collider = world->colliders.items[surface]};
    mote_Status status = world_refuse_used(&target, "body", body->object.name, error);
    if (status != MOTE_OK) return status;
    drop_collider(world, surface);
    take_out(world, MOTE_KIND_BODY, number);
    return MOTE_OK;
}

/* ---- systems ---- */

/* The bits of the systems behind `gone` move down; a mask of all systems stays one. */
static uint64_t mask_without(uint64_t mask, size_t gone)
{
    uint64_t below = ((uint64_t)1 << gone) - 1;
    return mask == UINT64_MAX ? mask : (mask & below) | ((mask >> 1) & ~below);
}

/* Masks of systems have a bit for each, by number: those behind the one that goes move up. */
static void renumber_systems(mote_World *world, size_t gone)
{
    for (size_t i = 0; i < world->emitters.count; ++i) {
        Emitter *emitter = world->emitters.items[i];
        emitter->system -= emitter->system > gone;
    }
    for (size_t i = 0; i < world->links.count; ++i) {
        Links *links = world->links.items[i];
        links->system -= links->system > gone;
    }
    for (size_t i = 0; i < world->forces.count; ++i) {
        Force *force = world->forces.items[i];
        force->systems = mask_without(force->systems, gone);
    }
    for (size_t i = 0; i < world->colliders.count; ++i) {
        Collider *collider = world->colliders.items[i];
        collider->systems = mask_without(collider->systems, gone);
    }
}

/* A system that joined the solver of another leaves it. */
static void leave_solver(mote_World *world, const SystemSlot *slot)
{
    Solver *host = slot->solver;
    const size_t member = slot->member;
    if (host->row->leave != NULL) host->row->leave(host, member);
    memmove(host->systems + member, host->systems + member + 1,
            (--host->system_count - member) * sizeof *host->systems);
    for (size_t i = 0; i < world->slot_count; ++i)
        if (world->slots[i].solver == host && world->slots[i].member > member)
            --world->slots[i].member;
}

/* Nobody may use what its solver publishes. */
static mote_Status check_published(const mote_World *world, const Solver *solver, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->fields.count && status == MOTE_OK; ++i) {
        const RemovedObject target = {.world = world, .field = world->fields.items[i]};
        if (solver != NULL && world_publisher(target.field) == solver)
            status = world_refuse_used(&target, "system", solver->object.name, error);
    }
    return status;
}

static void drop_solver(mote_World *world, const Solver *solver)
{
    for (size_t i = world->fields.count; i-- > 0;)
        if (world_publisher(world->fields.items[i]) == solver) take_out(world, MOTE_KIND_FIELD, i);
    take_out(world, MOTE_KIND_SYSTEM, name_index_find(&world->solvers.names, solver->object.name));
}

static mote_Status remove_system(mote_World *world, size_t number, mote_Error *error)
{
    SystemSlot *slot = &world->slots[number];
    const RemovedObject target = {.world = world, .system = slot->system, .slot = number};
    const Slots slots = world_slots(world);
    mote_Status status = world_refuse_used(&target, "system", slot->system->name, error);
    if (status == MOTE_OK) status = check_published(world, slot->own, error);
    if (status != MOTE_OK) return status;
    companies_part(&slots);
    if (slot->own != NULL)
        drop_solver(world, slot->own);
    else
        leave_solver(world, slot);
    world_free_slot(world, slot);
    memmove(slot, slot + 1, (--world->slot_count - number) * sizeof *slot);
    renumber_systems(world, number);
    world->has_intervals = false;
    for (size_t i = 0; i < world->slot_count; ++i)
        world->has_intervals = world->has_intervals || world->slots[i].check > 0;
    world->event_count = 0;
    world->planned = false;
    return MOTE_OK;
}

mote_Status mote_world_remove(mote_World *world, mote_ObjectKind kind, const char *name,
                              mote_Error *error)
{
    mote_Status (*const removes[])(mote_World *, size_t, mote_Error *) = {
        [MOTE_KIND_SYSTEM] = remove_system, [MOTE_KIND_FIELD] = remove_field,
        [MOTE_KIND_FORCE] = remove_force,   [MOTE_KIND_COLLIDER] = remove_collider,
        [MOTE_KIND_BODY] = remove_body,     [MOTE_KIND_PROBE] = NULL};
    const ObjectKind *known = world_kind(kind);
    if (known == NULL || known->size == 0)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "%s: this kind cannot be removed; remove the object that it is a part of",
            known != NULL ? known->name : "no kind");
    for (size_t i = 0; i < mote_world_count(world, kind); ++i) {
        if (strcmp(mote_world_name(world, kind, i), name) != 0) continue;
        if (removes[kind] != NULL) return removes[kind](world, i, error);
        take_out(world, kind, i);
        return MOTE_OK;
    }
    return status_fail(error, MOTE_BAD_VALUE, "there is no %s `%s` to remove", known->name, name);
}
