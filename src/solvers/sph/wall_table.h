/* What a wall is to a liquid: integrals of kernels of support 1.
 *
 * Densities and pressures feel a wall through a kernel of its own, W_w(r) = weight W(r; reach), and
 * by nothing else: its integral over the wall is a share of the density, and the wall's force is
 * what that share's gradient makes of the particle's own pressure. One potential for both, so that
 * walls neither give nor take energy. With A(z) the integral of W_w over a plane at distance z,
 *   volume(s) = int_s A dz        slope = -d volume / ds = A(s)        for a half-space
 *   mass(r) = int_r W_w q^(D-1) dq     pull(r) = int_r -W_w' q^(D-1) dq     along rays, times the
 * full angle. The two numbers `weight` and `reach` follow from what a lattice of spacing d, whose
 * layers are (k + 1/2) d from the wall, must find there.
 *
 * First, sum_k d A = 1: a pressure that is the same everywhere moves nothing. (The liquid's own
 * kernel has 1/2, and a wall has no pressure of its own to add.) Second, sum_k volume is what the
 * lattice lacks behind the surface: the wall is where it is. For fine spacings both together are
 * twice the kernel at half its reach.
 *
 * Friction is of the liquid's kernel and of layers d apart, as the lattice would go on in the wall:
 * with D(z) the integral of -2 W'/r over a plane and z_k = s + (k + 1/2) d,
 *   drag = sum d D(z_k)    depth_drag = sum d (k + 1/2) d D(z_k)            (Morris's viscosity)
 * All are functions of one variable: tables made once from the kernel by Gauss's quadrature, read
 * by linear interpolation.
 *
 * Volume and gradient of walls in place of sampled particles: Koschier and Bender, Density maps for
 * improved SPH boundary handling, 2017; here without maps. */
#ifndef SOLVERS_SPH_WALL_TABLE_H
#define SOLVERS_SPH_WALL_TABLE_H

#include "base/loop.h"
#include "space/smoothing.h"

#include "solvers/sph/formulas/wall_table.h"

/* The integral of a kernel of support 1 over a plane at distance z, and how fast it falls with z.
 */
typedef struct WallLayer {
    double value, fall;
} WallLayer;

WallLayer wall_layer_at(const SmoothingRow *kernel, int dimension, double z);

/* spacing: d in supports. */
void wall_table_make(const SmoothingRow *kernel, int dimension, double spacing, WallTable *table);

/* Of walls that are as full as the liquid: its own kernel over layers d apart, as the lattice would
 * go on in the wall; volumes and slopes alone. */
void wall_table_make_full(const SmoothingRow *kernel, int dimension, double spacing,
                          WallTable *table);

static inline WallRayEntry wall_ray_at(const WallTable *table, mote_real r)
{
    mote_real at = (r > 0 ? (r < 1 ? r : 1) : 0) * (mote_real)WALL_CELLS;
    int cell = (int)at;
    mote_real f = at - (mote_real)cell;
    const WallRayEntry *a = &table->ray[cell], *b = a + 1;
    return (WallRayEntry){a->mass + f * (b->mass - a->mass), a->pull + f * (b->pull - a->pull)};
}

#endif
