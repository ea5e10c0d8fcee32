/* What vortons put on the grid: density, mass shares, velocity. */
#include "base/math.h"
#include "solvers/vortex/spins.h"

/* Density deviation and mass shares, dealt out to the nodes. */
bool vortex_deposit(const VortexWork *work, const VortonRows *rows, VortexGrid *grid)
{
    mote_real inverse = 1 / grid_cell_volume(grid);
    mote_real *density = arena_take(work->arena, rows->count * sizeof *density);
    if (density == NULL) return false;
    for (size_t i = 0; i < rows->count; ++i)
        density[i] =
            gas_deviation(work->params, rows->temperature[i]) * vorton_volume(rows, i) * inverse;
    const DealJob job = {.x = {rows->x[0], rows->x[1], rows->x[2]},
                         .density = density,
                         .fuel = rows->fuel,
                         .flame = rows->flame,
                         .smoke = rows->smoke,
                         .count = rows->count,
                         .least_density = (mote_real)-0.95 * work->params->density};
    fluid_kernels(work->isa)->deal(grid, &job);
    return true;
}

/* Velocity at the nodes, of cores that are no smaller than `mollify` cells. */
bool vortex_fill_velocity(const VortexWork *work, const VortonRows *rows, VortexGrid *grid)
{
    const mote_VortexSolver *p = work->params;
    size_t nodes = grid_node_count(grid), n = rows->count;
    mote_real side = (mote_real)math_exp(math_log((double)grid_cell_volume(grid)) / 3);
    mote_real least = p->mollify * side,
              *planes = arena_take(work->arena, 6 * nodes * sizeof least);
    mote_real *core2 = arena_take(work->arena, n * sizeof *core2);
    InduceRequest r = {.core = work->core,
                       .sources = {.count = n},
                       .count = nodes,
                       .tree = {p->angle, (int)p->order, tree_def().leaf},
                       .tasks = work->tasks,
                       .arena = work->arena};
    if (planes == NULL || core2 == NULL) return false;
    for (size_t i = 0; i < n; ++i) {
        mote_real radius = rows->radius[i] > least ? rows->radius[i] : least;
        core2[i] = radius * radius;
    }
    for (int c = 0; c < 3; ++c) {
        r.sources.plane[SOURCE_X + c] = rows->x[c];
        r.sources.plane[SOURCE_ALPHA + c] = rows->strength[c];
        r.x[c] = planes + (size_t)c * nodes, r.out[c] = planes + (size_t)(3 + c) * nodes;
    }
    r.sources.plane[SOURCE_CORE2] = core2;
    for (size_t k = 0; k < nodes; ++k) {
        size_t row = grid->cells[0] + 1, slab = grid->cells[1] + 1;
        const size_t at[3] = {k % row, k / row % slab, k / row / slab};
        for (int c = 0; c < 3; ++c)
            planes[(size_t)c * nodes + k] = grid->low[c] + (mote_real)at[c] * grid->size[c];
    }
    if (!induce_row(p->induction)->induce(&r)) return false;
    add_spins(work, r.x, nodes, r.out);
    const mote_real wind[3] = {p->wind.x, p->wind.y, p->wind.z};
    for (int c = 0; c < 3; ++c)
        for (size_t k = 0; k < nodes; ++k)
            grid->nodes[k * NODE_SIZE + (size_t)c] = r.out[c][k] + wind[c];
    return true;
}
