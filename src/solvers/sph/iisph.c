/* Pressure row `iisph`: incompressible, one solve a sub-step (Ihmsen et al. 2014).
 *
 * Pressures are looked for that bring the density after the sub-step to rho0,
 *     rho_i + dt D_i(v_adv + dt a(p)) = rho0,  p >= 0                   their (6) to (8)
 * by relaxed Jacobi iterations, from half of the last pressures (their section 3.2):
 *     p_i := max(0, p_i + omega (rho_i(p) - rho0) / a_ii)               their (9)
 * until the mean of what is left of the density is small. Their a_ii is minus dt^2 `stiffness` of
 * kernels.h, and rho_i(p) - rho0 is `excess`, both over rho0: q is p / rho0.
 *
 * What mends densities stays in the velocities, unlike dfsph's, so the row is livelier, and needs
 * some artificial viscosity to come to rest. Two things are not as in the paper. What is left is
 * counted also where pressures are too high, or a sub-step could end with more push than it needs.
 * And sub-steps that friction makes short mend a share of the error alone, or that would be faster
 * than the liquid. */
#include "solvers/sph/jacobi.h"

static const mote_Param params_table[] = {JACOBI_PARAMS(mote_IisphPressure, 200)};

static mote_Status solve(SphStep *step, SolveResult *result, mote_Error *error)
{
    const mote_IisphPressure *params = step->state->pressure_params;
    /* The first two are not judged: pressures of the last sub-step may look good before anything is
     * known of this one. */
    const Jacobi way = {JACOBI_WAY(params), .least = 2, .warm = (mote_real)0.5};
    return jacobi_solve(step, &way, result, error);
}

const PressureRow pressure_iisph = {
    .head = ROW_HEAD("iisph",
                     "incompressible: the density after each step, by relaxed Jacobi iterations "
                     "(Ihmsen et al. 2014)",
                     params_table, mote_IisphPressure),
    JACOBI_ROW(flow_stiff_limit),
    .solve = solve,
    .on_device = true,
    .spreads = true,
    .central = true,
    .planes = 60,
};

ROW_DEFAULTS(pressure_iisph.head, mote_IisphPressure, mote_iisph_pressure_def)
