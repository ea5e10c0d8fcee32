/* Where the liquid is thin: the gradient of the filled share at all places, by the liquid's own
 * lists. */
#include "solvers/sph/outline.h"

#include "solvers/sph/kernels.h"

enum { PLACES_PER_TASK = 1024 };

typedef struct Outline {
    const SphStep *step;
    const FoamKernels *kernels;
    OutlineInput input;
    FlowPacket *packets;
} Outline;

static void pack_body(void *context, size_t begin, size_t end, int worker)
{
    const Outline *work = context;
    const SphStep *step = work->step;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        work->packets[i] =
            (FlowPacket){.x = {step->x[0][i], step->x[1][i], step->flat ? 0 : step->x[2][i]}};
}

static void outline_body(void *context, size_t begin, size_t end, int worker)
{
    const Outline *work = context;
    (void)worker;
    work->kernels->outline(&work->input, begin, end);
}

bool sph_outline(const SphStep *step, mote_real *inward[3])
{
    mote_Tasks *tasks = step->outer->tasks;
    Outline work = {.step = step,
                    .kernels = foam_kernels(step->outer->isa),
                    .input = {.lists = step->lists,
                              .kernel = step->kernel,
                              .periodic = step->periodic,
                              .volume = step->mass / step->rest_density},
                    .packets =
                        arena_take(step->outer->arena, (step->rows + 1) * sizeof *work.packets)};
    bool room = work.packets != NULL;
    work.input.packets = work.packets;
    for (int c = 0; c < 3; ++c) {
        work.input.period[c] = step->period[c];
        work.input.inward[c] = inward[c] = sph_plane(step);
        room = room && inward[c] != NULL;
    }
    if (!room) return false;
    mote_parallel_for(tasks, step->rows, PLACES_PER_TASK, pack_body, &work);
    mote_parallel_for(tasks, step->rows, PLACES_PER_TASK, outline_body, &work);
    return true;
}
