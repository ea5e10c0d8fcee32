/* A system's insides: columns, rows, ids, and what is derived from them. */
#ifndef PARTICLES_SYSTEM_H
#define PARTICLES_SYSTEM_H

#include <mote/particles.h>
#include <mote/tasks.h>

#include "base/loop.h"
#include "base/memory.h"

/* The built-in columns in the order in which every system has them:
 * X(enumerator, name, unit, stage, type, components, fallback). */
#define SYSTEM_COLUMNS(X)                                                                          \
    X(COLUMN_ID, "id", "", "emit", MOTE_COLUMN_U64, 1, 0)                                          \
    X(COLUMN_POSITION, "position", "m", "emit, solve, collide", MOTE_COLUMN_REAL, 3, 0)            \
    X(COLUMN_VELOCITY, "velocity", "m/s", "emit, solve, collide", MOTE_COLUMN_REAL, 3, 0)          \
    X(COLUMN_MASS, "mass", "kg", "emit", MOTE_COLUMN_REAL, 1, 1)                                   \
    X(COLUMN_RADIUS, "radius", "m", "emit", MOTE_COLUMN_REAL, 1, 0.01)                             \
    X(COLUMN_BIRTH, "birth", "s", "emit", MOTE_COLUMN_DOUBLE, 1, 0)                                \
    X(COLUMN_LIFETIME, "lifetime", "s", "emit", MOTE_COLUMN_REAL, 1, (double)INFINITY)             \
    X(COLUMN_COLOR, "color", "", "emit", MOTE_COLUMN_REAL, 3, 1)                                   \
    X(COLUMN_OPACITY, "opacity", "", "emit", MOTE_COLUMN_REAL, 1, 1)                               \
    X(COLUMN_GROUP, "group", "", "emit", MOTE_COLUMN_U32, 1, 1)

#define COLUMN_ENUMERATOR(enumerator, ...) enumerator,
enum { SYSTEM_COLUMNS(COLUMN_ENUMERATOR) BUILT_IN_COLUMNS };

/* Derived per block of BLOCK_ROWS rows. */
typedef struct BlockNote {
    double earliest_death; /* s; nothing in the block dies before */
    bool suspect;          /* a stage saw a row that is lost or not finite */
} BlockNote;

struct mote_System {
    Memory *memory; /* the world's */
    char *name;
    mote_Column *columns;
    size_t column_count, column_capacity;
    size_t count, capacity; /* rows */
    size_t ahead;           /* room before the first row, of those that were taken out there */
    uint64_t next_id;
    uint64_t layout;        /* changes when rows move: who remembers rows looks here */
    double now;             /* the world's clock, for rows added by the user */
    bool ids_ascend;        /* rows stand in the order of their ids */
    struct SortItem *index; /* (id, row), sorted; valid while index_count == count */
    size_t index_count, index_capacity;
    BlockNote *notes;
    size_t note_capacity;
    mote_real radius_max;    /* no radius is larger */
    mote_real radius_others; /* nor on other ranks; 0: there are none */
    bool notes_valid;        /* notes and radius_max */
    size_t history;          /* number of the column `history`; 0: there is none */
    bool history_valid;      /* false: rows were edited, and all histories restart */
    size_t dense;            /* number of the column `dense_end`; 0: there is none */
    mote_real support;       /* m: kernel support H of a liquid; 0: it is none */
    mote_real rest_density;  /* kg/m^3 of a liquid; 0: it is none */
};

mote_Status system_create(Memory *memory, const char *name, mote_System **system,
                          mote_Error *error);
void system_destroy(mote_System *system);

size_t column_item_size(mote_ColumnType type);
static inline char *column_plane(const mote_Column *column, int component)
{
    size_t offset = (size_t)component * column->stride * column_item_size(column->type);
    return offset > 0 ? (char *)column->data + offset : column->data; /* no rows: NULL */
}
/* A value of any type, as a double. */
double column_value(const mote_Column *column, int component, size_t row);
/* The value of a column with one component; of others the length. */
double column_length(const mote_Column *column, size_t row);
/* Plane of a MOTE_COLUMN_REAL column. */
static inline mote_real *column_real(const mote_Column *column, int component)
{
    size_t offset = (size_t)component * column->stride;
    return offset > 0 ? (mote_real *)column->data + offset : column->data;
}

static inline size_t system_blocks(const mote_System *system)
{
    return (system->count + BLOCK_ROWS - 1) / BLOCK_ROWS;
}

/* The first row is where there is room for `ahead` rows before it. */
void system_move_columns(mote_System *system, size_t ahead);
/* Moves rows to where there is none. */
void system_close_gap(mote_System *system);

/* Room for `rows` in every column; contents stay. */
mote_Status system_reserve(mote_System *system, size_t rows, mote_Error *error);

/* Sets the number of rows without touching their contents (loading a state). */
mote_Status system_set_count(mote_System *system, size_t rows, mote_Error *error);

/* As mote_system_add_rows, for the world's own stages: nothing restarts. The caller completes the
 * rows, then calls system_note_new_rows. */
mote_Status system_append(mote_System *system, size_t count, size_t *first_row, mote_Error *error);

/* The same where ranks share the rows: `count` are born, and [begin, end) of them are kept here. */
mote_Status system_append_part(mote_System *system, size_t count, size_t begin, size_t end,
                               size_t *first_row, mote_Error *error);

/* Rows behind the last, whose contents come from other ranks; no ids are spent. */
mote_Status system_append_blank(mote_System *system, size_t count, mote_Error *error);

/* The largest radius of all ranks. */
static inline mote_real system_largest_radius(const mote_System *system)
{
    return system->radius_max > system->radius_others ? system->radius_max : system->radius_others;
}

/* When the first of the block's rows dies, exactly. */
void system_note_block(mote_System *system, size_t block);

/* Notes of rows of which some, listed in ascending order, are about to be taken out. A block's are
 * then those of the blocks that its rows were in: they may tell of a death too early, not too late.
 */
void system_shift_notes(mote_System *system, const size_t *rows, size_t count);

/* Brings notes and radius_max up to date; cheap when they are. False when out of memory. */
bool system_refresh_notes(mote_System *system);
/* The same for rows appended since `first`, which are complete now. */
bool system_note_new_rows(mote_System *system, size_t first);

/* Whether rows that were loaded can be such as a step left behind. */
mote_Status system_check_state(const mote_System *system, mote_Error *error);

/* Takes out the rows listed in ascending order; the others keep their order. */
void system_remove_rows(mote_System *system, const size_t *rows, size_t count, mote_Tasks *tasks);

/* The same where order does not count: the last rows come to where they were, which is as quick as
 * they are few. */
void system_replace_rows(mote_System *system, const size_t *rows, size_t count, mote_Tasks *tasks);

/* Reorders rows so that row i is what row order[i] was. False when out of memory, with nothing
 * changed. */
bool system_reorder(mote_System *system, const uint32_t *order, Arena *arena, mote_Tasks *tasks);
/* The same without columns that get other values anyway: one word each; NULL: all change. */
bool system_reorder_but(mote_System *system, const uint32_t *order, const bool *but, Arena *arena,
                        mote_Tasks *tasks);

#endif
