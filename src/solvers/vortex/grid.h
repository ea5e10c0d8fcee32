/* The uniform grid of a vortex fluid: a node holds velocity, density deviation and mass shares.
 *
 * About as many cells as vortons, over the box of all particles; trilinear interpolation, deposit
 * as its transpose (what is dealt out to nodes sums up to what there was). */
#ifndef SOLVERS_VORTEX_GRID_H
#define SOLVERS_VORTEX_GRID_H

#include "base/isa.h"
#include "base/memory.h"
#include "base/vec.h"

enum {
    NODE_VELOCITY,    /* m/s, three */
    NODE_DENSITY = 3, /* kg/m^3, less that of the surroundings */
    NODE_FUEL,
    NODE_FLAME,
    NODE_SMOKE,
    NODE_WEIGHT,               /* of vortons, while they are dealt out */
    NODE_SOURCE = NODE_WEIGHT, /* then, Pa/m^2: - div f of what bodies push with on a mesh */
    NODE_SIZE = NODE_WEIGHT + 1
};

typedef struct VortexGrid {
    mote_real low[3], size[3]; /* m: first node, cell */
    size_t cells[3];           /* 0: there is no grid yet */
    mote_real *nodes;          /* NODE_SIZE each, x fastest */
    size_t node_capacity;      /* nodes */
    bool flat; /* of two dimensions: one cell of a metre along z, with the same on both sides */
} VortexGrid;

static inline size_t grid_node_count(const VortexGrid *grid)
{
    return (grid->cells[0] + 1) * (grid->cells[1] + 1) * (grid->cells[2] + 1);
}

static inline mote_real grid_cell_volume(const VortexGrid *grid)
{
    return grid->size[0] * grid->size[1] * grid->size[2];
}

static inline size_t grid_node(const VortexGrid *grid, size_t i, size_t j, size_t k)
{
    return (k * (grid->cells[1] + 1) + j) * (grid->cells[0] + 1) + i;
}

typedef struct GridBox {
    mote_real low[3], high[3];
} GridBox;

/* A grid of about `count` cells over the box. False when out of memory. */
bool grid_shape(VortexGrid *grid, const GridBox *box, size_t count, Memory *memory);
/* The grid becomes one of two dimensions; and what is at its nodes at z = 0 goes to the others. */
void grid_make_flat(VortexGrid *grid);
void grid_copy_flat(VortexGrid *grid);
bool grid_reserve(VortexGrid *grid, size_t nodes, Memory *memory);
void grid_free(VortexGrid *grid, Memory *memory);

/* The cell of a point and its place there, 0 to 1 an axis; points outside: of the nearest cell. */
typedef struct GridPlace {
    size_t node; /* lowest corner of the cell */
    size_t cell[3];
    mote_real t[3];
} GridPlace;

static inline GridPlace grid_place(const VortexGrid *grid, const mote_real x[3])
{
    GridPlace place;
    for (int c = 0; c < 3; ++c) {
        mote_real at = (x[c] - grid->low[c]) / grid->size[c], last = (mote_real)grid->cells[c];
        at = at > 0 ? at : 0;
        at = at < last ? at : last;
        place.cell[c] = (size_t)at < grid->cells[c] ? (size_t)at : grid->cells[c] - 1;
        place.t[c] = at - (mote_real)place.cell[c];
    }
    place.node = grid_node(grid, place.cell[0], place.cell[1], place.cell[2]);
    return place;
}

/* Weight of the corner `corner` (bits x, y, z), and its node. */
static inline mote_real grid_weight(const GridPlace *place, int corner)
{
    mote_real weight = 1;
    for (int c = 0; c < 3; ++c) weight *= corner >> c & 1 ? place->t[c] : 1 - place->t[c];
    return weight;
}

static inline size_t grid_corner(const VortexGrid *grid, const GridPlace *place, int corner)
{
    size_t row = grid->cells[0] + 1, slab = row * (grid->cells[1] + 1);
    return place->node + (size_t)(corner & 1) + (corner & 2 ? row : 0) + (corner & 4 ? slab : 0);
}

/* Rows that go with the grid's velocity for dt. */
typedef struct FollowJob {
    mote_real *x[3], *v[3]; /* moved; velocity is that of the way */
    size_t count;
    mote_real dt;
    int axes;      /* that move: 2 or 3 */
    bool midpoint; /* rule; or by the velocity at the start */
    /* What tracers learn: temperature = gas / density, shares of fuel, flame, smoke. NULL: nothing.
     */
    mote_real *temperature, *shares[3];
    mote_real density, gas, least_density; /* of the surroundings; K kg/m^3; a bound */
    uint32_t *cell; /* where they are then: the number of a cell is its lowest node's. NULL: no */
} FollowJob;

/* Masses of rows that share what is in their cells: mass = unit / (temperature * crowd). */
typedef struct ShareJob {
    const mote_real *temperature, *crowd; /* K; rows in each cell */
    const uint32_t *cell;
    size_t count;
    mote_real unit; /* kg K */
    mote_real *mass;
} ShareJob;

/* How many rows are in each cell, from what workers counted. */
typedef struct CrowdJob {
    const uint32_t *counts; /* of each worker, `stride` apart */
    const bool *counted;    /* has the worker any? Else its counts are nothing */
    size_t workers, stride, count;
    mote_real *crowd;
} CrowdJob;

/* Trilinear interpolation at rows of points: the fast way. */
typedef struct GridKernels {
    void (*follow)(const VortexGrid *grid, const FollowJob *job);
    /* out: NODE_SIZE - 1 planes; planes that are NULL are left out. */
    void (*gather)(const VortexGrid *grid, const mote_real *const x[3], size_t count,
                   mote_real *const out[NODE_SIZE]);
    void (*share)(const ShareJob *job);
    void (*crowd)(const CrowdJob *job);
    /* Least and greatest of x, taken together with what is in `least` and `most`. */
    void (*extend)(const mote_real *x, size_t count, mote_real *least, mote_real *most);
} GridKernels;
const GridKernels *grid_kernels(Isa isa);

/* How many cells fluid of such a side reaches on either side along an axis. */
enum { GRID_REACH = 4 };
static inline mote_real grid_reach(const VortexGrid *grid, int axis, mote_real side)
{
    const mote_real cells = side / grid->size[axis];
    if (cells < 1 || grid->cells[axis] == 1) return 1;
    return cells < GRID_REACH ? cells : GRID_REACH;
}

/* Points that deal out their numbers to the nodes. */
typedef struct DealJob {
    const mote_real *x[3];
    const mote_real *density; /* kg/m^3, of the cell: less that of the surroundings */
    const mote_real *side;    /* m: of the fluid that a point stands for, as a cube */
    const mote_real *fuel, *flame, *smoke;
    size_t count;
    mote_real least_density; /* no node has less */
} DealJob;

/* Points that burn for dt; the rates and temperatures are the solver's parameters. */
typedef struct BurnJob {
    size_t count;
    mote_real *temperature, *fuel, *flame, *smoke;
    mote_real burn_rate, smoke_rate, ignition, smoke_temperature, burn_heat, heat_capacity, dt;
} BurnJob;

enum { SLOPE_SIZE = 12 }; /* d n_k / d x_l at 4 l + k, of velocity (k = 0, 1, 2) and density */

/* Points that are told the derivatives where they are; those of density over their fluid. */
typedef struct SlopeJob {
    const mote_real *x[3];
    const mote_real *side;   /* m: of the fluid that a point stands for, as a cube. NULL: none */
    const mote_real *slopes; /* of nodes */
    size_t count;
    mote_real *out; /* SLOPE_SIZE each */
} SlopeJob;

typedef struct FluidKernels {
    /* Clears the nodes, and deals out: a node gets sums of densities and means of shares. */
    void (*deal)(VortexGrid *grid, const DealJob *job);
    /* Density at the nodes of slabs [first, end) along z, less `share` of its second difference
     * along each axis. */
    void (*sharpen)(const VortexGrid *grid, const mote_real share[3], size_t first, size_t end,
                    mote_real *density);
    /* Derivatives at the nodes of slabs: central differences, second order at the faces. SLOPE_SIZE
     * numbers for each of the grid's nodes; those of density are of `density`. NULL: of the nodes'.
     */
    void (*slopes)(const VortexGrid *grid, const mote_real *density, size_t first, size_t end,
                   mote_real *out);
    void (*slopes_at)(const VortexGrid *grid, const SlopeJob *job);
    void (*burn)(const BurnJob *job);
} FluidKernels;
const FluidKernels *fluid_kernels(Isa isa);

#endif
