/* Pressures by relaxed Jacobi iterations. */
#include "solvers/sph/jacobi.h"

#include "solvers/sph/boundary.h"
#include "solvers/sph/flow.h"
#include "solvers/sph/ghosts.h"

#include <math.h>

static const double grown = 1.5; /* residual over the least so far */
static const mote_real relax_less = (mote_real)0.7;

/* Sum of |V grad W|^2 over the neighbours on a lattice of the liquid's spacing. */
double jacobi_full_stiffness(const SphStep *step)
{
    const SmoothingRow *row = smoothing_row(step->kernel.gradient_kind);
    const double d = (double)step->params->spacing, H = (double)step->kernel.support;
    const double volume = (double)(step->mass / step->rest_density);
    const int reach = (int)(H / d), deep = step->flat ? 0 : reach;
    double sum = 0;
    for (int i = -reach; i <= reach; ++i)
        for (int j = -reach; j <= reach; ++j)
            for (int k = -deep; k <= deep; ++k) {
                const double r = d * sqrt((double)(i * i + j * j + k * k));
                if (!(r > 0) || r >= H) continue;
                const double slope = volume * (double)step->kernel.slope_scale * row->slope(r / H);
                sum += slope * slope * r * r;
            }
    return sum;
}

static const Jacobi *jacobi_of(const Flow *f)
{
    return f->step->own;
}

/* The diagonal of a full lattice for all. */
static void level_diagonal(const Flow *f, size_t begin, size_t end)
{
    const double all = jacobi_of(f)->alike * (double)f->in.dt2;
    for (size_t i = begin; i < end; ++i)
        if (f->in.soft[i] > 0)
            f->in.soft[i] = (mote_real)(1 / (all * (double)sph_light(f->step, i)));
}

static void prepare_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    (void)worker;
    f->operators->prepare(&f->in, begin, end);
    flow_set_moves(f, begin, end);
    if (jacobi_of(f)->alike > 0) level_diagonal(f, begin, end);
}

/* The density's error without pressures: rho_adv / rho0 - 1. Where it is thin it may be filled. */
static void source_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    (void)worker;
    flow_set_sources(f, begin, end);
    for (size_t i = begin; i < end; ++i) {
        mote_real over = step->density[i] / step->rest_density - 1;
        f->in.source[i] += over > 0 ? (mote_real)f->share * over : over;
    }
}

/* The error with pressures, and the sum of what a change of q >= least could still mend. */
static void compress_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const FlowInput *in = &f->in;
    const uint32_t *first = f->step->rods.first;
    (void)worker;
    f->operators->compress(in, first[begin], first[end]);
    for (size_t rod = begin; rod < end; ++rod) {
        double residual = 0;
        for (size_t i = first[rod]; i < first[rod + 1]; ++i) {
            const mote_real most = (in->flow[i].q - in->least) * in->dt2 * in->stiffness[i];
            const mote_real e = in->excess[i];
            residual += (double)(e >= 0 ? e : -e < most ? -e : most);
        }
        f->sum[rod] = residual;
    }
}

/* q_i := max(least, q_i + omega excess_i / (dt^2 d_i)), their (9) over rho0. Who has no neighbours
 * has no diagonal, and nothing that could push it. */
static void relax_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const FlowInput *in = &f->in;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        mote_real q = in->flow[i].q + in->relax * in->excess[i] * in->soft[i];
        in->flow[i].q = !(in->soft[i] > 0) ? 0 : q > in->least ? q : in->least;
    }
}

static double evaluate(Flow *f)
{
    flow_accelerate(f);
    flow_ahead(f, FLOW_COMPRESS);
    return sph_sum_rods(f->step, compress_body, f, f->sum) / (double)f->step->particles;
}

void jacobi_watch(double residual, double *least, mote_real *omega)
{
    if (residual > grown * *least) {
        *omega *= relax_less;
        *least = residual;
    }
    if (residual < *least) *least = residual;
}

/* The next pressures. */
static double iterate(Flow *f, double *least)
{
    flow_for_places(f, relax_body);
    const double residual = evaluate(f);
    jacobi_watch(residual, least, &f->in.relax);
    return residual;
}

/* Pressures into flow, with their accelerations in moves. Two sums over the neighbours an
 * iteration: accelerations of all pressures, then what these do to the densities. */
static bool find_pressures(Flow *f)
{
    const Jacobi *way = jacobi_of(f);
    const double goal = f->share * way->density_error;
    double residual = evaluate(f), least = residual > goal ? residual : goal;
    uint64_t used = 0;
    for (; used < way->most && (used < way->least || residual > goal); ++used)
        residual = iterate(f, &least);
    flow_ahead(f, FLOW_MOVES);
    f->step->outer->solver->tally.iterations += used;
    return flow_accept(f, residual <= goal, residual, goal);
}

static void push_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        for (int c = 0; c < 3; ++c) step->v[c][i] += step->dt * f->in.moves[i].u[c];
        step->pressure[i] = step->rest_density * f->in.flow[i].q;
    }
}

/* Where a liquid fills its box and has no free surface, pressures are known but for a constant and
 * only sources without a mean have a solution: both are levelled. */
static bool find_all(Flow *f, const Jacobi *way)
{
    SphStep *step = f->step;
    flow_start(f, f->warm, way->warm / step->rest_density);
    flow_ahead(f, FLOW_PREPARE);
    flow_for_places(f, prepare_body);
    flow_share_moves(f);
    flow_ahead(f, FLOW_RATE);
    flow_for_places(f, source_body);
    if (f->closed) flow_level_sources(f), flow_level_pressures(f);
    return find_pressures(f);
}

mote_Status jacobi_solve(SphStep *step, const Jacobi *way, SolveResult *result, mote_Error *error)
{
    Flow f;
    mote_Status status = flow_add_friction(step, error);
    if (status != MOTE_OK) return status;
    status = flow_make(&f, step, error) ? MOTE_OK : sph_no_memory(step, error);
    status = sph_agree(step, status, error);
    if (status != MOTE_OK) return status;
    mote_real *const last = (mote_real *)(uintptr_t)f.warm;
    guests_lend(step, &last, 1);
    ghosts_share(step, &last, 1);
    JacobiOwn *own = step->state->pressure_own;
    f.in.relax = (mote_real)(own->relaxation > 0 ? own->relaxation : way->relaxation);
    f.in.least = step->params->clamp && !f.closed ? 0 : -(mote_real)1e30;
    status = flow_rub(&f, error);
    if (status != MOTE_OK) return status;
    step->own = (void *)(uintptr_t)way;
    *result = find_all(&f, way) ? SOLVE_ACCEPTED : SOLVE_SMALLER;
    step->own = NULL; /* it was of this call */
    if (f.status != MOTE_OK || *result != SOLVE_ACCEPTED) return f.status;
    own->relaxation = (double)f.in.relax;
    sph_load_walls(step);
    flow_for_places(&f, push_body);
    return MOTE_OK;
}

size_t jacobi_saved(void *raw, mote_StateArray *arrays)
{
    JacobiOwn *own = raw;
    arrays[0] = (mote_StateArray){"relaxation", MOTE_ARRAY_F64, 1, 1, 1, &own->relaxation};
    return 1;
}
