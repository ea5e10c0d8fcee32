/* The longest stable sub-step of a liquid, and what it is chosen from: the largest speed and the
 * extent along gravity, both the largest so far, so that the speed of sound does not go up and
 * down.
 */
#include "solvers/sph/step.h"

#include "base/vec.h"

#include <math.h>

enum { ROWS_PER_TASK = 4096, MOST_TASKS = 1 << 20 };

/* Of a piece of the rows. */
typedef struct Motion {
    mote_real square;    /* of the largest speed */
    mote_real low, high; /* along gravity, m */
} Motion;

typedef struct MotionWork {
    const mote_System *system;
    mote_Vec3 down; /* unit vector, or zero */
    Motion *motions;
} MotionWork;

static void motion_body(void *context, size_t begin, size_t end, int worker)
{
    const MotionWork *work = context;
    const mote_Column *position = &work->system->columns[COLUMN_POSITION];
    const mote_Column *velocity = &work->system->columns[COLUMN_VELOCITY];
    const mote_real *x[3], *v[3];
    const mote_real down[3] = {work->down.x, work->down.y, work->down.z};
    Motion m = {0, (mote_real)INFINITY, -(mote_real)INFINITY};
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

static bool measure(const SolverStep *outer, Motion *all)
{
    size_t rows = outer->rows[0], count = (rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK;
    MotionWork work = {.system = outer->solver->systems[0],
                       .down = vec3_unit(outer->gravity, vec3(0, 0, 0)),
                       .motions = arena_take(outer->arena, (count + 1) * sizeof(Motion))};
    if (work.motions == NULL || count == 0) return false;
    mote_parallel_for(outer->tasks, rows, ROWS_PER_TASK, motion_body, &work);
    *all = work.motions[0];
    for (size_t i = 1; i < count; ++i) {
        const Motion *m = &work.motions[i];
        if (m->square > all->square) all->square = m->square;
        if (m->low < all->low) all->low = m->low;
        if (m->high > all->high) all->high = m->high;
    }
    return true;
}

double sph_common_limit(const SphState *state, const mote_SphSolver *params)
{
    double h = (double)state->kernel.support / 2, least = (double)INFINITY;
    if (state->push > 0) least = 0.25 * sqrt(h / state->push);
    return fmin(least, sph_friction_limit(state, sph_explicit_viscosity(state, params)));
}

double sph_limit(const SolverStep *outer)
{
    SphState *state = outer->solver->state;
    Motion all;
    if (!measure(outer, &all)) return outer->dt;
    double fastest = sqrt((double)all.square), drop = (double)all.high - (double)all.low;
    if (fastest > state->fastest) state->fastest = fastest;
    if (drop > state->drop && drop < (double)INFINITY) state->drop = drop;
    return (double)sph_params(outer->solver)->cfl * state->pressure->limit(state, outer, fastest);
}
