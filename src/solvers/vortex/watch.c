/* The watch on flows that run away. Buoyancy, fire and walls make as much vorticity as they are
 * told to, so no growth is wrong in itself; but the equations are those of air far below the speed
 * of sound, and beyond it nothing that follows means anything. */
#include "base/status.h"
#include "solvers/vortex/solver.h"

/* c^2 = gamma R T = (gamma - 1) cp T of an ideal gas, gamma = 7/5 as air. */
double vortex_fastest(const Solver *solver)
{
    const mote_VortexSolver *p = solver->object.params;
    return __builtin_sqrt(0.4 * (double)p->heat_capacity * (double)p->temperature);
}

/* Speed at the edge of a core, m/s. */
static double swirl_of(const VortonRows *rows, size_t i)
{
    double size = (double)vec3_length(
               vec3(rows->strength[0][i], rows->strength[1][i], rows->strength[2][i])),
           r = (double)rows->radius[i];
    return size / (3.14159265358979324 * (rows->flat ? 2 * r : 4 * r * r));
}

mote_Status watch_vorticity(const SolverStep *step, const VortonRows *rows, mote_Error *error)
{
    double fastest = vortex_fastest(step->solver);
    for (size_t i = 0; i < rows->count; ++i) {
        double swirl = swirl_of(rows, i);
        if (!(rows->radius[i] > 0) || swirl <= fastest) continue;
        return status_fail(error, MOTE_DIVERGED,
                           "system %s: a vorton of radius %g m turns with %g m/s at its edge (t = "
                           "%g s), faster than sound (%g m/s): likely heat, buoyancy or a wall "
                           "feeds it without end, or the step of %g s is too long: try a max_step "
                           "of %g s, a viscosity, or a lower stretch_limit",
                           step->solver->object.name, (double)rows->radius[i], swirl,
                           step->t + step->dt, fastest, step->dt, step->dt / 4);
    }
    return MOTE_OK;
}
