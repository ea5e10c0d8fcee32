/* Solver `sph`: parameters, opening, state. */
#include "solvers/sph/sph.h"

#include "base/status.h"
#include "solvers/sph/sampled.h"
#include "solvers/sph/step.h"

#include <math.h>

static const char *const pressure_kind[] = {"pressure", "dfsph", NULL};
static const char *const smoothing_kind[] = {"smoothing", "cubic-spline", NULL};
static const char *const viscosity_kind[] = {"viscosity", "morris", NULL};
static const char *const boundary_kind[] = {"boundary", "analytic", NULL};
static const char *const densities[] = {"sum", "continuity", NULL};
static const char *const divergences[] = {"sum", "linear", NULL};

static const mote_Param params[] = {
    PARAM_NAME(mote_SphSolver, pressure, "what keeps the liquid together", pressure_kind),
    PARAM_NAME(mote_SphSolver, kernel, "smoothing kernel", smoothing_kind),
    PARAM_NAME(mote_SphSolver, friction, "friction within the liquid", viscosity_kind),
    PARAM_NAME(mote_SphSolver, boundary, "how walls are felt", boundary_kind),
    PARAM_REAL(mote_SphSolver, spacing, "m", "distance of particles at rest", 0.02, PARAM_POSITIVE,
               PARAM_LARGEST),
    PARAM_REAL(mote_SphSolver, support, "spacings", "radius of the kernel, at least 1.5", 2, 0, 10),
    PARAM_REAL(mote_SphSolver, rest_density, "kg/m^3", "density of the liquid", 1000,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(mote_SphSolver, viscosity, "m^2/s", "kinematic viscosity; water has 1e-6", 1e-6, 0,
               PARAM_LARGEST),
    PARAM_REAL(mote_SphSolver, wall_viscosity, "m^2/s",
               "viscosity at walls: 0 slips freely, -1 is the liquid's own", -1, -1, PARAM_LARGEST),
    PARAM_REAL(mote_SphSolver, artificial, "",
               "Monaghan's artificial viscosity, which keeps weakly compressible liquids calm",
               0.02, 0, 10),
    PARAM_BOOL(mote_SphSolver, wall_forces,
               "keep what walls do to each particle as a column, for pressure gauges in walls", 0),
    PARAM_REAL(mote_SphSolver, xsph, "", "share of the neighbours' mean velocity in the motion", 0,
               0, 1),
    PARAM_REAL(mote_SphSolver, shifting, "",
               "drift from where particles are crowded, against clumps; 1 is usual (Sun 2017)", 0,
               0, 10),
    PARAM_REAL(mote_SphSolver, cfl, "", "factor on the sub-steps that are stable", 1,
               PARAM_POSITIVE, 4),
    PARAM_REAL(mote_SphSolver, sound, "m/s",
               "speed of sound of wcsph; 0: `mach` times the speed expected", 0, 0, PARAM_LARGEST),
    PARAM_REAL(mote_SphSolver, mach, "", "speed of sound over the largest speed, for wcsph", 10, 1,
               1000),
    PARAM_CHOICE(mote_SphSolver, density, "densities of wcsph: sums, or the continuity equation",
                 densities, 0),
    PARAM_REAL(mote_SphSolver, density_error, "",
               "mean error of the density that dfsph leaves; the largest is 20 times as much", 5e-4,
               1e-7, 1),
    PARAM_REAL(mote_SphSolver, divergence_error, "",
               "mean compression in a sub-step that dfsph leaves in velocities", 1e-4, 1e-7, 1),
    PARAM_CHOICE(mote_SphSolver, divergence,
                 "of dfsph's velocities: the change of sums, or corrected sums that are right for "
                 "linear flows, so that vortices and waves keep their energy",
                 divergences, 0),
    PARAM_COUNT(mote_SphSolver, most_iterations, "of each of dfsph's solves", 200, 1, 100000),
    PARAM_REAL(mote_SphSolver, diffusion, "", "of density, with the continuity equation", 0.1, 0,
               1),
    PARAM_BOOL(mote_SphSolver, clamp, "pressures below 0 count as 0, as free surfaces need", 1),
    PARAM_REAL(mote_SphSolver, impact, "",
               "Monaghan's beta: viscosity of what clashes, at walls too, against its ringing", 0,
               0, 100),
    PARAM_REAL(mote_SphSolver, background, "Pa",
               "pressure that spreads particles of wcsph evenly, for boxes without free surface", 0,
               0, PARAM_LARGEST),
};

mote_SphSolver mote_sph_solver_def(void)
{
    mote_SphSolver def;
    mote_row_defaults(&sph_solver_row.head, &def);
    return def;
}

/* ---- the families ---- */

const ViscosityRow viscosity_morris = {
    .head = {.name = "morris", .doc = "laminar friction with SI viscosity (Morris 1997)"},
    .laminar = true};
const ViscosityRow viscosity_monaghan = {
    .head = {.name = "monaghan",
             .doc = "laminar friction along the line of each pair: SI viscosity, angular momentum "
                    "kept, and the stress at free surfaces right (Monaghan and Gingold 1983)"},
    .laminar = true,
    .central = true};
const ViscosityRow viscosity_none = {
    .head = {.name = "none", .doc = "no friction but the artificial viscosity"}};

#define DECLARE_PRESSURE(row) extern const PressureRow row;
PRESSURE_ROWS(DECLARE_PRESSURE)
#define HEAD(row) &row.head,

const mote_Row *const *pressure_rows(Isa isa, size_t *count)
{
    static const mote_Row *const rows[] = {PRESSURE_ROWS(HEAD)};
    (void)isa;
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

const mote_Row *const *viscosity_rows(Isa isa, size_t *count)
{
    static const mote_Row *const rows[] = {VISCOSITY_ROWS(HEAD)};
    (void)isa;
    *count = sizeof rows / sizeof rows[0];
    return rows;
}

/* ---- opening ---- */

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_SphSolver *own = raw;
    if (!(own->support >= (mote_real)1.5))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: a support of %g spacings leaves particles without neighbours; use "
                           "1.5 or more (2 is usual)",
                           where, (double)own->support);
    return MOTE_OK;
}

static mote_Status check_box(const SolverSite *site, double support, mote_Error *error)
{
    for (int c = 0; c < (site->dimension == 2 ? 2 : 3); ++c)
        if (site->period[c] > 0 && !((double)site->period[c] >= 2 * support))
            return status_fail(error, MOTE_BAD_VALUE,
                               "%s: the periodic box is %g m along %c, but the kernel needs %g m: "
                               "make the box larger or the spacing smaller",
                               site->where, (double)site->period[c], "xyz"[c], 2 * support);
    return MOTE_OK;
}

typedef const mote_Row *const *Family(Isa isa, size_t *count);

static const mote_Row *find(const SolverSite *site, Family *family, const char *kind,
                            const char *name, mote_Error *error)
{
    size_t count;
    const mote_Row *const *rows = family(site->isa, &count);
    return name != NULL ? row_find(rows, count, site->where, kind, name, error) : rows[0];
}

static mote_Status find_rows(const SolverSite *site, const mote_SphSolver *own, SphState *state,
                             mote_Error *error)
{
    state->pressure =
        (const PressureRow *)find(site, pressure_rows, "pressure", own->pressure, error);
    if (state->pressure == NULL) return MOTE_BAD_VALUE;
    state->smoothing =
        (const SmoothingRow *)find(site, smoothing_rows, "smoothing kernel", own->kernel, error);
    if (state->smoothing == NULL) return MOTE_BAD_VALUE;
    state->friction =
        (const ViscosityRow *)find(site, viscosity_rows, "viscosity", own->friction, error);
    if (state->friction == NULL) return MOTE_BAD_VALUE;
    state->boundary =
        (const BoundaryRow *)find(site, boundary_rows, "boundary", own->boundary, error);
    return state->boundary != NULL ? MOTE_OK : MOTE_BAD_VALUE;
}

/* Particles have the mass of their share of the liquid, and a full lattice has the rest density. */
static void set_kernel(const SolverSite *site, const mote_SphSolver *own, SphState *state)
{
    double spacing = (double)own->spacing, support = spacing * (double)own->support;
    double share = site->dimension == 2 ? spacing * spacing : spacing * spacing * spacing;
    state->kernel = smoothing_calibrated(state->smoothing, site->dimension, support, spacing);
    state->mass = (mote_real)((double)own->rest_density * share);
    walls_make(&state->walls, state->smoothing, site->dimension, 1 / (double)own->support,
               site->isa);
    Smoothing plain = smoothing_make(state->smoothing, site->dimension, support);
    walls_calibrate(&state->walls, state->kernel.slope_scale / plain.slope_scale);
}

static mote_Status add_columns(mote_System *system, const mote_SphSolver *own, SphState *state,
                               mote_Error *error)
{
    mote_Column density = {.name = "density",
                           .unit = "kg/m^3",
                           .stage = "solve",
                           .components = 1,
                           .fallback = (double)own->rest_density};
    mote_Column pressure = {.name = "pressure", .unit = "Pa", .stage = "solve", .components = 1};
    mote_Column force = {.name = "wall_force", .unit = "N", .stage = "solve", .components = 3};
    state->density_column = system->column_count;
    mote_Status status = mote_system_add_column(system, &density, error);
    state->pressure_column = system->column_count;
    if (status == MOTE_OK) status = mote_system_add_column(system, &pressure, error);
    if (status != MOTE_OK || !own->wall_forces) return status;
    state->wall_column = system->column_count;
    return mote_system_add_column(system, &force, error);
}

static mote_Status open_state(const SolverSite *site, Solver *solver, mote_Error *error)
{
    const mote_SphSolver *own = sph_params(solver);
    SphState *state = solver->state;
    mote_System *system = solver->systems[0];
    mote_Status status = find_rows(site, own, state, error);
    if (status != MOTE_OK) return status;
    set_kernel(site, own, state);
    state->lists = neighbours_make(site->memory);
    system->support = state->kernel.support;
    system->rest_density = own->rest_density;
    status = check_box(site, (double)state->kernel.support, error);
    if (status == MOTE_OK) status = add_columns(system, own, state, error);
    if (status == MOTE_OK && state->pressure->open != NULL)
        status = state->pressure->open(site, solver, error);
    return status;
}

static void close(Memory *memory, Solver *solver)
{
    SphState *state = solver->state;
    if (state->pressure != NULL && state->pressure->close != NULL)
        state->pressure->close(memory, solver);
    if (state->lists.memory != NULL) neighbours_free(&state->lists);
    walls_free(&state->walls, memory);
    sampled_free(state, memory);
    memory_free(memory, state, sizeof *state);
    solver->state = NULL;
}

static mote_Status open(const SolverSite *site, Solver *solver, mote_Error *error)
{
    solver->state = memory_zeroed(site->memory, sizeof(SphState));
    if (solver->state == NULL) return status_no_memory(error, site->where, sizeof(SphState));
    mote_Status status = open_state(site, solver, error);
    if (status != MOTE_OK) close(site->memory, solver);
    return status;
}

static size_t saved(Solver *solver, mote_StateArray arrays[SOLVER_SAVED])
{
    SphState *state = solver->state;
    const mote_StateArray scalars[] = {{"fastest", MOTE_ARRAY_F64, 1, 1, 1, &state->fastest},
                                       {"drop", MOTE_ARRAY_F64, 1, 1, 1, &state->drop},
                                       {"push", MOTE_ARRAY_F64, 1, 1, 1, &state->push},
                                       {"sound", MOTE_ARRAY_F64, 1, 1, 1, &state->sound}};
    size_t count = sizeof scalars / sizeof scalars[0];
    for (size_t i = 0; i < count; ++i) arrays[i] = scalars[i];
    return count;
}

static void forget(Solver *solver)
{
    SphState *state = solver->state;
    state->next_id = state->checked_id = 0;
}

const SolverRow sph_solver_row = {
    .head = ROW_HEAD("sph", "a liquid: smoothed particle hydrodynamics (Monaghan 1992)", params,
                     mote_SphSolver),
    .check = check,
    .open = open,
    .close = close,
    .limit = sph_limit,
    .begin = sph_begin,
    .solve = sph_solve,
    .saved = saved,
    .forget = forget,
    .look = "water",
};
