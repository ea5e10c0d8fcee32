/* Vortons that go with the grid's velocity.
 *
 * A grid shows a vorton its own flow from the nodes around, interpolated: none where the core is
 * linear over the cell, but other cores bend. So that it does not move itself, its own part is
 * taken off: of the eight nodes of its cell at n, of weight w, u(x) - sum of w K(n - x) alpha, K
 * the core's kernel. K is odd, so that is one sum over eight sources at x.
 *
 * Scheme euler has the grid of the vortons as they are; the others have a second one, of where they
 * and their strengths are after half a sub-step (midpoint rule), and tracers go by it too. */
#include "base/loop.h"
#include "base/math.h"
#include "solvers/vortex/solver.h"
#include "solvers/vortex/spins.h"

#include <string.h>

enum { CHUNK = VORTON_PIECE };

typedef struct Drift {
    const VortexWork *work;
    const VortonRows *rows, *to; /* that the grid is of; that go */
    const VortexGrid *grid;
    const GridKernels *kernels;
    const mote_real *slopes; /* that stretch them before; NULL: none do */
    mote_real least, dt;     /* m, core radius on the grid; s */
} Drift;

/* V_cell^(1/3): cells may be long, and the core is round. */
mote_real grid_least_core(const VortexGrid *grid, const mote_VortexSolver *params)
{
    double axes = grid->flat ? 2 : 3;
    return params->mollify * (mote_real)math_exp(math_log((double)grid_cell_volume(grid)) / axes);
}

/* A chunk of vortons: places, strengths and squares of core radii; the velocity there. */
typedef struct DriftChunk {
    mote_real at[3][CHUNK], strength[3][CHUNK], core2[CHUNK];
    mote_real u[3][CHUNK];
    size_t count;
} DriftChunk;

static void take_chunk(const Drift *d, size_t first, size_t count, DriftChunk *chunk)
{
    const VortonRows *r = d->rows;
    chunk->count = count;
    for (size_t k = 0; k < (count + 7) / 8 * 8; ++k) { /* the last one fills up a whole eight */
        size_t i = first + (k < count ? k : count - 1);
        mote_real radius = r->radius[i] > d->least ? r->radius[i] : d->least;
        chunk->core2[k] = radius * radius;
        for (int c = 0; c < 3; ++c) {
            chunk->at[c][k] = r->x[c][i];
            chunk->strength[c][k] = r->strength[c][i];
        }
    }
}

/* Velocity where they look, without their own. */
static void look_up(const Drift *d, DriftChunk *chunk)
{
    const VortexGrid *grid = d->grid;
    size_t whole = (chunk->count + 7) / 8 * 8;
    OwnJob job = {.count = chunk->count, .core2 = chunk->core2};
    for (int c = 0; c < 3; ++c) {
        job.from[c] = job.at[c] = chunk->at[c];
        job.strength[c] = chunk->strength[c], job.u[c] = chunk->u[c];
        job.low[c] = grid->low[c], job.size[c] = grid->size[c];
        job.cells[c] = (int32_t)grid->cells[c];
    }
    d->kernels->gather(grid, job.at, whole,
                       (mote_real *[NODE_SIZE]){chunk->u[0], chunk->u[1], chunk->u[2]});
    d->work->core->own(&job);
    carry_vortons(d->work, job.at, chunk->count, job.u);
}

static void drift_chunk(const Drift *d, size_t first, size_t count)
{
    const VortonRows *to = d->to;
    DriftChunk chunk;
    take_chunk(d, first, count, &chunk);
    look_up(d, &chunk);
    for (int c = 0; c < (d->work->flat ? 2 : 3); ++c)
        for (size_t k = 0; k < count; ++k) {
            to->v[c][first + k] = chunk.u[c][k];
            to->x[c][first + k] += d->dt * chunk.u[c][k];
        }
}

static void drift_body(void *context, size_t begin, size_t end, int worker)
{
    const Drift *d = context;
    (void)worker;
    if (d->slopes != NULL) stretch_rows(d->work, d->to, d->slopes, begin, end);
    drift_chunk(d, begin, end - begin);
}

/* By work's dt. */
static void drift(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid,
                  const VortonRows *to, const mote_real *slopes)
{
    Drift d = {.work = work,
               .rows = rows,
               .to = to,
               .grid = grid,
               .kernels = grid_kernels(work->isa),
               .slopes = slopes,
               .least = grid_least_core(grid, work->params),
               .dt = work->dt};
    mote_parallel_for(work->tasks, rows->count, CHUNK, drift_body, &d);
}

void drift_on_grid(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid,
                   const mote_real *slopes)
{
    drift(work, rows_of_grid(work, rows), grid, rows, slopes);
}

bool drift_half_way(const VortexWork *work, const VortonRows *rows, const VortexGrid *grid,
                    VortonRows *middle)
{
    size_t bytes = rows->count * sizeof(mote_real);
    VortexWork half = *work;
    *middle = *rows;
    mote_real **planes[] = {&middle->x[0],        &middle->x[1],        &middle->x[2],
                            &middle->v[0],        &middle->v[1],        &middle->v[2],
                            &middle->strength[0], &middle->strength[1], &middle->strength[2],
                            &middle->stretched};
    for (size_t k = 0; k < sizeof planes / sizeof planes[0]; ++k) {
        mote_real *plane = arena_take(work->arena, bytes);
        if (plane == NULL) return false;
        memcpy(plane, *planes[k], bytes);
        *planes[k] = plane;
    }
    half.dt = work->dt / 2;
    const mote_real *slopes = vortex_sources(&half, middle, grid, false);
    if (slopes == NULL) return false;
    drift(&half, rows, grid, middle, slopes);
    return true;
}
