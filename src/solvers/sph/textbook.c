/* Pressure rows `textbook` and `mueller`: how liquids are taught, and how they were first done for
 * graphics, beside what is done now (wcsph.c).
 *
 *     textbook    F_i = -V_i sum_j V_j P_j grad W,  P = rho0 c^2 / 7 ((rho / rho0)^7 - 1)
 *                 F_i = nu m_i sum_j V_j (v_j - v_i) lap W
 *     mueller     F_i = -V_i sum_j V_j (P_i + P_j) / 2 grad W,  P = c^2 (rho - rho0)
 *                 F_i = mu V_i sum_j V_j (v_j - v_i) L,  L = 45 / (pi H^6) (H - r)
 *
 * with V = m / rho. Forces of the first are not equal and opposite, so liquids drift and turn by
 * themselves; and the spline's Laplacian is positive where particles are near, so that friction may
 * give energy. The second keeps momentum. Its mean of pressures is worth half of their gradient
 * where particles are even (the sum of grad W is nothing there), so that water at rest has twice
 * the pressure rho g h.
 *
 * A wall pushes with the particle's own pressure over half of its gradient: the gradient is made
 * for forces that count a pressure twice, P_i + P_j (boundary.c).
 *
 * References: Mueller, Charypar and Gross 2003; Monaghan 1992 (why pairs should be symmetric).
 *
 * `textbook` is P19 to P24 of GAMES103's notes (docs/course.md) with three errors mended: lap W of
 * P15 (space/smoothing.h), the sign of P23's viscosity, and its v_j in place of v_j - v_i. */
#include "solvers/sph/explicit.h"

#include <math.h>

ISA_KERNELS(textbook_kernels, TextbookKernels, textbook_table)

#define PLAIN_PARAMS(Params)                                                                       \
    EXPLICIT_PARAMS(Params),                                                                       \
        PARAM_BOOL(Params, laplacian,                                                              \
                   "friction by the Laplacian of a kernel, as textbooks have it; else by "         \
                   "`viscosity_model`",                                                            \
                   1)

static const mote_Param textbook_params[] = {PLAIN_PARAMS(mote_TextbookPressure)};
static const mote_Param mueller_params[] = {PLAIN_PARAMS(mote_MuellerPressure)};

/* The rows have the same parameters, each in a struct of its own name. */
_Static_assert(sizeof(mote_TextbookPressure) == sizeof(mote_MuellerPressure) &&
                   offsetof(mote_TextbookPressure, laplacian) ==
                       offsetof(mote_MuellerPressure, laplacian),
               "one is read as the other");

static const mote_TextbookPressure *params_of(const SphState *state)
{
    return state->pressure_params;
}

static ExplicitSound sound_of(const SphState *state)
{
    const mote_TextbookPressure *params = params_of(state);
    return (ExplicitSound){.given = (double)params->sound,
                           .mach = (double)params->mach,
                           .kept = ((const ExplicitOwn *)state->pressure_own)->sound};
}

/* Whether friction is the row's own, by a Laplacian. It is explicit. */
static bool has_own_friction(const SphState *state)
{
    const mote_LaminarViscosity *laminar = sph_laminar(state);
    return params_of(state)->laplacian && laminar != NULL &&
           laminar->implicit != MOTE_IMPLICIT_ALWAYS;
}

static double limit(const SphState *state, const SolverStep *step, const SphMotion *now)
{
    const ExplicitSound sound = sound_of(state);
    const double nu = has_own_friction(state) ? sph_viscosity(state) : 0;
    return fmin(explicit_limit(state, step, &sound, now->fastest), sph_friction_limit(state, nu));
}

/* ---- pressures ---- */

typedef struct State {
    const SphStep *step;
    Packet *packets;
    mote_real square; /* c^2 */
    mote_real least;
    bool linear; /* in the density */
} State;

static mote_real pressure_of(const State *state, mote_real density, mote_real rest)
{
    const mote_real s = density / rest, s3 = s * s * s;
    const mote_real over = state->linear ? s - 1 : (s3 * s3 * s - 1) / 7;
    const mote_real pressure = rest * state->square * over;
    return pressure > state->least ? pressure : state->least;
}

/* What is heavier is as much stiffer: c is the same in all liquids. */
static void press_body(void *context, size_t begin, size_t end, int worker)
{
    const State *state = context;
    const SphStep *step = state->step;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const mote_real pressure = pressure_of(state, step->density[i], step->rest_density);
        step->pressure[i] = pressure / sph_light(step, i);
        Packet *packet = &state->packets[i];
        for (int c = 0; c < 3; ++c) {
            packet->x[c] = step->flat && c == 2 ? 0 : step->x[c][i];
            packet->v[c] = step->flat && c == 2 ? 0 : step->v[c][i];
        }
        packet->push = step->pressure[i], packet->inverse = 1 / step->density[i];
    }
}

static void clear_pressure(SphStep *step, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t i = begin; i < end; ++i) step->pressure[i] = 0;
}

static mote_real wall_push(const SphStep *step, size_t i)
{
    return step->pressure[i] / (2 * step->density[i]);
}

/* ---- forces ---- */

typedef struct PairWork {
    TextbookInput input;
    const TextbookKernels *kernels;
    mote_real *largest; /* squared, by worker */
} PairWork;

static void pairs_body(void *context, size_t begin, size_t end, int worker)
{
    const PairWork *work = context;
    const mote_real largest = work->kernels->forces(&work->input, begin, end);
    if (largest > work->largest[worker]) work->largest[worker] = largest;
}

/* Friction of the model's, artificial viscosity and XSPH, as other rows have them. */
static mote_Status add_other_forces(SphStep *step, double sound, mote_Error *error)
{
    PairTerms terms = sph_terms(step, sound);
    if (has_own_friction(step->state)) terms.laminar = terms.central = 0;
    sph_for_places(step, clear_pressure);
    return sph_add_forces(step, &terms, error);
}

/* Of a shape (H - r) / H, whose second moment over a ball is 2 D: the Laplacian of x^2 is 2. */
static mote_real falling_scale(const SphStep *step)
{
    const double H = (double)step->kernel.support, pi = 3.14159265358979323846;
    return (mote_real)(step->flat ? 40 / (pi * H * H * H * H) : 45 / (pi * H * H * H * H * H));
}

static TextbookInput pairs_input(const SphStep *step, const State *state)
{
    const bool rubs = has_own_friction(step->state);
    TextbookInput input = {.packets = state->packets,
                           .traits = step->traits,
                           .lists = step->lists,
                           .kernel = step->kernel,
                           .periodic = step->periodic,
                           .dimension = step->flat ? 2 : 3,
                           .mass = step->mass,
                           .nu = step->traits != NULL ? (mote_real)rubs
                                 : rubs               ? step->params->viscosity
                                                      : 0,
                           .mean = state->linear};
    if (state->linear) {
        input.falling = falling_scale(step);
        input.rest_density = step->rest_density;
    }
    for (int c = 0; c < 3; ++c) input.a[c] = step->a[c], input.period[c] = step->period[c];
    return input;
}

static mote_Status add_pair_forces(SphStep *step, State *state, mote_Error *error)
{
    const size_t workers = (size_t)mote_tasks_workers(step->outer->tasks);
    PairWork work = {.kernels = textbook_kernels(step->outer->isa),
                     .largest = arena_take(step->outer->arena, workers * sizeof *work.largest)};
    state->packets = arena_take(step->outer->arena, (step->rows + 1) * sizeof *state->packets);
    if (work.largest == NULL || state->packets == NULL) return sph_no_memory(step, error);
    mote_parallel_for(step->outer->tasks, step->rows, 4096, press_body, state);
    work.input = pairs_input(step, state);
    for (size_t i = 0; i < workers; ++i) work.largest[i] = 0;
    mote_parallel_for(step->outer->tasks, step->rows, 512, pairs_body, &work);
    mote_real largest = 0;
    for (size_t i = 0; i < workers; ++i)
        if (work.largest[i] > largest) largest = work.largest[i];
    step->state->push = sqrt((double)largest);
    return MOTE_OK;
}

/* ---- the rows ---- */

static mote_Status solve(SphStep *step, bool linear, SolveResult *result, mote_Error *error)
{
    const ExplicitSound wish = sound_of(step->state);
    const double sound = explicit_sound(step->state, &wish, sph_gravity(step->outer));
    State state = {.step = step,
                   .square = (mote_real)(sound * sound),
                   .least = step->params->clamp ? 0 : -(mote_real)1e30,
                   .linear = linear};
    *result = SOLVE_ACCEPTED;
    ((ExplicitOwn *)step->state->pressure_own)->sound = explicit_next_sound(step, &wish);
    mote_Status status = add_other_forces(step, sound, error);
    if (status == MOTE_OK) status = add_pair_forces(step, &state, error);
    return status == MOTE_OK ? explicit_finish(step, wall_push, error) : status;
}

static mote_Status solve_textbook(SphStep *step, SolveResult *result, mote_Error *error)
{
    return solve(step, false, result, error);
}

static mote_Status solve_mueller(SphStep *step, SolveResult *result, mote_Error *error)
{
    return solve(step, true, result, error);
}

static void forecast_textbook(const void *params, const Outlook *o)
{
    (void)params;
    OUTLOOK_WARN(
        o,
        "systems.%s: forces of `textbook` are not equal and opposite, so its liquid drifts "
        "and turns by itself; it is there to be compared with: use `wcsph` or `dfsph`\n",
        o->name);
}

static void forecast_mueller(const void *params, const Outlook *o)
{
    (void)params;
    OUTLOOK_WARN(o,
                 "systems.%s: pressures of `mueller` are twice those of water, and it is as much "
                 "softer; it is there to be compared with: use `wcsph` or `dfsph`\n",
                 o->name);
}

const PressureRow pressure_textbook = {
    .head = ROW_HEAD("textbook",
                     "to compare: forces as they are taught, with the neighbours' pressures alone; "
                     "momentum is not kept",
                     textbook_params, mote_TextbookPressure),
    EXPLICIT_ROW,
    .limit = limit,
    .solve = solve_textbook,
    .compared = true,
    .planes = 32,
    .forecast = forecast_textbook,
};

const PressureRow pressure_mueller = {
    .head = ROW_HEAD("mueller",
                     "to compare: means of pressures, linear in the density (Mueller et al. 2003)",
                     mueller_params, mote_MuellerPressure),
    EXPLICIT_ROW,
    .limit = limit,
    .solve = solve_mueller,
    .conservative = true,
    .central = true,
    .compared = true,
    .planes = 32,
    .forecast = forecast_mueller,
};

ROW_DEFAULTS(pressure_textbook.head, mote_TextbookPressure, mote_textbook_pressure_def)

ROW_DEFAULTS(pressure_mueller.head, mote_MuellerPressure, mote_mueller_pressure_def)
