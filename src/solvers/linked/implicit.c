/* What an implicit scheme asks about a system's forces: accelerations, the matrix of a Newton step
 * and its products. The matrix is the masses, the derivative of the forces on single rows (3 x 3
 * blocks, kept in planes) and that of the links (per link, src/links/kernels/links.c). */
#include "solvers/linked/linked.h"

#include "base/status.h"
#include "solvers/points/points.h"

#include <string.h>

typedef struct Implicit {
    CoupledStep *step;
    mote_real by[2];
    Matrices own;           /* derivative of the forces on single rows, with the masses */
    const Matrices *blocks; /* where linearise puts the blocks of the whole */
    const Vector *p, *q;
    const Vector *way;
    double *limits; /* per block */
    double h;       /* theta dt */
} Implicit;

/* ---- the matrix ---- */

static void planes_from(const Matrices *matrices, size_t first, mote_real *to[MATRIX_PLANES])
{
    for (int p = 0; p < MATRIX_PLANES; ++p) to[p] = matrices->plane[p] + first;
}

/* The derivative of a set of links, and where a block's rows stand in it. */
typedef struct LinkDerivative {
    mote_real *plane[LINK_DERIVATIVE_PLANES];
    const LinkSegment *segments;
    size_t count;
} LinkDerivative;

static LinkDerivative link_derivative(const Links *links, size_t block)
{
    LinkDerivative d;
    for (size_t p = 0; p < LINK_DERIVATIVE_PLANES; ++p)
        d.plane[p] = links->derivative + p * links->count;
    d.segments = links_segments(links, block, &d.count);
    return d;
}

/* Forces on single rows, and the wind on triangles. */
static void own_block(CoupledStep *step, size_t block, int worker)
{
    const Implicit *implicit = step->implicit;
    Range r = coupled_range(step, block, worker);
    mote_real *d[MATRIX_PLANES];
    planes_from(&implicit->own, r.first, d);
    points_linearise(&step->slot->points, &r, step->at, implicit->by, step->pinned, d);
    for (size_t l = 0; l < step->slot->link_count; ++l) {
        AirView air = coupled_air(step, l);
        size_t count;
        const TriangleSegment *triangles = links_triangles(step->slot->links[l], block, &count);
        if (air.air > 0)
            step->kernels->press_diagonal(&air, implicit->by[1], triangles, count, r.first, d);
    }
}

static void linearise_links(CoupledStep *step, size_t block, int worker)
{
    const Implicit *implicit = step->implicit;
    (void)worker;
    for (size_t l = 0; l < step->slot->link_count; ++l) {
        const Links *links = step->slot->links[l];
        LinkView view = links_view(links, step->slot->system, step->period);
        LinkDerivative by = link_derivative(links, block);
        by.segments = links_first_ends(links, block, &by.count);
        step->kernels->linearise(&view, implicit->by, by.segments, by.count, by.plane);
    }
}

static void diagonal_block(CoupledStep *step, size_t block, int worker)
{
    const Implicit *implicit = step->implicit;
    Range r = coupled_range(step, block, worker);
    mote_real *d[MATRIX_PLANES], *own[MATRIX_PLANES];
    planes_from(implicit->blocks, r.first, d);
    planes_from(&implicit->own, r.first, own);
    for (int p = 0; p < MATRIX_PLANES; ++p) memcpy(d[p], own[p], r.count * sizeof(mote_real));
    for (size_t l = 0; l < step->slot->link_count; ++l) {
        LinkDerivative by = link_derivative(step->slot->links[l], block);
        step->kernels->diagonal(by.plane, by.segments, by.count, r.first, d);
    }
}

/* A = m - by_v D - by_x K of integrate/implicit.h, by_x = (h theta)^2 and by_v = h theta. */
static void linearise(void *context, double by_x, double by_v, const Matrices *blocks)
{
    Implicit *implicit = context;
    implicit->by[0] = (mote_real)by_x, implicit->by[1] = (mote_real)by_v;
    implicit->blocks = blocks;
    coupled_for_blocks(implicit->step, own_block);
    coupled_for_blocks(implicit->step, linearise_links);
    coupled_for_blocks(implicit->step, diagonal_block);
}

/* q = A p; pinned rows stay where they are, and in a flat world nothing moves along z. Filtered as
 * Baraff and Witkin do: what is pinned has no component in any vector of the solve, so that it
 * cannot be moved by it. */
static void times_block(CoupledStep *step, size_t block, int worker)
{
    const Implicit *implicit = step->implicit;
    Range r = coupled_range(step, block, worker);
    mote_real *p[3], *q[3];
    for (int c = 0; c < 3; ++c) {
        p[c] = implicit->p->plane[c];
        q[c] = implicit->q->plane[c] + r.first;
    }
    vector_kernels(step->shop->isa)
        ->multiply(r.first, r.count, &implicit->own, implicit->p, implicit->q);
    for (size_t l = 0; l < step->slot->link_count; ++l) {
        LinkDerivative by = link_derivative(step->slot->links[l], block);
        step->kernels->times(by.plane, by.segments, by.count, r.first, p, q);
    }
    for (size_t i = 0; step->pinned != NULL && i < r.count; ++i)
        if (step->pinned[r.first + i] != 0) q[0][i] = q[1][i] = q[2][i] = 0;
    if (step->slot->points.flat) memset(q[2], 0, r.count * sizeof(mote_real));
}

static void times(void *context, const Vector *p, const Vector *q)
{
    Implicit *implicit = context;
    implicit->p = p, implicit->q = q;
    coupled_for_blocks(implicit->step, times_block);
}

/* ---- forces ---- */

static void accelerate(void *context, double t)
{
    Implicit *implicit = context;
    implicit->step->at = t;
    coupled_accelerate(implicit->step);
}

static void limit_block(CoupledStep *step, size_t block, int worker)
{
    const Implicit *implicit = step->implicit;
    Range r = coupled_range(step, block, worker);
    Vector way;
    for (int c = 0; c < 3; ++c) way.plane[c] = implicit->way->plane[c] + r.first;
    implicit->limits[block] = points_limit(&step->slot->points, &r, (mote_real)implicit->h, &way);
}

static double limit(void *context, const Vector *way)
{
    Implicit *implicit = context;
    double share = 1;
    implicit->way = way;
    coupled_for_blocks(implicit->step, limit_block);
    for (size_t block = 0; block < coupled_blocks(implicit->step); ++block)
        share = implicit->limits[block] < share ? implicit->limits[block] : share;
    return share;
}

/* ---- the step ---- */

static void state_vectors(const CoupledStep *step, ImplicitProblem *problem)
{
    const mote_System *system = step->slot->system;
    for (int c = 0; c < 3; ++c) {
        problem->x.plane[c] = column_real(&system->columns[COLUMN_POSITION], c);
        problem->v.plane[c] = column_real(&system->columns[COLUMN_VELOCITY], c);
        problem->a.plane[c] = coupled_plane(step->slot, (size_t)(COUPLED_A + c));
    }
    problem->mass = column_real(&system->columns[COLUMN_MASS], 0);
    problem->pinned = step->pinned;
}

static ImplicitProblem make_problem(Implicit *implicit, double *sums)
{
    CoupledStep *step = implicit->step;
    const PointsSolver *solver = &step->slot->points;
    size_t first = coupled_first_plane(step->slot);
    ImplicitProblem problem = points_implicit_problem(solver);
    problem.context = implicit, problem.tasks = step->shop->tasks;
    problem.kernels = vector_kernels(step->shop->isa);
    problem.rows = step->rows, problem.t = step->t, problem.dt = step->dt;
    problem.planes = coupled_plane(step->slot, first);
    problem.stride = step->slot->coupled.stride, problem.sums = sums;
    problem.accelerate = accelerate, problem.linearise = linearise, problem.times = times;
    problem.limit = points_has_limit(solver) ? limit : NULL;
    state_vectors(step, &problem);
    problem.slowest = points_slowest(solver, &problem.x, step->rows, step->dt);
    implicit->h = problem.theta * step->dt;
    for (size_t p = 0; p < MATRIX_PLANES; ++p)
        implicit->own.plane[p] = coupled_plane(step->slot, first + IMPLICIT_PLANES + p);
    return problem;
}

static void solve(CoupledStep *step, double *sums)
{
    Implicit implicit = {.step = step, .limits = sums + coupled_blocks(step)};
    ImplicitProblem problem = make_problem(&implicit, sums);
    step->implicit = &implicit;
    ImplicitReport report = theta_solve(&problem);
    step->implicit = NULL;
    points_count_implicit(&step->shop->workers[0].implicit, &report);
}

mote_Status coupled_begin_implicit(CoupledStep *step, mote_Error *error)
{
    SystemSlot *slot = step->slot;
    Arena *arena = step->shop->arena;
    size_t blocks = coupled_blocks(step);
    double *sums = arena_take(arena, (2 * blocks + 1) * sizeof *sums);
    bool room = sums != NULL;
    if (step->touched == NULL && slot_collides(slot)) {
        step->touched = arena_take(arena, (2 * step->rows + 1) * sizeof *step->touched);
        room = room && step->touched != NULL;
    }
    for (size_t l = 0; l < slot->link_count; ++l)
        room = room && links_reserve_derivative(slot->links[l]);
    if (!room) return status_no_memory(error, slot->system->name, blocks);
    step->sums = sums;
    if (step->rows > 0) solve(step, sums);
    return MOTE_OK;
}

/* ---- contacts ---- */

/* Planes behind those of the solve: velocities after the collision, then x and v of the start. */
static mote_real *kept_plane(const CoupledStep *step, size_t c)
{
    return coupled_plane(step->slot,
                         coupled_first_plane(step->slot) + IMPLICIT_PLANES + MATRIX_PLANES + c);
}

/* Back to the start, which the planes of the scheme still hold, because collisions change the
 * others; what was touched with the mean velocity that leads to where it is. */
static void restart_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    const mote_real rate = (mote_real)(1 / step->dt);
    uint32_t *held = step->touched + step->rows;
    for (size_t i = 0; i < r.count; ++i)
        held[r.first + i] = step->touched[r.first + i] != 0 ||
                            (step->pinned != NULL && step->pinned[r.first + i] != 0);
    for (int c = 0; c < 3; ++c) {
        mote_real *kept = kept_plane(step, (size_t)c) + r.first;
        const mote_real *x0 = kept_plane(step, 3 + (size_t)c) + r.first;
        const mote_real *v0 = kept_plane(step, 6 + (size_t)c) + r.first;
        for (size_t i = 0; i < r.count; ++i) {
            bool touched = step->touched[r.first + i] != 0;
            kept[i] = r.v[c][i];
            r.v[c][i] = touched ? (r.x[c][i] - x0[i]) * rate : v0[i];
            r.x[c][i] = r.x0[c][i] = x0[i];
            r.v0[c][i] = v0[i];
        }
    }
}

static void take_up_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    for (int c = 0; c < 3; ++c) {
        const mote_real *kept = kept_plane(step, (size_t)c) + r.first;
        for (size_t i = 0; i < r.count; ++i)
            if (step->touched[r.first + i] != 0) r.v[c][i] = kept[i];
    }
}

void coupled_keep_start(const CoupledStep *step, const Range *r)
{
    for (int c = 0; c < 3; ++c) {
        memcpy(kept_plane(step, 3 + (size_t)c) + r->first, r->x[c], r->count * sizeof(mote_real));
        memcpy(kept_plane(step, 6 + (size_t)c) + r->first, r->v[c], r->count * sizeof(mote_real));
    }
}

/* A collision that moves a row after the solve would leave its springs stretched by the whole way;
 * solved again with it held, the cloth gives way instead. */
mote_Status coupled_solve_around_contacts(CoupledStep *step, bool *again, mote_Error *error)
{
    const uint32_t *pinned = step->pinned;
    (void)error;
    *again = false;
    for (size_t i = 0; i < step->rows && !*again; ++i) *again = step->touched[i] != 0;
    if (!*again) return MOTE_OK;
    coupled_for_blocks(step, restart_block);
    step->pinned = step->touched + step->rows;
    solve(step, step->sums);
    step->pinned = pinned;
    coupled_for_blocks(step, take_up_block);
    return MOTE_OK;
}
