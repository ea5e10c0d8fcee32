/* Implicit schemes for particles that do not feel each other: the matrix of a Newton step is one 3
 * x 3 block a row, which the preconditioner inverts exactly. */
#include "solvers/points/points.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

ImplicitProblem points_implicit_problem(const PointsSolver *solver)
{
    const mote_PointsSolver *params = &solver->params;
    double own = solver->integrator->theta;
    return (ImplicitProblem){.theta = own >= 0 ? own : params->theta,
                             .tolerance = params->newton_tolerance,
                             .newton_most = params->newton_most,
                             .cg_tolerance = params->cg_tolerance,
                             .cg_most = params->cg_most};
}

double points_lag(const PointsSolver *solver)
{
    const IntegratorRow *row = solver->integrator;
    if (row == NULL) return 0;
    return row->implicit ? points_implicit_problem(solver).theta - 0.5 : row->lag;
}

double points_end_weight(const PointsSolver *solver)
{
    const IntegratorRow *row = solver->integrator;
    if (row->implicit) return points_implicit_problem(solver).theta;
    return row->stages == 1 && row->nodes[0] == 0 && row->history.entries == 0 ? 0 : 0.5;
}

void points_linearise(const PointsSolver *solver, const Range *r, double t, const mote_real by[2],
                      const uint32_t *pinned, mote_real *const d[MATRIX_PLANES])
{
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    for (int p = 0; p < MATRIX_PLANES; ++p) memset(d[p], 0, r->count * sizeof(mote_real));
    for (size_t f = 0; f < solver->force_count; ++f)
        force_differentiate(solver->forces[f], r, t, by, d);
    if (solver->flat)
        for (int p = 2; p < 5; ++p) memset(d[p], 0, r->count * sizeof(mote_real));
    for (int p = 0; p < MATRIX_PLANES; ++p)
        for (size_t i = 0; pinned != NULL && i < r->count; ++i)
            if (pinned[r->first + i] != 0) d[p][i] = 0;
    const Matrices own = {{d[0], d[1], d[2], d[3], d[4], d[5]}};
    vector_kernels(solver->isa)->weigh_blocks(0, r->count, mass, &own);
}

bool points_has_limit(const PointsSolver *solver)
{
    for (size_t f = 0; f < solver->force_count; ++f)
        if (solver->forces[f]->row->limit != NULL) return true;
    return false;
}

double points_limit(const PointsSolver *solver, const Range *r, mote_real h, const Vector *dv)
{
    mote_real way[3][BLOCK_ROWS], *planes[3] = {way[0], way[1], way[2]};
    double share = 1;
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < r->count; ++i) way[c][i] = h * dv->plane[c][i];
    for (size_t f = 0; f < solver->force_count; ++f) {
        const Force *force = solver->forces[f];
        double own = force->row->limit != NULL ? (double)force->row->limit(force, r, planes) : 1;
        share = own < share ? own : share;
    }
    return share;
}

double points_slowest(const PointsSolver *solver, const Vector *x, size_t rows, double dt)
{
    mote_Vec3 uniform = vec3(0, 0, 0);
    for (size_t f = 0; f < solver->force_count; ++f)
        if (solver->forces[f]->row->uniform != NULL)
            uniform = vec3_add(uniform, solver->forces[f]->row->uniform(solver->forces[f]));
    const mote_real least = (mote_real)1e-3, far = vector_kernels(solver->isa)->reach(0, rows, x);
    double rounding = (double)REAL_EPSILON * (double)(far > least ? far : least) / dt;
    double gain = (double)vec3_length(uniform) * dt;
    return gain > rounding ? gain : rounding;
}

void points_count_implicit(ImplicitNotes *notes, const ImplicitReport *report)
{
    notes->newton += report->newton;
    notes->cg += report->cg;
    ++notes->solves;
    notes->unsolved += !report->converged;
    if (!(report->residual <= notes->residual)) notes->residual = report->residual;
}

/* ---- a range by itself ---- */

typedef struct Alone {
    const PointsSolver *solver;
    const Range *r;
    const VectorKernels *kernels;
    Matrices own;
    double at, h;
} Alone;

static void accelerate(void *context, double t)
{
    Alone *alone = context;
    alone->at = t;
    points_accelerate(alone->solver, alone->r, t);
}

static void linearise(void *context, double by_x, double by_v, const Matrices *blocks)
{
    Alone *alone = context;
    const mote_real by[2] = {(mote_real)by_x, (mote_real)by_v};
    points_linearise(alone->solver, alone->r, alone->at, by, NULL, alone->own.plane);
    for (int p = 0; p < MATRIX_PLANES; ++p)
        memcpy(blocks->plane[p], alone->own.plane[p], alone->r->count * sizeof(mote_real));
}

static void times(void *context, const Vector *p, const Vector *q)
{
    Alone *alone = context;
    alone->kernels->multiply(0, alone->r->count, &alone->own, p, q);
}

static double limit(void *context, const Vector *dv)
{
    const Alone *alone = context;
    return points_limit(alone->solver, alone->r, (mote_real)alone->h, dv);
}

void points_solve_implicitly(const PointsSolver *solver, const Range *r)
{
    ImplicitProblem problem = points_implicit_problem(solver);
    Alone alone = {.solver = solver, .r = r, .kernels = vector_kernels(solver->isa)};
    double sum; /* one block */
    alone.h = problem.theta * r->dt;
    problem.context = &alone, problem.kernels = alone.kernels;
    problem.rows = r->count, problem.t = r->t, problem.dt = r->dt;
    problem.mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    problem.planes = r->scratch, problem.stride = r->scratch_stride, problem.sums = &sum;
    problem.accelerate = accelerate, problem.linearise = linearise, problem.times = times;
    problem.limit = points_has_limit(solver) ? limit : NULL;
    for (int c = 0; c < 3; ++c)
        problem.x.plane[c] = r->x[c], problem.v.plane[c] = r->v[c], problem.a.plane[c] = r->a[c];
    for (int p = 0; p < MATRIX_PLANES; ++p)
        alone.own.plane[p] = range_scratch(r, IMPLICIT_PLANES + p);
    problem.slowest = points_slowest(solver, &problem.x, r->count, r->dt);
    ImplicitReport report = theta_solve(&problem);
    points_count_implicit(r->implicit, &report);
}
