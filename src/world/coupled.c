/* A sub-step of rows that act on each other, through links or a force between all rows.
 *
 * Each stage goes over all rows before the next begins: forces per block, with the links that end
 * in it (src/links/kernel.h), then the integrator's stage per block; the callbacks are those of
 * free particles. A bounce cannot be solved again by itself, because the row's neighbours have
 * moved on; it changes the end of the step by dv instead, as the first-order replay x += dt dv. */
#include "world/coupled.h"

#include "base/status.h"
#include "world/restart.h"

#include <math.h>
#include <string.h>

Range coupled_range(const CoupledStep *step, size_t block, int worker)
{
    SystemSlot *slot = step->slot;
    size_t first = block * BLOCK_ROWS, left = step->rows - first;
    Range r = *world_range(step->world, slot->system, first, left < BLOCK_ROWS ? left : BLOCK_ROWS,
                           worker);
    for (size_t c = 0; c < 3; ++c) {
        r.a[c] = coupled_plane(slot, COUPLED_A + c) + first;
        r.x0[c] = coupled_plane(slot, COUPLED_START + c) + first;
        r.v0[c] = coupled_plane(slot, COUPLED_START + 3 + c) + first;
    }
    r.scratch = coupled_plane(slot, coupled_first_plane(slot)) + first;
    r.scratch_stride = slot->coupled.stride;
    r.held = NULL;
    r.t = step->t, r.dt = step->dt;
    r.step = step->number;
    return r;
}

typedef struct BlockLoop {
    CoupledStep *step;
    BlockBody *body;
} BlockLoop;

static void loop_body(void *context, size_t begin, size_t end, int worker)
{
    const BlockLoop *loop = context;
    for (size_t block = begin; block < end; ++block) loop->body(loop->step, block, worker);
}

void coupled_for_blocks(CoupledStep *step, BlockBody *body)
{
    BlockLoop loop = {step, body};
    mote_parallel_for(world_tasks(step->world), coupled_blocks(step), COUPLED_BLOCKS_PER_TASK,
                      loop_body, &loop);
}

/* ---- forces ---- */

static mote_real *wind_plane(const CoupledStep *step, size_t links, size_t c)
{
    return coupled_plane(step->slot, COUPLED_WIND + 3 * links + c);
}

/* The wind relative to the rows of a block, for the links that feel it. */
static void sample_wind(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    for (size_t l = 0; l < step->slot->link_count; ++l) {
        const Links *links = step->slot->links[l];
        mote_real *u[3];
        if (!(links_def(links)->air > 0)) continue;
        for (size_t c = 0; c < 3; ++c) {
            u[c] = wind_plane(step, l, c) + r.first;
            memset(u[c], 0, r.count * sizeof(mote_real));
        }
        FieldPoints points = {.count = r.count, .x = {r.x[0], r.x[1], r.x[2]}, .t = step->at};
        if (links->wind != NULL) field_sample(links->wind, &points, u);
        for (int c = 0; c < 3; ++c)
            for (size_t i = 0; i < r.count; ++i) u[c][i] -= r.v[c][i];
    }
}

AirView coupled_air(const CoupledStep *step, size_t links)
{
    const mote_System *system = step->slot->system;
    AirView air = {.air = links_def(step->slot->links[links])->air};
    for (size_t c = 0; c < 3; ++c) {
        air.x[c] = column_real(&system->columns[COLUMN_POSITION], (int)c);
        air.u[c] = wind_plane(step, links, c);
    }
    return air;
}

static void add_links(const CoupledStep *step, size_t number, size_t block,
                      mote_real *const force[3])
{
    const Links *links = step->slot->links[number];
    LinkView view = links_view(links, step->slot->system, step->period);
    AirView air = coupled_air(step, number);
    size_t count;
    const LinkSegment *segments = links_segments(links, block, &count);
    step->kernels->pull(&view, segments, count, block * BLOCK_ROWS, force);
    if (!(air.air > 0)) return;
    const TriangleSegment *triangles = links_triangles(links, block, &count);
    step->kernels->press(&air, triangles, count, block * BLOCK_ROWS, force);
}

static void accelerate_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    points_accelerate(&step->slot->solver, &r, step->at);
    for (int c = 0; c < 3; ++c) memset(r.sample[c], 0, r.count * sizeof(mote_real));
    for (size_t l = 0; l < step->slot->link_count; ++l) add_links(step, l, block, r.sample);
    step->world->kernels->settle(&r, step->pinned, r.sample);
    if (step->slot->solver.flat) memset(r.a[2], 0, r.count * sizeof(mote_real));
}

static bool feels_wind(const SystemSlot *slot)
{
    for (size_t l = 0; l < slot->link_count; ++l)
        if (links_def(slot->links[l])->air > 0) return true;
    return false;
}

void coupled_accelerate(CoupledStep *step)
{
    if (feels_wind(step->slot)) coupled_for_blocks(step, sample_wind);
    coupled_for_blocks(step, accelerate_block);
}

/* ---- the scheme ---- */

static void start_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    if (step->slot->solver.flat) memset(r.v[2], 0, r.count * sizeof(mote_real));
    if (step->needs_start && !step->goes_on) step->world->kernels->copy(&r, r.x0, r.v0, r.x, r.v);
    if (step->slot->solver.integrator->implicit && slot_collides(step->slot))
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

/* Stage `step->stage` of all systems: forces where all rows are now, then the scheme. */
static mote_Status run_stage(CoupledStep *step, int stage, mote_Error *error)
{
    mote_Status status = coupled_look(step, error);
    if (status != MOTE_OK) return status;
    for (CoupledStep *s = step; s != NULL; s = s->next) {
        s->stage = stage;
        s->at = s->t + advance_node(&s->advance, stage) * s->dt;
        coupled_accelerate(s);
    }
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
    if (step->slot->solver.integrator->error != NULL) return coupled_solve_adaptively(step, error);
    if (step->slot->solver.integrator->implicit) {
        coupled_for_blocks(step, start_block);
        return coupled_begin_implicit(step, error);
    }
    return coupled_try(step, error);
}

/* ---- collide and guard ---- */

enum { STATE_PLANES = 6 };

typedef struct BlockState {
    mote_real plane[STATE_PLANES][BLOCK_ROWS];
} BlockState;

static void put_pinned_back(const CoupledStep *step, const Range *r, const BlockState *saved)
{
    for (size_t i = 0; step->pinned != NULL && i < r->count; ++i)
        for (int p = 0; p < STATE_PLANES && step->pinned[r->first + i] != 0; ++p)
            range_state(r, p)[i] = saved->plane[p][i];
}

static void note_touched(const CoupledStep *step, const Range *r, const BlockState *saved)
{
    for (size_t i = 0; step->touched != NULL && i < r->count; ++i) {
        bool same = true;
        for (int p = 0; p < STATE_PLANES; ++p)
            same = same && range_state(r, p)[i] == saved->plane[p][i];
        step->touched[r->first + i] = !same;
    }
}

static void meet_walls(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    const SystemSlot *slot = step->slot;
    BlockState saved;
    for (int p = 0; p < STATE_PLANES; ++p)
        memcpy(saved.plane[p], range_state(&r, p), r.count * sizeof(mote_real));
    RestartWatch watch;
    restart_watch(&watch, &r);
    const TimeSpan span = {.start = step->t, .dt = step->dt, .steps = 1};
    CollideInput input = world_collide_input(slot, &span);
    CollideTally *tally = &step->world->workers[worker].tally;
    if (slot->check > 0)
        world_check_interval(step->world, slot, &r, tally);
    else
        collide_range(slot->collide, step->world->collide_kernels, &input, &r, tally);
    put_pinned_back(step, &r, &saved);
    restart_changed(&watch, &r);
    note_touched(step, &r, &saved);
}

static void guard_block(CoupledStep *step, size_t block, int worker)
{
    size_t first = block * BLOCK_ROWS, left = step->rows - first;
    world_guard(step->world, world_range(step->world, step->slot->system, first,
                                         left < BLOCK_ROWS ? left : BLOCK_ROWS, worker));
}

/* With collide.interval: not in every sub-step. */
static bool collides_now(const SystemSlot *slot)
{
    return slot_collides(slot) && (slot->check == 0 || slot->checks_now);
}

static void collide_block(CoupledStep *step, size_t block, int worker)
{
    if (collides_now(step->slot)) meet_walls(step, block, worker);
    guard_block(step, block, worker);
}

static void note_block(CoupledStep *step, size_t block, int worker)
{
    Range r = coupled_range(step, block, worker);
    world_note_interval(step->slot, &r);
}

/* Implicit steps are long: what hit a wall stays where it was put while the rows that hang on it
 * are solved for once more, and collide then. */
static mote_Status collide_and_solve_again(CoupledStep *step, mote_Error *error)
{
    bool again;
    coupled_for_blocks(step, meet_walls);
    mote_Status status = coupled_solve_around_contacts(step, &again, error);
    if (again && status == MOTE_OK) coupled_for_blocks(step, meet_walls);
    coupled_for_blocks(step, guard_block);
    return status;
}

mote_Status coupled_collide(CoupledStep *step, mote_Error *error)
{
    double before = world_clock();
    mote_Status status = MOTE_OK;
    if (step->slot->solver.integrator->implicit && collides_now(step->slot))
        status = collide_and_solve_again(step, error);
    else
        coupled_for_blocks(step, collide_block);
    step->world->report.stage_seconds[MOTE_STAGE_COLLIDE] += world_clock() - before;
    return status;
}

/* ---- anchors ---- */

/* Pinned rows go on with their velocity: here to where `anchor` is now. */
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
    mote_World *world = step->world;
    for (size_t i = 0; i < links->count; ++i) {
        if (links->broken[i] != LINK_BREAKS) continue;
        mote_Event event = {.time = step->t + step->dt,
                            .id = links->ends[i],
                            .kind = MOTE_EVENT_LINK_BROKEN,
                            .system = (uint32_t)links->system,
                            .other = links->ends[links->count + i]};
        links->broken[i] = LINK_BROKEN;
        if (world->def.record_events && !world_add_event(world, &event)) return false;
    }
    links_changed(links);
    return true;
}

static mote_Status break_links(CoupledStep *step, mote_Error *error)
{
    step->broken = 0;
    coupled_for_blocks(step, snap_block);
    step->world->report.links_broken += step->broken;
    for (size_t l = 0; step->broken > 0 && l < step->slot->link_count; ++l)
        if (!note_broken(step, step->slot->links[l]))
            return status_no_memory(error, "events", sizeof(mote_Event));
    return MOTE_OK;
}

/* ---- the sub-step ---- */

/* Strides are whole cache lines, a few off a multiple of a page. */
static bool reserve_planes(mote_World *world, SystemSlot *slot)
{
    enum { LINE = 64 / sizeof(mote_real), PAGE = 4096 / sizeof(mote_real) };
    CoupledPlanes *old = &slot->coupled;
    size_t planes =
        coupled_first_plane(slot) + (size_t)integrator_scratch_planes(slot->solver.integrator);
    size_t rows = slot->system->count;
    if (planes <= old->planes && rows <= old->stride) return true;
    size_t stride = (rows + rows / 4 + PAGE) / PAGE * PAGE + 5 * LINE;
    /* Of solvers that move whole systems only the start is kept: pages that nobody writes to are
     * never taken. */
    size_t bytes = planes * stride * sizeof(mote_real);
    mote_real *block = slot->whole != NULL ? memory_take(&world->memory, bytes)
                                           : memory_zeroed(&world->memory, bytes);
    if (block == NULL) return false;
    memory_free(&world->memory, old->block, old->planes * old->stride * sizeof *block);
    *old = (CoupledPlanes){block, planes, stride};
    return true;
}

mote_Status coupled_begin(CoupledStep *step, const TimeSpan *span, mote_Error *error)
{
    SystemSlot *slot = step->slot;
    const mote_WorldDef *def = &step->world->def;
    const mote_Column *pinned = mote_system_column(slot->system, "pinned");
    bool room = reserve_planes(step->world, slot);
    for (size_t l = 0; l < slot->link_count && room; ++l)
        room = links_refresh(slot->links[l], slot->system);
    if (!room) return status_no_memory(error, slot->system->name, slot->system->count);
    step->dt = span->dt;
    step->rows = slot->first_new;
    step->pinned = pinned != NULL && pinned->type == MOTE_COLUMN_U32 ? pinned->data : NULL;
    step->kernels = link_kernels(step->world->isa);
    step->needs_start =
        slot->solver.integrator->needs_start || has_history(slot->system) || slot_collides(slot);
    step->period[0] = def->periodic_x ? def->box_max.x - def->box_min.x : 0;
    step->period[1] = def->periodic_y ? def->box_max.y - def->box_min.y : 0;
    step->period[2] = def->periodic_z ? def->box_max.z - def->box_min.z : 0;
    return MOTE_OK;
}

/* Pinned rows and what is noted at the start, then all systems of the company. */
static mote_Status solve_company(CoupledStep *first, const TimeSpan *span, mote_Error *error)
{
    mote_Status status = coupled_join_company(first, span, error);
    if (status != MOTE_OK) return status;
    for (CoupledStep *step = first; step != NULL; step = step->next) {
        SystemSlot *slot = step->slot;
        step->t = first->t, step->number = first->number;
        for (size_t l = 0; l < slot->link_count; ++l) move_anchors(step, slot->links[l]);
        if (slot->check > 0) coupled_for_blocks(step, note_block);
    }
    return solve(first, error);
}

mote_Status world_run_coupled(mote_World *world, SystemSlot *slot, const TimeSpan *span,
                              mote_Error *error)
{
    CoupledStep step = {.world = world, .slot = slot};
    mote_Status status = coupled_begin(&step, span, error);
    bool leads = slot == &world->slots[slot->company];
    for (uint64_t k = 0; k < span->steps && status == MOTE_OK; ++k) {
        double before = world_clock();
        step.t = span->start + (double)k * span->dt;
        step.number = span->first_step + k;
        if (leads) status = solve_company(&step, span, error);
        world->report.stage_seconds[MOTE_STAGE_SOLVE] += world_clock() - before;
        if (status == MOTE_OK) status = coupled_collide(&step, error);
        if (status == MOTE_OK) status = break_links(&step, error);
    }
    if (status == MOTE_OK && slot->first_new < slot->system->count)
        world_run_blocks(world, slot, span, slot->first_new);
    return status;
}

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

bool world_link_energy(mote_World *world, SystemSlot *slot, double *block_sums, double *energy)
{
    CoupledStep step = {.world = world, .slot = slot};
    const TimeSpan none = {.dt = 1};
    EnergyWork work = {&step, block_sums};
    size_t blocks = system_blocks(slot->system);
    *energy = 0;
    if (slot->link_count == 0) return true;
    if (coupled_begin(&step, &none, NULL) != MOTE_OK) return false;
    mote_parallel_for(world_tasks(world), blocks, COUPLED_BLOCKS_PER_TASK, energy_body, &work);
    for (size_t block = 0; block < blocks; ++block) *energy += block_sums[block];
    return true;
}
