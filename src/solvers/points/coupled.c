/* Planes over all rows of a system, loops over its blocks, and collide and guard for rows that are
 * solved for together.
 *
 * A bounce cannot be solved again by itself there, because the row's neighbours have moved on; it
 * changes the end of the step by dv instead, as the first-order replay x += dt dv. */
#include "solvers/points/coupled.h"

#include "base/machine.h"
#include "base/status.h"
#include "solvers/points/slot.h"

#include <string.h>

Range coupled_range(const CoupledStep *step, size_t block, int worker)
{
    SystemSlot *slot = step->slot;
    size_t first = block * BLOCK_ROWS, left = step->rows - first;
    Range r =
        *shop_range(step->shop, slot->system, first, left < BLOCK_ROWS ? left : BLOCK_ROWS, worker);
    for (size_t c = 0; c < 3; ++c) {
        r.a[c] = coupled_plane(slot, COUPLED_A + c) + first;
        r.x0[c] = coupled_plane(slot, COUPLED_START + c) + first;
        r.v0[c] = coupled_plane(slot, COUPLED_START + 3 + c) + first;
    }
    r.scratch = coupled_plane(slot, coupled_first_plane(slot)) + first;
    r.scratch_stride = slot->coupled.stride;
    r.held = NULL;
    r.t = step->t, r.dt = step->dt;
    r.step = step->number;
    return r;
}

typedef struct BlockLoop {
    CoupledStep *step;
    BlockBody *body;
} BlockLoop;

static void loop_body(void *context, size_t begin, size_t end, int worker)
{
    const BlockLoop *loop = context;
    for (size_t block = begin; block < end; ++block) loop->body(loop->step, block, worker);
}

void coupled_for_blocks(CoupledStep *step, BlockBody *body)
{
    BlockLoop loop = {step, body};
    mote_parallel_for(step->shop->tasks, coupled_blocks(step), COUPLED_BLOCKS_PER_TASK, loop_body,
                      &loop);
}

/* ---- the planes ---- */

/* Strides are whole cache lines, a few off a multiple of a page. */
static bool reserve_planes(const Workshop *shop, SystemSlot *slot)
{
    enum { LINE = 64 / sizeof(mote_real), PAGE = 4096 / sizeof(mote_real) };
    CoupledPlanes *old = &slot->coupled;
    size_t planes =
        coupled_first_plane(slot) + (size_t)integrator_scratch_planes(slot->points.integrator);
    size_t rows = slot->system->count;
    if (planes <= old->planes && rows <= old->stride) return true;
    size_t stride = (rows + rows / 4 + PAGE) / PAGE * PAGE + 5 * LINE;
    /* Of solvers that move whole systems only the start is kept: pages that nobody writes to are
     * never taken. */
    size_t bytes = planes * stride * sizeof(mote_real);
    mote_real *block = slot->solver->row->fuses ? memory_zeroed(shop->memory, bytes)
                                                : memory_take(shop->memory, bytes);
    if (block == NULL) return false;
    memory_free(shop->memory, old->block, old->planes * old->stride * sizeof *block);
    *old = (CoupledPlanes){block, planes, stride};
    return true;
}

mote_Status coupled_begin(CoupledStep *step, double dt, mote_Error *error)
{
    SystemSlot *slot = step->slot;
    const mote_Column *pinned = mote_system_column(slot->system, "pinned");
    if (!reserve_planes(step->shop, slot))
        return status_no_memory(error, slot->system->name, slot->system->count);
    step->dt = dt;
    step->rows = slot->first_new;
    step->pinned = pinned != NULL && pinned->type == MOTE_COLUMN_U32 ? pinned->data : NULL;
    step->needs_start =
        slot->points.integrator->needs_start || has_history(slot->system) || slot_collides(slot);
    return MOTE_OK;
}

/* ---- collide and guard ---- */

enum { STATE_PLANES = 6 };

typedef struct BlockState {
    mote_real plane[STATE_PLANES][BLOCK_ROWS];
} BlockState;

static void put_pinned_back(const CoupledStep *step, const Range *r, const BlockState *saved)
{
    for (size_t i = 0; step->pinned != NULL && i < r->count; ++i)
        for (int p = 0; p < STATE_PLANES && step->pinned[r->first + i] != 0; ++p)
            range_state(r, p)[i] = saved->plane[p][i];
}

static void note_touched(const CoupledStep *step, const Range *r, const BlockState *saved)
{
    for (size_t i = 0; step->touched != NULL && i < r->count; ++i) {
        bool same = true;
        for (int p = 0; p < STATE_PLANES; ++p)
            same = same && range_state(r, p)[i] == saved->plane[p][i];
        step->touched[r->first + i] = !same;
    }
}

void coupled_meet_walls(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    const SystemSlot *slot = step->slot;
    BlockState saved;
    for (int p = 0; p < STATE_PLANES; ++p)
        memcpy(saved.plane[p], range_state(&r, p), r.count * sizeof(mote_real));
    RestartWatch watch;
    restart_watch(&watch, &r);
    CollideInput input = slot_collide_input(slot, step->t, step->dt);
    CollideTally *tally = &step->shop->workers[worker].tally;
    if (slot->check > 0)
        slot_check_interval(step->shop, slot, &r, tally);
    else
        collide_range(slot->collide, step->shop->collide_kernels, &input, &r, tally);
    put_pinned_back(step, &r, &saved);
    restart_changed(&watch, &r);
    note_touched(step, &r, &saved);
}

void coupled_guard(CoupledStep *step, size_t block, int worker)
{
    size_t first = block * BLOCK_ROWS, left = step->rows - first;
    shop_guard(step->shop, shop_range(step->shop, step->slot->system, first,
                                      left < BLOCK_ROWS ? left : BLOCK_ROWS, worker));
}

bool coupled_collides_now(const SystemSlot *slot)
{
    return slot_collides(slot) && (slot->check == 0 || slot->checks_now);
}

static void collide_block(CoupledStep *step, size_t block, int worker)
{
    if (coupled_collides_now(step->slot)) coupled_meet_walls(step, block, worker);
    coupled_guard(step, block, worker);
}

void coupled_collide(CoupledStep *step)
{
    double before = clock_seconds();
    coupled_for_blocks(step, collide_block);
    step->shop->stage_seconds[SHOP_COLLIDE] += clock_seconds() - before;
}
