/* The solve stage: what it needs before a step, what a solver sees of a sub-step, and what is done
 * around each of its systems. */
#include "base/machine.h"
#include "base/status.h"
#include "particles/history.h"
#include "world/solvers.h"

#include <string.h>

/* ---- before a step ---- */

/* Which forces, links and colliders act on the slot. */
static bool plan_slot(mote_World *world, SystemSlot *slot, uint64_t bit)
{
    Memory *memory = &world->memory;
    if (!memory_reserve(memory, (void **)&slot->forces, &slot->force_capacity,
                        world->forces.count + 1, sizeof *slot->forces) ||
        !memory_reserve(memory, (void **)&slot->links, &slot->link_capacity, world->links.count,
                        sizeof *slot->links) ||
        !world_plan_colliders(world, slot, bit))
        return false;
    slot->points.force_count = slot->link_count = 0;
    for (size_t i = 0; i < world->forces.count; ++i) {
        const Force *force = world->forces.items[i];
        if ((force->systems & bit) != 0) slot->forces[slot->points.force_count++] = force;
    }
    for (size_t i = 0; i < world->links.count; ++i) {
        Links *links = world->links.items[i];
        if (((uint64_t)1 << links->system) == bit) slot->links[slot->link_count++] = links;
    }
    const Force *repulsion = slot_repulsion(slot);
    if (repulsion != NULL) slot->forces[slot->points.force_count++] = repulsion;
    slot->points.forces = slot->forces;
    return true;
}

/* Worked out once after objects were added; scratch memory for every worker, too. */
mote_Status world_plan(mote_World *world, mote_Error *error)
{
    if (world->planned) return MOTE_OK;
    size_t planes = 0;
    bool room = true;
    for (size_t i = 0; i < world->slot_count && room; ++i) {
        SystemSlot *slot = &world->slots[i];
        size_t wanted = (size_t)integrator_scratch_planes(slot->points.integrator) +
                        rates_scratch_planes(slot->rates);
        if (wanted > planes) planes = wanted;
        room = plan_slot(world, slot, (uint64_t)1 << i);
    }
    room = room && shop_make_workers(&world->shop, planes);
    if (!room) return status_no_memory(error, "a step's scratch memory", planes * SCRATCH_STRIDE);
    world->shop.colliders = (Collider *const *)world->colliders.items;
    world->shop.collider_count = world->colliders.count;
    const Slots slots = world_slots(world);
    mote_Status status =
        companies_plan(&slots, world_forces(world), world->forces.count, &world->mutual, error);
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        status = slot_check_rates(&world->slots[i], error);
    if (status == MOTE_OK) status = world_plan_solvers(world, error);
    if (status == MOTE_OK) status = world_find_obstacles(world, error);
    if (status == MOTE_OK) status = world_plan_bodies(world, error);
    if (status == MOTE_OK) status = world_check_spread(world, error);
    if (status == MOTE_OK) status = world_check_device(world, error);
    world->planned = status == MOTE_OK;
    return status;
}

mote_Status world_begin(mote_World *world, mote_Error *error)
{
    mote_Status status = ranks_agree(world->shop.ranks, world_plan(world, error), error);
    const Slots slots = world_slots(world);
    return status == MOTE_OK ? spread_settle(&world->spread, &slots, error) : status;
}

/* ---- what a solver sees ---- */

/* Systems of one solver are its members, numbered as they joined. */
static SystemSlot *slot_of(mote_World *world, const Solver *solver, size_t member)
{
    for (size_t i = 0; i < world->slot_count; ++i)
        if (world->slots[i].solver == solver && world->slots[i].member == member)
            return &world->slots[i];
    return NULL;
}

SolverStep world_solver_step(mote_World *world, Solver *solver, const TimeSpan *span)
{
    const mote_WorldDef *def = &world->def;
    SolverStep step = {.solver = solver,
                       .tasks = world_tasks(world),
                       .memory = &world->memory,
                       .arena = &world->arena,
                       .isa = world->isa,
                       .t = span->start,
                       .dt = span->dt,
                       .steps = span->steps,
                       .layout = span->layout,
                       .before = span->before,
                       .number = span->first_step,
                       .seed = def->seed,
                       .flat = def->dimension == 2,
                       .box_min = def->box_min,
                       .box_max = def->box_max,
                       .gravity = def->gravity,
                       .shop = &world->shop};
    memcpy(step.period, world->shop.period, sizeof step.period);
    for (size_t i = 0; i < solver->system_count; ++i) {
        SystemSlot *slot = slot_of(world, solver, i);
        step.slots[i] = slot;
        step.rows[i] =
            slot->first_new < slot->system->count ? slot->first_new : slot->system->count;
        step.walls[i] = &slot->broad;
    }
    return step;
}

/* ---- around a solve ---- */

/* What all systems of a solver need before the first is solved. */
static mote_Status ready_slot(mote_World *world, SystemSlot *slot, const TimeSpan *span,
                              mote_Error *error)
{
    if (!system_refresh_notes(slot->system))
        return status_no_memory(error, slot->system->name, system_blocks(slot->system));
    if (slot->check > 0)
        slot_begin_interval(slot, span->start, span->dt, span->frame_step, world->shop.ends_frame);
    system_settle_history(slot->system);
    const bool same = world->def.before_substep == NULL && world_fields_rest(world);
    /* Steps of adaptive integrators may reach over the sub-step's end where nothing else changes
     * meanwhile: else the end would cut most of them short. */
    slot->points.longest =
        same && slot_may_look_ahead(slot, &world->shop) ? world->def.max_step : 0;
    return MOTE_OK;
}

/* With collide.interval, colliders move from the interval's start to its end. */
static mote_Status place_colliders(mote_World *world, SystemSlot *slot, const TimeSpan *span,
                                   mote_Error *error)
{
    double start = slot->check > 0 ? slot->interval_start : span->start;
    slot->walls.start = start, slot->walls.dt = span_end(span) - start;
    if (!world->has_intervals) return MOTE_OK;
    return world_prepare_colliders(world, start, span_end(span) - start, error);
}

/* All that a solve of this rank may want memory for before its solver speaks with others. */
static mote_Status ready_rows(mote_World *world, SystemSlot *slot, const SolverStep *step,
                              const TimeSpan *span, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = slot->member; i < slot->solver->system_count && status == MOTE_OK; ++i)
        status = ready_slot(world, step->slots[i], span, error);
    if (status == MOTE_OK) status = world_begin_touches(world, slot, error);
    if (status == MOTE_OK) status = place_colliders(world, slot, span, error);
    return status;
}

/* s, which stand while a rank waits for others; of one rank nobody asks. */
static double work_clock(const mote_World *world)
{
    return ranks_are_many(world->shop.ranks) ? clock_seconds() - world->waits.seconds : 0;
}

/* What this rank does of it. */
static mote_Status solve_rows(mote_World *world, SystemSlot *slot, const TimeSpan *span,
                              mote_Error *error)
{
    SolverStep step = world_solver_step(world, slot->solver, span);
    step.member = slot->member;
    mote_Status status =
        ranks_agree(world->shop.ranks, ready_rows(world, slot, &step, span, error), error);
    if (status != MOTE_OK) return status;
    step.stays = world_rows_may_stay(world, span_end(span));
    SolveNotes sums = {.accepted = 0};
    const double begun = work_clock(world);
    shop_begin_notes(&world->shop);
    status = slot->solver->row->solve(&step, error);
    slot->all.busy += work_clock(world) - begun, slot->all.worked += slot->system->count;
    if (status == MOTE_OK) status = shop_end_notes(&world->shop, slot, &sums, error);
    world->report.accepted += sums.accepted, world->report.rejected += sums.rejected;
    return status;
}

static mote_Status run_slot(mote_World *world, size_t number, const TimeSpan *span,
                            mote_Error *error)
{
    const RankCounts before = world_counts(world);
    mote_Status status = solve_rows(world, &world->slots[number], span, error);
    world_count_copies(world, &world->slots[number], &before);
    status = ranks_agree(world->shop.ranks, status, error); /* loads are sums over all */
    return status == MOTE_OK ? world_end_touches(world, number, span_end(span), error) : status;
}

mote_Status world_solve(mote_World *world, const TimeSpan *span, mote_Error *error)
{
    const Slots slots = world_slots(world);
    mote_Status status = spread_share_radii(&world->spread, &slots, error);
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        status = run_slot(world, i, span, error);
    return status;
}
