/* Rows over ranks.
 *
 * Rows that do not feel each other are dealt in slices: rank after rank, their rows are those of
 * one rank alone, in the same order, and slices begin at whole blocks. So every block has the same
 * rows whoever has it, and all that depends on who shares a block is the same: sums of energies,
 * steps that a block takes together. Births come behind the last row, so the rank that has it makes
 * them; when rows die, or one rank has much more than others, ends of slices move from rank to
 * rank. */
#include "world/world.h"

#include "base/status.h"
#include "solvers/solver.h"

#include <stdio.h>
#include <string.h>

/* ---- what can be ---- */

static mote_Status refuse(const mote_World *world, const char *what, mote_Error *error)
{
    return status_fail(error, MOTE_UNAVAILABLE,
                       "%s cannot be spread over %d ranks yet; run this world on one", what,
                       world->shop.ranks->count);
}

static mote_Status check_slot(const mote_World *world, SystemSlot *slot, mote_Error *error)
{
    char what[320];
    const SolverRow *row = slot->solver->row;
    const char *alone = row->alone != NULL ? row->alone(slot->solver) : NULL;
    if (slot->solver != slot->own || slot->link_count > 0 || slot->mutual)
        snprintf(what, sizeof what, "system %.100s: particles that act on each other",
                 slot->system->name);
    else if (alone != NULL)
        snprintf(what, sizeof what, "system %.100s: solver %.100s with %.90s", slot->system->name,
                 row->head.name, alone);
    else if (row->reach != NULL)
        return row->reach(slot->solver) > 0 ? world_add_order(slot, error) : MOTE_OK;
    else
        snprintf(what, sizeof what, "system %.100s: solver %.100s", slot->system->name,
                 row->head.name);
    return refuse(world, what, error);
}

static mote_Status check_fields(const mote_World *world, mote_Error *error)
{
    char what[160];
    for (size_t i = 0; i < world->fields.count; ++i) {
        const Field *field = world->fields.items[i];
        if (field->particles.name == NULL) continue;
        snprintf(what, sizeof what, "field %.100s: a field made of particles", field->object.name);
        return refuse(world, what, error);
    }
    return MOTE_OK;
}

mote_Status world_check_spread(mote_World *world, mote_Error *error)
{
    if (!ranks_are_many(world->shop.ranks)) return MOTE_OK;
    if (world->def.record_events) return refuse(world, "world: record_events", error);
    if (world->def.reload_always) return refuse(world, "world: reload_always", error);
    mote_Status status = check_fields(world, error);
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        status = check_slot(world, &world->slots[i], error);
    return status;
}

/* ---- rows that the host added ---- */

/* Whoever adds rows does so on all ranks, with the same ids. */
static mote_Status check_ids(const mote_World *world, const SystemSlot *slot, size_t fresh,
                             mote_Error *error)
{
    const double id = (double)slot->system->next_id, rows = (double)fresh;
    double ends[4] = {id, -id, rows, -rows};
    mote_Status status = ranks_most(world->shop.ranks, ends, 4, error);
    if (status != MOTE_OK || (ends[0] == -ends[1] && ends[2] == -ends[3])) return status;
    return status_fail(error, MOTE_BAD_VALUE,
                       "system %s: ranks added different particles to it; all must add the same",
                       slot->system->name);
}

static size_t fresh_rows(const SystemSlot *slot)
{
    const uint64_t *ids = slot->system->columns[COLUMN_ID].data;
    size_t fresh = 0, count = slot->system->count;
    while (fresh < count && ids[count - 1 - fresh] >= slot->all.next_id) ++fresh;
    return fresh;
}

/* Takes out of the last `fresh` rows those that other ranks keep. */
static mote_Status keep_rows(mote_World *world, SystemSlot *slot, size_t fresh, RankSlice kept,
                             mote_Error *error)
{
    const size_t first = slot->system->count - fresh;
    size_t *gone = arena_take(&world->post, (fresh + 1) * sizeof *gone), count = 0;
    if (gone == NULL) return status_no_memory(error, slot->system->name, fresh * sizeof *gone);
    for (size_t i = 0; i < fresh; ++i)
        if (i < kept.begin || i >= kept.end) gone[count++] = first + i;
    system_remove_rows(slot->system, gone, count, world_tasks(world));
    return MOTE_OK;
}

/* How many rows every rank has, and how many stand before them. */
static mote_Status count_rows(mote_World *world, SystemSlot *slot, size_t own, uint64_t *first,
                              mote_Error *error)
{
    const mote_Ranks *ranks = world->shop.ranks;
    mote_Status status = ranks_share(ranks, own, first, error);
    uint64_t total = 0;
    for (int r = 0; r < ranks->count; ++r) {
        const uint64_t rows = first[r];
        if (rows > 0) slot->all.tail = r;
        first[r] = total;
        total += rows;
    }
    first[ranks->count] = slot->all.count = total;
    return status;
}

static mote_Status take_counts(mote_World *world, uint64_t **first, mote_Error *error)
{
    const size_t bytes = ((size_t)world->shop.ranks->count + 1) * sizeof **first;
    arena_reset(&world->post);
    *first = arena_take(&world->post, bytes);
    const mote_Status status = *first != NULL ? MOTE_OK : status_no_memory(error, "ranks", bytes);
    return ranks_agree(world->shop.ranks, status, error);
}

static mote_Status settle_slot(mote_World *world, SystemSlot *slot, mote_Error *error)
{
    const mote_Ranks *ranks = world->shop.ranks;
    const size_t fresh = fresh_rows(slot);
    uint64_t *first;
    mote_Status status = check_ids(world, slot, fresh, error);
    if (status != MOTE_OK || fresh == 0) return status;
    status = take_counts(world, &first, error);
    if (status == MOTE_OK)
        status = count_rows(world, slot, slot->system->count - fresh, first, error);
    if (status != MOTE_OK) return status;
    RankSlice kept = {0, slot->all.tail == ranks->own ? fresh : 0};
    if (slot->all.count == 0) kept = ranks_slice(ranks, fresh, BLOCK_ROWS);
    status = ranks_agree(ranks, keep_rows(world, slot, fresh, kept, error), error);
    slot->all.next_id = slot->system->next_id;
    return status == MOTE_OK ? count_rows(world, slot, slot->system->count, first, error) : status;
}

mote_Status world_settle_rows(mote_World *world, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (!ranks_are_many(world->shop.ranks)) return MOTE_OK;
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        status = settle_slot(world, &world->slots[i], error);
    return status;
}

/* ---- moving ends of slices ---- */

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
static mote_Status put_in_order(mote_World *world, mote_System *system, const RowMove *move,
                                mote_Error *error)
{
    const size_t count = (size_t)world->shop.ranks->count, leaves = move->leave_first[count];
    const size_t stay = system->count - leaves - move->come_first[count];
    size_t *gone = arena_take(&world->post, (leaves + 1) * sizeof *gone);
    uint32_t *order = arena_take(&world->post, (system->count + 1) * sizeof *order);
    const bool ascend = system->ids_ascend;
    if (gone == NULL || order == NULL)
        return status_no_memory(error, system->name, system->count * sizeof *order);
    list_gone(move, leaves, system->count, order, gone);
    system_remove_rows(system, gone, leaves, world_tasks(world));
    for (size_t i = 0; i < system->count; ++i)
        order[i] = (uint32_t)(i < move->before          ? stay + i
                              : i < move->before + stay ? i - move->before
                                                        : i);
    if (!system_reorder(system, order, &world->post, world_tasks(world)))
        return status_no_memory(error, system->name, system->count * sizeof(uint64_t));
    system->ids_ascend = ascend; /* the order is that of all ranks, which did not change */
    return MOTE_OK;
}

mote_Status world_move_rows(mote_World *world, SystemSlot *slot, const RowMove *move,
                            mote_Error *error)
{
    const mote_Ranks *ranks = world->shop.ranks;
    mote_System *system = slot->system;
    size_t plane_count = 0;
    RankPlane *planes = NULL;
    mote_Status status = system_append_blank(system, move->come_first[ranks->count], error);
    if (status == MOTE_OK) planes = planes_of(system, &world->post, &plane_count);
    if (status == MOTE_OK && planes == NULL) status = status_no_memory(error, system->name, 1);
    status = ranks_agree(ranks, status, error);
    if (status != MOTE_OK) return status;
    world->report.migrated += move->leave_first[ranks->count];
    const RankLists from = {move->leave_first, move->leave}, to = {move->come_first, move->come};
    status = ranks_exchange(ranks, &from, &to, planes, plane_count, &world->post, error);
    if (status != MOTE_OK) return status;
    return ranks_agree(ranks, put_in_order(world, system, move, error), error);
}

static mote_Status migrate_slices(mote_World *world, SystemSlot *slot, const uint64_t *first,
                                  mote_Error *error)
{
    const mote_Ranks *ranks = world->shop.ranks;
    const size_t count = (size_t)ranks->count;
    uint64_t *cuts = arena_take(&world->post, (count + 1) * sizeof *cuts);
    mote_Status status =
        cuts != NULL ? MOTE_OK : status_no_memory(error, "ranks", count * sizeof *cuts);
    status = ranks_agree(ranks, status, error);
    if (status != MOTE_OK) return status;
    choose_cuts(ranks, first, cuts);
    if (memcmp(first, cuts, (count + 1) * sizeof *cuts) == 0) return MOTE_OK;
    RowMove move = {.before = 0};
    if (!list_moves(&move, (SliceCuts){first, cuts}, ranks, slot->system->count, &world->post))
        status = status_no_memory(error, slot->system->name, slot->system->count);
    status = ranks_agree(ranks, status, error);
    if (status == MOTE_OK) status = world_move_rows(world, slot, &move, error);
    for (int r = 0; r < ranks->count; ++r)
        if (cuts[r + 1] > cuts[r]) slot->all.tail = r;
    return status;
}

static mote_Status migrate_slot(mote_World *world, SystemSlot *slot, mote_Error *error)
{
    uint64_t *first;
    mote_Status status = take_counts(world, &first, error);
    if (status == MOTE_OK) status = count_rows(world, slot, slot->system->count, first, error);
    if (status != MOTE_OK) return status;
    return slot_has_bricks(slot) ? world_migrate_bricks(world, slot, first, error)
                                 : migrate_slices(world, slot, first, error);
}

mote_Status world_migrate(mote_World *world, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (!ranks_are_many(world->shop.ranks)) return MOTE_OK;
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        status = migrate_slot(world, &world->slots[i], error);
    return status;
}

mote_Status world_share_radii(mote_World *world, mote_Error *error)
{
    const mote_Ranks *ranks = world->shop.ranks;
    mote_Status status = MOTE_OK;
    if (!ranks_are_many(ranks)) return MOTE_OK;
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i) {
        mote_System *system = world->slots[i].system;
        if (!system_refresh_notes(system))
            status = status_no_memory(error, system->name, system_blocks(system));
        status = ranks_agree(ranks, status, error);
        double largest = (double)system->radius_max;
        if (status == MOTE_OK) status = ranks_most(ranks, &largest, 1, error);
        system->radius_others = (mote_real)largest;
    }
    return status;
}

/* ---- what is shown and saved ---- */

static mote_Status gather_column(mote_World *world, const SystemSlot *slot, int which,
                                 mote_Column *column, mote_Error *error)
{
    const mote_Ranks *ranks = world->shop.ranks;
    const mote_Column own = *column;
    const size_t item = column_item_size(own.type), rows = slot->system->count;
    const size_t all = ranks->own == 0 ? (size_t)slot->all.count : 0;
    char *block = arena_take(&world->gathered[which], (size_t)own.components * all * item + 1);
    mote_Status status =
        block != NULL ? MOTE_OK : status_no_memory(error, slot->system->name, all * item);
    status = ranks_agree(ranks, status, error);
    for (int c = 0; c < own.components && status == MOTE_OK; ++c) {
        void *plane;
        size_t size;
        arena_reset(&world->post);
        status = ranks_gather(ranks, 0, column_plane(&own, c), rows * item, &world->post, &plane,
                              &size, error);
        if (status == MOTE_OK && size > 0) memcpy(block + (size_t)c * all * item, plane, size);
    }
    column->data = all > 0 ? block : NULL, column->stride = all;
    return status;
}

mote_Status world_gather(mote_World *world, SystemSlot *slot, int which, mote_Column *columns,
                         mote_Error *error)
{
    const mote_System *system = slot->system;
    uint64_t *first;
    memcpy(columns, system->columns, system->column_count * sizeof *columns);
    if (!ranks_are_many(world->shop.ranks)) return MOTE_OK;
    mote_Status status = take_counts(world, &first, error);
    if (status == MOTE_OK) status = count_rows(world, slot, system->count, first, error);
    for (size_t i = 0; i < system->column_count && status == MOTE_OK; ++i)
        if (which == GATHERED_STATE || !columns[i].internal || i == slot->all.order)
            status = gather_column(world, slot, which, &columns[i], error);
    if (status != MOTE_OK || !slot_has_bricks(slot)) return status;
    status = world_put_in_order(world, slot, which, columns, error);
    return ranks_agree(world->shop.ranks, status, error);
}

/* Arrays of this system's rows: systems/NAME/COLUMN. */
static bool is_column_of(const mote_System *system, const char *name)
{
    const size_t length = strlen(system->name);
    if (strncmp(name, "systems/", 8) != 0 || strncmp(name + 8, system->name, length) != 0 ||
        name[8 + length] != '/')
        return false;
    return mote_system_column(system, name + 8 + length + 1) != NULL;
}

static void take_slice(mote_World *world, SystemSlot *slot, mote_StateArray *array)
{
    const mote_Ranks *ranks = world->shop.ranks;
    const size_t total = array->rows;
    const RankSlice kept = ranks_slice(ranks, total, BLOCK_ROWS);
    if (array->stride == 0) array->stride = total;
    if (total > 0)
        array->data = (char *)array->data + kept.begin * mote_array_item_size(array->type);
    array->rows = kept.end - kept.begin;
    slot->all.count = total;
    for (int r = 0; r < ranks->count; ++r)
        if (ranks_slice_begin(ranks, r, total, BLOCK_ROWS) < total) slot->all.tail = r;
}

mote_Status world_take_slices(mote_World *world, const mote_StateArray **arrays, size_t count,
                              mote_Error *error)
{
    if (!ranks_are_many(world->shop.ranks)) return MOTE_OK;
    arena_reset(&world->gathered[GATHERED_STATE]);
    mote_StateArray *own = arena_take(&world->gathered[GATHERED_STATE], (count + 1) * sizeof *own);
    if (own == NULL) return status_no_memory(error, "the saved state", count * sizeof *own);
    memcpy(own, *arrays, count * sizeof *own);
    for (size_t i = 0; i < world->slot_count; ++i)
        for (size_t k = 0; k < count; ++k)
            if (is_column_of(world->slots[i].system, own[k].name))
                take_slice(world, &world->slots[i], &own[k]);
    *arrays = own;
    return MOTE_OK;
}
