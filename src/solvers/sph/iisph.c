/* Pressure row `iisph`: incompressible, one solve a sub-step (Ihmsen et al. 2014).
 *
 * Pressures are looked for that bring the density after the sub-step to rho0,
 *     rho_i + dt D_i(v_adv + dt a(p)) = rho0,  p >= 0                   their (6) to (8)
 * by relaxed Jacobi iterations, from half of the last pressures (their section 3.2):
 *     p_i := max(0, p_i + omega (rho_i(p) - rho0) / a_ii)               their (9)
 * until the mean of what is left of the density is small. Their a_ii is minus dt^2 `stiffness` of
 * flow_kernels.h, and rho_i(p) - rho0 is `excess`, both over rho0: q is p / rho0.
 *
 * What mends densities stays in the velocities, unlike dfsph's, so the row is livelier, and needs
 * some artificial viscosity to come to rest. Two things are not as in the paper. What is left is
 * counted also where pressures are too high, or a sub-step could end with more push than it needs.
 * And sub-steps that friction makes short mend a share of the error alone, or that would be faster
 * than the liquid. */
#include "solvers/sph/boundary.h"
#include "solvers/sph/flow.h"

static const mote_Param params_table[] = {
    PARAM_REAL(mote_IisphPressure, density_error, "",
               "mean error of the density that is left; with dfsph the largest is 20 times as much",
               1e-3, 1e-7, 1),
    PARAM_REAL(mote_IisphPressure, relaxation, "", "omega, of iisph's iterations", 0.5, 0.01, 1),
    PARAM_COUNT(mote_IisphPressure, most_iterations, "of each solve of the pressures", 200, 1,
                100000),
};

static const mote_IisphPressure *params_of(const SphStep *step)
{
    return step->state->pressure_params;
}

/* Jacobi's iterations grow where A has an eigenvalue beyond 2 / omega of its diagonal: with wide
 * kernels, in the middle of a liquid, omega must be smaller than the usual 0.5. It is found once,
 * by what residuals do, and kept. */
typedef struct IisphOwn {
    double relaxation; /* omega; 0: that of the parameters */
} IisphOwn;

static const double grown = 1.5; /* residual over the least so far */
static const mote_real relax_less = (mote_real)0.7;

/* The first two iterations are not judged: pressures of the last sub-step may look good before
 * anything is known of this one. */
enum { LEAST_ITERATIONS = 2 };

static void prepare_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    (void)worker;
    f->operators->prepare(&f->in, begin, end);
    flow_set_moves(f, begin, end);
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
    return sph_sum_rods(f->step, compress_body, f, f->sum) / (double)f->step->particles;
}

/* The next pressures. What grew is damped from here on, with a smaller omega. */
static double iterate(Flow *f, double *least)
{
    flow_for_places(f, relax_body);
    const double residual = evaluate(f);
    if (residual > grown * *least) {
        f->in.relax *= relax_less;
        *least = residual;
    }
    if (residual < *least) *least = residual;
    return residual;
}

/* Pressures into flow, with their accelerations in moves. */
static bool find_pressures(Flow *f)
{
    const mote_IisphPressure *params = params_of(f->step);
    const double goal = f->share * (double)params->density_error;
    double residual = evaluate(f), least = residual > goal ? residual : goal;
    uint64_t used = 0;
    for (; used < params->most_iterations && (used < LEAST_ITERATIONS || residual > goal); ++used)
        residual = iterate(f, &least);
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

static mote_Status solve(SphStep *step, SolveResult *result, mote_Error *error)
{
    Flow f;
    mote_Status status = flow_add_friction(step, error);
    if (status != MOTE_OK) return status;
    if (!flow_make(&f, step)) return sph_no_memory(step, error);
    IisphOwn *own = step->state->pressure_own;
    f.in.relax = own->relaxation > 0 ? (mote_real)own->relaxation : params_of(step)->relaxation;
    f.in.least = step->params->clamp && !f.closed ? 0 : -(mote_real)1e30;
    status = flow_rub(&f, error);
    if (status != MOTE_OK) return status;
    flow_start(&f, f.warm, (mote_real)0.5 / step->rest_density);
    flow_for_places(&f, prepare_body);
    flow_for_places(&f, source_body);
    if (f.closed) flow_level_sources(&f), flow_level_pressures(&f);
    *result = find_pressures(&f) ? SOLVE_ACCEPTED : SOLVE_SMALLER;
    if (*result != SOLVE_ACCEPTED) return MOTE_OK;
    own->relaxation = (double)f.in.relax;
    sph_load_walls(step);
    flow_for_places(&f, push_body);
    return MOTE_OK;
}

static size_t saved(void *raw, mote_StateArray *arrays)
{
    IisphOwn *own = raw;
    arrays[0] = (mote_StateArray){"relaxation", MOTE_ARRAY_F64, 1, 1, 1, &own->relaxation};
    return 1;
}

const PressureRow pressure_iisph = {
    .head = ROW_HEAD("iisph",
                     "incompressible: the density after each step, by relaxed Jacobi iterations "
                     "(Ihmsen et al. 2014)",
                     params_table, mote_IisphPressure),
    .own_size = sizeof(IisphOwn),
    .saved = saved,
    .limit = flow_limit,
    .solve = solve,
    .conservative = true,
    .central = true,
    .planes = 60,
};

mote_IisphPressure mote_iisph_pressure_def(void)
{
    mote_IisphPressure def;
    mote_row_defaults(&pressure_iisph.head, &def);
    return def;
}
