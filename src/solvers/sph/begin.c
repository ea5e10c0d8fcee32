/* Before a sub-step: how long it may be. All particles of a liquid have one mass and one radius;
 * those that are born in a wall, or nearer than a quarter of a spacing, are left out, because a
 * liquid that starts out pressed together bursts; and now and then the rows are sorted by cell, so
 * that what is near in space is near in memory. */
#include "solvers/sph/sph.h"

#include "collide/wall.h"
#include "solvers/points/slot.h"
#include "solvers/sph/backend.h"
#include "solvers/sph/foam.h"

#include "base/status.h"
#include "base/vec.h"

#include <math.h>

/* The first sub-step makes the arena as large as solving needs; sorting then fits in, too. */
enum { SORT_EVERY = 32, SORT_FIRST = 1 };

static void set_masses(SphMember *member, mote_real spacing)
{
    mote_System *system = member->system;
    mote_real *mass = column_real(&system->columns[COLUMN_MASS], 0);
    mote_real *radius = column_real(&system->columns[COLUMN_RADIUS], 0);
    if (member->next_id == system->next_id && member->next_id > 0) return;
    for (size_t i = 0; i < system->count; ++i) mass[i] = member->mass, radius[i] = spacing / 2;
    system->notes_valid = false;
    member->next_id = system->next_id;
}

/* ---- rows in walls ---- */

static bool is_in_wall(const Broad *walls, mote_Vec3 x, mote_real least)
{
    for (size_t k = 0; k < walls->count; ++k)
        if (wall_distance(walls->colliders[k], 0, x) < least) return true;
    return false;
}

/* Rows born at this very moment: the same when a saved state goes on from here. */
static size_t find_embedded(const SolverStep *outer, const mote_System *system, size_t *rows)
{
    const mote_Column *position = &system->columns[COLUMN_POSITION];
    const double *birth = system->columns[COLUMN_BIRTH].data;
    const mote_real least = sph_params(outer->solver)->spacing / 4;
    size_t found = 0;
    for (size_t i = 0; i < system->count; ++i) {
        if (birth[i] < outer->t) continue;
        mote_Vec3 x = {column_real(position, 0)[i], column_real(position, 1)[i],
                       column_real(position, 2)[i]};
        if (is_in_wall(outer->walls[0], x, least)) rows[found++] = i;
    }
    return found;
}

static mote_Status leave_out(const SolverStep *outer, SphMember *member, mote_Error *error)
{
    mote_System *system = member->system;
    size_t bytes = (system->count + 1) * sizeof(size_t);
    if (member->checked_id == system->next_id || outer->walls[0] == NULL) return MOTE_OK;
    member->checked_id = system->next_id;
    size_t *rows = arena_take(outer->arena, bytes);
    if (rows == NULL) return status_no_memory(error, system->name, bytes);
    size_t found = find_embedded(outer, system, rows);
    if (found == 0) return MOTE_OK;
    system_remove_rows(system, rows, found, outer->tasks);
    outer->solver->tally.left_out += found;
    return MOTE_OK;
}

/* ---- order ---- */

/* Where ranks share the rows: the order of cells, as a number from 1 on. */
static void note_order(const CellSpace *space, mote_real reach, mote_System *system, size_t column)
{
    enum { BITS = 20, MIDDLE = 1 << (BITS - 1) };
    const Cells grid = cells_grid(space, reach);
    const CellPoints points = cell_points_of(system);
    uint64_t *order = system->columns[column].data;
    for (size_t i = 0; i < points.count; ++i) {
        const mote_real x[3] = {points.x[0][i], points.x[1][i], points.x[2][i]};
        int32_t at[3];
        if (!cells_locate(&grid, x, at)) continue;
        order[i] = 0;
        for (int c = 2; c >= 0; --c) {
            const int32_t cell = at[c] < -MIDDLE ? -MIDDLE : at[c] < MIDDLE ? at[c] : MIDDLE - 1;
            order[i] = order[i] << BITS | (uint64_t)(cell + MIDDLE);
        }
        ++order[i];
    }
}

/* By (cell, id), which the saved number of the sub-step brings back. Nothing but where rows are in
 * memory and in files depends on it. */
static mote_Status sort_rows(const SolverStep *outer, size_t number, mote_Error *error)
{
    SystemSlot *slot = outer->slots[number];
    mote_System *system = slot->system;
    const SphState *state = outer->solver->state;
    const CellPoints points = cell_points_of(system);
    CellSpace space = sph_space(outer);
    Cells cells;
    const bool many = ranks_are_many(outer->shop->ranks);
    const bool any = many ? slot->all.count > 0 : system->count > 0;
    if (outer->number % SORT_EVERY != SORT_FIRST || !any) return MOTE_OK;
    bool done = false;
    const mote_Status status = sph_sort_away(outer, &done, error);
    if (status != MOTE_OK) return status;
    slot->all.ascend = system->ids_ascend = false;
    if (done) return MOTE_OK;
    if (slot->all.order > 0) note_order(&space, state->kernel.support, system, slot->all.order);
    if (system->count == 0) return MOTE_OK;
    ArenaMark mark = arena_mark(outer->arena);
    const bool room =
        cells_make(&cells, &space, state->kernel.support, &points, outer->arena, outer->tasks) &&
        system_reorder(system, cells.order, outer->arena, outer->tasks);
    arena_rewind(outer->arena, mark);
    return room ? MOTE_OK : status_no_memory(error, system->name, system->count * sizeof(uint64_t));
}

/* Walls are felt by all liquids together. */
static mote_Status check_walls(const SolverStep *outer, size_t m, mote_Error *error)
{
    const Broad *host = outer->walls[0], *own = outer->walls[m];
    bool same = host == NULL || own == NULL || host->count == own->count;
    for (size_t i = 0; same && host != NULL && own != NULL && i < host->count; ++i)
        same = host->colliders[i] == own->colliders[i];
    if (same) return MOTE_OK;
    return status_fail(
        error, MOTE_BAD_VALUE,
        "system %s: it joins system %s, so the same colliders must act on both; give "
        "them the same `systems`",
        outer->solver->systems[m]->name, outer->solver->systems[0]->name);
}

static mote_Status begin_member(const SolverStep *outer, size_t m, mote_Error *error)
{
    SphState *state = outer->solver->state;
    SphMember *member = &state->members[m];
    set_masses(member, sph_params(outer->solver)->spacing);
    mote_Status status = check_walls(outer, member->number, error);
    if (status == MOTE_OK) status = leave_out(outer, member, error);
    if (status != MOTE_OK) return status;
    return sort_rows(outer, member->number, error);
}

mote_Status sph_begin(const SolverStep *outer, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    const SphState *state = outer->solver->state;
    for (size_t m = 0; m < state->member_count && status == MOTE_OK; ++m)
        status = begin_member(outer, m, error);
    for (size_t k = 0; k < state->foam_count && status == MOTE_OK; ++k)
        status = sort_rows(outer, state->foams[k].number, error);
    return status;
}

/* ---- length ---- */

/* The longest stable sub-step is chosen from the largest speed and the extent along gravity, both
 * the largest so far, so that the speed of sound does not go up and down. */
enum { ROWS_PER_TASK = 4096 };

/* Of a piece of the rows. */
typedef struct Extremes {
    mote_real square;    /* of the largest speed */
    mote_real low, high; /* along gravity, m */
} Extremes;

typedef struct MotionWork {
    const mote_System *system;
    mote_Vec3 down; /* unit vector, or zero */
    Extremes *motions;
} MotionWork;

static void motion_body(void *context, size_t begin, size_t end, int worker)
{
    const MotionWork *work = context;
    const mote_Column *position = &work->system->columns[COLUMN_POSITION];
    const mote_Column *velocity = &work->system->columns[COLUMN_VELOCITY];
    const mote_real *x[3], *v[3];
    const mote_real down[3] = {work->down.x, work->down.y, work->down.z};
    Extremes m = {0, (mote_real)INFINITY, -(mote_real)INFINITY};
    (void)worker;
    for (int c = 0; c < 3; ++c) x[c] = column_real(position, c), v[c] = column_real(velocity, c);
    for (size_t i = begin; i < end; ++i) {
        mote_real square = v[0][i] * v[0][i] + v[1][i] * v[1][i] + v[2][i] * v[2][i];
        mote_real at = x[0][i] * down[0] + x[1][i] * down[1] + x[2][i] * down[2];
        m.square = square > m.square ? square : m.square;
        m.low = at < m.low ? at : m.low;
        m.high = at > m.high ? at : m.high;
    }
    work->motions[begin / ROWS_PER_TASK] = m;
}

double sph_gravity(const SolverStep *step)
{
    return (double)vec3_length(step->gravity);
}

/* Adds what the rows of a member are at to what the others are; false: no memory. */
static bool measure(const SolverStep *outer, size_t m, Extremes *all)
{
    size_t rows = outer->rows[m], count = (rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK;
    MotionWork work = {.system = outer->solver->systems[m],
                       .down = vec3_unit(outer->gravity, vec3(0, 0, 0)),
                       .motions = arena_take(outer->arena, (count + 1) * sizeof(Extremes))};
    if (work.motions == NULL) return false;
    mote_parallel_for(outer->tasks, rows, ROWS_PER_TASK, motion_body, &work);
    for (size_t i = 0; i < count; ++i) {
        const Extremes *own = &work.motions[i];
        if (own->square > all->square) all->square = own->square;
        if (own->low < all->low) all->low = own->low;
        if (own->high > all->high) all->high = own->high;
    }
    return true;
}

/* Over all ranks; false: one of them has no memory. */
static bool most_of_all(const SolverStep *outer, bool room, Extremes *all)
{
    double most[] = {room ? 0 : 1, (double)all->square, -(double)all->low, (double)all->high};
    if (!ranks_are_many(outer->shop->ranks)) return room;
    if (ranks_most(outer->shop->ranks, most, 4, NULL) != MOTE_OK) return false;
    all->square = (mote_real)most[1];
    all->low = (mote_real)-most[2], all->high = (mote_real)most[3];
    return most[0] == 0;
}

/* 0.25 sqrt(h / |a|): a particle at rest must not be pushed across the kernel in a sub-step
 * (Monaghan 1992). */
double sph_common_limit(const SphState *state)
{
    double h = (double)state->kernel.support / 2, least = (double)INFINITY;
    if (state->push > 0) least = 0.25 * sqrt(h / state->push);
    return fmin(least, sph_friction_limit(state, sph_explicit_viscosity(state)));
}

double sph_limit(const SolverStep *outer)
{
    SphState *state = outer->solver->state;
    Extremes all = {0, (mote_real)INFINITY, -(mote_real)INFINITY};
    SphNoted noted;
    bool room = true;
    if (sph_noted(state, &noted))
        all = (Extremes){noted.square, noted.low, noted.high};
    else
        for (size_t m = 0; m < state->member_count && room; ++m)
            room = measure(outer, state->members[m].number, &all);
    if (!most_of_all(outer, room, &all) || !(all.low <= all.high)) return outer->dt;
    double fastest = sqrt((double)all.square), drop = (double)all.high - (double)all.low;
    if (fastest > state->fastest) state->fastest = fastest;
    if (drop > state->drop && drop < (double)INFINITY) state->drop = drop;
    const SphMotion now = {.fastest = fastest, .height = drop};
    const double least = state->pressure->limit(state, outer, &now);
    return (double)sph_params(outer->solver)->cfl * fmin(least, sph_tension_limit(state));
}
