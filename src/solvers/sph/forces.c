/* Forces between particles: what the loops over pairs are given, and the packets they read. */
#include "base/status.h"
#include "solvers/sph/kernels.h"
#include "solvers/sph/sph.h"

#include <math.h>

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

static ForceInput make_input(const SphStep *step, double sound, mote_real *rate)
{
    const mote_SphSolver *params = step->params;
    mote_real h = step->kernel.support / 2, c = (mote_real)sound;
    ForceInput input = {.lists = step->lists,
                        .kernel = step->kernel,
                        .periodic = step->periodic,
                        .mass = step->mass,
                        .soft = (mote_real)0.01 * h * h,
                        .shock = params->artificial * c * h / 2,
                        .clash = step->parting ? 0 : params->impact * h * h / 2,
                        .parting = step->parting,
                        .xsph = params->xsph,
                        .diffusion = 2 * params->diffusion * c * h,
                        .rate = rate};
    const ViscosityRow *friction = step->state->friction;
    if (friction->laminar && friction->central)
        input.central = (mote_real)(step->flat ? 4 : 5) * params->viscosity;
    else if (friction->laminar)
        input.laminar = params->viscosity;
    for (int k = 0; k < 3; ++k) {
        input.a[k] = step->a[k];
        input.period[k] = step->period[k];
        input.excess[k] = step->move[k];
    }
    return input;
}

mote_Status sph_add_forces(SphStep *step, double sound, mote_real *rate, mote_Error *error)
{
    size_t tasks = step->rows / PLACES_PER_TASK + 1;
    ForceWork work = {.step = step, .kernels = sph_kernels(step->outer->isa)};
    work.packets = arena_take(step->outer->arena, (step->rows + 1) * sizeof *work.packets);
    work.largest = arena_take(step->outer->arena, tasks * sizeof *work.largest);
    bool room = work.packets != NULL && work.largest != NULL;
    for (int c = 0; c < 3 && step->params->xsph > 0; ++c) {
        step->move[c] = sph_plane(step);
        room = room && step->move[c] != NULL;
    }
    if (!room)
        return status_no_memory(error, step->system->name, step->rows * sizeof *work.packets);
    work.input = make_input(step, sound, rate);
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
