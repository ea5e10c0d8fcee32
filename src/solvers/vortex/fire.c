/* Combustion: fuel becomes flame by the law of Arrhenius, flame becomes smoke where it cools, and
 * what burns heats. First order in the amounts, so every share falls exponentially in a sub-step
 * and none becomes negative, however long the sub-step is. */
#include "base/math.h"
#include "solvers/vortex/vortons.h"

/* Share that is gone after dt at the rate k. */
static mote_real used_up(mote_real rate, mote_real dt)
{
    return 1 - real_exp(-rate * dt);
}

void burn(const VortexWork *work, const VortonRows *rows)
{
    const mote_VortexSolver *p = work->params;
    if (!(p->burn_rate > 0) && !(p->smoke_rate > 0)) return;
    for (size_t i = 0; i < rows->count; ++i) {
        mote_real t = rows->temperature[i], cold = t / p->smoke_temperature;
        mote_real to_smoke =
            rows->flame[i] * used_up(p->smoke_rate * real_exp(-cold * cold), work->dt);
        mote_real to_flame =
            rows->fuel[i] * used_up(p->burn_rate * real_exp(-p->ignition / t), work->dt);
        rows->fuel[i] -= to_flame;
        rows->flame[i] += to_flame - to_smoke;
        rows->smoke[i] = 1 - rows->fuel[i] - rows->flame[i];
        rows->temperature[i] = t + p->burn_heat * to_flame / p->heat_capacity;
    }
}
