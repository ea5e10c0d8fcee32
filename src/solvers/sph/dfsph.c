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
#include "solvers/sph/ghosts.h"

#include <math.h>
#include <string.h>

static const char *const divergences[] = {"sum", "linear", NULL};

static const mote_Param params_table[] = {
    PARAM_REAL(mote_DfsphPressure, density_error, "",
               "mean error of the density that is left; with dfsph the largest is 20 times as much",
               5e-4, 1e-7, 1),
    PARAM_REAL(mote_DfsphPressure, divergence_error, "",
               "mean compression in a sub-step that dfsph leaves in velocities", 1e-4, 1e-7, 1),
    PARAM_CHOICE(mote_DfsphPressure, divergence,
                 "of dfsph's velocities: the change of sums, or corrected sums that are right for "
                 "linear flows, so that vortices and waves keep their energy",
                 divergences, 0),
    PARAM_COUNT(mote_DfsphPressure, most_iterations, "of each solve of the pressures", 200, 1,
                100000),
};

static const mote_Column columns[] = {
    {.name = "lift", .unit = "m^2/s", .stage = "solve", .components = 1, .internal = true}};

static const mote_DfsphPressure *params_of(const SphStep *step)
{
    return step->state->pressure_params;
}

static const mote_real no_least = -(mote_real)1e30;

/* ---- memory ---- */

static bool take_linear(Flow *f)
{
    const SphStep *step = f->step;
    Arena *arena = step->outer->arena;
    f->in.upright = arena_take(arena, (step->rows + 1) * sizeof *f->in.upright);
    f->in.pushes = arena_take(arena, (step->rows + 1) * sizeof *f->in.pushes);
    return flow_take_scale(step, &f->scales[1]) && f->in.upright != NULL && f->in.pushes != NULL;
}

/* Those of velocities, or those of densities. */
static void use_operators(Flow *f, bool linear)
{
    f->operators = linear ? flow_linear_operators(f->step->outer->isa) : f->sum_operators;
    f->in.stiffness = f->scales[linear].stiffness, f->in.soft = f->scales[linear].soft;
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

static bool take(Flow *f, SphStep *step, mote_Error *error)
{
    FlowInput *in = &f->in;
    const bool room = flow_make(f, step, error);
    const Cells window = coarse_window(step); /* all ranks know it */
    if (!room) return false;
    f->lift = sph_from_rows(step, SPH_OWN);
    f->linear = params_of(step)->divergence == MOTE_DIVERGENCE_LINEAR;
    f->apart = step->params->shifting > 0;
    f->lifted = f->apart ? 0 : 1;
    f->coarse = coarse_make(f, &window);
    in->pressure = sph_plane(step), in->error = sph_plane(step);
    in->way = sph_plane(step), in->answer = sph_plane(step);
    return f->lift != NULL && (!f->linear || take_linear(f)) && (!f->apart || take_moves(step)) &&
           f->coarse != NULL && in->pressure != NULL && in->error != NULL && in->way != NULL &&
           in->answer != NULL;
}

/* ---- loops over places ---- */

/* Slopes; and the lift is taken back. */
static void prepare_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    (void)worker;
    f->operators->prepare(&f->in, begin, end);
    f->operators->accelerate(&f->in, begin, end);
    for (size_t i = begin; i < end; ++i) {
        for (int c = 0; c < 3; ++c) step->v[c][i] -= f->in.moves[i].u[c];
        f->in.push[i] = -f->in.push[i] / step->dt;
    }
    flow_set_moves(f, begin, end);
}

/* A neighbour's matrix is summed over its own neighbours: that of a ghost comes from its rank. */
static void prepare_linear(Flow *f)
{
    const RankPlane upright = {f->in.upright, sizeof(FlowMatrix), sizeof(FlowMatrix)};
    flow_loop_places(f, f->operators->prepare, &f->in);
    ghosts_share_planes(f->step, &upright, 1);
}

/* What the velocities compress without pressures, less what is thin; and its sum where they do. */
static void source_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const uint32_t *first = f->step->rods.first;
    const mote_real *density = f->step->density;
    const FlowPlaceLaw law = flow_place_law(f);
    (void)worker;
    flow_set_sources(f, first[begin], first[end]);
    for (size_t rod = begin; rod < end; ++rod) {
        double closing = 0;
        for (size_t i = first[rod]; i < first[rod + 1]; ++i) {
            mote_real source = f->in.source[i] += flow_slack(&law, density[i]);
            closing += source > 0 ? (double)source : 0;
        }
        f->sum[rod] = closing;
    }
}

/* Pressures start from those of the last step. Apart from the sources, whose loops load positions
 * of neighbours, and pressures with them. */
static void warm_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const mote_real inverse = 1 / f->step->rest_density;
    (void)worker;
    for (size_t i = begin; i < end; ++i) f->in.flow[i].q = f->warm[i] * inverse;
}

/* The velocities' pressures are final: they move, press, and leave the error to the positions. */
static void push_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    const FlowPlaceLaw law = flow_place_law(f);
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        for (int c = 0; c < 3; ++c) step->v[c][i] += step->dt * f->in.moves[i].u[c];
        step->pressure[i] = step->rest_density * f->in.flow[i].q;
        f->in.source[i] = flow_position_source(&law, step->density[i], f->in.excess[i]);
        f->in.flow[i].q = f->lift[i] * law.inverse;
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
    for (size_t i = begin; i < end; ++i) f->lift[i] = step->dt * f->in.flow[i].q;
}

/* ---- the two solves ---- */

/* What all pressures together must hold within a tenth: the weight of the liquid, for one. */
static double share_of_source(const Flow *f, double closing)
{
    return 0.1 * (closing / (double)f->step->particles +
                  f->share * (double)params_of(f->step)->divergence_error);
}

/* Walls may be pushed against, and then the mean density can be mended; it must be, or the liquid
 * shrinks away from them. Where the push would come back as viscosity it is left. */
static bool may_push(const Flow *f)
{
    return f->apart && f->step->loads != NULL;
}

static bool solve_for(Flow *f, const FlowStages *stages, FlowGoal *goal, bool clamp)
{
    goal->most = params_of(f->step)->most_iterations;
    f->in.least = clamp && !f->closed ? 0 : no_least;
    if (f->closed) goal->balance = HUGE_VAL;
    f->level = f->closed && !may_push(f) ? stages : NULL;
    if (f->level != NULL) stages->level_sources(f);
    return stages->solve(f, goal);
}

/* The largest may be 100 times the mean, so that single particles of a splash do not hold up all
 * others. */
static bool solve_velocities(Flow *f, const FlowStages *stages, double closing)
{
    const double error = f->share * (double)params_of(f->step)->divergence_error;
    FlowGoal goal = {
        .residual = error, .balance = share_of_source(f, closing), .worst = 100 * error};
    if (f->closed) stages->level_pressures(f);
    if (!solve_for(f, stages, &goal, f->step->params->clamp)) return false;
    stages->push(f);
    return true;
}

/* 20 times the mean for the largest density error: 1 % with the defaults. */
static bool solve_positions(Flow *f, const FlowStages *stages)
{
    const double error = f->share * (double)params_of(f->step)->density_error;
    FlowGoal goal = {.residual = error, .balance = error, .worst = 20 * error};
    if (f->closed && !may_push(f)) stages->level_pressures(f);
    if (!solve_for(f, stages, &goal, true)) return false;
    stages->lift(f);
    return true;
}

static bool solve_both(Flow *f, const FlowStages *stages)
{
    double closing;
    return stages->start(f, &closing) && solve_velocities(f, stages, closing) &&
           solve_positions(f, stages);
}

/* ---- its stages, by the processor ---- */

static void take_lift_back(Flow *f)
{
    flow_ahead(f, FLOW_PREPARE);
    flow_ahead(f, FLOW_ACCELERATE);
    flow_ahead(f, FLOW_MOVES);
    flow_for_places(f, prepare_body);
    if (!f->apart) sph_load_walls(f->step);
}

/* Implicit friction would take all of the lift, which as a flow is rough. What is taken back after
 * that would be put in anew, and last as a pressure: so it goes first. */
static mote_Status rub(Flow *f, mote_Error *error)
{
    if (f->lifted > 0 && sph_friction_is_implicit(f->step)) {
        flow_pack(f, f->lift, f->lifted);
        take_lift_back(f);
        f->lifted = 0;
    }
    return f->status == MOTE_OK ? flow_rub(f, error) : f->status;
}

static bool start(Flow *f, double *closing)
{
    flow_start(f, f->lift, f->lifted);
    take_lift_back(f);
    flow_share_moves(f);
    use_operators(f, f->linear);
    if (f->linear) prepare_linear(f);
    flow_ahead(f, FLOW_RATE);
    *closing = sph_sum_rods(f->step, source_body, f, f->sum);
    flow_for_places(f, warm_body);
    return true;
}

static void push(Flow *f)
{
    sph_load_walls(f->step);
    flow_for_places(f, push_body);
    use_operators(f, false);
}

static void lift(Flow *f)
{
    if (!f->apart) sph_load_walls(f->step);
    flow_for_places(f, lift_body);
    guests_return(f->step, &f->lift, 1);
    sph_to_rows(f->step, SPH_OWN, f->lift);
}

static const FlowStages host_stages = {.start = start,
                                       .level_sources = flow_level_sources,
                                       .level_pressures = flow_level_pressures,
                                       .level_excess = flow_level_excess,
                                       .solve = flow_solve,
                                       .push = push,
                                       .lift = lift};

/* ---- the row ---- */

static mote_Status solve(SphStep *step, SolveResult *result, mote_Error *error)
{
    Flow f;
    mote_Status status = flow_add_friction(step, error);
    if (status != MOTE_OK) return status;
    status = sph_agree(step, take(&f, step, error) ? MOTE_OK : sph_no_memory(step, error), error);
    if (status != MOTE_OK) return status;
    coarse_count(f.coarse, step);
    mote_real *const last[] = {(mote_real *)(uintptr_t)f.warm, f.lift};
    guests_lend(step, last, 2);
    ghosts_share(step, last, 2);
    status = rub(&f, error);
    if (status != MOTE_OK) return status;
    *result = solve_both(&f, &host_stages) ? SOLVE_ACCEPTED : SOLVE_SMALLER;
    return f.status;
}

static const char *off_device(const SphState *state)
{
    const mote_DfsphPressure *params = state->pressure_params;
    return params->divergence == MOTE_DIVERGENCE_LINEAR ? "linear divergence" : NULL;
}

static bool stays(const SphState *state)
{
    return off_device(state) == NULL;
}

const PressureRow pressure_dfsph = {
    .head = ROW_HEAD("dfsph",
                     "incompressible: no divergence and no density error, long steps (Bender and "
                     "Koschier 2017)",
                     params_table, mote_DfsphPressure),
    .columns = columns,
    .column_count = 1,
    .limit = flow_stiff_limit,
    .solve = solve,
    .on_device = true,
    .off_device = off_device,
    .stays = stays,
    .flow = solve_both,
    .spreads = true,
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
