/* Sub-steps of a liquid that stays on a device, as the world sees them: what the note asks for, and
 * what is compared with the processor. */
#include "solvers/sph/stay.h"

#include "base/status.h"
#include "solvers/points/slot.h"

#include <string.h>

/* What is not accepted is done again at home, in pieces: rows are where they started. */
static mote_Status try_there(const SolverStep *outer, SolveResult *result, mote_Error *error)
{
    SphStep step = sph_make_step(outer);
    SphStay *stay = step.state->device->stay;
    SolveResult found = SOLVE_ACCEPTED;
    mote_Status status = MOTE_OK;
    if (sph_stay_cells(&step))
        status = stay->flows ? sph_stay_flow(&step, &found, error) : sph_stay_step(&step, error);
    stay->refused = status == MOTE_OK && found != SOLVE_ACCEPTED;
    *result = SOLVE_ACCEPTED;
    return status;
}

/* Rows that may have met a wall collide at home, and a frame's end is guarded there. */
static mote_Status settle(const SolverStep *outer, mote_Error *error)
{
    const SphDevice *d = ((const SphState *)outer->solver->state)->device;
    const bool met = d->stay->note.met != 0;
    mote_Status status = MOTE_OK;
    mote_real *planes[6];
    if (!met && !outer->shop->ends_frame) return MOTE_OK;
    if (met) status = away_start(outer, planes, error);
    if (status == MOTE_OK && met) sph_fetch_start(d->stay, d->device, planes);
    if (status == MOTE_OK) status = sph_come_home(outer->solver, error);
    return status == MOTE_OK ? away_settle(outer, met, error) : status;
}

/* ---- comparing (--check-device) ---- */

/* All that a sub-step changes beside rows. */
typedef struct StayKept {
    double fastest, drop, push, squeeze, last;
    SolverTally tally;
} StayKept;

static StayKept keep_state(const Solver *solver)
{
    const SphState *s = solver->state;
    return (StayKept){s->fastest, s->drop, s->push, s->squeeze, s->last, solver->tally};
}

static void put_back(const StayKept *kept, Solver *solver)
{
    SphState *s = solver->state;
    s->fastest = kept->fastest, s->drop = kept->drop, s->push = kept->push;
    s->squeeze = kept->squeeze, s->last = kept->last;
    solver->tally = kept->tally;
}

static bool same_rows(const SphStep *step, const mote_real *expected)
{
    const SphMember *member = &step->state->members[0];
    const mote_Column *columns = member->system->columns;
    const bool flows = step->state->device->stay->flows;
    const size_t rows = step->rows,
                 of[5] = {COLUMN_POSITION, COLUMN_VELOCITY, member->column[SPH_DENSITY],
                          member->column[SPH_PRESSURE], flows ? member->column[SPH_OWN] : 0};
    bool same = true;
    for (int k = 0, plane = 0; k < (flows ? 5 : 4); ++k)
        for (int c = 0; c < (k < 2 ? 3 : 1); ++c, ++plane)
            same = same &&
                   sph_same(expected + (size_t)plane * rows, column_real(&columns[of[k]], c), rows);
    return same;
}

/* The processor's way, and whether it came to what the device did. */
static mote_Status solve_and_compare(const SolverStep *outer, SolveResult *result,
                                     mote_Error *error)
{
    SphStep step = sph_make_step(outer);
    SphStay *stay = step.state->device->stay;
    const StayExpected *expected = stay->expected;
    mote_Status status = sph_solve_piece(outer, result, error);
    if (status != MOTE_OK || expected == NULL) return status;
    stay->expected = NULL;
    const bool same =
        same_rows(&step, expected->rows) && step.state->push == expected->push &&
        step.state->squeeze == expected->squeeze &&
        memcmp(outer->loads, expected->loads, outer->load_count * sizeof *outer->loads) == 0;
    return same ? MOTE_OK : sph_differs(&step, "rows", error);
}

/* What the device makes of the sub-step, beside the liquid. */
static mote_Status expect(const SolverStep *outer, StayExpected *expected, mote_Error *error)
{
    Solver *solver = outer->solver;
    SphState *state = solver->state;
    SphDevice *d = state->device;
    const StayKept kept = keep_state(solver);
    const size_t rows = d->stay->rows, own = state->pressure->own_size;
    SolverStep beside = *outer;
    SolveResult result;
    mote_real *planes[STAY_ROW_PLANES];
    beside.load_count = outer->shop->collider_count;
    beside.loads = arena_take(outer->arena, (beside.load_count + 1) * sizeof *beside.loads);
    expected->rows =
        arena_take(outer->arena, (STAY_ROW_PLANES * rows + 1) * sizeof *expected->rows);
    void *before = arena_take(outer->arena, own + 1);
    if (beside.loads == NULL || expected->rows == NULL || before == NULL)
        return status_no_memory(error, solver->object.name, rows * sizeof *expected->rows);
    memset(beside.loads, 0, beside.load_count * sizeof *beside.loads);
    if (own > 0) memcpy(before, state->pressure_own, own);
    d->stay->beside = true;
    mote_Status status = try_there(&beside, &result, error);
    d->stay->beside = false;
    if (status != MOTE_OK) return status;
    for (int k = 0; k < STAY_ROW_PLANES; ++k) planes[k] = expected->rows + (size_t)k * rows;
    sph_fetch_rows(d->stay, d->device, planes);
    expected->push = state->push, expected->squeeze = state->squeeze;
    expected->loads = beside.loads;
    put_back(&kept, solver);
    if (own > 0) memcpy(state->pressure_own, before, own);
    d->stay->there = d->stay->away = false;
    return device_check(d->device, solver->object.name, error);
}

/* Rows are at home, and the device has them, too. */
static mote_Status solve_twice(const SolverStep *outer, mote_Error *error)
{
    const SphState *state = outer->solver->state;
    StayExpected expected;
    mote_Status status = expect(outer, &expected, error);
    if (status != MOTE_OK) return status;
    state->device->stay->expected = state->device->stay->refused ? NULL : &expected;
    return whole_solve(outer, solve_and_compare, error);
}

/* ---- all of it ---- */

/* What it has no memory for is an error, unless any device would have done, and so is a program
 * that cannot be built; and what it cannot do any more while it has the rows: the world goes back
 * to where it had them itself. Else the processor does the sub-step. */
static mote_Status trouble(const SphDevice *d, mote_Status status, bool *done)
{
    const bool small = device_is_too_small(d->device) && !device_is_optional(d->device);
    if (d->stay->away || small || device_is_well(d->device)) return status;
    *done = false;
    return MOTE_OK;
}

mote_Status sph_stay_solve(const SolverStep *outer, bool *done, mote_Error *error)
{
    SphStep step = sph_make_step(outer);
    const SphState *state = step.state;
    mote_Status status = MOTE_OK;
    *done = false;
    if (mote_tasks_device(outer->tasks) == NULL) return MOTE_OK;
    const bool twice = device_is_verified(mote_tasks_device(outer->tasks), outer->number);
    if (twice) status = sph_come_home(outer->solver, error);
    if (status == MOTE_OK) status = sph_go_there(&step, done, error);
    if (status == MOTE_OK && !*done) return sph_come_home(outer->solver, error);
    if (status == MOTE_OK && twice) return solve_twice(outer, error);
    const StayKept kept = keep_state(outer->solver);
    if (status == MOTE_OK) status = away_solve(outer, try_there, error);
    if (status == MOTE_OK && state->device->stay->refused) {
        *done = false;
        put_back(&kept, outer->solver);
        return sph_come_home(outer->solver, error);
    }
    if (status == MOTE_OK) return settle(outer, error);
    put_back(&kept, outer->solver);
    return trouble(state->device, status, done);
}
