/* Stretching, tilting and baroclinic generation of vorticity.
 *
 *     D omega / Dt = (omega . grad) u + (1 / rho) grad rho x g
 *
 * Boussinesq with hydrostatic pressure; transposed stretching keeps the sum of strengths
 * (Winckelmans and Leonard, JCP 109, 1993). */
#include "base/loop.h"
#include "solvers/vortex/vortons.h"

mote_Vec3 stretch_rate(int scheme, const mote_real j[9], mote_Vec3 a)
{
    mote_Vec3 direct =
        vec3(j[0] * a.x + j[1] * a.y + j[2] * a.z, j[3] * a.x + j[4] * a.y + j[5] * a.z,
             j[6] * a.x + j[7] * a.y + j[8] * a.z);
    mote_Vec3 transposed =
        vec3(j[0] * a.x + j[3] * a.y + j[6] * a.z, j[1] * a.x + j[4] * a.y + j[7] * a.z,
             j[2] * a.x + j[5] * a.y + j[8] * a.z);
    const mote_Vec3 rates[] = {vec3(0, 0, 0), direct, transposed,
                               vec3_scale(vec3_add(direct, transposed), (mote_real)0.5)};
    return rates[scheme];
}

static mote_Vec3 strength_of(const VortonRows *rows, size_t i)
{
    return vec3(rows->strength[0][i], rows->strength[1][i], rows->strength[2][i]);
}

static void set_strength(const VortonRows *rows, size_t i, mote_Vec3 a)
{
    rows->strength[0][i] = a.x, rows->strength[1][i] = a.y, rows->strength[2][i] = a.z;
}

void change_strength(const VortonRows *rows, size_t i, mote_Vec3 change)
{
    mote_Vec3 old = strength_of(rows, i);
    mote_real most = vec3_length(old) / 2, size = vec3_length(change);
    if (size > most) change = vec3_scale(change, most / size);
    set_strength(rows, i, vec3_add(old, change));
}

mote_real *vortex_slopes(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid)
{
    const FluidKernels *kernels = fluid_kernels(work->isa);
    const mote_real *const x[3] = {rows->x[0], rows->x[1], rows->x[2]};
    size_t bytes = SLOPE_SIZE * sizeof(mote_real);
    mote_real *nodes = arena_take(work->arena, grid_node_count(grid) * bytes);
    mote_real *slopes = arena_take(work->arena, rows->count * bytes);
    if (nodes == NULL || slopes == NULL) return NULL;
    kernels->slopes(grid, nodes);
    kernels->slopes_at(grid, nodes, x, rows->count, slopes);
    return slopes;
}

void stretch_on_grid(const VortexWork *work, const VortonRows *rows, const mote_real *slopes)
{
    if (work->params->stretching == 0 || work->flat) return;
    for (size_t i = 0; i < rows->count; ++i, slopes += SLOPE_SIZE) {
        mote_real j[9];
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l) j[3 * k + l] = slopes[4 * l + k];
        mote_Vec3 rate = stretch_rate(work->params->stretching, j, strength_of(rows, i));
        change_strength(rows, i, vec3_scale(rate, work->dt));
    }
}

void add_buoyancy(const VortexWork *work, const VortonRows *rows, const mote_real *slopes)
{
    const mote_VortexSolver *p = work->params;
    if (!(p->buoyancy > 0) || !(vec3_length(work->gravity) > 0)) return;
    for (size_t i = 0; i < rows->count; ++i, slopes += SLOPE_SIZE) {
        mote_Vec3 slope =
            vec3(slopes[NODE_DENSITY], slopes[4 + NODE_DENSITY], slopes[8 + NODE_DENSITY]);
        mote_Vec3 source = vec3_cross(slope, work->gravity);
        mote_real scale = p->buoyancy / p->density * vorton_volume(rows, i) * work->dt;
        set_strength(rows, i, vec3_madd(strength_of(rows, i), scale, source));
    }
}
