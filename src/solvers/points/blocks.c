/* Solve, collide and guard, fused block by block: a step of free particles is one pass over memory.
 *
 * A block is cut into pieces whose rows share one piece of time: rows that lived before this
 * sub-step go from t to t + dt, a row born in it from its birth to t + dt. Rows that a collision
 * marks are put back to the start of their piece with their new velocity and solved again. */
#include "base/machine.h"
#include "solvers/points/slot.h"

#include <string.h>

enum { BLOCKS_PER_TASK = 64, TIMED_BLOCK = 64, MOST_PASSES = 3 };

typedef struct BlockWork {
    const SolverStep *step;
    Workshop *shop;
    SystemSlot *slot;
    size_t first; /* rows before it are left alone */
    bool needs_start;
    bool uniform;         /* all rows feel the same acceleration */
    bool asks_ahead;      /* for rows of blocks to come */
    CollideInput collide; /* the same for all blocks */
} BlockWork;

typedef struct BlockPass {
    const BlockWork *work;
    ShopWorker *worker;
    size_t marked; /* rows to be solved again */
    int number;    /* 0, then 1 .. MOST_PASSES for rows solved again */
} BlockPass;

/* ---- the stages ---- */

static void solve_stage(BlockPass *pass, const Range *r)
{
    points_solve(&pass->work->slot->points, r);
}

/* Under forces that are the same everywhere, adding a change of velocity to the end is as good as
 * solving again. */
static void collide_stage(BlockPass *pass, const Range *r)
{
    const BlockWork *work = pass->work;
    const SystemSlot *slot = work->slot;
    if (!slot_collides(slot) || (slot->check > 0 && !slot->checks_now)) return;
    CollideInput input = work->collide;
    if (!work->uniform) {
        input.solves_again = true;
        input.may_bounce = input.may_bounce && pass->number < MOST_PASSES;
    }
    RestartWatch watch;
    restart_watch(&watch, r);
    if (slot->check > 0)
        slot_check_interval(work->shop, slot, r, &pass->worker->tally);
    else
        pass->marked = collide_range(slot->collide, work->shop->collide_kernels, &input, r,
                                     &pass->worker->tally);
    restart_changed(&watch, r);
}

static void guard_stage(BlockPass *pass, const Range *r)
{
    if (pass->marked == 0) shop_guard(pass->work->shop, r); /* else when it is solved again */
}

static const struct {
    int stage;
    void (*run)(BlockPass *pass, const Range *r);
} stages[] = {
    {SHOP_SOLVE, solve_stage},
    {SHOP_COLLIDE, collide_stage},
    {SHOP_GUARD, guard_stage},
};

enum { STAGES = sizeof stages / sizeof stages[0] };

static void run_stages(BlockPass *pass, const Range *r)
{
    const bool timed = r->first / BLOCK_ROWS % TIMED_BLOCK == 0;
    double before = timed ? clock_seconds() : 0;
    for (int s = 0; s < STAGES; ++s) {
        stages[s].run(pass, r);
        if (timed) pass->worker->stage_seconds[stages[s].stage] += clock_lap(&before) * TIMED_BLOCK;
    }
}

/* ---- pieces, and solving again ---- */

static void save_start(const BlockWork *work, const Range *r)
{
    work->shop->kernels->copy(r, r->x0, r->v0, r->x, r->v);
    rates_save(work->slot->rates, r);
}

static void back_to_start(const BlockWork *work, const Range *r)
{
    work->shop->kernels->copy(r, r->x, r->v, r->x0, r->v0);
    rates_restore(work->slot->rates, r);
}

static void solve_again(const BlockPass *pass, const Range *r);

static void advance(const BlockWork *work, const Range *r, int number)
{
    BlockPass pass = {.work = work, .worker = &work->shop->workers[r->worker], .number = number};
    run_stages(&pass, r);
    if (pass.marked > 0) solve_again(&pass, r);
}

/* Runs of marked rows, each from its changed start; the rest of the range is done. */
static void solve_again(const BlockPass *pass, const Range *r)
{
    uint32_t marks[BLOCK_ROWS];
    memcpy(marks, r->marks, r->count * sizeof marks[0]);
    for (size_t i = 0, end; i < r->count; i = end) {
        for (end = i + 1; end < r->count && marks[end] == marks[i]; ++end) {
        }
        Range part = range_part(r, i, end - i);
        if (marks[i] != 0) {
            back_to_start(pass->work, &part);
            restart_rows(&part);
            advance(pass->work, &part, pass->number + 1);
        } else {
            BlockPass done = {.work = pass->work, .worker = pass->worker};
            guard_stage(&done, &part);
        }
    }
}

static void start_piece(const BlockWork *work, size_t first, size_t count, double from, double to,
                        int worker)
{
    Range *r = shop_range(work->shop, work->slot->system, first, count, worker);
    r->t = from;
    r->dt = to - from;
    if (!(r->dt > 0)) return;
    if (work->slot->points.flat) memset(r->v[2], 0, count * sizeof(mote_real));
    if (work->needs_start) save_start(work, r);
    if (work->slot->check > 0) slot_note_interval(work->slot, r);
    advance(work, r, 0);
}

/* Six planes are streams that the hardware follows by itself. With those of a history they are too
 * many, and what is read of colliders between them is in the way: then rows of a block to come are
 * asked for while this one is worked on. */
enum { AHEAD = 2 };

static void prefetch_column(const mote_Column *column, size_t first)
{
    enum { LINE = 64 };
    const size_t item = column_item_size(column->type);
    for (int c = 0; c < column->components; ++c) {
        const char *rows = column_plane(column, c) + first * item;
        for (size_t i = 0; i < BLOCK_ROWS * item; i += LINE) __builtin_prefetch(rows + i, 0, 2);
    }
}

static void prefetch_block(const mote_System *system, size_t block)
{
    const size_t first = block * BLOCK_ROWS, history = system->history;
    if (first + BLOCK_ROWS > system->count) return;
    prefetch_column(&system->columns[COLUMN_POSITION], first);
    prefetch_column(&system->columns[COLUMN_VELOCITY], first);
    if (history == 0) return;
    for (size_t i = history; i < system->column_count && system->columns[i].internal; ++i)
        prefetch_column(&system->columns[i], first);
}

/* Sub-step k of the span, for a block. */
static void step_block(const BlockWork *work, size_t block, uint64_t k, int worker)
{
    const mote_System *system = work->slot->system;
    const double t = step_time(work->step, k);
    const double *birth = system->columns[COLUMN_BIRTH].data;
    double to = t + work->step->dt;
    work->shop->workers[worker].range.step = work->step->number + k;
    size_t first = block * BLOCK_ROWS, fresh = work->slot->first_new;
    size_t skipped = work->first > first ? work->first - first : 0;
    size_t end = first + BLOCK_ROWS < system->count ? first + BLOCK_ROWS : system->count;
    size_t old_end = fresh < end ? fresh : end;
    first += skipped;
    if (first < old_end) start_piece(work, first, old_end - first, t, to, worker);
    for (size_t i = first > fresh ? first : fresh, next; i < end; i = next) {
        for (next = i + 1; next < end && birth[next] == birth[i]; ++next) {
        }
        start_piece(work, i, next - i, birth[i], to, worker);
    }
}

static void blocks_body(void *context, size_t begin, size_t end, int worker)
{
    const BlockWork *work = context;
    for (size_t block = begin; block < end; ++block) {
        if (work->asks_ahead) prefetch_block(work->slot->system, block + AHEAD);
        for (uint64_t k = 0; k < work->step->steps; ++k) step_block(work, block, k, worker);
    }
}

void blocks_run(const SolverStep *step, size_t system, size_t first)
{
    SystemSlot *slot = step->slots[system];
    BlockWork work = {.step = step, .shop = step->shop, .slot = slot, .first = first};
    work.needs_start =
        slot->points.integrator->needs_start || (slot_collides(slot) && slot->collide->needs_start);
    work.uniform = points_is_uniform(&slot->points);
    work.asks_ahead = slot_collides(slot) || slot->system->history > 0;
    work.collide = slot_collide_input(slot, step->t, step->dt);
    mote_parallel_for(step->tasks, system_blocks(slot->system), BLOCKS_PER_TASK, blocks_body,
                      &work);
}
