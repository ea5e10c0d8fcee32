/* Solver `sph`: liquids by smoothed particle hydrodynamics.
 *
 * A sub-step sorts the rows into cells, finds neighbours, gathers what is needed by place (the
 * order of cells), lets the pressure row change the velocities, and writes positions and velocities
 * back to the rows. Everything between works by place:
 *
 *     rho_i = m sum_j W_ij                                     density
 *     a_i = -m sum_j (P_i/rho_i^2 + P_j/rho_j^2) grad W_ij     pressure, pairwise equal and
 * opposite
 *
 * References: Monaghan 1992 and 2005; Becker and Teschner 2007; Ihmsen et al. 2014. */
#ifndef SOLVERS_SPH_SPH_H
#define SOLVERS_SPH_SPH_H

#include "solvers/solver.h"
#include "solvers/sph/walls.h"
#include "space/neighbours.h"

typedef struct PressureRow PressureRow;
typedef struct ViscosityRow ViscosityRow;
typedef struct BoundaryRow BoundaryRow;

/* What the solver keeps from step to step. */
typedef struct SphState {
    const PressureRow *pressure;
    const ViscosityRow *friction;
    const BoundaryRow *boundary;
    const SmoothingRow *smoothing;
    Smoothing kernel;
    Walls walls;
    struct WallSamples *samples; /* of the boundary row `sampled`, per collider */
    size_t sample_count, sample_capacity;
    Neighbours lists;
    mote_real mass; /* kg, of every particle */
    /* Numbers among the system's columns: the wall's forces where they are kept, dfsph's lift. */
    size_t density_column, pressure_column, wall_column, lift_column;
    uint64_t next_id;    /* of the system when masses were set */
    uint64_t checked_id; /* the same when rows in walls were left out */
    /* saved: */
    double fastest; /* m/s: largest speed so far */
    double drop;    /* m: largest extent along gravity so far */
    double push;    /* m/s^2: largest acceleration of the last solve */
    double sound;   /* m/s: speed of sound of wcsph; 0 before the first sub-step */
} SphState;

/* A sub-step of the liquid. Planes are by place, with room for CELLS_SPARE entries behind. */
typedef struct SphStep {
    const SolverStep *outer;
    SphState *state;
    const mote_SphSolver *params;
    mote_System *system;
    size_t rows;
    mote_real dt; /* s */
    bool flat;
    bool periodic;       /* any axis */
    mote_real period[3]; /* m, of periodic axes; else 0 */
    Smoothing kernel;
    mote_real mass, rest_density;
    Cells cells;
    Neighbours *lists;
    const mote_real *x[3]; /* positions at t, wrapped: those of the cells */
    mote_real *v[3];       /* velocities: the pressure row leaves those at t + dt here */
    mote_real *a[3];       /* acceleration by the world's forces; the pressure row may add to it */
    mote_real *move[3];    /* by how much positions move faster than v, with XSPH; else NULL */
    mote_real *density;    /* kg/m^3, at t */
    mote_real *fill;       /* share of the kernel that is filled: 1 in the liquid; with shifting */
    mote_real *pressure;   /* Pa; the pressure row sets it */
    mote_real *rate;       /* d rho/dt, kg/m^3/s, where densities follow the continuity equation */
    mote_real *wall_force[3]; /* N, on each particle, where it is asked for; else NULL */
    mote_real *wall_push;     /* acceleration by walls over their gradient, m^2/s^2, near them */
    mote_ColliderLoad *piece_loads; /* of all colliders, for each piece of load_grain places */
    size_t load_grain;
    uint32_t *place; /* row -> place */
    bool parting;    /* artificial viscosity slows pairs that part, too */
    void *own;       /* the pressure row's, for its loops */
} SphStep;

/* A way to keep the liquid together. */
struct PressureRow {
    mote_Row head;
    /* Optional: what it keeps, and columns for its state per row. */
    mote_Status (*open)(const SolverSite *site, Solver *solver, mote_Error *error);
    void (*close)(Memory *memory, Solver *solver);
    /* The longest stable sub-step at this largest speed, s. */
    double (*limit)(const SphState *state, const SolverStep *step, double fastest);
    /* Changes step->v by all forces over step->dt, and sets step->pressure. Densities, lists and
     * accelerations of the world's forces are there. */
    mote_Status (*solve)(SphStep *step, SolveResult *result, mote_Error *error);
    bool conservative; /* pair forces are equal and opposite: momentum is kept to rounding */
    bool central;      /* and along the pair, and nothing else moves: angular momentum too */
};

/* Friction within the liquid: how much of which pair term. */
struct ViscosityRow {
    mote_Row head;
    bool laminar; /* it has `viscosity` */
    bool central; /* along the line of a pair, Monaghan's term; else along v, Morris's */
};

/* X(row) */
#define PRESSURE_ROWS(X)  X(pressure_dfsph) X(pressure_wcsph)
#define VISCOSITY_ROWS(X) X(viscosity_morris) X(viscosity_monaghan) X(viscosity_none)

const mote_Row *const *pressure_rows(Isa isa, size_t *count);
const mote_Row *const *viscosity_rows(Isa isa, size_t *count);
const mote_Row *const *boundary_rows(Isa isa, size_t *count);

extern const SolverRow sph_solver_row;
extern const ViscosityRow viscosity_morris, viscosity_monaghan, viscosity_none;

static inline const mote_SphSolver *sph_params(const Solver *solver)
{
    return solver->object.params;
}

/* ---- for pressure rows (step.c, forces.c) ---- */

/* A plane by place from the sub-step's arena; NULL when out of memory. */
mote_real *sph_plane(const SphStep *step);
mote_Status sph_no_memory(const SphStep *step, mote_Error *error);

/* Calls body(step, begin, end, worker) for places in parallel. */
typedef void SphBody(SphStep *step, size_t begin, size_t end, int worker);
void sph_for_places(SphStep *step, SphBody *body);

/* Adds pressure, viscosity and artificial viscosity to step->a, from step->pressure, density and v;
 * sets step->move's excess over v when there is XSPH, and `rate` (d rho/dt, by place) unless NULL.
 * With pressures of zero it is friction alone. sound: m/s, for artificial terms. */
mote_Status sph_add_forces(SphStep *step, double sound, mote_real *rate, mote_Error *error);

/* Limits that all rows share: 0.25 sqrt(h / a) and 0.125 h^2 / nu, with h = H / 2; s. */
double sph_common_limit(const SphState *state, const mote_SphSolver *params);

/* The world's gravity, m/s^2. */
double sph_gravity(const SolverStep *step);

#endif
