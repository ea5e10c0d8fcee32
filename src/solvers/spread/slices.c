/* Slices of rows that do not feel each other: their ends move from rank to rank. */
#include "solvers/spread/spread.h"

#include "base/status.h"

#include <string.h>

enum { WORST_PERCENT = 110 }; /* of an even share: above it all slices are made anew */

/* A little unevenness is cheaper than moving rows in every sub-step. */
static bool is_even(const uint64_t *first, int ranks)
{
    const uint64_t total = first[ranks], share = total / (uint64_t)ranks + BLOCK_ROWS;
    for (int r = 0; r < ranks; ++r)
        if ((first[r + 1] - first[r]) * 100 > share * WORST_PERCENT) return false;
    return true;
}

/* Where slices shall begin: at the whole block that is nearest, or all evenly. */
static void choose_cuts(const mote_Ranks *ranks, const uint64_t *first, uint64_t *cuts)
{
    const bool even = is_even(first, ranks->count);
    const uint64_t total = first[ranks->count];
    for (int r = 0; r < ranks->count; ++r) {
        const uint64_t near = (first[r] + BLOCK_ROWS / 2) / BLOCK_ROWS * BLOCK_ROWS;
        cuts[r] = even ? near < total ? near : total
                       : ranks_slice_begin(ranks, r, (size_t)total, BLOCK_ROWS);
    }
    cuts[0] = 0, cuts[ranks->count] = total;
}

/* The rows of [begin, end) that are in [low, high), counted from `from`. */
static size_t add_overlap(uint64_t begin, uint64_t end, uint64_t low, uint64_t high, uint64_t from,
                          uint32_t *places)
{
    const uint64_t a = begin > low ? begin : low, b = end < high ? end : high;
    size_t count = 0;
    for (uint64_t row = a; row < b; ++row) places[count++] = (uint32_t)(row - from);
    return count;
}

/* A plane for each component of each column. */
static RankPlane *planes_of(const mote_System *system, Arena *arena, size_t *count)
{
    size_t planes = 0;
    for (size_t i = 0; i < system->column_count; ++i)
        planes += (size_t)system->columns[i].components;
    RankPlane *list = arena_take(arena, planes * sizeof *list);
    *count = 0;
    for (size_t i = 0; i < system->column_count && list != NULL; ++i) {
        const mote_Column *column = &system->columns[i];
        const size_t item = column_item_size(column->type);
        for (int c = 0; c < column->components; ++c)
            list[(*count)++] = (RankPlane){column_plane(column, c), item, item};
    }
    return list;
}

/* Where slices begin, and where they shall. */
typedef struct SliceCuts {
    const uint64_t *first, *cuts;
} SliceCuts;

static bool list_moves(RowMove *move, SliceCuts slices, const mote_Ranks *ranks, size_t rows,
                       Arena *arena)
{
    const size_t count = (size_t)ranks->count, own = (size_t)ranks->own;
    const uint64_t *first = slices.first, *cuts = slices.cuts;
    move->leave_first = arena_take(arena, (count + 1) * sizeof *move->leave_first);
    move->come_first = arena_take(arena, (count + 1) * sizeof *move->come_first);
    move->leave = arena_take(arena, (rows + 1) * sizeof *move->leave);
    move->come = arena_take(arena, (size_t)(cuts[own + 1] - cuts[own] + 1) * sizeof *move->come);
    if (move->leave_first == NULL || move->come_first == NULL || move->leave == NULL ||
        move->come == NULL)
        return false;
    size_t leaves = 0, comes = 0;
    for (size_t r = 0; r < count; ++r) {
        move->leave_first[r] = leaves, move->come_first[r] = comes;
        if (r == own) move->before = comes;
        if (r == own) continue;
        leaves += add_overlap(first[own], first[own + 1], cuts[r], cuts[r + 1], first[own],
                              move->leave + leaves);
        const size_t come = add_overlap(first[r], first[r + 1], cuts[own], cuts[own + 1], first[r],
                                        move->come + comes);
        for (size_t i = 0; i < come; ++i) move->come[comes + i] = (uint32_t)(rows + comes + i);
        comes += come;
    }
    move->leave_first[count] = leaves, move->come_first[count] = comes;
    return true;
}

/* Rows that have left, in ascending order; `marks`: room for one a row. */
static void list_gone(const RowMove *move, size_t leaves, size_t rows, uint32_t *marks,
                      size_t *gone)
{
    size_t count = 0;
    memset(marks, 0, rows * sizeof *marks);
    for (size_t i = 0; i < leaves; ++i) marks[move->leave[i]] = 1;
    for (size_t row = 0; row < rows; ++row)
        if (marks[row] != 0) gone[count++] = row;
}

/* Takes out what has left; those that came from ranks before stand first then. */
static mote_Status put_in_order(RowSpread *spread, mote_System *system, const RowMove *move,
                                mote_Error *error)
{
    const size_t count = (size_t)spread->shop->ranks->count, leaves = move->leave_first[count];
    const size_t stay = system->count - leaves - move->come_first[count];
    size_t *gone = arena_take(&spread->post, (leaves + 1) * sizeof *gone);
    uint32_t *order = arena_take(&spread->post, (system->count + 1) * sizeof *order);
    const bool ascend = system->ids_ascend;
    if (gone == NULL || order == NULL)
        return status_no_memory(error, system->name, system->count * sizeof *order);
    list_gone(move, leaves, system->count, order, gone);
    if (move->unordered) {
        system_replace_rows(system, gone, leaves, spread->shop->tasks);
        return MOTE_OK;
    }
    system_remove_rows(system, gone, leaves, spread->shop->tasks);
    for (size_t i = 0; i < system->count; ++i)
        order[i] = (uint32_t)(i < move->before          ? stay + i
                              : i < move->before + stay ? i - move->before
                                                        : i);
    if (!system_reorder(system, order, &spread->post, spread->shop->tasks))
        return status_no_memory(error, system->name, system->count * sizeof(uint64_t));
    system->ids_ascend = ascend; /* the order is that of all ranks, which did not change */
    return MOTE_OK;
}

mote_Status spread_move_rows(RowSpread *spread, SystemSlot *slot, const RowMove *move,
                             mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    mote_System *system = slot->system;
    size_t plane_count = 0;
    RankPlane *planes = NULL;
    mote_Status status = system_append_blank(system, move->come_first[ranks->count], error);
    if (status == MOTE_OK) planes = planes_of(system, &spread->post, &plane_count);
    if (status == MOTE_OK && planes == NULL) status = status_no_memory(error, system->name, 1);
    status = ranks_agree(ranks, status, error);
    if (status != MOTE_OK) return status;
    spread->migrated += move->leave_first[ranks->count];
    const RankLists from = {move->leave_first, move->leave}, to = {move->come_first, move->come};
    status = ranks_exchange(ranks, &from, &to, planes, plane_count, &spread->post, error);
    if (status != MOTE_OK) return status;
    return ranks_agree(ranks, put_in_order(spread, system, move, error), error);
}

mote_Status spread_migrate_slices(RowSpread *spread, SystemSlot *slot, const uint64_t *first,
                                  mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    const size_t count = (size_t)ranks->count;
    uint64_t *cuts = arena_take(&spread->post, (count + 1) * sizeof *cuts);
    mote_Status status =
        cuts != NULL ? MOTE_OK : status_no_memory(error, "ranks", count * sizeof *cuts);
    status = ranks_agree(ranks, status, error);
    if (status != MOTE_OK) return status;
    choose_cuts(ranks, first, cuts);
    if (memcmp(first, cuts, (count + 1) * sizeof *cuts) == 0) return MOTE_OK;
    RowMove move = {.before = 0};
    if (!list_moves(&move, (SliceCuts){first, cuts}, ranks, slot->system->count, &spread->post))
        status = status_no_memory(error, slot->system->name, slot->system->count);
    status = ranks_agree(ranks, status, error);
    if (status == MOTE_OK) status = spread_move_rows(spread, slot, &move, error);
    for (int r = 0; r < ranks->count; ++r)
        if (cuts[r + 1] > cuts[r]) slot->all.tail = r;
    return status;
}
