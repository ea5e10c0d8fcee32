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
#include "solvers/vortex/params.h"
#include "solvers/vortex/spins.h"
#include "solvers/vortex/walls.h"

#include <string.h>
#include <time.h>

static const char *const system_kind[] = {"system", NULL};
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

/* ---- opening ---- */

static mote_Status add_ring(mote_System *system, const mote_VortexSolver *p, uint64_t number,
                            mote_Error *error)
{
    size_t first, count = p->ring_vortons;
    mote_Status status = mote_system_add_rows(system, count, &first, error);
    if (status != MOTE_OK) return status;
    VortonRows rows = vortex_rows(system, first + count);
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
        rows.radius[i] = p->ring_core;
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
    mote_Status status = vortex_add_columns(solver->systems[0], p, false, error);
    for (uint64_t k = 0; k < p->ring_count && status == MOTE_OK; ++k)
        status = add_ring(solver->systems[0], p, k, error);
    vortex->saved[SAVED_IDS] = (double)solver->systems[0]->next_id;
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
    return vortex_add_columns(solver->systems[solver->system_count - 1], solver->object.params,
                              true, error);
}

/* ---- one sub-step ---- */

/* The first row of system s that was born since the last sub-step: ids ascend. */
static size_t first_new(const Vortex *vortex, const SolverStep *step, size_t s)
{
    const mote_System *system = step->solver->systems[s];
    const uint64_t *id = (const uint64_t *)system->columns[COLUMN_ID].data;
    size_t first = step->rows[s];
    while (first > 0 && (double)id[first - 1] >= vortex->saved[SAVED_IDS + s]) --first;
    return first;
}

/* New vortons get their random vorticity. */
static void spin_new_rows(const Vortex *vortex, const SolverStep *step, const VortonRows *rows)
{
    const mote_VortexSolver *p = step->solver->object.params;
    const uint64_t *id = (const uint64_t *)step->solver->systems[0]->columns[COLUMN_ID].data;
    for (size_t i = first_new(vortex, step, 0); i < rows->count; ++i) {
        Random4 draw = random_draw(vortex->key, id[i], 0, 0);
        mote_real size = p->born_spin * vorton_volume(rows, i);
        for (int c = 0; c < 3; ++c) rows->strength[c][i] += size * random_signed(draw.word[c]);
    }
}

/* New rows inside of walls die in this sub-step. */
static void look_at_births(const SolverStep *step)
{
    Vortex *vortex = step->solver->state;
    for (size_t s = 0; s < step->solver->system_count; ++s) {
        const mote_System *system = step->solver->systems[s];
        size_t first = first_new(vortex, step, s);
        if (first == step->rows[s]) continue;
        drop_embedded(step, s, first);
        const uint64_t *id = (const uint64_t *)system->columns[COLUMN_ID].data;
        vortex->saved[SAVED_IDS + s] = (double)id[step->rows[s] - 1] + 1;
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
    vortex->numbers = NODE_SIZE * grid_node_count(&vortex->grid);
    for (int c = 0; c < 3; ++c) {
        vortex->saved[c] = (double)vortex->grid.low[c];
        vortex->saved[3 + c] = (double)vortex->grid.size[c];
        vortex->saved[6 + c] = (double)vortex->grid.cells[c];
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
    vortex_deposit(work, rows, &vortex->grid);
    return vortex_fill_velocity(work, rows, &vortex->grid);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Time since the last call goes to a part. */
static void note_part(Vortex *vortex, int part, double *since)
{
    double now = seconds_now();
    vortex->seconds[part] += now - *since;
    *since = now;
}

static bool solve_rows(const SolverStep *step, const VortexWork *work, const VortonRows *rows)
{
    Vortex *vortex = step->solver->state;
    double since = seconds_now();
    if (!make_grid(step, work, rows)) return false;
    note_part(vortex, VORTEX_GRID, &since);
    if (!move_tracers(step)) return false;
    note_part(vortex, VORTEX_FOLLOW, &since);
    if (!add_buoyancy(work, rows, &vortex->grid)) return false;
    burn(work, rows);
    if (!diffuse(work, rows, &vortex->grid) || !move_vortons(step, work, rows)) return false;
    note_part(vortex, VORTEX_OPERATORS, &since);
    if (!meet_walls(work, rows, step, &vortex->hits)) return false;
    if (!push_sideways(step, work, rows)) return false;
    note_part(vortex, VORTEX_WALLS, &since);
    for (size_t k = 1; k < step->solver->system_count; ++k)
        if (!tracers_meet_walls(step, k, &vortex->tracer_hits)) return false;
    note_part(vortex, VORTEX_TRACER_WALLS, &since);
    return true;
}

static mote_Status vortex_solve(const SolverStep *step, SolveResult *result, mote_Error *error)
{
    Vortex *vortex = step->solver->state;
    mote_System *system = step->solver->systems[0];
    VortonRows rows = vortex_rows(system, step->rows[0]);
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
    spin_new_rows(vortex, step, &rows);
    look_at_births(step);
    if (!find_spins(step, &work) || !solve_rows(step, &work, &rows))
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
    arrays[0] =
        (mote_StateArray){"grid", MOTE_ARRAY_F64, VORTEX_SAVED, 1, VORTEX_SAVED, vortex->saved};
    arrays[1] = (mote_StateArray){"nodes", MOTE_ARRAY_REAL, vortex->numbers,
                                  1,       vortex->numbers, vortex->grid.nodes};
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
    vortex->numbers = rows;
    return MOTE_OK;
}

static void vortex_forget(Solver *solver)
{
    Vortex *vortex = solver->state;
    for (int c = 0; c < 3; ++c) {
        vortex->grid.low[c] = (mote_real)vortex->saved[c];
        vortex->grid.size[c] = (mote_real)vortex->saved[3 + c];
        vortex->grid.cells[c] = (size_t)vortex->saved[6 + c];
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
    .sets_velocity = true,
    .births_rest = true,
};

const SolverRow tracers_solver_row = {
    .head = ROW_HEAD("tracers", "particles that show the flow of a system of vortons",
                     tracer_params, mote_TracersSolver),
    .joins = true,
    .joins_at = offsetof(mote_TracersSolver, of),
    .births_rest = true,
};
