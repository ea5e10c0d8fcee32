/* What solving came to: counters for the report, and the particle that cannot go on. */
#include "world/world.h"

#include "base/status.h"

void world_begin_notes(mote_World *world)
{
    for (int i = 0; i < world->worker_count; ++i)
        world->workers[i].notes = (SolveNotes){.stuck_row = SIZE_MAX};
}

mote_Status world_end_notes(mote_World *world, const SystemSlot *slot, mote_Error *error)
{
    SolveNotes all = {.stuck_row = SIZE_MAX};
    for (int i = 0; i < world->worker_count; ++i) {
        const SolveNotes *notes = &world->workers[i].notes;
        world->report.accepted += notes->accepted;
        world->report.rejected += notes->rejected;
        if (notes->stuck_row < all.stuck_row) all = *notes;
    }
    if (all.stuck_row == SIZE_MAX) return MOTE_OK;
    const uint64_t *ids = slot->system->columns[COLUMN_ID].data;
    return status_fail(error, MOTE_DIVERGED,
                       "system %s: particle %llu: integrator %s rejected %llu steps within a "
                       "sub-step (at t = %g s, with steps down to %g s); likely a force is too "
                       "strong or jumps there, or the tolerances are too small",
                       slot->system->name, (unsigned long long)ids[all.stuck_row],
                       slot->solver.integrator->head.name, (unsigned long long)all.stuck_rejections,
                       all.stuck_t, all.stuck_dt);
}
