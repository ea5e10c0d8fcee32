/* A sub-step of systems whose solver moves all rows at once.
 *
 * The start is kept; the solver goes over all rows; if it cannot hold the step, rows are put back
 * and the same time is gone through in halves, quarters, ... Births were made before, and collide
 * and guard follow once, as for points. */
#include "base/machine.h"
#include "base/status.h"
#include "solvers/points/coupled.h"

#include <string.h>

enum { MOST_HALVINGS = 12, STATE_PLANES = 6 };

/* Positions and velocities where a later piece of the sub-step begins. */
typedef struct KeptRows {
    mote_real *planes; /* STATE_PLANES of `rows` each */
    size_t rows;
} KeptRows;

typedef struct Pieces {
    const SolverStep *whole;
    SolveTry *attempt;
    SolverStep step;       /* of the present piece */
    uint64_t done, wanted; /* pieces; wanted is a power of two */
    int halvings;
    KeptRows kept[SOLVER_SYSTEMS]; /* where piece `done` began, if that is not the first */
} Pieces;

/* ---- the start, and going back to it ---- */

static void flatten_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    if (step->slot->points.flat) memset(r.v[2], 0, r.count * sizeof(mote_real));
}

static void keep_start_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    flatten_block(step, block, worker);
    step->shop->kernels->copy(&r, r.x0, r.v0, r.x, r.v);
}

static void go_back_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    step->shop->kernels->copy(&r, r.x, r.v, r.x0, r.v0);
}

static mote_Status for_start_blocks(const SolverStep *step, BlockBody *body, mote_Error *error)
{
    for (size_t i = 0; i < step->solver->system_count; ++i) {
        CoupledStep rows = {.shop = step->shop, .slot = step->slots[i]};
        mote_Status status = coupled_begin(&rows, step->dt, error);
        if (status != MOTE_OK) return status;
        coupled_for_blocks(&rows, body);
    }
    return MOTE_OK;
}

static mote_real *state_plane(const SystemSlot *slot, int plane)
{
    int column = plane < 3 ? COLUMN_POSITION : COLUMN_VELOCITY;
    return column_real(&slot->system->columns[column], plane % 3);
}

static mote_Status keep_piece(Pieces *pieces, mote_Error *error)
{
    const SolverStep *step = &pieces->step;
    for (size_t i = 0; i < step->solver->system_count; ++i) {
        KeptRows *kept = &pieces->kept[i];
        size_t bytes = step->rows[i] * sizeof(mote_real);
        if (kept->planes == NULL && bytes > 0) {
            kept->rows = step->rows[i];
            kept->planes = arena_take(step->arena, STATE_PLANES * bytes);
            if (kept->planes == NULL)
                return status_no_memory(error, step->slots[i]->system->name, bytes);
        }
        for (int p = 0; p < STATE_PLANES && bytes > 0; ++p)
            memcpy(kept->planes + (size_t)p * kept->rows, state_plane(step->slots[i], p), bytes);
    }
    return MOTE_OK;
}

static mote_Status go_back(Pieces *pieces, mote_Error *error)
{
    if (pieces->done == 0) return for_start_blocks(pieces->whole, go_back_block, error);
    for (size_t i = 0; i < pieces->step.solver->system_count; ++i) {
        const KeptRows *kept = &pieces->kept[i];
        for (int p = 0; p < STATE_PLANES && kept->planes != NULL; ++p)
            memcpy(state_plane(pieces->step.slots[i], p), kept->planes + (size_t)p * kept->rows,
                   kept->rows * sizeof(mote_real));
    }
    return MOTE_OK;
}

/* ---- loads ---- */

static mote_Status make_loads(SolverStep *step, mote_Error *error)
{
    size_t count = step->shop->collider_count, bytes = count * sizeof(mote_ColliderLoad);
    step->load_count = count;
    if (count == 0) return MOTE_OK;
    step->loads = arena_take(step->arena, bytes);
    return step->loads != NULL ? MOTE_OK : status_no_memory(error, "loads", bytes);
}

static void clear_loads(const SolverStep *step)
{
    for (size_t i = 0; i < step->load_count; ++i) step->loads[i] = (mote_ColliderLoad){0};
}

static void add_loads(const SolverStep *step)
{
    for (size_t i = 0; i < step->load_count; ++i) {
        mote_ColliderLoad *to = &step->shop->colliders[i]->load;
        const mote_ColliderLoad *from = &step->loads[i];
        for (int c = 0; c < 3; ++c) {
            to->impulse[c] += from->impulse[c];
            to->angular[c] += from->angular[c];
        }
        to->heat += from->heat;
        to->particles += from->particles;
    }
}

/* ---- the pieces ---- */

static mote_Status too_small(const SolverStep *step, mote_Error *error)
{
    return status_fail(
        error, MOTE_DIVERGED,
        "system %s: solver %s cannot hold even a sub-step of %g s (t = %g s); likely "
        "particles overlap or move too fast: try a smaller max_step, or look at "
        "where they start",
        step->solver->object.name, step->solver->row->head.name, step->dt, step->t);
}

/* One piece; `done` and `wanted` say afterwards what is left. */
static mote_Status try_piece(Pieces *pieces, mote_Error *error)
{
    SolverStep *step = &pieces->step;
    SolveResult result = SOLVE_ACCEPTED;
    step->dt = pieces->whole->dt / (double)pieces->wanted;
    step->t = pieces->whole->t + (double)pieces->done * step->dt;
    clear_loads(step);
    mote_Status status = pieces->attempt(step, &result, error);
    if (status != MOTE_OK) return status;
    if (result == SOLVE_ACCEPTED) {
        add_loads(step);
        ++pieces->done;
        return pieces->done < pieces->wanted ? keep_piece(pieces, error) : MOTE_OK;
    }
    ++step->shop->retries;
    if (++pieces->halvings > MOST_HALVINGS) return too_small(step, error);
    status = go_back(pieces, error);
    pieces->done *= 2, pieces->wanted *= 2;
    return status;
}

static mote_Status solve_pieces(const SolverStep *step, SolveTry *attempt, BlockBody *start,
                                mote_Error *error)
{
    Pieces pieces = {.whole = step, .attempt = attempt, .step = *step, .wanted = 1};
    if (step->member > 0) return MOTE_OK; /* it was moved with the first */
    double before = clock_seconds();
    mote_Status status = make_loads(&pieces.step, error);
    if (status == MOTE_OK && start != NULL) status = for_start_blocks(step, start, error);
    status = ranks_agree(step->shop->ranks, status, error);
    while (status == MOTE_OK && pieces.done < pieces.wanted) {
        status = try_piece(&pieces, error);
        if (pieces.done < pieces.wanted) status = ranks_agree(step->shop->ranks, status, error);
    }
    step->shop->stage_seconds[SHOP_SOLVE] += clock_seconds() - before;
    return status;
}

static mote_Status collide_own(const SolverStep *step, mote_Error *error)
{
    CoupledStep rows = {.shop = step->shop,
                        .slot = step->slots[step->member],
                        .t = step->t,
                        .number = step->number};
    mote_Status status = coupled_begin(&rows, step->dt, error);
    if (status == MOTE_OK) coupled_collide(&rows);
    return status;
}

mote_Status whole_solve(const SolverStep *step, SolveTry *attempt, mote_Error *error)
{
    const SystemSlot *slot = step->slots[step->member];
    mote_Status status = solve_pieces(step, attempt, keep_start_block, error);
    if (status == MOTE_OK) status = collide_own(step, error);
    if (status == MOTE_OK && slot->first_new < slot->system->count)
        blocks_run(step, step->member, slot->first_new);
    return status;
}

mote_Status away_solve(const SolverStep *step, SolveTry *attempt, mote_Error *error)
{
    return solve_pieces(step, attempt, NULL, error);
}

mote_Status away_start(const SolverStep *step, mote_real *planes[6], mote_Error *error)
{
    CoupledStep rows = {.shop = step->shop, .slot = step->slots[step->member]};
    mote_Status status = coupled_begin(&rows, step->dt, error);
    for (size_t c = 0; c < STATE_PLANES && status == MOTE_OK; ++c)
        planes[c] = coupled_plane(rows.slot, COUPLED_START + c);
    return status;
}

mote_Status away_settle(const SolverStep *step, bool collides, mote_Error *error)
{
    CoupledStep rows = {.shop = step->shop, .slot = step->slots[step->member]};
    if (collides) return collide_own(step, error);
    mote_Status status = coupled_begin(&rows, step->dt, error);
    if (status == MOTE_OK) coupled_for_blocks(&rows, coupled_guard);
    return status;
}

mote_Status flow_solve_once(const SolverStep *step, SolveTry *attempt, mote_Error *error)
{
    mote_Status status = solve_pieces(step, attempt, step->flat ? flatten_block : NULL, error);
    return status == MOTE_OK ? collide_own(step, error) : status;
}
