/* When vortons are split, merged and remeshed, and how that changes a system's rows. */
#include "base/status.h"
#include "solvers/vortex/keep.h"
#include "solvers/vortex/remesh.h"
#include "solvers/vortex/solver.h"

/* Rows that a sub-step has seen: what was born since waits for its vorticity. */
static size_t seen_rows(const SolverStep *step)
{
    const Vortex *vortex = step->solver->state;
    const mote_System *system = step->solver->systems[0];
    return vortex_first_new(vortex, system, 0, system->count);
}

static mote_Status no_room(const SolverStep *step, mote_Error *error)
{
    const mote_System *system = step->solver->systems[0];
    return status_no_memory(error, system->name, system->count * sizeof(mote_real));
}

static VortonRows rows_now(const SolverStep *step, size_t count)
{
    VortonRows rows = vortex_rows(step->solver->systems[0], count);
    rows.flat = step->flat;
    return rows;
}

/* More rows at the end, born now; they are no longer new where all others have been seen. */
static mote_Status add_rows(const SolverStep *step, size_t count, size_t *first, mote_Error *error)
{
    Vortex *vortex = step->solver->state;
    mote_System *system = step->solver->systems[0];
    const bool all_seen = seen_rows(step) == system->count;
    mote_Status status = mote_system_add_rows(system, count, first, error);
    if (status != MOTE_OK) return status;
    double *birth = (double *)system->columns[COLUMN_BIRTH].data;
    for (size_t i = *first; i < *first + count; ++i) birth[i] = step->t;
    if (all_seen) vortex->saved[SAVED_IDS] = (double)system->next_id;
    return MOTE_OK;
}

static mote_Status split(const SolverStep *step, mote_Error *error)
{
    VortonRows rows = rows_now(step, seen_rows(step));
    size_t count, first;
    const size_t *list = rows_to_split(&rows, step->solver->object.params, &count, step->arena);
    if (list == NULL) return no_room(step, error);
    if (count == 0) return MOTE_OK;
    mote_Status status = add_rows(step, count, &first, error);
    if (status != MOTE_OK) return status;
    rows = rows_now(step, step->solver->systems[0]->count);
    double *birth = (double *)step->solver->systems[0]->columns[COLUMN_BIRTH].data;
    for (size_t k = 0; k < count; ++k) {
        split_row(&rows, list[k], first + k);
        birth[first + k] = birth[list[k]];
    }
    return MOTE_OK;
}

/* One in place of two cannot have their impulse where they are not parallel: all make up for it. */
static mote_Status merge(const SolverStep *step, mote_Error *error)
{
    VortonRows rows = rows_now(step, seen_rows(step));
    const RowSums before = rows_sum(&rows);
    size_t count;
    const size_t *list = merge_rows(&rows, step->solver->object.params, &count, step->arena);
    if (list == NULL) return no_room(step, error);
    if (count == 0) return MOTE_OK;
    system_remove_rows(step->solver->systems[0], list, count, step->tasks);
    rows = rows_now(step, seen_rows(step));
    rows_keep(&rows, &before);
    return MOTE_OK;
}

/* Rows [count, seen) go. */
static bool drop_rest(const SolverStep *step, size_t count, size_t seen)
{
    size_t *list = arena_take(step->arena, (seen - count) * sizeof *list);
    for (size_t i = count; i < seen && list != NULL; ++i) list[i - count] = i;
    if (list != NULL) system_remove_rows(step->solver->systems[0], list, seen - count, step->tasks);
    return list != NULL;
}

/* The first rows are written over, the rest is taken out or added. */
static mote_Status replace(const SolverStep *step, const RemeshJob *job, const Remeshed *made,
                           mote_Error *error)
{
    mote_System *system = step->solver->systems[0];
    const size_t seen = job->rows->count;
    size_t first = seen;
    if (made->count > seen) {
        mote_Status status = add_rows(step, made->count - seen, &first, error);
        if (status != MOTE_OK) return status;
    } else if (made->count < seen && !drop_rest(step, made->count, seen)) {
        return no_room(step, error);
    }
    const VortonRows rows = rows_now(step, system->count);
    double *birth = (double *)system->columns[COLUMN_BIRTH].data;
    for (size_t k = 0; k < made->count; ++k) {
        const size_t i = k < seen ? k : first + (k - seen);
        remesh_write(job, made, k, &rows, i);
        birth[i] = step->t;
    }
    return MOTE_OK;
}

static mote_Status remesh(const SolverStep *step, mote_Error *error)
{
    const Vortex *vortex = step->solver->state;
    const mote_VortexSolver *p = step->solver->object.params;
    mote_System *system = step->solver->systems[0];
    VortonRows rows = rows_now(step, seen_rows(step));
    const RemeshJob job = {.rows = &rows,
                           .params = p,
                           .variance = vortex->core->variance,
                           .birth = (const double *)system->columns[COLUMN_BIRTH].data,
                           .t = step->t,
                           .arena = step->arena,
                           .tasks = step->tasks};
    Remeshed made;
    if (rows.count == 0) return MOTE_OK;
    const RowSums before = rows_sum(&rows);
    RemeshResult result = remesh_make(&job, &made);
    if (result == REMESH_TOO_LARGE)
        return status_fail(error, MOTE_BAD_VALUE,
                           "system %s: vortons are too far apart to be remeshed with a "
                           "remesh_spacing of %g m: set a larger one, or give vortons a lifetime",
                           system->name, (double)p->remesh_spacing);
    if (result == REMESH_NO_MEMORY) return no_room(step, error);
    const bool alone = rows.count == system->count;
    mote_Status status = replace(step, &job, &made, error);
    if (status != MOTE_OK) return status;
    rows = rows_now(step, system->count);
    if (alone) rows_keep(&rows, &before);
    return MOTE_OK;
}

/* The first sub-step is left as it is: its start may be asked for twice. Splitting first, so that
 * halves may be merged with what they come near to; remeshing last, since it makes all of them
 * anew. */
mote_Status vortons_tend(const SolverStep *step, mote_Error *error)
{
    const mote_VortexSolver *p = step->solver->object.params;
    mote_Status status = MOTE_OK;
    if (step->number == 0 || step->solver->systems[0]->count == 0) return MOTE_OK;
    const bool meshes = boundary_meshes(p->boundary);
    const bool remeshes = meshes || (p->remesh > 0 && step->number % p->remesh == 0);
    if (!(p->split > 0 || p->merge > 0 || remeshes)) return MOTE_OK;
    if (p->split > 0 && !step->flat) status = split(step, error);
    if (p->merge > 0 && status == MOTE_OK) status = merge(step, error);
    if (remeshes && status == MOTE_OK) status = remesh(step, error);
    if (status == MOTE_OK) mote_system_edited(step->solver->systems[0]);
    return status;
}
