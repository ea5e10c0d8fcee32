/* A sub-step of systems that a solver moves as a whole.
 *
 * The start is kept; the solver goes over all rows; if it cannot hold the step, rows are put back
 * and the same time is gone through in halves, quarters, ... Births were made before, and collide,
 * guard and retire follow once, as for points. */
#include "base/status.h"
#include "world/coupled.h"
#include "world/solvers.h"

#include <string.h>

enum { MOST_HALVINGS = 12, STATE_PLANES = 6 };

/* Positions and velocities where a later piece of the sub-step begins. */
typedef struct Kept {
    mote_real *planes; /* STATE_PLANES of `rows` each */
    size_t rows;
} Kept;

typedef struct Pieces {
    mote_World *world;
    Solver *solver;
    const TimeSpan *span;
    SolverStep step;
    uint64_t done, wanted; /* pieces; wanted is a power of two */
    int halvings;
    SystemSlot *slots[SOLVER_SYSTEMS];
    Kept kept[SOLVER_SYSTEMS]; /* where piece `done` began, if that is not the first */
} Pieces;

/* ---- what a solver sees ---- */

static SystemSlot *slot_of(mote_World *world, const Solver *solver, size_t member)
{
    for (size_t i = 0; i < world->slot_count; ++i)
        if (world->slots[i].whole == solver && world->slots[i].member == member)
            return &world->slots[i];
    return NULL;
}

static Range accelerated(const SolverStep *step, size_t system, size_t first, size_t count,
                         double t, int worker)
{
    mote_World *world = step->world;
    const SystemSlot *slot = slot_of(world, step->solver, system);
    Range *r = world_range(world, slot->system, first, count, worker);
    r->t = t, r->dt = step->dt;
    points_accelerate(&slot->solver, r, t);
    return *r;
}

SolverStep world_solver_step(mote_World *world, Solver *solver, const TimeSpan *span)
{
    const mote_WorldDef *def = &world->def;
    SolverStep step = {.solver = solver,
                       .tasks = world_tasks(world),
                       .memory = &world->memory,
                       .arena = &world->arena,
                       .isa = world->isa,
                       .t = span->start,
                       .dt = span->dt,
                       .number = span->first_step,
                       .seed = def->seed,
                       .flat = def->dimension == 2,
                       .box_min = def->box_min,
                       .box_max = def->box_max,
                       .gravity = def->gravity,
                       .accelerated = accelerated,
                       .world = world};
    step.period[0] = def->periodic_x ? def->box_max.x - def->box_min.x : 0;
    step.period[1] = def->periodic_y ? def->box_max.y - def->box_min.y : 0;
    step.period[2] = def->periodic_z ? def->box_max.z - def->box_min.z : 0;
    for (size_t i = 0; i < solver->system_count; ++i) {
        const SystemSlot *slot = slot_of(world, solver, i);
        step.rows[i] =
            slot->first_new < slot->system->count ? slot->first_new : slot->system->count;
        step.walls[i] = &slot->broad;
    }
    return step;
}

/* ---- the start, and going back to it ---- */

static void keep_start_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    if (step->slot->solver.flat) memset(r.v[2], 0, r.count * sizeof(mote_real));
    step->world->kernels->copy(&r, r.x0, r.v0, r.x, r.v);
}

static void go_back_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    step->world->kernels->copy(&r, r.x, r.v, r.x0, r.v0);
}

static mote_Status for_start_blocks(Pieces *pieces, BlockBody *body, mote_Error *error)
{
    for (size_t i = 0; i < pieces->solver->system_count; ++i) {
        CoupledStep step = {.world = pieces->world, .slot = pieces->slots[i]};
        mote_Status status = coupled_begin(&step, pieces->span, error);
        if (status != MOTE_OK) return status;
        coupled_for_blocks(&step, body);
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
    for (size_t i = 0; i < pieces->solver->system_count; ++i) {
        Kept *kept = &pieces->kept[i];
        size_t bytes = pieces->step.rows[i] * sizeof(mote_real);
        if (kept->planes == NULL && bytes > 0) {
            kept->rows = pieces->step.rows[i];
            kept->planes = arena_take(pieces->step.arena, STATE_PLANES * bytes);
            if (kept->planes == NULL)
                return status_no_memory(error, pieces->slots[i]->system->name, bytes);
        }
        for (int p = 0; p < STATE_PLANES && bytes > 0; ++p)
            memcpy(kept->planes + (size_t)p * kept->rows, state_plane(pieces->slots[i], p), bytes);
    }
    return MOTE_OK;
}

static mote_Status go_back(Pieces *pieces, mote_Error *error)
{
    if (pieces->done == 0) return for_start_blocks(pieces, go_back_block, error);
    for (size_t i = 0; i < pieces->solver->system_count; ++i) {
        const Kept *kept = &pieces->kept[i];
        for (int p = 0; p < STATE_PLANES && kept->planes != NULL; ++p)
            memcpy(state_plane(pieces->slots[i], p), kept->planes + (size_t)p * kept->rows,
                   kept->rows * sizeof(mote_real));
    }
    return MOTE_OK;
}

/* ---- the pieces ---- */

static mote_Status make_loads(Pieces *pieces, mote_Error *error)
{
    size_t count = pieces->world->colliders.count, bytes = count * sizeof(mote_ColliderLoad);
    pieces->step.load_count = count;
    if (count == 0) return MOTE_OK;
    pieces->step.loads = arena_take(pieces->step.arena, bytes);
    return pieces->step.loads != NULL ? MOTE_OK : status_no_memory(error, "loads", bytes);
}

static void clear_loads(const SolverStep *step)
{
    for (size_t i = 0; i < step->load_count; ++i) step->loads[i] = (mote_ColliderLoad){0};
}

static void add_loads(const mote_World *world, const SolverStep *step)
{
    for (size_t i = 0; i < step->load_count; ++i) {
        mote_ColliderLoad *to = &((Collider *)world->colliders.items[i])->load;
        const mote_ColliderLoad *from = &step->loads[i];
        for (int c = 0; c < 3; ++c) {
            to->impulse[c] += from->impulse[c];
            to->angular[c] += from->angular[c];
        }
        to->heat += from->heat;
        to->particles += from->particles;
    }
}

static mote_Status too_small(const Pieces *pieces, mote_Error *error)
{
    return status_fail(
        error, MOTE_DIVERGED,
        "system %s: solver %s cannot hold even a sub-step of %g s (t = %g s); likely "
        "particles overlap or move too fast: try a smaller max_step, or look at "
        "where they start",
        pieces->solver->object.name, pieces->solver->row->head.name, pieces->step.dt,
        pieces->step.t);
}

/* One piece; `done` and `wanted` say afterwards what is left. */
static mote_Status try_piece(Pieces *pieces, mote_Error *error)
{
    SolverStep *step = &pieces->step;
    SolveResult result = SOLVE_ACCEPTED;
    step->dt = pieces->span->dt / (double)pieces->wanted;
    step->t = pieces->span->start + (double)pieces->done * step->dt;
    clear_loads(step);
    mote_Status status = pieces->solver->row->solve(step, &result, error);
    if (status != MOTE_OK) return status;
    if (result == SOLVE_ACCEPTED) {
        add_loads(pieces->world, step);
        ++pieces->done;
        return pieces->done < pieces->wanted ? keep_piece(pieces, error) : MOTE_OK;
    }
    ++pieces->world->report.retries;
    if (++pieces->halvings > MOST_HALVINGS) return too_small(pieces, error);
    status = go_back(pieces, error);
    pieces->done *= 2, pieces->wanted *= 2;
    return status;
}

static mote_Status solve_all(mote_World *world, Solver *solver, const TimeSpan *span,
                             mote_Error *error)
{
    Pieces pieces = {.world = world, .solver = solver, .span = span, .wanted = 1};
    pieces.step = world_solver_step(world, solver, span);
    for (size_t i = 0; i < solver->system_count; ++i) {
        pieces.slots[i] = slot_of(world, solver, i);
        if (!system_refresh_notes(pieces.slots[i]->system))
            return status_no_memory(error, solver->object.name, pieces.step.rows[i]);
    }
    mote_Status status = make_loads(&pieces, error);
    bool keeps = !solver->row->holds_always || world->def.dimension == 2;
    if (status == MOTE_OK && keeps) status = for_start_blocks(&pieces, keep_start_block, error);
    while (status == MOTE_OK && pieces.done < pieces.wanted) status = try_piece(&pieces, error);
    return status;
}

mote_Status world_run_solver(mote_World *world, SystemSlot *slot, const TimeSpan *span,
                             mote_Error *error)
{
    double before = world_clock();
    CoupledStep step = {.world = world, .slot = slot, .t = span->start, .number = span->first_step};
    mote_Status status = MOTE_OK;
    if (slot->member == 0) status = solve_all(world, slot->whole, span, error);
    world->report.stage_seconds[MOTE_STAGE_SOLVE] += world_clock() - before;
    if (status == MOTE_OK) status = coupled_begin(&step, span, error);
    if (status == MOTE_OK) status = coupled_collide(&step, error);
    if (status == MOTE_OK && slot->first_new < slot->system->count &&
        !slot->whole->row->births_rest)
        world_run_blocks(world, slot, span, slot->first_new);
    return status;
}
