/* Pressure row `pcisph`: predictive-corrective incompressible SPH (Solenthaler and Pajarola 2009).
 *
 * What iisph does, but pressures start from nothing, all particles have the diagonal of one in the
 * middle of a full lattice, and there are at least three iterations. The paper's factor delta is
 *     delta = 1 / (beta (sum grad W . sum grad W + sum grad W . grad W)),  beta = 2 (m dt / rho0)^2
 * for that particle: half of Jacobi's step, the 2 being for a neighbour whose pressure is the same.
 * So `relaxation` is 0.5 here, too. Two things are not as in the paper: densities after the
 * sub-step are rho + dt d rho/dt, where the paper moves particles and sums anew; and the mean error
 * decides when it is enough, as with the others, not the largest. */
#include "solvers/sph/jacobi.h"

static const mote_Param params_table[] = {JACOBI_PARAMS(mote_PcisphPressure, 500)};

static mote_Status solve(SphStep *step, SolveResult *result, mote_Error *error)
{
    const mote_PcisphPressure *params = step->state->pressure_params;
    const Jacobi way = {JACOBI_WAY(params), .least = 3, .alike = jacobi_full_stiffness(step)};
    return jacobi_solve(step, &way, result, error);
}

const PressureRow pressure_pcisph = {
    .head = ROW_HEAD("pcisph",
                     "to compare: predicted densities are corrected, from no pressures "
                     "(Solenthaler and Pajarola 2009)",
                     params_table, mote_PcisphPressure),
    JACOBI_ROW(flow_stiff_limit),
    .solve = solve,
    .on_device = true,
    .spreads = true,
    .central = true,
    .compared = true,
    .planes = 60,
};

ROW_DEFAULTS(pressure_pcisph.head, mote_PcisphPressure, mote_pcisph_pressure_def)
