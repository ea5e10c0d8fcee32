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

mote_Status sph_stay_solve(const SolverStep *outer, bool *done, mote_Error *error)
{
    (void)outer, (void)done, (void)error;
    return MOTE_OK;
}

mote_Status sph_sort_away(const SolverStep *outer, bool *done, mote_Error *error)
{
    (void)outer, (void)error;
    *done = false;
    return MOTE_OK;
}

mote_Status sph_come_home(Solver *solver, mote_Error *error)
{
    (void)solver, (void)error;
    return MOTE_OK;
}

void sph_forget_rows(SphState *state)
{
    (void)state;
}

bool sph_noted(const SphState *state, SphNoted *noted)
{
    (void)state, (void)noted;
    return false;
}
