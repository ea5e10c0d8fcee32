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

ForceInput sph_force_input(const SphStep *step, const PairTerms *terms, const Packet *packets)
{
    const mote_real h = step->kernel.support / 2, c = (mote_real)terms->sound;
    ForceInput input = {.packets = packets,
                        .lists = step->lists,
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
    work.input = sph_force_input(step, terms, work.packets);
    for (size_t i = 0; i < tasks; ++i) work.largest[i] = 0;
    mote_parallel_for(step->outer->tasks, step->rows, 4096, pack_body, &work);
    mote_parallel_for(step->outer->tasks, step->rows, PLACES_PER_TASK, force_body, &work);
    mote_real largest = 0;
    for (size_t i = 0; i < tasks; ++i)
        if (work.largest[i] > largest) largest = work.largest[i];
    step->state->push = sqrt((double)largest);
    return MOTE_OK;
}
