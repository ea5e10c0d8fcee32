/* Pressure row `dfsph`: incompressible, in two solves.
 *
 * The first finds pressures that leave no compression in the velocities,
 *     dt D(v + dt a(q)) <= max(0, 1 - rho/rho0),  q >= 0,  one of them with equality:
 * velocities may only fill what is too thin. The second mends what is left of the density error by
 * moving particles, not by changing velocities: a correction that stayed in the velocities would
 * shake a liquid at rest and lift it off the ground. Pressures start from those of the last step.
 *
 * Both are linear complementarity problems in A = -D a. They are solved by projected Jacobi steps
 * with Nesterov's momentum, which go nearly as far as conjugate gradients but keep pressures
 * positive.
 *
 * References: Bender and Koschier 2017 (DFSPH: both conditions); Hu and Adams 2007 (velocities and
 * positions apart); Mazhar et al. 2015 (accelerated projection). */
#include "base/loop.h"
#include "base/status.h"
#include "solvers/sph/boundary.h"
#include "solvers/sph/dfsph_kernels.h"

#include <math.h>

enum { PLACES_PER_TASK = 512 };

/* Of the steps of Jacobi's iteration: below 1 / (largest eigenvalue of A over its diagonal),
 * as a rule; where it is too much it is taken back. */
static const mote_real relax_first = (mote_real)0.4;

static const mote_real thin = (mote_real)0.005;

typedef struct Flow {
    SphStep *step;
    const FlowKernels *kernels;
    FlowInput in;
    const mote_real *warm; /* the rows' pressures, Pa */
    mote_real *lift;       /* and those that moved positions, m^2/s^2 */
    FlowSums *sums;        /* per task */
    double *wrong;
    size_t tasks;
    /* When to stop: the mean residual, its mean with sign, the largest compression. */
    double wanted, balance, most_worst;
    uint64_t iterations;
} Flow;

/* ---- memory ---- */

static bool take(Flow *f)
{
    SphStep *step = f->step;
    Arena *arena = step->outer->arena;
    FlowInput *in = &f->in;
    mote_real *wall[3];
    bool room = true;
    for (int c = 0; c < 3; ++c) {
        in->wall[c] = wall[c] = sph_plane(step);
        if (step->move[c] == NULL) step->move[c] = sph_plane(step);
        room = room && wall[c] != NULL && step->move[c] != NULL;
    }
    in->flow = arena_take(arena, (step->rows + 1) * sizeof *in->flow);
    in->moves = arena_take(arena, (step->rows + 1) * sizeof *in->moves);
    in->slopes = arena_take(arena, (step->lists->capacity + 1) * sizeof *in->slopes);
    in->stiffness = sph_plane(step), in->push = step->wall_push = sph_plane(step);
    in->source = sph_plane(step), in->excess = sph_plane(step), in->pressure = sph_plane(step);
    f->sums = arena_take(arena, f->tasks * sizeof *f->sums);
    f->wrong = arena_take(arena, f->tasks * sizeof *f->wrong);
    return room && in->flow != NULL && in->moves != NULL && in->slopes != NULL &&
           in->stiffness != NULL && in->push != NULL && in->source != NULL && in->excess != NULL &&
           in->pressure != NULL && f->sums != NULL && f->wrong != NULL;
}

static void for_places(Flow *f, mote_TaskBody *body)
{
    mote_parallel_for(f->step->outer->tasks, f->step->rows, PLACES_PER_TASK, body, f);
}

/* ---- loops over places ---- */

/* Velocities without pressures, and what all loops read. */
static void start_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    const Walls *walls = &step->state->walls;
    const mote_real inverse = 1 / step->rest_density;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        mote_Vec3 wall = walls_gradient(walls, i);
        mote_real *const planes[3] = {(mote_real *)f->in.wall[0], (mote_real *)f->in.wall[1],
                                      (mote_real *)f->in.wall[2]};
        planes[0][i] = wall.x, planes[1][i] = wall.y, planes[2][i] = wall.z;
        for (int c = 0; c < 3; ++c) {
            mote_real x = step->flat && c == 2 ? 0 : step->x[c][i];
            mote_real v = step->flat && c == 2 ? 0 : step->v[c][i] + step->dt * step->a[c][i];
            step->v[c][i] = v;
            f->in.flow[i].x[c] = f->in.moves[i].x[c] = x;
            f->in.moves[i].v[c] = v;
        }
        mote_real q = f->warm[step->cells.order[i]] * inverse;
        f->in.flow[i].q = f->in.pressure[i] = q > 0 ? q : 0;
    }
}

static mote_Vec3 velocity_at(const SphStep *step, size_t i)
{
    return vec3(step->v[0][i], step->v[1][i], step->v[2][i]);
}

/* How far a place may still be compressed, negative. What is thin by less than `thin` is full: it
 * is what moving positions leaves behind, and would let a liquid at rest fall into it at every
 * step. */
static mote_real slack_at(const SphStep *step, size_t i)
{
    mote_real over = step->density[i] / step->rest_density - 1;
    return over < -thin ? over + thin : 0;
}

static void prepare_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    (void)worker;
    f->kernels->prepare(&f->in, begin, end);
    for (size_t i = begin; i < end; ++i) {
        mote_real at_walls = walls_approach(&step->state->walls, i, velocity_at(step, i));
        f->in.source[i] = step->dt * (f->in.source[i] + at_walls) + slack_at(step, i);
    }
}

static void accelerate_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    (void)worker;
    f->kernels->accelerate(&f->in, begin, end);
}

static void compress_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    (void)worker;
    f->kernels->compress(&f->in, begin, end);
    f->sums[begin / PLACES_PER_TASK] = f->kernels->judge(&f->in, begin, end);
}

static void mend_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    (void)worker;
    f->wrong[begin / PLACES_PER_TASK] = f->kernels->mend(&f->in, begin, end);
}

/* The velocities' pressures are final: they move, press, and leave the error to the positions. */
static void push_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        for (int c = 0; c < 3; ++c) step->v[c][i] += step->dt * f->in.moves[i].v[c];
        mote_real over = step->density[i] / step->rest_density - 1;
        step->pressure[i] = step->rest_density * f->in.flow[i].q;
        f->in.source[i] = over + f->in.excess[i] - slack_at(step, i);
        f->in.flow[i].q = f->in.pressure[i] = f->lift[step->cells.order[i]];
    }
}

static void shift_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    const bool adds = step->params->xsph > 0;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) {
            mote_real by = step->dt * f->in.moves[i].v[c];
            step->move[c][i] = adds ? step->move[c][i] + by : by;
        }
    for (size_t i = begin; i < end; ++i) f->lift[step->cells.order[i]] = f->in.flow[i].q;
}

/* ---- iterations ---- */

static FlowSums all_sums(const Flow *f)
{
    FlowSums all = {0, 0, 0};
    for (size_t t = 0; t < f->tasks; ++t) {
        all.residual += f->sums[t].residual;
        all.balance += f->sums[t].balance;
        if (!(f->sums[t].worst <= all.worst)) all.worst = f->sums[t].worst;
    }
    return all;
}

static bool is_done(const Flow *f, const FlowSums *all)
{
    const double rows = (double)f->step->rows;
    return all->residual <= f->wanted * rows && fabs(all->balance) <= f->balance * rows &&
           (double)all->worst <= f->most_worst;
}

typedef struct Pace {
    double t;    /* Nesterov's sequence */
    double best; /* residual */
} Pace;

static void mend_all(Flow *f, Pace *pace, double residual)
{
    double next = (1 + sqrt(1 + 4 * pace->t * pace->t)) / 2, wrong = 0;
    if (residual > 2 * pace->best) { /* too long a step for these particles */
        f->in.relax *= (mote_real)0.7;
        pace->t = next = 1;
        pace->best = residual;
    }
    if (residual < pace->best) pace->best = residual;
    f->in.momentum = (mote_real)((pace->t - 1) / next);
    for_places(f, mend_body);
    for (size_t t = 0; t < f->tasks; ++t) wrong += f->wrong[t];
    pace->t = wrong > 0 ? 1 : next;
}

/* From a and the excess of the present pressures on. False: no solution was found. */
static bool iterate(Flow *f, uint64_t most)
{
    Pace pace = {1, HUGE_VAL};
    FlowSums all = all_sums(f);
    f->in.relax = relax_first;
    for (f->iterations = 0; !is_done(f, &all) && f->iterations < most; ++f->iterations) {
        mend_all(f, &pace, all.residual);
        for_places(f, accelerate_body);
        for_places(f, compress_body);
        all = all_sums(f);
        if (!(all.residual >= 0)) return false;
    }
    f->step->outer->solver->tally.iterations += f->iterations;
    return true;
}

/* What all pressures together must hold within a tenth: the weight of the liquid, for one. */
static double share_of_source(Flow *f)
{
    double sum = 0;
    for (size_t i = 0; i < f->step->rows; ++i)
        sum += f->in.source[i] > 0 ? (double)f->in.source[i] : 0;
    return 0.1 * sum / (double)f->step->rows + 1e-7;
}

static bool solve_velocities(Flow *f)
{
    const mote_SphSolver *params = f->step->params;
    f->wanted = (double)params->divergence_error, f->most_worst = 100 * f->wanted;
    for_places(f, prepare_body);
    f->balance = share_of_source(f);
    for_places(f, accelerate_body);
    for_places(f, compress_body);
    if (!iterate(f, params->most_iterations)) return false;
    sph_load_walls(f->step);
    for_places(f, push_body);
    return true;
}

static bool solve_positions(Flow *f)
{
    const mote_SphSolver *params = f->step->params;
    f->wanted = f->balance = (double)params->density_error, f->most_worst = 20 * f->wanted;
    for_places(f, accelerate_body);
    for_places(f, compress_body);
    if (!iterate(f, params->most_iterations)) return false;
    for_places(f, shift_body);
    return true;
}

/* ---- the row ---- */

/* A column of its own behind those of all liquids. */
static mote_real *lift_column(const SphStep *step)
{
    return column_real(&step->system->columns[step->state->pressure_column + 1], 0);
}

static mote_Status open(const SolverSite *site, Solver *solver, mote_Error *error)
{
    mote_Column lift = {
        .name = "lift", .unit = "m^2/s^2", .stage = "solve", .components = 1, .internal = true};
    (void)site;
    return mote_system_add_column(solver->systems[0], &lift, error);
}

/* Artificial viscosity: that of a weakly compressible liquid is worth nu = alpha c h / 8 (Monaghan
 * 2005), but acts on particles that approach each other alone. Without divergence those that glide
 * past each other are as many, so here it is laminar. */
static double artificial_viscosity(const SphStep *step)
{
    double fall = sqrt(2 * sph_gravity(step->outer) * step->state->drop);
    double speed = step->state->fastest > fall ? step->state->fastest : fall;
    double h = (double)step->kernel.support / 2;
    return (double)step->params->artificial * (double)step->params->mach * speed * h / 8;
}

static mote_Status add_friction(SphStep *step, mote_Error *error)
{
    const mote_SphSolver *params = step->params;
    mote_SphSolver own = *params;
    const ViscosityRow *friction = step->state->friction;
    for (size_t i = 0; i < step->rows; ++i) step->pressure[i] = 0;
    if (!friction->laminar) own.viscosity = 0;
    own.viscosity += (mote_real)artificial_viscosity(step);
    own.artificial = 0;
    if (!(own.viscosity > 0) && !(own.xsph > 0)) return MOTE_OK;
    step->params = &own;
    step->state->friction = &viscosity_morris;
    mote_Status status = sph_add_forces(step, 0, NULL, error);
    step->params = params;
    step->state->friction = friction;
    return status;
}

static FlowInput make_input(const SphStep *step)
{
    FlowInput in = {.lists = step->lists,
                    .kernel = step->kernel,
                    .periodic = step->periodic,
                    .volume = step->mass / step->rest_density,
                    .dt2 = step->dt * step->dt};
    for (int c = 0; c < 3; ++c) in.period[c] = step->period[c];
    return in;
}

static mote_Status solve(SphStep *step, SolveResult *result, mote_Error *error)
{
    Flow f = {.step = step,
              .kernels = flow_kernels(step->outer->isa),
              .in = make_input(step),
              .warm = column_real(&step->system->columns[step->state->pressure_column], 0),
              .lift = lift_column(step),
              .tasks = (step->rows + PLACES_PER_TASK - 1) / PLACES_PER_TASK};
    mote_Status status = add_friction(step, error);
    if (status != MOTE_OK) return status;
    if (!take(&f)) return sph_no_memory(step, error);
    sph_rub_walls(step);
    for_places(&f, start_body);
    *result = solve_velocities(&f) && solve_positions(&f) ? SOLVE_ACCEPTED : SOLVE_SMALLER;
    return MOTE_OK;
}

/* 0.4 of a spacing per sub-step, at the present speed and after falling for one. */
static double limit(const SphState *state, const SolverStep *step, double fastest)
{
    const mote_SphSolver *params = sph_params(step->solver);
    double way = 0.4 * (double)params->spacing, g = sph_gravity(step), least = HUGE_VAL;
    double nu = state->friction->laminar ? (double)params->viscosity : 0,
           h = (double)state->kernel.support / 2;
    double speed = fastest + sqrt(fastest * fastest + 4 * g * way); /* v dt + g dt^2 = way */
    if (speed > 0) least = 2 * way / speed;
    if (nu > 0 && 0.125 * h * h / nu < least) least = 0.125 * h * h / nu;
    return least;
}

const PressureRow pressure_dfsph = {
    .head = {.name = "dfsph",
             .doc = "incompressible: no divergence and no density error, long steps (Bender and "
                    "Koschier 2017)"},
    .open = open,
    .limit = limit,
    .solve = solve,
    .conservative = true, /* positions that are mended turn it a little, though */
};
