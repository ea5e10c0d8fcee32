/* The step: the order of everything, written once. */
#include "world/world.h"

#include "base/status.h"
#include "particles/history.h"
#include "world/solvers.h"

#include <math.h>
#include <string.h>
#include <time.h>

double world_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

const char *mote_stage_name(int stage)
{
    static const char *const names[MOTE_STAGE_COUNT] = {"emit",    "bodies", "solve",
                                                        "collide", "guard",  "retire"};
    return names[stage];
}

static double span_end(const TimeSpan *span)
{
    return span->start + (double)(span->steps - 1) * span->dt + span->dt;
}

/* ---- stages over all rows ---- */

static void note_living(mote_World *world)
{
    for (size_t i = 0; i < world->slot_count; ++i) {
        SystemSlot *slot = &world->slots[i];
        slot->first_new = slot->system->count;
    }
}

/* Solvers may take rows out: who lives is noted again. */
static mote_Status begin_stage(mote_World *world, const TimeSpan *span, mote_Error *error)
{
    note_living(world);
    mote_Status status = world_begin_solvers(world, span, error);
    note_living(world);
    return status;
}

static mote_Status emit_stage(mote_World *world, const TimeSpan *span, mote_Error *error)
{
    bool flat = world->def.dimension == 2;
    for (size_t i = 0; i < world->emitters.count; ++i) {
        Emitter *emitter = world->emitters.items[i];
        uint64_t before = emitter->emitted;
        mote_Status status =
            emitter_emit(emitter, world->slots[emitter->system].system, span->start,
                         span_end(span) - span->start, flat, world_tasks(world), error);
        if (status != MOTE_OK) return status;
        world->report.emitted += emitter->emitted - before;
    }
    return MOTE_OK;
}

/* Bursts come between sub-steps, so that limits know the rows, and that rows which feel each other
 * begin together. */
static mote_Status emit_due(mote_World *world, double t, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->emitters.count && status == MOTE_OK; ++i) {
        Emitter *emitter = world->emitters.items[i];
        uint64_t before = emitter->emitted;
        status = emitter_emit_due(emitter, world->slots[emitter->system].system, t,
                                  world->def.dimension == 2, world_tasks(world), error);
        world->report.emitted += emitter->emitted - before;
    }
    note_living(world);
    return status;
}

static mote_Status burst_stage(mote_World *world, const TimeSpan *span, mote_Error *error)
{
    return world->mutual ? emit_due(world, span->start, error) : MOTE_OK;
}

/* With collide.interval, colliders move from the interval's start to its end. */
static mote_Status begin_interval(mote_World *world, SystemSlot *slot, const TimeSpan *span,
                                  mote_Error *error)
{
    if (!world->has_intervals) return MOTE_OK;
    double start = span->start, end = span_end(span);
    if (slot->check > 0) {
        world_begin_interval(slot, span, world->ends_frame);
        start = slot->interval_start;
    }
    return world_prepare_colliders(world, start, end - start, error);
}

static mote_Status block_stages(mote_World *world, const TimeSpan *span, mote_Error *error)
{
    for (size_t i = 0; i < world->slot_count; ++i) {
        SystemSlot *slot = &world->slots[i];
        if (!system_refresh_notes(slot->system))
            return status_no_memory(error, slot->system->name, system_blocks(slot->system));
        mote_Status status = world_begin_touches(world, slot, error);
        if (status == MOTE_OK) status = begin_interval(world, slot, span, error);
        if (status != MOTE_OK) return status;
        system_settle_history(slot->system);
        world_begin_notes(world);
        if (slot->whole != NULL)
            status = world_run_solver(world, slot, span, error);
        else if (slot_is_coupled(slot))
            status = world_run_coupled(world, slot, span, error);
        else
            world_run_blocks(world, slot, span, 0);
        if (status == MOTE_OK) status = world_end_notes(world, slot, error);
        if (status == MOTE_OK) status = world_end_touches(world, i, span_end(span), error);
        if (status != MOTE_OK) return status;
    }
    return MOTE_OK;
}

static mote_Status exchange_stage(mote_World *world, const TimeSpan *span, mote_Error *error)
{
    (void)span, (void)error;
    world_exchange(world);
    return MOTE_OK;
}

static mote_Status retire_stage(mote_World *world, const TimeSpan *span, mote_Error *error)
{
    for (size_t i = 0; i < world->slot_count; ++i) {
        mote_Status status = world_retire(world, &world->slots[i], span_end(span), error);
        if (status != MOTE_OK) return status;
    }
    return MOTE_OK;
}

static const struct {
    int stage; /* MOTE_STAGE_COUNT: times itself */
    mote_Status (*run)(mote_World *world, const TimeSpan *span, mote_Error *error);
} stages[] = {
    {MOTE_STAGE_EMIT, burst_stage},
    {MOTE_STAGE_SOLVE, begin_stage}, /* neighbours: rows are sorted before births */
    {MOTE_STAGE_EMIT, emit_stage},
    {MOTE_STAGE_COUNT, block_stages}, /* solve, collide, guard: fused per block */
    {MOTE_STAGE_BODIES, exchange_stage},
    {MOTE_STAGE_RETIRE, retire_stage},
};

/* Parameters may have changed since the last sub-step. */
static mote_Status change_parameters(mote_World *world, double t, mote_Error *error)
{
    if (world->def.before_substep == NULL) return MOTE_OK;
    return world->def.before_substep(world->def.before_context, world, t, error);
}

static mote_Status prepare_objects(mote_World *world, double t, double dt, mote_Error *error)
{
    mote_Status status = world_prepare_colliders(world, t, dt, error);
    return status == MOTE_OK ? world_prepare_fields(world, t, dt, error) : status;
}

mote_Status world_prepare(mote_World *world, double t, double dt, mote_Error *error)
{
    mote_Status status = change_parameters(world, t, error);
    return status == MOTE_OK ? prepare_objects(world, t, dt, error) : status;
}

/* Bodies go ahead: everything else meets them on their way from t to t + dt. */
static mote_Status begin_span(mote_World *world, double t, double dt, mote_Error *error)
{
    double before = world_clock();
    mote_Status status = change_parameters(world, t, error);
    if (status == MOTE_OK) status = world_move_bodies(world, t, dt, error);
    world->report.stage_seconds[MOTE_STAGE_BODIES] += world_clock() - before;
    return status == MOTE_OK ? prepare_objects(world, t, dt, error) : status;
}

/* The clock, also of the systems, for rows added by the user. */
static void set_time(mote_World *world, double time)
{
    world->time = time;
    for (size_t i = 0; i < world->slot_count; ++i) world->slots[i].system->now = time;
}

static mote_Status run_span(mote_World *world, const TimeSpan *span, mote_Error *error)
{
    arena_reset(&world->arena);
    double end = span_end(span);
    mote_Status status = begin_span(world, span->start, end - span->start, error);
    for (size_t s = 0; s < sizeof stages / sizeof stages[0] && status == MOTE_OK; ++s) {
        double before = world_clock();
        status = stages[s].run(world, span, error);
        if (stages[s].stage < MOTE_STAGE_COUNT)
            world->report.stage_seconds[stages[s].stage] += world_clock() - before;
    }
    if (status != MOTE_OK) return status;
    world->substep += span->steps;
    world->report.substeps += span->steps;
    world_finish_solvers(world, span);
    world_advance_fields(world, span->start, end - span->start);
    set_time(world, end);
    return world->def.reload_always ? world_reload(world, error) : MOTE_OK;
}

/* ---- the frame ---- */

static void begin_report(mote_World *world)
{
    world->report = (mote_StepReport){0};
    world->event_count = 0;
    world_begin_probes(world);
    for (size_t i = 0; i < world->colliders.count; ++i)
        ((Collider *)world->colliders.items[i])->load = (mote_ColliderLoad){0};
    for (size_t i = 0; i < world->bodies.count; ++i)
        ((Body *)world->bodies.items[i])->taken = (BodyLoad){{0, 0, 0}, {0, 0, 0}, 0};
    for (int i = 0; i < world->worker_count; ++i) {
        world->workers[i].implicit = (ImplicitNotes){0};
        world->workers[i].tally = (CollideTally){.first_inside = UINT64_MAX};
        memset(world->workers[i].stage_seconds, 0, sizeof world->workers[i].stage_seconds);
    }
}

/* What they did since they were last asked, also before the first step. */
static void report_solvers(mote_World *world)
{
    mote_StepReport *report = &world->report;
    for (size_t i = 0; i < world->solvers.count; ++i) {
        SolverTally *tally = &((Solver *)world->solvers.items[i])->tally;
        report->iterations += tally->iterations;
        report->solves += tally->solves, report->unsolved += tally->unsolved;
        report->pairs += tally->pairs;
        report->left_out += tally->left_out;
        if (tally->density_error > report->density_error)
            report->density_error = tally->density_error;
        if (tally->worst_density > report->worst_density)
            report->worst_density = tally->worst_density;
        *tally = (SolverTally){0};
    }
}

/* Liquid that was not born because there was some already, also before the first step. */
static void report_emitters(mote_World *world)
{
    for (size_t i = 0; i < world->emitters.count; ++i) {
        Emitter *emitter = world->emitters.items[i];
        world->report.left_out += emitter->crowded;
        emitter->crowded = 0;
    }
}

static void end_report(mote_World *world)
{
    mote_StepReport *report = &world->report;
    report_solvers(world);
    report_emitters(world);
    report->frame = world->frame;
    report->time = world->time;
    for (size_t i = 0; i < world->slot_count; ++i)
        report->particles += world->slots[i].system->count;
    for (int i = 0; i < world->worker_count; ++i) {
        const ImplicitNotes *implicit = &world->workers[i].implicit;
        report->newton_iterations += implicit->newton;
        report->cg_iterations += implicit->cg;
        report->solves += implicit->solves;
        report->unsolved += implicit->unsolved;
        if (!(implicit->residual <= report->newton_residual))
            report->newton_residual = implicit->residual;
        report->hits += world->workers[i].tally.hits;
        report->inside += world->workers[i].tally.inside;
        report->trapped += world->workers[i].tally.trapped;
        for (int s = 0; s < MOTE_STAGE_COUNT; ++s)
            report->stage_seconds[s] += world->workers[i].stage_seconds[s];
    }
}

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
    if (world->solvers.count > 0) return false;
    if (def->bounded || def->record_events || def->reload_always || def->before_substep != NULL ||
        world_colliders_change(world))
        return false;
    if (!world_fields_rest(world) || !world_probes_rest(world)) return false;
    for (size_t i = 0; i < world->emitters.count; ++i)
        if (!emitter_rests(world->emitters.items[i], start, end)) return false;
    for (size_t i = 0; i < world->slot_count; ++i)
        if (world_has_company(world, &world->slots[i]) ||
            !system_refresh_notes(world->slots[i].system) ||
            !nobody_dies(world->slots[i].system, end))
            return false;
    return true;
}

/* Equal sub-steps up to the next frame's time, which is computed from its index: nothing drifts. */
static mote_Status run_frame(mote_World *world, mote_Error *error)
{
    double start = world->time, end = (double)(world->frame + 1) / world->def.fps;
    double steps = ceil((end - start) / world->def.max_step * (1 - 1e-9));
    uint64_t count = steps < 1 ? 1 : (uint64_t)steps;
    double dt = (end - start) / (double)count;
    uint64_t at_once = is_undisturbed(world, start, end) ? count : 1;
    world->report.dt = world->report.shortest = dt;
    for (uint64_t k = 0; k < count; k += at_once) {
        TimeSpan span = {.start = start + (double)k * dt,
                         .dt = dt,
                         .steps = at_once,
                         .first_step = world->substep,
                         .frame_step = k};
        world->ends_frame = k + at_once == count;
        mote_Status status = run_span(world, &span, error);
        if (status == MOTE_OK && world->ends_frame) set_time(world, end);
        if (status == MOTE_OK) status = world_sample_probes(world, span.start, world->time, error);
        if (status != MOTE_OK) return status;
    }
    ++world->frame;
    return MOTE_OK;
}

/* ---- frames whose sub-steps the solvers choose ---- */

static double next_burst(const mote_World *world, double end)
{
    for (size_t i = 0; i < world->emitters.count; ++i) {
        double time = emitter_next_burst(world->emitters.items[i]);
        if (time < end) end = time;
    }
    return end;
}

/* Equal sub-steps as long as the limit allows up to the frame's end or a burst; the limit is asked
 * for again after each. */
static mote_Status choose_step(mote_World *world, TimeSpan *span, double until, bool *last,
                               mote_Error *error)
{
    double left = until - span->start, most = world->def.max_step;
    if (left < most) most = left;
    mote_Status status = world_prepare(world, span->start, most, error);
    if (status != MOTE_OK) return status;
    double limit = world_solver_limit(world, span->start, most);
    double steps = ceil(left / limit * (1 - 1e-9));
    if (!(steps < 1e9))
        return status_fail(
            error, MOTE_DIVERGED,
            "a solver asks for sub-steps of %g s (t = %g s); likely particles move "
            "too fast or are not finite, or a viscosity is too large for the spacing",
            limit, span->start);
    *last = steps <= 1;
    span->dt = *last ? left : left / steps;
    return MOTE_OK;
}

static mote_Status run_chosen(mote_World *world, TimeSpan *span, double end, mote_Error *error)
{
    bool last = false;
    arena_reset(&world->arena);
    mote_Status status = emit_due(world, span->start, error);
    double until = next_burst(world, end);
    if (status == MOTE_OK) status = choose_step(world, span, until, &last, error);
    if (status != MOTE_OK) return status;
    mote_StepReport *report = &world->report;
    report->dt = span->dt;
    if (!(report->shortest > 0) || span->dt < report->shortest) report->shortest = span->dt;
    world->ends_frame = last && until == end;
    status = run_span(world, span, error);
    if (status == MOTE_OK && last) set_time(world, until);
    return status == MOTE_OK ? world_sample_probes(world, span->start, world->time, error) : status;
}

static mote_Status run_limited_frame(mote_World *world, mote_Error *error)
{
    double end = (double)(world->frame + 1) / world->def.fps;
    mote_Status status = MOTE_OK;
    for (uint64_t k = 0; world->time < end && status == MOTE_OK; ++k) {
        TimeSpan span = {
            .start = world->time, .steps = 1, .first_step = world->substep, .frame_step = k};
        status = run_chosen(world, &span, end, error);
    }
    if (status != MOTE_OK) return status;
    set_time(world, end);
    ++world->frame;
    return MOTE_OK;
}

mote_Status mote_world_start(mote_World *world, mote_Error *error)
{
    mote_Status status = world_plan(world, error);
    bool early = world->limited || world->mutual;
    if (status != MOTE_OK || !early || world->frame > 0 || world->substep > 0) return status;
    const TimeSpan span = {.start = world->time, .dt = world->def.max_step, .steps = 1};
    arena_reset(&world->arena);
    status = emit_due(world, span.start, error);
    if (status == MOTE_OK) status = world_prepare(world, span.start, span.dt, error);
    return status == MOTE_OK ? begin_stage(world, &span, error) : status;
}

mote_Status mote_world_step(mote_World *world, mote_StepReport *report, mote_Error *error)
{
    double before = world_clock();
    mote_Status status = world_plan(world, error);
    if (status != MOTE_OK) return status;
    begin_report(world);
    status = world->limited ? run_limited_frame(world, error) : run_frame(world, error);
    if (status == MOTE_OK && !world_sort_events(world))
        status = status_no_memory(error, "events", world->event_count * sizeof(mote_Event));
    end_report(world);
    if (status == MOTE_OK) status = world_measure(world, error);
    world->report.seconds = world_clock() - before;
    if (report != NULL) *report = world->report;
    return status;
}
