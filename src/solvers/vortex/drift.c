/* Vortons that go with the grid's velocity.
 *
 * A grid shows a vorton its own flow from the nodes around, interpolated: none where the core is
 * linear over the cell, but other cores bend, and in a midpoint step it has left the place that its
 * flow is around. So that it does not move itself, its own part is taken off: of the eight nodes of
 * its cell at n, of weight w, u(x) - sum of w K(n - x0) alpha, K the core's kernel about where the
 * vorton was, x0, when the grid was made. K is odd, so that is one sum over eight sources at x0. */
#include "base/loop.h"
#include "base/math.h"
#include "solvers/vortex/solver.h"

enum { CHUNK = 64 };

typedef struct Drift {
    const VortexWork *work;
    const VortonRows *rows;
    const VortexGrid *grid;
    const GridKernels *kernels;
    mote_real least; /* m, core radius on the grid */
} Drift;

mote_real grid_least_core(const VortexGrid *grid, const mote_VortexSolver *params)
{
    return params->mollify * (mote_real)math_exp(math_log((double)grid_cell_volume(grid)) / 3);
}

/* A chunk of vortons: where they were when the grid was made, their strengths and squares of core
 * radii; and where they look, the velocity there. */
typedef struct Chunk {
    mote_real from[3][CHUNK], strength[3][CHUNK], core2[CHUNK];
    mote_real at[3][CHUNK], u[3][CHUNK];
    size_t count;
} Chunk;

static void take_chunk(const Drift *d, size_t first, size_t count, Chunk *chunk)
{
    const VortonRows *r = d->rows;
    chunk->count = count;
    for (size_t k = 0; k < (count + 7) / 8 * 8; ++k) { /* the last one fills up a whole eight */
        size_t i = first + (k < count ? k : count - 1);
        mote_real radius = r->radius[i] > d->least ? r->radius[i] : d->least;
        chunk->core2[k] = radius * radius;
        for (int c = 0; c < 3; ++c) {
            chunk->from[c][k] = chunk->at[c][k] = r->x[c][i];
            chunk->strength[c][k] = r->strength[c][i];
        }
    }
}

/* Velocity where they look, without their own. */
static void look_up(const Drift *d, Chunk *chunk)
{
    const VortexGrid *grid = d->grid;
    size_t whole = (chunk->count + 7) / 8 * 8;
    OwnJob job = {.count = chunk->count, .core2 = chunk->core2};
    for (int c = 0; c < 3; ++c) {
        job.from[c] = chunk->from[c], job.at[c] = chunk->at[c];
        job.strength[c] = chunk->strength[c], job.u[c] = chunk->u[c];
        job.low[c] = grid->low[c], job.size[c] = grid->size[c];
        job.cells[c] = (int32_t)grid->cells[c];
    }
    d->kernels->gather(grid, job.at, whole,
                       (mote_real *[NODE_SIZE]){chunk->u[0], chunk->u[1], chunk->u[2]});
    d->work->core->own(&job);
}

static void drift_chunk(const Drift *d, size_t first, size_t count)
{
    const VortonRows *r = d->rows;
    const mote_real dt = d->work->dt;
    Chunk chunk;
    take_chunk(d, first, count, &chunk);
    look_up(d, &chunk);
    if (d->work->params->scheme > 0) {
        for (int c = 0; c < 3; ++c)
            for (size_t k = 0; k < (count + 7) / 8 * 8; ++k)
                chunk.at[c][k] = chunk.from[c][k] + dt / 2 * chunk.u[c][k];
        look_up(d, &chunk);
    }
    for (int c = 0; c < (d->work->flat ? 2 : 3); ++c)
        for (size_t k = 0; k < count; ++k) {
            r->v[c][first + k] = chunk.u[c][k];
            r->x[c][first + k] += dt * chunk.u[c][k];
        }
}

static void drift_body(void *context, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t first = begin; first < end; first += CHUNK)
        drift_chunk(context, first, end - first < CHUNK ? end - first : CHUNK);
}

void drift_on_grid(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid)
{
    Drift drift = {work, rows, grid, grid_kernels(work->isa), grid_least_core(grid, work->params)};
    mote_parallel_for(work->tasks, rows->count, 4 * CHUNK, drift_body, &drift);
}
