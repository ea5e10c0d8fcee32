/* Histories as columns. */
#include "particles/history.h"

#include "particles/dense.h"

#include <stdio.h>
#include <string.h>

mote_Status system_add_remembered(mote_System *system, const RememberedColumns *columns,
                                  size_t *first, mote_Error *error)
{
    const size_t start = system->column_count;
    mote_Status status = MOTE_OK;
    for (int i = 0; i < 2 + columns->entries && status == MOTE_OK; ++i) {
        mote_Column column = {.unit = "", .stage = "solve", .internal = true};
        char name[32];
        snprintf(name, sizeof name, "%s%d", columns->entry, i - 1);
        column.name = name, column.components = columns->planes;
        if (i < 2)
            column.name = columns->steps[i].name, column.unit = columns->steps[i].unit,
            column.type = columns->steps[i].type, column.components = 1;
        status = mote_system_add_column(system, &column, error);
    }
    *first = status == MOTE_OK ? start : 0;
    return status;
}

mote_Status system_add_history(mote_System *system, int entries, int planes, mote_Error *error)
{
    const RememberedColumns columns = {
        .steps = {{"history", "", MOTE_COLUMN_U32}, {"history_dt", "s", MOTE_COLUMN_REAL}},
        .entry = "history",
        .entries = entries,
        .planes = planes};
    return system_add_remembered(system, &columns, &system->history, error);
}

void system_settle_history(mote_System *system)
{
    const bool restart = !system->history_valid && system->count > 0;
    if (restart && has_history(system))
        memset(system->columns[system->history].data, 0, system->count * sizeof(uint32_t));
    if (restart && has_dense(system))
        dense_forget(&(Range){.system = system, .count = system->count});
    system->history_valid = true;
}

/* Frames of one length differ in their last bits, because their times are rounded. */
static inline bool is_other(mote_real step, mote_real dt)
{
    return !(REAL_ABS(step - dt) <= dt * (mote_real)1e-6);
}

/* Rows of a block mostly have one history, and then the first speaks for all: a block of equal
 * numbers is equal to itself moved by one. */
bool history_is_full(const Range *r, uint32_t most)
{
    const uint32_t *counts = history_counts(r);
    const mote_real *steps = history_steps(r), dt = (mote_real)r->dt;
    const bool alike = r->count > 1 &&
                       memcmp(counts, counts + 1, (r->count - 1) * sizeof *counts) == 0 &&
                       memcmp(steps, steps + 1, (r->count - 1) * sizeof *steps) == 0;
    for (size_t i = 0; i < (alike ? 1 : r->count); ++i)
        if (counts[i] != most || is_other(steps[i], dt)) return false;
    return true;
}

/* Formulas of multistep schemes hold for equal steps: a row whose step has changed begins again,
 * with a one-step scheme. */
void history_check_step(const Range *r)
{
    uint32_t *counts = history_counts(r);
    const mote_real *steps = history_steps(r), dt = (mote_real)r->dt;
    for (size_t i = 0; i < r->count; ++i)
        if (is_other(steps[i], dt)) counts[i] = 0;
}

uint32_t history_least(const Range *r)
{
    const uint32_t *counts = history_counts(r);
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < r->count; ++i) least = counts[i] < least ? counts[i] : least;
    return least;
}

void history_limit(const Range *r, uint32_t most)
{
    uint32_t *counts = history_counts(r);
    for (size_t i = 0; i < r->count; ++i) counts[i] = counts[i] < most ? counts[i] : most;
}

void history_grow(const Range *r, uint32_t most)
{
    uint32_t *counts = history_counts(r);
    mote_real *steps = history_steps(r);
    const mote_real dt = (mote_real)r->dt;
    for (size_t i = 0; i < r->count; ++i) {
        counts[i] = counts[i] < most ? counts[i] + 1 : most;
        steps[i] = dt;
    }
}
