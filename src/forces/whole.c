/* A force of the user's for all rows of a system at once: once for every evaluation, on the thread
 * that steps. What it gives is kept with the state that it was given for. A range that is not in
 * that state (rows born in the sub-step, rows that go on after a bounce) is asked for by itself. */
#include "forces/force.h"

#include "base/row.h"
#include "base/status.h"

#include <stdatomic.h>
#include <string.h>

typedef struct WholeRows {
    const mote_System *system;
    size_t count;
    mote_real *plane[9]; /* position, velocity, acceleration */
} WholeRows;

typedef struct Whole {
    Arena arena;
    WholeRows *systems;
    size_t system_count;
    double t;          /* s, of what is kept */
    atomic_int failed; /* status of the first range that failed since the last evaluation */
} Whole;

static void *whole_open(Memory *memory)
{
    Whole *whole = memory_zeroed(memory, sizeof *whole);
    if (whole != NULL) whole->arena = arena_make(memory);
    return whole;
}

static void whole_close(Memory *memory, void *state)
{
    Whole *whole = state;
    arena_free(&whole->arena);
    memory_free(memory, whole, sizeof *whole);
}

/* ---- all rows ---- */

static mote_Status call(const Force *force, mote_ForceArrays *arrays, mote_Error *error)
{
    const mote_WholeCallbackForce *p = force->object.params;
    for (int c = 0; c < 3; ++c) memset(arrays->a[c], 0, arrays->count * sizeof(mote_real));
    return p->accelerate(p->context, arrays, error);
}

/* Planes lie evenly apart, in one block. */
static bool keep_state(Arena *arena, const ForceRows *from, WholeRows *rows)
{
    static const int columns[2] = {COLUMN_POSITION, COLUMN_VELOCITY};
    mote_real *block = arena_take(arena, 9 * from->count * sizeof *block);
    *rows = (WholeRows){.system = from->system, .count = from->count};
    for (int p = 0; p < 9 && block != NULL; ++p) {
        rows->plane[p] = block + (size_t)p * from->count;
        if (p >= 6) continue;
        memcpy(rows->plane[p], column_real(&from->system->columns[columns[p / 3]], p % 3),
               from->count * sizeof *block);
    }
    return block != NULL;
}

static mote_Status look_at(const Force *force, const ForceRows *from, mote_Error *error)
{
    Whole *whole = force->state;
    WholeRows *rows = &whole->systems[whole->system_count];
    if (from->count == 0) return MOTE_OK;
    if (!keep_state(&whole->arena, from, rows))
        return status_no_memory(error, force->object.name, from->count * sizeof(mote_real));
    ++whole->system_count;
    mote_ForceArrays arrays = {.system = from->system->name,
                               .count = from->count,
                               .mass = column_real(&from->system->columns[COLUMN_MASS], 0),
                               .t = whole->t};
    for (int c = 0; c < 3; ++c)
        arrays.x[c] = rows->plane[c], arrays.v[c] = rows->plane[3 + c],
        arrays.a[c] = rows->plane[6 + c];
    return call(force, &arrays, error);
}

static mote_Status gather(const Force *force, const ForceCrowd *crowd, mote_Error *error)
{
    Whole *whole = force->state;
    mote_Status status = MOTE_OK;
    const int late = atomic_exchange(&whole->failed, MOTE_OK);
    if (late != MOTE_OK)
        return status_fail(error, (mote_Status)late,
                           "force %s: its function failed for rows that were born or bounced",
                           force->object.name);
    if (crowd->energy) return MOTE_OK; /* it has none */
    arena_reset(&whole->arena);
    whole->system_count = 0, whole->t = crowd->t;
    whole->systems = arena_take(&whole->arena, (crowd->system_count + 1) * sizeof *whole->systems);
    if (whole->systems == NULL)
        return status_no_memory(error, force->object.name, sizeof *whole->systems);
    for (size_t s = 0; s < crowd->system_count && status == MOTE_OK; ++s)
        status = look_at(force, &crowd->systems[s], error);
    return status;
}

/* ---- ranges ---- */

/* The rows of the range if they are where they were when all were looked at, else NULL. */
static const WholeRows *find_rows(const Whole *whole, const Range *r, double t)
{
    for (size_t s = 0; s < whole->system_count; ++s) {
        const WholeRows *rows = &whole->systems[s];
        if (rows->system != r->system || r->first + r->count > rows->count || whole->t != t)
            continue;
        for (int p = 0; p < 6; ++p)
            if (memcmp(rows->plane[p] + r->first, range_state(r, p),
                       r->count * sizeof(mote_real)) != 0)
                return NULL;
        return rows;
    }
    return NULL;
}

static void accelerate(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    Whole *whole = force->state;
    const WholeRows *rows = find_rows(whole, r, t);
    mote_real own[3][BLOCK_ROWS];
    if (rows == NULL) {
        mote_ForceArrays arrays = {.system = r->system->name,
                                   .count = r->count,
                                   .mass =
                                       column_real(&r->system->columns[COLUMN_MASS], 0) + r->first,
                                   .t = t,
                                   .x = {r->x[0], r->x[1], r->x[2]},
                                   .v = {r->v[0], r->v[1], r->v[2]},
                                   .a = {own[0], own[1], own[2]}};
        const mote_Status status = call(force, &arrays, NULL);
        int none = MOTE_OK;
        if (status != MOTE_OK) atomic_compare_exchange_strong(&whole->failed, &none, (int)status);
    }
    for (int c = 0; c < 3; ++c) {
        const mote_real *from = rows != NULL ? rows->plane[6 + c] + r->first : own[c];
        for (size_t i = 0; i < r->count; ++i) a[c][i] += from[i];
    }
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_WholeCallbackForce *p = raw;
    return row_check_given(p->accelerate != NULL,
                           "a whole-callback force needs an accelerate function", where, error);
}

ISA_ONCE(ForceRow, force_whole_callback) = {
    .head = {.name = "whole-callback",
             .doc = "a force computed by a function of the host program for all rows at once",
             .params_size = sizeof(mote_WholeCallbackForce)},
    .uses_velocity = true,
    .accelerate = accelerate,
    .gather = gather,
    .open = whole_open,
    .close = whole_close,
    .check = check,
};
