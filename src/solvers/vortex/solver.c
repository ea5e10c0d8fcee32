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
#include "solvers/vortex/device.h"
#include "solvers/vortex/params.h"
#include "solvers/vortex/remesh.h"

static const char *const system_kind[] = {"system", NULL};
static const mote_Param tracer_params[] = {
    PARAM_NAME(mote_TracersSolver, of, "the system of vortons whose flow is followed", system_kind),
};

ROW_DEFAULTS(vortex_solver_row.head, mote_VortexSolver, mote_vortex_solver_def)

/* What keeps vortons good. */
static mote_Status check_keeping(const mote_VortexSolver *p, const char *where, mote_Error *error)
{
    if (p->remesh > 0 && !(p->remesh_spacing > 0))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: remesh is %llu, but remesh_spacing is 0: set it to the spacing of "
                           "vortons, their radius over %g, or remesh to 0",
                           where, (unsigned long long)p->remesh, (double)p->remesh_overlap);
    if (p->split > 0 && !(p->split > 1 && p->split <= p->stretch_limit))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: split is %g, but must be above 1 and no more than stretch_limit, "
                           "%g, beyond which nothing gets longer",
                           where, (double)p->split, (double)p->stretch_limit);
    const CoreRow *core = core_row(isa_pick(), p->core);
    if (p->diffusion == VORTEX_DIFFUSION_SPREADING && !(core->variance > 0))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: diffusion is \"spreading\", but core \"%s\" has no variance that "
                           "could grow: set core to \"gaussian\", or diffusion to \"exchange\"",
                           where, core->head.name);
    return MOTE_OK;
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_VortexSolver *p = raw;
    if (!(vec3_length(p->ring_normal) > 0))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: ring_normal is zero, but must be a direction", where);
    mote_Status status = check_keeping(p, where, error);
    if (status != MOTE_OK) return status;
    if (boundary_meshes(p->boundary) && !(p->remesh_spacing > 0))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: boundary is \"%s\", but remesh_spacing is 0: set it to the side of "
                           "its cells, a twentieth of a body or less",
                           where, boundary_row(p->boundary)->head.name);
    if (p->coupling == MOTE_COUPLED_BY_PRESSURE && p->boundary != BOUNDARY_PANELS)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: coupling is \"pressure\", which is that on panels: set boundary to "
                           "\"%s\", or coupling to \"impulse\"",
                           where, boundary_panels.head.name);
    return MOTE_OK;
}

/* ---- opening ---- */

static mote_Status add_ring(mote_System *system, const mote_VortexSolver *p, uint64_t number,
                            mote_Error *error)
{
    size_t first, count = (size_t)p->ring_vortons;
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
    if (site->dimension == 2 && p->ring_count > 0)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: ring_count is %llu, but a world of 2 dimensions has no rings: set "
                           "it to 0 and emit pairs of vortons, or set world.dimension to 3",
                           site->where, (unsigned long long)p->ring_count);
    if (site->dimension == 2 && !boundary_row(p->boundary)->flat)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: boundary is \"%s\", but panels are of 3 dimensions: set "
                           "world.dimension to 3, or boundary to \"%s\"",
                           site->where, boundary_row(p->boundary)->head.name,
                           boundary_published.head.name);
    Vortex *vortex = memory_zeroed(site->memory, sizeof *vortex);
    if (vortex == NULL) return status_no_memory(error, site->where, sizeof *vortex);
    *vortex = (Vortex){.memory = site->memory,
                       .isa = site->isa,
                       .core = core_row_of(site->isa, p->core, site->dimension == 2),
                       .kernels = grid_kernels(site->isa),
                       .gravity = site->gravity,
                       .key = random_key(site->seed, solver->object.name)};
    solver->state = vortex;
    mote_Status status = vortex_add_columns(solver->systems[0], p, false, error);
    for (uint64_t k = 0; k < p->ring_count && status == MOTE_OK; ++k)
        status = add_ring(solver->systems[0], p, k, error);
    vortex->saved[SAVED_IDS] = (double)solver->systems[0]->next_id;
    return status; /* a failure closes the solver, which gives the memory back */
}

static void vortex_close(Memory *memory, Solver *solver)
{
    Vortex *vortex = solver->state;
    grid_free(&vortex->grid, memory);
    grid_free(&vortex->shown, memory);
    sheets_free(&vortex->sheets, memory);
    sum_device_free(vortex->device);
    memory_free(memory, vortex, sizeof *vortex);
}

static mote_Status vortex_join(const SolverSite *site, Solver *solver, const void *raw,
                               mote_Error *error)
{
    (void)raw;
    if (solver->system_count > VORTEX_SYSTEMS)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: solver vortex moves at most %d systems, itself and its tracers",
                           site->where, (int)VORTEX_SYSTEMS);
    return vortex_add_columns(solver->systems[solver->system_count - 1], solver->object.params,
                              true, error);
}

/* ---- what is published, and state ---- */

static void sample_velocity(const Solver *solver, const mote_FieldPoints *points,
                            mote_real *const out[3])
{
    const Vortex *vortex = solver->state;
    mote_real *planes[NODE_SIZE] = {out[0], out[1], out[2]};
    if (vortex->shown.cells[0] > 0) {
        vortex->kernels->gather(&vortex->shown, points->x, points->count, planes);
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
    if (vortex->shown.cells[0] > 0)
        vortex->kernels->gather(&vortex->shown, points->x, points->count, planes);
    for (size_t i = 0; i < points->count; ++i)
        out[0][i] = p->density + (vortex->shown.cells[0] > 0 ? out[0][i] : 0);
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
    const mote_VortexSolver *p = solver->object.params;
    arrays[0] =
        (mote_StateArray){"grid", MOTE_ARRAY_F64, VORTEX_SAVED, 1, VORTEX_SAVED, vortex->saved};
    arrays[1] = (mote_StateArray){"nodes", MOTE_ARRAY_REAL, vortex->numbers,
                                  1,       vortex->numbers, vortex->shown.nodes};
    if (!boundary_sheds(p->boundary)) return 2;
    const Sheets *s = &vortex->sheets;
    size_t shed = s->shed_count * SHED_NUMBERS;
    arrays[2] =
        (mote_StateArray){"sheets", MOTE_ARRAY_F64, s->kept_count, 1, s->kept_count, s->kept};
    arrays[3] = (mote_StateArray){"shed", MOTE_ARRAY_F64, shed, 1, shed, s->shed};
    return 4;
}

/* Sheets as they were, and what they had shed. */
static mote_Status sheets_resize(Solver *solver, size_t number, size_t rows, mote_Error *error)
{
    Vortex *vortex = solver->state;
    Sheets *s = &vortex->sheets;
    bool room = true;
    if (number == 2) {
        memory_free(vortex->memory, s->kept, s->kept_count * sizeof *s->kept);
        s->kept = memory_zeroed(vortex->memory, rows * sizeof *s->kept);
        s->made = false, s->kept_count = s->kept != NULL ? rows : 0;
        room = s->kept_count == rows;
    } else {
        s->shed_count = rows / SHED_NUMBERS;
        room = memory_reserve(vortex->memory, (void **)&s->shed, &s->shed_capacity,
                              s->shed_count + 1, SHED_NUMBERS * sizeof *s->shed);
    }
    return room ? MOTE_OK : status_no_memory(error, solver->object.name, rows);
}

static mote_Status vortex_resize(Solver *solver, size_t number, size_t rows, mote_Error *error)
{
    Vortex *vortex = solver->state;
    if (number >= 2) return sheets_resize(solver, number, rows, error);
    if (number != 1)
        return status_fail(error, MOTE_BAD_VALUE, "system %s: the grid in the state is not one",
                           solver->object.name);
    if (!grid_reserve(&vortex->shown, rows / NODE_SIZE + 1, vortex->memory))
        return status_no_memory(error, solver->object.name, rows);
    vortex->numbers = rows;
    return MOTE_OK;
}

/* As many nodes as the shape of the grid asks for. */
static bool vortex_fits(const Solver *solver)
{
    const Vortex *vortex = solver->state;
    const double *cells = vortex->saved + 6;
    double nodes = NODE_SIZE * (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1);
    if (cells[0] == 0 && cells[1] == 0 && cells[2] == 0) return true; /* there is none yet */
    for (int c = 0; c < 3; ++c)
        if (!(cells[c] >= 1 && cells[c] == __builtin_floor(cells[c]))) return false;
    return nodes == (double)vortex->numbers;
}

static void vortex_forget(Solver *solver)
{
    Vortex *vortex = solver->state;
    vortex->solved = false;
    for (int c = 0; c < 3; ++c) {
        vortex->shown.low[c] = (mote_real)vortex->saved[c];
        vortex->shown.size[c] = (mote_real)vortex->saved[3 + c];
        vortex->shown.cells[c] = (size_t)vortex->saved[6 + c];
    }
}

static mote_Status vortex_begin(const SolverStep *step, mote_Error *error)
{
    const mote_VortexSolver *p = step->solver->object.params;
    const BoundaryRow *boundary = boundary_row(p->boundary);
    mote_Status status = boundary->begin != NULL ? boundary->begin(step, error) : MOTE_OK;
    return status == MOTE_OK ? vortons_tend(step, error) : status;
}

static bool vortex_limits(const void *raw)
{
    const mote_VortexSolver *p = raw;
    return p->boundary == BOUNDARY_PANELS;
}

static double vortex_limit(const SolverStep *step)
{
    const Vortex *vortex = step->solver->state;
    return sheets_limit(&vortex->sheets, step->dt);
}

/* What devices do of it are sums over vortons: meshes have none, or next to none. */
const char *vortex_off_device(const Solver *solver)
{
    const mote_VortexSolver *p = solver->object.params;
    const InduceRow *method = induce_row(p->induction);
    if (boundary_meshes(p->boundary)) return boundary_row(p->boundary)->head.name;
    return method->off_device ? method->head.name : NULL;
}

static const SolverField fields[] = {
    {"velocity", 3, sample_velocity},
    {"density", 1, sample_density},
    {"temperature", 1, sample_temperature},
    {"pressure", 1, sample_pressure},
};

const SolverRow vortex_solver_row = {
    .head = ROW_HEAD("vortex", "vortex particles: smoke, fire, air around bodies", params,
                     mote_VortexSolver),
    .check = check,
    .open = vortex_open,
    .close = vortex_close,
    .limit = vortex_limit,
    .limits = vortex_limits,
    .begin = vortex_begin,
    .solve = vortex_solve,
    .finish = vortex_finish,
    .saved = vortex_saved,
    .resize = vortex_resize,
    .fits = vortex_fits,
    .forget = vortex_forget,
    .fastest = vortex_fastest,
    .fields = fields,
    .field_count = sizeof fields / sizeof fields[0],
    .flows = true,
    .copied = true,
    .beside = true,
    .off_device = vortex_off_device,
    .facts = vortex_facts,
    .forecast = vortex_forecast,
};

const SolverRow tracers_solver_row = {
    .head = ROW_HEAD("tracers", "particles that show the flow of a system of vortons",
                     tracer_params, mote_TracersSolver),
    .join = vortex_join,
    .joins = &vortex_solver_row,
    .joins_at = offsetof(mote_TracersSolver, of),
};
