/* Rows in the order of files, a part on every rank: those of slices stand so already, and those of
 * bricks are sorted by the number of their cell and by id. Where parts begin is found by asking all
 * ranks how many rows they have below a key, in halves; nobody needs room for all rows. */
#include "solvers/spread/spread.h"

#include "base/sort.h"
#include "base/status.h"
#include "solvers/solver.h"

#include <string.h>

/* Rows of bricks of one rank in their order; numbers of cells count from 1, and 0, of rows that
 * were born since, comes last. */
typedef struct OrderedRows {
    const uint64_t *ids, *orders;
    SortItem *items; /* key: of the cell, less 1; value: the row */
    size_t count;
} OrderedRows;

/* By id first, and then, without changing that, by number. */
static void sort_rows(OrderedRows *rows)
{
    SortItem *items = rows->items, *spare = items + rows->count;
    for (size_t i = 0; i < rows->count; ++i) items[i] = (SortItem){rows->ids[i], i};
    sort_items(items, spare, rows->count);
    for (size_t i = 0; i < rows->count; ++i) items[i].key = rows->orders[items[i].value] - 1;
    sort_items(items, spare, rows->count);
}

/* ---- where parts begin ---- */

/* The largest key with no more than `wanted` rows of all ranks below it, looked for between two:
 * its cell at first, and then its id. */
typedef struct Splitter {
    uint64_t cell, low, high;
    int64_t wanted;
} Splitter;

static uint64_t middle(const Splitter *splitter)
{
    const uint64_t way = splitter->high - splitter->low;
    return splitter->low + way / 2 + (way & 1);
}

static size_t rows_below(const OrderedRows *rows, uint64_t cell, uint64_t id)
{
    size_t low = 0, high = rows->count;
    while (low < high) {
        const size_t at = low + (high - low) / 2;
        const SortItem item = rows->items[at];
        if (item.key < cell || (item.key == cell && rows->ids[item.value] < id))
            low = at + 1;
        else
            high = at;
    }
    return low;
}

static bool all_found(const Splitter *splitters, size_t count)
{
    for (size_t r = 0; r < count; ++r)
        if (splitters[r].low < splitters[r].high) return false;
    return true;
}

/* Halves what is left of each; by ids where cells are known. */
static mote_Status halve(const mote_Ranks *ranks, const OrderedRows *rows, bool by_id,
                         Splitter *splitters, int64_t *below, mote_Error *error)
{
    const size_t count = (size_t)ranks->count - 1;
    for (size_t r = 0; r < count; ++r) {
        const uint64_t at = middle(&splitters[r]);
        below[r] =
            (int64_t)(by_id ? rows_below(rows, splitters[r].cell, at) : rows_below(rows, at, 0));
    }
    mote_Status status = ranks_sum(ranks, below, count, error);
    for (size_t r = 0; r < count; ++r) {
        Splitter *splitter = &splitters[r];
        if (below[r] <= splitter->wanted)
            splitter->low = middle(splitter);
        else
            splitter->high = middle(splitter) - 1;
    }
    return status;
}

static mote_Status find_splitters(const mote_Ranks *ranks, const OrderedRows *rows,
                                  Splitter *splitters, int64_t *below, mote_Error *error)
{
    const size_t count = (size_t)ranks->count - 1;
    mote_Status status = MOTE_OK;
    for (int by_id = 0; by_id < 2; ++by_id) {
        for (size_t r = 0; r < count; ++r) {
            if (by_id != 0) splitters[r].cell = splitters[r].low;
            splitters[r].low = 0, splitters[r].high = UINT64_MAX;
        }
        while (status == MOTE_OK && !all_found(splitters, count))
            status = halve(ranks, rows, by_id != 0, splitters, below, error);
    }
    return status;
}

/* ---- rows go there ---- */

/* Where this rank's rows for each rank begin, in their order. */
static mote_Status find_bounds(RowSpread *spread, const OrderedRows *rows, size_t total,
                               RowMove *move, mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    const size_t count = (size_t)ranks->count;
    Splitter *splitters = arena_take(&spread->post, count * sizeof *splitters);
    int64_t *below = arena_take(&spread->post, count * sizeof *below);
    move->leave_first = arena_take(&spread->post, (count + 1) * sizeof *move->leave_first);
    move->come_first = arena_take(&spread->post, (count + 1) * sizeof *move->come_first);
    move->leave = arena_take(&spread->post, (rows->count + 1) * sizeof *move->leave);
    const bool room = splitters != NULL && below != NULL && move->leave_first != NULL &&
                      move->come_first != NULL && move->leave != NULL;
    mote_Status status = room ? MOTE_OK : status_no_memory(error, "parts", rows->count);
    status = ranks_agree(ranks, status, error);
    if (status != MOTE_OK) return status;
    for (int r = 1; r < ranks->count; ++r)
        splitters[r - 1].wanted = (int64_t)ranks_slice_begin(ranks, r, total, BLOCK_ROWS);
    status = find_splitters(ranks, rows, splitters, below, error);
    move->leave_first[0] = 0, move->leave_first[count] = rows->count;
    for (size_t r = 1; r < count; ++r)
        move->leave_first[r] = rows_below(rows, splitters[r - 1].cell, splitters[r - 1].low);
    for (size_t i = 0; i < rows->count; ++i) move->leave[i] = (uint32_t)rows->items[i].value;
    const RankLists from = {move->leave_first, move->leave};
    return status == MOTE_OK
               ? ranks_count_arrivals(ranks, MOTE_OK, &from, move->come_first, &spread->post, error)
               : status;
}

static bool is_wanted(const SystemSlot *slot, int which, size_t column)
{
    return which == GATHERED_STATE || !slot->system->columns[column].internal ||
           column == slot->all.order;
}

/* Room for a part of the columns, and planes from where rows stand, and to there, behind them. */
static RankPlane *take_part(RowSpread *spread, const SystemSlot *slot, int which,
                            mote_Column *columns, size_t rows, size_t *count)
{
    const mote_System *system = slot->system;
    size_t planes = 0, at = 0;
    for (size_t i = 0; i < system->column_count; ++i)
        if (is_wanted(slot, which, i)) planes += (size_t)columns[i].components;
    RankPlane *list = arena_take(&spread->post, 2 * planes * sizeof *list);
    *count = planes;
    for (size_t i = 0; i < system->column_count && list != NULL; ++i) {
        const mote_Column own = columns[i];
        const size_t item = column_item_size(own.type);
        if (!is_wanted(slot, which, i)) continue;
        columns[i].data =
            arena_take(&spread->gathered[which], (size_t)own.components * rows * item + 1);
        columns[i].stride = rows;
        if (columns[i].data == NULL) return NULL;
        for (int c = 0; c < own.components; ++c, ++at) {
            list[at] = (RankPlane){column_plane(&own, c), item, item};
            list[planes + at] = (RankPlane){column_plane(&columns[i], c), item, item};
        }
    }
    return list;
}

static void permute(char *plane, size_t item, const OrderedRows *rows, char *spare)
{
    for (size_t i = 0; i < rows->count; ++i)
        memcpy(spare + i * item, plane + rows->items[i].value * item, item);
    memcpy(plane, spare, rows->count * item);
}

/* What came from each rank is in order; all of it is put in order. */
static mote_Status order_part(RowSpread *spread, const SystemSlot *slot, int which,
                              mote_Column *columns, size_t count, mote_Error *error)
{
    OrderedRows rows = {.ids = columns[COLUMN_ID].data,
                        .orders = columns[slot->all.order].data,
                        .items = arena_take(&spread->post, 2 * (count + 1) * sizeof(SortItem)),
                        .count = count};
    char *spare = arena_take(&spread->post, (count + 1) * sizeof(uint64_t));
    if (rows.items == NULL || spare == NULL)
        return status_no_memory(error, slot->system->name, count * sizeof(SortItem));
    if (count == 0) return MOTE_OK;
    sort_rows(&rows);
    for (size_t i = 0; i < slot->system->column_count; ++i)
        for (int c = 0; c < columns[i].components && is_wanted(slot, which, i); ++c)
            permute(column_plane(&columns[i], c), column_item_size(columns[i].type), &rows, spare);
    return MOTE_OK;
}

mote_Status spread_part_of_bricks(RowSpread *spread, SystemSlot *slot, int which,
                                  mote_Column *columns, size_t *part, mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    const size_t own = slot->system->count;
    OrderedRows rows = {.ids = columns[COLUMN_ID].data,
                        .orders = columns[slot->all.order].data,
                        .items = arena_take(&spread->post, 2 * (own + 1) * sizeof(SortItem)),
                        .count = own};
    mote_Status status =
        rows.items != NULL ? MOTE_OK : status_no_memory(error, slot->system->name, own);
    status = ranks_agree(ranks, status, error);
    if (status != MOTE_OK) return status;
    sort_rows(&rows);
    RowMove move = {.before = 0};
    status = find_bounds(spread, &rows, (size_t)slot->all.count, &move, error);
    if (status != MOTE_OK) return status;
    size_t plane_count;
    *part = move.come_first[ranks->count];
    move.come = arena_take(&spread->post, (*part + 1) * sizeof *move.come);
    for (size_t i = 0; i < *part && move.come != NULL; ++i) move.come[i] = (uint32_t)i;
    RankPlane *planes = take_part(spread, slot, which, columns, *part, &plane_count);
    if (planes == NULL || move.come == NULL)
        status = status_no_memory(error, slot->system->name, *part * sizeof(uint64_t));
    status = ranks_agree(ranks, status, error);
    if (status != MOTE_OK) return status;
    const RankLists from = {move.leave_first, move.leave}, to = {move.come_first, move.come};
    const RankMove way = {&from, &to, planes, planes + plane_count, plane_count};
    status = ranks_move(ranks, &way, &spread->post, error);
    if (status == MOTE_OK) status = order_part(spread, slot, which, columns, *part, error);
    return ranks_agree(ranks, status, error);
}
