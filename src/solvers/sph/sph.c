/* Solver `sph`: parameters, opening, state. */
#include "solvers/sph/sph.h"

#include "base/status.h"
#include "solvers/sph/backend.h"
#include "solvers/sph/boundary.h"
#include "solvers/sph/foam.h"

#include <string.h>

static const char *const pressure_kind[] = {"pressure", "dfsph", "pressures", NULL};
static const char *const viscosity_kind[] = {"viscosity", "morris", "viscosities", NULL};
static const char *const smoothing_kind[] = {"smoothing", "cubic-spline", NULL};
static const char *const boundary_kind[] = {"boundary", "analytic", NULL};
static const char *const system_kind[] = {"system", NULL};
static const char *const tension_kind[] = {"tension", "none", "tensions", NULL};
static const char *const heat_kind[] = {"heat", "none", "heats", NULL};

static const mote_Param params[] = {
    PARAM_METHOD(mote_SphSolver, pressure, "what keeps the liquid together", pressure_kind),
    PARAM_METHOD(mote_SphSolver, viscosity_model, "friction within the liquid", viscosity_kind),
    PARAM_NAME(mote_SphSolver, kernel, "smoothing kernel", smoothing_kind),
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
    PARAM_BOOL(mote_SphSolver, clamp, "pressures below 0 count as 0, as free surfaces need", 1),
    PARAM_NAME(mote_SphSolver, joins,
               "an earlier system whose liquid it meets; then rest_density, viscosity, "
               "wall_viscosity and heat are its own, all else is that system's",
               system_kind),
    PARAM_METHOD(mote_SphSolver, heat, "whether it conducts heat", heat_kind),
    PARAM_METHOD(mote_SphSolver, tension, "what pulls its surface together", tension_kind),
};

ROW_DEFAULTS(sph_solver_row.head, mote_SphSolver, mote_sph_solver_def)

/* ---- the families ---- */

#define DECLARE_PRESSURE(row) extern const PressureRow row;
PRESSURE_ROWS(DECLARE_PRESSURE)
ROW_TABLE(pressure_rows, PRESSURE_ROWS(ROW_ADDRESS_ONLY))

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
    state->viscosity =
        (const ViscosityRow *)find(site, viscosity_rows, "viscosity", own->viscosity_model, error);
    if (state->viscosity == NULL) return MOTE_BAD_VALUE;
    state->boundary =
        (const BoundaryRow *)find(site, boundary_rows, "boundary", own->boundary, error);
    return state->boundary != NULL ? MOTE_OK : MOTE_BAD_VALUE;
}

/* A copy of a method's parameters, which the caller's live no longer than opening. */
static mote_Status keep_params(const SolverSite *site, const mote_Row *row, const void *given,
                               void **kept, mote_Error *error)
{
    if (row->params_size == 0) return MOTE_OK;
    mote_Status status = given != NULL ? mote_row_check(row, site->where, given, error) : MOTE_OK;
    if (status != MOTE_OK) return status;
    *kept = memory_take(site->memory, row->params_size);
    if (*kept == NULL) return status_no_memory(error, site->where, row->params_size);
    if (given != NULL)
        memcpy(*kept, given, row->params_size);
    else
        mote_row_defaults(row, *kept);
    return MOTE_OK;
}

static mote_Status open_parts(const SolverSite *site, const mote_SphSolver *own, SphState *state,
                              mote_Error *error)
{
    mote_Status status = keep_params(site, &state->pressure->head, own->pressure_params,
                                     &state->pressure_params, error);
    if (status == MOTE_OK)
        status = keep_params(site, &state->viscosity->head, own->viscosity_model_params,
                             &state->viscosity_params, error);
    const size_t size = state->pressure->own_size;
    if (status != MOTE_OK || size == 0) return status;
    state->pressure_own = memory_zeroed(site->memory, size);
    return state->pressure_own != NULL ? MOTE_OK : status_no_memory(error, site->where, size);
}

static void close_parts(Memory *memory, SphState *state)
{
    if (state->pressure != NULL) {
        memory_free(memory, state->pressure_params, state->pressure->head.params_size);
        memory_free(memory, state->pressure_own, state->pressure->own_size);
    }
    if (state->viscosity != NULL)
        memory_free(memory, state->viscosity_params, state->viscosity->head.params_size);
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

static mote_Status open_state(const SolverSite *site, Solver *solver, mote_Error *error)
{
    const mote_SphSolver *own = sph_params(solver);
    SphState *state = solver->state;
    mote_Status status = find_rows(site, own, state, error);
    if (status != MOTE_OK) return status;
    set_kernel(site, own, state);
    state->lists = neighbours_make(site->memory);
    status = open_parts(site, own, state, error);
    if (status == MOTE_OK) status = sph_open_tension(site, own, state, error);
    if (status == MOTE_OK) status = check_box(site, sph_widest(state), error);
    return status == MOTE_OK ? sph_add_member(solver, own, error) : status;
}

static void close(Memory *memory, Solver *solver)
{
    SphState *state = solver->state;
    close_parts(memory, state);
    sph_close_device(state, memory);
    if (state->lists.memory != NULL) neighbours_free(&state->lists);
    walls_free(&state->walls, memory);
    sph_close_tension(state, memory);
    sampled_free(state, memory);
    foams_free(state, memory);
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
                                       {"squeeze", MOTE_ARRAY_F64, 1, 1, 1, &state->squeeze},
                                       {"last", MOTE_ARRAY_F64, 1, 1, 1, &state->last}};
    size_t count = sizeof scalars / sizeof scalars[0];
    for (size_t i = 0; i < count; ++i) arrays[i] = scalars[i];
    if (state->thins)
        arrays[count++] = (mote_StateArray){"thickest", MOTE_ARRAY_F64, 1, 1, 1, &state->thickest};
    if (state->foam_count > 0) arrays[count++] = foams_saved(state);
    if (state->pressure->saved != NULL)
        count += state->pressure->saved(state->pressure_own, arrays + count);
    return count;
}

static void forget(Solver *solver)
{
    SphState *state = solver->state;
    for (size_t m = 0; m < state->member_count; ++m)
        state->members[m].next_id = state->members[m].checked_id = 0;
    sph_forget_rows(state);
    solver->away = false;
    for (size_t k = 0; k < state->foam_count; ++k) state->foams[k].birth_count = 0;
}

static void lose_wall(Solver *solver, const Collider *collider)
{
    sampled_lose(solver->state, collider);
}

/* ---- ranks ---- */

static mote_real reach(const Solver *solver)
{
    return ((const SphState *)solver->state)->kernel.support;
}

static const char *alone(const Solver *solver)
{
    const SphState *state = solver->state;
    if (state->member_count > 1) return "liquids that join";
    if (state->foam_count > 0) return "foam";
    if (state->warm) return "heat";
    if (sph_tension(state) > 0) return "surface tension";
    return state->pressure->spreads ? NULL : state->pressure->head.name;
}

/* ---- before a run ---- */

/* The row of that name, of a family whose first row is meant without one. */
static const mote_Row *named(const mote_Row *const *(*family)(Isa, size_t *), const char *name)
{
    size_t count;
    const mote_Row *const *rows = family(ISA_V1, &count);
    return name != NULL ? row_named(rows, count, name) : rows[0];
}

static const PressureRow *pressure_of(const mote_SphSolver *p)
{
    return (const PressureRow *)(const void *)named(pressure_rows, p->pressure);
}

/* Lists of neighbours, filled up to eights, and the planes of a sub-step. */
static void tell_facts(const void *raw, bool flat, SolverFacts *facts)
{
    enum { ENTRY = 4 };
    const mote_SphSolver *p = raw;
    const PressureRow *pressure = pressure_of(p);
    double h = (double)p->support, around = flat ? 3.14 * h * h : 4.19 * h * h * h;
    facts->spacing = (double)p->spacing;
    facts->support = h;
    facts->bytes = ENTRY * 1.1 * (around + 4);
    if (pressure != NULL) facts->bytes += (double)pressure->planes * (double)sizeof(mote_real);
}

static void forecast(const void *raw, const Outlook *outlook)
{
    const mote_SphSolver *p = raw;
    const PressureRow *pressure = pressure_of(p);
    const ViscosityRow *viscosity = (const void *)named(viscosity_rows, p->viscosity_model);
    if (viscosity != NULL && viscosity->forecast != NULL && p->viscosity_model_params != NULL)
        viscosity->forecast(p, p->viscosity_model_params, outlook);
    sph_forecast_tension(p, outlook);
    sph_forecast_heat(p, outlook);
    if (pressure != NULL && pressure->forecast != NULL && p->pressure_params != NULL)
        pressure->forecast(p->pressure_params, outlook);
}

const SolverRow sph_solver_row = {
    .head = ROW_HEAD("sph", "a liquid: smoothed particle hydrodynamics (Monaghan 1992)", params,
                     mote_SphSolver),
    .check = check,
    .open = open,
    .close = close,
    .join = sph_join,
    .leave = sph_leave,
    .inherit = sph_inherit,
    .joins = &sph_solver_row,
    .joins_at = offsetof(mote_SphSolver, joins),
    .limit = sph_limit,
    .begin = sph_begin,
    .solve = sph_solve,
    .finish = foams_bear,
    .saved = saved,
    .home = sph_come_home,
    .forget = forget,
    .facts = tell_facts,
    .forecast = forecast,
    .lose_wall = lose_wall,
    .look = "water",
    .reach = reach,
    .alone = alone,
    .off_device = sph_off_device,
};
