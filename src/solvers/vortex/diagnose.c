/* What there is to know of vortons: sums, and whether they run away.
 *
 * What an inviscid fluid keeps, and what it does not:
 *
 *     strength sum alpha       impulse 1/2 sum x x alpha      angular 1/3 sum x x (x x alpha)
 *     enstrophy sum |alpha|^2 / V     helicity sum u . alpha     energy 1/2 sum alpha . A
 *
 * per unit of density, A being the vector potential (Saffman, Vortex Dynamics, 1992). */
#include "base/status.h"
#include "solvers/vortex/solver.h"

static void add_vorton(const VortonRows *rows, size_t i, mote_VortexSums *sums, double weight[4])
{
    mote_Vec3 x = vec3(rows->x[0][i], rows->x[1][i], rows->x[2][i]);
    mote_Vec3 a = vec3(rows->strength[0][i], rows->strength[1][i], rows->strength[2][i]);
    mote_Vec3 v = vec3(rows->v[0][i], rows->v[1][i], rows->v[2][i]);
    mote_Vec3 once = vec3_cross(x, a), twice = vec3_cross(x, once);
    const mote_real *const vectors[3] = {&a.x, &once.x, &twice.x};
    double *const to[3] = {sums->strength, sums->impulse, sums->angular};
    const double factor[3] = {1, 0.5, 1.0 / 3};
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c) to[k][c] += factor[k] * (double)vectors[k][c];
    double size = (double)vec3_length(a), volume = (double)vorton_volume(rows, i);
    const mote_real *place = &x.x;
    for (int c = 0; c < 3; ++c) weight[c] += size * (double)place[c];
    weight[3] += size;
    sums->enstrophy += volume > 0 ? size * size / volume : 0;
    sums->helicity += (double)vec3_dot(v, a);
    sums->vorticity = size / volume > sums->vorticity ? size / volume : sums->vorticity;
}

/* 1/2 sum alpha . A, by the direct sum. */
static bool add_energy(const VortonRows *rows, const CoreRow *core, Arena *arena,
                       mote_VortexSums *sums)
{
    size_t n = rows->count;
    mote_real *planes = arena_take(arena, 4 * n * sizeof *planes), *core2 = planes + 3 * n;
    InduceRequest r = {.core = core,
                       .quantity = QUANTITY_POTENTIAL,
                       .sources = {.count = n},
                       .count = n,
                       .arena = arena};
    if (n == 0) return true;
    if (planes == NULL) return false;
    for (int c = 0; c < 3; ++c) {
        r.x[c] = r.sources.plane[SOURCE_X + c] = rows->x[c];
        r.sources.plane[SOURCE_ALPHA + c] = rows->strength[c];
        r.out[c] = planes + (size_t)c * n;
    }
    r.sources.plane[SOURCE_CORE2] = core2;
    for (size_t i = 0; i < n; ++i) core2[i] = rows->radius[i] * rows->radius[i];
    induce_direct.induce(&r);
    for (size_t i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c)
            sums->energy += 0.5 * (double)rows->strength[c][i] * (double)r.out[c][i];
    return true;
}

mote_Status mote_vortex_sums(const mote_System *vortons, int core, mote_VortexSums *sums,
                             mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    Arena arena = arena_make(&memory);
    double weight[4] = {0};
    *sums = (mote_VortexSums){.energy = 0};
    if (mote_system_column(vortons, "strength") == NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "system %s: it has no column `strength`, so it "
                           "is none of vortons",
                           vortons->name);
    VortonRows rows = vortex_rows(vortons, vortons->count);
    for (size_t i = 0; i < rows.count; ++i) add_vorton(&rows, i, sums, weight);
    for (int c = 0; c < 3; ++c) sums->centre[c] = weight[3] > 0 ? weight[c] / weight[3] : 0;
    bool room = add_energy(&rows, core_row(isa_pick(), core), &arena, sums);
    arena_free(&arena);
    return room ? MOTE_OK : status_no_memory(error, vortons->name, rows.count);
}

/* ---- the watch ---- */

/* Buoyancy, fire and walls make as much vorticity as they are told to, so no growth is wrong in
 * itself; but the equations are those of air far below the speed of sound, and beyond it nothing
 * that follows means anything. c^2 = gamma R T = (gamma - 1) cp T of an ideal gas, gamma = 7/5 as
 * air. */
double vortex_fastest(const Solver *solver)
{
    const mote_VortexSolver *p = solver->object.params;
    return __builtin_sqrt(0.4 * (double)p->heat_capacity * (double)p->temperature);
}

/* Speed at the edge of a core, m/s. |alpha| / (4 pi s^2), which the linear core has at its edge and
 * others nearly; |alpha| / (2 pi s) of columns. */
static double swirl_of(const VortonRows *rows, size_t i)
{
    double size = (double)vec3_length(
               vec3(rows->strength[0][i], rows->strength[1][i], rows->strength[2][i])),
           r = (double)rows->radius[i];
    return size / (3.14159265358979324 * (rows->flat ? 2 * r : 4 * r * r));
}

size_t first_too_fast(const SolverStep *step, const VortonRows *rows)
{
    const double fastest = vortex_fastest(step->solver);
    for (size_t i = 0; i < rows->count; ++i)
        if (rows->radius[i] > 0 && !(swirl_of(rows, i) <= fastest)) return i;
    return rows->count;
}

mote_Status turns_too_fast(const SolverStep *step, const VortonRows *rows, size_t i,
                           mote_Error *error)
{
    return status_fail(error, MOTE_DIVERGED,
                       "system %s: a vorton of radius %g m turns with %g m/s at its edge (t = "
                       "%g s), faster than sound (%g m/s): likely heat, buoyancy or a wall "
                       "feeds it without end, or the step of %g s is too long: try a max_step "
                       "of %g s, a viscosity, or a lower stretch_limit",
                       step->solver->object.name, (double)rows->radius[i], swirl_of(rows, i),
                       step->t + step->dt, vortex_fastest(step->solver), step->dt, step->dt / 4);
}

mote_Status stand_too_wide(const SolverStep *step, mote_Error *error)
{
    const mote_VortexSolver *params = step->solver->object.params;
    return status_fail(error, MOTE_DIVERGED,
                       "system %s: vortons are too far apart for a mesh with cells of %g m "
                       "(remesh_spacing): if the flow has flown apart, take shorter sub-steps "
                       "(world.max_step), else larger cells",
                       step->solver->systems[0]->name, (double)params->remesh_spacing);
}
