/* Rods: which there are, and sums over them. */
#include "space/rods.h"

#include "base/sort.h"

#include <string.h>

enum { PLACES_PER_TASK = 512, BRICKS_PER_TASK = 64 };

/* ---- which there are ---- */

/* Of a cell of the window. */
static int64_t brick_of(const Cells *cells, int c, uint64_t cell)
{
    return brick_of_cell((int64_t)cells->low[c] + (int64_t)cell);
}

/* Bricks by number, from the first of the window. */
static uint64_t brick_number(const Cells *cells, uint64_t row, int64_t along)
{
    uint64_t number = 0;
    const uint64_t at[3] = {0, row % cells->side[1], row / cells->side[1]};
    for (int c = 2; c >= 0; --c) {
        const int64_t low = brick_of(cells, c, 0), high = brick_of(cells, c, cells->side[c] - 1);
        const int64_t brick = c == 0 ? along : brick_of(cells, c, at[c]);
        number = number * (uint64_t)(high - low + 1) + (uint64_t)(brick - low);
    }
    return number;
}

/* Cells of one row whose bricks are the same are a rod: those with keys below `end`. */
typedef struct RodEnd {
    uint64_t row, brick, end;
} RodEnd;

static RodEnd rod_at(const Cells *cells, uint64_t key)
{
    const uint64_t row = key / cells->side[0], x = key % cells->side[0];
    const int64_t along = brick_of(cells, 0, x);
    const int64_t end = (along + 1) * ROD_CELLS - (int64_t)cells->low[0];
    const uint64_t last = (uint64_t)end < cells->side[0] ? (uint64_t)end : cells->side[0];
    return (RodEnd){row, brick_number(cells, row, along), row * cells->side[0] + last};
}

/* Rods in the order of places, with their bricks as keys. */
static void find_rods(Rods *rods, const Cells *cells, SortItem *items)
{
    uint64_t end = 0;
    for (size_t cell = 0; cell < cells->cell_count; ++cell) {
        const uint64_t key = cells->keys[cell];
        if (key < end) continue;
        const RodEnd rod = rod_at(cells, key);
        end = rod.end;
        items[rods->count] = (SortItem){rod.brick, rods->count};
        rods->first[rods->count++] = cells->first[cell];
    }
    if (cells->placed < cells->points) {
        items[rods->count] = (SortItem){UINT64_MAX, rods->count};
        rods->first[rods->count++] = (uint32_t)cells->placed;
    }
    rods->first[rods->count] = (uint32_t)cells->points;
}

static void find_bricks(Rods *rods, const SortItem *items)
{
    for (size_t i = 0; i < rods->count; ++i) {
        rods->sorted[i] = (uint32_t)items[i].value;
        if (i == 0 || items[i].key != items[i - 1].key)
            rods->brick_first[rods->brick_count++] = (uint32_t)i;
    }
    rods->brick_first[rods->brick_count] = (uint32_t)rods->count;
}

bool rods_make(Rods *rods, const Cells *cells, Arena *arena, mote_Tasks *tasks)
{
    const size_t most = cells->cell_count + 2, workers = (size_t)mote_tasks_workers(tasks);
    SortItem *items = arena_take(arena, 2 * most * sizeof *items);
    *rods = (Rods){.first = arena_take(arena, most * sizeof *rods->first),
                   .brick_first = arena_take(arena, most * sizeof *rods->brick_first),
                   .sorted = arena_take(arena, most * sizeof *rods->sorted),
                   .parts = arena_take(arena, workers * RODS_MOST_SUMS * sizeof *rods->parts)};
    if (items == NULL || rods->first == NULL || rods->brick_first == NULL || rods->sorted == NULL ||
        rods->parts == NULL)
        return false;
    find_rods(rods, cells, items);
    sort_items(items, items + most, rods->count);
    find_bricks(rods, items);
    return true;
}

/* ---- sums ---- */

void rods_for(const Rods *rods, mote_Tasks *tasks, mote_TaskBody *body, void *context)
{
    const size_t places = rods->first[rods->count];
    const size_t grain = places > 0 ? PLACES_PER_TASK * rods->count / places : 1;
    mote_parallel_for(tasks, rods->count, grain > 0 ? grain : 1, body, context);
}

typedef struct TotalWork {
    const Rods *rods;
    const double *of_rods;
    size_t each;
} TotalWork;

static void total_body(void *context, size_t begin, size_t end, int worker)
{
    const TotalWork *work = context;
    const Rods *rods = work->rods;
    Limbs *parts = rods->parts + (size_t)worker * RODS_MOST_SUMS;
    for (size_t brick = begin; brick < end; ++brick) {
        double sums[RODS_MOST_SUMS] = {0};
        for (uint32_t i = rods->brick_first[brick]; i < rods->brick_first[brick + 1]; ++i) {
            const double *rod = work->of_rods + rods->sorted[i] * work->each;
            for (size_t k = 0; k < work->each; ++k) sums[k] += rod[k];
        }
        for (size_t k = 0; k < work->each; ++k) limbs_add(&parts[k], sums[k]);
    }
}

void rods_limbs(const Rods *rods, mote_Tasks *tasks, const double *of_rods, size_t each,
                Limbs *total)
{
    TotalWork work = {rods, of_rods, each};
    const size_t workers = (size_t)mote_tasks_workers(tasks);
    memset(rods->parts, 0, workers * RODS_MOST_SUMS * sizeof *rods->parts);
    mote_parallel_for(tasks, rods->brick_count, BRICKS_PER_TASK, total_body, &work);
    for (size_t k = 0; k < each; ++k) {
        total[k] = (Limbs){.odd = 0};
        for (size_t w = 0; w < workers; ++w)
            limbs_merge(&total[k], &rods->parts[w * RODS_MOST_SUMS + k]);
    }
}

void rods_total(const Rods *rods, mote_Tasks *tasks, const double *of_rods, size_t each,
                double *total)
{
    Limbs sums[RODS_MOST_SUMS];
    rods_limbs(rods, tasks, of_rods, each, sums);
    for (size_t k = 0; k < each; ++k) total[k] = limbs_value(&sums[k]);
}

/* All rods of a brick are kept, or none is. */
void rods_keep(Rods *rods, const bool *kept)
{
    size_t bricks = 0, entries = 0;
    for (size_t brick = 0; brick < rods->brick_count; ++brick) {
        const uint32_t begin = rods->brick_first[brick], end = rods->brick_first[brick + 1];
        if (!kept[rods->sorted[begin]]) continue;
        rods->brick_first[bricks++] = (uint32_t)entries;
        for (uint32_t i = begin; i < end; ++i) rods->sorted[entries++] = rods->sorted[i];
    }
    rods->brick_first[bricks] = (uint32_t)entries;
    rods->brick_count = bricks;
    rods->kept = kept;
}
