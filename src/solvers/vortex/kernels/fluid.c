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
enum { DEAL_NODES = 2 * GRID_REACH };

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

/* How many cells a point's fluid reaches on either side along each axis; false: not beyond its own.
 */
static bool deal_reach(const VortexGrid *grid, mote_real side, mote_real reach[3])
{
    bool wide = false;
    if (!(side > 0)) return false;
    for (int c = 0; c < 3; ++c) {
        reach[c] = grid_reach(grid, c, side);
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
    if (job->density[i] != 0 && deal_reach(grid, job->side[i], reach)) {
        deal_wide(grid, job, i, reach, numbers);
        return;
    }
    const size_t row = NODE_SIZE * (grid->cells[0] + 1), slab = row * (grid->cells[1] + 1);
    for (int line = 0; line < 4; ++line) { /* weights as by grid_weight */
        const mote_real x = place.t[0], y = line & 1 ? place.t[1] : 1 - place.t[1];
        const mote_real z = line & 2 ? place.t[2] : 1 - place.t[2];
        mote_real *node = grid->nodes + place.node * NODE_SIZE;
        node += (line & 1 ? row : 0) + (line & 2 ? slab : 0);
        eight_store(node, eight_load(node) + (1 - x) * y * z * numbers);
        eight_store(node + NODE_SIZE, eight_load(node + NODE_SIZE) + x * y * z * numbers);
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
    ptrdiff_t step;    /* numbers from a node to the next */
    mote_real half;    /* 1/m: 1 / (2 size) */
    mote_real twelfth; /* 1 / (12 size) */
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

/* What dealing out and reading back by hats smooths is given back to density, to second order: of a
 * wave they leave sinc(k h / 2)^4 = 1 - (k h)^2 / 6, along and across. No wave becomes larger than
 * it was. */
static void sharpen(const VortexGrid *grid, const mote_real share[3], size_t first, size_t end,
                    mote_real *out)
{
    const size_t *n = grid->cells, step[3] = {1, n[0] + 1, (n[0] + 1) * (n[1] + 1)};
    size_t at[3], k = grid_node(grid, 0, 0, first);
    for (at[2] = first; at[2] < end; ++at[2])
        for (at[1] = 0; at[1] <= n[1]; ++at[1])
            for (at[0] = 0; at[0] <= n[0]; ++at[0], ++k) {
                const mote_real *here = grid->nodes + k * NODE_SIZE + NODE_DENSITY;
                out[k] = *here;
                for (int c = 0; c < 3; ++c) {
                    if (at[c] == 0 || at[c] == n[c]) continue;
                    const mote_real *up = here + step[c] * NODE_SIZE;
                    out[k] -= share[c] * (*up - 2 * *here + *(here - step[c] * NODE_SIZE));
                }
            }
}

/* d/dx of sharpened density, of fourth order where there are nodes for it. */
static mote_real weight_slope(const mote_real *node, const SlopeAxis *axis, size_t i)
{
    const ptrdiff_t s = axis->step / NODE_SIZE;
    if (axis->cells == 1) return (i == 0 ? node[s] - *node : *node - node[-s]) * (2 * axis->half);
    if (i == 0) return (-3 * *node + 4 * node[s] - node[2 * s]) * axis->half;
    if (i == axis->cells) return (3 * *node - 4 * node[-s] + node[-2 * s]) * axis->half;
    const mote_real near = node[s] - node[-s];
    if (i == 1 || i + 1 == axis->cells) return near * axis->half;
    return (8 * near - (node[2 * s] - node[-2 * s])) * axis->twelfth;
}

static void slopes(const VortexGrid *grid, const mote_real *density, size_t first, size_t end,
                   mote_real *out)
{
    const size_t *n = grid->cells, start = grid_node(grid, 0, 0, first);
    const mote_real *node = grid->nodes + start * NODE_SIZE;
    SlopeAxis axes[3];
    size_t at[3], step = NODE_SIZE, k = start;
    for (int c = 0; c < 3; ++c) {
        axes[c] = (SlopeAxis){n[c], (ptrdiff_t)step, 1 / grid->size[c] / 2, 1 / grid->size[c] / 12};
        step *= n[c] + 1;
    }
    out += start * SLOPE_SIZE;
    for (at[2] = first; at[2] < end; ++at[2])
        for (at[1] = 0; at[1] <= n[1]; ++at[1])
            for (at[0] = 0; at[0] <= n[0]; ++at[0], ++k, node += NODE_SIZE, out += SLOPE_SIZE)
                for (int c = 0; c < 3; ++c) {
                    Eight all = difference(node, &axes[c], at[c]);
                    Four kept = __builtin_shufflevector(all, all, 0, 1, 2, 3);
                    if (density != NULL)
                        kept[NODE_DENSITY] = weight_slope(density + k, &axes[c], at[c]);
                    __builtin_memcpy(out + 4 * c, &kept, sizeof kept);
                }
}

/* The mean over the fluid that a point stands for, by the weights that dealt it out: vortons that
 * fill a region then get all the weight that its nodes have, however fine the grid is. */
static void wide_slope(const VortexGrid *grid, const SlopeJob *job, size_t i, mote_real slope[3])
{
    DealAxis axis[3];
    mote_real reach[3];
    if (!deal_reach(grid, job->side[i], reach)) return;
    for (int c = 0; c < 3; ++c) {
        axis[c] = deal_axis(grid, c, job->x[c][i], reach[c]);
        slope[4 * c] = 0;
    }
    for (size_t m = 0; m < axis[2].count; ++m)
        for (size_t l = 0; l < axis[1].count; ++l) {
            const mote_real weight = axis[2].weight[m] * axis[1].weight[l];
            const mote_real *from =
                job->slopes + NODE_DENSITY +
                SLOPE_SIZE * grid_node(grid, axis[0].first, axis[1].first + l, axis[2].first + m);
            for (size_t k = 0; k < axis[0].count; ++k, from += SLOPE_SIZE)
                for (int c = 0; c < 3; ++c)
                    slope[4 * c] += weight * axis[0].weight[k] * from[4 * c];
        }
}

static void slopes_at(const VortexGrid *grid, const SlopeJob *job)
{
    mote_real *out = job->out;
    for (size_t i = 0; i < job->count; ++i, out += SLOPE_SIZE) {
        const GridPlace place = place_of(grid, job->x, i);
        Four sum[3] = {{0}, {0}, {0}};
        for (int corner = 0; corner < 8; ++corner) {
            const mote_real *from = job->slopes + grid_corner(grid, &place, corner) * SLOPE_SIZE;
            mote_real weight = grid_weight(&place, corner);
            for (int c = 0; c < 3; ++c) {
                Four slope;
                __builtin_memcpy(&slope, from + 4 * c, sizeof slope);
                sum[c] += weight * slope;
            }
        }
        __builtin_memcpy(out, sum, sizeof sum);
        if (job->side != NULL) wide_slope(grid, job, i, out + NODE_DENSITY);
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
    .deal = deal, .sharpen = sharpen, .slopes = slopes, .slopes_at = slopes_at, .burn = burn};
