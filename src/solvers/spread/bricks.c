/* Rows over ranks where they feel each other: a rank has the rows in its bricks of space, and moves
 * those that leave them to who has the others.
 *
 * Where rows stand in memory depends on their way from rank to rank, and nothing else does. Files
 * have the rows in the order of one rank alone: each row has a number of its cell, from when rows
 * were last sorted, or of its place in the saved state that they come from; rows that were born
 * since come behind, by their ids. */
#include "solvers/spread/spread.h"

#include "base/status.h"
#include "solvers/solver.h"
#include "space/rods.h"

#include <string.h>

/* ---- order ---- */

/* Numbers count from 1; 0 is that of rows that were born since. */
mote_Status spread_add_order(SystemSlot *slot, mote_Error *error)
{
    const mote_Column column = {.name = "order of ranks",
                                .unit = "",
                                .stage = "sort",
                                .type = MOTE_COLUMN_U64,
                                .components = 1,
                                .internal = true};
    if (slot->all.order > 0) return MOTE_OK;
    mote_Status status = mote_system_add_column(slot->system, &column, error);
    if (status != MOTE_OK) return status;
    slot->all.order = slot->system->column_count - 1;
    slot->all.ascend = slot->system->ids_ascend;
    return MOTE_OK;
}

void spread_order_slices(const RowSpread *spread, const Slots *all)
{
    for (size_t i = 0; i < all->count; ++i) {
        SystemSlot *slot = &all->items[i];
        if (!slot_has_bricks(slot)) continue;
        const RankSlice kept =
            ranks_slice(spread->shop->ranks, (size_t)slot->all.count, BLOCK_ROWS);
        uint64_t *order = slot->system->columns[slot->all.order].data;
        for (size_t row = 0; row < slot->system->count; ++row) order[row] = kept.begin + row + 1;
    }
}

/* ---- bricks ---- */

static Cells grid_of(const RowSpread *spread, const SystemSlot *slot)
{
    const mote_Vec3 low = spread->shop->box_min;
    const mote_real *period = spread->shop->period;
    const CellSpace space = {.low = {low.x, low.y, low.z},
                             .period = {period[0], period[1], period[2]},
                             .flat = spread->flat};
    return cells_grid(&space, slot->solver->row->reach(slot->solver));
}

/* The cells of all rows of this rank. */
typedef struct RowCells {
    Cells grid;
    size_t count;
    int32_t *at[3];
} RowCells;

static bool locate_rows(const RowSpread *spread, const SystemSlot *slot, RowCells *rows,
                        Arena *arena)
{
    const CellPoints points = cell_points_of(slot->system);
    *rows = (RowCells){.grid = grid_of(spread, slot), .count = points.count};
    for (int c = 0; c < 3; ++c) {
        rows->at[c] = arena_take(arena, (points.count + 1) * sizeof *rows->at[c]);
        if (rows->at[c] == NULL) return false;
    }
    cells_locate_all(&rows->grid, &points, rows->at, spread->shop->tasks);
    return true;
}

/* False: the row is in none. */
static bool find_brick(const RowCells *rows, size_t row, int32_t brick[3])
{
    for (int c = 0; c < 3; ++c) {
        const int32_t number = (int32_t)brick_of_cell(rows->at[c][row]);
        brick[c] = number < -BRICK_MOST ? -BRICK_MOST : number < BRICK_MOST ? number : BRICK_MOST;
    }
    return rows->at[0][row] != CELLS_NOWHERE;
}

/* The bricks with rows of this rank, and how many they are; rows of one mostly stand together. */
static Brick *list_bricks(const RowCells *rows, uint64_t cost, Arena *arena, size_t *count)
{
    Brick *bricks = arena_take(arena, (rows->count + 1) * sizeof *bricks);
    *count = 0;
    for (size_t row = 0; row < rows->count && bricks != NULL; ++row) {
        Brick brick = {.weight = cost};
        if (!find_brick(rows, row, brick.at)) continue;
        Brick *last = *count > 0 ? &bricks[*count - 1] : NULL;
        if (last != NULL && memcmp(last->at, brick.at, sizeof brick.at) == 0)
            last->weight += cost;
        else
            bricks[(*count)++] = brick;
    }
    return bricks;
}

/* The first time all rows are taken to cost the same; where there are cuts, there are costs. */
static bool take_cuts(const RowSpread *spread, SlotRows *all)
{
    const size_t ranks = (size_t)spread->shop->ranks->count;
    if (all->costs == NULL) {
        all->costs = memory_take(spread->shop->memory, ranks * sizeof *all->costs);
        for (size_t r = 0; r < ranks && all->costs != NULL; ++r) all->costs[r] = ROW_COST;
    }
    if (all->costs != NULL && all->cuts == NULL)
        all->cuts = memory_take(spread->shop->memory, ranks * sizeof *all->cuts);
    return all->cuts != NULL;
}

/* rows: NULL where there was no memory for them. */
static mote_Status cut(RowSpread *spread, SystemSlot *slot, const RowCells *rows, mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    size_t count = 0;
    Brick *bricks = NULL;
    if (take_cuts(spread, &slot->all) && rows != NULL)
        bricks = list_bricks(rows, slot->all.costs[ranks->own], &spread->post, &count);
    mote_Status status =
        bricks != NULL ? MOTE_OK
                       : status_no_memory(error, "bricks", (size_t)ranks->count * sizeof *bricks);
    status = ranks_agree(ranks, status, error);
    if (status != MOTE_OK) return status;
    slot->all.percent = 0;
    return bricks_divide(ranks, bricks, count, slot->all.cuts, &spread->post, error);
}

/* Of picoseconds a row on every rank, 0 where there was none, half of what costs become: what
 * disturbs a rank once shall not move space. */
static void mix_costs(uint64_t *costs, const uint64_t *taken, int ranks)
{
    enum { LEAST = ROW_COST * 2 / 3, MOST = ROW_COST * 3 / 2 };
    uint64_t sum = 0, known = 0;
    for (int r = 0; r < ranks; ++r) sum += taken[r], known += taken[r] > 0;
    for (int r = 0; r < ranks; ++r) {
        const uint64_t cost = taken[r] > 0 ? taken[r] * known * ROW_COST / sum : ROW_COST;
        const uint64_t kept = cost < LEAST ? LEAST : cost < MOST ? cost : MOST;
        costs[r] = (costs[r] + kept) / 2;
    }
}

/* How long a row takes on each rank depends on its processor and on how many ghosts stand around
 * its rows. It is measured, so where space is cut differs from run to run; nothing else does. */
static mote_Status find_costs(RowSpread *spread, SlotRows *all, mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    const double own = all->worked > 0 ? 1e12 * all->busy / (double)all->worked : 0;
    const size_t bytes = (size_t)ranks->count * sizeof(uint64_t);
    uint64_t *taken = arena_take(&spread->post, bytes);
    mote_Status status = taken != NULL ? MOTE_OK : status_no_memory(error, "ranks", bytes);
    status = ranks_agree(ranks, status, error);
    if (status == MOTE_OK)
        status = ranks_share(ranks, (uint64_t)(own < 1e12 ? own : 1e12), taken, error);
    if (status == MOTE_OK) mix_costs(all->costs, taken, ranks->count);
    all->busy = 0, all->worked = 0, all->percent = 0;
    return status;
}

/* Of an even share of the work: above it space is cut anew at each look, and at each glance where
 * the last cut came to so much less. What a cut comes to depends on how many bricks there are:
 * cutting at once again would not mend it. */
enum { WORST_PERCENT = 110, MORE_PERCENT = 5 };

static uint64_t worst_percent(const RowSpread *spread, const SlotRows *all, const uint64_t *first)
{
    const int ranks = spread->shop->ranks->count;
    uint64_t most = 0, sum = 0;
    for (int r = 0; r < ranks; ++r) {
        const uint64_t work = (first[r + 1] - first[r]) * all->costs[r];
        most = work > most ? work : most;
        sum += work;
    }
    return most * 100 * (uint64_t)ranks / sum;
}

static bool is_due(const RowSpread *spread, SystemSlot *slot, const uint64_t *first)
{
    if (slot->all.cuts == NULL) return true;
    const uint64_t percent = worst_percent(spread, &slot->all, first);
    if (slot->all.percent == 0) slot->all.percent = percent;
    return (spread->looks && percent > WORST_PERCENT) ||
           (spread->glances && percent > slot->all.percent + MORE_PERCENT);
}

/* ---- rows that leave ---- */

typedef struct OwnerWork {
    const RowCells *rows;
    const BrickCut *cuts;
    int ranks, own;
    int32_t *owners;
} OwnerWork;

static void owner_body(void *context, size_t begin, size_t end, int worker)
{
    const OwnerWork *work = context;
    BrickOwners known;
    (void)worker;
    brick_owners_start(&known, work->cuts, work->ranks);
    for (size_t row = begin; row < end; ++row) {
        int32_t brick[3];
        const bool same = row > begin && cells_same(work->rows->at, row);
        work->owners[row] = same                                 ? work->owners[row - 1]
                            : find_brick(work->rows, row, brick) ? brick_owner(&known, brick)
                                                                 : work->own;
    }
}

/* Whose every row is, and how many go to each rank. */
static void find_owners(const RowSpread *spread, const SystemSlot *slot, const RowCells *rows,
                        int32_t *owners, size_t *counts)
{
    enum { ROWS_PER_TASK = 2048 };
    const mote_Ranks *ranks = spread->shop->ranks;
    OwnerWork work = {rows, slot->all.cuts, ranks->count, ranks->own, owners};
    mote_parallel_for(spread->shop->tasks, rows->count, ROWS_PER_TASK, owner_body, &work);
    memset(counts, 0, ((size_t)ranks->count + 1) * sizeof *counts);
    for (size_t row = 0; row < rows->count; ++row)
        if (owners[row] != work.own) ++counts[owners[row]];
}

/* Counts become where each rank's begin. */
static size_t add_up(size_t *counts, size_t ranks)
{
    size_t all = 0;
    for (size_t r = 0; r < ranks; ++r) {
        const size_t own = counts[r];
        counts[r] = all;
        all += own;
    }
    return counts[ranks] = all;
}

static bool list_leavers(const RowSpread *spread, const SystemSlot *slot, const RowCells *rows,
                         RowMove *move, Arena *arena)
{
    const size_t ranks = (size_t)spread->shop->ranks->count;
    int32_t *owners = arena_take(arena, (rows->count + 1) * sizeof *owners);
    size_t *at = arena_take(arena, (ranks + 1) * sizeof *at);
    move->leave_first = arena_take(arena, (ranks + 1) * sizeof *move->leave_first);
    move->come_first = arena_take(arena, (ranks + 1) * sizeof *move->come_first);
    if (owners == NULL || at == NULL || move->leave_first == NULL || move->come_first == NULL)
        return false;
    find_owners(spread, slot, rows, owners, move->leave_first);
    move->leave = arena_take(arena, (add_up(move->leave_first, ranks) + 1) * sizeof *move->leave);
    if (move->leave == NULL) return false;
    memcpy(at, move->leave_first, (ranks + 1) * sizeof *at);
    for (size_t row = 0; row < rows->count; ++row)
        if (owners[row] != spread->shop->ranks->own) move->leave[at[owners[row]]++] = (uint32_t)row;
    return true;
}

static mote_Status move_leavers(RowSpread *spread, SystemSlot *slot, RowMove *move,
                                mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    const size_t count = (size_t)ranks->count;
    const RankLists from = {move->leave_first, move->leave};
    mote_Status status =
        ranks_count_arrivals(ranks, MOTE_OK, &from, move->come_first, &spread->post, error);
    if (status != MOTE_OK) return status;
    const size_t comes = move->come_first[count];
    move->come = arena_take(&spread->post, (comes + 1) * sizeof *move->come);
    for (size_t i = 0; i < comes && move->come != NULL; ++i)
        move->come[i] = (uint32_t)(slot->system->count + i);
    status = move->come != NULL ? MOTE_OK : status_no_memory(error, slot->system->name, comes);
    status = ranks_agree(ranks, status, error);
    return status == MOTE_OK ? spread_move_rows(spread, slot, move, error) : status;
}

mote_Status spread_migrate_bricks(RowSpread *spread, SystemSlot *slot, const uint64_t *first,
                                  mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    RowCells rows;
    RowMove move = {.unordered = true};
    if (first[ranks->count] == 0) return MOTE_OK;
    if (spread->looks && slot->all.cuts != NULL) {
        const mote_Status found = find_costs(spread, &slot->all, error);
        if (found != MOTE_OK) return found;
    }
    bool room = locate_rows(spread, slot, &rows, &spread->post);
    if (is_due(spread, slot, first)) {
        const mote_Status status = cut(spread, slot, room ? &rows : NULL, error);
        if (status != MOTE_OK) return status;
    }
    room = room && list_leavers(spread, slot, &rows, &move, &spread->post);
    int64_t leaves = room ? (int64_t)move.leave_first[ranks->count] : 0;
    mote_Status status =
        room ? MOTE_OK : status_no_memory(error, slot->system->name, slot->system->count);
    status = ranks_agree(ranks, status, error);
    if (status == MOTE_OK) status = ranks_sum(ranks, &leaves, 1, error);
    if (status == MOTE_OK && leaves > 0) status = move_leavers(spread, slot, &move, error);
    slot->system->ids_ascend = false;
    return status;
}
