/* Finding objects by kind and name, and taking them out.
 *
 * What other objects refer to is not taken out: the error names one of them. Forces and colliders
 * that list a system among others go on without it. Numbers of what stood behind in the same list
 * go down by one, so that state, frames and files are those of a world that never had the object.
 */
#include "world/objects.h"

#include "base/status.h"
#include "world/solvers.h"

#include <string.h>

typedef struct Kind {
    const char *name;
    size_t list;  /* of the objects, in the world */
    size_t size;  /* of the object's struct; 0: it is a part of one */
    size_t found; /* what mote_world_find returns, in the object; 0: the parameters of its row */
} Kind;

#define KIND(name_, list_, Type, found_)                                                           \
    {                                                                                              \
        name_, offsetof(mote_World, list_), sizeof(Type), found_                                   \
    }
#define PART(name_, list_, found_)                                                                 \
    {                                                                                              \
        name_, offsetof(mote_World, list_), 0, found_                                              \
    }
static const Kind kinds[] = {
    [MOTE_KIND_SYSTEM] = KIND("system", solvers, Solver, 0), /* see below */
    [MOTE_KIND_FIELD] = KIND("field", fields, Field, 0),
    [MOTE_KIND_FORCE] = KIND("force", forces, Force, 0),
    [MOTE_KIND_EMITTER] = KIND("emitter", emitters, Emitter, offsetof(Emitter, def)),
    [MOTE_KIND_COLLIDER] = KIND("collider", colliders, Collider, offsetof(Collider, def)),
    [MOTE_KIND_BODY] = KIND("body", bodies, Body, offsetof(Body, def)),
    [MOTE_KIND_LINKS] = KIND("links", links, Links, 0),
    [MOTE_KIND_PROBE] = KIND("probe", probes, Probe, 0),
    [MOTE_KIND_SOURCE] = PART("source", emitters, 0),
    [MOTE_KIND_SHAPE] = PART("shape", colliders, 0),
    [MOTE_KIND_FRICTION] = PART("friction", colliders, offsetof(Collider, friction_params)),
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static ObjectList *list_of(const mote_World *world, mote_ObjectKind kind)
{
    return (ObjectList *)((char *)world + kinds[kind].list);
}

static bool is_kind(mote_ObjectKind kind)
{
    return (unsigned)kind < KIND_COUNT;
}

/* ---- finding ---- */

const char *mote_kind_name(mote_ObjectKind kind)
{
    return is_kind(kind) ? kinds[kind].name : "";
}

void *mote_world_find(mote_World *world, mote_ObjectKind kind, const char *name)
{
    if (!is_kind(kind)) return NULL;
    if (kind == MOTE_KIND_SYSTEM) return mote_world_system(world, name);
    const ObjectList *list = list_of(world, kind);
    size_t number = name_index_find(&list->names, name);
    if (number == SIZE_MAX) return NULL;
    Object *object = list->items[number];
    return kinds[kind].found > 0 ? (char *)object + kinds[kind].found : object->params;
}

size_t mote_world_count(const mote_World *world, mote_ObjectKind kind)
{
    if (!is_kind(kind)) return 0;
    return kind == MOTE_KIND_SYSTEM ? world->slot_count : list_of(world, kind)->count;
}

const char *mote_world_name(const mote_World *world, mote_ObjectKind kind, size_t number)
{
    if (number >= mote_world_count(world, kind)) return NULL;
    if (kind == MOTE_KIND_SYSTEM) return world->slots[number].system->name;
    return ((const Object *)list_of(world, kind)->items[number])->name;
}

/* ---- who refers to it ---- */

/* What is to be taken out: one of these. */
typedef struct Target {
    const mote_World *world;
    const Field *field;
    const Collider *collider;
    const mote_System *system;
    size_t slot; /* of the system */
} Target;

static bool force_uses(const Target *t, const void *item)
{
    return t->field != NULL && ((const Force *)item)->field == t->field;
}

static bool emitter_uses(const Target *t, const void *item)
{
    const Emitter *emitter = item;
    return t->system != NULL
               ? emitter->system == t->slot
               : t->field != NULL && (emitter->wind == t->field || emitter->density == t->field);
}

static bool links_use(const Target *t, const void *item)
{
    const Links *links = item;
    return t->system != NULL ? links->system == t->slot
                             : t->field != NULL && links->wind == t->field;
}

static bool body_uses(const Target *t, const void *item)
{
    return t->field != NULL && ((const Body *)item)->fluid == t->field;
}

static bool probe_uses(const Target *t, const void *item)
{
    const Probe *probe = item;
    return (t->field != NULL && probe->field == t->field) ||
           (t->collider != NULL && probe->collider == t->collider) ||
           (t->system != NULL && probe->system == t->system);
}

static bool field_uses(const Target *t, const void *item)
{
    const Field *field = item;
    if (t->system != NULL)
        return field->particles.name != NULL && strcmp(field->particles.name, t->system->name) == 0;
    for (size_t i = 0; i < field->obstacle_count && t->collider != NULL; ++i)
        if (strcmp(field->obstacles[i].name, t->collider->object.name) == 0) return true;
    return false;
}

static const struct {
    mote_ObjectKind kind;
    bool (*uses)(const Target *target, const void *item);
} users[] = {{MOTE_KIND_FORCE, force_uses}, {MOTE_KIND_EMITTER, emitter_uses},
             {MOTE_KIND_LINKS, links_use},  {MOTE_KIND_BODY, body_uses},
             {MOTE_KIND_PROBE, probe_uses}, {MOTE_KIND_FIELD, field_uses}};

/* A system follows a field, or the solver of another system. */
static const char *system_that_uses(const Target *t)
{
    const mote_World *world = t->world;
    for (size_t i = 0; i < world->slot_count; ++i) {
        const SystemSlot *slot = &world->slots[i];
        if (t->field != NULL && slot->points.trace == t->field) return slot->system->name;
        if (t->system != NULL && i != t->slot && slot->own == NULL &&
            slot->solver == world->slots[t->slot].own)
            return slot->system->name;
    }
    return NULL;
}

static mote_Status refuse_used(const Target *t, const char *kind, const char *name,
                               mote_Error *error)
{
    const char *user_kind = "system", *user = system_that_uses(t);
    for (size_t u = 0; u < sizeof users / sizeof users[0] && user == NULL; ++u) {
        const ObjectList *list = list_of(t->world, users[u].kind);
        user_kind = kinds[users[u].kind].name;
        for (size_t i = 0; i < list->count && user == NULL; ++i)
            if (users[u].uses(t, list->items[i])) user = ((const Object *)list->items[i])->name;
    }
    if (user == NULL) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s %s: it cannot be removed, for %s %s refers to it; remove that first",
                       kind, name, user_kind, user);
}

/* ---- taking out ---- */

/* The list keeps its order; nothing is allocated, so that nothing can fail. */
static void take_out(mote_World *world, mote_ObjectKind kind, size_t number)
{
    ObjectList *list = list_of(world, kind);
    void *object = list->items[number];
    memmove(list->items + number, list->items + number + 1,
            (--list->count - number) * sizeof *list->items);
    name_index_clear(&list->names);
    for (size_t i = 0; i < list->count; ++i)
        (void)name_index_add(&list->names, ((const Object *)list->items[i])->name, i);
    if (kind == MOTE_KIND_LINKS) links_release(object);
    world_free_object(world, object, kinds[kind].size);
    world->planned = false;
}

static mote_Status remove_field(mote_World *world, size_t number, mote_Error *error)
{
    const Field *field = world->fields.items[number];
    const Target target = {.world = world, .field = field};
    const Solver *solver = world_publisher(field);
    if (solver != NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "field %s: system %s publishes it; it goes with that system",
                           field->object.name, solver->object.name);
    mote_Status status = refuse_used(&target, "field", field->object.name, error);
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
    const Target target = {.world = world, .collider = collider};
    const char *name = collider->object.name;
    if (collider->body != NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "collider %s: it is the surface of body %s; remove that", name, name);
    mote_Status status = refuse_used(&target, "collider", name, error);
    if (status == MOTE_OK) drop_collider(world, number);
    return status;
}

static mote_Status remove_body(mote_World *world, size_t number, mote_Error *error)
{
    const Body *body = world->bodies.items[number];
    size_t surface = name_index_find(&world->colliders.names, body->object.name);
    const Target target = {.world = world, .collider = world->colliders.items[surface]};
    mote_Status status = refuse_used(&target, "body", body->object.name, error);
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
        const Target target = {.world = world, .field = world->fields.items[i]};
        if (solver != NULL && world_publisher(target.field) == solver)
            status = refuse_used(&target, "system", solver->object.name, error);
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
    const Target target = {.world = world, .system = slot->system, .slot = number};
    const Slots slots = world_slots(world);
    mote_Status status = refuse_used(&target, "system", slot->system->name, error);
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
    mote_Status (*const removes[KIND_COUNT])(mote_World *, size_t, mote_Error *) = {
        [MOTE_KIND_SYSTEM] = remove_system,
        [MOTE_KIND_FIELD] = remove_field,
        [MOTE_KIND_FORCE] = remove_force,
        [MOTE_KIND_COLLIDER] = remove_collider,
        [MOTE_KIND_BODY] = remove_body};
    if (!is_kind(kind) || kinds[kind].size == 0)
        return status_fail(
            error, MOTE_BAD_VALUE,
            "%s: this kind cannot be removed; remove the object that it is a part of",
            is_kind(kind) ? kinds[kind].name : "no kind");
    for (size_t i = 0; i < mote_world_count(world, kind); ++i) {
        if (strcmp(mote_world_name(world, kind, i), name) != 0) continue;
        if (removes[kind] != NULL) return removes[kind](world, i, error);
        take_out(world, kind, i);
        return MOTE_OK;
    }
    return status_fail(error, MOTE_BAD_VALUE, "there is no %s `%s` to remove", kinds[kind].name,
                       name);
}
