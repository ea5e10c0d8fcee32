/* Particles that follow the grid's velocity, and what tracers learn from it. */
#include "base/loop.h"
#include "solvers/vortex/solver.h"

#include <string.h>

typedef struct Follow {
    const Vortex *vortex;
    const mote_VortexSolver *params;
    mote_System *system;
    mote_real dt;
    bool flat, tracers;
    mote_real *shares[3], *temperature; /* whole planes of tracers */
} Follow;

/* Rows [begin, end), at most BLOCK_ROWS: midpoint rule for the higher schemes. */
static void follow_block(const Follow *f, size_t begin, size_t count)
{
    const VortexGrid *grid = &f->vortex->grid;
    mote_real middle[3][BLOCK_ROWS], u[3][BLOCK_ROWS], density[BLOCK_ROWS];
    mote_real *x[3], *v[3], *out[NODE_SIZE] = {u[0], u[1], u[2]};
    const mote_real *at[3];
    for (int c = 0; c < 3; ++c) {
        at[c] = x[c] = column_real(&f->system->columns[COLUMN_POSITION], c) + begin;
        v[c] = column_real(&f->system->columns[COLUMN_VELOCITY], c) + begin;
    }
    if (f->tracers) {
        out[NODE_DENSITY] = density;
        for (int k = 0; k < 3; ++k) out[NODE_FUEL + k] = f->shares[k] + begin;
    }
    f->vortex->kernels->gather(grid, at, count, out);
    if (f->params->scheme > 0) {
        const mote_real *half[3] = {middle[0], middle[1], middle[2]};
        mote_real *velocity[NODE_SIZE] = {u[0], u[1], u[2]};
        for (int c = 0; c < 3; ++c)
            FOR_ROWS (i, count) middle[c][i] = x[c][i] + f->dt / 2 * u[c][i];
        f->vortex->kernels->gather(grid, half, count, velocity);
    }
    for (int c = 0; c < (f->flat ? 2 : 3); ++c)
        FOR_ROWS (i, count) v[c][i] = u[c][i], x[c][i] += f->dt * u[c][i];
    if (!f->tracers) return;
    mote_real *t = f->temperature + begin;
    for (size_t i = 0; i < count; ++i) t[i] = gas_temperature(f->params, density[i]);
}

static void follow_body(void *context, size_t begin, size_t end, int worker)
{
    const Follow *f = context;
    (void)worker;
    for (size_t first = begin; first < end; first += BLOCK_ROWS)
        follow_block(f, first, end - first < BLOCK_ROWS ? end - first : BLOCK_ROWS);
}

void follow_grid(const SolverStep *step, size_t s, bool tracers)
{
    Follow f = {.vortex = step->solver->state,
                .params = step->solver->object.params,
                .system = step->solver->systems[s],
                .dt = (mote_real)step->dt,
                .flat = step->flat,
                .tracers = tracers,
                .temperature = vortex_plane(step->solver->systems[s], COLUMN_TEMPERATURE, 0)};
    for (int k = 0; k < 3; ++k) f.shares[k] = vortex_plane(f.system, COLUMN_FUEL + k, 0);
    mote_parallel_for(step->tasks, step->rows[s], 16 * BLOCK_ROWS, follow_body, &f);
}

/* A tracer's mass is its share of the fluid around it, so that what tracers do to bodies does not
 * depend on how many there are. */
bool share_mass(const SolverStep *step, size_t s)
{
    const Vortex *vortex = step->solver->state;
    const mote_VortexSolver *p = step->solver->object.params;
    const VortexGrid *grid = &vortex->grid;
    mote_System *system = step->solver->systems[s];
    size_t n = step->rows[s], cells = grid_node_count(grid);
    uint32_t *count = arena_take(step->arena, cells * sizeof *count);
    uint32_t *cell = arena_take(step->arena, n * sizeof *cell);
    mote_real *mass = column_real(&system->columns[COLUMN_MASS], 0);
    const mote_real *t = vortex_plane(system, COLUMN_TEMPERATURE, 0), *x[3];
    if (n > 0 && (count == NULL || cell == NULL)) return false;
    for (int c = 0; c < 3; ++c) x[c] = column_real(&system->columns[COLUMN_POSITION], c);
    vortex->kernels->cells(grid, x, n, cell);
    memset(count, 0, cells * sizeof *count);
    for (size_t i = 0; i < n; ++i) ++count[cell[i]];
    mote_real unit = grid_cell_volume(grid) * p->density * p->temperature;
    for (size_t i = 0; i < n; ++i) mass[i] = unit / (t[i] * (mote_real)count[cell[i]]);
    return true;
}
