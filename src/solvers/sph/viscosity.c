/* Friction within a liquid: the models, and their implicit form for liquids as thick as honey.
 *
 * Explicit friction is stable for sub-steps of h^2 / (8 nu) alone. Beyond that, velocities at the
 * end of the sub-step are looked for (Weiler et al. 2018):
 *
 *     (1 - dt L) v = v*,   L v_i = sum_j m nu_ij (v_j - v_i) - nu_w sum_w drag_w (v_i - w)
 *
 * with the pair terms of kernels/forces.c, which are symmetric, so that conjugate gradients do it.
 * v* has all other accelerations. They are taken without a preconditioner: L of a rigid motion is 0
 * for terms along pairs, so every residual is free of momentum and angular momentum, drop by drop,
 * and what comes out has that of v* to rounding, however early the iterations end. (Blocks of
 * Jacobi's would save some iterations, and give that away.) */
#include "solvers/sph/boundary.h"
#include "solvers/sph/kernels.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

/* ---- the models ---- */

static const char *const implicits[] = {"auto", "always", "never", NULL};

static const mote_Param laminar_table[] = {
    PARAM_CHOICE(mote_LaminarViscosity, implicit,
                 "velocities at the end of a sub-step: auto, where friction would make sub-steps "
                 "shorter than all else does",
                 implicits, 0),
    PARAM_REAL(mote_LaminarViscosity, viscosity_error, "",
               "what implicit friction leaves, as a share of the mean speed", 1e-3, 1e-7, 1),
    PARAM_COUNT(mote_LaminarViscosity, viscosity_iterations, "of implicit friction, at most", 1000,
                1, 100000),
};

static void add_morris(double nu, int dimension, PairTerms *terms)
{
    (void)dimension;
    terms->laminar = (mote_real)nu;
}

static void add_monaghan(double nu, int dimension, PairTerms *terms)
{
    terms->central = (mote_real)(dimension + 2) * (mote_real)nu;
}

/* Explicit friction allows sub-steps of h^2 / (8 nu), h being half of the kernel's support. */
static void forecast_steps(const mote_SphSolver *p, const void *params, const Outlook *o)
{
    enum { MOST_STEPS = 1000 }; /* a frame */
    const mote_LaminarViscosity *laminar = params;
    if (laminar->implicit != MOTE_IMPLICIT_NEVER || !(p->viscosity > 0)) return;
    double h = (double)(p->support * p->spacing) / 2;
    double step = h * h / (8 * (double)p->viscosity), steps = o->frame / step;
    if (steps > MOST_STEPS)
        OUTLOOK_WARN(o,
                     "systems.%s: a viscosity of %g m^2/s at this spacing needs sub-steps of %.2g "
                     "s, %.2g a frame; leave solver.implicit at \"auto\", or use %.2g m^2/s or "
                     "less, or a larger spacing\n",
                     o->name, (double)p->viscosity, step, steps,
                     (double)p->viscosity * MOST_STEPS / steps);
}

/* Along pairs a lattice has few directions: shear along its axes and along its diagonals feels 0.70
 * and 1.45 of the viscosity at 2 spacings, 0.87 and 1.19 at 2.4, 0.96 and 1.06 at 3. */
static void forecast_central(const mote_SphSolver *p, const void *params, const Outlook *o)
{
    forecast_steps(p, params, o);
    if (p->viscosity > 0 && (double)p->support < 2.99)
        OUTLOOK_WARN(
            o,
            "systems.%s: with a support of %g spacings the viscosity of `monaghan` depends "
            "on the direction, by up to %.0f %%; use solver.support: 3, or `morris`\n",
            o->name, (double)p->support, (double)p->support < 2.4 ? 45.0 : 20.0);
}

static const ViscosityRow viscosity_morris = {
    .head = ROW_HEAD("morris", "laminar friction with SI viscosity (Morris 1997)", laminar_table,
                     mote_LaminarViscosity),
    .add_terms = add_morris,
    .forecast = forecast_steps};
static const ViscosityRow viscosity_monaghan = {
    .head = ROW_HEAD("monaghan",
                     "laminar friction along the line of each pair: SI viscosity, angular momentum "
                     "kept, and the stress at free surfaces right (Monaghan and Gingold 1983)",
                     laminar_table, mote_LaminarViscosity),
    .add_terms = add_monaghan,
    .forecast = forecast_central};
static const ViscosityRow viscosity_none = {
    .head = {.name = "none", .doc = "no friction but the artificial viscosity"}};

const mote_Row *const *viscosity_rows(Isa isa, size_t *count)
{
    static const mote_Row *const rows[] = {&viscosity_morris.head, &viscosity_monaghan.head,
                                           &viscosity_none.head};
    (void)isa;
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

mote_LaminarViscosity mote_laminar_viscosity_def(void)
{
    mote_LaminarViscosity def;
    mote_row_defaults(&viscosity_morris.head, &def);
    return def;
}

mote_real sph_viscosity(const SphState *state, const mote_SphSolver *params)
{
    return state->viscosity->add_terms != NULL ? params->viscosity : 0;
}

static const mote_LaminarViscosity *laminar_of(const SphState *state)
{
    return state->viscosity->add_terms != NULL ? state->viscosity_params : NULL;
}

double sph_friction_limit(const SphState *state, double nu)
{
    const double h = (double)state->kernel.support / 2;
    return nu > 0 ? 0.125 * h * h / nu : HUGE_VAL;
}

double sph_explicit_viscosity(const SphState *state, const mote_SphSolver *params)
{
    const mote_LaminarViscosity *laminar = laminar_of(state);
    const bool never = laminar != NULL && laminar->implicit == MOTE_IMPLICIT_NEVER;
    return never ? (double)params->viscosity : 0;
}

/* By the sub-step's length alone, so that it needs no memory of how it was chosen. */
bool sph_friction_is_implicit(const SphStep *step)
{
    const mote_LaminarViscosity *laminar = laminar_of(step->state);
    const double nu = (double)sph_viscosity(step->state, step->params);
    if (laminar == NULL || !(nu > 0) || laminar->implicit == MOTE_IMPLICIT_NEVER) return false;
    const double most = (double)step->params->cfl * sph_friction_limit(step->state, nu);
    return laminar->implicit == MOTE_IMPLICIT_ALWAYS || (double)step->dt > 1.0001 * most;
}

PairTerms sph_terms(const SphStep *step, double sound)
{
    const mote_SphSolver *params = step->params;
    PairTerms terms = {.sound = sound, .artificial = params->artificial, .xsph = params->xsph};
    const ViscosityRow *row = step->state->viscosity;
    if (row->add_terms != NULL && !sph_friction_is_implicit(step))
        row->add_terms((double)params->viscosity, step->flat ? 2 : 3, &terms);
    return terms;
}

/* ---- conjugate gradients ---- */

enum { PLACES_PER_TASK = 512 };

/* Planes by place: velocities u, residual r, way p, and A p, or before that L u. */
typedef struct Friction {
    SphStep *step;
    ForceInput input;
    const SphKernels *kernels;
    Packet *packets;
    mote_real *u[3], *r[3], *p[3], *ap[3];
    mote_real *const *of;     /* what L is taken of */
    mote_real *walls;         /* nu_w drag dt, of all walls together */
    mote_real nu_walls;       /* m^2/s */
    mote_real along, forward; /* alpha and beta of this iteration */
    double *sums;             /* by task */
    size_t tasks;
} Friction;

static bool take_planes(Friction *f)
{
    bool room = true;
    for (int c = 0; c < 3; ++c) {
        f->u[c] = sph_plane(f->step), f->r[c] = sph_plane(f->step);
        f->p[c] = sph_plane(f->step), f->ap[c] = sph_plane(f->step);
        room = room && f->u[c] != NULL && f->r[c] != NULL && f->p[c] != NULL && f->ap[c] != NULL;
    }
    Arena *arena = f->step->outer->arena;
    f->walls = sph_plane(f->step);
    f->packets = arena_take(arena, (f->step->rows + 1) * sizeof *f->packets);
    f->sums = arena_take(arena, f->tasks * sizeof *f->sums);
    return room && f->walls != NULL && f->packets != NULL && f->sums != NULL;
}

static void for_places(Friction *f, mote_TaskBody *body)
{
    mote_parallel_for(f->step->outer->tasks, f->step->rows, PLACES_PER_TASK, body, f);
}

static double sum_of(const Friction *f)
{
    double sum = 0;
    for (size_t t = 0; t < f->tasks; ++t) sum += f->sums[t];
    return sum;
}

/* v* into u and the packets, and the sum of its squares; drag of walls. */
static void start_body(void *context, size_t begin, size_t end, int worker)
{
    Friction *f = context;
    const SphStep *step = f->step;
    const Walls *walls = &step->state->walls;
    double sum = 0;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        Packet *packet = &f->packets[i];
        *packet = (Packet){.inverse = 1 / step->density[i]};
        for (int c = 0; c < 3; ++c) {
            const bool used = !(step->flat && c == 2);
            packet->x[c] = used ? step->x[c][i] : 0;
            f->u[c][i] = used ? step->v[c][i] + step->dt * step->a[c][i] : 0;
            sum += (double)f->u[c][i] * (double)f->u[c][i];
        }
        f->walls[i] = walls_drag(walls, i) * f->nu_walls * step->dt;
    }
    f->sums[begin / PLACES_PER_TASK] = sum;
}

static void pack_body(void *context, size_t begin, size_t end, int worker)
{
    const Friction *f = context;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        for (int c = 0; c < 3; ++c) f->packets[i].v[c] = f->of[c][i], f->ap[c][i] = 0;
}

static void pairs_body(void *context, size_t begin, size_t end, int worker)
{
    const Friction *f = context;
    (void)worker;
    f->kernels->forces(&f->input, begin, end);
}

/* L of these planes without walls, into ap. */
static void apply(Friction *f, mote_real *const of[3])
{
    f->of = of;
    for_places(f, pack_body);
    for_places(f, pairs_body);
}

/* v* - A v* = dt (L v* + walls): the first residual and way. */
static void first_body(void *context, size_t begin, size_t end, int worker)
{
    const Friction *f = context;
    const SphStep *step = f->step;
    double sum = 0;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        const mote_Vec3 pull = walls_pull(&step->state->walls, i);
        const mote_real by_walls[3] = {pull.x, pull.y, step->flat ? 0 : pull.z};
        for (int c = 0; c < 3; ++c) {
            const mote_real wall = step->dt * f->nu_walls * by_walls[c] - f->walls[i] * f->u[c][i];
            f->p[c][i] = f->r[c][i] = step->dt * f->ap[c][i] + wall;
            sum += (double)f->r[c][i] * (double)f->r[c][i];
        }
    }
    f->sums[begin / PLACES_PER_TASK] = sum;
}

/* A p = p - dt L p, and p.A p. */
static void answer_body(void *context, size_t begin, size_t end, int worker)
{
    const Friction *f = context;
    double sum = 0;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) {
            const mote_real p = f->p[c][i];
            f->ap[c][i] = p + f->walls[i] * p - f->step->dt * f->ap[c][i];
            sum += (double)p * (double)f->ap[c][i];
        }
    f->sums[begin / PLACES_PER_TASK] = sum;
}

static void advance_body(void *context, size_t begin, size_t end, int worker)
{
    const Friction *f = context;
    double sum = 0;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) {
            f->u[c][i] += f->along * f->p[c][i];
            const mote_real r = f->r[c][i] -= f->along * f->ap[c][i];
            sum += (double)r * (double)r;
        }
    f->sums[begin / PLACES_PER_TASK] = sum;
}

static void turn_body(void *context, size_t begin, size_t end, int worker)
{
    const Friction *f = context;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i) f->p[c][i] = f->r[c][i] + f->forward * f->p[c][i];
}

/* One iteration, from |r|^2 to the next. */
static double iterate(Friction *f, double before)
{
    apply(f, f->p);
    for_places(f, answer_body);
    f->along = (mote_real)(before / sum_of(f));
    for_places(f, advance_body);
    const double after = sum_of(f);
    f->forward = (mote_real)(after / before);
    for_places(f, turn_body);
    return after;
}

/* Velocities with friction, into u. */
static void find_velocities(Friction *f)
{
    const mote_LaminarViscosity *laminar = laminar_of(f->step->state);
    SolverTally *tally = &f->step->outer->solver->tally;
    const double error = (double)laminar->viscosity_error;
    for_places(f, start_body);
    const double goal = error * error * sum_of(f);
    apply(f, f->u);
    for_places(f, first_body);
    double left = sum_of(f);
    uint64_t used = 0;
    for (; left > goal && used < laminar->viscosity_iterations; ++used) left = iterate(f, left);
    tally->iterations += used, ++tally->solves;
    if (!(left <= goal)) ++tally->unsolved;
}

static void finish_body(void *context, size_t begin, size_t end, int worker)
{
    const Friction *f = context;
    const SphStep *step = f->step;
    (void)worker;
    for (int c = 0; c < 3; ++c)
        for (size_t i = begin; i < end; ++i)
            step->a[c][i] = (f->u[c][i] - step->v[c][i]) / step->dt;
}

mote_Status sph_rub(SphStep *step, mote_Error *error)
{
    if (!sph_friction_is_implicit(step)) {
        sph_rub_walls(step);
        return MOTE_OK;
    }
    PairTerms terms = {.sound = 0};
    step->state->viscosity->add_terms((double)step->params->viscosity, step->flat ? 2 : 3, &terms);
    Friction f = {.step = step,
                  .kernels = sph_kernels(step->outer->isa),
                  .nu_walls = sph_wall_viscosity(step),
                  .tasks = (step->rows + PLACES_PER_TASK - 1) / PLACES_PER_TASK};
    if (!take_planes(&f)) return sph_no_memory(step, error);
    f.input = sph_force_input(step, &terms, f.packets);
    for (int c = 0; c < 3; ++c) f.input.a[c] = f.ap[c];
    find_velocities(&f);
    for_places(&f, finish_body);
    sph_load_friction(step, f.u);
    return MOTE_OK;
}
