/* Trilinear interpolation at rows of points: a node's eight numbers are one vector, so a point
 * takes eight loads, whatever it wants to know. */
#include "solvers/vortex/grid.h"
#include "space/eight.h"

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

static void gather(const VortexGrid *grid, const mote_real *const x[3], size_t count,
                   mote_real *const out[NODE_SIZE])
{
    Places places;
    mote_real values[CHUNK][NODE_SIZE];
    for (size_t first = 0; first < count; first += CHUNK) {
        size_t n = count - first < CHUNK ? count - first : CHUNK;
        find_places(grid, x, first, n, &places);
        for (size_t i = 0; i < n; ++i) eight_store(values[i], interpolate(grid, &places, i));
        for (int k = 0; k < NODE_WEIGHT; ++k) {
            if (out[k] == NULL) continue;
            for (size_t i = 0; i < n; ++i) out[k][first + i] = values[i][k];
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

const GridKernels ISA(vortex_grid_kernels) = {.gather = gather, .cells = cells, .extend = extend};
