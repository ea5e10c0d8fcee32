/* The report of a step: cleared before it, gathered after it from whoever counted. */
#include "world/world.h"

#include <string.h>

void world_begin_report(mote_World *world)
{
    world->report = (mote_StepReport){0};
    world->shop.retries = world->shop.links_broken = 0;
    memset(world->shop.stage_seconds, 0, sizeof world->shop.stage_seconds);
    world->event_count = 0;
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

static void add_seconds(mote_StepReport *report, const double seconds[SHOP_STAGES])
{
    report->stage_seconds[MOTE_STAGE_SOLVE] += seconds[SHOP_SOLVE];
    report->stage_seconds[MOTE_STAGE_COLLIDE] += seconds[SHOP_COLLIDE];
    report->stage_seconds[MOTE_STAGE_GUARD] += seconds[SHOP_GUARD];
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
