/* Pressure row `wcsph`: weakly compressible, Tait's equation of state
 *
 *     P = rho0 c^2 / 7 ((rho / rho0)^7 - 1), not below 0,
 *
 * with a speed of sound of ten times the largest speed, so that densities stay within 1 %; advanced
 * by symplectic Euler. Densities are sums, or follow the continuity equation with diffusion.
 * References: Monaghan 1994; Becker and Teschner 2007; Molteni and Colagrossi 2009. */
#include "solvers/sph/boundary.h"

#include "base/loop.h"
#include "base/math.h"

#include <math.h>

static const double slowest = 1e-6; /* m/s, so that a liquid at rest has a speed of sound */

static double sound_wanted(const SphState *state, const mote_SphSolver *params, double gravity)
{
    double fall = sqrt(2 * gravity * state->drop), speed = state->fastest;
    if (params->sound > 0) return (double)params->sound;
    if (fall > speed) speed = fall;
    return (double)params->mach * (speed > slowest ? speed : slowest);
}

/* A liquid that is made stiffer while it is compressed gets energy from nowhere: springs in a
 * collision would throw out more than came in. So sound follows what is wanted over twenty times
 * that it takes through the liquid; but it is never below a third of it. */
static double sound_speed(const SphState *state, const mote_SphSolver *params, double gravity)
{
    double wanted = sound_wanted(state, params, gravity);
    if (params->sound > 0 || !(state->sound > 0)) return wanted;
    return state->sound > wanted / 3 ? state->sound : wanted / 3;
}

static void stiffen(SphStep *step, double sound)
{
    double wanted = sound_wanted(step->state, step->params, sph_gravity(step->outer));
    double across = math_pow((double)step->rows, step->flat ? 1.0 / 2 : 1.0 / 3);
    double time = 20 * across * (double)step->params->spacing / wanted;
    double share = (double)step->dt / time;
    step->state->sound = sound + (share < 1 ? share : 1) * (wanted - sound);
}

static double limit(const SphState *state, const SolverStep *step, double fastest)
{
    const mote_SphSolver *params = sph_params(step->solver);
    double sound = sound_speed(state, params, sph_gravity(step));
    double clash = (1 + (double)params->impact) * fastest;
    double own = 0.25 * (double)state->kernel.support / (sound + clash);
    double common = sph_common_limit(state, params);
    return own < common ? own : common;
}

typedef struct Tait {
    mote_real stiffness; /* rho0 c^2 / 7 */
    mote_real inverse;   /* 1 / rho0 */
    mote_real least;     /* no pressure is below it */
} Tait;

static void press(SphStep *step, size_t begin, size_t end, int worker)
{
    const Tait *tait = step->own;
    (void)worker;
    mote_real *density = step->density, *pressure = step->pressure;
    const mote_real stiffness = tait->stiffness, inverse = tait->inverse, least = tait->least;
    FOR_ROWS (k, end - begin) {
        size_t i = begin + k;
        mote_real s = density[i] * inverse, s2 = s * s, s4 = s2 * s2;
        mote_real p = stiffness * (s4 * s2 * s - 1);
        pressure[i] = p > least ? p : least;
    }
}

static void kick(SphStep *step, size_t begin, size_t end, int worker)
{
    const mote_real dt = step->dt;
    (void)worker;
    for (int c = 0; c < 3; ++c) {
        mote_real *v = step->v[c] + begin;
        const mote_real *a = step->a[c] + begin;
        FOR_ROWS (i, end - begin) v[i] += dt * a[i];
    }
}

/* Densities by the continuity equation are those of the rows, not of sums. */
static void use_own_density(SphStep *step, size_t begin, size_t end, int worker)
{
    const mote_real *kept = column_real(&step->system->columns[step->state->density_column], 0);
    (void)worker;
    for (size_t i = begin; i < end; ++i) step->density[i] = kept[step->cells.order[i]];
}

/* A liquid that is stretched further is torn: spray that flies apart would have a density of 0 in
 * the end, and what then comes near it no bound. Where pressures below 0 count, it may stretch
 * more. */
static mote_real least_density(const SphStep *step)
{
    return (step->params->clamp ? (mote_real)0.9 : (mote_real)0.5) * step->rest_density;
}

static void advance_density(SphStep *step, size_t begin, size_t end, int worker)
{
    const mote_real least = least_density(step);
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        mote_real density = step->density[i] + step->dt * step->rate[i];
        step->density[i] = density < least ? least : density;
    }
}

/* How fast a wall's share of the density at a place grows, over the density. */
static mote_real closing_on(const SphStep *step, size_t i, const WallShare *share)
{
    const mote_Vec3 v = vec3(step->v[0][i], step->v[1][i], step->v[2][i]);
    return vec3_dot(vec3_sub(v, share->velocity), share->gradient);
}

/* The same of all walls over its gradient: the speed of an approach, not below 0. */
static mote_real approach(const SphStep *step, size_t i)
{
    const Walls *walls = &step->state->walls;
    const mote_Vec3 gradient = walls_gradient(walls, i);
    mote_real closing = 0;
    for (const WallShare *s = walls_first(walls, i); s < walls_end(walls, i); ++s)
        closing += closing_on(step, i, s);
    mote_real square = vec3_dot(gradient, gradient);
    return closing > 0 && square > 0 ? closing / (mote_real)sqrt((double)square) : 0;
}

/* Walls are mirrors to what hits them: an image comes with 2 u, and each of a pair has half of
 * the pressure rho beta mu^2. */
static mote_real wall_push(const SphStep *step, size_t i)
{
    mote_real rho = step->density[i], pressure = step->pressure[i];
    if (step->params->impact > 0) {
        mote_real u = approach(step, i);
        pressure += 2 * step->params->impact * rho * u * u;
    }
    return step->rest_density * pressure / (rho * rho);
}

static void start_pass(SphStep *step, size_t begin, size_t end, int worker)
{
    const mote_real pressure = *(const mote_real *)step->own;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) step->a[c][i] = 0;
    for (size_t i = begin; i < end; ++i) step->pressure[i] = pressure;
}

/* A pass over the pairs beside the main one: a pressure that is the same everywhere, no friction;
 * accelerations go to planes of their own, rates of density to `rate` unless it is NULL. */
static mote_Status pass_beside(const SphStep *step, mote_real pressure, double sound,
                               mote_real *rate, mote_real *const a[3], mote_Error *error)
{
    mote_SphSolver quiet = *step->params;
    SphStep inner = *step;
    double push = step->state->push;
    quiet.viscosity = quiet.artificial = quiet.xsph = quiet.impact = 0;
    inner.params = &quiet;
    inner.pressure = sph_plane(step);
    if (inner.pressure == NULL) return sph_no_memory(step, error);
    for (int c = 0; c < 3; ++c) inner.a[c] = a[c];
    inner.own = &pressure;
    sph_for_places(&inner, start_pass);
    mote_Status status = sph_add_forces(&inner, sound, rate, error);
    if (status == MOTE_OK && pressure > 0) status = sph_push_walls(&inner, wall_push, error);
    step->state->push = push;
    return status;
}

static mote_Status take_planes(const SphStep *step, mote_real *a[3], mote_Error *error)
{
    for (int c = 0; c < 3; ++c) {
        a[c] = sph_plane(step);
        if (a[c] == NULL) return sph_no_memory(step, error);
    }
    return MOTE_OK;
}

/* The transport velocity of Adami, Hu and Adams 2013: a pressure that is the same everywhere pushes
 * particles from where they are dense to where they are not. It moves places, not velocities. */
static mote_Status spread(SphStep *step, mote_Error *error)
{
    mote_real *a[3];
    mote_Status status = take_planes(step, a, error);
    if (status == MOTE_OK) status = pass_beside(step, step->params->background, 0, NULL, a, error);
    for (int c = 0; c < 3 && status == MOTE_OK; ++c) {
        const mote_real *before = step->move[c];
        for (size_t i = 0; i < step->rows; ++i)
            a[c][i] = step->dt * a[c][i] + (before != NULL ? before[i] : 0);
        step->move[c] = a[c];
    }
    return status;
}

/* What a liquid that nears a wall has less room by. */
static void add_wall_rates(SphStep *step, size_t begin, size_t end, int worker)
{
    const Walls *walls = &step->state->walls;
    (void)worker;
    for (size_t i = begin; i < end && i < walls->rows; ++i)
        for (const WallShare *s = walls_first(walls, i); s < walls_end(walls, i); ++s)
            step->rate[i] += step->rest_density * closing_on(step, i, s);
}

/* Densities first, by the velocities there are, and then velocities by the new densities: one after
 * the other, or sound waves would grow. */
static mote_Status follow_density(SphStep *step, double sound, mote_Error *error)
{
    mote_real *a[3];
    mote_Status status = take_planes(step, a, error);
    step->rate = sph_plane(step);
    if (status == MOTE_OK && step->rate == NULL) status = sph_no_memory(step, error);
    if (status != MOTE_OK) return status;
    sph_for_places(step, use_own_density);
    status = pass_beside(step, 0, sound, step->rate, a, error);
    if (status != MOTE_OK) return status;
    sph_for_places(step, add_wall_rates);
    sph_for_places(step, advance_density);
    return MOTE_OK;
}

static mote_Status solve(SphStep *step, SolveResult *result, mote_Error *error)
{
    double sound = sound_speed(step->state, step->params, sph_gravity(step->outer));
    double rho0 = (double)step->rest_density;
    Tait tait = {.stiffness = (mote_real)(rho0 * sound * sound / 7),
                 .inverse = (mote_real)(1 / rho0),
                 .least = step->params->clamp ? 0 : -(mote_real)1e30};
    bool continuity = step->params->density == MOTE_DENSITY_CONTINUITY;
    *result = SOLVE_ACCEPTED;
    mote_Status status = continuity ? follow_density(step, sound, error) : MOTE_OK;
    if (status != MOTE_OK) return status;
    step->own = &tait;
    sph_for_places(step, press);
    step->own = NULL; /* it was of this function */
    stiffen(step, sound);
    status = sph_add_forces(step, sound, NULL, error);
    if (status == MOTE_OK && step->params->background > 0) status = spread(step, error);
    return status == MOTE_OK ? sph_press_walls(step, wall_push, kick, error) : status;
}

const PressureRow pressure_wcsph = {
    .head = {.name = "wcsph",
             .doc = "weakly compressible: Tait's equation of state, short explicit steps (Monaghan "
                    "1994)"},
    .limit = limit,
    .solve = solve,
    .conservative = true,
    .central = true,
};
