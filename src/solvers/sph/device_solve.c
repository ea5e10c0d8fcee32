/* Iterations of incompressible liquids on a device: pressures, and what is known of them, stay
 * there for a whole solve (device/judge.cl, device/mend.cl). What comes back of a trial is what is
 * left, summed in the order of space/rods.h; what to do about it is dfsph_solve.c's. */
#include "solvers/sph/device.h"
#include "solvers/sph/dfsph_coarse.h"

#include "base/loop.h"
#include "space/rods.h"

#include <math.h>
#include <string.h>

#include "device_flow.inc"

/* Iterations that are started before the device is asked how they went: as many as the solve took
 * in the last sub-step, because one that does nothing costs less than asking. */
enum { FIRST_AT_ONCE = 3, MORE_AT_ONCE = 1, MOST_AT_ONCE = 8 };

/* ---- programs ---- */

void sph_free_solve(SphDevice *d)
{
    for (int k = 0; k < SOLVE_KERNELS; ++k) device_free_kernel(d->solve.kernels[k]);
    device_free_program(d->solve.program);
}

bool sph_solve_program(SphDevice *d, mote_Error *error)
{
    static const char *const names[SOLVE_KERNELS] = {[KERNEL_TAKE] = "flow_take",
                                                     [KERNEL_GIVE] = "flow_give",
                                                     [KERNEL_RESTART] = "flow_restart_all",
                                                     [KERNEL_MEND] = "flow_mend_all",
                                                     [KERNEL_JUDGE] = "flow_judge",
                                                     [KERNEL_DECIDE] = "flow_decide_next",
                                                     [KERNEL_NEXT] = "flow_mend_next",
                                                     [KERNEL_CELLS] = "coarse_count",
                                                     [KERNEL_LARGEST] = "coarse_largest",
                                                     [KERNEL_DEPOSIT] = "coarse_deposit",
                                                     [KERNEL_COLLECT] = "coarse_collect",
                                                     [KERNEL_TOTAL] = "coarse_total",
                                                     [KERNEL_START] = "coarse_start",
                                                     [KERNEL_MULTIPLY] = "coarse_multiply",
                                                     [KERNEL_GO] = "coarse_go",
                                                     [KERNEL_SPREAD] = "coarse_spread"};
    SolveProgram *solve = &d->solve;
    char options[DEVICE_OPTIONS];
    if (solve->program != NULL) return true;
    sph_device_options(d->device, options);
    solve->program = device_build(d->device, files, sizeof files / sizeof *files, options, error);
    if (solve->program == NULL) return false;
    for (int k = 0; k < SOLVE_KERNELS; ++k)
        solve->kernels[k] = device_kernel(solve->program, names[k]);
    return true;
}

/* ---- rods ---- */

bool sph_rod_law(const Cells *cells, RodLaw *law)
{
    const mote_real most = 1 << 22; /* cells that integers and floats have numbers for */
    bool near = true;
    *law = (RodLaw){.side = cells->side[0], .points = (uint32_t)cells->points};
    for (int c = 0; c < 3; ++c) {
        const uint32_t side = cells->side[c];
        near = near && REAL_ABS(cells->low[c]) < most && side < 1u << 22;
        const int64_t low = near ? (int64_t)cells->low[c] : 0, first = brick_of_cell(low);
        law->first[c] = (int)(first * ROD_CELLS - low);
        law->bricks[c] = (uint32_t)(brick_of_cell(low + side - 1) - first + 1);
        law->rods[c] = c == 0 ? law->bricks[0] : side;
    }
    law->keys = cells->side[0] * cells->side[1] * cells->side[2];
    return near;
}

/* ---- hands ---- */

#define B(buffer) DEVICE_MEMORY(d->buffers[BUFFER_##buffer])

static void launch(SphDevice *d, SolveKernel kernel, size_t items, const DeviceArgument *arguments)
{
    device_launch(d->device, d->solve.kernels[kernel], items, DEVICE_GROUP, arguments);
}

/* A processor has a rod's eight lanes at once, a card two (device/lanes.cl). */
static size_t brick_items(const SphDevice *d)
{
    return (size_t)BRICK_RODS * (mote_device_info(d->device)->gpu ? 4 : 1);
}

static void judge(SphDevice *d, const Flow *f)
{
    const RodLaw *rods = &d->solve.rods;
    const size_t group = brick_items(d);
    const size_t bricks = (size_t)rods->bricks[0] * rods->bricks[1] * rods->bricks[2] + 1;
    device_launch(d->device, d->solve.kernels[KERNEL_JUDGE], bricks * group, group,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(*rods), DEVICE_VALUE(f->in.least),
                                   DEVICE_VALUE(f->in.dt2), B(BOUNDS), B(FLOW), B(CLOSING),
                                   B(ERROR), B(ANSWER), B(SOFT), B(STIFFNESS),
                                   DEVICE_VALUE(d->solve.chained), B(FLOW_NOTE)));
}

/* Parts are whole numbers, and a largest has no order. */
static FlowSums sums_of(int64_t notes[FLOW_NOTES][FLOW_NOTE])
{
    FlowSums all = {.worst = 0};
    double *const to[FLOW_SUMS] = {&all.residual, &all.balance, &all.uu, &all.uy,
                                   &all.yy,       &all.ue,      &all.ye};
    for (int k = 0; k < FLOW_SUMS; ++k) {
        Limbs sum = {.odd = 0};
        for (int part = 0; part < FLOW_NOTES; ++part) {
            Limbs own;
            memcpy(&own, &notes[part][k * FLOW_LIMBS], sizeof own);
            limbs_merge(&sum, &own);
        }
        *to[k] = limbs_value(&sum);
    }
    for (int part = 0; part < FLOW_NOTES; ++part) {
        double worst;
        memcpy(&worst, &notes[part][FLOW_SUMS * FLOW_LIMBS], sizeof worst);
        if (worst > all.worst || isnan(worst)) all.worst = worst; /* and stays no number */
    }
    return all;
}

static void try_out(SphDevice *d, Flow *f)
{
    sph_device_accelerate(d, f);
    sph_device_close(d, f, CLOSE_LEFT);
    if (f->level != NULL) f->level->level_excess(f);
    judge(d, f);
}

/* Where the device is lost nothing is left to be done. */
static FlowSums evaluate(Flow *f)
{
    static const FlowSums lost = {.residual = (double)NAN};
    SphDevice *d = f->step->state->device;
    int64_t notes[FLOW_NOTES][FLOW_NOTE];
    try_out(d, f);
    device_get(d->device, &d->buffers[BUFFER_FLOW_NOTE], 0, notes, sizeof notes);
    return device_is_well(d->device) ? sums_of(notes) : lost;
}

/* With the next trial. */
static void restart(Flow *f)
{
    f->step->state->device->solve.anew = true;
}

static void restart_now(SphDevice *d, const Flow *f)
{
    const uint32_t points = (uint32_t)f->step->rows;
    if (!d->solve.anew) return;
    launch(d, KERNEL_RESTART, points,
           DEVICE_ARGUMENTS(DEVICE_VALUE(points), B(CLOSING), B(FLOW), B(TRIED), B(ERROR), B(WAY),
                            B(ANSWER)));
    d->solve.anew = false;
}

static void mend(Flow *f)
{
    SphDevice *d = f->step->state->device;
    const MendLaw law = {f->in.along, f->in.before, f->in.relax, f->in.further, f->in.least};
    const uint32_t points = (uint32_t)f->step->rows, anew = d->solve.anew;
    launch(d, KERNEL_MEND, points,
           DEVICE_ARGUMENTS(DEVICE_VALUE(law), DEVICE_VALUE(points), DEVICE_VALUE(anew), B(CLOSING),
                            B(SOFT), B(FLOW), B(TRIED), B(ERROR), B(WAY), B(ANSWER)));
    d->solve.anew = false;
}

static void mend_long(Flow *f)
{
    SphDevice *d = f->step->state->device;
    restart_now(d, f);
    sph_device_coarse(d, f);
}

/* ---- some iterations at a time ---- */

static void decide(SphDevice *d, const FlowLimits *limits, const FlowControl *first)
{
    device_launch(d->device, d->solve.kernels[KERNEL_DECIDE], FLOW_CONTROLS, FLOW_CONTROLS,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(*limits), DEVICE_VALUE(*first),
                                   DEVICE_VALUE(d->solve.chained), B(FLOW_NOTE), B(CONTROL)));
}

static void mend_next(SphDevice *d, const Flow *f)
{
    const uint32_t points = (uint32_t)f->step->rows;
    launch(d, KERNEL_NEXT, points,
           DEVICE_ARGUMENTS(DEVICE_VALUE(f->in.least), DEVICE_VALUE(points), B(CONTROL), B(CLOSING),
                            B(SOFT), B(FLOW), B(TRIED), B(ERROR), B(WAY), B(ANSWER)));
}

static uint64_t iterations_at_once(const SolveProgram *solve)
{
    const uint64_t usual = solve->usual[solve->which], begun = solve->begun;
    if (usual == 0) return FIRST_AT_ONCE;
    if (usual <= begun) return MORE_AT_ONCE;
    return usual - begun < MOST_AT_ONCE ? usual - begun : MOST_AT_ONCE;
}

/* The device decides about them, and says where it has come to. */
static void go_on(Flow *f, const FlowHands *own, const FlowLimits *limits, FlowControl *c)
{
    SphDevice *d = f->step->state->device;
    const uint64_t at_once = iterations_at_once(&d->solve), before = c->used;
    flow_try(f, own, c);
    for (uint64_t k = 0; k < at_once; ++k) {
        if (k > 0) mend_next(d, f);
        try_out(d, f);
        decide(d, limits, c);
        d->solve.chained = 1;
    }
    d->solve.chained = 0;
    device_get(d->device, &d->buffers[BUFFER_CONTROL], 0, c, sizeof *c);
    d->solve.begun += c->used - before;
    if (!device_is_well(d->device)) c->next = FLOW_DONE, c->left.residual = (double)NAN;
}

const FlowHands sph_device_hands = {
    .evaluate = evaluate, .restart = restart, .mend = mend, .mend_long = mend_long, .go_on = go_on};

FlowSolved sph_solve_there(Flow *f, const FlowGoal *goal)
{
    SolveProgram *solve = &f->step->state->device->solve;
    solve->begun = 0;
    const FlowSolved solved = flow_solve_by(f, &sph_device_hands, goal);
    solve->usual[solve->which] = solve->begun, solve->which ^= 1;
    return solved;
}

/* ---- pressures, there and back ---- */

static void put_plane(SphDevice *d, SphBuffer to, const mote_real *from, size_t rows)
{
    device_put(d->device, &d->buffers[to], 0, from, rows * sizeof *from);
}

static void get_plane(SphDevice *d, SphBuffer from, mote_real *to, size_t rows)
{
    device_get(d->device, &d->buffers[from], 0, to, rows * sizeof *to);
}

static void put_pressures(SphDevice *d, const Flow *f)
{
    const uint32_t points = (uint32_t)f->step->rows;
    for (size_t i = 0; i < points; ++i) d->fetched[i] = f->in.flow[i].q;
    put_plane(d, BUFFER_Q, d->fetched, points);
    launch(d, KERNEL_TAKE, points, DEVICE_ARGUMENTS(B(Q), DEVICE_VALUE(points), B(FLOW)));
}

/* Not into flow yet: the device may be lost. */
static void get_pressures(SphDevice *d, const Flow *f)
{
    const uint32_t points = (uint32_t)f->step->rows;
    launch(d, KERNEL_GIVE, points, DEVICE_ARGUMENTS(B(FLOW), DEVICE_VALUE(points), B(Q)));
    get_plane(d, BUFFER_Q, d->fetched, points);
}

static void set_pressures(const SphDevice *d, const Flow *f)
{
    for (size_t i = 0; i < f->step->rows; ++i) f->in.flow[i].q = d->fetched[i];
}

static void bring(SphDevice *d, const Flow *f)
{
    const size_t rows = f->step->rows;
    get_pressures(d, f);
    get_plane(d, BUFFER_CLOSING, f->in.excess, rows);
    device_get(d->device, &d->buffers[BUFFER_MOVES], 0, f->in.moves, rows * sizeof *f->in.moves);
    if (!device_is_well(d->device)) return;
    set_pressures(d, f);
    for (size_t i = 0; i < rows; ++i) f->in.push[i] = f->in.flow[i].q;
}

bool sph_device_solve(Flow *f, const FlowGoal *goal, FlowSolved *solved)
{
    SphStep *step = f->step;
    SphDevice *d = step->state->device;
    if (f->level != NULL || step->cells.ends == NULL || !sph_rod_law(&step->cells, &d->solve.rods))
        return false;
    const bool built = sph_solve_program(d, f->error);
    f->status = sph_begin_solve(f, goal);
    if (built && f->status == MOTE_OK) {
        put_plane(d, BUFFER_SOURCE, f->in.source, step->rows);
        put_pressures(d, f);
        sph_put_coarse(d, f);
        *solved = sph_solve_there(f, goal);
        bring(d, f);
    }
    if (!built || !device_is_well(d->device)) {
        f->status = sph_leave_flow(f, FLOW_ACCELERATE, built);
        return false;
    }
    if (f->status == MOTE_OK) f->status = sph_verify_solve(f);
    return true;
}
