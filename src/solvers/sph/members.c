/* Liquids that are solved together: who they are, and their rows as places of one sub-step.
 *
 * All in volumes: a particle of any liquid has V = d^D, so densities are sums of V W, and nothing
 * jumps at an interface but the mass. With s the rest density over the host's,
 *
 *     m_i = s_i m,   m_i a_i = -m^2 sum_j (P_i/rho_i^2 + P_j/rho_j^2) grad W_ij
 *
 * where m and rho are as if all were the host's liquid: sums are those of one liquid, and pair
 * forces are equal and opposite. Plain sums of m_j W see a density between both beside an
 * interface, and pressures that are off by the ratio of the densities: a gap, and a layer that is
 * thrown about.
 *
 * References: Solenthaler and Pajarola 2008; Hu and Adams 2006 (volumes; harmonic viscosity). */
#include "solvers/sph/sph.h"

#include "base/status.h"
#include "solvers/sph/foam.h"
#include "solvers/sph/ghosts.h"

#include <math.h>
#include <string.h>

enum { BLOCKS_PER_TASK = 16 };

/* ---- joining ---- */

static mote_Status add_columns(const SphState *state, const mote_SphSolver *host,
                               const mote_SphSolver *own, SphMember *member, mote_Error *error)
{
    mote_System *system = member->system;
    const mote_Column all[] = {
        [SPH_DENSITY] = {.name = "density",
                         .unit = "kg/m^3",
                         .stage = "solve",
                         .components = 1,
                         .fallback = (double)own->rest_density},
        [SPH_PRESSURE] = {.name = "pressure", .unit = "Pa", .stage = "solve", .components = 1},
        [SPH_WALL_FORCE] = {.name = "wall_force", .unit = "N", .stage = "solve", .components = 3},
        [SPH_TEMPERATURE] = {.name = "temperature",
                             .unit = "K",
                             .stage = "solve",
                             .components = 1,
                             .fallback = (double)member->heat.reference},
        [SPH_WARMTH] = {
            .name = "warmth", .unit = "K", .stage = "solve", .components = 1, .internal = true}};
    const bool wanted[SPH_OWN] = {true, true, host->wall_forces, state->warm, state->warm};
    mote_Status status = MOTE_OK;
    for (int c = 0; c < SPH_OWN && status == MOTE_OK; ++c) {
        member->column[c] = system->column_count;
        if (wanted[c]) status = mote_system_add_column(system, &all[c], error);
    }
    member->column[SPH_OWN] = system->column_count;
    for (size_t i = 0; i < state->pressure->column_count && status == MOTE_OK; ++i)
        status = mote_system_add_column(system, &state->pressure->columns[i], error);
    return status;
}

mote_Status sph_add_member(Solver *solver, const mote_SphSolver *own, mote_Error *error)
{
    SphState *state = solver->state;
    const mote_SphSolver *host = sph_params(solver);
    const size_t number = solver->system_count - 1;
    mote_System *system = solver->systems[number];
    SphMember *member = &state->members[state->member_count];
    const double weight = (double)own->rest_density / (double)host->rest_density;
    *member = (SphMember){.system = system,
                          .number = number,
                          .mass = (mote_real)weight * state->mass,
                          .weight = (mote_real)weight,
                          .viscosity = state->viscosity->add_terms != NULL ? own->viscosity : 0,
                          .wall_viscosity = own->wall_viscosity};
    system->support = state->kernel.support;
    system->rest_density = own->rest_density;
    mote_Status status = sph_take_heat(state, member, own, error);
    if (status == MOTE_OK) status = add_columns(state, host, own, member, error);
    if (status == MOTE_OK) ++state->member_count;
    return status;
}

/* What a liquid that joins has of its own. */
static bool is_its_own(const mote_Param *param)
{
    static const size_t own[] = {
        offsetof(mote_SphSolver, joins), offsetof(mote_SphSolver, rest_density),
        offsetof(mote_SphSolver, viscosity), offsetof(mote_SphSolver, wall_viscosity),
        offsetof(mote_SphSolver, heat)};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
        if (param->offset == own[i]) return true;
    return false;
}

static bool same_name(const char *a, const char *b)
{
    return a == NULL || (b != NULL && strcmp(a, b) == 0);
}

/* Whether a parameter is the host's, or was left at its default. */
static bool is_hosts(const mote_Param *param, const char *own, const char *host)
{
    const void *a = own + param->offset, *b = host + param->offset;
    switch (param->type) {
    case MOTE_PARAM_REAL:
        return *(const mote_real *)a == *(const mote_real *)b ||
               *(const mote_real *)a == (mote_real)param->fallback[0];
    case MOTE_PARAM_BOOL:
        return *(const bool *)a == *(const bool *)b ||
               *(const bool *)a == (param->fallback[0] != 0);
    default:
        return same_name(*(const char *const *)a, *(const char *const *)b);
    }
}

void sph_inherit(void *params, const void *host)
{
    mote_SphSolver *own = params, given = *own;
    *own = *(const mote_SphSolver *)host;
    own->joins = given.joins;
    own->rest_density = given.rest_density;
    own->viscosity = given.viscosity, own->wall_viscosity = given.wall_viscosity;
    own->heat = given.heat, own->heat_params = given.heat_params;
}

static mote_Status check_joining(const SolverSite *site, const Solver *solver, const void *own,
                                 mote_Error *error)
{
    const mote_Row *row = &solver->row->head;
    mote_Status status = mote_row_check(row, site->where, own, error);
    for (size_t i = 0; i < row->param_count && status == MOTE_OK; ++i) {
        const mote_Param *param = &row->params[i];
        if (!is_its_own(param) && !is_hosts(param, own, solver->object.params))
            status = status_fail(error, MOTE_BAD_VALUE,
                                 "%s: solver.%s is that of system %s, which it joins; leave it out "
                                 "(its own are rest_density, viscosity, wall_viscosity and heat)",
                                 site->where, param->name, solver->object.name);
    }
    return status;
}

/* What is lighter is thrown about by pressures of what is heavier, and needs as much shorter
 * sub-steps: a gas is no liquid among them. */
static mote_Status check_ratio(const SolverSite *site, const Solver *solver,
                               const mote_SphSolver *own, mote_Error *error)
{
    const double most = 100, host = (double)sph_params(solver)->rest_density;
    const double ratio = fmax((double)own->rest_density / host, host / (double)own->rest_density);
    if (ratio <= most * 1.0001) return MOTE_OK;
    return status_fail(
        error, MOTE_BAD_VALUE,
        "%s: solver.rest_density is %g kg/m^3 where that of system %s is %g; liquids "
        "that meet may differ by a factor of %g: use %g to %g, and leave out air",
        site->where, (double)own->rest_density, solver->object.name, host, most, host / most,
        host * most);
}

mote_Status sph_join(const SolverSite *site, Solver *solver, const void *params, mote_Error *error)
{
    mote_Status status = check_joining(site, solver, params, error);
    if (status == MOTE_OK) status = check_ratio(site, solver, params, error);
    return status == MOTE_OK ? sph_add_member(solver, params, error) : status;
}

void sph_leave(Solver *solver, size_t number)
{
    SphState *state = solver->state;
    size_t left = 0;
    foams_leave(state, number, solver->systems[number]);
    for (size_t m = 0; m < state->member_count; ++m) {
        SphMember member = state->members[m];
        if (member.number == number) continue;
        member.number -= member.number > number;
        state->members[left++] = member;
    }
    state->member_count = left;
}

/* ---- rows ---- */

typedef struct RowsLoop {
    SphStep *step;
    SphRowsBody *body;
    void *context;
    size_t member;
} RowsLoop;

static void rows_body(void *context, size_t begin, size_t end, int worker)
{
    const RowsLoop *loop = context;
    const size_t *bounds = loop->step->first + loop->member, all = bounds[1] - bounds[0];
    for (size_t block = begin; block < end; ++block) {
        const size_t first = block * BLOCK_ROWS, left = all - first;
        const SphRows rows = {.member = &loop->step->state->members[loop->member],
                              .number = loop->step->state->members[loop->member].number,
                              .first = first,
                              .count = left < BLOCK_ROWS ? left : BLOCK_ROWS,
                              .place = loop->step->place + bounds[0] + first};
        loop->body(loop->step, &rows, loop->context, worker);
    }
}

void sph_for_rows(SphStep *step, SphRowsBody *body, void *context)
{
    for (size_t m = 0; m < step->state->member_count; ++m) {
        RowsLoop loop = {step, body, context, m};
        const size_t blocks = (step->first[m + 1] - step->first[m] + BLOCK_ROWS - 1) / BLOCK_ROWS;
        mote_parallel_for(step->outer->tasks, blocks, BLOCKS_PER_TASK, rows_body, &loop);
    }
}

/* Several ids become one: of two particles at one place, in one cell, the order must be known. */
static void copy_points(const SphStep *step, size_t m, mote_real *const x[3], uint64_t *ids)
{
    const CellPoints own = cell_points_of(step->state->members[m].system);
    const size_t first = step->first[m], count = step->first[m + 1] - first;
    for (int c = 0; c < 3 && count > 0; ++c)
        memcpy(x[c] + first, own.x[c], count * sizeof(mote_real));
    for (size_t i = 0; i < count; ++i) ids[first + i] = own.ids[i] * SOLVER_SYSTEMS + m;
}

bool sph_points(const SphStep *step, CellPoints *points)
{
    if (step->ghosts != NULL) {
        *points = step->ghosts->points;
        return true;
    }
    *points = cell_points_of(step->state->members[0].system);
    points->count = step->rows;
    if (step->state->member_count == 1) return true;
    mote_real *x[3];
    bool room = true;
    uint64_t *ids = arena_take(step->outer->arena, (step->rows + 1) * sizeof *ids);
    for (int c = 0; c < 3; ++c) {
        points->x[c] = x[c] = sph_plane(step);
        room = room && x[c] != NULL;
    }
    points->ids = ids;
    if (!room || ids == NULL) return false;
    for (size_t m = 0; m < step->state->member_count; ++m) copy_points(step, m, x, ids);
    return true;
}

/* ---- planes by place ---- */

typedef struct ColumnWork {
    size_t column;
    mote_real *plane;
    bool back;
} ColumnWork;

static size_t number_of(const SphMember *member, size_t column)
{
    return column < SPH_OWN ? member->column[column] : member->column[SPH_OWN] + column - SPH_OWN;
}

static void column_body(SphStep *step, const SphRows *rows, void *context, int worker)
{
    const ColumnWork *work = context;
    const size_t number = number_of(rows->member, work->column);
    mote_real *own = column_real(&rows->member->system->columns[number], 0) + rows->first;
    (void)step, (void)worker;
    for (size_t i = 0; i < rows->count && !work->back; ++i) work->plane[rows->place[i]] = own[i];
    for (size_t i = 0; i < rows->count && work->back; ++i) own[i] = work->plane[rows->place[i]];
}

mote_real *sph_from_rows(SphStep *step, size_t column)
{
    ColumnWork work = {column, sph_plane(step), false};
    if (work.plane != NULL) sph_for_rows(step, column_body, &work);
    return work.plane;
}

void sph_to_rows(SphStep *step, size_t column, const mote_real *plane)
{
    ColumnWork work = {column, (mote_real *)plane, true};
    sph_for_rows(step, column_body, &work);
}

/* ---- traits ---- */

static Trait trait_of(const SphMember *member)
{
    const mote_real nu = member->viscosity, at_walls = member->wall_viscosity;
    const mote_real k = member->heat.conductivity;
    return (Trait){.light = 1 / member->weight,
                   .thin = nu > 0 ? 1 / (nu * member->weight) : (mote_real)INFINITY,
                   .walls = at_walls >= 0 ? at_walls : nu,
                   .resist = k > 0 ? 1 / k : (mote_real)INFINITY};
}

static void trait_body(SphStep *step, const SphRows *rows, void *context, int worker)
{
    Trait *traits = context;
    const Trait own = trait_of(rows->member);
    (void)step, (void)worker;
    for (size_t i = 0; i < rows->count; ++i) traits[rows->place[i]] = own;
}

mote_Status sph_set_traits(SphStep *step, mote_Error *error)
{
    if (step->state->member_count == 1 && !step->state->warm) return MOTE_OK;
    Trait *traits = arena_take(step->outer->arena, (step->rows + 1) * sizeof *traits);
    if (traits == NULL) return sph_no_memory(step, error);
    sph_for_rows(step, trait_body, traits);
    step->traits = traits;
    return MOTE_OK;
}
