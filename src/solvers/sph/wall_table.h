/* What a kernel of support 1 gives when it is integrated over a wall.
 *
 * Over the half-space whose surface is at distance s, with W(r) the kernel and z the depth in it:
 *   volume  = int W          slope = -d volume / ds = int over the surface of W
 *   drag    = int -2 W'/r    depth_drag = int -2 W'/r z   (viscosity in Morris's form)
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

enum { WALL_CELLS = 512 };

/* W and W' of distance q in units of the support, which is 1 here. */
typedef struct WallKernel {
    int dimension; /* 2 or 3 */
    double (*value)(const void *context, double q);
    double (*slope)(const void *context, double q);
    const void *context;
} WallKernel;

/* Values at s = i / WALL_CELLS; one more for the upper neighbour of the last. */
typedef struct WallPlaneEntry {
    mote_real volume, slope, drag, depth_drag;
} WallPlaneEntry;

typedef struct WallRayEntry {
    mote_real mass, pull;
} WallRayEntry;

typedef struct WallTable {
    int dimension;
    WallPlaneEntry plane[WALL_CELLS + 2];
    WallRayEntry ray[WALL_CELLS + 2];
} WallTable;

void wall_table_make(const WallKernel *kernel, WallTable *table);

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
