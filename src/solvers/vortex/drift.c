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

/* Takes off what vorton i has put into u at `at`. */
static void take_own(const Drift *d, size_t i, const mote_real at[3], mote_real *const u[3])
{
    const VortonRows *r = d->rows;
    mote_real planes[SOURCE_PLANES][8], radius = r->radius[i] > d->least ? r->radius[i] : d->least;
    GridPlace place = grid_place(d->grid, at);
    InduceJob job = {.sources = {.count = 8}, .count = 1};
    for (int corner = 0; corner < 8; ++corner) {
        mote_real weight = grid_weight(&place, corner);
        for (int c = 0; c < 3; ++c) {
            size_t node = place.cell[c] + (size_t)(corner >> c & 1);
            planes[SOURCE_X + c][corner] = d->grid->low[c] + (mote_real)node * d->grid->size[c];
            planes[SOURCE_ALPHA + c][corner] = weight * r->strength[c][i];
        }
        planes[SOURCE_CORE2][corner] = radius * radius;
    }
    for (int p = 0; p < SOURCE_PLANES; ++p) job.sources.plane[p] = planes[p];
    for (int c = 0; c < 3; ++c) job.x[c] = r->x[c] + i, job.out[c] = u[c];
    d->work->core->velocity(&job);
}

/* Velocity at rows' places `x`. */
static void look_up(const Drift *d, size_t first, size_t count, const mote_real *const x[3],
                    mote_real u[3][CHUNK])
{
    mote_real *const out[NODE_SIZE] = {u[0], u[1], u[2]};
    d->kernels->gather(d->grid, x, count, out);
    for (size_t i = 0; i < count; ++i)
        take_own(d, first + i, (mote_real[]){x[0][i], x[1][i], x[2][i]},
                 (mote_real *[]){&u[0][i], &u[1][i], &u[2][i]});
}

static void drift_chunk(const Drift *d, size_t first, size_t count)
{
    const VortonRows *r = d->rows;
    mote_real u[3][CHUNK], middle[3][CHUNK], dt = d->work->dt;
    look_up(d, first, count,
            (const mote_real *[]){r->x[0] + first, r->x[1] + first, r->x[2] + first}, u);
    if (d->work->params->scheme > 0) {
        for (int c = 0; c < 3; ++c)
            for (size_t i = 0; i < count; ++i) middle[c][i] = r->x[c][first + i] + dt / 2 * u[c][i];
        look_up(d, first, count, (const mote_real *[]){middle[0], middle[1], middle[2]}, u);
    }
    for (int c = 0; c < (d->work->flat ? 2 : 3); ++c)
        for (size_t i = 0; i < count; ++i) {
            r->v[c][first + i] = u[c][i];
            r->x[c][first + i] += dt * u[c][i];
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
