/* What vortons put on the grid: density, mass shares, velocity. */
#include "base/math.h"
#include "solvers/vortex/penalise.h"
#include "solvers/vortex/sheets.h"
#include "solvers/vortex/spins.h"

#include <string.h>

/* Of a cube, or a square, with the grid's least side. */
static mote_real least_volume(const VortexGrid *grid, bool flat)
{
    mote_real side = grid->size[0] < grid->size[1] ? grid->size[0] : grid->size[1];
    if (flat) return side * side;
    side = side < grid->size[2] ? side : grid->size[2];
    return side * side * side;
}

/* Density deviation and mass shares, dealt out to the nodes. rho' V over the cell's volume is
 * extensive: nodes times cells sum up to what the vortons have. No node becomes lighter than a
 * twentieth of the surroundings: overlapping hot vortons would add up to less than nothing. */
bool vortex_deposit(const VortexWork *work, const VortonRows *rows, VortexGrid *grid)
{
    mote_real inverse = 1 / grid_cell_volume(grid);
    mote_real *density = arena_take(work->arena, 2 * rows->count * sizeof *density);
    if (density == NULL) return false;
    mote_real *side = density + rows->count;
    const mote_real least = least_volume(grid, rows->flat);
    for (size_t i = 0; i < rows->count; ++i) {
        const mote_real volume = vorton_volume(rows, i);
        density[i] = gas_deviation(work->params, rows->temperature[i]) * volume * inverse;
        side[i] = volume > least ? real_exp(real_log(volume) / (rows->flat ? 2 : 3)) : 0;
    }
    const DealJob job = {.x = {rows->x[0], rows->x[1], rows->x[2]},
                         .density = density,
                         .side = side,
                         .fuel = rows->fuel,
                         .flame = rows->flame,
                         .smoke = rows->smoke,
                         .count = rows->count,
                         .least_density = (mote_real)-0.95 * work->params->density};
    fluid_kernels(work->isa)->deal(grid, &job);
    return true;
}

/* Nodes as points go line by line along z: the one after `at`. Their order is that of `line` in
 * InduceRequest, not that of the grid's memory, which has x fastest. */
static void next_node(const VortexGrid *grid, size_t at[3])
{
    if (++at[2] <= grid->cells[2]) return;
    at[2] = 0;
    if (++at[0] <= grid->cells[0]) return;
    at[0] = 0, ++at[1];
}

static void place_nodes(const VortexGrid *grid, mote_real *const x[3])
{
    const mote_real *low = grid->low, *size = grid->size;
    size_t node = 0;
    for (size_t j = 0; j <= grid->cells[1]; ++j)
        for (size_t i = 0; i <= grid->cells[0]; ++i) {
            const mote_real here[2] = {low[0] + (mote_real)i * size[0],
                                       low[1] + (mote_real)j * size[1]};
            for (size_t k = 0; k <= grid->cells[2]; ++k, ++node) {
                x[0][node] = here[0], x[1][node] = here[1];
                x[2][node] = low[2] + (mote_real)k * size[2];
            }
        }
}

static mote_real *node_at(const VortexGrid *grid, const size_t at[3])
{
    return grid->nodes + grid_node(grid, at[0], at[1], at[2]) * NODE_SIZE;
}

/* Velocities of such points, to the nodes; and the other way. */
static void put_velocity(VortexGrid *grid, mote_real *const u[3], mote_Vec3 wind)
{
    const mote_real more[3] = {wind.x, wind.y, wind.z};
    size_t at[3] = {0};
    for (size_t k = 0; k < grid_node_count(grid); ++k, next_node(grid, at)) {
        mote_real *node = node_at(grid, at);
        for (int c = 0; c < 3; ++c) node[c] = u[c][k] + more[c];
    }
}

static void take_velocity(const VortexGrid *grid, mote_real *const u[3])
{
    size_t at[3] = {0};
    for (size_t k = 0; k < grid_node_count(grid); ++k, next_node(grid, at)) {
        const mote_real *node = node_at(grid, at);
        for (int c = 0; c < 3; ++c) u[c][k] = node[c];
    }
}

/* Squares of core radii, none smaller than `least`. */
static mote_real *core_squares(const VortexWork *work, const VortonRows *rows, mote_real least)
{
    mote_real *core2 = arena_take(work->arena, rows->count * sizeof *core2);
    for (size_t i = 0; i < rows->count && core2 != NULL; ++i) {
        mote_real radius = rows->radius[i] > least ? rows->radius[i] : least;
        core2[i] = radius * radius;
    }
    return core2;
}

/* Velocity at the nodes, of cores that are no smaller than `mollify` cells: between nodes it is
 * interpolated, and a core that falls between them would be seen or not as it moves. The far field
 * stays, since strengths do; the articles' part 12 has it as auto-mollification. */
bool vortex_fill_velocity(const VortexWork *work, const VortonRows *rows, VortexGrid *grid)
{
    const mote_VortexSolver *p = work->params;
    size_t nodes = grid_node_count(grid);
    mote_real *planes = arena_take(work->arena, 6 * nodes * sizeof *planes);
    mote_real *core2 = core_squares(work, rows, grid_least_core(grid, p));
    InduceRequest r = {.core = work->core,
                       .sources = {.count = rows->count},
                       .count = nodes,
                       .line = grid->cells[2] + 1,
                       .tree = {p->angle, (int)p->order, tree_def().leaf},
                       .tasks = work->tasks,
                       .arena = work->arena,
                       .share = work->share,
                       .device = work->device};
    if (planes == NULL || core2 == NULL) return false;
    for (int c = 0; c < 3; ++c) {
        r.sources.plane[SOURCE_X + c] = rows->x[c];
        r.sources.plane[SOURCE_ALPHA + c] = rows->strength[c];
        r.x[c] = planes + (size_t)c * nodes, r.out[c] = planes + (size_t)(3 + c) * nodes;
    }
    r.sources.plane[SOURCE_CORE2] = core2;
    place_nodes(grid, (mote_real *[]){planes, planes + nodes, planes + 2 * nodes});
    const bool room =
        work->mesh != NULL ? mesh_velocity(work, &r) : induce_row(p->induction)->induce(&r);
    if (!room) return false;
    put_velocity(grid, r.out, p->wind);
    if (work->mesh != NULL) mesh_note_push(work, grid);
    if (work->flat) grid_copy_flat(grid);
    return true;
}

/* Tracers and fields see the air that turning bodies drag along; vortons go by `quiet`, without it
 * (spins.c says why). */
bool vortex_stir(const VortexWork *work, VortexGrid *grid, VortexGrid *quiet)
{
    size_t nodes = grid_node_count(grid), bytes = nodes * NODE_SIZE * sizeof *grid->nodes;
    mote_real *planes, *x[3], *u[3];
    *quiet = *grid;
    if (work->spins.count == 0 && work->sheets == NULL) return true;
    planes = arena_take(work->arena, 6 * nodes * sizeof *planes);
    quiet->nodes = arena_take(work->arena, bytes);
    if (planes == NULL || quiet->nodes == NULL) return false;
    memcpy(quiet->nodes, grid->nodes, bytes);
    for (int c = 0; c < 3; ++c)
        x[c] = planes + (size_t)c * nodes, u[c] = planes + (size_t)(3 + c) * nodes;
    place_nodes(grid, x);
    take_velocity(grid, u);
    add_spins(work, (const mote_real *const[]){x[0], x[1], x[2]}, nodes, u);
    add_sheets(work, (const mote_real *const[]){x[0], x[1], x[2]}, nodes, u);
    put_velocity(grid, u, vec3(0, 0, 0));
    return true;
}
