/* Forces between particles: models of viscosity, what the loops over pairs are given, and the
 * packets they read. */
#include "base/status.h"
#include "solvers/sph/backend.h"
#include "solvers/sph/ghosts.h"

#include <math.h>

/* ---- models of viscosity ---- */

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

/* The Laplacian as a difference of slopes (Morris, Fox and Zhu 1997): along the difference of
 * velocities, so momentum is kept and angular momentum is not. */
static void add_morris(double nu, int dimension, PairTerms *terms)
{
    (void)dimension;
    terms->laminar = (mote_real)nu;
}

/* Along the line of the pair. Averaged over directions that is 1 / (d + 2) of the Laplacian of a
 * flow without divergence (Espanol and Revenga 2003), hence the factor. */
static void add_monaghan(double nu, int dimension, PairTerms *terms)
{
    terms->central = (mote_real)(dimension + 2) * (mote_real)nu;
}

/* Explicit friction allows sub-steps of h^2 / (8 nu), h being half of the kernel's support. */
static void forecast_steps(const mote_SphSolver *p, const void *params, const Outlook *o)
{
    enum { MOST_STEPS = 1000 }; /* a frame */
    const mote_LaminarViscosity *laminar = params;
    const double nu = sph_thickest(p);
    if (laminar->implicit != MOTE_IMPLICIT_NEVER || !(nu > 0)) return;
    double h = (double)(p->support * p->spacing) / 2;
    double step = h * h / (8 * nu), steps = o->frame / step;
    if (steps > MOST_STEPS)
        OUTLOOK_WARN(o,
                     "systems.%s: a viscosity of %g m^2/s at this spacing needs sub-steps of %.2g "
                     "s, %.2g a frame; leave solver.implicit at \"auto\", or use %.2g m^2/s or "
                     "less, or a larger spacing\n",
                     o->name, nu, step, steps, nu * MOST_STEPS / steps);
}

/* Along pairs a lattice has few directions: shear along its axes and along its diagonals feels 0.70
 * and 1.45 of the viscosity at 2 spacings, 0.87 and 1.19 at 2.4, 0.96 and 1.06 at 3. */
static void forecast_central(const mote_SphSolver *p, const void *params, const Outlook *o)
{
    forecast_steps(p, params, o);
    if (sph_thickest(p) > 0 && (double)p->support < 2.99)
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

ROW_TABLE(viscosity_rows, &viscosity_morris.head, &viscosity_monaghan.head, &viscosity_none.head)

ROW_DEFAULTS(viscosity_morris.head, mote_LaminarViscosity, mote_laminar_viscosity_def)

double sph_viscosity(const SphState *state)
{
    double most = 0;
    if (state->thins && state->thickest > 0) return state->thickest;
    for (size_t m = 0; m < state->member_count; ++m)
        most = fmax(most, (double)state->members[m].viscosity);
    return most;
}

const mote_LaminarViscosity *sph_laminar(const SphState *state)
{
    return state->viscosity->add_terms != NULL ? state->viscosity_params : NULL;
}

/* dt <= 0.125 h^2 / nu (Morris, Fox and Zhu 1997); h is half of the support. */
double sph_friction_limit(const SphState *state, double nu)
{
    const double h = (double)state->kernel.support / 2;
    return nu > 0 ? 0.125 * h * h / nu : HUGE_VAL;
}

double sph_explicit_viscosity(const SphState *state)
{
    const mote_LaminarViscosity *laminar = sph_laminar(state);
    const bool never = laminar != NULL && laminar->implicit == MOTE_IMPLICIT_NEVER;
    return never ? sph_viscosity(state) : 0;
}

/* By the sub-step's length alone, so that it needs no memory of how it was chosen. */
bool sph_friction_is_implicit(const SphStep *step)
{
    const mote_LaminarViscosity *laminar = sph_laminar(step->state);
    const double nu = sph_viscosity(step->state);
    if (laminar == NULL || !(nu > 0) || laminar->implicit == MOTE_IMPLICIT_NEVER) return false;
    const double most = (double)step->params->cfl * sph_friction_limit(step->state, nu);
    return laminar->implicit == MOTE_IMPLICIT_ALWAYS || (double)step->dt > 1.0001 * most;
}

void sph_add_laminar(const SphStep *step, PairTerms *terms)
{
    const double nu = step->traits != NULL ? 1 : (double)step->params->viscosity;
    step->state->viscosity->add_terms(nu, step->flat ? 2 : 3, terms);
}

PairTerms sph_terms(const SphStep *step, double sound)
{
    const mote_SphSolver *params = step->params;
    PairTerms terms = {.sound = sound, .artificial = params->artificial, .xsph = params->xsph};
    const ViscosityRow *row = step->state->viscosity;
    if (row->add_terms != NULL && !sph_friction_is_implicit(step)) sph_add_laminar(step, &terms);
    return terms;
}

/* ---- pairs ---- */

typedef struct PacketWork {
    const SphStep *step;
    Packet *packets;
} PacketWork;

static void pack_body(void *context, size_t begin, size_t end, int worker)
{
    const PacketWork *work = context;
    const SphStep *step = work->step;
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        mote_real inverse = 1 / step->density[i];
        work->packets[i] =
            (Packet){.x = {step->x[0][i], step->x[1][i], step->flat ? 0 : step->x[2][i]},
                     .v = {step->v[0][i], step->v[1][i], step->flat ? 0 : step->v[2][i]},
                     .push = step->pressure[i] * inverse * inverse,
                     .inverse = inverse};
    }
}

/* `soft` keeps pairs that nearly meet from dividing by nothing (Monaghan 1992: 0.01 h^2); h is half
 * of the support, as it is for his kernel. */
ForceInput sph_force_input(const SphStep *step, const PairTerms *terms, const Packet *packets)
{
    const mote_real h = step->kernel.support / 2, c = (mote_real)terms->sound;
    const PairLaw law = {.inverse = step->kernel.inverse,
                         .slope_scale = step->kernel.slope_scale,
                         .value_scale = step->kernel.value_scale,
                         .period = {step->period[0], step->period[1], step->period[2]},
                         .mass = step->mass,
                         .soft = (mote_real)0.01 * h * h,
                         .laminar = terms->laminar,
                         .central = terms->central,
                         .shock = terms->artificial * c * h / 2,
                         .clash = terms->parting ? 0 : terms->impact * h * h / 2,
                         .xsph = terms->xsph,
                         .diffusion = 2 * terms->diffusion * c * h};
    ForceInput input = {.packets = packets,
                        .traits = step->traits,
                        .lists = step->lists,
                        .law = law,
                        .value_kind = step->kernel.kind,
                        .gradient_kind = step->kernel.gradient_kind,
                        .periodic = step->periodic,
                        .parting = terms->parting,
                        .rate = terms->rate};
    for (int k = 0; k < 3; ++k) {
        input.a[k] = step->a[k];
        input.excess[k] = step->move[k];
    }
    return input;
}

mote_Status sph_add_forces(SphStep *step, const PairTerms *terms, mote_Error *error)
{
    const size_t workers = (size_t)mote_tasks_workers(step->outer->tasks);
    Arena *arena = step->outer->arena;
    PacketWork work = {step, arena_take(arena, (step->rows + 1) * sizeof *work.packets)};
    mote_real *largest = arena_take(arena, workers * sizeof *largest);
    bool room = work.packets != NULL && largest != NULL;
    for (int c = 0; c < 3 && terms->xsph > 0; ++c) {
        step->move[c] = sph_plane(step);
        room = room && step->move[c] != NULL;
    }
    mote_Status status = sph_agree(step, room ? MOTE_OK : sph_no_memory(step, error), error);
    if (status != MOTE_OK) return status;
    ForceInput input = sph_force_input(step, terms, work.packets);
    input.largest = largest;
    for (size_t i = 0; i < workers; ++i) largest[i] = 0;
    mote_parallel_for(step->outer->tasks, step->rows, 4096, pack_body, &work);
    status = step->backend->forces(step, &input, error);
    double most = 0;
    for (size_t i = 0; i < workers; ++i)
        if ((double)largest[i] > most) most = (double)largest[i];
    ghosts_most(step, &most, 1);
    step->state->push = sqrt(most);
    return status;
}
