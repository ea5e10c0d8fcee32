/* Adding objects to a world: names, references and parameters are checked here, once. */
#include "world/objects.h"

#include "base/definition.h"
#include "base/status.h"
#include "base/text.h"
#include "world/solvers.h"

#include <stdio.h>
#include <string.h>

/* ---- names and references ---- */

/* What can be named: a list of objects, or the systems. */
typedef struct Names {
    const mote_World *world;
    const ObjectList *list; /* NULL: systems */
} Names;

static const char *name_at(const void *context, size_t i)
{
    const Names *names = context;
    const mote_World *world = names->world;
    if (names->list == NULL) return i < world->slot_count ? world->slots[i].system->name : NULL;
    return i < names->list->count ? ((const Object *)names->list->items[i])->name : NULL;
}

static Names names_of(const mote_World *world, const char *kind)
{
    bool field = strcmp(kind, "field") == 0, collider = strcmp(kind, "collider") == 0;
    return (Names){world, field ? &world->fields : collider ? &world->colliders : NULL};
}

void *world_object(const ObjectList *list, const char *name)
{
    size_t number = name_index_find(&list->names, name);
    return number != SIZE_MAX ? list->items[number] : NULL;
}

static mote_Status no_such(const mote_World *world, const char *where, const char *kind,
                           const char *name, mote_Error *error)
{
    const Names names = names_of(world, kind);
    const char *near = name != NULL ? text_nearest(name, name_at, &names) : NULL;
    if (name == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "%s: it must name a %s", where, kind);
    if (near != NULL)
        return status_fail(error, MOTE_BAD_VALUE, "%s: there is no %s `%s`; did you mean `%s`?",
                           where, kind, name, near);
    return status_fail(error, MOTE_BAD_VALUE, "%s: there is no %s `%s`", where, kind, name);
}

mote_Status world_find_system(const mote_World *world, const char *where, const char *name,
                              size_t *number, mote_Error *error)
{
    for (*number = 0; name != NULL && *number < world->slot_count; ++*number)
        if (strcmp(world->slots[*number].system->name, name) == 0) return MOTE_OK;
    return no_such(world, where, "system", name, error);
}

mote_Status world_find_object(const mote_World *world, const char *where, const char *kind,
                              const char *name, void **object, mote_Error *error)
{
    *object = name != NULL ? world_object(names_of(world, kind).list, name) : NULL;
    return *object != NULL ? MOTE_OK : no_such(world, where, kind, name, error);
}

mote_Status world_system_bits(const mote_World *world, const char *where, const char *const *names,
                              size_t count, uint64_t *bits, mote_Error *error)
{
    *bits = names == NULL ? UINT64_MAX : 0;
    for (size_t i = 0; names != NULL && i < count; ++i) {
        size_t number;
        mote_Status status = world_find_system(world, where, names[i], &number, error);
        if (status != MOTE_OK) return status;
        *bits |= (uint64_t)1 << number;
    }
    return MOTE_OK;
}

/* ---- making an object ---- */

mote_Status world_long_name(const char *where, mote_Error *error)
{
    return status_fail(error, MOTE_BAD_VALUE, "%s: a name has at most %d letters", where,
                       (int)NAME_SIZE - 1);
}

void world_free_object(mote_World *world, void *item, size_t size)
{
    Object *object = item;
    if (object->row != NULL) params_release(object->row, object->params);
    if (object->release != NULL) object->release(&world->memory, object);
    memory_free_text(&world->memory, object->name);
    memory_free(&world->memory, object->params, object->params_size);
    memory_free(&world->memory, object, size);
}

mote_Status world_check_params(const NewObject *fresh, const char *where, void *params,
                               mote_Error *error)
{
    if (fresh->row->params_size == 0) return MOTE_OK;
    if (fresh->params != NULL)
        memcpy(params, fresh->params, fresh->row->params_size);
    else
        mote_row_defaults(fresh->row, params);
    mote_Status status = mote_row_check(fresh->row, where, params, error);
    if (status == MOTE_OK && fresh->check != NULL) status = fresh->check(params, where, error);
    return status;
}

/* Makes the object with its name and parameters, checked; it is not in the list yet. */
mote_Status world_make_object(mote_World *world, ObjectList *list, const NewObject *fresh,
                              void **out, mote_Error *error)
{
    char name[NAME_SIZE], where[NAME_SIZE + 32];
    Memory *memory = &world->memory;
    if (fresh->name != NULL)
        snprintf(name, sizeof name, "%s", fresh->name);
    else
        snprintf(name, sizeof name, "%s-%zu", fresh->row->name, list->made);
    snprintf(where, sizeof where, "%s %s", fresh->kind, name);
    if (fresh->name != NULL && strlen(fresh->name) >= sizeof name)
        return world_long_name(where, error);
    if (world_object(list, name) != NULL)
        return status_fail(error, MOTE_BAD_VALUE, "%s: there is a %s of that name already", where,
                           fresh->kind);
    Object *object = memory_zeroed(memory, fresh->size);
    *out = object;
    if (object == NULL) return status_no_memory(error, where, fresh->size);
    object->params_size = fresh->row->params_size;
    object->name = memory_text(memory, name);
    object->params = memory_take(memory, object->params_size);
    list->names.memory = memory;
    bool room = object->name != NULL && (object->params != NULL || object->params_size == 0) &&
                name_index_reserve(&list->names) &&
                memory_reserve(memory, (void **)&list->items, &list->capacity, list->count + 1,
                               sizeof *list->items);
    mote_Status status = room ? world_check_params(fresh, where, object->params, error)
                              : status_no_memory(error, where, fresh->size);
    if (status == MOTE_OK) {
        object->row = fresh->row;
        params_keep(fresh->row, object->params);
    } else {
        world_free_object(world, object, fresh->size);
    }
    return status;
}

/* Puts a finished object into its list, or gives it back when something failed. The room was made
 * with the object: failing here would leave behind what was opened for it. */
mote_Status world_keep_object(mote_World *world, ObjectList *list, void *object, size_t size,
                              mote_Status status)
{
    world->planned = false;
    if (status == MOTE_OK) {
        (void)name_index_add(&list->names, ((const Object *)object)->name, list->count);
        list->items[list->count++] = object;
        ++list->made;
    } else {
        world_free_object(world, object, size);
    }
    return status;
}

static void free_list(mote_World *world, ObjectList *list, size_t size)
{
    for (size_t i = 0; i < list->count; ++i) world_free_object(world, list->items[i], size);
    memory_free(&world->memory, list->items, list->capacity * sizeof *list->items);
    name_index_free(&list->names);
}

void world_free_objects(mote_World *world)
{
    for (size_t i = 0; i < world->links.count; ++i) links_release(world->links.items[i]);
    free_list(world, &world->solvers, sizeof(Solver));
    free_list(world, &world->links, sizeof(Links));
    free_list(world, &world->fields, sizeof(Field));
    free_list(world, &world->forces, sizeof(Force));
    free_list(world, &world->emitters, sizeof(Emitter));
    free_list(world, &world->colliders, sizeof(Collider));
    free_list(world, &world->bodies, sizeof(Body));
    free_list(world, &world->probes, sizeof(Probe));
}

const mote_Row *world_find_row(const mote_World *world, RowTable *table, const char *kind,
                               const char *name, mote_Error *error)
{
    size_t count;
    const mote_Row *const *rows = table(world->isa, &count);
    return row_find(rows, count, "world", kind, name, error);
}
