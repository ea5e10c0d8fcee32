/* Retirement: rows that died, left the box, came into a sink or are no longer finite; and the
 * events of a frame. */
#include "world/world.h"

#include "base/sort.h"
#include "base/status.h"

#include <math.h>

typedef enum Fate { FATE_LIVES, FATE_DIES, FATE_LOST, FATE_NOT_FINITE } Fate;

/* What is not finite first: a NaN is neither inside nor outside of a box. */
static Fate fate_of(const mote_World *world, const mote_System *system, size_t row, double t)
{
    const mote_Column *columns = system->columns;
    const double *birth = columns[COLUMN_BIRTH].data;
    const mote_real *lifetime = columns[COLUMN_LIFETIME].data;
    bool outside = false;
    for (int c = 0; c < 3; ++c) {
        mote_real x = column_real(&columns[COLUMN_POSITION], c)[row];
        mote_real v = column_real(&columns[COLUMN_VELOCITY], c)[row];
        if (!(REAL_ABS(x) <= ROW_LARGEST) || !(REAL_ABS(v) <= ROW_LARGEST)) return FATE_NOT_FINITE;
        outside = outside || x < world->shop.bounds.min[c] || x > world->shop.bounds.max[c];
    }
    if (outside) return FATE_LOST;
    return birth[row] + (double)lifetime[row] <= t ? FATE_DIES : FATE_LIVES;
}

static mote_Status stopped(const mote_World *world, const mote_System *system, size_t row, double t,
                           mote_Error *error)
{
    const uint64_t *ids = system->columns[COLUMN_ID].data;
    return status_fail(error, MOTE_DIVERGED,
                       "system %s: particle %llu is not finite after step %llu (t = %g s); likely "
                       "a force is too strong for the step of %g s: try a max_step of %.2g s",
                       system->name, (unsigned long long)ids[row],
                       (unsigned long long)world->substep + 1, t, world->report.dt,
                       world_shorter_step(world, world->report.dt));
}

static bool add_dead(mote_World *world, size_t count, size_t row)
{
    if (!memory_reserve(&world->memory, (void **)&world->dead, &world->dead_capacity, count + 1,
                        sizeof *world->dead))
        return false;
    world->dead[count] = row;
    return true;
}

static bool note_fate(mote_World *world, const SystemSlot *slot, size_t row, Fate fate, double t)
{
    const uint64_t *ids = slot->system->columns[COLUMN_ID].data;
    mote_Event event = {.time = t,
                        .id = ids[row],
                        .kind = fate == FATE_DIES ? MOTE_EVENT_DEATH : MOTE_EVENT_LOST,
                        .system = (uint32_t)(slot - world->slots)};
    world->report.died += fate == FATE_DIES;
    world->report.lost += fate == FATE_LOST;
    world->report.not_finite += fate == FATE_NOT_FINITE;
    return !world->def.record_events || world_add_event(world, &event);
}

/* Marks the block's rows that are in a sink at time t, the end of the sub-step. False: none is. */
static bool find_sunk(const SystemSlot *slot, size_t first, size_t count, double t, bool *sunk)
{
    const mote_Column *position = &slot->system->columns[COLUMN_POSITION];
    mote_real *const x[3] = {column_real(position, 0) + first, column_real(position, 1) + first,
                             column_real(position, 2) + first};
    bool any = false;
    for (size_t i = 0; i < count; ++i) sunk[i] = false;
    for (size_t k = 0; k < slot->sink_count; ++k)
        any = collider_swallow(slot->sinks[k], t, count, x, sunk) || any;
    return any;
}

/* Looks into blocks alone in which something may have happened: the first death in them is due, the
 * guard suspects a row, or a sink has got one. Mostly that is none. */
mote_Status world_retire(mote_World *world, SystemSlot *slot, double t, mote_Error *error)
{
    mote_System *system = slot->system;
    size_t dead = 0;
    if (slot->solver->away && world->quiet_until > t) return MOTE_OK;
    for (size_t block = 0; block < system_blocks(system); ++block) {
        BlockNote *note = &system->notes[block];
        size_t first = block * BLOCK_ROWS, end = first + BLOCK_ROWS;
        bool sunk[BLOCK_ROWS];
        if (end > system->count) end = system->count;
        bool sinks = slot->sink_count > 0 && find_sunk(slot, first, end - first, t, sunk);
        if (note->earliest_death <= t) system_note_block(system, block);
        if (note->earliest_death > t && !note->suspect && !sinks) continue;
        note->suspect = false;
        for (size_t row = first; row < end; ++row) {
            Fate fate = fate_of(world, system, row, t);
            if (fate == FATE_LIVES && sinks && sunk[row - first]) fate = FATE_DIES;
            if (fate == FATE_LIVES) continue;
            if (fate == FATE_NOT_FINITE && world->def.not_finite == MOTE_NOT_FINITE_STOP)
                return stopped(world, system, row, t, error);
            if (!add_dead(world, dead, row) || !note_fate(world, slot, row, fate, t))
                return status_no_memory(error, "retired rows", (dead + 1) * sizeof(size_t));
            ++dead;
        }
    }
    system_remove_rows(system, world->dead, dead, world_tasks(world));
    return MOTE_OK;
}

/* ---- events ---- */

bool world_add_event(mote_World *world, const mote_Event *event)
{
    if (!memory_reserve(&world->memory, (void **)&world->events, &world->event_capacity,
                        world->event_count + 1, sizeof *world->events))
        return false;
    world->events[world->event_count++] = *event;
    return true;
}

static void sort_events_by(SortItem *items, SortItem *spare, size_t count, const mote_Event *events,
                           bool by_system)
{
    for (size_t i = 0; i < count; ++i) {
        const mote_Event *event = &events[items[i].value];
        items[i].key = by_system ? event->system : event->id;
    }
    sort_items(items, spare, count);
}

/* Stable by id, then stable by system: (system, id, time), because they came in order of time. */
bool world_sort_events(mote_World *world)
{
    size_t count = world->event_count;
    if (count == 0) return true;
    SortItem *items = arena_take(&world->arena, 2 * count * sizeof *items);
    mote_Event *copy = arena_take(&world->arena, count * sizeof *copy);
    if (items == NULL || copy == NULL) return false;
    for (size_t i = 0; i < count; ++i) {
        items[i].value = i;
        copy[i] = world->events[i];
    }
    sort_events_by(items, items + count, count, copy, false);
    sort_events_by(items, items + count, count, copy, true);
    for (size_t i = 0; i < count; ++i) world->events[i] = copy[items[i].value];
    return true;
}

const mote_Event *mote_world_events(const mote_World *world, size_t *count)
{
    *count = world->event_count;
    return world->events;
}
