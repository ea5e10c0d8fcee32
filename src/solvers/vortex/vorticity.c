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

/* `count` values a node, interpolated at row i. */
static void interpolate(const VortexGrid *grid, const mote_real *nodes, int count,
                        const VortonRows *rows, size_t i, mote_real *out)
{
    GridPlace place = grid_place(grid, (mote_real[]){rows->x[0][i], rows->x[1][i], rows->x[2][i]});
    for (int k = 0; k < count; ++k) out[k] = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const mote_real *from = nodes + grid_corner(grid, &place, corner) * (size_t)count;
        mote_real weight = grid_weight(&place, corner);
        for (int k = 0; k < count; ++k) out[k] += weight * from[k];
    }
}

bool stretch_on_grid(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid)
{
    if (work->params->stretching == 0 || work->flat) return true;
    mote_real *nodes = arena_take(work->arena, grid_node_count(grid) * 9 * sizeof *nodes);
    if (nodes == NULL) return false;
    grid_gradient(grid, NODE_VELOCITY, 3, nodes);
    for (size_t i = 0; i < rows->count; ++i) {
        mote_real j[9];
        interpolate(grid, nodes, 9, rows, i, j);
        mote_Vec3 rate = stretch_rate(work->params->stretching, j, strength_of(rows, i));
        change_strength(rows, i, vec3_scale(rate, work->dt));
    }
    return true;
}

bool add_buoyancy(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid)
{
    const mote_VortexSolver *p = work->params;
    if (!(p->buoyancy > 0) || !(vec3_length(work->gravity) > 0)) return true;
    mote_real *nodes = arena_take(work->arena, grid_node_count(grid) * 3 * sizeof *nodes);
    if (nodes == NULL) return false;
    grid_gradient(grid, NODE_DENSITY, 1, nodes);
    for (size_t i = 0; i < rows->count; ++i) {
        mote_real slope[3];
        interpolate(grid, nodes, 3, rows, i, slope);
        mote_Vec3 source = vec3_cross(vec3(slope[0], slope[1], slope[2]), work->gravity);
        mote_real scale = p->buoyancy / p->density * vorton_volume(rows, i) * work->dt;
        set_strength(rows, i, vec3_madd(strength_of(rows, i), scale, source));
    }
    return true;
}
