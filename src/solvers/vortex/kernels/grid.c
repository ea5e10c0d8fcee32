/* Trilinear interpolation at rows of points: a node's eight numbers are one vector, so a point
 * takes eight loads, whatever it wants to know. */
#include "solvers/vortex/grid.h"
#include "space/eight.h"

#include <string.h>

enum { CHUNK = 64 };

/* Cells and places in them, for a chunk of points. */
typedef struct Places {
    uint32_t node[CHUNK];
    mote_real t[3][CHUNK];
} Places;

static void find_places(const VortexGrid *grid, const mote_real *const x[3], size_t first,
                        size_t count, Places *places)
{
    uint32_t stride = 1;
    for (size_t i = 0; i < count; ++i) places->node[i] = 0;
    for (int c = 0; c < 3; ++c) {
        const mote_real low = grid->low[c], inverse = 1 / grid->size[c];
        const mote_real last = (mote_real)grid->cells[c];
        const int32_t top = (int32_t)grid->cells[c] - 1;
        const mote_real *from = x[c] + first;
        mote_real *t = places->t[c];
        FOR_ROWS (i, count) {
            mote_real at = (from[i] - low) * inverse;
            at = at > 0 ? at : 0;
            at = at < last ? at : last;
            int32_t cell = (int32_t)at;
            cell = cell < top ? cell : top;
            t[i] = at - (mote_real)cell;
            places->node[i] += (uint32_t)cell * stride;
        }
        stride *= (uint32_t)grid->cells[c] + 1;
    }
}

EIGHT_INLINE Eight between(Eight a, Eight b, mote_real t)
{
    return a + t * (b - a);
}

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
    find_places(grid, x, first, count, &places);
    for (size_t i = count; i % 8 != 0; ++i) {
        places.node[i] = 0;
        for (int c = 0; c < 3; ++c) places.t[c][i] = 0;
    }
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

/* What tracers learn from the numbers where they were: heat and shares. */
static void teach_chunk(const FollowJob *job, size_t first, size_t count, const Numbers *numbers)
{
    const mote_real *density = numbers->plane[NODE_DENSITY];
    const mote_real ambient = job->density, gas = job->gas, least = job->least_density;
    mote_real *temperature = job->temperature + first;
    FOR_ROWS (i, count) {
        mote_real all = ambient + density[i];
        temperature[i] = gas / (all > least ? all : least);
    }
    for (int k = 0; k < 3; ++k)
        memcpy(job->shares[k] + first, numbers->plane[NODE_FUEL + k], count * sizeof(mote_real));
}

static void follow(const VortexGrid *grid, const FollowJob *job)
{
    Numbers numbers;
    mote_real middle[3][CHUNK];
    const mote_real *const x[3] = {job->x[0], job->x[1], job->x[2]};
    const mote_real *const half[3] = {middle[0], middle[1], middle[2]};
    const mote_real dt = job->dt, half_dt = dt / 2;
    for (size_t first = 0; first < job->count; first += CHUNK) {
        size_t n = job->count - first < CHUNK ? job->count - first : CHUNK;
        gather_chunk(grid, x, first, n, &numbers);
        if (job->temperature != NULL) teach_chunk(job, first, n, &numbers);
        if (job->midpoint) {
            for (int c = 0; c < 3; ++c) {
                const mote_real *from = x[c] + first, *u = numbers.plane[c];
                FOR_ROWS (i, n) middle[c][i] = from[i] + half_dt * u[i];
            }
            gather_chunk(grid, half, 0, n, &numbers);
        }
        for (int c = 0; c < job->axes; ++c) {
            mote_real *to = job->x[c] + first, *v = job->v[c] + first;
            const mote_real *u = numbers.plane[c];
            FOR_ROWS (i, n) v[i] = u[i], to[i] += dt * u[i];
        }
    }
}

static void cells(const VortexGrid *grid, const mote_real *const x[3], size_t count, uint32_t *cell)
{
    Places places;
    for (size_t first = 0; first < count; first += CHUNK) {
        size_t n = count - first < CHUNK ? count - first : CHUNK;
        find_places(grid, x, first, n, &places);
        for (size_t i = 0; i < n; ++i) cell[first + i] = places.node[i];
    }
}

static void share(const ShareJob *job)
{
    const mote_real *temperature = job->temperature, *crowd = job->crowd, unit = job->unit;
    const uint32_t *cell = job->cell;
    mote_real *mass = job->mass;
    FOR_ROWS (i, job->count) mass[i] = unit / (temperature[i] * crowd[cell[i]]);
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
    .gather = gather, .follow = follow, .cells = cells, .share = share, .extend = extend};
