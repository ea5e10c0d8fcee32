/* What a kernel of support 1 gives when it is integrated over a wall.
 *
 * A wall is taken as the liquid's own lattice would fill it: in layers a spacing d apart, the first
 * d/2 below the surface, so that a lattice that ends d/2 above it has the rest density everywhere.
 * (The integral over the half-space is the limit for small d; at two spacings per support it is a
 * quarter too large at that place, and a liquid would lift off.) With A(z) the integral of W over a
 * plane at distance z, D(z) that of -2 W'/r, and z_k = s + (k + 1/2) d the distances of the layers,
 *   volume = sum d A(z_k)    slope = -d volume / ds = sum d z_k D(z_k) / 2
 *   drag   = sum d D(z_k)    depth_drag = sum d (k + 1/2) d D(z_k)   (viscosity, Morris's form)
 * Over a cone of directions that meets the wall at distance r, per share of all directions:
 *   mass    = int_r^1 W q^(D-1) dq       pull = int_r^1 -W' q^(D-1) dq
 * times the full angle, so that mass(0) = 1. All are functions of one variable: tables made once
 * from the kernel by Gauss's quadrature, read by linear interpolation.
 *
 * Volume and gradient of walls in place of sampled particles: Koschier and Bender, Density maps for
 * improved SPH boundary handling, 2017; here without maps. */
#ifndef SOLVERS_SPH_WALL_TABLE_H
#define SOLVERS_SPH_WALL_TABLE_H

#include "base/loop.h"
#include "space/smoothing.h"

enum { WALL_CELLS = 512 };

/* Values at s = i / WALL_CELLS; one more for the upper neighbour of the last. */
typedef struct WallPlaneEntry {
    mote_real volume, slope, drag, depth_drag;
} WallPlaneEntry;

typedef struct WallRayEntry {
    mote_real mass, pull;
} WallRayEntry;

typedef struct WallTable {
    int dimension;
    mote_real spacing; /* d, in supports */
    /* Share of what rays find where walls overlap: exact for a lattice d/2 from both of two walls
     * at a right angle. */
    mote_real overlap;
    WallPlaneEntry plane[WALL_CELLS + 2];
    WallRayEntry ray[WALL_CELLS + 2];
} WallTable;

/* spacing: d in supports. `overlap` is left at 1. */
void wall_table_make(const SmoothingRow *kernel, int dimension, double spacing, WallTable *table);

/* s >= 0; 0 beyond the support. */
static inline WallPlaneEntry wall_plane_beyond(const WallTable *table, mote_real s)
{
    if (!(s < 1)) return (WallPlaneEntry){0, 0, 0, 0};
    mote_real at = s * WALL_CELLS;
    int cell = (int)at;
    mote_real f = at - (mote_real)cell;
    const WallPlaneEntry *a = &table->plane[cell], *b = a + 1;
    return (WallPlaneEntry){a->volume + f * (b->volume - a->volume),
                            a->slope + f * (b->slope - a->slope), a->drag + f * (b->drag - a->drag),
                            a->depth_drag + f * (b->depth_drag - a->depth_drag)};
}

/* At any signed distance from the surface: in the wall, what is left of the whole. */
static inline WallPlaneEntry wall_plane_at(const WallTable *table, mote_real s)
{
    WallPlaneEntry e = wall_plane_beyond(table, s < 0 ? -s : s);
    if (s < 0) e.volume = 1 - e.volume;
    return e;
}

static inline WallRayEntry wall_ray_at(const WallTable *table, mote_real r)
{
    mote_real at = (r > 0 ? (r < 1 ? r : 1) : 0) * WALL_CELLS;
    int cell = (int)at;
    mote_real f = at - (mote_real)cell;
    const WallRayEntry *a = &table->ray[cell], *b = a + 1;
    return (WallRayEntry){a->mass + f * (b->mass - a->mass), a->pull + f * (b->pull - a->pull)};
}

#endif
