/* The state: one list of everything that survives a sub-step, used for saving and for restoring, so
 * that the two cannot differ. */
#include "world/world.h"

#include "base/status.h"
#include "particles/history.h"
#include "solvers/solver.h"
#include "tasks/copy.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const mote_ArrayType array_types[] = {
    [MOTE_COLUMN_REAL] = MOTE_ARRAY_REAL,
    [MOTE_COLUMN_DOUBLE] = MOTE_ARRAY_F64,
    [MOTE_COLUMN_U32] = MOTE_ARRAY_U32,
    [MOTE_COLUMN_U64] = MOTE_ARRAY_U64,
};

static_assert(sizeof(uint64_t) == sizeof(double), "scalars of the state have eight bytes");

typedef struct StateList {
    mote_World *world;
    bool room; /* false: out of memory */
    int how;   /* STATE_... */
    mote_Status status;
    mote_Error *error;
} StateList;

static void add_array(StateList *list, const char *group, const char *object, const char *name,
                      mote_StateArray array)
{
    mote_World *world = list->world;
    size_t size = strlen(group) + strlen(object) + strlen(name) + 3;
    char *full = arena_take(&world->state_names, size);
    list->room = list->room && full != NULL &&
                 memory_reserve(&world->memory, (void **)&world->state, &world->state_capacity,
                                world->state_count + 1, sizeof *world->state);
    if (!list->room) return;
    snprintf(full, size, "%s/%s%s%s", group, object, object[0] != '\0' ? "/" : "", name);
    array.name = full;
    world->state[world->state_count++] = array;
}

static mote_StateArray scalar(mote_ArrayType type, void *data)
{
    return (mote_StateArray){.type = type, .rows = 1, .components = 1, .stride = 1, .data = data};
}

static mote_StateArray doubles(double *data, size_t count)
{
    return (mote_StateArray){
        .type = MOTE_ARRAY_F64, .rows = count, .components = 1, .stride = count, .data = data};
}

/* What is saved of a slot's columns: all of it on the first rank and nothing on others, or parts.
 */
static const mote_Column *columns_of(StateList *list, SystemSlot *slot, size_t *rows)
{
    mote_World *world = list->world;
    const mote_System *system = slot->system;
    *rows = system->count;
    if (list->how == STATE_OWN || !ranks_are_many(world->shop.ranks)) return system->columns;
    const size_t bytes = system->column_count * sizeof *system->columns;
    mote_Column *columns = arena_take(&world->spread.gathered[GATHERED_STATE], bytes);
    if (columns == NULL) list->status = status_no_memory(list->error, system->name, bytes);
    list->status = ranks_agree(world->shop.ranks, list->status, list->error);
    if (list->status == MOTE_OK && list->how == STATE_PARTS)
        list->status =
            spread_part(&world->spread, slot, GATHERED_STATE, columns, rows, list->error);
    if (list->status == MOTE_OK && list->how == STATE_GATHERED) {
        list->status = spread_gather(&world->spread, slot, GATHERED_STATE, columns, list->error);
        *rows = world->shop.ranks->own == 0 ? (size_t)slot->all.count : 0;
    }
    return list->status == MOTE_OK ? columns : NULL;
}

static void add_system(StateList *list, SystemSlot *slot)
{
    mote_System *system = slot->system;
    size_t rows;
    system_settle_history(system);
    const mote_Column *columns = columns_of(list, slot, &rows);
    for (size_t i = 0; i < system->column_count && columns != NULL; ++i) {
        const mote_Column *column = &columns[i];
        if (i == slot->all.order && i > 0) continue; /* made anew from where rows stand */
        add_array(list, "systems", system->name, column->name,
                  (mote_StateArray){.type = array_types[column->type],
                                    .rows = rows,
                                    .components = column->components,
                                    .stride = column->stride,
                                    .data = column->data});
    }
    add_array(list, "systems", system->name, "next_id", scalar(MOTE_ARRAY_U64, &system->next_id));
    add_array(
        list, "systems", system->name, "ids_ascend",
        scalar(MOTE_ARRAY_BYTE, slot->all.order > 0 ? &slot->all.ascend : &system->ids_ascend));
}

static void add_emitter(StateList *list, Emitter *emitter)
{
    const char *name = emitter->object.name;
    add_array(list, "emitters", name, "remainder", scalar(MOTE_ARRAY_F64, &emitter->remainder));
    add_array(list, "emitters", name, "emitted", scalar(MOTE_ARRAY_U64, &emitter->emitted));
    add_array(list, "emitters", name, "bursts", scalar(MOTE_ARRAY_U64, &emitter->bursts));
}

static void add_field(StateList *list, Field *field)
{
    size_t count = (size_t)field->row->saved_count;
    if (count == 0) return;
    add_array(list, "fields", field->object.name, "saved", doubles(field->saved, count));
}

static void add_links(StateList *list, Links *links)
{
    const char *name = links->object.name;
    mote_StateArray broken = {.type = MOTE_ARRAY_BYTE,
                              .rows = links->count,
                              .components = 1,
                              .stride = links->count,
                              .data = links->broken};
    add_array(list, "links", name, "broken", broken);
    add_array(list, "links", name, "moved", doubles(links->moved, 3));
}

static void add_collider(StateList *list, Collider *collider)
{
    if (!collider->by_hand) return;
    add_array(list, "colliders", collider->object.name, "hand",
              doubles(&collider->hand.t, HAND_VALUES));
}

static void add_probe(StateList *list, Probe *probe)
{
    if (probe->collider == NULL && probe->row->watch == NULL) return;
    add_array(list, "probes", probe->object.name, "saved", doubles(probe->saved, PROBE_SAVED));
}

static void add_solver(StateList *list, Solver *solver)
{
    mote_StateArray arrays[SOLVER_SAVED];
    size_t count = solver->row->saved != NULL ? solver->row->saved(solver, arrays) : 0;
    for (size_t i = 0; i < count; ++i)
        add_array(list, "solvers", solver->object.name, arrays[i].name, arrays[i]);
}

static void add_bodies(StateList *list)
{
    mote_World *world = list->world;
    Contacts *contacts = &world->solids.contacts;
    if (world->bodies.count == 0) return;
    for (size_t i = 0; i < world->bodies.count; ++i) {
        Body *body = world->bodies.items[i];
        add_array(list, "bodies", body->object.name, "state",
                  doubles(body->state.position, BODY_STATE_VALUES));
    }
    add_array(list, "world", "", "contacts",
              doubles((double *)contacts->kept, contacts->kept_count * CONTACT_MEMORY_VALUES));
}

mote_Status world_list_state(mote_World *world, int how, mote_Error *error)
{
    StateList list = {.world = world, .room = true, .how = how, .error = error};
    if (how != STATE_OWN) arena_reset(&world->spread.gathered[GATHERED_STATE]);
    arena_reset(&world->state_names);
    world->state_count = 0;
    add_array(&list, "world", "", "substep", scalar(MOTE_ARRAY_U64, &world->substep));
    add_array(&list, "world", "", "frame", scalar(MOTE_ARRAY_U64, &world->frame));
    add_array(&list, "world", "", "time", scalar(MOTE_ARRAY_F64, &world->time));
    add_array(&list, "world", "", "reference_energy",
              scalar(MOTE_ARRAY_F64, &world->reference_energy));
    for (size_t i = 0; i < world->slot_count; ++i) add_system(&list, &world->slots[i]);
    for (size_t i = 0; i < world->emitters.count; ++i) add_emitter(&list, world->emitters.items[i]);
    for (size_t i = 0; i < world->fields.count; ++i) add_field(&list, world->fields.items[i]);
    for (size_t i = 0; i < world->links.count; ++i) add_links(&list, world->links.items[i]);
    for (size_t i = 0; i < world->colliders.count; ++i)
        add_collider(&list, world->colliders.items[i]);
    for (size_t i = 0; i < world->probes.count; ++i) add_probe(&list, world->probes.items[i]);
    for (size_t i = 0; i < world->solvers.count; ++i) add_solver(&list, world->solvers.items[i]);
    add_bodies(&list);
    if (list.status != MOTE_OK || list.room) return list.status;
    return status_no_memory(error, "the list of the state", 1);
}

mote_Status mote_world_state(mote_World *world, const mote_StateArray **arrays, size_t *count,
                             mote_Error *error)
{
    const bool many = ranks_are_many(world->shop.ranks);
    mote_Status status = many ? world_begin(world, error) : MOTE_OK;
    if (status == MOTE_OK)
        status = world_list_state(world, many ? STATE_GATHERED : STATE_OWN, error);
    *arrays = world->state;
    *count = world->state_count;
    return ranks_agree(world->shop.ranks, status, error);
}

/* ---- restoring ---- */

static const mote_StateArray *find_array(const mote_StateArray *arrays, size_t count,
                                         const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(arrays[i].name, name) == 0) return &arrays[i];
    return NULL;
}

/* The number of rows is told by the saved ids. */
static mote_Status restore_count(mote_System *system, const mote_StateArray *arrays, size_t count,
                                 mote_Error *error)
{
    char name[256];
    snprintf(name, sizeof name, "systems/%s/id", system->name);
    const mote_StateArray *ids = find_array(arrays, count, name);
    if (ids == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "the saved state has no system %s", system->name);
    return system_set_count(system, ids->rows, error);
}

/* Room for the contacts of bodies. */
static mote_Status restore_contacts(mote_World *world, const mote_StateArray *arrays, size_t count,
                                    mote_Error *error)
{
    Contacts *contacts = &world->solids.contacts;
    const mote_StateArray *from = find_array(arrays, count, "world/contacts");
    size_t kept = from != NULL ? from->rows / CONTACT_MEMORY_VALUES : 0;
    if (!memory_reserve(&world->memory, (void **)&contacts->kept, &contacts->kept_capacity, kept,
                        sizeof *contacts->kept))
        return status_no_memory(error, "contacts", kept * sizeof *contacts->kept);
    contacts->kept_count = kept;
    return MOTE_OK;
}

/* Which colliders the host had moved. */
static void restore_hands(mote_World *world, const mote_StateArray *arrays, size_t count)
{
    for (size_t i = 0; i < world->colliders.count; ++i) {
        Collider *collider = world->colliders.items[i];
        char name[256];
        snprintf(name, sizeof name, "colliders/%s/hand", collider->object.name);
        collider->by_hand = find_array(arrays, count, name) != NULL;
    }
}

/* Room for the saved arrays of a solver, whose sizes it cannot tell beforehand. */
static mote_Status restore_sizes(Solver *solver, const mote_StateArray *arrays, size_t count,
                                 mote_Error *error)
{
    mote_StateArray own[SOLVER_SAVED];
    size_t saved = solver->row->saved != NULL ? solver->row->saved(solver, own) : 0;
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < saved && solver->row->resize != NULL && status == MOTE_OK; ++i) {
        char name[256];
        snprintf(name, sizeof name, "solvers/%s/%s", solver->object.name, own[i].name);
        const mote_StateArray *from = find_array(arrays, count, name);
        if (from != NULL && from->rows != own[i].rows)
            status = solver->row->resize(solver, i, from->rows, error);
    }
    return status;
}

static mote_Status copy_array(mote_StateArray *to, const mote_StateArray *from, mote_Error *error)
{
    if (from == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "the saved state lacks %s", to->name);
    if (from->type != to->type || from->rows != to->rows || from->components != to->components)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: the saved state has %zu rows of %d values, but the scene needs %zu "
                           "of %d of its own type",
                           to->name, from->rows, from->components, to->rows, to->components);
    size_t item = mote_array_item_size(to->type), stride = from->stride;
    if (stride == 0) stride = from->rows;
    for (size_t c = 0; c < (size_t)to->components && to->rows > 0; ++c)
        memcpy((char *)to->data + c * to->stride * item,
               (const char *)from->data + c * stride * item, to->rows * item);
    return MOTE_OK;
}

/* Rows and sizes, so that the list of the state has places of the right size. */
static mote_Status make_room(mote_World *world, const mote_StateArray *arrays, size_t count,
                             mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        status = restore_count(world->slots[i].system, arrays, count, error);
    for (size_t i = 0; i < world->solvers.count && status == MOTE_OK; ++i)
        status = restore_sizes(world->solvers.items[i], arrays, count, error);
    return status == MOTE_OK ? restore_contacts(world, arrays, count, error) : status;
}

/* What follows from the numbers alone is made anew when it is asked for. */
static void forget_rest(mote_World *world)
{
    for (size_t i = 0; i < world->slot_count; ++i) {
        mote_System *system = world->slots[i].system;
        system->now = world->time;
        world->slots[i].all.next_id = system->next_id;
    }
    world->changed_at = (double)NAN;
    for (size_t i = 0; i < world->solvers.count; ++i) {
        Solver *solver = world->solvers.items[i];
        if (solver->row->forget != NULL) solver->row->forget(solver);
    }
    for (size_t i = 0; i < world->links.count; ++i) ((Links *)world->links.items[i])->valid = false;
    world_reload_bodies(world);
}

mote_Status world_restore_own(mote_World *world, const mote_StateArray *arrays, size_t count,
                              mote_Error *error)
{
    mote_Status status = make_room(world, arrays, count, error);
    if (status == MOTE_OK) restore_hands(world, arrays, count);
    if (status == MOTE_OK) status = world_list_state(world, STATE_OWN, error);
    for (size_t i = 0; i < world->state_count && status == MOTE_OK; ++i) {
        mote_StateArray *to = &world->state[i];
        status = copy_array(to, find_array(arrays, count, to->name), error);
    }
    if (status == MOTE_OK) status = world_check_state(world, error);
    if (status == MOTE_OK) forget_rest(world);
    return status;
}

/* All ranks are given the same, and each takes its part. */
mote_Status mote_world_restore(mote_World *world, const mote_StateArray *arrays, size_t count,
                               mote_Error *error)
{
    const Slots slots = world_slots(world);
    mote_Status status = spread_take_slices(&world->spread, &slots, &arrays, count, error);
    if (status == MOTE_OK) status = world_restore_own(world, arrays, count, error);
    spread_order_slices(&world->spread, &slots);
    return ranks_agree(world->shop.ranks, status, error);
}

/* ---- copies ---- */

/* Up to the last row of the last component: what is behind it is not the array's. */
static size_t used_bytes(const mote_StateArray *array)
{
    const size_t before = ((size_t)array->components - 1) * array->stride;
    return array->rows > 0 ? (before + array->rows) * mote_array_item_size(array->type) : 0;
}

static mote_StateArray *copy_state(const mote_World *world, Arena *arena)
{
    mote_StateArray *copies = arena_take(arena, world->state_count * sizeof *copies);
    for (size_t i = 0; copies != NULL && i < world->state_count; ++i) {
        const mote_StateArray *from = &world->state[i];
        const size_t bytes = used_bytes(from);
        char *name = arena_take(arena, strlen(from->name) + 1);
        copies[i] = *from;
        copies[i].data = arena_take(arena, bytes);
        if (name == NULL || copies[i].data == NULL) return NULL;
        copies[i].name = strcpy(name, from->name);
        if (bytes > 0) tasks_copy(world->def.tasks, copies[i].data, from->data, bytes);
    }
    return copies;
}

mote_Status world_copy_state(mote_World *world, Arena *arena, mote_StateArray **copies,
                             mote_Error *error)
{
    mote_Status status = world_list_state(world, STATE_OWN, error);
    if (status != MOTE_OK) return status;
    *copies = copy_state(world, arena);
    return *copies != NULL ? MOTE_OK
                           : status_no_memory(error, "a copy of the state", world->memory.bytes);
}

/* ---- the test mode ---- */

/* What is in the list, but not restored, shows. */
static void scramble(const mote_World *world)
{
    for (size_t i = 0; i < world->state_count; ++i) {
        const mote_StateArray *array = &world->state[i];
        size_t item = mote_array_item_size(array->type);
        for (size_t c = 0; c < (size_t)array->components; ++c)
            if (array->rows > 0)
                memset((char *)array->data + c * array->stride * item, 0xa5, array->rows * item);
    }
}

mote_Status world_reload(mote_World *world, mote_Error *error)
{
    mote_StateArray *copies;
    mote_Status status = world_copy_state(world, &world->arena, &copies, error);
    if (status != MOTE_OK) return status;
    size_t count = world->state_count;
    scramble(world);
    return world_restore_own(world, copies, count, error);
}
