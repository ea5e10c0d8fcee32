/* Rows over ranks.
 *
 * Rows that do not feel each other are dealt in slices: rank after rank, their rows are those of
 * one rank alone, in the same order, and slices begin at whole blocks. So every block has the same
 * rows whoever has it, and all that depends on who shares a block is the same: sums of energies,
 * steps that a block takes together. Births come behind the last row, so the rank that has it makes
 * them; when rows die, or one rank has much more than others, ends of slices move from rank to
 * rank. */
#include "solvers/spread/spread.h"

#include "base/status.h"
#include "solvers/solver.h"

#include <stdio.h>
#include <string.h>

/* Sub-steps from one look at who has how much to the next: cheap beside what they take; and
 * glances from look to look. */
enum { REBALANCE_EVERY = 32, GLANCES = 4 };

/* ---- what can be ---- */

mote_Status spread_refuse(const RowSpread *spread, const char *what, mote_Error *error)
{
    return status_fail(error, MOTE_UNAVAILABLE,
                       "%s cannot be spread over %d ranks yet; run this world on one", what,
                       spread->shop->ranks->count);
}

mote_Status spread_check(const RowSpread *spread, SystemSlot *slot, mote_Error *error)
{
    char what[320];
    const SolverRow *row = slot->solver->row;
    const char *alone = row->alone != NULL ? row->alone(slot->solver) : NULL;
    const bool linked = slot->link_count > 0 || slot->mutual;
    if (slot_is_copied(slot) && !linked) return MOTE_OK;
    if (slot->solver != slot->own || linked)
        snprintf(what, sizeof what, "system %.100s: particles that act on each other",
                 slot->system->name);
    else if (alone != NULL)
        snprintf(what, sizeof what, "system %.100s: solver %.100s with %.90s", slot->system->name,
                 row->head.name, alone);
    else if (row->reach != NULL)
        return row->reach(slot->solver) > 0 ? spread_add_order(slot, error) : MOTE_OK;
    else
        snprintf(what, sizeof what, "system %.100s: solver %.100s", slot->system->name,
                 row->head.name);
    return spread_refuse(spread, what, error);
}

/* ---- rows that the host added ---- */

/* Whoever adds rows does so on all ranks, with the same ids. */
static mote_Status check_ids(const RowSpread *spread, const SystemSlot *slot, size_t fresh,
                             mote_Error *error)
{
    const double id = (double)slot->system->next_id, rows = (double)fresh;
    double ends[4] = {id, -id, rows, -rows};
    mote_Status status = ranks_most(spread->shop->ranks, ends, 4, error);
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
static mote_Status keep_rows(RowSpread *spread, SystemSlot *slot, size_t fresh, RankSlice kept,
                             mote_Error *error)
{
    const size_t first = slot->system->count - fresh;
    size_t *gone = arena_take(&spread->post, (fresh + 1) * sizeof *gone), count = 0;
    if (gone == NULL) return status_no_memory(error, slot->system->name, fresh * sizeof *gone);
    for (size_t i = 0; i < fresh; ++i)
        if (i < kept.begin || i >= kept.end) gone[count++] = first + i;
    system_remove_rows(slot->system, gone, count, spread->shop->tasks);
    return MOTE_OK;
}

/* How many rows every rank has, and how many stand before them. */
static mote_Status count_rows(RowSpread *spread, SystemSlot *slot, size_t own, uint64_t *first,
                              mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
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

static mote_Status take_counts(RowSpread *spread, uint64_t **first, mote_Error *error)
{
    const size_t bytes = ((size_t)spread->shop->ranks->count + 1) * sizeof **first;
    arena_reset(&spread->post);
    *first = arena_take(&spread->post, bytes);
    const mote_Status status = *first != NULL ? MOTE_OK : status_no_memory(error, "ranks", bytes);
    return ranks_agree(spread->shop->ranks, status, error);
}

static mote_Status settle_slot(RowSpread *spread, SystemSlot *slot, mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    const size_t fresh = fresh_rows(slot);
    uint64_t *first;
    mote_Status status = check_ids(spread, slot, fresh, error);
    if (status != MOTE_OK || fresh == 0) return status;
    if (slot_is_copied(slot)) {
        slot->all.next_id = slot->system->next_id;
        return MOTE_OK;
    }
    status = take_counts(spread, &first, error);
    if (status == MOTE_OK)
        status = count_rows(spread, slot, slot->system->count - fresh, first, error);
    if (status != MOTE_OK) return status;
    RankSlice kept = {0, slot->all.tail == ranks->own ? fresh : 0};
    if (slot->all.count == 0) kept = ranks_slice(ranks, fresh, BLOCK_ROWS);
    status = ranks_agree(ranks, keep_rows(spread, slot, fresh, kept, error), error);
    slot->all.next_id = slot->system->next_id;
    return status == MOTE_OK ? count_rows(spread, slot, slot->system->count, first, error) : status;
}

mote_Status spread_settle(RowSpread *spread, const Slots *all, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (!ranks_are_many(spread->shop->ranks)) return MOTE_OK;
    for (size_t i = 0; i < all->count && status == MOTE_OK; ++i)
        status = settle_slot(spread, &all->items[i], error);
    return status;
}

/* ---- moving rows ---- */

static mote_Status migrate_slot(RowSpread *spread, SystemSlot *slot, mote_Error *error)
{
    uint64_t *first;
    if (slot_is_copied(slot)) return MOTE_OK;
    mote_Status status = take_counts(spread, &first, error);
    if (status == MOTE_OK) status = count_rows(spread, slot, slot->system->count, first, error);
    if (status != MOTE_OK) return status;
    return slot_has_bricks(slot) ? spread_migrate_bricks(spread, slot, first, error)
                                 : spread_migrate_slices(spread, slot, first, error);
}

mote_Status spread_migrate(RowSpread *spread, const Slots *all, uint64_t substep, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    if (!ranks_are_many(spread->shop->ranks)) return MOTE_OK;
    spread->looks = substep % spread->rebalance_every == 0;
    spread->glances = substep % ((spread->rebalance_every + GLANCES - 1) / GLANCES) == 0;
    for (size_t i = 0; i < all->count && status == MOTE_OK; ++i)
        status = migrate_slot(spread, &all->items[i], error);
    return status;
}

mote_Status spread_share_radii(const RowSpread *spread, const Slots *all, mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    mote_Status status = MOTE_OK;
    if (!ranks_are_many(ranks)) return MOTE_OK;
    for (size_t i = 0; i < all->count && status == MOTE_OK; ++i) {
        mote_System *system = all->items[i].system;
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

mote_Status spread_part(RowSpread *spread, SystemSlot *slot, int which, mote_Column *columns,
                        size_t *part, mote_Error *error)
{
    const mote_System *system = slot->system;
    uint64_t *first;
    memcpy(columns, system->columns, system->column_count * sizeof *columns);
    *part = system->count;
    if (!ranks_are_many(spread->shop->ranks)) return MOTE_OK;
    if (slot_is_copied(slot)) { /* the first shows them */
        slot->all.count = system->count;
        if (spread->shop->ranks->own > 0) *part = 0;
        return MOTE_OK;
    }
    mote_Status status = take_counts(spread, &first, error);
    if (status == MOTE_OK) status = count_rows(spread, slot, system->count, first, error);
    if (status != MOTE_OK || !slot_has_bricks(slot)) return status;
    return spread_part_of_bricks(spread, slot, which, columns, part, error);
}

static mote_Status gather_column(RowSpread *spread, const SystemSlot *slot, int which, size_t part,
                                 mote_Column *column, mote_Error *error)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    const mote_Column own = *column;
    const size_t item = column_item_size(own.type);
    const size_t all = ranks->own == 0 ? (size_t)slot->all.count : 0;
    char *block = arena_take(&spread->gathered[which], (size_t)own.components * all * item + 1);
    mote_Status status =
        block != NULL ? MOTE_OK : status_no_memory(error, slot->system->name, all * item);
    status = ranks_agree(ranks, status, error);
    for (int c = 0; c < own.components && status == MOTE_OK; ++c) {
        void *plane;
        size_t size;
        arena_reset(&spread->post);
        status = ranks_gather(ranks, 0, column_plane(&own, c), part * item, &spread->post, &plane,
                              &size, error);
        if (status == MOTE_OK && size > 0) memcpy(block + (size_t)c * all * item, plane, size);
    }
    column->data = all > 0 ? block : NULL, column->stride = all;
    return status;
}

mote_Status spread_gather(RowSpread *spread, SystemSlot *slot, int which, mote_Column *columns,
                          mote_Error *error)
{
    size_t part;
    mote_Status status = spread_part(spread, slot, which, columns, &part, error);
    if (!ranks_are_many(spread->shop->ranks) || slot_is_copied(slot)) return status;
    for (size_t i = 0; i < slot->system->column_count && status == MOTE_OK; ++i)
        if (which == GATHERED_STATE || !columns[i].internal)
            status = gather_column(spread, slot, which, part, &columns[i], error);
    return status;
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

SystemSlot *spread_slot_of(const Slots *all, const char *name)
{
    for (size_t i = 0; i < all->count; ++i)
        if (is_column_of(all->items[i].system, name)) return &all->items[i];
    return NULL;
}

RankSlice spread_saved_slice(RowSpread *spread, SystemSlot *slot, uint64_t total)
{
    const mote_Ranks *ranks = spread->shop->ranks;
    slot->all.count = total;
    for (int r = 0; r < ranks->count; ++r)
        if (ranks_slice_begin(ranks, r, (size_t)total, BLOCK_ROWS) < total) slot->all.tail = r;
    return ranks_slice(ranks, (size_t)total, BLOCK_ROWS);
}

static void take_slice(RowSpread *spread, SystemSlot *slot, mote_StateArray *array)
{
    const RankSlice kept = spread_saved_slice(spread, slot, array->rows);
    if (array->stride == 0) array->stride = array->rows;
    if (array->rows > 0)
        array->data = (char *)array->data + kept.begin * mote_array_item_size(array->type);
    array->rows = kept.end - kept.begin;
}

mote_Status spread_take_slices(RowSpread *spread, const Slots *all, const mote_StateArray **arrays,
                               size_t count, mote_Error *error)
{
    if (!ranks_are_many(spread->shop->ranks)) return MOTE_OK;
    arena_reset(&spread->gathered[GATHERED_STATE]);
    mote_StateArray *own = arena_take(&spread->gathered[GATHERED_STATE], (count + 1) * sizeof *own);
    if (own == NULL) return status_no_memory(error, "the saved state", count * sizeof *own);
    memcpy(own, *arrays, count * sizeof *own);
    for (size_t i = 0; i < all->count; ++i)
        for (size_t k = 0; k < count; ++k)
            if (!slot_is_copied(&all->items[i]) && is_column_of(all->items[i].system, own[k].name))
                take_slice(spread, &all->items[i], &own[k]);
    *arrays = own;
    return MOTE_OK;
}

/* ---- opening ---- */

RowSpread spread_open(const Workshop *shop, bool flat)
{
    RowSpread spread = {.shop = shop, .flat = flat, .rebalance_every = REBALANCE_EVERY};
    spread.post = arena_make(shop->memory);
    for (int i = 0; i < GATHERED_KINDS; ++i) spread.gathered[i] = arena_make(shop->memory);
    return spread;
}

void spread_close(RowSpread *spread)
{
    arena_free(&spread->post);
    for (int i = 0; i < GATHERED_KINDS; ++i) arena_free(&spread->gathered[i]);
}
