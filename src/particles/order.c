/* The order of rows: lookup by id, stable removal, another order; and whether loaded rows can be.
 */
#include "particles/system.h"

#include "base/sort.h"
#include "base/status.h"
#include "tasks/copy.h"

#include <math.h>
#include <string.h>

/* ---- id -> row ---- */

static bool build_index(mote_System *system)
{
    /* twice the rows: the second half is the sort's spare */
    if (!memory_reserve(system->memory, (void **)&system->index, &system->index_capacity,
                        2 * system->count, sizeof *system->index))
        return false;
    const uint64_t *ids = system->columns[COLUMN_ID].data;
    for (size_t i = 0; i < system->count; ++i) system->index[i] = (SortItem){ids[i], i};
    sort_items(system->index, system->index + system->count, system->count);
    system->index_count = system->count;
    return true;
}

static size_t find_by_scan(const uint64_t *ids, size_t count, uint64_t id)
{
    for (size_t i = 0; i < count; ++i)
        if (ids[i] == id) return i;
    return SIZE_MAX;
}

/* First position whose id is not below `id`; `ascending` ids, or the index when NULL. */
static size_t lower_bound(const mote_System *system, const uint64_t *ascending, uint64_t id)
{
    size_t low = 0, high = system->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t here = ascending != NULL ? ascending[middle] : system->index[middle].key;
        if (here < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t mote_system_find(mote_System *system, uint64_t id)
{
    const uint64_t *ids = system->columns[COLUMN_ID].data;
    if (system->ids_ascend) {
        /* Ids ascend, so a row stands no farther on than its id is from the first. */
        uint64_t far = system->count > 0 && id >= ids[0] ? id - ids[0] : SIZE_MAX;
        if (far < system->count && ids[far] == id)
            return (size_t)far; /* nobody before it has died */
        size_t at = lower_bound(system, ids, id);
        return at < system->count && ids[at] == id ? at : SIZE_MAX;
    }
    if (system->index_count != system->count && !build_index(system))
        return find_by_scan(ids, system->count, id);
    size_t at = lower_bound(system, NULL, id);
    return at < system->count && system->index[at].key == id ? (size_t)system->index[at].value
                                                             : SIZE_MAX;
}

/* ---- removal and reordering: the same work on every plane ---- */

typedef struct PlaneWork PlaneWork;
typedef void TakeFromPlane(const PlaneWork *work, char *plane, size_t item);

struct PlaneWork {
    TakeFromPlane *take;
    const mote_System *system;
    const size_t *rows; /* to take out, ascending */
    size_t row_count;
    size_t ahead; /* room before the first row when it is done */
};

static size_t plane_total(const mote_System *system)
{
    size_t planes = 0;
    for (size_t i = 0; i < system->column_count; ++i)
        planes += (size_t)system->columns[i].components;
    return planes;
}

static const mote_Column *column_of_plane(const mote_System *system, size_t *plane)
{
    const mote_Column *column = system->columns;
    while (*plane >= (size_t)column->components) *plane -= (size_t)(column++)->components;
    return column;
}

static char *plane_at(const mote_System *system, size_t plane, size_t *item)
{
    const mote_Column *column = column_of_plane(system, &plane);
    *item = column_item_size(column->type);
    return column_plane(column, (int)plane);
}

/* Runs of rows that stay are moved as a whole, so that a few deaths among many rows cost a few
 * copies. */
static void remove_from_plane(const PlaneWork *work, char *plane, size_t item)
{
    char *to = plane - work->system->ahead * item + work->ahead * item;
    size_t from = 0;
    for (size_t i = 0; i <= work->row_count; ++i) {
        const size_t end = i < work->row_count ? work->rows[i] : work->system->count;
        const size_t bytes = (end - from) * item;
        if (to != plane + from * item) memmove(to, plane + from * item, bytes);
        to += bytes, from = end + 1;
    }
}

/* From behind come those that are not taken out themselves. */
static void replace_in_plane(const PlaneWork *work, char *plane, size_t item)
{
    const size_t *rows = work->rows;
    const size_t left = work->system->count - work->row_count;
    size_t from = work->system->count, behind = work->row_count;
    for (size_t i = 0; i < work->row_count && rows[i] < left; ++i) {
        for (--from; behind > 0 && rows[behind - 1] == from; --from) --behind;
        memcpy(plane + rows[i] * item, plane + from * item, item);
    }
}

static void take_body(void *context, size_t begin, size_t end, int worker)
{
    const PlaneWork *work = context;
    (void)worker;
    for (size_t p = begin; p < end; ++p) {
        size_t item;
        char *plane = plane_at(work->system, p, &item);
        work->take(work, plane, item);
    }
}

/* Planes, a worker's share of which is worth the handing out. */
static void over_planes(const PlaneWork *work, mote_Tasks *tasks)
{
    enum { WORTH = 1 << 18 }; /* bytes: what is moved in some ten microseconds */
    const size_t bytes = work->system->count * sizeof(uint64_t);
    mote_parallel_for(tasks, plane_total(work->system), WORTH / (bytes + 1) + 1, take_body,
                      (void *)work);
}

static void note_taken(mote_System *system, size_t count)
{
    system->count -= count;
    ++system->layout;
    system->index_count = 0;
}

/* Who is born first mostly dies first, and as many are born as die. So the first rows only leave
 * room ahead of the others, as long as behind the last there is as much: then nothing moves. */
void system_remove_rows(mote_System *system, const size_t *rows, size_t count, mote_Tasks *tasks)
{
    size_t first = 0;
    while (first < count && rows[first] == first) ++first;
    const bool stay = system->capacity - system->ahead - system->count >= first;
    const PlaneWork work = {.take = remove_from_plane,
                            .system = system,
                            .rows = rows,
                            .row_count = count,
                            .ahead = stay ? system->ahead + first : 0};
    if (count == 0) return;
    system_shift_notes(system, rows, count);
    if (!stay || first < count) over_planes(&work, tasks);
    system_move_columns(system, work.ahead);
    note_taken(system, count);
}

void system_replace_rows(mote_System *system, const size_t *rows, size_t count, mote_Tasks *tasks)
{
    if (count == 0) return;
    over_planes(
        &(PlaneWork){.take = replace_in_plane, .system = system, .rows = rows, .row_count = count},
        tasks);
    note_taken(system, count);
    system->notes_valid = false;
    system->ids_ascend = false;
}

void system_close_gap(mote_System *system)
{
    if (system->ahead == 0) return;
    over_planes(&(PlaneWork){.take = remove_from_plane, .system = system}, NULL);
    system_move_columns(system, 0);
}

/* A plane is put in order beside itself, then copied back: planes one after another, so that all
 * workers have something to do however many planes there are. */
typedef struct PermuteWork {
    const uint32_t *order; /* the row to come here */
    const void *plane;
    void *spare;
    size_t item;
} PermuteWork;

static void permute_body(void *context, size_t begin, size_t end, int worker)
{
    const PermuteWork *work = context;
    const uint32_t *order = work->order;
    (void)worker;
    if (work->item == 4) {
        uint32_t *to = work->spare;
        for (size_t i = begin; i < end; ++i) to[i] = ((const uint32_t *)work->plane)[order[i]];
    } else {
        uint64_t *to = work->spare;
        for (size_t i = begin; i < end; ++i) to[i] = ((const uint64_t *)work->plane)[order[i]];
    }
}

static bool in_order(const uint32_t *order, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (order[i] != i) return false;
    return true;
}

/* Those of most systems have one mass, one radius and the like: nothing of a plane changes then. */
static bool is_uniform(const char *plane, size_t item, size_t count, mote_Tasks *tasks)
{
    return tasks_same(tasks, plane, plane + item, (count - 1) * item);
}

/* What blocks know is of these columns, and of rows that are to be looked at. */
static bool is_in_notes(ptrdiff_t column)
{
    return column == COLUMN_BIRTH || column == COLUMN_LIFETIME || column == COLUMN_RADIUS;
}

static bool has_suspects(const mote_System *system)
{
    bool any = false;
    for (size_t block = 0; block < system_blocks(system); ++block)
        any = any || system->notes[block].suspect;
    return any;
}

bool system_reorder(mote_System *system, const uint32_t *order, Arena *arena, mote_Tasks *tasks)
{
    return system_reorder_but(system, order, NULL, arena, tasks);
}

bool system_reorder_but(mote_System *system, const uint32_t *order, const bool *but, Arena *arena,
                        mote_Tasks *tasks)
{
    enum { ROWS_PER_TASK = 16384 };
    const size_t count = system->count, planes = plane_total(system);
    PermuteWork work = {.order = order};
    if (in_order(order, count)) return true;
    work.spare = arena_take(arena, count * sizeof(uint64_t));
    if (work.spare == NULL) return false;
    bool noted = system->notes_valid && !has_suspects(system);
    for (size_t p = 0; p < planes; ++p) {
        size_t of_column = p;
        const mote_Column *column = column_of_plane(system, &of_column);
        char *plane = plane_at(system, p, &work.item);
        if ((but != NULL && but[column - system->columns]) ||
            is_uniform(plane, work.item, count, tasks))
            continue;
        noted = noted && !is_in_notes(column - system->columns);
        work.plane = plane;
        mote_parallel_for(tasks, count, ROWS_PER_TASK, permute_body, &work);
        tasks_copy(tasks, plane, work.spare, count * work.item);
    }
    system->ids_ascend = false;
    ++system->layout;
    system->index_count = 0;
    system->notes_valid = noted;
    return true;
}

/* ---- rows that were loaded ---- */

/* Columns of the user may hold anything; those who live for ever have infinite lifetimes. It does
 * not say isinf: gcc 12 makes `isfinite(x) || isinf(x)` true of NaN without trapping mathematics.
 */
static mote_Status check_column(const mote_System *system, size_t number, mote_Error *error)
{
    const mote_Column *column = &system->columns[number];
    const bool real = column->type == MOTE_COLUMN_REAL || column->type == MOTE_COLUMN_DOUBLE;
    if (!real || strcmp(column->stage, "user") == 0) return MOTE_OK;
    for (int c = 0; c < column->components; ++c)
        for (size_t i = 0; i < system->count; ++i) {
            const double value = column_value(column, c, i);
            if (isfinite(value) || (number == COLUMN_LIFETIME && !isnan(value))) continue;
            return status_fail(error, MOTE_BAD_VALUE,
                               "%.150s: the saved state has a value in row %zu that is no finite "
                               "number",
                               column->name, i);
        }
    return MOTE_OK;
}

/* Rows are found by their ids. */
static mote_Status check_ids(const mote_System *system, mote_Error *error)
{
    const uint64_t *id = system->columns[COLUMN_ID].data;
    for (size_t i = 0; i < system->count; ++i)
        if (id[i] >= system->next_id || (system->ids_ascend && i > 0 && id[i] <= id[i - 1]))
            return status_fail(error, MOTE_BAD_VALUE,
                               "systems/%.100s/id: the saved state has ids out of order at row %zu",
                               system->name, i);
    return MOTE_OK;
}

mote_Status system_check_state(const mote_System *system, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < system->column_count && status == MOTE_OK; ++i)
        status = check_column(system, i, error);
    return status == MOTE_OK ? check_ids(system, error) : status;
}
