/* Combustion: fuel becomes flame by the law of Arrhenius, flame becomes smoke where it cools, and
 * what burns heats. First order in the amounts, so every share falls exponentially in a sub-step
 * and none becomes negative, however long the sub-step is.
 *
 * Gourlay's part 11, with heat over heat capacity in place of times density and capacity, which has
 * no unit of temperature. */
#include "solvers/vortex/vortons.h"

enum { PIECE_ROWS = 512 };

typedef struct Fire {
    BurnJob all;
    const FluidKernels *kernels;
} Fire;

static void burn_body(void *context, size_t begin, size_t end, int worker)
{
    const Fire *fire = context;
    BurnJob job = fire->all;
    (void)worker;
    job.count = end - begin;
    job.temperature += begin, job.fuel += begin, job.flame += begin, job.smoke += begin;
    fire->kernels->burn(&job);
}

void burn(const VortexWork *work, const VortonRows *rows)
{
    const mote_VortexSolver *p = work->params;
    if (!(p->burn_rate > 0) && !(p->smoke_rate > 0)) return;
    Fire fire = {.kernels = fluid_kernels(work->isa)};
    fire.all = (BurnJob){.count = rows->count,
                         .temperature = rows->temperature,
                         .fuel = rows->fuel,
                         .flame = rows->flame,
                         .smoke = rows->smoke,
                         .burn_rate = p->burn_rate,
                         .smoke_rate = p->smoke_rate,
                         .ignition = p->ignition,
                         .smoke_temperature = p->smoke_temperature,
                         .burn_heat = p->burn_heat,
                         .heat_capacity = p->heat_capacity,
                         .dt = work->dt};
    mote_parallel_for(work->tasks, rows->count, PIECE_ROWS, burn_body, &fire);
}
