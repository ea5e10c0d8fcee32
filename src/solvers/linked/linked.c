/* A sub-step of rows that act on each other, through links or a force between all rows.
 *
 * Each stage goes over all rows before the next begins: forces per block, with the links that end
 * in it (src/links/kernel.h), then the integrator's stage per block; the callbacks are those of
 * free particles. */
#include "solvers/linked/linked.h"

#include "base/machine.h"
#include "base/status.h"
#include "particles/history.h"

#include <math.h>
#include <string.h>

/* ---- the scheme ---- */

static void start_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    if (step->slot->points.flat) memset(r.v[2], 0, r.count * sizeof(mote_real));
    if (step->needs_start && !step->goes_on) step->shop->kernels->copy(&r, r.x0, r.v0, r.x, r.v);
    if (step->slot->points.integrator->implicit && slot_collides(step->slot))
        coupled_keep_start(step, &r);
}

static void open_block(CoupledStep *step, size_t block, int worker)
{
    start_block(step, block, worker);
    Range r = coupled_range(step, block, worker);
    advance_open(&step->advance, &r);
}

static void stage_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    advance_stage(&step->advance, &r, step->stage, 6);
}

static void close_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    advance_close(&step->advance, &r);
    coupled_place_pinned(step, &r);
}

/* Stage `step->stage` of all systems: forces where all rows are now, then the scheme. Forces of all
 * systems first, then the stage of all: no row sees another that has gone ahead. */
static mote_Status run_stage(CoupledStep *step, int stage, mote_Error *error)
{
    for (CoupledStep *s = step; s != NULL; s = s->next) {
        s->stage = stage;
        s->at = s->t + advance_node(&s->advance, stage) * s->dt;
    }
    mote_Status status = coupled_look(step, error);
    if (status != MOTE_OK) return status;
    for (CoupledStep *s = step; s != NULL; s = s->next) coupled_accelerate(s);
    for (CoupledStep *s = step; s != NULL; s = s->next) coupled_for_blocks(s, stage_block);
    return MOTE_OK;
}

mote_Status coupled_try(CoupledStep *step, mote_Error *error)
{
    const Advance advance = coupled_advance(step);
    mote_Status status = MOTE_OK;
    for (CoupledStep *s = step; s != NULL; s = s->next) {
        s->advance = advance;
        coupled_for_blocks(s, open_block);
    }
    for (int k = 0; k < advance_evaluations(&advance) && status == MOTE_OK; ++k)
        status = run_stage(step, k, error);
    for (CoupledStep *s = step; s != NULL; s = s->next)
        if (has_history(s->slot->system)) coupled_for_blocks(s, close_block);
    return status;
}

static mote_Status solve(CoupledStep *step, mote_Error *error)
{
    if (step->slot->points.integrator->error != NULL) return coupled_solve_adaptively(step, error);
    if (step->slot->points.integrator->implicit) {
        coupled_for_blocks(step, start_block);
        return coupled_begin_implicit(step, error);
    }
    return coupled_try(step, error);
}

/* ---- collide ---- */

static void note_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    slot_note_interval(step->slot, &r);
}

/* Implicit steps are long: what hit a wall stays where it was put while the rows that hang on it
 * are solved for once more, and collide then. */
static mote_Status collide_and_solve_again(CoupledStep *step, mote_Error *error)
{
    bool again;
    coupled_for_blocks(step, coupled_meet_walls);
    mote_Status status = coupled_solve_around_contacts(step, &again, error);
    if (again && status == MOTE_OK) coupled_for_blocks(step, coupled_meet_walls);
    coupled_for_blocks(step, coupled_guard);
    return status;
}

static mote_Status collide(CoupledStep *step, mote_Error *error)
{
    double before = clock_seconds();
    if (!step->slot->points.integrator->implicit || !coupled_collides_now(step->slot)) {
        coupled_collide(step);
        return MOTE_OK;
    }
    mote_Status status = collide_and_solve_again(step, error);
    step->shop->stage_seconds[SHOP_COLLIDE] += clock_seconds() - before;
    return status;
}

/* ---- anchors ---- */

/* Pinned rows go on with their velocity: here to where `anchor` is now. As a velocity and not as a
 * jump, so that damping and collisions see how fast the anchor moves. */
static void move_anchors(const CoupledStep *step, Links *links)
{
    const mote_Vec3 anchor = links_def(links)->anchor;
    const double wanted[3] = {(double)anchor.x, (double)anchor.y, (double)anchor.z};
    mote_System *system = step->slot->system;
    for (size_t i = 0; i < links->pinned_count; ++i) {
        size_t row = mote_system_find(system, links->pinned[i]);
        for (int c = 0; c < 3 && row != SIZE_MAX; ++c)
            column_real(&system->columns[COLUMN_VELOCITY], c)[row] =
                (mote_real)((wanted[c] - links->moved[c]) / step->dt);
    }
    for (int c = 0; c < 3; ++c) links->moved[c] = wanted[c];
}

/* ---- breaking ---- */

static void snap_block(CoupledStep *step, size_t block, int worker)
{
    (void)worker;
    for (size_t l = 0; l < step->slot->link_count; ++l) {
        const Links *links = step->slot->links[l];
        mote_real limit = links_def(links)->breaking;
        LinkView view = links_view(links, step->slot->system, step->period);
        size_t count;
        const LinkSegment *segments = links_first_ends(links, block, &count);
        if (!(limit < (mote_real)INFINITY)) continue;
        size_t found = step->kernels->snap(&view, limit, segments, count, links->broken);
        if (found > 0) __atomic_fetch_add(&step->broken, found, __ATOMIC_RELAXED);
    }
}

static bool note_broken(const CoupledStep *step, Links *links)
{
    const Workshop *shop = step->shop;
    for (size_t i = 0; i < links->count; ++i) {
        if (links->broken[i] != LINK_BREAKS) continue;
        links->broken[i] = LINK_BROKEN;
        if (!shop->note_broken(shop->world, links, i, step->t + step->dt)) return false;
    }
    links_changed(links);
    return true;
}

/* At the end of a sub-step, so that all its stages see the same links. */
static mote_Status break_links(CoupledStep *step, mote_Error *error)
{
    step->broken = 0;
    coupled_for_blocks(step, snap_block);
    step->shop->links_broken += step->broken;
    for (size_t l = 0; step->broken > 0 && l < step->slot->link_count; ++l)
        if (!note_broken(step, step->slot->links[l]))
            return status_no_memory(error, "events", step->broken);
    return MOTE_OK;
}

/* ---- the sub-step ---- */

static mote_Status begin(CoupledStep *step, const SolverStep *outer, mote_Error *error)
{
    SystemSlot *slot = step->slot;
    mote_Status status = coupled_begin(step, outer->dt, error);
    for (size_t l = 0; l < slot->link_count && status == MOTE_OK; ++l)
        if (!links_refresh(slot->links[l], slot->system))
            status = status_no_memory(error, slot->system->name, slot->system->count);
    step->kernels = link_kernels(step->shop->isa);
    memcpy(step->period, step->shop->period, sizeof step->period);
    return status;
}

/* The steps of the systems that are solved together with the first. */
static mote_Status join_company(CoupledStep *first, const SolverStep *outer, mote_Error *error)
{
    CoupledStep **end = &first->next;
    mote_Status status = MOTE_OK;
    for (size_t i = 1; i < outer->solver->system_count && status == MOTE_OK; ++i) {
        CoupledStep *member = arena_take(outer->arena, sizeof *member);
        if (member == NULL)
            return status_no_memory(error, outer->slots[i]->system->name, sizeof *member);
        *member = (CoupledStep){.shop = outer->shop, .slot = outer->slots[i]};
        status = begin(member, outer, error);
        *end = member;
        end = &member->next;
    }
    return status;
}

/* Pinned rows and what is noted at the start, then all systems of the company. */
static mote_Status solve_company(CoupledStep *first, mote_Error *error)
{
    double before = clock_seconds();
    for (CoupledStep *step = first; step != NULL; step = step->next) {
        SystemSlot *slot = step->slot;
        step->t = first->t, step->number = first->number;
        for (size_t l = 0; l < slot->link_count; ++l) move_anchors(step, slot->links[l]);
        if (slot->check > 0) coupled_for_blocks(step, note_block);
    }
    mote_Status status = solve(first, error);
    first->shop->stage_seconds[SHOP_SOLVE] += clock_seconds() - before;
    return status;
}

static mote_Status linked_solve(const SolverStep *outer, mote_Error *error)
{
    SystemSlot *slot = outer->slots[outer->member];
    const bool leads = outer->member == 0;
    CoupledStep step = {.shop = outer->shop, .slot = slot};
    mote_Status status = begin(&step, outer, error);
    if (status == MOTE_OK && leads) status = join_company(&step, outer, error);
    for (uint64_t k = 0; k < outer->steps && status == MOTE_OK; ++k) {
        step.t = step_time(outer, k);
        step.number = outer->number + k;
        if (leads) status = solve_company(&step, error);
        if (status == MOTE_OK) status = collide(&step, error);
        if (status == MOTE_OK) status = break_links(&step, error);
    }
    if (status == MOTE_OK && slot->first_new < slot->system->count)
        blocks_run(outer, outer->member, slot->first_new);
    return status;
}

const SolverRow linked_solver_row = {
    .head = {.name = "linked", .doc = "particles that act on each other"},
    .solve = linked_solve,
    .fuses = true,
};

/* ---- energy ---- */

typedef struct EnergyWork {
    CoupledStep *step;
    double *sums;
} EnergyWork;

static void energy_body(void *context, size_t begin_, size_t end, int worker)
{
    const EnergyWork *work = context;
    const SystemSlot *slot = work->step->slot;
    (void)worker;
    for (size_t block = begin_; block < end; ++block) {
        work->sums[block] = 0;
        for (size_t l = 0; l < slot->link_count; ++l) {
            LinkView view = links_view(slot->links[l], slot->system, work->step->period);
            size_t count;
            const LinkSegment *segments = links_first_ends(slot->links[l], block, &count);
            work->sums[block] += work->step->kernels->energy(&view, segments, count);
        }
    }
}

bool linked_add_energy(Workshop *shop, SystemSlot *slot, double *energy)
{
    CoupledStep step = {.shop = shop, .slot = slot};
    const SolverStep none = {.dt = 1};
    size_t blocks = system_blocks(slot->system);
    if (slot->link_count == 0) return true;
    EnergyWork work = {&step, arena_take(shop->arena, (blocks + 1) * sizeof(double))};
    if (work.sums == NULL || begin(&step, &none, NULL) != MOTE_OK) return false;
    mote_parallel_for(shop->tasks, blocks, COUPLED_BLOCKS_PER_TASK, energy_body, &work);
    double sum = 0; /* of links alone: the same bits whatever else there is */
    for (size_t block = 0; block < blocks; ++block) sum += work.sums[block];
    *energy += sum;
    return true;
}
