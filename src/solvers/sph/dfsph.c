/* Pressure row `dfsph`: incompressible, in two solves.
 *
 * The first finds pressures that leave no compression in the velocities,
 *     dt D(v + dt a(q)) <= max(0, 1 - rho/rho0),  q >= 0,  one of them with equality:
 * velocities may only fill what is too thin. The second finds what mends the density error that is
 * left; positions move with it. It is taken out of the velocities again at the start of the next
 * sub-step, at the new places, because what stayed would shake a liquid at rest and lift it off the
 * ground. Both are forces along pairs and particles move by dt v, so momentum and angular momentum
 * are kept. (With shifting, which moves places beside velocities anyway, so does the second solve:
 * at places that were shifted something else would be taken out than was put in.) Pressures start
 * from those of the last step; how they are found is in dfsph_solve.c.
 *
 * References: Bender and Koschier 2017 (DFSPH: both conditions); Hu and Adams 2007 (velocities and
 * positions apart). */
#include "base/loop.h"
#include "base/status.h"
#include "solvers/sph/boundary.h"
#include "solvers/sph/dfsph_coarse.h"

#include <math.h>
#include <string.h>

static const char *const divergences[] = {"sum", "linear", NULL};

static const mote_Param params_table[] = {
    PARAM_REAL(mote_DfsphPressure, density_error, "",
               "mean error of the density that dfsph leaves; the largest is 20 times as much", 5e-4,
               1e-7, 1),
    PARAM_REAL(mote_DfsphPressure, divergence_error, "",
               "mean compression in a sub-step that dfsph leaves in velocities", 1e-4, 1e-7, 1),
    PARAM_CHOICE(mote_DfsphPressure, divergence,
                 "of dfsph's velocities: the change of sums, or corrected sums that are right for "
                 "linear flows, so that vortices and waves keep their energy",
                 divergences, 0),
    PARAM_COUNT(mote_DfsphPressure, most_iterations, "of each of dfsph's solves", 200, 1, 100000),
};

static const mote_Column columns[] = {
    {.name = "lift", .unit = "m^2/s", .stage = "solve", .components = 1, .internal = true}};

static const mote_DfsphPressure *params_of(const SphStep *step)
{
    return step->state->pressure_params;
}

static const mote_real no_least = -(mote_real)1e30;

/* ---- memory ---- */

static bool take_scale(const SphStep *step, struct FlowScale *scale)
{
    scale->stiffness = sph_plane(step), scale->soft = sph_plane(step);
    return scale->stiffness != NULL && scale->soft != NULL;
}

static bool take_operators(Flow *f)
{
    const SphStep *step = f->step;
    Arena *arena = step->outer->arena;
    if (!take_scale(step, &f->scales[0])) return false;
    if (!f->linear) return true;
    f->in.upright = arena_take(arena, (step->rows + 1) * sizeof *f->in.upright);
    f->in.pushes = arena_take(arena, (step->rows + 1) * sizeof *f->in.pushes);
    return take_scale(step, &f->scales[1]) && f->in.upright != NULL && f->in.pushes != NULL;
}

/* Those of velocities, or those of densities. */
static void use_operators(Flow *f, bool linear)
{
    const Isa isa = f->step->outer->isa;
    f->operators = linear ? flow_linear_operators(isa) : flow_sum_operators(isa);
    f->in.stiffness = f->scales[linear].stiffness, f->in.soft = f->scales[linear].soft;
}

static bool take(Flow *f)
{
    SphStep *step = f->step;
    Arena *arena = step->outer->arena;
    FlowInput *in = &f->in;
    mote_real *wall[3];
    bool room = true;
    for (int c = 0; c < 3; ++c) {
        in->wall[c] = wall[c] = sph_plane(step);
        in->uneven[c] = sph_plane(step);
        room = room && wall[c] != NULL && in->uneven[c] != NULL;
    }
    in->flow = arena_take(arena, (step->rows + 1) * sizeof *in->flow);
    in->moves = arena_take(arena, (step->rows + 1) * sizeof *in->moves);
    in->slopes = arena_take(arena, (step->lists->capacity + 1) * sizeof *in->slopes);
    in->push = step->wall_push = sph_plane(step);
    in->source = sph_plane(step), in->excess = sph_plane(step), in->pressure = sph_plane(step);
    f->coarse = coarse_make(f);
    f->sums = arena_take(arena, f->tasks * sizeof *f->sums);
    in->error = sph_plane(step), in->way = sph_plane(step), in->answer = sph_plane(step);
    return room && take_operators(f) && f->coarse != NULL && in->flow != NULL &&
           in->moves != NULL && in->slopes != NULL && in->push != NULL && in->source != NULL &&
           in->excess != NULL && in->pressure != NULL && f->sums != NULL && in->error != NULL &&
           in->way != NULL && in->answer != NULL;
}

/* For what moves positions beside velocities. */
static bool take_moves(SphStep *step)
{
    for (int c = 0; c < 3; ++c) {
        if (step->move[c] != NULL) continue;
        step->move[c] = sph_plane(step);
        if (step->move[c] == NULL) return false;
        memset(step->move[c], 0, step->rows * sizeof *step->move[c]);
    }
    return true;
}

/* ---- loops over places ---- */

/* Velocities without pressures, and what all loops read; last step's lift in flow. */
static void start_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    const Walls *walls = &step->state->walls;
    mote_real *const planes[3] = {(mote_real *)f->in.wall[0], (mote_real *)f->in.wall[1],
                                  (mote_real *)f->in.wall[2]};
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        mote_Vec3 wall = walls_gradient(walls, i);
        planes[0][i] = wall.x, planes[1][i] = wall.y, planes[2][i] = wall.z;
        for (int c = 0; c < 3; ++c) {
            mote_real x = step->flat && c == 2 ? 0 : step->x[c][i];
            mote_real v = step->flat && c == 2 ? 0 : step->v[c][i] + step->dt * step->a[c][i];
            step->v[c][i] = v;
            f->in.flow[i].x[c] = x;
        }
        f->in.flow[i].q = f->lift[step->cells.order[i]];
    }
}

/* Slopes; and the lift is taken back, unless it moved positions alone. */
static void prepare_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    const mote_real taken = f->apart ? 0 : 1;
    (void)worker;
    f->operators->prepare(&f->in, begin, end);
    f->operators->accelerate(&f->in, begin, end);
    for (size_t i = begin; i < end; ++i) {
        MovePacket *move = &f->in.moves[i];
        move->along = 0;
        for (int c = 0; c < 3; ++c) {
            move->u[c] = step->v[c][i] = step->v[c][i] - taken * move->u[c];
            move->along += move->u[c] * f->in.flow[i].x[c];
        }
        f->in.push[i] = -taken * f->in.push[i] / step->dt;
    }
}

static void prepare_linear_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    (void)worker;
    f->operators->prepare(&f->in, begin, end);
}

static mote_Vec3 velocity_at(const SphStep *step, size_t i)
{
    return vec3(step->v[0][i], step->v[1][i], step->v[2][i]);
}

/* Thin by less than this is full: moving positions leaves it behind, and a liquid at rest would
 * fall into it at every step, with pressures that go up and down. */
static const mote_real thin = (mote_real)0.005;

/* How far a place may still be compressed, negative. Where pressures below 0 hold the liquid
 * together, nothing may. */
static mote_real slack_at(const Flow *f, size_t i)
{
    const SphStep *step = f->step;
    mote_real over = step->density[i] / step->rest_density - 1;
    return over < -thin && step->params->clamp && !f->closed ? over + thin : 0;
}

/* What the velocities compress without pressures: dt D(v) with walls that move; and its sum where
 * they do. */
static void source_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    double closing = 0;
    (void)worker;
    f->operators->rate(&f->in, begin, end);
    for (size_t i = begin; i < end; ++i) {
        mote_real at_walls = walls_approach(&step->state->walls, i, velocity_at(step, i));
        mote_real source = step->dt * (f->in.source[i] + at_walls) + slack_at(f, i);
        f->in.source[i] = source;
        closing += source > 0 ? (double)source : 0;
    }
    f->sums[begin / FLOW_PLACES_PER_TASK].balance = closing;
}

/* Pressures start from those of the last step. Apart from the sources, whose loops load positions
 * of neighbours, and pressures with them. */
static void warm_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const mote_real inverse = 1 / f->step->rest_density;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        f->in.flow[i].q = f->warm[f->step->cells.order[i]] * inverse;
}

/* The velocities' pressures are final: they move, press, and leave the error to the positions. */
static void push_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    const mote_real inverse = 1 / step->dt, share = (mote_real)f->share;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        for (int c = 0; c < 3; ++c) step->v[c][i] += step->dt * f->in.moves[i].u[c];
        mote_real over = step->density[i] / step->rest_density - 1;
        step->pressure[i] = step->rest_density * f->in.flow[i].q;
        f->in.source[i] = share * (over + f->in.excess[i] - slack_at(f, i));
        f->in.flow[i].q = f->lift[step->cells.order[i]] * inverse;
    }
}

static void lift_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    mote_real *const *to = f->apart ? step->move : step->v;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) to[c][i] += step->dt * f->in.moves[i].u[c];
    for (size_t i = begin; i < end; ++i) f->lift[step->cells.order[i]] = step->dt * f->in.flow[i].q;
}

/* ---- the two solves ---- */

/* What all pressures together must hold within a tenth: the weight of the liquid, for one. */
static double share_of_source(const Flow *f)
{
    double sum = 0;
    for (size_t t = 0; t < f->tasks; ++t) sum += f->sums[t].balance;
    return 0.1 *
           (sum / (double)f->step->rows + f->share * (double)params_of(f->step)->divergence_error);
}

/* A liquid without a surface has few places that are thin, far fewer than a surface would have. It
 * fills its room as a whole, whatever pressures do, and these are known but for a constant: none is
 * too low. Where gravity pulls along an axis that ends there may be a surface, whose layers can be
 * as dense as the rest. */
static bool is_closed(const SphStep *step)
{
    const mote_Vec3 g = step->outer->gravity;
    if ((g.x != 0 && !(step->period[0] > 0)) || (g.y != 0 && !(step->period[1] > 0)) ||
        (g.z != 0 && !(step->period[2] > 0)))
        return false;
    const mote_real surface = (mote_real)0.95 * step->rest_density;
    size_t count = 0;
    for (size_t i = 0; i < step->rows; ++i) count += step->density[i] < surface;
    return 8 * count * count <= step->rows;
}

static void level_sources(Flow *f)
{
    double sum = 0;
    for (size_t i = 0; i < f->step->rows; ++i) sum += (double)f->in.source[i];
    const mote_real mean = (mote_real)(sum / (double)f->step->rows);
    for (size_t i = 0; i < f->step->rows; ++i) f->in.source[i] -= mean;
}

/* Iterations would leave the mean where it happens to be, and on particles that are not a lattice
 * it acts: what moves their positions, taken out at other places than where it was put in, would
 * change the viscosity by dt times the mean. */
static void level_pressures(Flow *f)
{
    double sum = 0;
    for (size_t i = 0; i < f->step->rows; ++i) sum += (double)f->in.flow[i].q;
    const mote_real mean = (mote_real)(sum / (double)f->step->rows);
    for (size_t i = 0; i < f->step->rows; ++i) f->in.flow[i].q -= mean;
}

/* Walls may be pushed against, and then the mean density can be mended; it must be, or the liquid
 * shrinks away from them. Where the push would come back as viscosity it is left. */
static bool may_push(const Flow *f)
{
    return f->apart && f->step->state->walls.rows > 0;
}

static bool solve_for(Flow *f, FlowGoal *goal, bool clamp)
{
    goal->most = params_of(f->step)->most_iterations;
    f->in.least = clamp && !f->closed ? 0 : no_least;
    if (f->closed) goal->balance = HUGE_VAL;
    if (f->closed && !may_push(f)) level_sources(f);
    return flow_solve(f, goal);
}

static void start(Flow *f)
{
    f->closed = is_closed(f->step);
    use_operators(f, false);
    flow_for_places(f, start_body);
    flow_for_places(f, prepare_body);
    if (!f->apart) sph_load_walls(f->step);
    use_operators(f, f->linear);
    if (f->linear) flow_for_places(f, prepare_linear_body);
    flow_for_places(f, source_body);
    flow_for_places(f, warm_body);
}

static bool solve_velocities(Flow *f)
{
    const double error = f->share * (double)params_of(f->step)->divergence_error;
    FlowGoal goal = {.residual = error, .balance = share_of_source(f), .worst = 100 * error};
    if (f->closed) level_pressures(f);
    if (!solve_for(f, &goal, f->step->params->clamp)) return false;
    sph_load_walls(f->step);
    flow_for_places(f, push_body);
    use_operators(f, false);
    return true;
}

static bool solve_positions(Flow *f)
{
    const double error = f->share * (double)params_of(f->step)->density_error;
    FlowGoal goal = {.residual = error, .balance = error, .worst = 20 * error};
    if (f->closed && !may_push(f)) level_pressures(f);
    if (!solve_for(f, &goal, true)) return false;
    if (!f->apart) sph_load_walls(f->step);
    flow_for_places(f, lift_body);
    return true;
}

/* ---- the row ---- */

/* There is no sound; artificial viscosity goes with the speed that the liquid has or may fall to.
 */
static double speed_expected(const SphState *state, double gravity)
{
    double fall = sqrt(2 * gravity * state->drop);
    return state->fastest > fall ? state->fastest : fall;
}

static void clear_pressure(SphStep *step, size_t begin, size_t end, int worker)
{
    (void)worker;
    memset(step->pressure + begin, 0, (end - begin) * sizeof *step->pressure);
}

/* Artificial viscosity acts on all pairs here: where nothing is compressed, those that approach
 * each other are as many as those that part. It stays along pairs, and so keeps angular momentum.
 */
static mote_Status add_friction(SphStep *step, mote_Error *error)
{
    PairTerms terms = sph_terms(step, speed_expected(step->state, sph_gravity(step->outer)));
    sph_for_places(step, clear_pressure);
    if (!(terms.laminar > 0) && !(terms.central > 0) && !(terms.artificial > 0) &&
        !(terms.xsph > 0))
        return MOTE_OK;
    terms.parting = true;
    return sph_add_forces(step, &terms, error);
}

/* s, in which a liquid moves by 0.4 spacings: v t + g t^2. */
static double time_of_way(const mote_SphSolver *params, double gravity, double fastest)
{
    double way = 0.4 * (double)params->spacing;
    double speed = fastest + sqrt(fastest * fastest + 4 * gravity * way);
    return speed > 0 ? 2 * way / speed : HUGE_VAL;
}

/* Sub-steps that are shorter, because of friction as a rule, must leave less, and mend less, or
 * errors of single sub-steps would be faster than the liquid. */
static double share_of_way(const SphStep *step)
{
    double time = time_of_way(step->params, sph_gravity(step->outer), step->state->fastest);
    return (double)step->dt < time ? fmax((double)step->dt / time, 1e-4) : 1;
}

static FlowInput make_input(const SphStep *step)
{
    FlowInput in = {.lists = step->lists,
                    .kernel = step->kernel,
                    .periodic = step->periodic,
                    .volume = step->mass / step->rest_density,
                    .spacing = step->params->spacing,
                    .dt2 = step->dt * step->dt};
    for (int c = 0; c < 3; ++c) in.period[c] = step->period[c];
    return in;
}

static mote_Status solve(SphStep *step, SolveResult *result, mote_Error *error)
{
    Flow f = {.step = step,
              .kernels = flow_kernels(step->outer->isa),
              .in = make_input(step),
              .share = share_of_way(step),
              .warm = column_real(&step->system->columns[step->state->pressure_column], 0),
              .lift = column_real(&step->system->columns[step->state->pressure_first], 0),
              .linear = params_of(step)->divergence == MOTE_DIVERGENCE_LINEAR,
              .apart = step->params->shifting > 0,
              .tasks = (step->rows + FLOW_PLACES_PER_TASK - 1) / FLOW_PLACES_PER_TASK};
    mote_Status status = add_friction(step, error);
    if (status != MOTE_OK) return status;
    if (!take(&f) || (f.apart && !take_moves(step))) return sph_no_memory(step, error);
    sph_rub_walls(step);
    start(&f);
    *result = solve_velocities(&f) && solve_positions(&f) ? SOLVE_ACCEPTED : SOLVE_SMALLER;
    return MOTE_OK;
}

/* 0.4 of a spacing per sub-step, at the present speed and after falling for one; and friction. */
static double limit(const SphState *state, const SolverStep *step, double fastest)
{
    const mote_SphSolver *params = sph_params(step->solver);
    double g = sph_gravity(step), h = (double)state->kernel.support / 2;
    double nu = (double)params->artificial * speed_expected(state, g) * h / 8;
    double least = time_of_way(params, g, fastest);
    nu += (double)sph_viscosity(state, params);
    if (nu > 0 && 0.125 * h * h / nu < least) least = 0.125 * h * h / nu;
    return least;
}

const PressureRow pressure_dfsph = {
    .head = ROW_HEAD("dfsph",
                     "incompressible: no divergence and no density error, long steps (Bender and "
                     "Koschier 2017)",
                     params_table, mote_DfsphPressure),
    .columns = columns,
    .column_count = 1,
    .limit = limit,
    .solve = solve,
    .conservative = true,
    .central = true,
    .planes = 78,
};

mote_DfsphPressure mote_dfsph_pressure_def(void)
{
    mote_DfsphPressure def;
    mote_row_defaults(&pressure_dfsph.head, &def);
    return def;
}
