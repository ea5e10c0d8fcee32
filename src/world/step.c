/* The step: the order of everything, written once.
 *
 * A frame is an interval of 1 / fps, in which the world goes in sub-steps of dt <= max_step.
 * Solvers that limit dt (by the CFL condition, in a liquid) are asked before each; where nobody
 * does, sub-steps are laid out once a frame. Stages go in one order for all: births, motion,
 * contact and deaths of every system see the same moment. */
#include "world/world.h"

#include "base/machine.h"
#include "base/status.h"
#include "world/solvers.h"

#include <math.h>

const char *mote_stage_name(int stage)
{
    static const char *const names[MOTE_STAGE_COUNT] = {"emit",    "bodies", "migrate", "solve",
                                                        "collide", "guard",  "retire"};
    return names[stage];
}

/* The clock, also of the systems, for rows added by the user. */
static void set_time(mote_World *world, double time)
{
    world->time = time;
    for (size_t i = 0; i < world->slot_count; ++i) world->slots[i].system->now = time;
}

/* ---- parameters ---- */

/* Parameters may have changed since the last sub-step; at one time they are asked for once. */
mote_Status world_change_parameters(mote_World *world, double t, mote_Error *error)
{
    if (world->def.before_substep == NULL || world->changed_at == t) return MOTE_OK;
    mote_Status status = world->def.before_substep(world->def.before_context, world, t, error);
    world->changed_at = status == MOTE_OK ? t : (double)NAN;
    return status;
}

static mote_Status parameter_stage(mote_World *world, TimeSpan *span, mote_Error *error)
{
    return world_change_parameters(world, span->start, error);
}

/* ---- what is solid, and fields ---- */

/* Bodies go ahead: everything else meets them on their way from t to t + dt. */
static mote_Status body_stage(mote_World *world, TimeSpan *span, mote_Error *error)
{
    return world_move_bodies(world, span->start, span_end(span) - span->start, error);
}

mote_Status world_prepare(mote_World *world, double t, double dt, mote_Error *error)
{
    mote_Status status = world_prepare_colliders(world, t, dt, error);
    if (status == MOTE_OK) status = world_prepare_fields(world, t, dt, error);
    return status == MOTE_OK ? world_place_forces(world, t, dt, error) : status;
}

static mote_Status prepare_stage(mote_World *world, TimeSpan *span, mote_Error *error)
{
    return world_prepare(world, span->start, span_end(span) - span->start, error);
}

/* ---- rows ---- */

static mote_Status migrate_stage(mote_World *world, TimeSpan *span, mote_Error *error)
{
    const Slots slots = world_slots(world);
    (void)span;
    return spread_migrate(&world->spread, &slots, world->substep, error);
}

/* Solvers may sort rows and take some out: who lives is noted again. */
static mote_Status sort_stage(mote_World *world, TimeSpan *span, mote_Error *error)
{
    world_note_living(world);
    mote_Status status = world_begin_solvers(world, span, error);
    world_note_living(world);
    return status;
}

static mote_Status solve_stage(mote_World *world, TimeSpan *span, mote_Error *error)
{
    return world_solve(world, span, error);
}

static mote_Status exchange_stage(mote_World *world, TimeSpan *span, mote_Error *error)
{
    (void)span, (void)error;
    colliders_push_bodies(world->shop.colliders, world->shop.collider_count);
    return MOTE_OK;
}

static mote_Status retire_stage(mote_World *world, TimeSpan *span, mote_Error *error)
{
    for (size_t i = 0; i < world->slot_count; ++i) {
        const RankCounts before = world_counts(world);
        mote_Status status = world_retire(world, &world->slots[i], span_end(span), error);
        if (status != MOTE_OK) return status;
        world_count_copies(world, &world->slots[i], &before);
    }
    return MOTE_OK;
}

/* What others see changes when all have solved, and the clock with it. */
static mote_Status publish_stage(mote_World *world, TimeSpan *span, mote_Error *error)
{
    const Pace *pace = &world->pace;
    double end = span_end(span);
    world->substep += span->steps;
    world->report.substeps += span->steps;
    world_finish_solvers(world, span);
    world_advance_fields(world, span->start, end - span->start);
    /* The end of a frame is its own number over fps, not a sum of sub-steps. */
    set_time(world, pace->done == pace->count ? pace->until : end);
    return world->def.reload_always ? world_reload(world, error) : MOTE_OK;
}

static mote_Status probe_stage(mote_World *world, TimeSpan *span, mote_Error *error)
{
    return world_sample_probes(world, span->start, world->time, error);
}

/* ---- the table ---- */

static const struct {
    int stage; /* MOTE_STAGE_COUNT: not timed, or times itself */
    mote_Status (*run)(mote_World *world, TimeSpan *span, mote_Error *error);
    bool meets;  /* ranks wait for each other in it: who has failed until then says so before */
    bool starts; /* also before the first step: mote_world_start */
} stages[] = {
    {MOTE_STAGE_COUNT, parameter_stage, false, true},  /* as they are at the sub-step's start */
    {MOTE_STAGE_EMIT, world_emit_bursts, true, true},  /* rows that limits must know */
    {MOTE_STAGE_SOLVE, world_limit, true, false},      /* how long the sub-step is */
    {MOTE_STAGE_BODIES, body_stage, false, false},     /* contacts, and their way through it */
    {MOTE_STAGE_COUNT, prepare_stage, false, true},    /* colliders and fields, for that way */
    {MOTE_STAGE_MIGRATE, migrate_stage, true, false},  /* rows go to the ranks that have them */
    {MOTE_STAGE_SOLVE, sort_stage, false, true},       /* rows are sorted before births */
    {MOTE_STAGE_EMIT, world_emit, true, false},        /* each at its own moment in the sub-step */
    {MOTE_STAGE_COUNT, solve_stage, true, false},      /* every system, with collide and guard */
    {MOTE_STAGE_BODIES, exchange_stage, false, false}, /* what bodies got changes them */
    {MOTE_STAGE_RETIRE, retire_stage, false, false},   /* dead, lost and non-finite rows */
    {MOTE_STAGE_COUNT, publish_stage, false, false},   /* fields that solvers publish; the clock */
    {MOTE_STAGE_COUNT, probe_stage, true, false},      /* measure what is there now */
};
enum { STAGES = sizeof stages / sizeof stages[0] };

/* `status`: what came before it. The clock is read where a stage ends, for the one that follows,
 * too: for few particles it is not quick. */
static mote_Status run_substep(mote_World *world, TimeSpan *span, mote_Status status,
                               mote_Error *error)
{
    const mote_Ranks *ranks = world->shop.ranks;
    double before = 0;
    bool read = false; /* `before` is now */
    arena_reset(&world->arena);
    for (size_t s = 0; s < STAGES; ++s) {
        const bool timed = stages[s].stage < MOTE_STAGE_COUNT;
        if (stages[s].meets) status = ranks_agree(ranks, status, error), read &= ranks->count == 1;
        if (status != MOTE_OK) continue; /* others may wait at a stage that follows */
        if (timed && !read) before = clock_seconds();
        status = stages[s].run(world, span, error);
        read = timed;
        if (timed) world->report.stage_seconds[stages[s].stage] += clock_lap(&before);
    }
    return ranks_agree(ranks, status, error);
}

void mote_world_watch(mote_World *world, bool (*cancelled)(void *context), void *context)
{
    world->cancelled = cancelled, world->cancelled_context = context;
}

static mote_Status check_watch(mote_World *world, mote_Error *error)
{
    if (world->cancelled == NULL || !world->cancelled(world->cancelled_context)) return MOTE_OK;
    return status_fail(error, MOTE_CANCELLED, "stopped at t = %g s", world->time);
}

static mote_Status run_until(mote_World *world, double end, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    Pace *pace = &world->pace;
    *pace = (Pace){.frame_end = end};
    for (uint64_t k = 0; world->time < pace->frame_end && status == MOTE_OK; ++k) {
        bool goes_on = !world->limited && pace->done < pace->count;
        const double layout = goes_on ? pace->start : world->time;
        const uint64_t before = goes_on ? pace->done : 0;
        TimeSpan span = {.start = layout + (double)before * pace->dt,
                         .layout = layout,
                         .before = before,
                         .steps = 1,
                         .first_step = world->substep,
                         .frame_step = k};
        status = run_substep(world, &span, check_watch(world, error), error);
    }
    mote_Error other;
    const mote_Status home = world_bring_home(world, status == MOTE_OK ? error : &other);
    return status == MOTE_OK ? home : status;
}

/* A frame whose rows were lost with a device is begun again, without it. */
static mote_Status run_frame(mote_World *world, double end, mote_Error *error)
{
    world_begin_report(world);
    mote_Status status = world_keep_start(world, error);
    if (status == MOTE_OK) status = run_until(world, end, error);
    if (status == MOTE_OK || !world_can_rewind(world)) return status;
    status = world_rewind(world, error);
    world_begin_report(world);
    return status == MOTE_OK ? run_until(world, end, error) : status;
}

/* What is there before the first step is shown as frame 0: bursts at the start, for worlds whose
 * sub-steps begin with them. */
mote_Status mote_world_start(mote_World *world, mote_Error *error)
{
    mote_Status status = world_begin(world, error);
    bool early = world->limited || world->mutual;
    if (status != MOTE_OK || !early || world->frame > 0 || world->substep > 0) return status;
    TimeSpan span = {
        .start = world->time, .layout = world->time, .dt = world->def.max_step, .steps = 1};
    arena_reset(&world->arena);
    for (size_t s = 0; s < STAGES && status == MOTE_OK; ++s)
        if (stages[s].starts) status = stages[s].run(world, &span, error);
    return status;
}

/* All that a host sees as one step, up to frame `frame` at time `end`. */
static mote_Status run_step(mote_World *world, double end, uint64_t frame, mote_StepReport *report,
                            mote_Error *error)
{
    double before = clock_seconds();
    mote_Status status = run_frame(world, end, error);
    if (status == MOTE_OK) world->frame = frame;
    if (status == MOTE_OK && !world_sort_events(world))
        status = status_no_memory(error, "events", world->event_count * sizeof(mote_Event));
    world_end_report(world);
    status = ranks_agree(world->shop.ranks, status, error);
    if (status == MOTE_OK)
        status = migrate_stage(world, NULL, error); /* energies: sums of blocks */
    if (status == MOTE_OK) status = world_sum_report(world, error);
    if (status == MOTE_OK) status = world_measure(world, error);
    world->report.seconds = clock_seconds() - before;
    if (report != NULL) *report = world->report;
    return status;
}

/* The next frame's time is computed from its index: nothing drifts. */
mote_Status mote_world_step(mote_World *world, mote_StepReport *report, mote_Error *error)
{
    mote_Status status = world_begin(world, error);
    if (status != MOTE_OK) return status;
    const uint64_t next = world->frame + 1;
    return run_step(world, (double)next / world->def.fps, next, report, error);
}

/* A frame that is whole but for the rounding of a sum of times counts. */
mote_Status mote_world_advance(mote_World *world, double seconds, mote_StepReport *report,
                               mote_Error *error)
{
    const double end = world->time + seconds, frames = floor(end * world->def.fps + 1e-6);
    if (!(seconds >= 0 && frames < 1e15))
        return status_fail(error, MOTE_BAD_VALUE,
                           "a world cannot be advanced by %g s; the time must be 0 or more",
                           seconds);
    mote_Status status = world_begin(world, error);
    if (status == MOTE_OK) status = world_check_uneven(world, error);
    if (status != MOTE_OK) return status;
    return run_step(world, end, (uint64_t)frames, report, error);
}
