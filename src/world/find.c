/* Finding objects by kind and name, and those that refer to one. */
#include "world/objects.h"

#include "base/status.h"

#include <string.h>

#define KIND(name_, list_, Type, found_)                                                           \
    {                                                                                              \
        name_, offsetof(mote_World, list_), sizeof(Type), found_                                   \
    }
#define PART(name_, list_, found_)                                                                 \
    {                                                                                              \
        name_, offsetof(mote_World, list_), 0, found_                                              \
    }
static const ObjectKind kinds[] = {
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

const ObjectKind *world_kind(mote_ObjectKind kind)
{
    return (unsigned)kind < KIND_COUNT ? &kinds[kind] : NULL;
}

ObjectList *world_list(const mote_World *world, mote_ObjectKind kind)
{
    return (ObjectList *)((char *)world + kinds[kind].list);
}

const char *mote_kind_name(mote_ObjectKind kind)
{
    return world_kind(kind) != NULL ? kinds[kind].name : "";
}

void *mote_world_find(mote_World *world, mote_ObjectKind kind, const char *name)
{
    if (world_kind(kind) == NULL) return NULL;
    if (kind == MOTE_KIND_SYSTEM) return mote_world_system(world, name);
    Object *object = world_object(world_list(world, kind), name);
    if (object == NULL) return NULL;
    return kinds[kind].found > 0 ? (char *)object + kinds[kind].found : object->params;
}

size_t mote_world_count(const mote_World *world, mote_ObjectKind kind)
{
    if (world_kind(kind) == NULL) return 0;
    return kind == MOTE_KIND_SYSTEM ? world->slot_count : world_list(world, kind)->count;
}

const char *mote_world_name(const mote_World *world, mote_ObjectKind kind, size_t number)
{
    if (number >= mote_world_count(world, kind)) return NULL;
    if (kind == MOTE_KIND_SYSTEM) return world->slots[number].system->name;
    return ((const Object *)world_list(world, kind)->items[number])->name;
}

/* ---- who refers to it ---- */

static bool force_uses(const RemovedObject *t, const void *item)
{
    return t->field != NULL && ((const Force *)item)->field == t->field;
}

static bool emitter_uses(const RemovedObject *t, const void *item)
{
    const Emitter *emitter = item;
    return t->system != NULL
               ? emitter->system == t->slot
               : t->field != NULL && (emitter->wind == t->field || emitter->density == t->field);
}

static bool links_use(const RemovedObject *t, const void *item)
{
    const Links *links = item;
    return t->system != NULL ? links->system == t->slot
                             : t->field != NULL && links->wind == t->field;
}

static bool body_uses(const RemovedObject *t, const void *item)
{
    return t->field != NULL && ((const Body *)item)->fluid == t->field;
}

static bool probe_uses(const RemovedObject *t, const void *item)
{
    const Probe *probe = item;
    return (t->field != NULL && probe->field == t->field) ||
           (t->collider != NULL && probe->collider == t->collider) ||
           (t->system != NULL && probe->system == t->system);
}

static bool field_uses(const RemovedObject *t, const void *item)
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
    bool (*uses)(const RemovedObject *target, const void *item);
} users[] = {{MOTE_KIND_FORCE, force_uses}, {MOTE_KIND_EMITTER, emitter_uses},
             {MOTE_KIND_LINKS, links_use},  {MOTE_KIND_BODY, body_uses},
             {MOTE_KIND_PROBE, probe_uses}, {MOTE_KIND_FIELD, field_uses}};

/* A system follows a field, or the solver of another system. */
static const char *system_that_uses(const RemovedObject *t)
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

mote_Status world_refuse_used(const RemovedObject *t, const char *kind, const char *name,
                              mote_Error *error)
{
    const char *user_kind = "system", *user = system_that_uses(t);
    for (size_t u = 0; u < sizeof users / sizeof users[0] && user == NULL; ++u) {
        const ObjectList *list = world_list(t->world, users[u].kind);
        user_kind = kinds[users[u].kind].name;
        for (size_t i = 0; i < list->count && user == NULL; ++i)
            if (users[u].uses(t, list->items[i])) user = ((const Object *)list->items[i])->name;
    }
    if (user == NULL) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s %s: it cannot be removed, for %s %s refers to it; remove that first",
                       kind, name, user_kind, user);
}
