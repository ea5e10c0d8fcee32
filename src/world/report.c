/* The report of a step: cleared before it, gathered after it from whoever counted; energies and
 * momentum, and the watchdogs for runaway energy and speed. */
#include "world/solvers.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

void world_begin_report(mote_World *world)
{
    world->report = (mote_StepReport){0};
    world->shop.retries = world->shop.links_broken = 0;
    memset(world->shop.stage_seconds, 0, sizeof world->shop.stage_seconds);
    world->event_count = 0;
    world->spread.migrated = 0;
    world_begin_probes(world);
    for (size_t i = 0; i < world->colliders.count; ++i)
        ((Collider *)world->colliders.items[i])->load = (mote_ColliderLoad){0};
    for (size_t i = 0; i < world->bodies.count; ++i)
        ((Body *)world->bodies.items[i])->taken = (BodyLoad){{0, 0, 0}, {0, 0, 0}, 0};
    for (int i = 0; i < world->shop.worker_count; ++i) {
        world->shop.workers[i].implicit = (ImplicitNotes){0};
        world->shop.workers[i].tally = (CollideTally){.first_inside = UINT64_MAX};
        memset(world->shop.workers[i].stage_seconds, 0,
               sizeof world->shop.workers[i].stage_seconds);
    }
}

/* What they did since they were last asked, also before the first step. */
static void report_solvers(mote_World *world)
{
    mote_StepReport *report = &world->report;
    const bool first = world->shop.ranks->own == 0; /* ranks solve together: it counts for all */
    for (size_t i = 0; i < world->solvers.count; ++i) {
        SolverTally *tally = &((Solver *)world->solvers.items[i])->tally;
        report->iterations += tally->iterations;
        if (first) report->solves += tally->solves, report->unsolved += tally->unsolved;
        report->pairs += tally->pairs;
        report->left_out += tally->left_out;
        report->ghosts += tally->ghosts;
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
        if (world->shop.ranks->own == 0) world->report.left_out += emitter->crowded; /* all know */
        emitter->crowded = 0;
    }
}

static void add_seconds(mote_StepReport *report, const double seconds[SHOP_STAGES])
{
    report->stage_seconds[MOTE_STAGE_SOLVE] += seconds[SHOP_SOLVE];
    report->stage_seconds[MOTE_STAGE_COLLIDE] += seconds[SHOP_COLLIDE];
    report->stage_seconds[MOTE_STAGE_GUARD] += seconds[SHOP_GUARD];
}

RankCounts world_counts(const mote_World *world)
{
    const mote_StepReport *report = &world->report;
    RankCounts counts = {.died = report->died,
                         .lost = report->lost,
                         .not_finite = report->not_finite,
                         .accepted = report->accepted,
                         .rejected = report->rejected};
    for (int i = 0; i < world->shop.worker_count && ranks_are_many(world->shop.ranks); ++i) {
        const CollideTally *tally = &world->shop.workers[i].tally;
        counts.hits += tally->hits, counts.inside += tally->inside;
        counts.trapped += tally->trapped;
    }
    return counts;
}

void world_count_copies(mote_World *world, const SystemSlot *slot, const RankCounts *before)
{
    mote_StepReport *report = &world->report;
    if (world->shop.ranks->own == 0 || !slot_is_copied(slot)) return;
    const RankCounts now = world_counts(world);
    report->died = before->died, report->lost = before->lost;
    report->not_finite = before->not_finite;
    report->accepted = before->accepted, report->rejected = before->rejected;
    CollideTally *tally = &world->shop.workers[0].tally; /* the sum of all workers' counts */
    tally->hits += before->hits - now.hits, tally->inside += before->inside - now.inside;
    tally->trapped += before->trapped - now.trapped;
}

void world_end_report(mote_World *world)
{
    mote_StepReport *report = &world->report;
    add_seconds(report, world->shop.stage_seconds);
    report->retries = world->shop.retries;
    report->links_broken = world->shop.links_broken;
    report_solvers(world);
    report_emitters(world);
    report->frame = world->frame;
    report->time = world->time;
    for (size_t i = 0; i < world->slot_count; ++i)
        if (world->shop.ranks->own == 0 || !slot_is_copied(&world->slots[i]))
            report->particles += world->slots[i].system->count;
    for (int i = 0; i < world->shop.worker_count; ++i) {
        const ImplicitNotes *implicit = &world->shop.workers[i].implicit;
        report->newton_iterations += implicit->newton;
        report->cg_iterations += implicit->cg;
        report->solves += implicit->solves;
        report->unsolved += implicit->unsolved;
        if (!(implicit->residual <= report->newton_residual))
            report->newton_residual = implicit->residual;
        report->hits += world->shop.workers[i].tally.hits;
        report->inside += world->shop.workers[i].tally.inside;
        report->trapped += world->shop.workers[i].tally.trapped;
        add_seconds(report, world->shop.workers[i].stage_seconds);
    }
}

/* What ranks counted by themselves, together. */
mote_Status world_sum_report(mote_World *world, mote_Error *error)
{
    mote_StepReport *report = &world->report;
    uint64_t *const counts[] = {&report->particles,
                                &report->died,
                                &report->lost,
                                &report->not_finite,
                                &report->newton_iterations,
                                &report->cg_iterations,
                                &report->solves,
                                &report->unsolved,
                                &report->hits,
                                &report->inside,
                                &report->trapped,
                                &report->accepted,
                                &report->rejected,
                                &report->pairs,
                                &report->left_out,
                                &report->ghosts,
                                &report->migrated};
    enum { COUNTS = sizeof counts / sizeof counts[0] };
    int64_t sums[COUNTS];
    if (!ranks_are_many(world->shop.ranks)) return MOTE_OK;
    report->migrated = world->spread.migrated;
    for (size_t i = 0; i < COUNTS; ++i) sums[i] = (int64_t)*counts[i];
    mote_Status status = ranks_sum(world->shop.ranks, sums, COUNTS, error);
    for (size_t i = 0; i < COUNTS; ++i) *counts[i] = (uint64_t)sums[i];
    if (status != MOTE_OK) return status;
    double most[] = {report->newton_residual, report->worst_density};
    status = ranks_most(world->shop.ranks, most, 2, error);
    report->newton_residual = most[0], report->worst_density = most[1];
    return status;
}

/* ---- energies ---- */

double world_shorter_step(const mote_World *world, double dt)
{
    double advised = world->advised_step != NULL ? world->advised_step(world->advisor) : 0;
    return advised > 0 && advised < dt ? advised : dt / 4;
}

static mote_Status watch_speed(const mote_World *world, const SystemSlot *slot, double kinetic,
                               double mass, mote_Error *error)
{
    double fastest = slot->solver->row->fastest(slot->solver), dt = world->report.dt;
    if (2 * kinetic <= mass * fastest * fastest) return MOTE_OK;
    return status_fail(error, MOTE_DIVERGED,
                       "system %s: its mean speed grew to %g m/s (t = %g s), beyond the %g m/s up "
                       "to which its equations hold; likely heat, buoyancy or a body feeds it "
                       "without end, or the step of %g s is too long: try a max_step of %.2g s",
                       slot->system->name, sqrt(2 * kinetic / mass), world->time, fastest, dt,
                       world_shorter_step(world, dt));
}

/* Per particle, so that emitters do not look like instability; against the largest of all frames so
 * far, so that a fall or a bounce does not either. */
static mote_Status watch_energy(mote_World *world, double energy, mote_Error *error)
{
    double particles = (double)(world->report.particles > 0 ? world->report.particles : 1);
    double mean = energy / particles, before = world->reference_energy;
    if (mean > before) world->reference_energy = mean;
    if (before > 0 && !(mean <= before * world->def.energy_factor))
        return status_fail(
            error, MOTE_DIVERGED,
            "the mean energy of a particle grew from at most %g J in earlier frames "
            "to %g J (t = %g s); likely a force is too strong for the step of %g s: try a "
            "max_step of %.2g s",
            before, mean, world->time, world->report.dt,
            world_shorter_step(world, world->report.dt));
    return MOTE_OK;
}

/* `given`: kinetic and potential energy by solvers whose speed is watched instead. */
static mote_Status measure_slot(mote_World *world, SystemSlot *slot, SlotMotion *all,
                                double given[2], mote_Error *error)
{
    double before = all->kinetic, above = all->potential;
    all->mass = 0;
    mote_Status status = slot_measure(&world->shop, slot, world->time, all, error);
    if (status == MOTE_OK && !linked_add_energy(&world->shop, slot, &all->potential))
        status = status_no_memory(error, "energies", slot->system->count);
    if (status != MOTE_OK) return status;
    double kinetic = all->kinetic - before;
    if (slot->solver->row->fastest != NULL) given[0] += kinetic, given[1] += all->potential - above;
    return slot_is_watched(slot) ? watch_speed(world, slot, kinetic, all->mass, error) : MOTE_OK;
}

mote_Status world_measure(mote_World *world, mote_Error *error)
{
    mote_StepReport *report = &world->report;
    const Slots slots = world_slots(world);
    SlotMotion all = {.kinetic = 0};
    double given[2] = {0, 0};
    mote_Status status =
        companies_gather_energies(&slots, world_forces(world), world->forces.count, error);
    status = ranks_agree(world->shop.ranks, status, error);
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        status = measure_slot(world, &world->slots[i], &all, given, error);
    report->kinetic = all.kinetic, report->potential = all.potential;
    for (int c = 0; c < 3; ++c) report->momentum[c] = all.momentum[c];
    if (status != MOTE_OK) return status;
    world_measure_bodies(world);
    /* Potential energy has no zero of its own, so its size counts. */
    return watch_energy(world, all.kinetic - given[0] + fabs(all.potential - given[1]), error);
}
