/* Systems of particles: rows and columns.
 *
 * Every column is one 64-byte aligned block with its planes one after another. Two planes whose
 * distance is a multiple of 4096 bytes fall into the same cache sets and alias in the store buffer
 * (measured: 58 % of the bandwidth), so strides avoid that, also after growth, and the columns'
 * starts are skewed against each other. */
#include "particles/system.h"

#include "base/sort.h"
#include "base/status.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const size_t MOST_ROWS = SIZE_MAX / 512; /* so that sizes in bytes never overflow */

enum { PAGE = 4096, LINE = 64, STRIDE_SKEW = 5 * LINE };

static const struct {
    size_t size;
    double most_fallback; /* of unsigned types; 0: any */
} types[] = {
    [MOTE_COLUMN_REAL] = {sizeof(mote_real), 0},
    [MOTE_COLUMN_DOUBLE] = {sizeof(double), 0},
    [MOTE_COLUMN_U32] = {sizeof(uint32_t), 4294967295.0},
    [MOTE_COLUMN_U64] = {sizeof(uint64_t), 9007199254740992.0},
};

size_t column_item_size(mote_ColumnType type)
{
    return types[type].size;
}

double column_value(const mote_Column *column, int component, size_t row)
{
    const char *plane = column_plane(column, component);
    switch (column->type) {
    case MOTE_COLUMN_REAL:
        return (double)((const mote_real *)plane)[row];
    case MOTE_COLUMN_DOUBLE:
        return ((const double *)plane)[row];
    case MOTE_COLUMN_U32:
        return (double)((const uint32_t *)plane)[row];
    case MOTE_COLUMN_U64:
        return (double)((const uint64_t *)plane)[row];
    }
    return 0;
}

double column_length(const mote_Column *column, size_t row)
{
    double square = 0;
    if (column->components == 1) return column_value(column, 0, row);
    for (int c = 0; c < column->components; ++c) {
        const double part = column_value(column, c, row);
        square += part * part;
    }
    return sqrt(square);
}

/* ---- storage of one column ---- */

/* Bytes from plane to plane for `rows` rows: whole cache lines, 5 lines off a multiple of a page.
 */
static size_t plane_bytes(const mote_Column *column, size_t rows)
{
    size_t bytes = rows * column_item_size(column->type);
    bytes = (bytes + PAGE - 1) / PAGE * PAGE + STRIDE_SKEW;
    return bytes;
}

/* The column's number skews its start. */
static size_t start_skew(size_t number)
{
    return number * 17 % (PAGE / LINE) * LINE;
}

/* What the column's block holds: told by its stride, so columns may grow one by one. */
static size_t column_bytes(const mote_Column *column, size_t number)
{
    size_t planes = (size_t)column->components * column->stride;
    return column->data == NULL ? 0 : start_skew(number) + planes * column_item_size(column->type);
}

static void column_free(mote_System *system, const mote_Column *column, size_t number)
{
    const size_t ahead = system->ahead * column_item_size(column->type) + start_skew(number);
    char *block = column->data == NULL ? NULL : (char *)column->data - ahead;
    memory_free(system->memory, block, column_bytes(column, number));
}

void system_move_columns(mote_System *system, size_t ahead)
{
    for (size_t i = 0; i < system->column_count; ++i) {
        mote_Column *column = &system->columns[i];
        const size_t item = column_item_size(column->type);
        if (column->data != NULL)
            column->data = (char *)column->data - system->ahead * item + ahead * item;
    }
    system->ahead = ahead;
}

/* A new block, and not a longer one: planes have other distances in it. */
static bool column_grow(mote_System *system, size_t number, size_t rows)
{
    mote_Column old = system->columns[number], *column = &system->columns[number];
    size_t bytes = start_skew(number) + (size_t)old.components * plane_bytes(&old, rows);
    char *block = memory_take(system->memory, bytes);
    if (block == NULL) return false;
    column->data = block + start_skew(number) + system->ahead * column_item_size(old.type);
    column->stride = plane_bytes(column, rows) / column_item_size(column->type);
    for (int c = 0; c < column->components && old.data != NULL; ++c)
        memcpy(column_plane(column, c), column_plane(&old, c),
               system->count * column_item_size(column->type));
    column_free(system, &old, number);
    return true;
}

static void fill_plane(const mote_Column *column, int component, size_t first, size_t count)
{
    char *plane = column_plane(column, component);
    double value = column->fallback;
    switch (column->type) {
    case MOTE_COLUMN_REAL:
        for (size_t i = first; i < first + count; ++i) ((mote_real *)plane)[i] = (mote_real)value;
        break;
    case MOTE_COLUMN_DOUBLE:
        for (size_t i = first; i < first + count; ++i) ((double *)plane)[i] = value;
        break;
    case MOTE_COLUMN_U32:
        for (size_t i = first; i < first + count; ++i) ((uint32_t *)plane)[i] = (uint32_t)value;
        break;
    case MOTE_COLUMN_U64:
        for (size_t i = first; i < first + count; ++i) ((uint64_t *)plane)[i] = (uint64_t)value;
        break;
    }
}

static void column_fill(const mote_Column *column, size_t first, size_t count)
{
    for (int c = 0; c < column->components; ++c) fill_plane(column, c, first, count);
}

/* ---- creation ---- */

#define COLUMN_ROW(enumerator, name_, unit_, stage_, type_, components_, fallback_)                \
    {.name = name_,                                                                                \
     .unit = unit_,                                                                                \
     .stage = stage_,                                                                              \
     .type = type_,                                                                                \
     .components = components_,                                                                    \
     .fallback = fallback_},

static const mote_Column built_in[BUILT_IN_COLUMNS] = {SYSTEM_COLUMNS(COLUMN_ROW)};

mote_Status system_create(Memory *memory, const char *name, mote_System **out, mote_Error *error)
{
    mote_System *system = memory_zeroed(memory, sizeof *system);
    *out = system;
    if (system == NULL) return status_no_memory(error, "a system", sizeof *system);
    system->memory = memory;
    system->ids_ascend = true;
    system->name = memory_text(memory, name);
    mote_Status status = system->name == NULL ? status_no_memory(error, "a system", 64) : MOTE_OK;
    for (size_t i = 0; i < BUILT_IN_COLUMNS && status == MOTE_OK; ++i)
        status = mote_system_add_column(system, &built_in[i], error);
    if (status == MOTE_OK) return MOTE_OK;
    system_destroy(system);
    *out = NULL;
    return status;
}

static void column_destroy(mote_System *system, size_t number)
{
    mote_Column *column = &system->columns[number];
    column_free(system, column, number);
    memory_free_text(system->memory, (char *)(uintptr_t)column->name);
    memory_free_text(system->memory, (char *)(uintptr_t)column->unit);
    memory_free_text(system->memory, (char *)(uintptr_t)column->stage);
}

void system_destroy(mote_System *system)
{
    if (system == NULL) return;
    Memory *memory = system->memory;
    for (size_t i = 0; i < system->column_count; ++i) column_destroy(system, i);
    memory_free(memory, system->columns, system->column_capacity * sizeof *system->columns);
    memory_free(memory, system->index, system->index_capacity * sizeof *system->index);
    memory_free(memory, system->notes, system->note_capacity * sizeof *system->notes);
    memory_free_text(memory, system->name);
    memory_free(memory, system, sizeof *system);
}

static mote_Status check_column(const mote_System *system, const mote_Column *column,
                                mote_Error *error)
{
    if (mote_system_column(system, column->name) != NULL)
        return status_fail(error, MOTE_BAD_VALUE, "system %s has a column %s already", system->name,
                           column->name);
    if (column->components < 1 || column->components > MOTE_MOST_COMPONENTS)
        return status_fail(error, MOTE_BAD_VALUE,
                           "system %s, column %s: components is %d, but must be between 1 and %d",
                           system->name, column->name, column->components,
                           (int)MOTE_MOST_COMPONENTS);
    double most = types[column->type].most_fallback;
    if (most > 0 && !(column->fallback >= 0 && column->fallback <= most))
        return status_fail(error, MOTE_BAD_VALUE,
                           "system %s, column %s: fallback is %g, but must be between 0 and %g",
                           system->name, column->name, column->fallback, most);
    return MOTE_OK;
}

mote_Status mote_system_add_column(mote_System *system, const mote_Column *column,
                                   mote_Error *error)
{
    Memory *memory = system->memory;
    mote_Status status = check_column(system, column, error);
    if (status != MOTE_OK) return status;
    if (!memory_reserve(memory, (void **)&system->columns, &system->column_capacity,
                        system->column_count + 1, sizeof *system->columns))
        return status_no_memory(error, "a column", sizeof *column);
    size_t number = system->column_count;
    mote_Column *fresh = &system->columns[number];
    *fresh = *column;
    fresh->data = NULL;
    fresh->stride = 0;
    fresh->name = memory_text(memory, column->name);
    fresh->unit = memory_text(memory, column->unit != NULL ? column->unit : "");
    fresh->stage = memory_text(memory, column->stage != NULL ? column->stage : "user");
    bool room = fresh->name != NULL && fresh->unit != NULL && fresh->stage != NULL &&
                (system->capacity == 0 || column_grow(system, number, system->capacity));
    if (!room) {
        column_destroy(system, number);
        return status_no_memory(error, "a column", plane_bytes(column, system->capacity));
    }
    ++system->column_count;
    column_fill(fresh, 0, system->count);
    return MOTE_OK;
}

/* ---- rows ---- */

static size_t bytes_per_row(const mote_System *system)
{
    size_t bytes = 0;
    for (size_t i = 0; i < system->column_count; ++i)
        bytes += (size_t)system->columns[i].components * column_item_size(system->columns[i].type);
    return bytes;
}

mote_Status system_reserve(mote_System *system, size_t rows, mote_Error *error)
{
    if (rows + system->ahead <= system->capacity) return MOTE_OK;
    system_close_gap(system);
    if (rows <= system->capacity) return MOTE_OK;
    size_t grown = system->capacity + system->capacity / 2;
    if (grown < rows) grown = rows;
    grown = (grown + BLOCK_ROWS - 1) / BLOCK_ROWS * BLOCK_ROWS;
    for (size_t i = 0; i < system->column_count; ++i)
        if (!column_grow(system, i, grown))
            return status_fail(error, MOTE_NO_MEMORY,
                               "system %s: out of memory for %zu particles of %zu bytes",
                               system->name, rows, bytes_per_row(system));
    system->capacity = grown;
    return MOTE_OK;
}

mote_Status system_set_count(mote_System *system, size_t rows, mote_Error *error)
{
    mote_Status status = system_reserve(system, rows, error);
    if (status != MOTE_OK) return status;
    system->count = rows;
    ++system->layout;
    system->ids_ascend = false;
    mote_system_edited(system);
    return MOTE_OK;
}

mote_Status system_append_blank(mote_System *system, size_t count, mote_Error *error)
{
    mote_Status status = system_reserve(system, system->count + count, error);
    if (status != MOTE_OK || count == 0) return status;
    system->count += count;
    ++system->layout;
    system->index_count = 0;
    system->notes_valid = false;
    return MOTE_OK;
}

mote_Status system_append_part(mote_System *system, size_t count, size_t begin, size_t end,
                               size_t *first_row, mote_Error *error)
{
    const uint64_t next_id = system->next_id;
    system->next_id += begin;
    mote_Status status = system_append(system, end - begin, first_row, error);
    system->next_id = status == MOTE_OK ? next_id + count : next_id;
    return status;
}

mote_Status system_append(mote_System *system, size_t count, size_t *first_row, mote_Error *error)
{
    size_t first = system->count;
    *first_row = first;
    if (count > MOST_ROWS - first)
        return status_fail(error, MOTE_NO_MEMORY, "system %s: %zu particles are too many",
                           system->name, count);
    mote_Status status = system_reserve(system, first + count, error);
    if (status != MOTE_OK) return status;
    system->count = first + count;
    for (size_t i = 0; i < system->column_count; ++i)
        column_fill(&system->columns[i], first, count);
    uint64_t *ids = system->columns[COLUMN_ID].data;
    double *births = system->columns[COLUMN_BIRTH].data;
    for (size_t i = first; i < first + count; ++i) {
        ids[i] = system->next_id++;
        births[i] = system->now;
    }
    system->index_count = 0;
    return MOTE_OK;
}

mote_Status mote_system_add_rows(mote_System *system, size_t count, size_t *first_row,
                                 mote_Error *error)
{
    mote_Status status = system_append(system, count, first_row, error);
    mote_system_edited(system);
    return status;
}

void mote_system_edited(mote_System *system)
{
    system->notes_valid = false;
    system->history_valid = false;
    system->index_count = 0;
}

/* ---- looking up ---- */

const char *mote_system_name(const mote_System *system)
{
    return system->name;
}

size_t mote_system_count(const mote_System *system)
{
    return system->count;
}

const mote_Column *mote_system_columns(const mote_System *system, size_t *count)
{
    *count = system->column_count;
    return system->columns;
}

const mote_Column *mote_system_column(const mote_System *system, const char *name)
{
    for (size_t i = 0; i < system->column_count; ++i)
        if (strcmp(system->columns[i].name, name) == 0) return &system->columns[i];
    return NULL;
}
