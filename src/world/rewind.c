/* Frames that are begun again. Rows that stay on a device are lost with it; so while there is one,
 * the state at a frame's start is kept, and the processor goes on from there, to the same bits. */
#include "world/world.h"

#include "base/status.h"
#include "device/device.h"
#include "world/solvers.h"

#include <math.h>

/* Whether a solver may have rows elsewhere. */
static bool rows_may_be_away(const mote_World *world)
{
    const mote_Device *device = mote_tasks_device(world->def.tasks);
    if (device == NULL || !device_is_well(device)) return false;
    for (size_t i = 0; i < world->solvers.count; ++i)
        if (((const Solver *)world->solvers.items[i])->row->home != NULL) return true;
    return false;
}

mote_Status world_bring_home(mote_World *world, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->solvers.count && status == MOTE_OK; ++i) {
        Solver *solver = world->solvers.items[i];
        if (solver->row->home != NULL) status = solver->row->home(solver, error);
    }
    return status;
}

/* Until when no row of a system dies or is looked at; of many rows not to be asked in every
 * sub-step.
 */
static double quiet_until(const mote_System *system)
{
    double until = (double)INFINITY;
    for (size_t block = 0; block < system_blocks(system); ++block) {
        const BlockNote *note = &system->notes[block];
        if (note->suspect) return -(double)INFINITY;
        if (note->earliest_death < until) until = note->earliest_death;
    }
    return until;
}

bool world_rows_may_stay(mote_World *world, double end)
{
    const mote_WorldDef *def = &world->def;
    const SystemSlot *slot = &world->slots[0];
    if (def->bounded || def->record_events || def->reload_always || def->before_substep != NULL ||
        world->slot_count > 1 || slot->sink_count > 0 || world->fields.count > 0)
        return false;
    if (!slot->solver->away) world->quiet_until = quiet_until(slot->system);
    return world->quiet_until > end;
}

mote_Status world_keep_start(mote_World *world, mote_Error *error)
{
    FrameStart *start = &world->frame_start;
    start->count = 0;
    if (!rows_may_be_away(world)) return MOTE_OK;
    arena_reset(&start->arena);
    mote_Status status = world_copy_state(world, &start->arena, &start->arrays, error);
    if (status != MOTE_OK) return status;
    start->tallies = arena_take(&start->arena, (world->solvers.count + 1) * sizeof *start->tallies);
    if (start->tallies == NULL) return status_no_memory(error, "the start of a frame", 1);
    for (size_t i = 0; i < world->solvers.count; ++i)
        start->tallies[i] = ((const Solver *)world->solvers.items[i])->tally;
    start->count = world->state_count;
    return MOTE_OK;
}

/* What a device has no memory for is for the user to say, unless any would have done. */
bool world_can_rewind(const mote_World *world)
{
    const mote_Device *device = mote_tasks_device(world->def.tasks);
    if (world->frame_start.count == 0 || device_is_well(device)) return false;
    return device_is_optional(device) || !device_is_too_small(device);
}

mote_Status world_rewind(mote_World *world, mote_Error *error)
{
    FrameStart *start = &world->frame_start;
    mote_Status status = mote_world_restore(world, start->arrays, start->count, error);
    for (size_t i = 0; i < world->solvers.count; ++i)
        ((Solver *)world->solvers.items[i])->tally = start->tallies[i];
    start->count = 0;
    return status;
}
