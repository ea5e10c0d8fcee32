/* Brinkman's penalisation: a body is a place where the fluid takes the body's velocity.
 *
 *     u <- u + s (U - u),    omega <- omega + curl(s (U - u))
 *
 * with s = 1 within and a share that viscosity says at the edge (penalty.c): the limit of Angot,
 * Bruneau and Fabrie (Numer. Math. 81, 1999) for a penalty that acts within a sub-step. What the
 * fluid loses of momentum by it is the force on the body. Where viscosity reaches further than a
 * part of a cell in a sub-step, penalty and viscosity go in rounds: once each, friction of that
 * time would be missing. Vortons carry the vorticity between meshes (Coquerelle and Cottet, JCP
 * 227, 2008), by the velocity that it induces, and what bodies add goes with them where there are
 * vortons, so that the impulse of all vorticity changes by that force alone. */
#include "solvers/vortex/penalise.h"

#include "solvers/vortex/penalty.h"
#include "solvers/vortex/shed.h"
#include "solvers/vortex/solver.h"

/* ---- rows ---- */

/* What was shed becomes rows, which are remeshed with all others. */
mote_Status penalise_begin(const SolverStep *step, mote_Error *error)
{
    Vortex *vortex = step->solver->state;
    const mote_System *system = step->solver->systems[0];
    const bool all_seen = vortex_first_new(vortex, system, 0, system->count) == system->count;
    mote_Status status = sheets_give_birth(step, error);
    if (all_seen) vortex->saved[SAVED_IDS] = (double)system->next_id;
    return status;
}

/* ---- the sub-step ---- */

/* The box of all bodies with an end. */
static void find_bodies(const Broad *walls, double low[3], double high[3])
{
    bool any = false;
    for (int c = 0; c < 3; ++c) low[c] = high[c] = 0;
    for (size_t k = 0; k < walls->count; ++k) {
        const Aabb *b = &walls->colliders[k]->bounds;
        const double from[3] = {(double)b->low.x, (double)b->low.y, (double)b->low.z};
        const double to[3] = {(double)b->high.x, (double)b->high.y, (double)b->high.z};
        if (!aabb_is_finite(b)) continue;
        for (int c = 0; c < 3; ++c) {
            low[c] = !any || from[c] < low[c] ? from[c] : low[c];
            high[c] = !any || to[c] > high[c] ? to[c] : high[c];
        }
        any = true;
    }
}

/* Bodies by their numbers, not in the tree's order. NULL when out of memory. */
static Penalty *begin_penalties(const SolverStep *step, MeshFlow *flow, size_t *count)
{
    const Broad *walls = step->walls[0];
    const size_t bodies = walls != NULL ? walls->count : 0;
    Penalty *list =
        penalty_keep(step) ? arena_take(step->arena, (bodies + 1) * sizeof *list) : NULL;
    *count = 0;
    for (uint32_t number = 0; list != NULL && number < step->load_count; ++number)
        for (size_t k = 0; k < bodies; ++k)
            if (walls->colliders[k]->number == number &&
                !penalty_begin(&list[(*count)++], flow, walls->colliders[k], step))
                return NULL;
    return list;
}

/* Rounds of penalty and viscosity. */
static bool penalise(const SolverStep *step, MeshFlow *flow)
{
    const mote_VortexSolver *params = flow->work->params;
    const double h = flow->lattice.side;
    const double share = (double)params->viscosity * step->dt / (h * h);
    const int rounds = (int)(share / VISCOUS_STEP) + 1;
    size_t count;
    Penalty *list = begin_penalties(step, flow, &count);
    for (int round = 0; round < rounds && list != NULL; ++round) {
        if (round > 0 && count > 0 && !mesh_flow_spread_push(flow, share / rounds)) return false;
        for (size_t k = 0; k < count; ++k)
            penalty_push(&list[k], share / rounds / VISCOUS_STEP, step->dt / rounds, step->tasks);
    }
    for (size_t k = 0; k < count && list != NULL; ++k) penalty_finish(&list[k], step);
    return list != NULL;
}

bool penalise_place(const SolverStep *step, VortexWork *work)
{
    const Broad *walls = step->walls[0];
    VortonRows rows = vortex_rows(step->solver->systems[0], step->rows[0]);
    double low[3] = {0}, high[3] = {0};
    work->sheets = NULL;
    if (walls != NULL) find_bodies(walls, low, high);
    if (rows.count > 0 && (walls == NULL || walls->count == 0))
        for (int c = 0; c < 3; ++c) low[c] = high[c] = (double)rows.x[c][0];
    work->mesh = mesh_flow_make(work, &rows, (double)work->params->remesh_spacing, low, high);
    return work->mesh != NULL && mesh_flow_induce(work->mesh) && penalise(step, work->mesh) &&
           mesh_flow_diffuse(work->mesh) && mesh_flow_stretch(work->mesh) &&
           mesh_flow_curl_push(work->mesh);
}

/* Loads were given when bodies were placed. */
bool penalise_finish(const VortexWork *work, const VortonRows *rows, const SolverStep *step)
{
    (void)work, (void)rows, (void)step;
    return true;
}
