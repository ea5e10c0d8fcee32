/* Where there are no devices at all, as in a page: in the place of device.c and its like. */
#include "solvers/sph/backend.h"

const SphBackend *sph_device_backend(const SolverStep *outer)
{
    (void)outer;
    return NULL;
}

void sph_close_device(SphState *state, Memory *memory)
{
    (void)state, (void)memory;
}
