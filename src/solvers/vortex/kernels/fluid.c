/* What vortons put on the grid's nodes and take from them. A node's eight numbers are one vector,
 * and differences between nodes are taken of all of them at once. */
#include "base/lanes.h"
#include "base/math.h"
#include "solvers/vortex/grid.h"

static GridPlace place_of(const VortexGrid *grid, const mote_real *const x[3], size_t i)
{
    return grid_place(grid, (mote_real[]){x[0][i], x[1][i], x[2][i]});
}

/* Nodes along an axis that a wide point deals to, and their weights. */
enum { DEAL_REACH = 4, DEAL_NODES = 2 * DEAL_REACH };

typedef struct DealAxis {
    size_t first, count;
    mote_real weight[DEAL_NODES];
} DealAxis;

/* A hat of `reach` cells on either side, of what there is of it on the grid: in sum 1. */
static DealAxis deal_axis(const VortexGrid *grid, int c, mote_real x, mote_real reach)
{
    const mote_real last = (mote_real)grid->cells[c], at = (x - grid->low[c]) / grid->size[c];
    DealAxis axis = {.first = 0};
    mote_real low = at - reach, sum = 0;
    low = low > 0 ? low : 0, low = low < last ? low : last;
    axis.first = (size_t)low;
    for (size_t k = axis.first; k <= grid->cells[c] && axis.count < DEAL_NODES; ++k) {
        const mote_real far = REAL_ABS((mote_real)k - at) / reach;
        if (far >= 1 && axis.count == 0) axis.first = k + 1 <= grid->cells[c] ? k + 1 : k;
        if (far >= 1) continue;
        sum += axis.weight[axis.count++] = 1 - far;
    }
    if (axis.count == 0) axis.weight[axis.count++] = sum = 1;
    for (size_t k = 0; k < axis.count; ++k) axis.weight[k] /= sum;
    return axis;
}

/* How many cells a point's fluid reaches on either side along each axis, between 1 and DEAL_REACH;
 * false: not beyond its own. */
static bool deal_reach(const VortexGrid *grid, const DealJob *job, size_t i, mote_real reach[3])
{
    bool wide = false;
    for (int c = 0; c < 3; ++c) {
        const mote_real cells = job->side[i] / grid->size[c];
        reach[c] = cells < 1 || grid->cells[c] == 1 ? 1 : cells < DEAL_REACH ? cells : DEAL_REACH;
        wide = wide || reach[c] > 1;
    }
    return wide;
}

/* Fluid that is larger than a cell is dealt out as far as it reaches: else there would be holes
 * between vortons on a fine grid, and weight would make vorticity at every one of them. */
static void deal_wide(VortexGrid *grid, const DealJob *job, size_t i, const mote_real reach[3],
                      Eight numbers)
{
    DealAxis axis[3];
    for (int c = 0; c < 3; ++c) axis[c] = deal_axis(grid, c, job->x[c][i], reach[c]);
    for (size_t m = 0; m < axis[2].count; ++m)
        for (size_t l = 0; l < axis[1].count; ++l) {
            const mote_real weight = axis[2].weight[m] * axis[1].weight[l];
            mote_real *node =
                grid->nodes +
                NODE_SIZE * grid_node(grid, axis[0].first, axis[1].first + l, axis[2].first + m);
            for (size_t k = 0; k < axis[0].count; ++k, node += NODE_SIZE)
                eight_store(node, eight_load(node) + weight * axis[0].weight[k] * numbers);
        }
}

static void deal_row(VortexGrid *grid, const DealJob *job, size_t i)
{
    const GridPlace place = place_of(grid, job->x, i);
    const Eight numbers = {0, 0, 0, job->density[i], job->fuel[i], job->flame[i], job->smoke[i], 1};
    mote_real reach[3];
    if (job->density[i] != 0 && deal_reach(grid, job, i, reach)) {
        deal_wide(grid, job, i, reach, numbers);
        return;
    }
    for (int corner = 0; corner < 8; ++corner) {
        mote_real *node = grid->nodes + grid_corner(grid, &place, corner) * NODE_SIZE;
        eight_store(node, eight_load(node) + grid_weight(&place, corner) * numbers);
    }
}

/* Shares are means over what came to the node. The transpose of interpolation: a node gets weight
 * times number. */
static void deal(VortexGrid *grid, const DealJob *job)
{
    size_t nodes = grid_node_count(grid);
    for (size_t k = 0; k < nodes; ++k) eight_store(grid->nodes + k * NODE_SIZE, eight_all(0));
    for (size_t i = 0; i < job->count; ++i) deal_row(grid, job, i);
    for (size_t k = 0; k < nodes; ++k) {
        mote_real *node = grid->nodes + k * NODE_SIZE;
        mote_real share = node[NODE_WEIGHT] > 0 ? 1 / node[NODE_WEIGHT] : 0;
        eight_store(node, eight_load(node) * (Eight){1, 1, 1, 1, share, share, share, 1});
        if (node[NODE_DENSITY] < job->least_density) node[NODE_DENSITY] = job->least_density;
    }
}

/* Along one of the grid's axes. */
typedef struct SlopeAxis {
    size_t cells;
    ptrdiff_t step; /* numbers from a node to the next */
    mote_real half; /* 1/m: 1 / (2 size) */
} SlopeAxis;

/* d/dx of a node's numbers, place i of the axis. Central inside; at faces the one-sided form of
 * second order, (-3 f0 + 4 f1 - f2) / (2 h); with one cell alone the plain difference. */
EIGHT_INLINE Eight difference(const mote_real *node, const SlopeAxis *axis, size_t i)
{
    ptrdiff_t s = axis->step;
    bool first = i == 0, last = i == axis->cells;
    Eight here = eight_load(node);
    if (axis->cells == 1)
        return (first ? eight_load(node + s) - here : here - eight_load(node - s)) *
               (2 * axis->half);
    if (first)
        return (-3 * here + 4 * eight_load(node + s) - eight_load(node + 2 * s)) * axis->half;
    if (last) return (3 * here - 4 * eight_load(node - s) + eight_load(node - 2 * s)) * axis->half;
    return (eight_load(node + s) - eight_load(node - s)) * axis->half;
}

static void slopes(const VortexGrid *grid, size_t first, size_t end, mote_real *out)
{
    const size_t *n = grid->cells, start = grid_node(grid, 0, 0, first);
    const mote_real *node = grid->nodes + start * NODE_SIZE;
    SlopeAxis axes[3];
    size_t at[3], step = NODE_SIZE;
    for (int c = 0; c < 3; ++c) {
        axes[c] = (SlopeAxis){n[c], (ptrdiff_t)step, 1 / grid->size[c] / 2};
        step *= n[c] + 1;
    }
    out += start * SLOPE_SIZE;
    for (at[2] = first; at[2] < end; ++at[2])
        for (at[1] = 0; at[1] <= n[1]; ++at[1])
            for (at[0] = 0; at[0] <= n[0]; ++at[0], node += NODE_SIZE, out += SLOPE_SIZE)
                for (int c = 0; c < 3; ++c) {
                    Eight all = difference(node, &axes[c], at[c]);
                    Four kept = __builtin_shufflevector(all, all, 0, 1, 2, 3);
                    __builtin_memcpy(out + 4 * c, &kept, sizeof kept);
                }
}

static void slopes_at(const VortexGrid *grid, const mote_real *slopes_, const mote_real *const x[3],
                      size_t count, mote_real *out)
{
    for (size_t i = 0; i < count; ++i, out += SLOPE_SIZE) {
        const GridPlace place = place_of(grid, x, i);
        Four sum[3] = {{0}, {0}, {0}};
        for (int corner = 0; corner < 8; ++corner) {
            const mote_real *from = slopes_ + grid_corner(grid, &place, corner) * SLOPE_SIZE;
            mote_real weight = grid_weight(&place, corner);
            for (int c = 0; c < 3; ++c) {
                Four slope;
                __builtin_memcpy(&slope, from + 4 * c, sizeof slope);
                sum[c] += weight * slope;
            }
        }
        __builtin_memcpy(out, sum, sizeof sum);
    }
}

/* ---- fire ---- */

/* Share that is gone after dt at the rate k. The exact solution of Y' = - k Y for a temperature
 * that stays: published is k Y dt, which is more than there is once k dt > 1. */
static inline mote_real used_up(mote_real rate, mote_real dt)
{
    return 1 - real_exp(-rate * dt);
}

/*     k_s = A_s exp(-(T / T_s)^2)    flame to smoke: smoke_rate, smoke_temperature
 *     k_f = A_f exp(-T_a / T)        fuel to flame, Arrhenius: burn_rate, ignition
 *     dT = E dY_f / c_p              burn_heat, heat_capacity
 * Both use the shares of the start, so that new flame is seen for one sub-step at least. */
static void burn(const BurnJob *job)
{
    const BurnJob b = *job;
    FOR_ROWS (i, b.count) {
        mote_real t = b.temperature[i], cold = t / b.smoke_temperature;
        mote_real to_smoke = b.flame[i] * used_up(b.smoke_rate * real_exp(-cold * cold), b.dt);
        mote_real to_flame = b.fuel[i] * used_up(b.burn_rate * real_exp(-b.ignition / t), b.dt);
        b.fuel[i] -= to_flame;
        b.flame[i] += to_flame - to_smoke;
        b.smoke[i] = 1 - b.fuel[i] - b.flame[i];
        b.temperature[i] = t + b.burn_heat * to_flame / b.heat_capacity;
    }
}

const FluidKernels ISA(vortex_fluid_kernels) = {
    .deal = deal, .slopes = slopes, .slopes_at = slopes_at, .burn = burn};
