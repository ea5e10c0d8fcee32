/* Forces between particles: models of viscosity, what the loops over pairs are given, and the
 * packets they read. */
#include "base/status.h"
#include "solvers/sph/kernels.h"
#include "solvers/sph/sph.h"

#include <math.h>

/* ---- viscosity ---- */

static void add_morris(double nu, int dimension, PairTerms *terms)
{
    (void)dimension;
    terms->laminar = (mote_real)nu;
}

static void add_monaghan(double nu, int dimension, PairTerms *terms)
{
    terms->central = (mote_real)(dimension + 2) * (mote_real)nu;
}

static const ViscosityRow viscosity_morris = {
    .head = {.name = "morris", .doc = "laminar friction with SI viscosity (Morris 1997)"},
    .add_terms = add_morris};
static const ViscosityRow viscosity_monaghan = {
    .head = {.name = "monaghan",
             .doc = "laminar friction along the line of each pair: SI viscosity, angular momentum "
                    "kept, and the stress at free surfaces right (Monaghan and Gingold 1983)"},
    .add_terms = add_monaghan};
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

mote_real sph_viscosity(const SphState *state, const mote_SphSolver *params)
{
    return state->viscosity->add_terms != NULL ? params->viscosity : 0;
}

PairTerms sph_terms(const SphStep *step, double sound)
{
    const mote_SphSolver *params = step->params;
    PairTerms terms = {.sound = sound, .artificial = params->artificial, .xsph = params->xsph};
    const ViscosityRow *row = step->state->viscosity;
    if (row->add_terms != NULL)
        row->add_terms((double)params->viscosity, step->flat ? 2 : 3, &terms);
    return terms;
}

/* ---- pairs ---- */

typedef struct ForceWork {
    SphStep *step;
    ForceInput input;
    Packet *packets;
    const SphKernels *kernels;
    mote_real *largest; /* squared, per task */
} ForceWork;

enum { PLACES_PER_TASK = 512 };

static void pack_body(void *context, size_t begin, size_t end, int worker)
{
    const ForceWork *work = context;
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

static void force_body(void *context, size_t begin, size_t end, int worker)
{
    const ForceWork *work = context;
    (void)worker;
    work->largest[begin / PLACES_PER_TASK] = work->kernels->forces(&work->input, begin, end);
}

static ForceInput make_input(const SphStep *step, const PairTerms *terms)
{
    const mote_real h = step->kernel.support / 2, c = (mote_real)terms->sound;
    ForceInput input = {.lists = step->lists,
                        .kernel = step->kernel,
                        .periodic = step->periodic,
                        .mass = step->mass,
                        .soft = (mote_real)0.01 * h * h,
                        .laminar = terms->laminar,
                        .central = terms->central,
                        .shock = terms->artificial * c * h / 2,
                        .clash = terms->parting ? 0 : terms->impact * h * h / 2,
                        .parting = terms->parting,
                        .xsph = terms->xsph,
                        .diffusion = 2 * terms->diffusion * c * h,
                        .rate = terms->rate};
    for (int k = 0; k < 3; ++k) {
        input.a[k] = step->a[k];
        input.period[k] = step->period[k];
        input.excess[k] = step->move[k];
    }
    return input;
}

mote_Status sph_add_forces(SphStep *step, const PairTerms *terms, mote_Error *error)
{
    size_t tasks = step->rows / PLACES_PER_TASK + 1;
    ForceWork work = {.step = step, .kernels = sph_kernels(step->outer->isa)};
    work.packets = arena_take(step->outer->arena, (step->rows + 1) * sizeof *work.packets);
    work.largest = arena_take(step->outer->arena, tasks * sizeof *work.largest);
    bool room = work.packets != NULL && work.largest != NULL;
    for (int c = 0; c < 3 && terms->xsph > 0; ++c) {
        step->move[c] = sph_plane(step);
        room = room && step->move[c] != NULL;
    }
    if (!room)
        return status_no_memory(error, step->system->name, step->rows * sizeof *work.packets);
    work.input = make_input(step, terms);
    work.input.packets = work.packets;
    for (size_t i = 0; i < tasks; ++i) work.largest[i] = 0;
    mote_parallel_for(step->outer->tasks, step->rows, 4096, pack_body, &work);
    mote_parallel_for(step->outer->tasks, step->rows, PLACES_PER_TASK, force_body, &work);
    mote_real largest = 0;
    for (size_t i = 0; i < tasks; ++i)
        if (work.largest[i] > largest) largest = work.largest[i];
    step->state->push = sqrt((double)largest);
    return MOTE_OK;
}
