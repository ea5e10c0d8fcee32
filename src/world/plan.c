/* What a step needs before it starts: which forces and colliders act on which system, and scratch
 * memory for every worker. Worked out once after objects were added. */
#include "world/world.h"

#include "base/status.h"
#include "world/solvers.h"

#include <math.h>
#include <string.h>

/* Planes of a worker: acceleration, start, field samples, grouped forces, collide, integrator. */
enum {
    PLANES_A = 0,
    PLANES_START = 3,
    PLANES_SAMPLE = 9,
    PLANES_MASKED = 12,
    PLANES_COLLIDE = 15,
    PLANES_INTEGRATOR = PLANES_COLLIDE + COLLIDE_PLANES
};

static bool plan_slot(mote_World *world, SystemSlot *slot, uint64_t bit)
{
    Memory *memory = &world->memory;
    if (!memory_reserve(memory, (void **)&slot->forces, &slot->force_capacity, world->forces.count,
                        sizeof *slot->forces) ||
        !memory_reserve(memory, (void **)&slot->links, &slot->link_capacity, world->links.count,
                        sizeof *slot->links) ||
        !world_plan_colliders(world, slot, bit))
        return false;
    slot->solver.force_count = slot->link_count = 0;
    for (size_t i = 0; i < world->forces.count; ++i) {
        const Force *force = world->forces.items[i];
        if ((force->systems & bit) != 0) slot->forces[slot->solver.force_count++] = force;
    }
    for (size_t i = 0; i < world->links.count; ++i) {
        Links *links = world->links.items[i];
        if (((uint64_t)1 << links->system) == bit) slot->links[slot->link_count++] = links;
    }
    slot->solver.forces = slot->forces;
    return true;
}

static size_t worker_bytes(const mote_World *world)
{
    return world->scratch_planes * SCRATCH_STRIDE * sizeof(mote_real);
}

void world_free_workers(mote_World *world)
{
    for (int i = 0; world->workers != NULL && i < world->worker_count; ++i)
        memory_free(&world->memory, world->workers[i].planes, worker_bytes(world));
    memory_free(&world->memory, world->workers,
                (size_t)world->worker_count * sizeof *world->workers);
    world->workers = NULL;
}

static void set_planes(mote_real *planes, int first, mote_real *to[3])
{
    for (int c = 0; c < 3; ++c) to[c] = planes + (size_t)(first + c) * SCRATCH_STRIDE;
}

static void set_scratch(Worker *worker)
{
    Range *r = &worker->range;
    set_planes(worker->planes, PLANES_A, r->a);
    set_planes(worker->planes, PLANES_START, r->x0);
    set_planes(worker->planes, PLANES_START + 3, r->v0);
    set_planes(worker->planes, PLANES_SAMPLE, r->sample);
    set_planes(worker->planes, PLANES_MASKED, r->masked);
    r->collide = worker->planes + (size_t)PLANES_COLLIDE * SCRATCH_STRIDE;
    r->scratch = worker->planes + (size_t)PLANES_INTEGRATOR * SCRATCH_STRIDE;
    r->scratch_stride = SCRATCH_STRIDE;
    r->marks = worker->marks;
    r->held = &worker->held;
    r->implicit = &worker->implicit;
    r->notes = &worker->notes;
    worker->held.x = (mote_real)NAN;
}

static bool make_workers(mote_World *world, size_t planes)
{
    if (world->workers != NULL && planes <= world->scratch_planes) return true;
    world_free_workers(world);
    world->scratch_planes = planes;
    world->workers =
        memory_zeroed(&world->memory, (size_t)world->worker_count * sizeof *world->workers);
    if (world->workers == NULL) return false;
    for (int i = 0; i < world->worker_count; ++i) {
        Worker *worker = &world->workers[i];
        worker->planes = memory_zeroed(&world->memory, worker_bytes(world));
        if (worker->planes == NULL) {
            world_free_workers(world); /* all or none: a later step tries again */
            return false;
        }
        worker->range.worker = i;
        set_scratch(worker);
    }
    return true;
}

mote_Status world_plan(mote_World *world, mote_Error *error)
{
    if (world->planned) return MOTE_OK;
    size_t planes = PLANES_INTEGRATOR;
    bool room = true;
    for (size_t i = 0; i < world->slot_count && room; ++i) {
        SystemSlot *slot = &world->slots[i];
        size_t wanted =
            PLANES_INTEGRATOR + (size_t)integrator_scratch_planes(slot->solver.integrator);
        if (wanted > planes) planes = wanted;
        room = plan_slot(world, slot, (uint64_t)1 << i);
    }
    room = room && make_workers(world, planes);
    if (!room) return status_no_memory(error, "a step's scratch memory", planes * SCRATCH_STRIDE);
    mote_Status status = world_plan_companies(world, error);
    if (status == MOTE_OK) status = world_plan_solvers(world, error);
    if (status == MOTE_OK) status = world_find_obstacles(world, error);
    if (status == MOTE_OK) status = world_plan_bodies(world, error);
    world->planned = status == MOTE_OK;
    return status;
}

Range *world_range(mote_World *world, mote_System *system, size_t first, size_t count, int worker)
{
    Range *r = &world->workers[worker].range;
    const mote_Column *x = &system->columns[COLUMN_POSITION];
    const mote_Column *v = &system->columns[COLUMN_VELOCITY];
    r->system = system;
    r->first = first, r->count = count;
    for (int c = 0; c < 3; ++c) {
        r->x[c] = column_real(x, c) + first;
        r->v[c] = column_real(v, c) + first;
    }
    return r;
}
