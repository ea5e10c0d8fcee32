/* Every mass at every point. */
#include "forces/pull.h"

ISA_KERNELS(pull_kernels, PullKernels, pull_sums)

enum {
    POINTS_PER_TASK = 128,
    MASSES_PER_SUM = 512, /* these stay in the first-level cache while the points go by */
};

static Pullers part_of(const Pullers *all, size_t first)
{
    size_t left = all->count - first;
    Pullers part = {.count = left < MASSES_PER_SUM ? left : MASSES_PER_SUM};
    for (int p = 0; p < PULL_MASS_PLANES; ++p) part.plane[p] = all->plane[p] + first;
    return part;
}

static void direct_body(void *context, size_t begin, size_t end, int worker)
{
    const PullRequest *request = context;
    PullJob job = {.count = end - begin, .softening2 = request->softening2};
    (void)worker;
    for (int c = 0; c < 3; ++c) job.x[c] = request->x[c] + begin;
    for (int p = 0; p < pull_planes(request->quantity); ++p) {
        job.out[p] = request->out[p] + begin;
        for (size_t i = 0; i < job.count; ++i) job.out[p][i] = 0;
    }
    for (size_t first = 0; first < request->masses.count; first += MASSES_PER_SUM) {
        job.pullers = part_of(&request->masses, first);
        request->kernels->masses[request->quantity](&job);
    }
}

bool pull_direct(const PullRequest *request)
{
    mote_parallel_for(request->tasks, request->count, POINTS_PER_TASK, direct_body,
                      (void *)(uintptr_t)request);
    return true;
}
