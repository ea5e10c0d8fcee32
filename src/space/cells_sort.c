/* Cells: sorting points by the cell that they are in, and by their ids within it. */
#include "space/cells_sort.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

#include "space/formulas/place.h"

enum { KEYS_AT_ONCE = 128 };

/* A table over all cells, empty ones too, is used while it is not much larger than the points. */
enum { TABLE_SPARE = 1 << 16, TABLE_SHARE = 8 };

/* ---- keys ---- */

static mote_real placed_at(const Cells *cells, int c, mote_real x)
{
    return placed_in(x, cells->space.low[c], cells->space.period[c]);
}

/* Always as many as the compiler knows of. */
static void axis_cells(const Cells *cells, int c, const mote_real x[KEYS_AT_ONCE],
                       int32_t out[KEYS_AT_ONCE])
{
    const Cells grid = *cells;
    const mote_real low = grid.low[c], last = (mote_real)(grid.side[c] - 1);
    for (size_t i = 0; i < KEYS_AT_ONCE; ++i) {
        const mote_real cell = cells_at(&grid, c, x[i]);
        out[i] = (int32_t)cell_in_window(cell, low, last);
    }
}

static void block_keys(const Cells *cells, const mote_real *const x[3], size_t count,
                       uint64_t *keys)
{
    mote_real near[KEYS_AT_ONCE] = {0}, odd[KEYS_AT_ONCE] = {0};
    int32_t at[3][KEYS_AT_ONCE];
    for (int c = 0; c < 3; ++c) {
        memcpy(near, x[c], count * sizeof *near);
        for (size_t i = 0; i < KEYS_AT_ONCE; ++i) odd[i] += near[i] - near[i];
        for (size_t i = 0; i < count && cells->space.period[c] > 0; ++i)
            near[i] = placed_at(cells, c, near[i]);
        axis_cells(cells, c, near, at[c]);
    }
    for (size_t i = 0; i < count; ++i) {
        uint64_t key = (uint64_t)at[2][i] * cells->side[1] + (uint64_t)at[1][i];
        key = key * cells->side[0] + (uint64_t)at[0][i];
        keys[i] = odd[i] == 0 ? key : UINT64_MAX;
    }
}

void sort_keys(const SortWork *work, size_t begin, size_t end)
{
    const mote_real *const *from = work->points->x;
    for (size_t i = begin; i < end; i += KEYS_AT_ONCE) {
        const mote_real *const x[3] = {from[0] + i, from[1] + i, from[2] + i};
        size_t count = end - i < KEYS_AT_ONCE ? end - i : KEYS_AT_ONCE;
        block_keys(work->cells, x, count, work->keys + i);
    }
}

/* ---- counting ---- */

static void count_body(void *context, size_t begin, size_t end, int worker)
{
    const SortWork *work = context;
    uint32_t *dealt = work->dealt + begin / SORT_PER_TASK * work->buckets;
    (void)worker;
    if (work->splits == NULL) sort_keys(work, begin, end);
    memset(dealt, 0, work->buckets * sizeof *dealt);
    for (size_t i = begin; i < end; ++i) ++dealt[sort_bucket_of(work, work->keys[i])];
}

void sort_count(SortWork *work, mote_Tasks *tasks)
{
    uint32_t place = 0;
    mote_parallel_for(tasks, work->points->count, SORT_PER_TASK, count_body, work);
    for (size_t b = 0; b < work->buckets; ++b) {
        work->first[b] = place;
        for (size_t p = 0; p < work->pieces; ++p) {
            uint32_t *dealt = &work->dealt[p * work->buckets + b], count = *dealt;
            *dealt = place;
            place += count;
        }
    }
    work->first[work->buckets] = place;
}

/* ---- ties ---- */

enum { FEW = 32 };

/* As many as a cell has as a rule, with their ids beside them. */
static void sort_few(uint32_t *points, size_t count, const uint64_t *ids)
{
    uint64_t id[FEW];
    for (size_t i = 0; i < count; ++i) {
        const uint32_t point = points[i];
        const uint64_t own = ids[point];
        size_t at = i;
        for (; at > 0 && id[at - 1] > own; --at) id[at] = id[at - 1], points[at] = points[at - 1];
        id[at] = own, points[at] = point;
    }
}

/* As many as there are: Shell's sort, with the steps of Ciura 2001. */
static void sort_many(uint32_t *points, size_t count, const uint64_t *ids)
{
    static const size_t steps[] = {1035711, 460316, 204585, 90927, 40412, 17961, 7983, 3548, 1577,
                                   701,     301,    132,    57,    23,    10,    4,    1};
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; ++k) {
        const size_t step = steps[k];
        for (size_t i = step; i < count; ++i) {
            const uint32_t point = points[i];
            size_t at = i;
            for (; at >= step && ids[points[at - step]] > ids[point]; at -= step)
                points[at] = points[at - step];
            points[at] = point;
        }
    }
}

void sort_cell(const SortWork *work, uint32_t begin, uint32_t end)
{
    const uint64_t *ids = work->points->ids;
    uint32_t *order = work->cells->order + begin;
    const size_t count = end - begin;
    if (ids == NULL) return; /* whoever comes first was dealt first */
    if (count <= FEW)
        sort_few(order, count, ids);
    else
        sort_many(order, count, ids);
}

/* ---- either way ---- */

void sort_copy(const SortWork *work, size_t begin, size_t end)
{
    const Cells *cells = work->cells;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i)
            cells->x[c][i] = placed_at(cells, c, work->points->x[c][cells->order[i]]);
}

static void name_body(void *context, size_t begin, size_t end, int worker)
{
    const SortWork *work = context;
    Cells *cells = work->cells;
    (void)worker;
    for (size_t b = begin; b < end; ++b) {
        const size_t next = b + 1 < work->buckets ? work->cells_of[b + 1] : cells->cell_count;
        size_t item = work->first[b];
        for (size_t k = work->cells_of[b]; k < next; ++k, ++item) {
            const bool wide = work->wide != NULL;
            cells->keys[k] = wide ? work->wide[item].key : work->items[item].key;
            cells->first[k] = wide ? (uint32_t)work->wide[item].value : work->items[item].value;
        }
    }
}

void sort_name_cells(SortWork *work, mote_Tasks *tasks)
{
    Cells *cells = work->cells;
    for (size_t b = 0; b < work->buckets; ++b) {
        const uint32_t count = work->cells_of[b];
        work->cells_of[b] = (uint32_t)cells->cell_count;
        cells->cell_count += count;
        if (work->most_of[b] > cells->most) cells->most = work->most_of[b];
    }
    mote_parallel_for(tasks, work->buckets, 16, name_body, work);
}

static uint64_t window_cells(const Cells *cells)
{
    return (uint64_t)cells->side[0] * cells->side[1] * cells->side[2];
}

bool cells_have_table(const Cells *cells)
{
    const uint64_t total = window_cells(cells);
    return total <= TABLE_SHARE * (uint64_t)cells->points + TABLE_SPARE && total < UINT32_MAX;
}

bool cells_sort(Cells *cells, const CellPoints *points, Arena *arena, mote_Tasks *tasks)
{
    SortWork work = {.cells = cells, .points = points};
    const uint64_t total = window_cells(cells);
    const bool table = cells_have_table(cells);
    work.keys = arena_take(arena, (points->count + CELLS_SPARE) * sizeof *work.keys);
    work.pieces = (points->count + SORT_PER_TASK - 1) / SORT_PER_TASK;
    if (work.keys == NULL) return false;
    if (!(table ? sort_by_table(&work, total, arena, tasks) : sort_sparsely(&work, arena, tasks)))
        return false;
    sort_cell(&work, (uint32_t)cells->placed, (uint32_t)points->count);
    sort_copy(&work, cells->placed, points->count);
    return true;
}
