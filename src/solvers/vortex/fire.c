/* Combustion: fuel becomes flame by the law of Arrhenius, flame becomes smoke where it cools, and
 * what burns heats. First order in the amounts, so every share falls exponentially in a sub-step
 * and none becomes negative, however long the sub-step is.
 *
 * Gourlay's part 11, with heat over heat capacity in place of times density and capacity, which has
 * no unit of temperature. */
#include "solvers/vortex/vortons.h"

void burn_rows(const VortexWork *work, const VortonRows *rows, size_t begin, size_t end)
{
    const mote_VortexSolver *p = work->params;
    if (!(p->burn_rate > 0) && !(p->smoke_rate > 0)) return;
    fluid_kernels(work->isa)->burn(&(BurnJob){.count = end - begin,
                                              .temperature = rows->temperature + begin,
                                              .fuel = rows->fuel + begin,
                                              .flame = rows->flame + begin,
                                              .smoke = rows->smoke + begin,
                                              .burn_rate = p->burn_rate,
                                              .smoke_rate = p->smoke_rate,
                                              .ignition = p->ignition,
                                              .smoke_temperature = p->smoke_temperature,
                                              .burn_heat = p->burn_heat,
                                              .heat_capacity = p->heat_capacity,
                                              .dt = work->dt});
}
