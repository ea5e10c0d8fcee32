/* Energies and momentum of a slot's rows. Sums are taken per block and combined in the order of the
 * blocks, so that they do not depend on who worked on which. */
#include "solvers/points/slot.h"

#include <string.h>

enum { BLOCKS_PER_TASK = 64 };

typedef struct MeasureWork {
    const Workshop *shop;
    const SystemSlot *slot;
    double t;
    SlotMotion *blocks;
} MeasureWork;

/* Potential energy of the forces that have one; per row in a scratch plane, then summed. */
static double potential_of(const MeasureWork *work, const Range *r)
{
    const PointsSolver *points = &work->slot->points;
    mote_real *energy = r->sample[0];
    memset(energy, 0, r->count * sizeof *energy);
    if (points->trace != NULL) return 0;
    for (size_t f = 0; f < points->force_count; ++f) {
        const Force *force = points->forces[f];
        if (force->row->potential != NULL && force->group == 0)
            force->row->potential(force, r, work->t, energy);
    }
    return work->shop->kernels->sum(r->count, energy);
}

static void measure_body(void *context, size_t begin, size_t end, int worker)
{
    const MeasureWork *work = context;
    const SystemSlot *slot = work->slot;
    const RowKernels *kernels = work->shop->kernels;
    const mote_real *mass = column_real(&slot->system->columns[COLUMN_MASS], 0);
    for (size_t block = begin; block < end; ++block) {
        size_t first = block * BLOCK_ROWS, left = slot->system->count - first;
        size_t count = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        const Range *r = shop_range(work->shop, slot->system, first, count, worker);
        RowMotion motion = kernels->motion(r);
        SlotMotion *sums = &work->blocks[block];
        sums->kinetic = motion.kinetic;
        sums->potential = potential_of(work, r);
        sums->mass = slot_is_watched(slot) ? kernels->sum(count, mass + first) : 0;
        memcpy(sums->momentum, motion.momentum, sizeof motion.momentum);
    }
}

bool slot_measure(const Workshop *shop, const SystemSlot *slot, double t, SlotMotion *out)
{
    size_t blocks = system_blocks(slot->system);
    MeasureWork work = {shop, slot, t, arena_take(shop->arena, (blocks + 1) * sizeof *out)};
    if (work.blocks == NULL) return false;
    mote_parallel_for(shop->tasks, blocks, BLOCKS_PER_TASK, measure_body, &work);
    for (size_t block = 0; block < blocks; ++block) {
        const SlotMotion *sums = &work.blocks[block];
        out->kinetic += sums->kinetic;
        out->potential += sums->potential;
        out->mass += sums->mass;
        for (int c = 0; c < 3; ++c) out->momentum[c] += sums->momentum[c];
    }
    return true;
}
