/* What of a world a device can do. */
#include "world/world.h"

#include "base/status.h"
#include "device/device.h"

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
        if (what != NULL) return refuse(slot, " with ", what, error);
        any = true;
    }
    return any ? MOTE_OK : refuse(&world->slots[0], "", "", error);
}
