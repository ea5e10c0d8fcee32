/* Solver `vortex`: vortons that induce the flow, and systems of tracers that follow it.
 *
 * A sub-step: rows born since the last one get their vorticity; a grid over all particles takes the
 * velocity that the vortons induce, their density and mass shares; tracers follow it; vortons are
 * stretched, made by buoyancy, burn, diffuse, move, and meet walls. After Gourlay, Fluid simulation
 * for video games, parts 3 to 13, Intel 2009-2012. */
#include "solvers/vortex/solver.h"

#include "base/loop.h"
#include "base/math.h"
#include "base/status.h"
#include "solvers/vortex/boundary.h"
#include "solvers/vortex/walls.h"

#include <string.h>
#include <time.h>

/* ---- parameters ---- */

CORE_NAMES(core_names);
INDUCE_NAMES(induction_names);
static const char *const evaluation_names[] = {"grid", "vortons", NULL};
static const char *const scheme_names[] = {"euler", "rk2", "rk4", NULL};
static const char *const stretching_names[] = {"off", "classical", "transposed", "mixed", NULL};
static const char *const system_kind[] = {"system", NULL};

#define S mote_VortexSolver
static const mote_Param params[] = {
    PARAM_CHOICE(S, core, "how vorticity is spread about a vorton's centre", core_names, 0),
    PARAM_CHOICE(S, induction, "how velocity is had from vorticity", induction_names, 0),
    PARAM_REAL(S, angle, "", "tree: a cell this large over its distance is far", 1.15, 0.05, 1.5),
    PARAM_COUNT(S, order, "tree: stand-in sources along a far cell's edge; 1: one", 4, 1, 8),
    PARAM_CHOICE(S, evaluation,
                 "where velocity is computed: on a grid and interpolated, or at every vorton",
                 evaluation_names, 0),
    PARAM_CHOICE(S, scheme, "how vortons are moved; on a grid, how particles follow it",
                 scheme_names, 1),
    PARAM_CHOICE(S, stretching, "vortex stretching and tilting", stretching_names, 2),
    PARAM_REAL(S, resolution, "", "cells of the grid per vorton", 1, 0.01, 1e6),
    PARAM_REAL(S, mollify, "", "least core radius on the grid, in cells", 1, 0, 10),
    PARAM_REAL(S, viscosity, "m^2/s", "kinematic viscosity, by particle-strength exchange", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, exchange, "1/s", "the published exchange of vorticity between neighbours", 0, 0,
               10),
    PARAM_VEC3(S, wind, "m/s", "added to the induced velocity", 0, 0, 0),
    PARAM_REAL(S, density, "kg/m^3", "density of the surroundings", 1.2, PARAM_POSITIVE,
               PARAM_LARGEST),
    PARAM_REAL(S, temperature, "K", "temperature of the surroundings", 300, PARAM_POSITIVE,
               PARAM_LARGEST),
    PARAM_REAL(S, heat_capacity, "J/(kg K)", "specific heat at constant pressure", 1005,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(S, buoyancy, "", "gain of the vorticity made where light fluid meets heavy", 1, 0,
               1000),
    PARAM_REAL(S, diffusivity, "m^2/s", "thermal diffusivity, by particle-strength exchange", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, heat_exchange, "1/s", "the published exchange of heat between neighbours", 0, 0,
               10),
    PARAM_REAL(S, heat_loss, "1/s", "rate at which vortons cool to the surroundings", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, born_temperature, "K", "temperature of new vortons; 0: the surroundings'", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, born_fuel, "", "share of fuel in new vortons; the rest is smoke", 0, 0, 1),
    PARAM_REAL(S, born_volume, "m^3", "fluid a new vorton stands for; 0: a ball of its core", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, born_spin, "1/s", "random vorticity of new vortons", 0, 0, PARAM_LARGEST),
    PARAM_REAL(S, ignition, "K", "activation temperature of burning", 301.5, 0, PARAM_LARGEST),
    PARAM_REAL(S, burn_rate, "1/s", "rate of burning when very hot; 0: nothing burns", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, burn_heat, "J/kg", "heat of burning", 10000, 0, PARAM_LARGEST),
    PARAM_REAL(S, smoke_temperature, "K", "flame turns to smoke below about this", 2000,
               PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(S, smoke_rate, "1/s", "rate at which cold flame turns to smoke", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(S, boundary, "", "reach of walls, in core radii", 1.2, 0.1, 10),
    PARAM_REAL(S, shedding, "1/s",
               "rate at which vortons at walls take the vorticity that stops "
               "the flow there",
               3.16, 0, PARAM_LARGEST),
    PARAM_COUNT(S, ring_count, "vortex rings at the start", 0, 0, 64),
    PARAM_COUNT(S, ring_vortons, "vortons of a ring", 120, 8, 1e6),
    PARAM_REAL(S, ring_radius, "m", "radius of the rings", 0.5, PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(S, ring_core, "m", "core radius of the rings", 0.1, PARAM_POSITIVE, PARAM_LARGEST),
    PARAM_REAL(S, ring_circulation, "m^2/s", "circulation of the rings", 1, -PARAM_LARGEST,
               PARAM_LARGEST),
    PARAM_VEC3(S, ring_center, "m", "centre of the first ring", 0, 0, 0),
    PARAM_VEC3(S, ring_normal, "", "direction in which the rings travel", 0, 1, 0),
    PARAM_REAL(S, ring_gap, "m", "from one ring to the next, along the normal", 1, -PARAM_LARGEST,
               PARAM_LARGEST),
    PARAM_BOOL(S, ring_alternate, "every second ring turns the other way", 0),
};
#undef S
static const mote_Param tracer_params[] = {
    PARAM_NAME(mote_TracersSolver, of, "the system of vortons whose flow is followed", system_kind),
};

mote_VortexSolver mote_vortex_solver_def(void)
{
    mote_VortexSolver def;
    mote_row_defaults(&vortex_solver_row.head, &def);
    return def;
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_VortexSolver *p = raw;
    if (!(vec3_length(p->ring_normal) > 0))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: ring_normal is zero, but must be a direction", where);
    return MOTE_OK;
}

/* ---- columns ---- */

enum {
    COLUMN_STRENGTH,
    COLUMN_VOLUME,
    COLUMN_TEMPERATURE,
    COLUMN_FUEL,
    COLUMN_FLAME,
    COLUMN_SMOKE,
    COLUMN_FRESH,
    VORTON_COLUMNS
};
static const struct {
    const char *name, *unit;
    int components;
    bool tracers; /* have it too */
} columns[VORTON_COLUMNS] = {
    {"strength", "m^3/s", 3, false}, {"volume", "m^3", 1, false}, {"temperature", "K", 1, true},
    {"fuel", "", 1, true},           {"flame", "", 1, true},      {"smoke", "", 1, true},
    {"fresh", "", 1, false},
};

static double column_fallback(const mote_VortexSolver *p, int column)
{
    mote_real born = p->born_temperature > 0 ? p->born_temperature : p->temperature;
    const double fallbacks[VORTON_COLUMNS] = {
        0, (double)p->born_volume, (double)born, (double)p->born_fuel, 0, 1 - (double)p->born_fuel,
        1};
    return fallbacks[column];
}

static mote_Status add_columns(mote_System *system, const mote_VortexSolver *p, bool tracers,
                               mote_Error *error)
{
    for (int k = 0; k < VORTON_COLUMNS; ++k) {
        mote_Column column = {.name = columns[k].name,
                              .unit = columns[k].unit,
                              .stage = "solve",
                              .type = MOTE_COLUMN_REAL,
                              .components = columns[k].components,
                              .fallback = tracers ? 0 : column_fallback(p, k),
                              .internal = k == COLUMN_FRESH};
        if (tracers && k == COLUMN_TEMPERATURE) column.fallback = (double)p->temperature;
        if (tracers && !columns[k].tracers) continue;
        mote_Status status = mote_system_add_column(system, &column, error);
        if (status != MOTE_OK) return status;
    }
    return MOTE_OK;
}

static mote_real *plane_of(const mote_System *system, int column, int component)
{
    return column_real(mote_system_column(system, columns[column].name), component);
}

static VortonRows rows_of(const mote_System *system, size_t count)
{
    VortonRows rows = {.count = count};
    for (int c = 0; c < 3; ++c) {
        rows.x[c] = column_real(&system->columns[COLUMN_POSITION], c);
        rows.v[c] = column_real(&system->columns[COLUMN_VELOCITY], c);
        rows.strength[c] = plane_of(system, COLUMN_STRENGTH, c);
    }
    rows.radius = column_real(&system->columns[COLUMN_RADIUS], 0);
    rows.volume = plane_of(system, COLUMN_VOLUME, 0);
    rows.temperature = plane_of(system, COLUMN_TEMPERATURE, 0);
    rows.fuel = plane_of(system, COLUMN_FUEL, 0);
    rows.flame = plane_of(system, COLUMN_FLAME, 0);
    rows.smoke = plane_of(system, COLUMN_SMOKE, 0);
    return rows;
}

/* ---- opening ---- */

static mote_Status add_ring(mote_System *system, const mote_VortexSolver *p, uint64_t number,
                            mote_Error *error)
{
    size_t first, count = p->ring_vortons;
    mote_Status status = mote_system_add_rows(system, count, &first, error);
    if (status != MOTE_OK) return status;
    VortonRows rows = rows_of(system, first + count);
    mote_real *fresh = plane_of(system, COLUMN_FRESH, 0);
    mote_Vec3 n = vec3_unit(p->ring_normal, vec3(0, 1, 0)), a = vec3_across(n),
              b = vec3_cross(n, a);
    mote_Vec3 center = vec3_madd(p->ring_center, (mote_real)number * p->ring_gap, n);
    mote_real turn = (mote_real)6.283185307179586 / (mote_real)count;
    mote_real strength = p->ring_circulation * p->ring_radius * turn;
    if (p->ring_alternate && number % 2 == 1) strength = -strength;
    for (size_t i = first; i < first + count; ++i) {
        mote_real s, c;
        real_sincos((mote_real)(i - first) * turn, &s, &c);
        mote_Vec3 out = vec3_add(vec3_scale(a, c), vec3_scale(b, s));
        mote_Vec3 along = vec3_scale(vec3_cross(n, out), strength);
        mote_Vec3 x = vec3_madd(center, p->ring_radius, out);
        rows.x[0][i] = x.x, rows.x[1][i] = x.y, rows.x[2][i] = x.z;
        rows.strength[0][i] = along.x, rows.strength[1][i] = along.y, rows.strength[2][i] = along.z;
        rows.radius[i] = p->ring_core, fresh[i] = 0;
    }
    mote_system_edited(system);
    return MOTE_OK;
}

static mote_Status vortex_open(const SolverSite *site, Solver *solver, mote_Error *error)
{
    const mote_VortexSolver *p = solver->object.params;
    Vortex *vortex = memory_zeroed(site->memory, sizeof *vortex);
    if (vortex == NULL) return status_no_memory(error, site->where, sizeof *vortex);
    *vortex = (Vortex){.memory = site->memory,
                       .isa = site->isa,
                       .core = core_row(site->isa, p->core),
                       .kernels = grid_kernels(site->isa),
                       .gravity = site->gravity,
                       .key = random_key(site->seed, solver->object.name)};
    solver->state = vortex;
    mote_Status status = add_columns(solver->systems[0], p, false, error);
    for (uint64_t k = 0; k < p->ring_count && status == MOTE_OK; ++k)
        status = add_ring(solver->systems[0], p, k, error);
    if (status != MOTE_OK) memory_free(site->memory, vortex, sizeof *vortex);
    return status;
}

static void vortex_close(Memory *memory, Solver *solver)
{
    Vortex *vortex = solver->state;
    grid_free(&vortex->grid, memory);
    memory_free(memory, vortex, sizeof *vortex);
}

static mote_Status vortex_join(const SolverSite *site, Solver *solver, const void *raw,
                               mote_Error *error)
{
    (void)site, (void)raw;
    return add_columns(solver->systems[solver->system_count - 1], solver->object.params, true,
                       error);
}

/* ---- one sub-step ---- */

/* Rows born since the last sub-step get their random vorticity. */
static void spin_new_rows(const Vortex *vortex, const mote_VortexSolver *p,
                          const mote_System *system, const VortonRows *rows)
{
    mote_real *fresh = plane_of(system, COLUMN_FRESH, 0);
    const uint64_t *id = (const uint64_t *)system->columns[COLUMN_ID].data;
    for (size_t i = 0; i < rows->count; ++i) {
        if (!(fresh[i] > 0)) continue;
        Random4 draw = random_draw(vortex->key, id[i], 0, 0);
        mote_real size = p->born_spin * vorton_volume(rows, i);
        for (int c = 0; c < 3; ++c) rows->strength[c][i] += size * random_signed(draw.word[c]);
        fresh[i] = 0;
    }
}

/* The box of all particles, wider by the largest core. */
static Box box_of(const Vortex *vortex, const SolverStep *step, const VortonRows *rows)
{
    Box box;
    mote_real least = 0, widest = 0;
    vortex->kernels->extend(rows->radius, rows->count, &least, &widest);
    for (int c = 0; c < 3; ++c) {
        box.low[c] = box.high[c] = rows->x[c][0];
        for (size_t s = 0; s < step->solver->system_count; ++s)
            vortex->kernels->extend(
                column_real(&step->solver->systems[s]->columns[COLUMN_POSITION], c), step->rows[s],
                &box.low[c], &box.high[c]);
        box.low[c] -= widest, box.high[c] += widest;
    }
    return box;
}

/* Density deviation and mass shares, dealt out to the nodes. */
static void deposit(const VortexWork *work, const VortonRows *rows, VortexGrid *grid)
{
    mote_real inverse = 1 / grid_cell_volume(grid);
    size_t nodes = grid_node_count(grid);
    memset(grid->nodes, 0, nodes * NODE_SIZE * sizeof(mote_real));
    for (size_t i = 0; i < rows->count; ++i) {
        GridPlace place =
            grid_place(grid, (mote_real[]){rows->x[0][i], rows->x[1][i], rows->x[2][i]});
        mote_real density =
            gas_deviation(work->params, rows->temperature[i]) * vorton_volume(rows, i) * inverse;
        for (int corner = 0; corner < 8; ++corner) {
            mote_real *node = grid->nodes + grid_corner(grid, &place, corner) * NODE_SIZE;
            mote_real weight = grid_weight(&place, corner);
            node[NODE_DENSITY] += weight * density;
            node[NODE_FUEL] += weight * rows->fuel[i];
            node[NODE_FLAME] += weight * rows->flame[i];
            node[NODE_SMOKE] += weight * rows->smoke[i];
            node[NODE_WEIGHT] += weight;
        }
    }
    for (size_t k = 0; k < nodes; ++k) {
        mote_real *node = grid->nodes + k * NODE_SIZE, least = (mote_real)-0.95;
        mote_real share = node[NODE_WEIGHT] > 0 ? 1 / node[NODE_WEIGHT] : 0;
        for (int v = NODE_FUEL; v <= NODE_SMOKE; ++v) node[v] *= share;
        if (node[NODE_DENSITY] < least * work->params->density)
            node[NODE_DENSITY] = least * work->params->density;
    }
}

/* Velocity at the nodes, of cores that are no smaller than `mollify` cells. */
static bool fill_velocity(const VortexWork *work, const VortonRows *rows, VortexGrid *grid)
{
    const mote_VortexSolver *p = work->params;
    size_t nodes = grid_node_count(grid), n = rows->count;
    mote_real side = (mote_real)math_exp(math_log((double)grid_cell_volume(grid)) / 3);
    mote_real least = p->mollify * side,
              *planes = arena_take(work->arena, 6 * nodes * sizeof least);
    mote_real *core2 = arena_take(work->arena, n * sizeof *core2);
    InduceRequest r = {.core = work->core,
                       .sources = {.count = n},
                       .count = nodes,
                       .tree = {p->angle, (int)p->order, tree_def().leaf},
                       .tasks = work->tasks,
                       .arena = work->arena};
    if (planes == NULL || core2 == NULL) return false;
    for (size_t i = 0; i < n; ++i) {
        mote_real radius = rows->radius[i] > least ? rows->radius[i] : least;
        core2[i] = radius * radius;
    }
    for (int c = 0; c < 3; ++c) {
        r.sources.plane[SOURCE_X + c] = rows->x[c];
        r.sources.plane[SOURCE_ALPHA + c] = rows->strength[c];
        r.x[c] = planes + (size_t)c * nodes, r.out[c] = planes + (size_t)(3 + c) * nodes;
    }
    r.sources.plane[SOURCE_CORE2] = core2;
    for (size_t k = 0; k < nodes; ++k) {
        size_t row = grid->cells[0] + 1, slab = grid->cells[1] + 1;
        const size_t at[3] = {k % row, k / row % slab, k / row / slab};
        for (int c = 0; c < 3; ++c)
            planes[(size_t)c * nodes + k] = grid->low[c] + (mote_real)at[c] * grid->size[c];
    }
    if (!induce_row(p->induction)->induce(&r)) return false;
    const mote_real wind[3] = {p->wind.x, p->wind.y, p->wind.z};
    for (int c = 0; c < 3; ++c)
        for (size_t k = 0; k < nodes; ++k)
            grid->nodes[k * NODE_SIZE + (size_t)c] = r.out[c][k] + wind[c];
    return true;
}

/* ---- particles that follow the grid ---- */

typedef struct Follow {
    const Vortex *vortex;
    const mote_VortexSolver *params;
    mote_System *system;
    mote_real dt;
    bool flat, tracers;
} Follow;

/* Rows [begin, end), at most BLOCK_ROWS: midpoint rule for the higher schemes. */
static void follow_block(const Follow *f, size_t begin, size_t count)
{
    const VortexGrid *grid = &f->vortex->grid;
    mote_real middle[3][BLOCK_ROWS], u[3][BLOCK_ROWS], density[BLOCK_ROWS];
    mote_real *x[3], *v[3], *out[NODE_SIZE] = {u[0], u[1], u[2]};
    const mote_real *at[3];
    for (int c = 0; c < 3; ++c) {
        at[c] = x[c] = column_real(&f->system->columns[COLUMN_POSITION], c) + begin;
        v[c] = column_real(&f->system->columns[COLUMN_VELOCITY], c) + begin;
    }
    if (f->tracers) {
        out[NODE_DENSITY] = density;
        for (int k = 0; k < 3; ++k)
            out[NODE_FUEL + k] = plane_of(f->system, COLUMN_FUEL + k, 0) + begin;
    }
    f->vortex->kernels->gather(grid, at, count, out);
    if (f->params->scheme > 0) {
        const mote_real *half[3] = {middle[0], middle[1], middle[2]};
        mote_real *velocity[NODE_SIZE] = {u[0], u[1], u[2]};
        for (int c = 0; c < 3; ++c)
            FOR_ROWS (i, count) middle[c][i] = x[c][i] + f->dt / 2 * u[c][i];
        f->vortex->kernels->gather(grid, half, count, velocity);
    }
    for (int c = 0; c < (f->flat ? 2 : 3); ++c)
        FOR_ROWS (i, count) v[c][i] = u[c][i], x[c][i] += f->dt * u[c][i];
    if (!f->tracers) return;
    mote_real *t = plane_of(f->system, COLUMN_TEMPERATURE, 0) + begin;
    for (size_t i = 0; i < count; ++i) t[i] = gas_temperature(f->params, density[i]);
}

static void follow_body(void *context, size_t begin, size_t end, int worker)
{
    const Follow *f = context;
    (void)worker;
    for (size_t first = begin; first < end; first += BLOCK_ROWS)
        follow_block(f, first, end - first < BLOCK_ROWS ? end - first : BLOCK_ROWS);
}

static void follow_grid(const SolverStep *step, size_t s, bool tracers)
{
    Follow f = {.vortex = step->solver->state,
                .params = step->solver->object.params,
                .system = step->solver->systems[s],
                .dt = (mote_real)step->dt,
                .flat = step->flat,
                .tracers = tracers};
    mote_parallel_for(step->tasks, step->rows[s], 16 * BLOCK_ROWS, follow_body, &f);
}

/* A tracer's mass is its share of the fluid around it, so that what tracers do to bodies does not
 * depend on how many there are. */
static bool share_mass(const SolverStep *step, size_t s)
{
    const Vortex *vortex = step->solver->state;
    const mote_VortexSolver *p = step->solver->object.params;
    const VortexGrid *grid = &vortex->grid;
    mote_System *system = step->solver->systems[s];
    size_t n = step->rows[s], cells = grid_node_count(grid);
    uint32_t *count = arena_take(step->arena, cells * sizeof *count);
    uint32_t *cell = arena_take(step->arena, n * sizeof *cell);
    mote_real *mass = column_real(&system->columns[COLUMN_MASS], 0);
    const mote_real *t = plane_of(system, COLUMN_TEMPERATURE, 0), *x[3];
    if (n > 0 && (count == NULL || cell == NULL)) return false;
    for (int c = 0; c < 3; ++c) x[c] = column_real(&system->columns[COLUMN_POSITION], c);
    vortex->kernels->cells(grid, x, n, cell);
    memset(count, 0, cells * sizeof *count);
    for (size_t i = 0; i < n; ++i) ++count[cell[i]];
    mote_real unit = grid_cell_volume(grid) * p->density * p->temperature;
    for (size_t i = 0; i < n; ++i) mass[i] = unit / (t[i] * (mote_real)count[cell[i]]);
    return true;
}

static bool move_tracers(const SolverStep *step)
{
    for (size_t s = 1; s < step->solver->system_count; ++s) {
        if (step->rows[s] == 0) continue;
        follow_grid(step, s, true);
        if (!share_mass(step, s)) return false;
    }
    return true;
}

static bool move_vortons(const SolverStep *step, const VortexWork *work, const VortonRows *rows)
{
    const Vortex *vortex = step->solver->state;
    if (work->params->evaluation == 1) return advance_vortons(work, rows);
    if (!stretch_on_grid(work, rows, &vortex->grid)) return false;
    follow_grid(step, 0, false);
    return true;
}

static void note_shape(Vortex *vortex)
{
    for (int c = 0; c < 3; ++c) {
        vortex->shape[c] = (double)vortex->grid.low[c];
        vortex->shape[3 + c] = (double)vortex->grid.size[c];
        vortex->shape[6 + c] = (double)vortex->grid.cells[c];
    }
}

static bool make_grid(const SolverStep *step, const VortexWork *work, const VortonRows *rows)
{
    Vortex *vortex = step->solver->state;
    Box box = box_of(vortex, step, rows);
    double cells = (double)work->params->resolution * (double)rows->count;
    if (!grid_shape(&vortex->grid, &box, cells > 1 ? (size_t)cells : 1, vortex->memory))
        return false;
    note_shape(vortex);
    deposit(work, rows, &vortex->grid);
    return fill_velocity(work, rows, &vortex->grid);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool solve_rows(const SolverStep *step, const VortexWork *work, const VortonRows *rows)
{
    Vortex *vortex = step->solver->state;
    double began = seconds_now();
    if (!make_grid(step, work, rows)) return false;
    double gridded = seconds_now();
    if (!move_tracers(step)) return false;
    double followed = seconds_now();
    if (!add_buoyancy(work, rows, &vortex->grid)) return false;
    burn(work, rows);
    if (!diffuse(work, rows, &vortex->grid) || !move_vortons(step, work, rows)) return false;
    double moved = seconds_now();
    vortex->hits += meet_walls(work, rows, step);
    double met = seconds_now();
    for (size_t k = 1; k < step->solver->system_count; ++k)
        if (!tracers_meet_walls(step, k, &vortex->tracer_hits)) return false;
    vortex->seconds[VORTEX_UPDATE] += (gridded - began) + (moved - followed);
    vortex->seconds[VORTEX_FOLLOW] += followed - gridded;
    vortex->seconds[VORTEX_WALLS] += met - moved;
    vortex->seconds[VORTEX_TRACER_WALLS] += seconds_now() - met;
    return true;
}

static mote_Status vortex_solve(const SolverStep *step, SolveResult *result, mote_Error *error)
{
    Vortex *vortex = step->solver->state;
    mote_System *system = step->solver->systems[0];
    VortonRows rows = rows_of(system, step->rows[0]);
    VortexWork work = {.params = step->solver->object.params,
                       .core = vortex->core,
                       .gravity = vortex->gravity,
                       .arena = step->arena,
                       .tasks = step->tasks,
                       .dt = (mote_real)step->dt,
                       .flat = step->flat,
                       .isa = step->isa};
    *result = SOLVE_ACCEPTED;
    if (rows.count == 0) return MOTE_OK; /* still air */
    spin_new_rows(vortex, work.params, system, &rows);
    if (!solve_rows(step, &work, &rows))
        return status_no_memory(error, system->name, rows.count * sizeof(mote_real));
    mote_real *mass = column_real(&system->columns[COLUMN_MASS], 0);
    for (size_t i = 0; i < rows.count; ++i) mass[i] = vorton_mass(work.params, &rows, i);
    return MOTE_OK;
}

/* ---- what is published, and state ---- */

static void sample_velocity(const Solver *solver, const mote_FieldPoints *points,
                            mote_real *const out[3])
{
    const Vortex *vortex = solver->state;
    mote_real *planes[NODE_SIZE] = {out[0], out[1], out[2]};
    if (vortex->grid.cells[0] > 0) {
        vortex->kernels->gather(&vortex->grid, points->x, points->count, planes);
        return;
    }
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < points->count; ++i) out[c][i] = 0;
}

static void sample_density(const Solver *solver, const mote_FieldPoints *points,
                           mote_real *const out[3])
{
    const Vortex *vortex = solver->state;
    const mote_VortexSolver *p = solver->object.params;
    mote_real *planes[NODE_SIZE] = {[NODE_DENSITY] = out[0]};
    if (vortex->grid.cells[0] > 0)
        vortex->kernels->gather(&vortex->grid, points->x, points->count, planes);
    for (size_t i = 0; i < points->count; ++i)
        out[0][i] = p->density + (vortex->grid.cells[0] > 0 ? out[0][i] : 0);
}

static void sample_temperature(const Solver *solver, const mote_FieldPoints *points,
                               mote_real *const out[3])
{
    const mote_VortexSolver *p = solver->object.params;
    sample_density(solver, points, out);
    for (size_t i = 0; i < points->count; ++i)
        out[0][i] = gas_temperature(p, out[0][i] - p->density);
}

static size_t vortex_saved(Solver *solver, mote_StateArray arrays[SOLVER_SAVED])
{
    Vortex *vortex = solver->state;
    size_t numbers = vortex->grid.cells[0] > 0 ? NODE_SIZE * grid_node_count(&vortex->grid) : 0;
    arrays[0] = (mote_StateArray){"grid", MOTE_ARRAY_F64, 9, 1, 0, vortex->shape};
    arrays[1] = (mote_StateArray){"nodes", MOTE_ARRAY_REAL, numbers, 1, 0, vortex->grid.nodes};
    return 2;
}

static mote_Status vortex_resize(Solver *solver, size_t number, size_t rows, mote_Error *error)
{
    Vortex *vortex = solver->state;
    if (number != 1)
        return status_fail(error, MOTE_BAD_VALUE, "system %s: the grid in the state is not one",
                           solver->object.name);
    if (!grid_reserve(&vortex->grid, rows / NODE_SIZE + 1, vortex->memory))
        return status_no_memory(error, solver->object.name, rows);
    return MOTE_OK;
}

static void vortex_forget(Solver *solver)
{
    Vortex *vortex = solver->state;
    for (int c = 0; c < 3; ++c) {
        vortex->grid.low[c] = (mote_real)vortex->shape[c];
        vortex->grid.size[c] = (mote_real)vortex->shape[3 + c];
        vortex->grid.cells[c] = (size_t)vortex->shape[6 + c];
    }
}

static const SolverField fields[] = {
    {"velocity", 3, sample_velocity},
    {"density", 1, sample_density},
    {"temperature", 1, sample_temperature},
};

const SolverRow vortex_solver_row = {
    .head = ROW_HEAD("vortex", "vortex particles: smoke, fire, air around bodies", params,
                     mote_VortexSolver),
    .check = check,
    .open = vortex_open,
    .close = vortex_close,
    .join = vortex_join,
    .solve = vortex_solve,
    .saved = vortex_saved,
    .resize = vortex_resize,
    .forget = vortex_forget,
    .fields = fields,
    .field_count = sizeof fields / sizeof fields[0],
    .as_points = true,
    .meets_walls = true,
    .births_rest = true,
};

const SolverRow tracers_solver_row = {
    .head = ROW_HEAD("tracers", "particles that show the flow of a system of vortons",
                     tracer_params, mote_TracersSolver),
    .joins = true,
    .joins_at = offsetof(mote_TracersSolver, of),
    .births_rest = true,
};
