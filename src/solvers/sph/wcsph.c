/* Pressure row `wcsph`: weakly compressible, Tait's equation of state
 *
 *     P = rho0 c^2 / 7 ((rho / rho0)^7 - 1), not below 0,
 *
 * with a speed of sound of ten times the largest speed, so that densities stay within 1 %; advanced
 * by symplectic Euler. Densities are sums, or follow the continuity equation with diffusion.
 * References: Monaghan 1994; Becker and Teschner 2007; Molteni and Colagrossi 2009.
 *
 * It is P19 of the notes with k = rho0 c^2 / 7: then dP/drho is c^2 at rest, and k has a meaning.
 * Pressures below 0 would pull particles into clumps where the surface leaves the sum without
 * neighbours. */
#include "solvers/sph/explicit.h"
#include "solvers/sph/ghosts.h"

#include "base/loop.h"

#include <math.h>
#include <stdio.h>

static const char *const densities[] = {"sum", "continuity", NULL};

static const mote_Param params_table[] = {
    EXPLICIT_PARAMS(mote_WcsphPressure),
    PARAM_CHOICE(mote_WcsphPressure, density,
                 "densities of wcsph: sums, or the continuity equation", densities, 0),
    PARAM_REAL(mote_WcsphPressure, diffusion, "", "of density, with the continuity equation", 0.1,
               0, 1),
    PARAM_REAL(mote_WcsphPressure, impact, "",
               "Monaghan's beta: viscosity of what clashes, at walls too, against its ringing", 0,
               0, 100),
    PARAM_REAL(mote_WcsphPressure, background, "Pa",
               "pressure that spreads particles of wcsph evenly, for boxes without free surface", 0,
               0, PARAM_LARGEST),
};

static const mote_WcsphPressure *params_of(const SphState *state)
{
    return state->pressure_params;
}

static ExplicitSound sound_of(const SphState *state)
{
    const mote_WcsphPressure *params = params_of(state);
    return (ExplicitSound){.given = (double)params->sound,
                           .mach = (double)params->mach,
                           .kept = ((const ExplicitOwn *)state->pressure_own)->sound};
}

/* Sound over a lattice is stable up to 0.66 (Wendland's C6) to 0.96 (cubic spline) of the support
 * in a sub-step, without friction. What is squeezed is stiffer: Tait's speed of sound goes with the
 * third power of the density, and slopes of pairs that are crowded with about the first. */
static const double supports_of_sound = 0.4;

static double limit(const SphState *state, const SolverStep *step, const SphMotion *now)
{
    const ExplicitSound wish = sound_of(state);
    const double artificial = (double)sph_params(step->solver)->artificial;
    const double dense = 1 + state->squeeze, stiff = dense * dense * dense * dense;
    double sound = (stiff + artificial / 2) * explicit_sound(state, &wish, sph_gravity(step));
    double clash = (1 + (double)params_of(state)->impact) * now->fastest;
    double own = supports_of_sound * (double)state->kernel.support / (sound + clash);
    return fmin(own, sph_common_limit(state));
}

static void press(SphStep *step, size_t begin, size_t end, int worker)
{
    const Tait tait = *(const Tait *)step->own;
    (void)worker;
    mote_real *density = step->density + begin, *pressure = step->pressure + begin;
    FOR_ROWS (i, end - begin) pressure[i] = tait_pressure(&tait, density[i]);
}

/* c is the same in all liquids, so what is heavier by s is as much stiffer. */
static void weigh_pressure(SphStep *step, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t i = begin; i < end; ++i) step->pressure[i] /= sph_light(step, i);
}

/* Densities as if all were the host's liquid. */
static void lighten_density(SphStep *step, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t i = begin; i < end; ++i) step->density[i] *= sph_light(step, i);
}

/* Densities by the continuity equation are those of the rows, not of sums. */
static bool use_own_density(SphStep *step)
{
    step->density = sph_from_rows(step, SPH_DENSITY);
    if (step->density == NULL) return false;
    if (step->traits != NULL) sph_for_places(step, lighten_density);
    return true;
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

/* The same of all walls together. */
static mote_real closing_at(const SphStep *step, size_t i)
{
    const Walls *walls = &step->state->walls;
    mote_real closing = 0;
    FOR_WALL_SHARES (s, walls, i) closing += closing_on(step, i, s);
    return closing;
}

static mote_real push_of(const SphStep *step, size_t i, mote_real pressure)
{
    return push_of_pressure(step->rest_density, step->density[i], pressure);
}

static mote_real still_push(const SphStep *step, size_t i)
{
    return push_of(step, i, step->pressure[i]);
}

static PushLaw push_law(const SphStep *step)
{
    return (PushLaw){step->dt, step->rest_density, params_of(step->state)->impact};
}

static mote_real wall_push(const SphStep *step, size_t i)
{
    const PushLaw law = push_law(step);
    const mote_real density = step->density[i], light = sph_light(step, i);
    const mote_Vec3 gradient = walls_gradient(&step->state->walls, i);
    const mote_Vec3 a = vec3(step->a[0][i], step->a[1][i], step->a[2][i]);
    const WallMeeting meeting = {closing_at(step, i), vec3_dot(a, gradient),
                                 vec3_dot(gradient, gradient)};
    const mote_real pressure = step->pressure[i] + wall_blow(&law, density, light, &meeting);
    return wall_bounded(&law, density, light, &meeting, push_of(step, i, pressure));
}

static void start_pass(SphStep *step, size_t begin, size_t end, int worker)
{
    const mote_real pressure = *(const mote_real *)step->own;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) step->a[c][i] = 0;
    for (size_t i = begin; i < end; ++i) step->pressure[i] = pressure;
}

/* A pass over the pairs beside the main one: a pressure that is the same everywhere, and terms;
 * accelerations go to planes of their own. */
static mote_Status pass_beside(const SphStep *step, mote_real pressure, const PairTerms *terms,
                               mote_real *const a[3], mote_Error *error)
{
    SphStep inner = *step;
    const double push = step->state->push;
    inner.pressure = sph_plane(step);
    mote_Status status =
        sph_agree(step, inner.pressure != NULL ? MOTE_OK : sph_no_memory(step, error), error);
    if (status != MOTE_OK) return status;
    for (int c = 0; c < 3; ++c) inner.a[c] = a[c];
    inner.own = &pressure;
    sph_for_places(&inner, start_pass);
    status = sph_add_forces(&inner, terms, error);
    if (status == MOTE_OK && pressure > 0) status = sph_push_walls(&inner, still_push, error);
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
    mote_Status status = sph_agree(step, take_planes(step, a, error), error);
    const PairTerms none = {.sound = 0};
    const mote_real background = params_of(step->state)->background;
    if (status == MOTE_OK) status = pass_beside(step, background, &none, a, error);
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
    for (size_t i = begin; i < end; ++i)
        FOR_WALL_SHARES (s, walls, i) step->rate[i] += step->rest_density * closing_on(step, i, s);
}

/* Densities first, by the velocities there are, and then velocities by the new densities: one after
 * the other, or sound waves would grow.
 *     d rho_i / dt = sum_j m v_ij . grad W_ij + diffusion
 * the continuity equation, which keeps a surface's density where sums lose it, and drifts where
 * sums do not. */
static mote_Status follow_density(SphStep *step, double sound, mote_Error *error)
{
    mote_real *a[3];
    mote_Status status = take_planes(step, a, error);
    step->rate = sph_plane(step);
    if (status == MOTE_OK && (step->rate == NULL || !use_own_density(step)))
        status = sph_no_memory(step, error);
    status = sph_agree(step, status, error);
    if (status != MOTE_OK) return status;
    ghosts_share(step, &step->density, 1);
    const PairTerms terms = {
        .sound = sound, .diffusion = params_of(step->state)->diffusion, .rate = step->rate};
    status = pass_beside(step, 0, &terms, a, error);
    if (status != MOTE_OK) return status;
    sph_for_places(step, add_wall_rates);
    sph_for_places(step, advance_density);
    ghosts_share(step, &step->density, 1);
    return MOTE_OK;
}

static double sound_now(const SphStep *step)
{
    const ExplicitSound wish = sound_of(step->state);
    return explicit_sound(step->state, &wish, sph_gravity(step->outer));
}

static void law(const SphStep *step, ExplicitLaw *law)
{
    const double sound = sound_now(step), rho0 = (double)step->rest_density;
    *law = (ExplicitLaw){.tait = {.stiffness = (mote_real)(rho0 * sound * sound / 7),
                                  .inverse = (mote_real)(1 / rho0),
                                  .least = step->params->clamp ? 0 : -(mote_real)1e30},
                         .push = push_law(step),
                         .terms = sph_terms(step, sound)};
    law->terms.impact = params_of(step->state)->impact;
}

static void keep(SphStep *step)
{
    const ExplicitSound wish = sound_of(step->state);
    ((ExplicitOwn *)step->state->pressure_own)->sound = explicit_next_sound(step, &wish);
}

/* The continuity equation and background pressures have passes of their own. */
static bool stays(const SphState *state)
{
    const mote_WcsphPressure *params = params_of(state);
    return params->density == MOTE_DENSITY_SUM && !(params->background > 0);
}

static mote_Status solve(SphStep *step, SolveResult *result, mote_Error *error)
{
    const mote_WcsphPressure *params = params_of(step->state);
    const bool continuity = params->density == MOTE_DENSITY_CONTINUITY;
    ExplicitLaw now;
    law(step, &now);
    *result = SOLVE_ACCEPTED;
    mote_Status status = continuity ? follow_density(step, sound_now(step), error) : MOTE_OK;
    if (status != MOTE_OK) return status;
    step->own = &now.tait;
    sph_for_places(step, press);
    if (step->traits != NULL) sph_for_places(step, weigh_pressure);
    step->own = NULL; /* it was of this function */
    keep(step);
    status = sph_add_forces(step, &now.terms, error);
    if (status == MOTE_OK && params->background > 0) status = spread(step, error);
    if (status != MOTE_OK) return status;
    return explicit_finish(step, wall_push, error);
}

/* ---- the row ---- */

/* Too slow a sound lets what falls on the liquid squeeze it, by about (v / c)^2. */
static void forecast(const void *raw, const Outlook *o)
{
    const mote_WcsphPressure *p = raw;
    const double sound = (double)p->sound, mach = (double)p->mach;
    for (size_t i = 0; i < o->start_count; ++i) {
        const double speed = o->starts[i].likely;
        if (!o->starts[i].laid) continue;
        if (sound > 0 && sound < 9.99 * speed)
            OUTLOOK_WARN(o,
                         "systems.%s: a speed of sound of %g m/s is less than ten times the speed "
                         "that its liquid may reach, %.2g m/s, so it would be squeezed by about "
                         "%.0f %%; set solver.sound to %.2g, or 0 to have it chosen\n",
                         o->name, sound, speed, 100 * speed * speed / (sound * sound), 10 * speed);
        if (sound == 0 && mach < 7)
            OUTLOOK_WARN(o,
                         "systems.%s: with solver.mach = %g the liquid is squeezed by up to %.0f "
                         "%%; 10 is usual\n",
                         o->name, mach, 100 / (mach * mach));
    }
}

const PressureRow pressure_wcsph = {
    .head = ROW_HEAD("wcsph",
                     "weakly compressible: Tait's equation of state, short explicit steps "
                     "(Monaghan 1994)",
                     params_table, mote_WcsphPressure),
    EXPLICIT_ROW,
    .limit = limit,
    .solve = solve,
    .on_device = true,
    .stays = stays,
    .law = law,
    .keep = keep,
    .spreads = true,
    .conservative = true,
    .central = true,
    .planes = 24,
    .forecast = forecast,
};

ROW_DEFAULTS(pressure_wcsph.head, mote_WcsphPressure, mote_wcsph_pressure_def)
