/* Births, and how long a sub-step is. */
#include "world/world.h"

#include "base/status.h"
#include "world/solvers.h"

#include <math.h>

void world_note_living(mote_World *world)
{
    for (size_t i = 0; i < world->slot_count; ++i) {
        SystemSlot *slot = &world->slots[i];
        slot->first_new = slot->system->count;
    }
}

/* The first of all are dealt to all ranks; later ones come behind the last. */
static void note_births(const mote_World *world, SystemSlot *slot, size_t births)
{
    const mote_Ranks *ranks = world->shop.ranks;
    for (int r = 0; r < ranks->count && slot->all.count == 0; ++r)
        if (ranks_slice_begin(ranks, r, births, BLOCK_ROWS) < births) slot->all.tail = r;
    slot->all.count += births;
    slot->all.next_id = slot->system->next_id;
}

/* Where somebody limits the sub-step, bursts come between sub-steps, so that limits know the rows;
 * and where rows feel each other, so that they begin together. */
static bool bursts_are_between(const mote_World *world)
{
    return world->limited || world->mutual;
}

/* s: bursts that are nearer to each other, or to a frame's end, than this are at one time. Between
 * 15 x 0.02 and 12 x 0.025 s lies a rounding error, and pressures that have to act within a
 * sub-step as short as that are beyond all bounds. */
static double burst_slack(const mote_World *world)
{
    return bursts_are_between(world) ? 1e-3 * world->def.max_step : 0;
}

/* What an emitter bears in the span, or at its start alone: the bursts that are due. */
static mote_Status emit_from(mote_World *world, Emitter *emitter, const TimeSpan *span, bool due,
                             mote_Error *error)
{
    const double slack = burst_slack(world);
    SystemSlot *slot = &world->slots[emitter->system];
    mote_System *system = slot->system;
    const EmitSite site = {.system = system,
                           .company = slot->solver->systems,
                           .company_count = slot->solver->system_count,
                           .tasks = world_tasks(world),
                           .flat = world->def.dimension == 2,
                           .ranks = slot_ranks(&world->shop, slot),
                           .total = slot->all.count,
                           .tail = slot->all.tail};
    const size_t before = system->count;
    const uint64_t next_id = system->next_id;
    mote_Status status =
        due ? emitter_emit_due(emitter, &site, span->start, slack, error)
            : emitter_emit(emitter, &site, span->start, span_end(span) - span->start, slack, error);
    const size_t births = (size_t)(system->next_id - next_id); /* places may have no room */
    world->report.emitted += births;
    note_births(world, slot, births);
    if (status != MOTE_OK) return status;
    return rates_bear(slot->rates, system, before, system->count - before, error);
}

static mote_Status emit(mote_World *world, const TimeSpan *span, bool due, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->emitters.count && status == MOTE_OK; ++i) {
        Emitter *emitter = world->emitters.items[i];
        if (!emitter_rests(emitter, span->start, span_end(span) + world->def.max_step))
            status = world_bring_home(world, error);
        if (status != MOTE_OK) break;
        status = emit_from(world, emitter, span, due, error);
        status = ranks_agree(world->shop.ranks, status, error);
    }
    return status;
}

mote_Status world_emit_bursts(mote_World *world, TimeSpan *span, mote_Error *error)
{
    if (!bursts_are_between(world)) return MOTE_OK;
    mote_Status status = emit(world, span, true, error);
    world_note_living(world);
    return status;
}

mote_Status world_emit(mote_World *world, TimeSpan *span, mote_Error *error)
{
    return emit(world, span, false, error);
}

/* Sub-steps end where a burst is due, so that it begins with one. */
static double next_burst(const mote_World *world, double end)
{
    for (size_t i = 0; i < world->emitters.count && world->limited; ++i) {
        double time = emitter_next_burst(world->emitters.items[i]);
        if (time < end - burst_slack(world)) end = time;
    }
    return end;
}

/* Blocks know when the first of their rows dies. */
static bool nobody_dies(const mote_System *system, double end)
{
    for (size_t block = 0; block < system_blocks(system); ++block)
        if (system->notes[block].earliest_death <= end) return false;
    return true;
}

/* True when no row is born, dies, leaves or is watched, and no parameter changes, until `end`: then
 * a block may go through all sub-steps of the frame while it is in the cache, to the same bits. */
static bool is_undisturbed(mote_World *world, double start, double end)
{
    const mote_WorldDef *def = &world->def;
    if (def->bounded || def->record_events || def->reload_always || def->before_substep != NULL ||
        world_colliders_change(world))
        return false;
    if (!world_fields_rest(world) || !world_probes_rest(world)) return false;
    for (size_t i = 0; i < world->emitters.count; ++i)
        if (!emitter_rests(world->emitters.items[i], start, end)) return false;
    for (size_t i = 0; i < world->slot_count; ++i)
        if (!world->slots[i].solver->row->fuses || world->slots[i].solver->system_count > 1 ||
            !system_refresh_notes(world->slots[i].system) ||
            !nobody_dies(world->slots[i].system, end))
            return false;
    return true;
}

/* Sub-steps that a block goes through while somebody waits to stop them: few enough to wait for,
 * and enough to be quick. */
enum { WATCHED_AT_ONCE = 16 };

double world_substeps(double time, double longest)
{
    return ceil(time / longest * (1 - 1e-9));
}

/* Equal sub-steps as long as the limit allows, up to the frame's end or a burst. */
static mote_Status lay_out(mote_World *world, double start, mote_Error *error)
{
    Pace *pace = &world->pace;
    double until = next_burst(world, pace->frame_end), left = until - start;
    double most = left < world->def.max_step ? left : world->def.max_step;
    double limit = world_solver_limit(world, start, most);
    double steps = world_substeps(left, limit);
    if (!(steps < 1e9))
        return status_fail(
            error, MOTE_DIVERGED,
            "a solver asks for sub-steps of %g s (t = %g s); likely particles move "
            "too fast or are not finite, or a viscosity is too large for the spacing",
            limit, start);
    pace->start = start, pace->until = until;
    pace->count = steps < 1 ? 1 : (uint64_t)steps, pace->done = 0;
    pace->dt = left / (double)pace->count;
    const uint64_t most_at_once = world->cancelled != NULL ? WATCHED_AT_ONCE : UINT64_MAX;
    double disturbed = is_undisturbed(world, start, until) ? 0 : 1;
    mote_Status status = ranks_most(world->shop.ranks, &disturbed, 1, error);
    pace->at_once = disturbed > 0 ? 1 : pace->count < most_at_once ? pace->count : most_at_once;
    return status;
}

/* Where nobody limits the sub-step, the layout of the frame's start holds; else it is made anew
 * before each. */
mote_Status world_limit(mote_World *world, TimeSpan *span, mote_Error *error)
{
    Pace *pace = &world->pace;
    mote_StepReport *report = &world->report;
    bool laid_out = !world->limited && pace->done < pace->count;
    mote_Status status = laid_out ? MOTE_OK : lay_out(world, span->start, error);
    if (status != MOTE_OK) return status;
    const uint64_t left = pace->count - pace->done;
    span->dt = pace->dt, span->steps = pace->at_once < left ? pace->at_once : left;
    pace->done += span->steps;
    world->shop.ends_frame = pace->done == pace->count && pace->until == pace->frame_end;
    report->dt = span->dt;
    if (!(report->shortest > 0) || span->dt < report->shortest) report->shortest = span->dt;
    return MOTE_OK;
}
