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
 * Several liquids are solved together, in volumes (members.c, Solenthaler and Pajarola 2008): all
 * particles have the volume of a lattice's, densities are those of the first liquid, and what is
 * heavier or lighter by s is accelerated by 1/s of what sums say. Of one liquid s is 1.
 *
 * References: Monaghan 1992 and 2005; Becker and Teschner 2007; Ihmsen et al. 2014.
 *
 * Symbols and names: x_i, v_i, m place, velocity, mass; d `spacing`; H `support`, the radius of the
 * kernel, twice the h of textbooks with a cubic spline; rho `density`, rho0 `rest_density`, P
 * `pressure`, nu `viscosity`, V = m / rho0, W_ij the kernel between i and j.
 *
 * The lecture notes behind it are GAMES103's on SPH (docs/course.md): density is their P10, the
 * kernel P13 and P14, the equation of state P19, the steps P24, cells P26. Their P21, -V_i sum V_j
 * P_j grad W, is not equal and opposite between two particles, so that a liquid left alone would
 * move off (row `textbook` shows it): the sum above is used. Viscosity is not P23's
 * (kernels/forces.c says why). */
#ifndef SOLVERS_SPH_SPH_H
#define SOLVERS_SPH_SPH_H

#include "solvers/solver.h"
#include "solvers/sph/kernels.h"
#include "solvers/sph/walls.h"
#include "space/neighbours.h"
#include "space/rods.h"

typedef struct PressureRow PressureRow;
typedef struct ViscosityRow ViscosityRow;
typedef struct BoundaryRow BoundaryRow;
typedef struct SphBackend SphBackend;
typedef struct ExplicitLaw ExplicitLaw;
struct Flow;
struct FlowStages;

/* Columns of a liquid's system, by what they are; those of the pressure row come last. */
typedef enum SphColumn {
    SPH_DENSITY,
    SPH_PRESSURE,
    SPH_WALL_FORCE,
    SPH_TEMPERATURE,
    SPH_WARMTH, /* what rounding takes from the temperature, K */
    SPH_OWN,
    SPH_COLUMNS
} SphColumn;

/* A liquid among those that are solved together. The first is the host: spacing, kernel, pressure
 * and all that is not here are its. */
typedef struct SphMember {
    mote_System *system;
    size_t number;                       /* among the solver's systems */
    mote_real mass;                      /* kg, of every particle */
    mote_real weight;                    /* rest density over the host's */
    mote_real viscosity, wall_viscosity; /* m^2/s; at walls also -1: its own */
    mote_LiquidHeat heat;                /* with heat */
    mote_Table thickness;                /* ln of the viscosity over that at the reference, by K */
    size_t column[SPH_COLUMNS];          /* numbers among the system's */
    uint64_t next_id;                    /* of the system when masses were set */
    uint64_t checked_id;                 /* the same when rows in walls were left out */
} SphMember;

/* What the solver keeps from step to step. */
typedef struct SphState {
    const PressureRow *pressure;
    void *pressure_params; /* a copy */
    void *pressure_own;    /* what the row keeps */
    const ViscosityRow *viscosity;
    void *viscosity_params; /* a copy */
    const BoundaryRow *boundary;
    const SmoothingRow *smoothing;
    Smoothing kernel;
    Walls walls;
    struct WallSamples *samples; /* of the boundary row `sampled`, per collider */
    size_t sample_count, sample_capacity;
    Neighbours lists;
    struct SphDevice *device;          /* what it has on a device (backend.h); NULL: nothing */
    SphMember members[SOLVER_SYSTEMS]; /* in the order of the solver's systems */
    size_t member_count;
    struct Tension *tension; /* of its surface (tension.h); NULL: none */
    struct Foam *foams;      /* what of its spray and bubbles is shown (foam.h), the same */
    size_t foam_count, foam_capacity;
    mote_real mass; /* kg, of every particle of the host */
    bool warm;      /* there is heat */
    bool thins;     /* and viscosity goes with it */
    /* saved: */
    double fastest;  /* m/s: largest speed so far */
    double drop;     /* m: largest extent along gravity so far */
    double push;     /* m/s^2: largest acceleration of the last solve */
    double squeeze;  /* largest density over rest_density away from walls, less 1; the same */
    double last;     /* s: length of the last sub-step; 0 before the first */
    double thickest; /* m^2/s: largest viscosity of the last sub-step, where it goes with heat */
    double foam_clocks[SOLVER_SYSTEMS]; /* of each foam: intervals that had their births, or -1 */
} SphState;

/* A sub-step of the liquid. Planes are by place, with room for CELLS_SPARE entries behind. */
typedef struct SphStep {
    const SolverStep *outer;
    SphState *state;
    const mote_SphSolver *params;     /* the host's */
    size_t first[SOLVER_SYSTEMS + 1]; /* of all rows: where each member's begin */
    size_t own_rows;                  /* in bricks of this rank, of all members */
    size_t rows;                      /* and ghosts of others behind them (ghosts.h) */
    size_t particles;                 /* of the whole liquid: what means are taken over */
    size_t lent;                      /* rows that others work on: behind CELLS_SPARE */
    struct Ghosts *ghosts;            /* NULL: this rank has all */
    mote_real dt;                     /* s */
    bool flat;
    bool periodic;       /* any axis */
    bool surfaced;       /* tension has found a surface; its layers may be as dense as the rest */
    mote_real period[3]; /* m, of periodic axes; else 0 */
    Smoothing kernel;
    mote_real mass, rest_density; /* the host's */
    Trait *traits;                /* what particles differ in; NULL: nothing */
    mote_real *theta;             /* temperature less the host's reference, K; NULL: no heat */
    Cells cells;
    Rods rods;                 /* the order of sums */
    const SphBackend *backend; /* who goes over pairs */
    Neighbours *lists;         /* the processor's; empty where a device has them */
    const mote_real *sums;     /* of W over a place and its neighbours, by place */
    uint64_t pairs;            /* i with j and j with i counted apart */
    const mote_real *x[3];     /* positions at t, wrapped: those of the cells */
    mote_real *v[3];           /* velocities: the pressure row leaves those at t + dt here */
    mote_real *a[3];     /* acceleration by the world's forces; the pressure row may add to it */
    mote_real *move[3];  /* by how much positions move faster than v, with XSPH; else NULL */
    mote_real *density;  /* kg/m^3, at t, as if all were the host's */
    mote_real *fill;     /* share of the kernel that is filled: 1 in the liquid; with shifting */
    mote_real *pressure; /* Pa; the pressure row sets it */
    mote_real *rate;     /* d rho/dt, kg/m^3/s, where densities follow the continuity equation */
    mote_real *wall_force[3];  /* N, on each particle, where it is asked for; else NULL */
    mote_real *wall_push;      /* acceleration by walls over their gradient, m^2/s^2, near them */
    struct WorkerLoads *loads; /* on all colliders, by worker; NULL: there are no walls */
    Limbs *load_sums;          /* of all workers */
    uint32_t *place;           /* row -> place */
    void *own;                 /* the pressure row's, for its loops */
} SphStep;

/* How all of a liquid moves at the start of a sub-step. */
typedef struct SphMotion {
    double fastest; /* m/s: largest speed */
    double height;  /* m: extent along gravity */
} SphMotion;

/* A way to keep the liquid together. It owns its parameters, what it keeps, its columns and its
 * part of the forecast: adding one is a file with the row, its name in PRESSURE_ROWS, and a struct
 * in <mote/solvers.h> where it has parameters. */
struct PressureRow {
    mote_Row head;   /* parameters: SphState.pressure_params */
    size_t own_size; /* bytes of what it keeps from sub-step to sub-step, zeroes at first */
    /* Optional: state per row, beside density and pressure, which all liquids have. */
    const mote_Column *columns;
    size_t column_count;
    /* Optional: what of its own is saved, by name; returns how many arrays. */
    size_t (*saved)(void *own, mote_StateArray *arrays);
    /* The longest stable sub-step of what moves so, s. */
    double (*limit)(const SphState *state, const SolverStep *step, const SphMotion *now);
    /* Changes step->v by all forces over step->dt, and sets step->pressure. Densities, lists and
     * accelerations of the world's forces are there. */
    mote_Status (*solve)(SphStep *step, SolveResult *result, mote_Error *error);
    bool on_device; /* goes over pairs by its backend alone */
    /* Of rows with an equation of state, so that all of a sub-step may be done on a device
     * (stay.h): whether that is so; what goes by place; and what the row keeps when it is done. */
    bool (*stays)(const SphState *state);
    void (*law)(const SphStep *step, ExplicitLaw *law);
    void (*keep)(SphStep *step);
    /* Of incompressible rows, for the same: both solves by these stages (dfsph_coarse.h). */
    bool (*flow)(struct Flow *f, const struct FlowStages *stages);
    /* Optional: what of it does not; NULL: nothing. */
    const char *(*off_device)(const SphState *state);
    bool spreads; /* asks ghosts.h for what it sums or reads of neighbours: ranks may share it */
    bool conservative; /* pair forces are equal and opposite: momentum is kept to rounding */
    bool central;      /* and along the pair, and nothing else moves: angular momentum too */
    bool compared;     /* there to be compared with others: `mote study pressure-solvers` */
    int planes;        /* forecast: about so many numbers a particle, in a sub-step */
    /* Optional; params may not be NULL. */
    void (*forecast)(const void *params, const Outlook *outlook);
};

/* What acts between pairs besides pressures; all zero: nothing. */
typedef struct PairTerms {
    double sound;         /* c, m/s, of artificial viscosity and of density diffusion */
    mote_real laminar;    /* nu, m^2/s, along v: Morris, Fox and Zhu 1997, (22) */
    mote_real central;    /* (D + 2) nu, m^2/s, along the pair: Monaghan 2005, (4.2) with SI nu */
    mote_real artificial; /* alpha of Monaghan 1992, (4.1) */
    mote_real impact;     /* beta there; not where pairs that part are slowed, too */
    bool parting;         /* alpha acts on pairs that part, too */
    mote_real xsph;       /* epsilon of Monaghan 1989 */
    mote_real diffusion;  /* delta of Molteni and Colagrossi 2009, (5) */
    mote_real *rate;      /* set, d rho/dt by place, kg/m^3/s; NULL: not wanted */
} PairTerms;

/* Friction within the liquid: adds its terms for a kinematic viscosity. */
struct ViscosityRow {
    mote_Row head; /* parameters: SphState.viscosity_params */
    void (*add_terms)(double nu, int dimension, PairTerms *terms); /* NULL: there is none */
    /* Optional, before a run: what would go wrong. `params` are the row's own. */
    void (*forecast)(const mote_SphSolver *liquid, const void *params, const Outlook *outlook);
};

/* X(row): the first is what is meant without a name. */
#define PRESSURE_ROWS(X)                                                                           \
    X(pressure_dfsph)                                                                              \
    X(pressure_wcsph)                                                                              \
    X(pressure_iisph) X(pressure_pcisph) X(pressure_pbf) X(pressure_mueller) X(pressure_textbook)

const mote_Row *const *pressure_rows(Isa isa, size_t *count);
const mote_Row *const *viscosity_rows(Isa isa, size_t *count);
const mote_Row *const *boundary_rows(Isa isa, size_t *count);
const mote_Row *const *heat_rows(Isa isa, size_t *count);
const mote_Row *const *tension_rows(Isa isa, size_t *count);

extern const SolverRow sph_solver_row, foam_solver_row;

static inline const mote_SphSolver *sph_params(const Solver *solver)
{
    return solver->object.params;
}

/* ---- several liquids (members.c) ---- */

/* The row's `join`, `leave` and `inherit`. */
mote_Status sph_join(const SolverSite *site, Solver *solver, const void *params, mote_Error *error);
void sph_leave(Solver *solver, size_t member);
void sph_inherit(void *params, const void *host);

/* A member with these parameters, the last of the solver's systems: its columns are made. */
mote_Status sph_add_member(Solver *solver, const mote_SphSolver *own, mote_Error *error);

/* Rows [first, first + count) of a member, with their places. */
typedef struct SphRows {
    const SphMember *member;
    size_t number; /* of the member among the solver's systems */
    size_t first, count;
    const uint32_t *place;
} SphRows;

/* Calls body for blocks of rows of all members in parallel. */
typedef void SphRowsBody(SphStep *step, const SphRows *rows, void *context, int worker);
void sph_for_rows(SphStep *step, SphRowsBody *body, void *context);

/* All rows as points, one member after another. False: no memory. */
bool sph_points(const SphStep *step, CellPoints *points);

/* step->traits, where members differ. */
mote_Status sph_set_traits(SphStep *step, mote_Error *error);

/* By place, what rows have in a column; NULL: no memory. And back. */
mote_real *sph_from_rows(SphStep *step, size_t column);
void sph_to_rows(SphStep *step, size_t column, const mote_real *plane);

/* The host's density over that of the liquid at a place. */
static inline mote_real sph_light(const SphStep *step, size_t i)
{
    return step->traits != NULL ? step->traits[i].light : 1;
}

/* A difference of places, to the nearest image where axes are periodic. */
static inline mote_Vec3 sph_nearest(const SphStep *step, mote_Vec3 d)
{
    mote_real of[3] = {d.x, d.y, d.z};
    for (int c = 0; c < 3; ++c) {
        const mote_real period = step->period[c];
        if (of[c] > period / 2) of[c] -= period;
        if (of[c] < -period / 2) of[c] += period;
    }
    return vec3(of[0], of[1], of[2]);
}

static inline const char *sph_name(const SphStep *step)
{
    return step->state->members[0].system->name;
}

/* ---- heat (heat.c, heat_conduct.c) ---- */

/* The member's part of what the definition says. */
mote_Status sph_take_heat(SphState *state, SphMember *member, const mote_SphSolver *own,
                          mote_Error *error);

/* What a definition says of heat; NULL: there is none, or all is at its default. */
const mote_LiquidHeat *sph_given_heat(const mote_SphSolver *own);

void sph_forecast_heat(const mote_SphSolver *own, const Outlook *outlook);

/* Viscosity by temperature (thickness.c): the same, of what goes with heat. */
mote_Status sph_take_thickness(SphState *state, SphMember *member, mote_Error *error);

/* The viscosity that a liquid is given, m^2/s; by a table the largest. */
double sph_thickest(const mote_SphSolver *params);

/* Viscosity at a temperature over that at the reference. */
double sph_thickness(const SphMember *member, double kelvin);

/* Temperatures into step->theta; what they do to accelerations and viscosities. */
mote_Status sph_begin_heat(SphStep *step, mote_Error *error);

/* K: what the planes of temperatures count from. */
double sph_heat_reference(const SphStep *step);

/* Conduction over the sub-step, and what walls get. */
mote_Status sph_conduct(SphStep *step, mote_Error *error);

/* ---- surface tension (tension.c) ---- */

mote_Status sph_open_tension(const SolverSite *site, const mote_SphSolver *own, SphState *state,
                             mote_Error *error);
void sph_close_tension(SphState *state, Memory *memory);
void sph_forecast_tension(const mote_SphSolver *own, const Outlook *outlook);

/* Its forces, into step->a. */
mote_Status sph_pull(SphStep *step, mote_Error *error);

/* Surface tension over the density of the lightest liquid, m^3/s^2; 0: there is none. */
double sph_tension(const SphState *state);

/* sqrt(sigma / (rho d)), m/s: what it does to a spacing of the surface. */
double sph_ripple_speed(const SphState *state);

/* Radius of the widest kernel of the liquid, m: that of tension, or its own. */
double sph_widest(const SphState *state);

/* The longest sub-step that it allows, s. */
double sph_tension_limit(const SphState *state);

/* ---- for pressure rows (step.c, forces.c) ---- */

/* A plane by place from the sub-step's arena; NULL when out of memory. */
mote_real *sph_plane(const SphStep *step);
mote_Status sph_no_memory(const SphStep *step, mote_Error *error);

/* Calls body(step, begin, end, worker) for places in parallel. */
typedef void SphBody(SphStep *step, size_t begin, size_t end, int worker);
void sph_for_places(SphStep *step, SphBody *body);

/* The same for rods, and the sum of what it left in of_rods, one number a rod. */
double sph_sum_rods(const SphStep *step, mote_TaskBody *body, void *context, const double *of_rods);

/* Room for one number a rod; NULL when out of memory. */
double *sph_rod_plane(const SphStep *step);

/* The terms that the liquid's parameters ask for, with this speed of sound. */
PairTerms sph_terms(const SphStep *step, double sound);

/* The same for the loops over pairs. */
ForceInput sph_force_input(const SphStep *step, const PairTerms *terms, const Packet *packets);

/* ---- friction (forces.c, friction.c) ---- */

/* The largest kinematic viscosity of a member; 0 where the model has none. */
double sph_viscosity(const SphState *state);

/* Parameters of a model that has friction; NULL of others. */
const mote_LaminarViscosity *sph_laminar(const SphState *state);

/* What of it limits sub-steps: 0 where they may be longer, because friction is implicit then. */
double sph_explicit_viscosity(const SphState *state);

/* The longest sub-step of explicit friction, 0.125 h^2 / nu; s. */
double sph_friction_limit(const SphState *state, double nu);

/* Whether this sub-step is longer than that: then sph_terms have no laminar friction, and sph_rub
 * does all of it. */
bool sph_friction_is_implicit(const SphStep *step);

/* The laminar terms of all of it. */
void sph_add_laminar(const SphStep *step, PairTerms *terms);

/* Friction with walls, and implicit friction, into step->a and the colliders' loads. All other
 * accelerations are there. */
mote_Status sph_rub(SphStep *step, mote_Error *error);

/* Adds what pressures (step->pressure) and these terms do to step->a; sets step->move's excess over
 * v with XSPH, and the rate. With pressures of zero it is friction alone. */
mote_Status sph_add_forces(SphStep *step, const PairTerms *terms, mote_Error *error);

/* Limits that all rows share: 0.25 sqrt(h / a) and 0.125 h^2 / nu, with h = H / 2; s. */
double sph_common_limit(const SphState *state);

/* The world's gravity, m/s^2. */
double sph_gravity(const SolverStep *step);

/* ---- the solver row (begin.c, step.c) ---- */

/* A sub-step with nothing in it yet. */
SphStep sph_make_step(const SolverStep *outer);

/* A piece of it on the processor, or with a device beside it. */
mote_Status sph_solve_piece(const SolverStep *outer, SolveResult *result, mote_Error *error);

/* How dense the liquid was: the sum over all particles, and the largest, also away from walls. */
void sph_tell_crowding(SphStep *step, double sum, double worst, double inner);

/* The row's `solve` and `limit`. */
mote_Status sph_solve(const SolverStep *outer, mote_Error *error);
double sph_limit(const SolverStep *outer);

/* Once per sub-step: masses of new rows, and now and then rows sorted by cell. */
mote_Status sph_begin(const SolverStep *outer, mote_Error *error);

CellSpace sph_space(const SolverStep *outer);

/* ---- particle shifting, after the pressure row and before positions move ---- */

/* Adds to step->move, and makes it where there is none. Needs step->fill. */
mote_Status sph_shift(SphStep *step, mote_Error *error);

#endif
