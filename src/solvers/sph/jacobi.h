/* Rows that find the density after a sub-step by relaxed Jacobi iterations:
 *
 *     rho_i + dt D_i(v + dt a(q)) = rho0,  q >= 0                       q = P / rho0
 *     q_i := max(0, q_i + omega (rho_i(q) / rho0 - 1) / (dt^2 d_i))
 *
 * until the mean of what is left is small (D, a: kernels.h). They differ in the diagonal d, in what
 * they start from, and in how many iterations there are at least. */
#ifndef SOLVERS_SPH_JACOBI_H
#define SOLVERS_SPH_JACOBI_H

#include "solvers/sph/flow.h"

typedef struct Jacobi {
    double density_error; /* mean that may be left, as a share of the rest density */
    double relaxation;    /* omega, at first */
    uint64_t most, least; /* iterations */
    double alike;         /* d of all particles, 1/m^2; 0: of each its own */
    mote_real warm;       /* share of the last pressures that they start from */
} Jacobi;

/* Iterations grow where A has an eigenvalue beyond 2 / omega of its diagonal: with wide kernels, in
 * the middle of a liquid, omega must be smaller than the usual 0.5. It is found once, by what
 * residuals do, and kept. */
typedef struct JacobiOwn {
    double relaxation; /* omega; 0: that of the parameters */
} JacobiOwn;

/* For rows that keep a JacobiOwn. */
mote_Status jacobi_solve(SphStep *step, const Jacobi *way, SolveResult *result, mote_Error *error);
size_t jacobi_saved(void *own, mote_StateArray *arrays);
#define JACOBI_ROW(its_limit)                                                                      \
    .own_size = sizeof(JacobiOwn), .saved = jacobi_saved, .limit = (its_limit), .conservative = true

/* Parameters of rows with jacobi_solve, in their struct S. */
#define JACOBI_PARAMS(S, most)                                                                     \
    PARAM_REAL(S, density_error, "",                                                               \
               "mean error of the density that is left; with dfsph the largest is 20 times as "    \
               "much",                                                                             \
               1e-3, 1e-7, 1),                                                                     \
        PARAM_REAL(S, relaxation, "", "omega, of the iterations", 0.5, 0.01, 1),                   \
        PARAM_COUNT(S, most_iterations, "of each solve of the pressures", most, 1, 100000)
#define JACOBI_WAY(params)                                                                         \
    .density_error = (double)(params)->density_error, .relaxation = (double)(params)->relaxation,  \
    .most = (params)->most_iterations

/* Where what is left has grown, damps it from here on, with a smaller omega. */
void jacobi_watch(double residual, double *least, mote_real *omega);

/* The diagonal in the middle of a full lattice, of the host's liquid, 1/m^2. */
double jacobi_full_stiffness(const SphStep *step);

#endif
