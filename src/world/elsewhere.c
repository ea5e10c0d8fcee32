/* What of a world a device can do, and what ranks can share. */
#include "world/world.h"

#include "base/status.h"
#include "device/device.h"

#include <stdio.h>

static mote_Status refuse(const SystemSlot *slot, const char *with, const char *what,
                          mote_Error *error)
{
    return status_fail(error, MOTE_UNAVAILABLE,
                       "system %s: solver %s%s%s has no device function yet; use --device cpu, or "
                       "auto, which leaves it to the processor, to the same bits",
                       slot->system->name, slot->solver->row->head.name, with, what);
}

/* A device that was asked for by name does all that a solver asks of it, or the world is refused:
 * who waits for a graphics card must know that it is not used. Systems whose solver asks nothing of
 * devices may stand beside others. */
mote_Status world_check_device(mote_World *world, mote_Error *error)
{
    const mote_Device *device = mote_tasks_device(world_tasks(world));
    const SystemSlot *beside = NULL;
    bool any = world->slot_count == 0;
    if (device == NULL || device_is_optional(device)) return MOTE_OK;
    if (ranks_are_many(world->shop.ranks))
        return status_fail(error, MOTE_UNAVAILABLE,
                           "a device cannot be shared by %d ranks yet; run this world on one, or "
                           "use --device cpu",
                           world->shop.ranks->count);
    for (size_t i = 0; i < world->slot_count; ++i) {
        const SystemSlot *slot = &world->slots[i];
        if (slot->solver->row->off_device == NULL) continue;
        const char *what = slot->solver->row->off_device(slot->solver);
        if (what != NULL && !slot->solver->row->beside) return refuse(slot, " with ", what, error);
        if (what != NULL && beside == NULL) beside = slot;
        any = any || what == NULL;
    }
    if (any) return MOTE_OK;
    if (beside == NULL) return refuse(&world->slots[0], "", "", error);
    return refuse(beside, " with ", beside->solver->row->off_device(beside->solver), error);
}

static mote_Status check_fields(const mote_World *world, mote_Error *error)
{
    char what[160];
    for (size_t i = 0; i < world->fields.count; ++i) {
        const Field *field = world->fields.items[i];
        if (field->particles.name == NULL) continue;
        snprintf(what, sizeof what, "field %.100s: a field made of particles", field->object.name);
        return spread_refuse(&world->spread, what, error);
    }
    return MOTE_OK;
}

mote_Status world_check_spread(mote_World *world, mote_Error *error)
{
    const RowSpread *spread = &world->spread;
    if (!ranks_are_many(world->shop.ranks)) return MOTE_OK;
    if (world->def.record_events) return spread_refuse(spread, "world: record_events", error);
    if (world->def.reload_always) return spread_refuse(spread, "world: reload_always", error);
    mote_Status status = check_fields(world, error);
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        status = spread_check(spread, &world->slots[i], error);
    return status;
}
