/* Colliders in a world: adding them, where they are in a sub-step, and what particles did to them.
 */
#include "world/objects.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* ---- how a system collides ---- */

mote_Status world_set_collide(mote_World *world, const mote_SystemDef *def, SystemSlot *slot,
                              mote_Error *error)
{
    const char *name = def->collide.algorithm != NULL ? def->collide.algorithm : "contact";
    const CollideRow *row =
        (const CollideRow *)world_find_row(world, collide_rows, "collide algorithm", name, error);
    if (row == NULL) return MOTE_BAD_VALUE;
    slot->broad = broad_make(&world->memory);
    slot->collide_def = def->collide;
    slot->collide_def.algorithm = row->head.name;
    slot->collide = row->resolve != NULL ? row : NULL;
    char where[128];
    snprintf(where, sizeof where, "system %.100s: collide", def->name);
    return mote_row_check(&collide_row, where, &def->collide, error);
}

/* ---- planning ---- */

/* Sinks do not bounce anything: they are asked when rows retire. */
bool world_plan_colliders(mote_World *world, SystemSlot *slot, uint64_t bit)
{
    Broad *broad = &slot->broad;
    broad->count = slot->sink_count = 0;
    if (!memory_reserve(&world->memory, (void **)&broad->colliders, &slot->collider_capacity,
                        world->colliders.count, sizeof *broad->colliders) ||
        !memory_reserve(&world->memory, (void **)&slot->sinks, &slot->sink_capacity,
                        world->colliders.count, sizeof *slot->sinks))
        return false;
    for (size_t i = 0; i < world->colliders.count; ++i) {
        Collider *collider = world->colliders.items[i];
        collider->number = (uint32_t)i;
        if ((collider->systems & bit) == 0) continue;
        if (collider->def.sink)
            slot->sinks[slot->sink_count++] = collider;
        else
            broad->colliders[broad->count++] = collider;
    }
    return true;
}

void world_free_broad(mote_World *world, SystemSlot *slot)
{
    memory_free(&world->memory, slot->broad.colliders,
                slot->collider_capacity * sizeof *slot->broad.colliders);
    memory_free(&world->memory, slot->sinks, slot->sink_capacity * sizeof *slot->sinks);
    broad_free(&slot->broad);
}

mote_Status world_prepare_colliders(mote_World *world, double t, double dt, mote_Error *error)
{
    for (size_t i = 0; i < world->colliders.count; ++i) {
        mote_Status status = collider_prepare(world->colliders.items[i], t, dt, error);
        if (status != MOTE_OK) return status;
    }
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        if (world->slots[i].collide != NULL) status = broad_build(&world->slots[i].broad, error);
    return status;
}

bool world_colliders_change(const mote_World *world)
{
    for (size_t i = 0; i < world->colliders.count; ++i) {
        const Collider *collider = world->colliders.items[i];
        if (collider->def.measure || collider->def.sink || !collider_stands(collider)) return true;
    }
    for (size_t i = 0; i < world->slot_count; ++i)
        if (world->slots[i].collide_def.inside != MOTE_INSIDE_PUSH || world->slots[i].check > 0)
            return true;
    return false;
}

/* ---- what particles did ---- */

static bool is_measured(const mote_World *world)
{
    for (size_t i = 0; i < world->colliders.count; ++i)
        if (((const Collider *)world->colliders.items[i])->def.measure) return true;
    return false;
}

mote_Status world_begin_touches(mote_World *world, SystemSlot *slot, mote_Error *error)
{
    size_t rows = slot->system->count, bytes = (rows + 1) * sizeof *slot->touched;
    slot->touched = NULL;
    if (!slot_collides(slot) || (!world->def.record_events && !is_measured(world))) return MOTE_OK;
    slot->touched = arena_take(&world->arena, bytes);
    if (slot->touched == NULL) return status_no_memory(error, "touches of colliders", bytes);
    for (size_t i = 0; i < rows; ++i) slot->touched[i].count = 0, slot->touched[i].hit = false;
    return MOTE_OK;
}

/* One event a row and sub-step: the collider that it touched first. */
static bool add_hit(mote_World *world, size_t number, size_t row, double time)
{
    const SystemSlot *slot = &world->slots[number];
    const Touch *touch = &slot->touched[row].touches[0];
    const uint64_t *ids = slot->system->columns[COLUMN_ID].data;
    const mote_real *mass = slot->system->columns[COLUMN_MASS].data;
    mote_Event event = {.time = time,
                        .id = ids[row],
                        .kind = MOTE_EVENT_HIT,
                        .system = (uint32_t)number,
                        .collider = touch->collider,
                        .impulse = (double)(mass[row] * vec3_length(touch->change))};
    return world_add_event(world, &event);
}

static bool add_hits(mote_World *world, size_t number, double time)
{
    const SystemSlot *slot = &world->slots[number];
    if (slot->touched == NULL || !world->def.record_events) return true;
    for (size_t row = 0; row < slot->system->count; ++row)
        if (slot->touched[row].hit && !add_hit(world, number, row, time)) return false;
    return true;
}

static mote_Status refuse_inside(const mote_World *world, const SystemSlot *slot, mote_Error *error)
{
    uint64_t id = UINT64_MAX;
    for (int i = 0; i < world->shop.worker_count; ++i)
        if (world->shop.workers[i].tally.first_inside < id)
            id = world->shop.workers[i].tally.first_inside;
    if (slot->collide_def.inside != MOTE_INSIDE_ERROR || id == UINT64_MAX) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "system %s: particle %llu is inside a collider; start it outside, or set "
                       "collide.inside to push or delete",
                       slot->system->name, (unsigned long long)id);
}

mote_Status world_end_touches(mote_World *world, size_t number, double time, mote_Error *error)
{
    SystemSlot *slot = &world->slots[number];
    const Touches touches = {slot->system, slot->touched, world->shop.colliders,
                             world->shop.collider_count, slot_ranks(&world->shop, slot)};
    mote_Status status = touches_share(&touches, error);
    if (status == MOTE_OK) status = touches_collect(&touches, error);
    if (status != MOTE_OK) return status;
    if (!add_hits(world, number, time))
        return status_no_memory(error, "events", slot->system->count);
    status = refuse_inside(world, slot, error);
    for (int i = 0; i < world->shop.worker_count; ++i)
        world->shop.workers[i].tally.first_inside = UINT64_MAX;
    return status;
}

mote_Status mote_world_collider_load(const mote_World *world, const char *name,
                                     mote_ColliderLoad *load, mote_Error *error)
{
    const Collider *collider = world_object(&world->colliders, name);
    if (collider == NULL)
        return status_fail(error, MOTE_BAD_VALUE, "there is no collider `%s`", name);
    *load = collider->load;
    return MOTE_OK;
}
