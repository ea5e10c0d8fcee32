/* Reading tables of a kernel's integrals over walls (wall_table.h says what is in them). Formulas:
 * they include nothing, and are compiled for the processor and for devices. */
#ifndef SOLVERS_SPH_FORMULAS_WALL_TABLE_H
#define SOLVERS_SPH_FORMULAS_WALL_TABLE_H

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
    mote_real reach;   /* of walls, in supports */
    mote_real weight;  /* integral of W_w over all space */
    WallPlaneEntry plane[WALL_CELLS + 2];
    WallRayEntry ray[WALL_CELLS + 2];
} WallTable;

/* s >= 0; 0 beyond the support. */
static inline WallPlaneEntry wall_plane_beyond(DEVICE_GLOBAL const WallTable *table, mote_real s)
{
    if (!(s < 1)) return (WallPlaneEntry){0, 0, 0, 0};
    mote_real at = s * (mote_real)WALL_CELLS;
    int cell = (int)at;
    mote_real f = at - (mote_real)cell;
    DEVICE_GLOBAL const WallPlaneEntry *a = &table->plane[cell], *b = a + 1;
    return (WallPlaneEntry){a->volume + f * (b->volume - a->volume),
                            a->slope + f * (b->slope - a->slope), a->drag + f * (b->drag - a->drag),
                            a->depth_drag + f * (b->depth_drag - a->depth_drag)};
}

/* At any signed distance from the surface: in the wall, what is left of the whole. */
static inline WallPlaneEntry wall_plane_at(DEVICE_GLOBAL const WallTable *table, mote_real s)
{
    WallPlaneEntry e = wall_plane_beyond(table, s < 0 ? -s : s);
    if (s < 0) e.volume = table->weight - e.volume;
    return e;
}

#endif
