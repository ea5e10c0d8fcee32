/* Collision steps longer than sub-steps (Bridson's fixed collision step): every few sub-steps, and
 * at the end of a frame, particles are led from where they were at the last check to where they are
 * now.
 *
 * Position, velocity and time at the last check are columns, so they are sorted, retired and saved
 * like everything else. A row's time before the interval's start means that it was not noted yet.
 */
#include "solvers/points/slot.h"

#include <math.h>
#include <string.h>

CollideInput slot_collide_input(const SystemSlot *slot, double start, double dt)
{
    return (CollideInput){.broad = &slot->broad,
                          .def = &slot->collide_def,
                          .may_bounce = slot->points.trace == NULL,
                          .end_weight = points_end_weight(&slot->points),
                          .lag = points_lag(&slot->points),
                          .start = start,
                          .dt = dt,
                          .touched = slot->touched};
}

enum { CHECK_POSITION, CHECK_VELOCITY, CHECK_TIME };

/* Where rows were at the interval's start, and when that was; what was never checked has a time of
 * long ago. */
mote_Status slot_add_interval(SystemSlot *slot, mote_Error *error)
{
    static const mote_Column columns[] = {
        {.name = "check_position", .unit = "m", .components = 3, .internal = true},
        {.name = "check_velocity", .unit = "m/s", .components = 3, .internal = true},
        {.name = "check_time",
         .unit = "s",
         .type = MOTE_COLUMN_DOUBLE,
         .components = 1,
         .fallback = -1e300,
         .internal = true}};
    mote_Status status = MOTE_OK;
    if (!(slot->collide_def.interval > 0) || slot->collide == NULL) return MOTE_OK;
    slot->check = slot->system->column_count;
    for (size_t i = 0; i < 3 && status == MOTE_OK; ++i) {
        mote_Column column = columns[i];
        column.stage = "collide";
        status = mote_system_add_column(slot->system, &column, error);
    }
    return status;
}

void slot_begin_interval(SystemSlot *slot, double start, double dt, uint64_t frame_step,
                         bool ends_frame)
{
    double steps = floor(slot->collide_def.interval / dt * (1 + 1e-9));
    uint64_t every = steps > 1 ? (uint64_t)steps : 1, index = frame_step % every;
    slot->interval_start = start - (double)index * dt;
    slot->checks_now = index + 1 == every || ends_frame;
}

static const mote_Column *check_column(const SystemSlot *slot, int which)
{
    return &slot->system->columns[slot->check + (size_t)which];
}

void slot_note_interval(const SystemSlot *slot, const Range *r)
{
    double *times = (double *)check_column(slot, CHECK_TIME)->data + r->first;
    for (size_t i = 0; i < r->count; ++i) {
        if (times[i] >= slot->interval_start * (1 - 1e-12)) continue;
        times[i] = r->t;
        for (int c = 0; c < 3; ++c) {
            column_real(check_column(slot, CHECK_POSITION), c)[r->first + i] = r->x[c][i];
            column_real(check_column(slot, CHECK_VELOCITY), c)[r->first + i] = r->v[c][i];
        }
    }
}

/* Rows that were noted at the same time go together. */
void slot_check_interval(const Workshop *shop, const SystemSlot *slot, const Range *r,
                         CollideTally *tally)
{
    double *times = (double *)check_column(slot, CHECK_TIME)->data + r->first;
    double end = r->t + r->dt;
    CollideInput input = slot_collide_input(slot, slot->interval_start, end - slot->interval_start);
    const double lag = input.lag * r->dt;
    for (size_t i = 0, next; i < r->count; i = next) {
        for (next = i + 1; next < r->count && times[next] == times[i]; ++next) {
        }
        Range part = range_part(r, i, next - i);
        for (int c = 0; c < 3; ++c) {
            part.x0[c] = column_real(check_column(slot, CHECK_POSITION), c) + part.first;
            part.v0[c] = column_real(check_column(slot, CHECK_VELOCITY), c) + part.first;
        }
        part.t = times[i], part.dt = end - times[i];
        input.lag = lag / part.dt;
        collide_range(slot->collide, shop->collide_kernels, &input, &part, tally);
    }
}

/* ---- histories begin anew where a collide stage changed rows ---- */

void restart_watch(RestartWatch *watch, const Range *r)
{
    if (!has_history(r->system)) return;
    for (int p = 0; p < 6; ++p)
        memcpy(watch->state[p], range_state(r, p), r->count * sizeof(mote_real));
}

void restart_changed(const RestartWatch *watch, const Range *r)
{
    if (!has_history(r->system)) return;
    uint32_t *counts = history_counts(r);
    for (int p = 0; p < 6; ++p) {
        const mote_real *now = range_state(r, p), *before = watch->state[p];
        for (size_t i = 0; i < r->count; ++i)
            if (now[i] != before[i]) counts[i] = 0;
    }
}

void restart_rows(const Range *r)
{
    if (has_history(r->system)) history_limit(r, 0);
}
