/* Histories: what a multistep scheme remembers of earlier steps, as columns.
 *
 * A system whose integrator remembers has, one after another, the columns `history` (how many
 * steps each row remembers), `history_dt` (their length) and history1, history2, ... (the entries,
 * a ring over sub-steps). So histories are sorted, retired, saved and restored like all columns. A
 * count of 0 restarts a row: new rows begin with it, and whatever changes a row's position or
 * velocity from outside the scheme sets it. */
#ifndef PARTICLES_HISTORY_H
#define PARTICLES_HISTORY_H

#include "particles/range.h"

/* Columns of a scheme's own: two for its steps, then `entries` of `planes` values each, whose names
 * are `entry` and a number from 1. */
typedef struct RememberedColumns {
    struct {
        const char *name, *unit;
        mote_ColumnType type;
    } steps[2];
    const char *entry;
    int entries, planes;
} RememberedColumns;

/* Adds them; `first` is the number of the first column, or 0 when that fails. Before there are
 * rows. */
mote_Status system_add_remembered(mote_System *system, const RememberedColumns *columns,
                                  size_t *first, mote_Error *error);

/* Adds the columns: `entries` of `planes` values each. Before there are rows. */
mote_Status system_add_history(mote_System *system, int entries, int planes, mote_Error *error);

/* Restarts all rows if the system was edited since the last call. */
void system_settle_history(mote_System *system);

static inline bool has_history(const mote_System *system)
{
    return system->history > 0;
}

/* Per row: remembered steps; the first row is the range's. */
static inline uint32_t *history_counts(const Range *r)
{
    return (uint32_t *)r->system->columns[r->system->history].data + r->first;
}

static inline mote_real *history_steps(const Range *r)
{
    return column_real(&r->system->columns[r->system->history + 1], 0) + r->first;
}

/* Plane of entry `entry`, counted from 0. */
static inline mote_real *history_entry(const Range *r, int entry, int plane)
{
    size_t number = r->system->history + 2 + (size_t)entry;
    return column_real(&r->system->columns[number], plane) + r->first;
}

/* Plane of the entry written `back` sub-steps ago in a ring of `entries`; back <= entries. */
static inline mote_real *history_ring(const Range *r, int entries, int back, int plane)
{
    uint64_t slot = (r->step + (uint64_t)(entries - back)) % (uint64_t)entries;
    return history_entry(r, (int)slot, plane);
}

/* True when all rows remember `most` steps of r->dt: nothing needs to be checked or counted. */
bool history_is_full(const Range *r, uint32_t most);
/* Forgets steps of another length than r->dt. */
void history_check_step(const Range *r);
/* The range's shortest history. */
uint32_t history_least(const Range *r);
/* Shortens histories to `most`; 0 restarts the rows. */
void history_limit(const Range *r, uint32_t most);
/* One more step of r->dt is remembered, up to `most`. */
void history_grow(const Range *r, uint32_t most);

#endif
