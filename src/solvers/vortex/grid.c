/* The grid's shape. */
#include "solvers/vortex/grid.h"

#include "base/math.h"

#include <string.h>

ISA_KERNELS(grid_kernels, GridKernels, vortex_grid_kernels)
ISA_KERNELS(fluid_kernels, FluidKernels, vortex_fluid_kernels)

/* The box is a little larger than what is in it, so that the last particle is inside. Some last
 * bits of a float. */
#define INFLATE ((mote_real)1e-6)

bool grid_reserve(VortexGrid *grid, size_t nodes, Memory *memory)
{
    void *items = grid->nodes;
    bool room =
        memory_reserve(memory, &items, &grid->node_capacity, nodes, NODE_SIZE * sizeof(mote_real));
    grid->nodes = items;
    return room;
}

void grid_free(VortexGrid *grid, Memory *memory)
{
    memory_free(memory, grid->nodes, grid->node_capacity * NODE_SIZE * sizeof(mote_real));
    *grid = (VortexGrid){.nodes = NULL};
}

/* Side of cells that fill the box `count` times; flat axes do not count. (volume / count)^(1/3), or
 * the root of an area, or a length. */
static double cell_side(const double extent[3], size_t count)
{
    double volume = 1, longest = 0, axes = 0;
    for (int c = 0; c < 3; ++c) longest = extent[c] > longest ? extent[c] : longest;
    for (int c = 0; c < 3; ++c)
        if (extent[c] > 1e-3 * longest) volume *= extent[c], ++axes;
    return axes > 0 ? math_exp(math_log(volume / (double)count) / axes) : 1;
}

bool grid_shape(VortexGrid *grid, const GridBox *box, size_t count, Memory *memory)
{
    double extent[3];
    for (int c = 0; c < 3; ++c) extent[c] = (double)(box->high[c] - box->low[c]);
    double side = cell_side(extent, count > 0 ? count : 1);
    for (int c = 0; c < 3; ++c) {
        double cells = __builtin_floor(extent[c] / side + 0.5);
        grid->cells[c] = cells < 1 ? 1 : cells > 4096 ? 4096 : (size_t)cells;
        mote_real width = box->high[c] - box->low[c];
        width = width > 0 ? width * (1 + INFLATE) : (mote_real)side;
        grid->low[c] = box->low[c];
        grid->size[c] = width / (mote_real)grid->cells[c];
    }
    return grid_reserve(grid, grid_node_count(grid), memory);
}

void grid_make_flat(VortexGrid *grid)
{
    grid->flat = true;
    grid->low[2] = 0, grid->size[2] = 1, grid->cells[2] = 1;
}

void grid_copy_flat(VortexGrid *grid)
{
    size_t plane = grid_node_count(grid) / 2 * NODE_SIZE;
    memcpy(grid->nodes + plane, grid->nodes, plane * sizeof *grid->nodes);
}
