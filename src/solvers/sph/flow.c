/* What incompressible rows share: planes, velocities without pressures, friction, limits. */
#include "solvers/sph/flow.h"
#include "solvers/sph/ghosts.h"

#include <math.h>
#include <string.h>

ISA_KERNELS(flow_kernels, FlowKernels, flow_table)
ISA_KERNELS(flow_sum_operators, FlowOperators, flow_sum_table)
ISA_KERNELS(flow_linear_operators, FlowOperators, flow_linear_table)

enum { PLACES_PER_TASK = 512 };

void flow_for_places(Flow *f, mote_TaskBody *body)
{
    mote_parallel_for(f->step->outer->tasks, f->step->rows, PLACES_PER_TASK, body, f);
}

typedef struct LoopWork {
    FlowLoop *loop;
    const FlowInput *in;
} LoopWork;

static void loop_body(void *context, size_t begin, size_t end, int worker)
{
    const LoopWork *work = context;
    (void)worker;
    work->loop(work->in, begin, end);
}

void flow_loop_places(const Flow *f, FlowLoop *loop, const FlowInput *in)
{
    LoopWork work = {loop, in};
    mote_parallel_for(f->step->outer->tasks, f->step->rows, PLACES_PER_TASK, loop_body, &work);
}

void flow_loop_own(const Flow *f, FlowLoop *loop)
{
    LoopWork work = {loop, &f->in};
    ghosts_for_own(f->step, loop_body, &work);
}

void flow_ahead(Flow *f, FlowTask task)
{
    const SphBackend *backend = f->step->backend;
    const bool sums = f->operators == f->sum_operators;
    if (backend->flow != NULL && sums && f->status == MOTE_OK) backend->flow(f, task);
}

void flow_accelerate(Flow *f)
{
    const RankPlane q = {&f->in.flow[0].q, sizeof(FlowPacket), sizeof(mote_real)};
    ghosts_share_planes(f->step, &q, 1);
    if (f->operators->pack != NULL) flow_loop_places(f, f->operators->pack, &f->in);
    flow_ahead(f, FLOW_ACCELERATE);
    flow_loop_own(f, f->operators->accelerate);
    flow_share_moves(f);
}

void flow_share_moves(Flow *f)
{
    const RankPlane moves = {f->in.moves, sizeof(MovePacket), sizeof(MovePacket)};
    ghosts_share_planes(f->step, &moves, 1);
}

/* ---- length of sub-steps ---- */

/* There is no sound; artificial viscosity goes with the speed that the liquid has or may fall to.
 */
static double speed_expected(const SphState *state, double gravity)
{
    double fall = sqrt(2 * gravity * state->drop);
    return state->fastest > fall ? state->fastest : fall;
}

/* s, in which a liquid moves by 0.4 spacings: v t + g t^2. g t^2 and not half of it, because
 * symplectic Euler moves by dt (v + g dt). The root is in the form that does not cancel where v is
 * large. */
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
    const double d = (double)step->params->spacing, pull = sph_tension(step->state) / (d * d);
    const double gravity = sph_gravity(step->outer) + pull;
    double time = time_of_way(step->params, gravity, step->state->fastest);
    return (double)step->dt < time ? fmax((double)step->dt / time, 1e-4) : 1;
}

/* alpha c h / 8 is the viscosity of artificial friction in two dimensions, alpha c h / (2 (D + 2));
 * in three it is less. */
double flow_limit(const SphState *state, const SolverStep *step, const SphMotion *now)
{
    const mote_SphSolver *params = sph_params(step->solver);
    double g = sph_gravity(step), h = (double)state->kernel.support / 2;
    double nu = (double)params->artificial * speed_expected(state, g) * h / 8;
    double least = time_of_way(params, g, now->fastest);
    return fmin(least, sph_friction_limit(state, nu + sph_explicit_viscosity(state)));
}

/* Of gravity along axes that end: along others nothing bears a weight. */
static double pressing_gravity(const SolverStep *step)
{
    const mote_Vec3 g = step->gravity;
    const double along[3] = {(double)g.x, (double)g.y, (double)g.z};
    double square = 0;
    for (int c = 0; c < 3; ++c) square += step->period[c] > 0 ? 0 : along[c] * along[c];
    return sqrt(square);
}

/* Nor longer than a pair that carries the weight of all that may be above it takes to leap over its
 * rest. Pressures are found for the places that there are, and forces of pairs under pressure
 * change with these: p/(rho d^2) is the square of a frequency, and longer sub-steps multiply what
 * moves there, as a spring's would. Lattices with a kernel of two spacings, the least stable, bear
 * 1.2 d, and below a free surface 0.7 d where corrections of densities move places alone. */
double flow_stiff_limit(const SphState *state, const SolverStep *step, const SphMotion *now)
{
    const mote_SphSolver *params = sph_params(step->solver);
    const double fall = sqrt(2 * pressing_gravity(step) * now->height);
    const double share = params->shifting > 0 && params->clamp ? 0.5 : 0.8;
    const double stiff = fall > 0 ? share * (double)params->spacing / fall : HUGE_VAL;
    return fmin(stiff, flow_limit(state, step, now));
}

/* ---- memory ---- */

bool flow_take_scale(const SphStep *step, struct FlowScale *scale)
{
    scale->stiffness = sph_plane(step), scale->soft = sph_plane(step);
    return scale->stiffness != NULL && scale->soft != NULL;
}

static FlowInput make_input(const SphStep *step)
{
    FlowInput in = {.lists = step->lists,
                    .traits = step->traits,
                    .kernel = step->kernel,
                    .periodic = step->periodic,
                    .volume = step->mass / step->rest_density,
                    .spacing = step->params->spacing,
                    .dt2 = step->dt * step->dt};
    for (int c = 0; c < 3; ++c) in.period[c] = step->period[c];
    return in;
}

static bool take_planes(Flow *f)
{
    SphStep *step = f->step;
    Arena *arena = step->outer->arena;
    FlowInput *in = &f->in;
    bool room = true;
    for (int c = 0; c < 3; ++c) {
        in->wall[c] = sph_plane(step), in->uneven[c] = sph_plane(step);
        room = room && in->wall[c] != NULL && in->uneven[c] != NULL;
    }
    in->flow = arena_take(arena, (step->rows + 1) * sizeof *in->flow);
    in->moves = arena_take(arena, (step->rows + 1) * sizeof *in->moves);
    in->slopes = arena_take(arena, (step->lists->capacity + 1) * sizeof *in->slopes);
    in->push = step->wall_push = sph_plane(step);
    in->source = sph_plane(step), in->excess = sph_plane(step);
    f->sums = arena_take(arena, (step->rods.count + 1) * sizeof *f->sums);
    f->sum = sph_rod_plane(step);
    return room && flow_take_scale(step, &f->scales[0]) && in->flow != NULL && in->moves != NULL &&
           in->slopes != NULL && in->push != NULL && in->source != NULL && in->excess != NULL &&
           f->sums != NULL && f->sum != NULL;
}

bool flow_make(Flow *f, SphStep *step, mote_Error *error)
{
    const Isa isa = step->outer->isa;
    const FlowOperators *away = step->backend->operators;
    const FlowOperators *sums = away != NULL ? away : flow_sum_operators(isa);
    *f = (Flow){.step = step,
                .kernels = flow_kernels(isa),
                .operators = sums,
                .sum_operators = sums,
                .error = error,
                .in = make_input(step),
                .share = share_of_way(step),
                .closed = flow_is_closed(step),
                .warm = sph_from_rows(step, SPH_PRESSURE)};
    if (f->warm == NULL || !take_planes(f)) return false;
    f->in.stiffness = f->scales[0].stiffness, f->in.soft = f->scales[0].soft;
    return true;
}

Flow flow_make_there(SphStep *step, mote_Error *error)
{
    return (Flow){
        .step = step, .error = error, .in = make_input(step), .share = share_of_way(step)};
}

FlowPlaceLaw flow_place_law(const Flow *f)
{
    const SphStep *step = f->step;
    return (FlowPlaceLaw){.rest_density = step->rest_density,
                          .thinner = 1 / step->rest_density,
                          .inverse = 1 / step->dt,
                          .share = (mote_real)f->share,
                          .fills = step->params->clamp && !f->closed};
}

/* ---- before pressures ---- */

static void clear_pressure(SphStep *step, size_t begin, size_t end, int worker)
{
    (void)worker;
    memset(step->pressure + begin, 0, (end - begin) * sizeof *step->pressure);
}

/* Artificial viscosity acts on all pairs here: where nothing is compressed, those that approach
 * each other are as many as those that part. It stays along pairs, and so keeps angular momentum.
 */
PairTerms flow_friction(const SphStep *step)
{
    PairTerms terms = sph_terms(step, speed_expected(step->state, sph_gravity(step->outer)));
    terms.parting = true;
    return terms;
}

bool flow_rubs(const PairTerms *terms)
{
    return terms->laminar > 0 || terms->central > 0 || terms->artificial > 0 || terms->xsph > 0;
}

mote_Status flow_add_friction(SphStep *step, mote_Error *error)
{
    const PairTerms terms = flow_friction(step);
    sph_for_places(step, clear_pressure);
    return flow_rubs(&terms) ? sph_add_forces(step, &terms, error) : MOTE_OK;
}

/* What loops over pairs read of the rows. */
typedef struct PackWork {
    const Flow *flow;
    const mote_real *of;
    mote_real scale;
} PackWork;

static void pack_body(void *context, size_t begin, size_t end, int worker)
{
    const PackWork *work = context;
    const FlowInput *in = &work->flow->in;
    const SphStep *step = work->flow->step;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        mote_Vec3 wall = walls_gradient(&step->state->walls, i);
        in->wall[0][i] = wall.x, in->wall[1][i] = wall.y, in->wall[2][i] = wall.z;
        for (int c = 0; c < 3; ++c) in->flow[i].x[c] = step->flat && c == 2 ? 0 : step->x[c][i];
        in->flow[i].q = work->scale * work->of[i];
    }
}

void flow_pack(Flow *f, const mote_real *of, mote_real scale)
{
    PackWork work = {f, of, scale};
    mote_parallel_for(f->step->outer->tasks, f->step->rows, PLACES_PER_TASK, pack_body, &work);
}

static void last_push_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const SphStep *step = f->step;
    (void)worker;
    f->operators->prepare(&f->in, begin, end);
    f->operators->accelerate(&f->in, begin, end);
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) step->a[c][i] += f->in.moves[i].u[c];
}

static void unpush_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) f->step->a[c][i] -= f->in.moves[i].u[c];
}

/* Implicit friction is given the accelerations by the last pressures, too, which are taken out
 * again after it. Gravity alone, slowed at walls, would be a flow that no pressure takes back:
 * honey at rest would creep. Pressures of a sub-step that was much shorter, a sliver between two
 * births, are blows: as much of them counts as they did then. */
mote_Status flow_rub(Flow *f, mote_Error *error)
{
    const SphStep *step = f->step;
    if (!sph_friction_is_implicit(step)) return sph_rub(f->step, error);
    const double share = fmin(1, step->state->last / (double)step->dt);
    flow_pack(f, f->warm, (mote_real)share / step->rest_density);
    flow_ahead(f, FLOW_PREPARE);
    flow_ahead(f, FLOW_ACCELERATE);
    flow_ahead(f, FLOW_MOVES);
    flow_for_places(f, last_push_body);
    mote_Status status = f->status == MOTE_OK ? sph_rub(f->step, error) : f->status;
    flow_for_places(f, unpush_body);
    return status;
}

static void kick_body(void *context, size_t begin, size_t end, int worker)
{
    const SphStep *step = ((const Flow *)context)->step;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i)
            step->v[c][i] = step->flat && c == 2 ? 0 : step->v[c][i] + step->dt * step->a[c][i];
}

void flow_start(Flow *f, const mote_real *of, mote_real scale)
{
    flow_pack(f, of, scale);
    flow_for_places(f, kick_body);
}

void flow_set_moves(const Flow *f, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        MovePacket *move = &f->in.moves[i];
        move->along = 0;
        for (int c = 0; c < 3; ++c) {
            move->u[c] = f->step->v[c][i];
            move->along += move->u[c] * f->in.flow[i].x[c];
        }
    }
}

void flow_set_sources(const Flow *f, size_t begin, size_t end)
{
    const SphStep *step = f->step;
    f->operators->rate(&f->in, begin, end);
    for (size_t i = begin; i < end; ++i) {
        const mote_Vec3 v = vec3(step->v[0][i], step->v[1][i], step->v[2][i]);
        f->in.source[i] = step->dt * (f->in.source[i] + walls_approach(&step->state->walls, i, v));
    }
}

/* ---- liquids without a surface ---- */

/* They have few places that are thin, far fewer than a surface would have. They fill their room as
 * a whole, whatever pressures do, and these are known but for a constant: none is too low. Where
 * gravity pulls along an axis that ends there may be a surface, whose layers can be as dense as the
 * rest. The bound is sqrt(N / 8) places: a surface has about N^(2/3) of them in three dimensions
 * and N^(1/2) in two. */
bool flow_may_be_closed(const SphStep *step)
{
    const mote_Vec3 g = step->outer->gravity;
    return !step->surfaced && (g.x == 0 || step->period[0] > 0) &&
           (g.y == 0 || step->period[1] > 0) && (g.z == 0 || step->period[2] > 0);
}

mote_real flow_thin_density(const SphStep *step)
{
    return (mote_real)0.95 * step->rest_density;
}

bool flow_has_no_surface(const SphStep *step, uint64_t thin)
{
    return 8 * thin * thin <= step->particles;
}

bool flow_is_closed(const SphStep *step)
{
    if (!flow_may_be_closed(step)) return false;
    const mote_real surface = flow_thin_density(step);
    int64_t count = 0;
    for (size_t i = 0; i < step->rows; ++i)
        count += ghosts_own(step, i) && step->density[i] < surface;
    ghosts_add(step, &count, 1);
    return flow_has_no_surface(step, (uint64_t)count);
}

/* Numbers by place, `stride` apart. */
typedef struct FlowLevel {
    const Flow *flow;
    mote_real *first;
    size_t stride;
    mote_real mean;
} FlowLevel;

static void mean_body(void *context, size_t begin, size_t end, int worker)
{
    const FlowLevel *level = context;
    const Rods *rods = &level->flow->step->rods;
    (void)worker;
    for (size_t rod = begin; rod < end; ++rod) {
        double sum = 0;
        for (size_t i = rods->first[rod]; i < rods->first[rod + 1]; ++i)
            sum += (double)level->first[i * level->stride];
        level->flow->sum[rod] = sum;
    }
}

static void lower_body(void *context, size_t begin, size_t end, int worker)
{
    const FlowLevel *level = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i) level->first[i * level->stride] -= level->mean;
}

static void take_mean_off(const Flow *f, mote_real *first, size_t stride)
{
    const SphStep *step = f->step;
    FlowLevel level = {f, first, stride, 0};
    const double sum = sph_sum_rods(step, mean_body, &level, f->sum);
    level.mean = (mote_real)(sum / (double)step->particles);
    mote_parallel_for(step->outer->tasks, step->rows, PLACES_PER_TASK, lower_body, &level);
}

void flow_level_sources(Flow *f)
{
    take_mean_off(f, f->in.source, 1);
}

/* On particles that are not a lattice a mean acts: what moves their positions, taken out at other
 * places than where it was put in, would change the viscosity by dt times the mean. */
void flow_level_pressures(Flow *f)
{
    take_mean_off(f, &f->in.flow[0].q, sizeof(FlowPacket) / sizeof(mote_real));
}

void flow_level_excess(Flow *f)
{
    take_mean_off(f, f->in.excess, 1);
}

/* ---- what came of it ---- */

/* A mean residual of so many times the goal asks for a shorter sub-step, unless it is short already
 * beside the time in which particles move by 0.4 spacings. */
static const double far_off = 10, shortest_share = 0.1;

bool flow_accept(const Flow *f, bool done, double residual, double goal)
{
    SolverTally *tally = &f->step->outer->solver->tally;
    ++tally->solves;
    if (!done) ++tally->unsolved;
    if (!(residual >= 0)) return false;
    return done || f->share < shortest_share || residual <= far_off * goal;
}
