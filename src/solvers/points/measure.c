/* Energies and momentum of a slot's rows: sums over blocks, as integers, so that they do not depend
 * on who worked on which. Rows of a liquid and its foam are added each by itself, because their
 * order is no state; for other systems that would take longer than moving them. */
#include "base/status.h"
#include "solvers/points/slot.h"

#include <string.h>

enum { BLOCKS_PER_TASK = 16 };

/* What a worker has so far. */
typedef struct MeasureSums {
    RowMotion motion;
    Limbs potential, mass;
} MeasureSums;

typedef struct MeasureWork {
    const Workshop *shop;
    const SystemSlot *slot;
    double t;
    bool each; /* row by itself */
    MeasureSums *workers;
} MeasureWork;

/* Potential energy of the forces that have one; per row in a scratch plane, then summed. */
static void add_potential(const MeasureWork *work, const Range *r, Limbs *sum)
{
    const PointsSolver *points = &work->slot->points;
    mote_real *energy = r->sample[0];
    bool any = false;
    memset(energy, 0, r->count * sizeof *energy);
    for (size_t f = 0; f < points->force_count && points->trace == NULL; ++f) {
        const Force *force = points->forces[f];
        if (force->row->potential == NULL || force->group != 0) continue;
        force->row->potential(force, r, work->t, energy);
        any = true;
    }
    if (any) work->shop->kernels->sum(r->count, energy, work->each, sum);
}

static void measure_body(void *context, size_t begin, size_t end, int worker)
{
    const MeasureWork *work = context;
    const SystemSlot *slot = work->slot;
    const RowKernels *kernels = work->shop->kernels;
    const mote_real *mass = column_real(&slot->system->columns[COLUMN_MASS], 0);
    MeasureSums sums = work->workers[worker]; /* on a copy: workers' own are near to each other */
    for (size_t block = begin; block < end; ++block) {
        size_t first = block * BLOCK_ROWS, left = slot->system->count - first;
        size_t count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        const Range *r = shop_range(work->shop, slot->system, first, count, worker);
        kernels->motion(r, work->each, &sums.motion);
        add_potential(work, r, &sums.potential);
        if (slot_is_watched(slot)) kernels->sum(count, mass + first, work->each, &sums.mass);
    }
    work->workers[worker] = sums;
}

static void merge(MeasureSums *all, const MeasureSums *other)
{
    limbs_merge(&all->motion.kinetic, &other->motion.kinetic);
    limbs_merge(&all->potential, &other->potential);
    limbs_merge(&all->mass, &other->mass);
    for (int c = 0; c < 3; ++c) limbs_merge(&all->motion.momentum[c], &other->motion.momentum[c]);
}

/* The sums of all workers, in the first one's. */
static mote_Status measure_rows(const Workshop *shop, MeasureWork *work, mote_Error *error)
{
    const size_t workers = (size_t)mote_tasks_workers(shop->tasks);
    work->workers = arena_take(shop->arena, workers * sizeof(MeasureSums));
    if (work->workers == NULL)
        return status_no_memory(error, "energies", workers * sizeof(MeasureSums));
    memset(work->workers, 0, workers * sizeof *work->workers);
    mote_parallel_for(shop->tasks, system_blocks(work->slot->system), BLOCKS_PER_TASK, measure_body,
                      work);
    for (size_t w = 1; w < workers; ++w) merge(&work->workers[0], &work->workers[w]);
    return MOTE_OK;
}

mote_Status slot_measure(const Workshop *shop, const SystemSlot *slot, double t, SlotMotion *out,
                         mote_Error *error)
{
    MeasureWork work = {shop, slot, t, slot->solver->systems[0]->rest_density > 0, NULL};
    mote_Status status = ranks_agree(shop->ranks, measure_rows(shop, &work, error), error);
    if (status != MOTE_OK) return status;
    Limbs sums[] = {work.workers->motion.kinetic,     work.workers->motion.momentum[0],
                    work.workers->motion.momentum[1], work.workers->motion.momentum[2],
                    work.workers->potential,          work.workers->mass};
    status = ranks_sum_limbs(slot_ranks(shop, slot), sums, sizeof sums / sizeof sums[0], error);
    out->kinetic += limbs_value(&sums[0]);
    for (int c = 0; c < 3; ++c) out->momentum[c] += limbs_value(&sums[1 + c]);
    out->potential += limbs_value(&sums[4]);
    out->mass += limbs_value(&sums[5]);
    return status;
}
