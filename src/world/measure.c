/* Energies and momentum of the world, once per frame; the watchdogs for runaway energy and speed.
 * Sums are taken per block and combined in the order of the blocks. */
#include "world/solvers.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

enum { SUMS = 6, BLOCKS_PER_TASK = 64 }; /* kinetic, potential, mass, momentum */

typedef struct MeasureWork {
    mote_World *world;
    SystemSlot *slot;
} MeasureWork;

/* Potential energy of the forces that have one; per row in a scratch plane, then summed. */
static double potential_of(const mote_World *world, const SystemSlot *slot, const Range *r)
{
    mote_real *energy = r->sample[0];
    memset(energy, 0, r->count * sizeof *energy);
    if (slot->points.trace != NULL) return 0;
    for (size_t f = 0; f < slot->points.force_count; ++f) {
        const Force *force = slot->forces[f];
        if (force->row->potential != NULL && force->group == 0)
            force->row->potential(force, r, world->time, energy);
    }
    return world->shop.kernels->sum(r->count, energy);
}

/* Is its speed watched? Those that joined go with the first. */
static bool watched(const SystemSlot *slot)
{
    return slot->solver->row->fastest != NULL && slot->member == 0;
}

static void measure_body(void *context, size_t begin, size_t end, int worker)
{
    const MeasureWork *work = context;
    mote_World *world = work->world;
    for (size_t block = begin; block < end; ++block) {
        size_t first = block * BLOCK_ROWS, left = work->slot->system->count - first;
        size_t count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        Range *r = shop_range(&world->shop, work->slot->system, first, count, worker);
        Motion motion = world->shop.kernels->motion(r);
        double *sums = world->block_sums + block * SUMS;
        sums[0] = motion.kinetic;
        sums[1] = potential_of(world, work->slot, r);
        const mote_real *mass = column_real(&work->slot->system->columns[COLUMN_MASS], 0) + first;
        sums[2] = watched(work->slot) ? world->shop.kernels->sum(count, mass) : 0;
        memcpy(sums + 3, motion.momentum, sizeof motion.momentum);
    }
}

/* mass: of rows whose speed is watched, kg. */
static bool measure_slot(mote_World *world, SystemSlot *slot, double *mass)
{
    size_t blocks = system_blocks(slot->system);
    mote_StepReport *report = &world->report;
    MeasureWork work = {world, slot};
    if (!memory_reserve(&world->memory, (void **)&world->block_sums, &world->block_sum_capacity,
                        blocks * SUMS, sizeof *world->block_sums))
        return false;
    mote_parallel_for(world_tasks(world), blocks, BLOCKS_PER_TASK, measure_body, &work);
    *mass = 0;
    for (size_t block = 0; block < blocks; ++block) {
        const double *sums = world->block_sums + block * SUMS;
        report->kinetic += sums[0];
        report->potential += sums[1];
        *mass += sums[2];
        for (int c = 0; c < 3; ++c) report->momentum[c] += sums[3 + c];
    }
    double links;
    bool room = linked_energy(&world->shop, slot, world->block_sums, &links);
    report->potential += links;
    return room;
}

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

static mote_Status watch_energy(mote_World *world, double energy, mote_Error *error)
{
    double particles = (double)(world->report.particles > 0 ? world->report.particles : 1);
    double mean = energy / particles, before = world->reference_energy;
    if (mean > before) world->reference_energy = mean;
    if (before > 0 && !(mean <= before * world->def.energy_factor))
        return status_fail(error, MOTE_DIVERGED,
                           "the mean energy of a particle grew from %g J to %g J within a frame (t "
                           "= %g s); likely a force is too strong for the step of %g s: try a "
                           "max_step of %.2g s",
                           before, mean, world->time, world->report.dt,
                           world_shorter_step(world, world->report.dt));
    return MOTE_OK;
}

mote_Status world_measure(mote_World *world, mote_Error *error)
{
    mote_Status status = world_gather_energies(world, error);
    if (status != MOTE_OK) return status;
    double given = 0; /* by solvers whose speed is watched instead */
    for (size_t i = 0; i < world->slot_count; ++i) {
        SystemSlot *slot = &world->slots[i];
        double before = world->report.kinetic, mass;
        if (!measure_slot(world, slot, &mass))
            return status_no_memory(error, "energies", slot->system->count);
        if (slot->solver->row->fastest == NULL) continue;
        double kinetic = world->report.kinetic - before;
        given += kinetic;
        if (watched(slot)) status = watch_speed(world, slot, kinetic, mass, error);
        if (status != MOTE_OK) return status;
    }
    world_measure_bodies(world);
    return watch_energy(world, world->report.kinetic - given + fabs(world->report.potential),
                        error);
}
