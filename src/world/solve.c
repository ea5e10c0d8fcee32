/* The solve stage: what it needs before a step, what a solver sees of a sub-step, and what is done
 * around each of its systems. */
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

/* Rates are followed row by row. */
static mote_Status check_rates(const mote_World *world, mote_Error *error)
{
    for (size_t i = 0; i < world->slot_count; ++i) {
        const SystemSlot *slot = &world->slots[i];
        if (slot->rates == NULL || slot->rates->changing == 0) continue;
        if (slot->solver->row == &points_solver_row) continue;
        return status_fail(error, MOTE_BAD_VALUE,
                           "system %s: the rate of %s cannot be followed by solver %s: its "
                           "particles act on each other; leave the rate out, or what ties them",
                           slot->system->name, slot->rates->items[0].name,
                           slot->solver->row->head.name);
    }
    return MOTE_OK;
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
    if (status == MOTE_OK) status = check_rates(world, error);
    if (status == MOTE_OK) status = world_plan_solvers(world, error);
    if (status == MOTE_OK) status = world_find_obstacles(world, error);
    if (status == MOTE_OK) status = world_plan_bodies(world, error);
    world->planned = status == MOTE_OK;
    return status;
}

/* ---- what a solver sees ---- */

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

/* Whether steps of an adaptive scheme may reach over the end of the sub-step: where nothing but
 * forces of place, velocity and time acts on rows, and these do not change from sub-step to
 * sub-step. */
static bool may_look_ahead(const mote_World *world, const SystemSlot *slot)
{
    const PointsSolver *points = &slot->points;
    const mote_real *period = world->shop.period;
    if (points->integrator->recall == NULL || !points->params.dense) return false;
    if (slot->rates != NULL || slot->solver->row != &points_solver_row || slot->check > 0 ||
        slot->sink_count > 0 || slot->broad.count > 0)
        return false;
    if (world->def.before_substep != NULL || !world_fields_rest(world)) return false;
    for (size_t f = 0; f < points->force_count; ++f)
        if (points->forces[f]->collider != NULL) return false;
    return !(period[0] > 0 || period[1] > 0 || period[2] > 0);
}

/* What all systems of a solver need before the first is solved. */
static mote_Status ready_slot(mote_World *world, SystemSlot *slot, const TimeSpan *span,
                              mote_Error *error)
{
    if (!system_refresh_notes(slot->system))
        return status_no_memory(error, slot->system->name, system_blocks(slot->system));
    if (slot->check > 0)
        slot_begin_interval(slot, span->start, span->dt, span->frame_step, world->shop.ends_frame);
    system_settle_history(slot->system);
    slot->points.longest = may_look_ahead(world, slot) ? world->def.max_step : 0;
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

/* What solving came to: counters for the report, and the particle that cannot go on. */
static void begin_notes(mote_World *world)
{
    for (int i = 0; i < world->shop.worker_count; ++i)
        world->shop.workers[i].notes = (SolveNotes){.stuck_row = SIZE_MAX};
}

static mote_Status fail_formula(const SolveNotes *notes, mote_Error *error)
{
    const uint64_t *ids = notes->wrong_system->columns[COLUMN_ID].data;
    return status_fail(error, MOTE_DIVERGED,
                       "%s: %s of particle %llu of system %s would be %g at t = %g s; does the "
                       "expression divide by 0, or take away more than there is?",
                       notes->wrong_place, notes->wrong_what,
                       (unsigned long long)ids[notes->wrong_row], notes->wrong_system->name,
                       notes->wrong_value, notes->wrong_t);
}

static mote_Status end_notes(mote_World *world, const SystemSlot *slot, mote_Error *error)
{
    SolveNotes all = {.stuck_row = SIZE_MAX};
    const SolveNotes *wrong = NULL;
    for (int i = 0; i < world->shop.worker_count; ++i) {
        const SolveNotes *notes = &world->shop.workers[i].notes;
        world->report.accepted += notes->accepted;
        world->report.rejected += notes->rejected;
        if (notes->wrong_what != NULL && (wrong == NULL || notes->wrong_row < wrong->wrong_row))
            wrong = notes;
        if (notes->stuck_row < all.stuck_row) all = *notes;
    }
    if (wrong != NULL) return fail_formula(wrong, error);
    if (all.stuck_row == SIZE_MAX) return MOTE_OK;
    const mote_System *system = all.stuck_system != NULL ? all.stuck_system : slot->system;
    const uint64_t *ids = system->columns[COLUMN_ID].data;
    return status_fail(error, MOTE_DIVERGED,
                       "system %s: particle %llu: integrator %s rejected %llu steps within a "
                       "sub-step (at t = %g s, with steps down to %g s); likely a force is too "
                       "strong or jumps there, or the tolerances are too small",
                       system->name, (unsigned long long)ids[all.stuck_row],
                       slot->points.integrator->head.name, (unsigned long long)all.stuck_rejections,
                       all.stuck_t, all.stuck_dt);
}

static mote_Status run_slot(mote_World *world, size_t number, const TimeSpan *span,
                            mote_Error *error)
{
    SystemSlot *slot = &world->slots[number];
    SolverStep step = world_solver_step(world, slot->solver, span);
    mote_Status status = MOTE_OK;
    step.member = slot->member;
    for (size_t i = slot->member; i < slot->solver->system_count && status == MOTE_OK; ++i)
        status = ready_slot(world, step.slots[i], span, error);
    if (status == MOTE_OK) status = world_begin_touches(world, slot, error);
    if (status == MOTE_OK) status = place_colliders(world, slot, span, error);
    if (status != MOTE_OK) return status;
    begin_notes(world);
    status = slot->solver->row->solve(&step, error);
    if (status == MOTE_OK) status = end_notes(world, slot, error);
    return status == MOTE_OK ? world_end_touches(world, number, span_end(span), error) : status;
}

mote_Status world_solve(mote_World *world, const TimeSpan *span, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        status = run_slot(world, i, span, error);
    return status;
}
