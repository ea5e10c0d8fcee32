/* Trilinear interpolation at rows of points: a node's eight numbers are one vector, so a point
 * takes eight loads, whatever it wants to know. */
#include "solvers/vortex/grid.h"
#include "base/lanes.h"

#include <string.h>

enum { CHUNK = 64 };

/* The first `count` numbers from here on, at most eight; zeros behind them. */
EIGHT_INLINE Eight load_some(const mote_real *from, size_t count)
{
    Eight a = {0};
    if (count >= 8) return eight_load(from);
    for (size_t l = 0; l < count; ++l) a[l] = from[l];
    return a;
}

EIGHT_INLINE void store_some(mote_real *to, Eight a, size_t count)
{
    if (count >= 8)
        eight_store(to, a);
    else
        for (size_t l = 0; l < count; ++l) to[l] = a[l];
}

/* Cells and places in them, for a chunk of points and some more up to a whole eight. */
typedef struct Places {
    uint32_t node[CHUNK];
    mote_real t[3][CHUNK];
} Places;

/* An axis of the grid. */
typedef struct PlaceAxis {
    mote_real low, inverse, last; /* m, 1/m, cells */
    int32_t top, stride;          /* last cell; nodes from one to the next */
} PlaceAxis;

typedef struct Axes {
    PlaceAxis x, y, z;
} Axes;

static Axes axes_of(const VortexGrid *grid)
{
    PlaceAxis axis[3];
    int32_t stride = 1;
    for (int c = 0; c < 3; ++c) {
        axis[c] = (PlaceAxis){grid->low[c], 1 / grid->size[c], (mote_real)grid->cells[c],
                              (int32_t)grid->cells[c] - 1, stride};
        stride *= (int32_t)grid->cells[c] + 1;
    }
    return (Axes){axis[0], axis[1], axis[2]};
}

/* Nodes up to the cell, and the place in it; what is outside is at the end of the last cell. */
EIGHT_INLINE I8 place_along(PlaceAxis axis, Eight x, mote_real *t)
{
    Eight at = eight_most((x - axis.low) * axis.inverse, eight_all(0));
    at = eight_least(at, eight_all(axis.last));
    I8 cell = __builtin_convertvector(at, I8), beyond = cell > axis.top;
    cell = (cell & ~beyond) | (axis.top & beyond);
    eight_store(t, at - __builtin_convertvector(cell, Eight));
    return cell * axis.stride;
}

EIGHT_INLINE void place_eight(const Axes *axes, const Eight x[3], size_t i, Places *places)
{
    I8 node = place_along(axes->x, x[0], places->t[0] + i);
    node += place_along(axes->y, x[1], places->t[1] + i);
    node += place_along(axes->z, x[2], places->t[2] + i);
    __builtin_memcpy(places->node + i, &node, sizeof node);
}

static void find_places(const Axes *grid, const mote_real *const x[3], size_t first, size_t count,
                        Places *places)
{
    const Axes axes = *grid;
    const mote_real *x0 = x[0] + first, *x1 = x[1] + first, *x2 = x[2] + first;
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const Eight at[3] = {eight_load(x0 + i), eight_load(x1 + i), eight_load(x2 + i)};
        place_eight(&axes, at, i, places);
    }
    if (i == count) return;
    const Eight rest[3] = {load_some(x0 + i, count - i), load_some(x1 + i, count - i),
                           load_some(x2 + i, count - i)};
    place_eight(&axes, rest, i, places);
}

EIGHT_INLINE Eight between(Eight a, Eight b, mote_real t)
{
    return a + t * (b - a);
}

/* Seven blends a + t (b - a), of all eight numbers at once. */
EIGHT_INLINE Eight interpolate(const VortexGrid *grid, const Places *p, size_t i)
{
    size_t row = NODE_SIZE * (grid->cells[0] + 1), slab = row * (grid->cells[1] + 1);
    const mote_real *n = grid->nodes + (size_t)p->node[i] * NODE_SIZE;
    Eight line[4];
    for (int k = 0; k < 4; ++k) {
        const mote_real *at = n + (k & 1 ? row : 0) + (k & 2 ? slab : 0);
        line[k] = between(eight_load(at), eight_load(at + NODE_SIZE), p->t[0][i]);
    }
    Eight low = between(line[0], line[1], p->t[1][i]), high = between(line[2], line[3], p->t[1][i]);
    return between(low, high, p->t[2][i]);
}

/* The eight numbers at eight points, number by number. */
EIGHT_INLINE void interpolate_eight(const VortexGrid *grid, const Places *p, size_t first,
                                    Eight out[NODE_SIZE])
{
    Eight low[4], high[4];
    for (size_t k = 0; k < 4; ++k) { /* points k and k + 4 side by side, for eight_turn */
        Eight a = interpolate(grid, p, first + k), b = interpolate(grid, p, first + k + 4);
        low[k] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
        high[k] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
    eight_turn(low[0], low[1], low[2], low[3], out);
    eight_turn(high[0], high[1], high[2], high[3], out + 4);
}

/* Numbers at a chunk of points, with room for whole eights. */
typedef struct Numbers {
    mote_real plane[NODE_SIZE][CHUNK];
} Numbers;

static void gather_chunk(const VortexGrid *grid, const mote_real *const x[3], size_t first,
                         size_t count, Numbers *numbers)
{
    Places places;
    const Axes axes = axes_of(grid);
    find_places(&axes, x, first, count, &places);
    for (size_t i = 0; i < count; i += 8) {
        Eight out[NODE_SIZE];
        interpolate_eight(grid, &places, i, out);
        for (int k = 0; k < NODE_WEIGHT; ++k) eight_store(numbers->plane[k] + i, out[k]);
    }
}

static void gather(const VortexGrid *grid, const mote_real *const x[3], size_t count,
                   mote_real *const out[NODE_SIZE])
{
    Numbers numbers;
    for (size_t first = 0; first < count; first += CHUNK) {
        size_t n = count - first < CHUNK ? count - first : CHUNK;
        gather_chunk(grid, x, first, n, &numbers);
        for (int k = 0; k < NODE_WEIGHT; ++k) {
            if (out[k] != NULL) memcpy(out[k] + first, numbers.plane[k], n * sizeof(mote_real));
        }
    }
}

/* What tracers learn from the numbers where they are: heat and shares; rows from i on. */
EIGHT_INLINE void teach(const FollowJob *job, size_t i, size_t count,
                        const Eight numbers[NODE_SIZE])
{
    Eight density = job->density + numbers[NODE_DENSITY];
    density = eight_most(density, eight_all(job->least_density));
    store_some(job->temperature + i, job->gas / density, count);
    for (int k = 0; k < 3; ++k) store_some(job->shares[k] + i, numbers[NODE_FUEL + k], count);
}

EIGHT_INLINE void move(const FollowJob *job, size_t i, size_t count, const Eight velocity[3])
{
    for (int c = 0; c < job->axes; ++c) {
        mote_real *x = job->x[c] + i;
        store_some(job->v[c] + i, velocity[c], count);
        store_some(x, load_some(x, count) + job->dt * velocity[c], count);
    }
}

/* Rows [first, first + n): by the velocity where they are, or half of the way on, which is the
 * midpoint rule, of second order in dt: without it circles around a vortex become spirals. */
static void follow_chunk(const VortexGrid *grid, const Axes *axes, const FollowJob *job,
                         size_t first, size_t n)
{
    Places places;
    mote_real middle[3][CHUNK];
    const mote_real *const x[3] = {job->x[0], job->x[1], job->x[2]};
    const mote_real *const half[3] = {middle[0], middle[1], middle[2]};
    Eight numbers[NODE_SIZE];
    find_places(axes, x, first, n, &places);
    for (size_t i = 0; i < n; i += 8) {
        interpolate_eight(grid, &places, i, numbers);
        if (job->temperature != NULL) teach(job, first + i, n - i, numbers);
        if (!job->midpoint) move(job, first + i, n - i, numbers);
        for (int c = 0; c < 3 && job->midpoint; ++c)
            eight_store(middle[c] + i,
                        load_some(x[c] + first + i, n - i) + job->dt / 2 * numbers[c]);
    }
    if (job->midpoint) {
        find_places(axes, half, 0, n, &places);
        for (size_t i = 0; i < n; i += 8) {
            interpolate_eight(grid, &places, i, numbers);
            move(job, first + i, n - i, numbers);
        }
    }
    if (job->cell == NULL) return;
    find_places(axes, x, first, n, &places);
    memcpy(job->cell + first, places.node, n * sizeof *job->cell);
}

static void follow(const VortexGrid *grid, const FollowJob *job)
{
    const Axes axes = axes_of(grid);
    for (size_t first = 0; first < job->count; first += CHUNK) {
        size_t left = job->count - first;
        follow_chunk(grid, &axes, job, first, left < CHUNK ? left : CHUNK);
    }
}

/* rho T is everywhere that of the surroundings, so that rho V_cell / crowd is unit / (T crowd). */
static void share(const ShareJob *job)
{
    const mote_real *temperature = job->temperature, *crowd = job->crowd, unit = job->unit;
    const uint32_t *cell = job->cell;
    mote_real *mass = job->mass;
    FOR_ROWS (i, job->count) mass[i] = unit / (temperature[i] * crowd[cell[i]]);
}

static void crowd_chunk(const CrowdJob *job, size_t first, size_t count)
{
    uint32_t sum[CHUNK] = {0};
    for (size_t w = 0; w < job->workers; ++w) {
        if (!job->counted[w]) continue;
        const uint32_t *counts = job->counts + w * job->stride + first;
        FOR_ROWS (i, count) sum[i] += counts[i];
    }
    mote_real *to = job->crowd + first;
    FOR_ROWS (i, count) to[i] = (mote_real)sum[i];
}

static void crowd(const CrowdJob *job)
{
    for (size_t first = 0; first < job->count; first += CHUNK)
        crowd_chunk(job, first, job->count - first < CHUNK ? job->count - first : CHUNK);
}

static void extend(const mote_real *x, size_t count, mote_real *least, mote_real *most)
{
    Eight low = eight_all(*least), high = eight_all(*most);
    size_t whole = count / 8 * 8;
    for (size_t i = 0; i < whole; i += 8) {
        Eight a = eight_load(x + i);
        low = eight_least(a, low);
        high = eight_most(a, high);
    }
    for (int k = 0; k < 8; ++k) {
        *least = low[k] < *least ? low[k] : *least;
        *most = high[k] > *most ? high[k] : *most;
    }
    for (size_t i = whole; i < count; ++i) {
        *least = x[i] < *least ? x[i] : *least;
        *most = x[i] > *most ? x[i] : *most;
    }
}

const GridKernels ISA(vortex_grid_kernels) = {
    .gather = gather, .follow = follow, .share = share, .crowd = crowd, .extend = extend};
