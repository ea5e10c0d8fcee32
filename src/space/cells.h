/* Cells: points sorted into cubes of edge H or a little more, so that whatever lies within H of a
 * point is in its cube or one beside it.
 *
 * Only occupied cubes are kept, sorted by key, so memory goes with the number of points however far
 * apart they are. Points of a row of cubes along x stand one after another: the 27 cubes around one
 * are 9 runs. Within a cube points stand in the order of their ids. Points that are not finite are
 * in no cube: they come last.
 *
 * Cubes are anchored: which one a point is in depends on its place alone, not on where others are.
 * So whoever sorts a part of the points, or all of them in another order, finds the same cubes with
 * the same points in the same order.
 *
 * Edge H and the 27 cubes are P26 of GAMES103's notes: pairs to be looked at go with N and not with
 * N^2 (P25). */
#ifndef SPACE_CELLS_H
#define SPACE_CELLS_H

#include <mote/tasks.h>

#include "base/loop.h"
#include "particles/system.h"
#include "space/formulas/cell_key.h"

/* Entries behind the last of planes that loops over eight may read. */
enum { CELLS_SPARE = 16 };

/* Where points may be: a box with periodic axes, or anywhere. */
typedef struct CellSpace {
    mote_real low[3];    /* m: where periodic axes begin */
    mote_real period[3]; /* m; 0: the axis has no period */
    bool flat;           /* two-dimensional: z does not count */
} CellSpace;

typedef struct CellPoints {
    const mote_real *x[3];
    const uint64_t *ids; /* all different; NULL: the points' numbers */
    size_t count;        /* less than 2^32 */
} CellPoints;

CellPoints cell_points_of(const mote_System *system);

typedef struct Cells {
    CellSpace space;
    mote_real reach;               /* H, m */
    mote_real anchor[3];           /* m: 0, or where a periodic axis begins */
    mote_real edge[3], inverse[3]; /* m, 1/m: cell = floor((x - anchor) inverse) */
    mote_real low[3];              /* the window of cells that the points are in: its first one */
    uint32_t side[3];              /* and how many along each axis */
    size_t points;                 /* all */
    size_t wanted;                 /* cells whose points all have this number or more get no lists
                                      of neighbours: they are there to be found by others */
    size_t placed;                 /* in cells; the others are not finite */
    size_t cell_count;             /* occupied */
    uint64_t *keys;  /* ascending: (z side_y + y) side_x + x, from the window's first */
    uint32_t *first; /* cell_count + 1 places */
    uint32_t *order; /* place -> number of the point */
    uint32_t *ends;  /* by key, of empty cells too: the place behind; or NULL */
    mote_real *x[3]; /* by place, wrapped into the periodic box */
    size_t most;     /* points in the fullest cell */
} Cells;

/* Sorts the points. Everything is taken from the arena; false when out of memory. Needs period >=
 * 2 reach on periodic axes. */
bool cells_make(Cells *cells, const CellSpace *space, mote_real reach, const CellPoints *points,
                Arena *arena, mote_Tasks *tasks);

/* The window of so many points between low and high, without them. False: there are too many cells
 * for a table. */
bool cells_window(Cells *cells, const CellSpace *space, mote_real reach, const mote_real low[3],
                  const mote_real high[3], size_t points);

/* The box that a window is chosen for. */
bool cells_box(const CellPoints *points, Arena *arena, mote_Tasks *tasks, mote_real low[3],
               mote_real high[3]);

/* The cell of an axis that x is in, a whole number, from the anchor. */
static inline mote_real cells_at(const Cells *cells, int c, mote_real x)
{
    return cell_of_axis(x, cells->anchor[c], cells->inverse[c]);
}

/* The cells themselves, without points: what cells_locate goes by. */
Cells cells_grid(const CellSpace *space, mote_real reach);

/* The cell that a place is in, from the anchor; of a periodic axis from 0 to its side. Far away it
 * is the last that has a number. False: the place is not finite, and in no cell. */
enum { CELLS_FARTHEST = 1 << 29 };
bool cells_locate(const Cells *grid, const mote_real x[3], int32_t at[3]);

/* The same of all points: their cells along each axis. Those in none have CELLS_NOWHERE along x. */
enum { CELLS_NOWHERE = INT32_MIN };
void cells_locate_all(const Cells *grid, const CellPoints *points, int32_t *const at[3],
                      mote_Tasks *tasks);

/* Points mostly stand together with those of their cell: is one in the cell of the point before? */
static inline bool cells_same(int32_t *const at[3], size_t point)
{
    return ((at[0][point] ^ at[0][point - 1]) | (at[1][point] ^ at[1][point - 1]) |
            (at[2][point] ^ at[2][point - 1])) == 0;
}

/* A run of points: places [begin, end), moved by `shift` where a periodic axis was crossed. */
typedef struct CellRun {
    uint32_t begin, end;
    mote_real shift[3];
} CellRun;

enum { CELLS_MOST_RUNS = 27 };

/* Where the search for the runs around ascending cells stands; starts as {0}. */
typedef struct CellCursor {
    uint64_t row;   /* of cells for which `at` holds, plus one; 0: none */
    uint32_t at[9]; /* cell from which on to look, for each row around */
} CellCursor;

/* The runs around a cell; returns how many. Cells should be asked for in ascending order. */
int cells_runs(const Cells *cells, size_t cell, CellCursor *cursor, CellRun runs[CELLS_MOST_RUNS]);

/* ---- a ball around any place, of any radius ---- */

/* A walk over the runs of points in the rows of cells that the ball touches. */
typedef struct BallWalk {
    const Cells *cells;
    int64_t low[3], high[3]; /* cells, beyond the ends of periodic axes too */
    int64_t x, y, z;         /* where the walk is: part of a row, row */
} BallWalk;

/* On periodic axes 2 radius must not exceed the period. A centre that is not finite meets nothing.
 */
BallWalk ball_walk(const Cells *cells, const double centre[3], double radius);

/* The next run; its points may be nearer than the radius or not. False: no more. */
bool ball_next(BallWalk *walk, CellRun *run);

/* Places of all points nearer than the radius, in the order of the walk, at most `room` of them;
 * returns how many there are. */
size_t ball_points(const Cells *cells, const mote_real centre[3], mote_real radius,
                   uint32_t *places, size_t room);

#endif
