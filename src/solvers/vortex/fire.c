/* Combustion: fuel becomes flame by the law of Arrhenius, flame becomes smoke where it cools, and
 * what burns heats. First order in the amounts, so every share falls exponentially in a sub-step
 * and none becomes negative, however long the sub-step is. */
#include "solvers/vortex/vortons.h"

void burn(const VortexWork *work, const VortonRows *rows)
{
    const mote_VortexSolver *p = work->params;
    if (!(p->burn_rate > 0) && !(p->smoke_rate > 0)) return;
    const BurnJob job = {.count = rows->count,
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
    fluid_kernels(work->isa)->burn(&job);
}
