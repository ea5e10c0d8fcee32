/* Solver `points`. */
#include "solvers/points/points.h"

#include "base/row.h"
#include "base/vec.h"
#include "integrate/advance.h"
#include "particles/history.h"
#include "solvers/points/rates.h"
#include "solvers/points/slot.h"

#include <math.h>
#include <string.h>

static const char *const integrator_kind[] = {"integrator", "symplectic-euler", NULL};
static const char *const field_kind[] = {"field", NULL};

static const mote_Param params[] = {
    PARAM_NAME(mote_PointsSolver, integrator, "scheme that advances the particles",
               integrator_kind),
    PARAM_NAME(mote_PointsSolver, trace, "velocity field that the particles follow", field_kind),
    PARAM_DOUBLE(mote_PointsSolver, theta, "",
                 "of the theta scheme: weight of the forces at the end of the step", 1, 0, 1),
    PARAM_COUNT(mote_PointsSolver, newton_most, "implicit schemes: Newton steps in a sub-step", 20,
                1, 1e6),
    PARAM_DOUBLE(mote_PointsSolver, newton_tolerance, "",
                 "implicit schemes: a Newton step this small, as a share of the largest speed, is "
                 "the last",
                 sizeof(mote_real) == 4 ? 1e-4 : 1e-9, PARAM_POSITIVE, 1),
    PARAM_COUNT(mote_PointsSolver, cg_most,
                "implicit schemes: conjugate-gradient iterations in a Newton step", 500, 1, 1e6),
    PARAM_DOUBLE(mote_PointsSolver, cg_tolerance, "",
                 "implicit schemes: what conjugate gradients leave of the residual",
                 sizeof(mote_real) == 4 ? 1e-3 : 1e-5, PARAM_POSITIVE, 1),
    PARAM_DOUBLE(mote_PointsSolver, relative_tolerance, "",
                 "adaptive integrators: error of a step, as part of position and velocity", 1e-6, 0,
                 1),
    PARAM_DOUBLE(mote_PointsSolver, absolute_tolerance, "m, m/s",
                 "adaptive integrators: error of a step that is always good", 1e-6, PARAM_POSITIVE,
                 PARAM_LARGEST),
    PARAM_BOOL(mote_PointsSolver, dense,
               "adaptive integrators: steps may reach over the ends of frames, which are "
               "interpolated",
               1),
    PARAM_COUNT(mote_PointsSolver, most_rejections,
                "adaptive integrators: rejected steps in a sub-step before giving up", 100, 1, 1e6),
};

static mote_Status solve_rows(const SolverStep *step, mote_Error *error)
{
    (void)error;
    blocks_run(step, 0, 0);
    return MOTE_OK;
}

static mote_real reach(const Solver *solver)
{
    (void)solver;
    return 0;
}

const SolverRow points_solver_row = {
    .head = ROW_HEAD("points", "particles moved by forces and an integrator, or by a field", params,
                     mote_PointsSolver),
    .solve = solve_rows,
    .fuses = true,
    .reach = reach,
};

ROW_DEFAULTS(points_solver_row.head, mote_PointsSolver, mote_points_solver_def)

mote_Status points_set(PointsSolver *points, const mote_PointsSolver *given, Isa isa,
                       const char *where, mote_Error *error)
{
    const mote_PointsSolver own = given != NULL ? *given : mote_points_solver_def();
    const char *name = own.trace != NULL ? "rk4" : "symplectic-euler";
    size_t count;
    const mote_Row *const *rows = integrator_rows(isa, &count);
    mote_Status status = mote_row_check(&points_solver_row.head, where, &own, error);
    if (status != MOTE_OK) return status;
    if (own.integrator != NULL) name = own.integrator;
    points->params = own;
    points->isa = isa;
    points->tolerance = (Tolerance){own.relative_tolerance, own.absolute_tolerance};
    points->most_rejections = own.most_rejections;
    points->integrator =
        (const IntegratorRow *)row_find(rows, count, "world", "integrator", name, error);
    return points->integrator != NULL ? MOTE_OK : MOTE_BAD_VALUE;
}

/* The sum of the forces when it is the same for all rows. */
static bool uniform_acceleration(const PointsSolver *solver, mote_Vec3 *sum)
{
    *sum = vec3(0, 0, 0);
    if (solver->rates != NULL && solver->rates->thrust) return false;
    for (size_t f = 0; f < solver->force_count; ++f) {
        const Force *force = solver->forces[f];
        if (force->row->uniform == NULL || force->group != 0) return false;
        *sum = vec3_add(*sum, force->row->uniform(force));
    }
    if (solver->flat) sum->z = 0;
    return true;
}

bool points_uniform(const PointsSolver *solver, mote_Vec3 *sum)
{
    return solver->trace == NULL && uniform_acceleration(solver, sum);
}

bool points_is_uniform(const PointsSolver *solver)
{
    mote_Vec3 sum;
    return points_uniform(solver, &sum);
}

/* Particles under gravity alone are common, and their acceleration need not be written for every
 * block: the scratch planes keep it. */
static void hold(const Range *r, mote_Vec3 value)
{
    const mote_real values[3] = {value.x, value.y, value.z};
    if (r->held->x == value.x && r->held->y == value.y && r->held->z == value.z) return;
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < BLOCK_ROWS; ++i) r->a[c][i] = values[c];
    *r->held = value;
}

void points_accelerate(const PointsSolver *solver, const Range *r, double t)
{
    mote_Vec3 uniform;
    if (r->held != NULL && uniform_acceleration(solver, &uniform)) {
        hold(r, uniform);
        return;
    }
    if (r->held != NULL) r->held->x = (mote_real)NAN;
    for (int c = 0; c < 3; ++c) memset(r->a[c], 0, r->count * sizeof(mote_real));
    for (size_t f = 0; f < solver->force_count; ++f) force_apply(solver->forces[f], r, t);
    if (solver->flat) memset(r->a[2], 0, r->count * sizeof(mote_real));
}

/* The derivative of the state: the field's velocity, or the acceleration. */
void points_evaluate(const PointsSolver *solver, const Range *r, double t)
{
    if (solver->trace == NULL) {
        points_accelerate(solver, r, t);
        return;
    }
    FieldPoints points = {.count = r->count, .x = {r->x[0], r->x[1], r->x[2]}, .t = t};
    field_sample(solver->trace, &points, r->v);
    if (solver->flat) memset(r->v[2], 0, r->count * sizeof(mote_real));
}

/* A one-step scheme does the same for all rows; this is the path that has to be short. */
static void solve_at_once(const PointsSolver *solver, const Range *r)
{
    const IntegratorRow *row = solver->integrator;
    const int planes = points_planes(solver);
    if (row->open != NULL) row->open(row, r);
    for (int k = 0; k < row->stages; ++k) {
        points_evaluate(solver, r, r->t + row->nodes[k] * r->dt);
        row->stage(row, r, k, planes);
    }
}

/* One step of rows that are in one phase of their integrator. */
static Advance advance(const PointsSolver *solver, const Range *r, AdvancePhase phase)
{
    const Advance step = advance_by(solver->integrator, phase);
    const int planes = points_planes(solver);
    advance_open(&step, r);
    for (int k = 0; k < advance_evaluations(&step); ++k) {
        points_evaluate(solver, r, r->t + advance_node(&step, k) * r->dt);
        advance_stage(&step, r, k, planes);
    }
    return step;
}

/* Rows that begin a history, go on with one or run with a full one take different formulas: runs of
 * the same are advanced together. */
static void solve_by_phases(const PointsSolver *solver, const Range *r)
{
    const HistoryNeeds *history = &solver->integrator->history;
    if (history_is_full(r, (uint32_t)history->steps + 1)) {
        advance(solver, r, ADVANCE_RUN); /* nothing to be counted */
        return;
    }
    history_check_step(r);
    for (size_t i = 0, same; i < r->count; i += same) {
        AdvancePhase phase;
        same = advance_same_phase(solver->integrator, r, i, &phase);
        Range part = range_part(r, i, same);
        Advance step = advance(solver, &part, phase);
        advance_close(&step, &part);
    }
}

void points_solve(const PointsSolver *solver, const Range *r)
{
    const IntegratorRow *row = solver->integrator;
    if (solver->rates != NULL && solver->rates->changing > 0)
        points_solve_with_rates(solver, r);
    else if (row->implicit)
        points_solve_implicitly(solver, r);
    else if (row->error != NULL)
        points_solve_adaptively(solver, r);
    else if (row->history.entries > 0)
        solve_by_phases(solver, r);
    else
        solve_at_once(solver, r);
}
