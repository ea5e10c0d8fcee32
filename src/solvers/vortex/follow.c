/* Particles that follow the grid's velocity, and what tracers learn from it. */
#include "base/loop.h"
#include "solvers/vortex/solver.h"

#include <string.h>

typedef struct Follow {
    const Vortex *vortex;
    FollowJob all;
} Follow;

static void follow_body(void *context, size_t begin, size_t end, int worker)
{
    const Follow *f = context;
    FollowJob job = f->all;
    (void)worker;
    job.count = end - begin;
    for (int c = 0; c < 3; ++c) job.x[c] += begin, job.v[c] += begin;
    if (job.temperature != NULL) {
        job.temperature += begin;
        for (int k = 0; k < 3; ++k) job.shares[k] += begin;
    }
    f->vortex->kernels->follow(&f->vortex->grid, &job);
}

void follow_grid(const SolverStep *step, size_t s, bool tracers)
{
    const mote_VortexSolver *p = step->solver->object.params;
    mote_System *system = step->solver->systems[s];
    Follow f = {.vortex = step->solver->state,
                .all = {.dt = (mote_real)step->dt,
                        .axes = step->flat ? 2 : 3,
                        .midpoint = p->scheme > 0,
                        .density = p->density,
                        .gas = p->temperature * p->density,
                        .least_density = gas_least_density(p)}};
    for (int c = 0; c < 3; ++c) {
        f.all.x[c] = column_real(&system->columns[COLUMN_POSITION], c);
        f.all.v[c] = column_real(&system->columns[COLUMN_VELOCITY], c);
    }
    if (tracers) {
        f.all.temperature = vortex_plane(system, COLUMN_TEMPERATURE, 0);
        for (int k = 0; k < 3; ++k) f.all.shares[k] = vortex_plane(system, COLUMN_FUEL + k, 0);
    }
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
