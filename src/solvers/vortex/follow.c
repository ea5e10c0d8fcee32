/* Particles that follow the grid's velocity, and what tracers learn from it. */
#include "base/loop.h"
#include "solvers/vortex/solver.h"

#include <string.h>

/* PIECE_CELLS counts of cells, over all workers, are worth handing out. */
enum { PIECE_ROWS = 4 * BLOCK_ROWS, PIECE_CELLS = 2048 };

static FollowJob follow_job(const SolverStep *step, size_t s)
{
    const mote_VortexSolver *p = step->solver->object.params;
    const mote_System *system = step->solver->systems[s];
    FollowJob job = {.dt = (mote_real)step->dt,
                     .count = step->rows[s],
                     .axes = step->flat ? 2 : 3,
                     .midpoint = p->scheme > 0,
                     .density = p->density,
                     .gas = p->temperature * p->density,
                     .least_density = gas_least_density(p)};
    for (int c = 0; c < 3; ++c) {
        job.x[c] = column_real(&system->columns[COLUMN_POSITION], c);
        job.v[c] = column_real(&system->columns[COLUMN_VELOCITY], c);
    }
    return job;
}

bool follow_begin(const SolverStep *step, size_t s, Follow *f)
{
    const Vortex *vortex = step->solver->state;
    const mote_System *system = step->solver->systems[s];
    size_t workers = (size_t)mote_tasks_workers(step->tasks), rows = step->rows[s];
    *f = (Follow){.vortex = vortex,
                  .all = follow_job(step, s),
                  .pieces = (rows + PIECE_ROWS - 1) / PIECE_ROWS,
                  .cells = grid_node_count(&vortex->grid),
                  .workers = workers,
                  .mass = column_real(&system->columns[COLUMN_MASS], 0)};
    if (rows == 0) return true;
    f->all.temperature = vortex_plane(system, COLUMN_TEMPERATURE, 0);
    for (int k = 0; k < 3; ++k) f->all.shares[k] = vortex_plane(system, COLUMN_FUEL + k, 0);
    f->all.cell = arena_take(step->arena, rows * sizeof *f->all.cell);
    f->counts = arena_take(step->arena, workers * f->cells * sizeof *f->counts);
    f->counted = arena_take(step->arena, workers * sizeof *f->counted);
    f->crowd = arena_take(step->arena, f->cells * sizeof *f->crowd);
    if (f->all.cell == NULL || f->counts == NULL || f->counted == NULL || f->crowd == NULL)
        return false;
    memset(f->counted, 0, workers * sizeof *f->counted);
    return true;
}

static FollowJob part_of(const FollowJob *all, size_t begin, size_t end)
{
    FollowJob job = *all;
    job.count = end - begin;
    for (int c = 0; c < 3; ++c) job.x[c] += begin, job.v[c] += begin;
    if (job.temperature == NULL) return job;
    job.temperature += begin, job.cell += begin;
    for (int k = 0; k < 3; ++k) job.shares[k] += begin;
    return job;
}

/* Each worker counts for itself, in whole numbers: their sum does not depend on who counted what.
 * It clears its own counts, which many workers have more of than one can clear beside them. */
void follow_piece(const Follow *f, size_t piece, int worker)
{
    size_t begin = piece * PIECE_ROWS, end = begin + PIECE_ROWS;
    const VortexGrid *grid = &f->vortex->grid;
    FollowJob job = part_of(&f->all, begin, end < f->all.count ? end : f->all.count);
    uint32_t *counts = f->counts + (size_t)worker * f->cells;
    if (!f->counted[worker]) memset(counts, 0, f->cells * sizeof *counts);
    f->counted[worker] = true;
    f->vortex->kernels->follow(grid, &job);
    for (size_t i = 0; i < job.count; ++i) ++counts[job.cell[i]];
}

/* ---- a tracer's mass ---- */

static void crowd_body(void *context, size_t begin, size_t end, int worker)
{
    const Follow *f = context;
    (void)worker;
    f->vortex->kernels->crowd(&(CrowdJob){.counts = f->counts + begin,
                                          .counted = f->counted,
                                          .workers = f->workers,
                                          .stride = f->cells,
                                          .count = end - begin,
                                          .crowd = f->crowd + begin});
}

/* Tracers stand for the gas of their cell and share its mass, so that what bodies get from them
 * does not depend on how many were emitted. All is at one pressure: rho T is that of the air. */
void follow_crowd(const SolverStep *step, Follow *f)
{
    const mote_VortexSolver *p = step->solver->object.params;
    f->unit = grid_cell_volume(&f->vortex->grid) * p->density * p->temperature;
    if (f->all.count == 0) return;
    mote_parallel_for(step->tasks, f->cells, PIECE_CELLS / f->workers + 1, crowd_body, f);
}

void share_mass(const Follow *f, size_t begin, size_t end)
{
    const ShareJob job = {.temperature = f->all.temperature + begin,
                          .cell = f->all.cell + begin,
                          .crowd = f->crowd,
                          .count = end - begin,
                          .unit = f->unit,
                          .mass = f->mass + begin};
    f->vortex->kernels->share(&job);
}
