/* Pressure row `pbf`: position-based fluids (Macklin and Mueller 2013).
 *
 * Particles are moved first, x* = x + dt v, and then from where they are too dense,
 *     C_i = rho_i(x*) / rho0 - 1,  lambda_i = -C_i / (sum_k |grad_k C_i|^2 + epsilon)
 *     x*_i += sum_j (lambda_i + lambda_j + s) V grad W + lambda_i G_i
 * with densities summed anew in every iteration; velocities are (x* - x) / dt in the end. With q =
 * -lambda / dt^2 the sums are the accelerations of kernels.h at x*, and the denominator without
 * epsilon is their diagonal. s = -k (W / W(0.2 H))^4 over the diagonal of a full lattice pushes
 * near pairs apart; a softness of 1 takes half of Jacobi's step in the middle of the liquid, and
 * where iterations grow, as with wide kernels, less is taken from then on (jacobi.h).
 *
 * Whatever is left when iterations end is left: no sub-step is repeated, and nothing can burst,
 * because what moves is bounded. Neighbours are those of x, and walls are linear about it.
 * Where the paper lets C be negative, `clamp` keeps it from pulling. */
#include "solvers/sph/boundary.h"
#include "solvers/sph/flow.h"
#include "solvers/sph/jacobi.h"

#include <string.h>

ISA_KERNELS(anew_kernels, AnewKernels, anew_table)

static const mote_Param params_table[] = {
    PARAM_REAL(mote_PbfPressure, density_error, "",
               "mean error of the density that is left; with dfsph the largest is 20 times as much",
               1e-3, 1e-7, 1),
    PARAM_REAL(mote_PbfPressure, softness, "",
               "epsilon of pbf's iterations, over the diagonal of a full lattice", 1, 0, 1000),
    PARAM_REAL(mote_PbfPressure, repulsion, "", "of near pairs of pbf, against clumps", 0.01, 0,
               10),
    PARAM_COUNT(mote_PbfPressure, most_iterations, "of each solve of the pressures", 50, 1, 100000),
};

typedef struct Moving {
    Flow flow;
    const AnewKernels *kernels;
    mote_real *pushes;  /* sum of the q of all iterations, m^2/s^2 */
    mote_real epsilon;  /* 1/m^2 */
    mote_real strength; /* of the repulsion, 1/s^2 as q; 0: none */
    mote_real usual;    /* W(0.2 H) */
} Moving;

static const mote_PbfPressure *params_of(const SphStep *step)
{
    return step->state->pressure_params;
}

/* Where the velocities bring the particles. */
static void place_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = &((const Moving *)context)->flow;
    const SphStep *step = f->step;
    (void)worker;
    for (int c = 0; c < (step->flat ? 2 : 3); ++c)
        for (size_t i = begin; i < end; ++i)
            f->in.flow[i].x[c] = step->x[c][i] + step->dt * step->v[c][i];
}

/* What walls add to C_i, never less than nothing. */
static mote_real wall_share(const SphStep *step, size_t i)
{
    const Walls *walls = &step->state->walls;
    const mote_Vec3 v = vec3(step->v[0][i], step->v[1][i], step->v[2][i]);
    const mote_real share = walls_volume(walls, i) + step->dt * walls_approach(walls, i, v);
    return share > 0 ? share : 0;
}

/* Of what is too dense before a sub-step, a twentieth is mended in it. More would be thrown out
 * faster than particles move, and the sub-steps after it would be shorter, and throw more. */
static const mote_real most_mended = (mote_real)0.05;

static mote_real left_alone(const Flow *f, size_t i)
{
    const mote_real before = f->step->density[i] / f->step->rest_density - 1;
    const mote_real mended = before < most_mended ? before : most_mended;
    return before > 0 ? before - (mote_real)f->share * mended : 0;
}

/* C, and its sum where it is above 0. */
static void excess_body(void *context, size_t begin, size_t end, int worker)
{
    const Moving *m = context;
    const Flow *f = &m->flow;
    const SphStep *step = f->step;
    const uint32_t *first = step->rods.first;
    (void)worker;
    f->operators->prepare(&f->in, first[begin], first[end]);
    m->kernels->densities(&f->in, first[begin], first[end]);
    for (size_t rod = begin; rod < end; ++rod) {
        double sum = 0;
        for (size_t i = first[rod]; i < first[rod + 1]; ++i) {
            const mote_real e = f->in.excess[i] + wall_share(step, i) - left_alone(f, i);
            f->in.excess[i] = e;
            sum += e > 0 ? (double)e : 0;
        }
        f->sum[rod] = sum;
    }
}

static void press_body(void *context, size_t begin, size_t end, int worker)
{
    const Moving *m = context;
    const FlowInput *in = &m->flow.in;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const mote_real e = in->excess[i];
        const mote_real soft =
            in->soft[i] > 0 ? 1 / (in->dt2 * (in->stiffness[i] + m->epsilon)) : 0;
        in->flow[i].q = in->relax * soft * (e > 0 || in->least < 0 ? e : 0);
        m->pushes[i] += in->flow[i].q;
    }
}

static void move_body(void *context, size_t begin, size_t end, int worker)
{
    const Moving *m = context;
    const Flow *f = &m->flow;
    const SphStep *step = f->step;
    (void)worker;
    f->operators->accelerate(&f->in, begin, end);
    if (m->strength > 0) m->kernels->repel(&f->in, m->strength, m->usual, begin, end);
    for (int c = 0; c < (step->flat ? 2 : 3); ++c)
        for (size_t i = begin; i < end; ++i) step->v[c][i] += step->dt * f->in.moves[i].u[c];
}

static void for_places(Moving *m, mote_TaskBody *body)
{
    mote_parallel_for(m->flow.step->outer->tasks, m->flow.step->rows, 512, body, m);
}

static bool make(Moving *m, SphStep *step)
{
    const mote_PbfPressure *params = params_of(step);
    const double full = jacobi_full_stiffness(step);
    *m = (Moving){.kernels = anew_kernels(step->outer->isa)};
    if (!flow_make(&m->flow, step, NULL)) return false;
    const JacobiOwn *own = step->state->pressure_own;
    m->flow.in.relax = own->relaxation > 0 ? (mote_real)own->relaxation : 1;
    m->flow.in.least = step->params->clamp ? 0 : -1;
    m->epsilon = (mote_real)((double)params->softness * full);
    m->strength = (mote_real)((double)params->repulsion / (full * (double)m->flow.in.dt2));
    m->usual = (mote_real)((double)step->kernel.value_scale *
                           smoothing_row(step->kernel.kind)->value(0.2));
    m->pushes = sph_plane(step);
    return m->pushes != NULL;
}

/* The mean of what is too dense where the particles are now. */
static double find_excess(Moving *m)
{
    const SphStep *step = m->flow.step;
    for_places(m, place_body);
    return sph_sum_rods(step, excess_body, m, m->flow.sum) / (double)step->particles;
}

static void find_places(Moving *m)
{
    const SphStep *step = m->flow.step;
    const mote_PbfPressure *params = params_of(step);
    SolverTally *tally = &step->outer->solver->tally;
    const double goal = m->flow.share * (double)params->density_error;
    double left = find_excess(m), least = left;
    uint64_t used = 0;
    memset(m->pushes, 0, step->rows * sizeof *m->pushes);
    for (; used < params->most_iterations && left > goal; ++used) {
        for_places(m, press_body);
        for_places(m, move_body);
        left = find_excess(m);
        jacobi_watch(left, &least, &m->flow.in.relax);
    }
    ++tally->solves, tally->iterations += used;
    if (left > goal) ++tally->unsolved;
}

static void note_body(void *context, size_t begin, size_t end, int worker)
{
    const Moving *m = context;
    const SphStep *step = m->flow.step;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        m->flow.in.push[i] = m->pushes[i];
        step->pressure[i] = step->rest_density * m->pushes[i];
    }
}

static mote_Status solve(SphStep *step, SolveResult *result, mote_Error *error)
{
    Moving m;
    mote_Status status = flow_add_friction(step, error);
    if (status != MOTE_OK) return status;
    if (!make(&m, step)) return sph_no_memory(step, error);
    status = flow_rub(&m.flow, error);
    if (status != MOTE_OK) return status;
    flow_start(&m.flow, m.flow.warm, 0);
    find_places(&m);
    ((JacobiOwn *)step->state->pressure_own)->relaxation = (double)m.flow.in.relax;
    for_places(&m, note_body);
    sph_load_walls(step);
    *result = SOLVE_ACCEPTED;
    return MOTE_OK;
}

const PressureRow pressure_pbf = {
    .head = ROW_HEAD("pbf",
                     "to compare: position-based fluids, as games have them (Macklin and Mueller "
                     "2013)",
                     params_table, mote_PbfPressure),
    JACOBI_ROW(flow_limit),
    .solve = solve,
    .compared = true,
    .planes = 64,
};

ROW_DEFAULTS(pressure_pbf.head, mote_PbfPressure, mote_pbf_pressure_def)
