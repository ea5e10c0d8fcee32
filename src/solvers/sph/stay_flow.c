/* A sub-step of an incompressible liquid that stays on a device: the stages of dfsph.c there.
 * Pressures are looked for by device_solve.c. Once before the solves a note says whether lists and
 * shares had room, so that nobody iterates on lists that are cut. */
#include "solvers/sph/dfsph_coarse.h"
#include "solvers/sph/stay.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

#define S(buffer) STAY_MEMORY(d, buffer)
#define B(buffer) SPH_MEMORY(d, buffer)

/* Stages know it by its flow, which is its first member. */
typedef struct StayFlow {
    Flow flow;
    SphDevice *d;
    StayLaw law;
    const ForceProgram *friction; /* NULL: there is none */
    ForceInput pairs;             /* of it */
    bool cut;                     /* something had no room: all is to be done again */
} StayFlow;

static StayFlow *run_of(Flow *f)
{
    return (StayFlow *)(void *)f;
}

/* ---- sums ---- */

/* A plane of numbers by place. */
typedef struct FlowPlane {
    const DeviceBuffer *buffer;
    uint32_t first, each;
    uint32_t above; /* numbers below 0 do not count in sums */
} FlowPlane;

static FlowTold get_told(SphDevice *d)
{
    FlowTold told = {.longest = 0};
    device_get(d->device, &d->stay->buffers[STAY_TOLD], 0, &told, sizeof told);
    return told;
}

static FlowTold tell(SphDevice *d, const FlowPlane *plane)
{
    const RodLaw *rods = &d->solve.rods;
    const size_t bricks = (size_t)rods->bricks[0] * rods->bricks[1] * rods->bricks[2] + 1;
    device_clear(d->device, &d->stay->buffers[STAY_TOLD], sizeof(FlowTold));
    device_launch(d->device, d->stay->kernels[KERNEL_TELL], bricks * BRICK_RODS, BRICK_RODS,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(*rods), DEVICE_VALUE(plane->first),
                                   DEVICE_VALUE(plane->each), DEVICE_VALUE(plane->above), B(BOUNDS),
                                   B(COUNTS), S(COUNTERS), DEVICE_MEMORY(*plane->buffer), S(TOLD)));
    return get_told(d);
}

static double sum_of(const FlowTold *told)
{
    Limbs sum;
    memcpy(&sum, told->sum, sizeof sum);
    return limbs_value(&sum);
}

static void take_mean_off(Flow *f, const FlowPlane *plane)
{
    SphDevice *d = run_of(f)->d;
    const FlowTold told = tell(d, plane);
    const mote_real mean = (mote_real)(sum_of(&told) / (double)f->step->particles);
    const uint32_t points = (uint32_t)f->step->rows;
    sph_stay_launch(d, KERNEL_LOWER, points,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(points), DEVICE_VALUE(plane->first),
                                     DEVICE_VALUE(plane->each), DEVICE_VALUE(mean),
                                     DEVICE_MEMORY(*plane->buffer)));
}

static void level_sources(Flow *f)
{
    take_mean_off(f, &(FlowPlane){&run_of(f)->d->buffers[BUFFER_SOURCE], 0, 1, 0});
}

static void level_pressures(Flow *f)
{
    take_mean_off(f, &(FlowPlane){&run_of(f)->d->buffers[BUFFER_FLOW], 3, 4, 0});
}

static void level_excess(Flow *f)
{
    take_mean_off(f, &(FlowPlane){&run_of(f)->d->buffers[BUFFER_CLOSING], 0, 1, 0});
}

static bool is_closed(SphDevice *d, const SphStep *step)
{
    enum { ITEMS = 256 * STAY_GROUP };
    const uint32_t points = (uint32_t)step->rows;
    const mote_real least = flow_thin_density(step);
    if (!flow_may_be_closed(step)) return false;
    device_clear(d->device, &d->stay->buffers[STAY_TOLD], sizeof(FlowTold));
    sph_stay_launch(
        d, KERNEL_THIN, points < ITEMS ? points : ITEMS,
        DEVICE_ARGUMENTS(DEVICE_VALUE(points), DEVICE_VALUE(least), S(DENSITY), S(TOLD)));
    return flow_has_no_surface(step, get_told(d).thin);
}

/* ---- stages ---- */

/* Velocities without pressures, of which the lift is taken back. */
static void kick(StayFlow *run)
{
    SphDevice *d = run->d;
    const StayLaw *law = &run->law;
    sph_stay_launch(d, KERNEL_KICK, law->rows,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(*law), S(ORDER), S(SPANS), S(SHARES), B(PLACES),
                                     B(A), S(LIFT_ROWS), S(V_PLACES), B(WALL), B(Q), B(FLOW)));
    sph_device_prepare(d, &run->flow);
    sph_device_accelerate(d, &run->flow);
    sph_stay_launch(d, KERNEL_UNLIFT, law->rows,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(*law), B(FLOW), S(V_PLACES), B(MOVES), S(BY)));
}

static void set_sources(StayFlow *run)
{
    SphDevice *d = run->d;
    const FlowPlaceLaw places = flow_place_law(&run->flow);
    sph_device_close(d, &run->flow, CLOSE_PAIRS);
    sph_stay_launch(d, KERNEL_SOURCE, run->law.rows,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(run->law), DEVICE_VALUE(places), S(ORDER),
                                     S(SPANS), S(SHARES), S(V_PLACES), S(DENSITY), B(CLOSING),
                                     S(PRESSURE_ROWS), B(SOURCE), B(FLOW)));
}

static bool start(Flow *f, double *closing)
{
    StayFlow *run = run_of(f);
    SphDevice *d = run->d;
    if (run->friction != NULL) sph_stay_forces(d, &run->law, run->friction, &run->pairs.law);
    f->closed = is_closed(d, f->step);
    kick(run);
    set_sources(run);
    const FlowTold told = tell(d, &(FlowPlane){&d->buffers[BUFFER_SOURCE], 0, 1, 1});
    if (!device_is_well(d->device)) return false;
    run->cut = !sph_stay_had_room(d, told.longest, told.shares);
    if (run->cut) return false;
    f->step->cells.placed = told.placed;
    sph_count_coarse(d, f);
    *closing = sum_of(&told);
    return true;
}

static bool solve(Flow *f, const FlowGoal *goal)
{
    const FlowSolved solved = sph_solve_there(f, goal);
    return flow_accept_solved(f, goal, &solved);
}

static void push(Flow *f)
{
    StayFlow *run = run_of(f);
    SphDevice *d = run->d;
    const FlowPlaceLaw places = flow_place_law(f);
    sph_stay_launch(d, KERNEL_PUSH, run->law.rows,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(run->law), DEVICE_VALUE(places), S(DENSITY),
                                     B(MOVES), B(CLOSING), B(Q), S(V_PLACES), S(PRESSURE),
                                     B(SOURCE), S(BY), B(FLOW)));
}

static void finish(Flow *f)
{
    StayFlow *run = run_of(f);
    SphDevice *d = run->d;
    const uint32_t pushed = run->friction != NULL;
    sph_stay_launch(d, KERNEL_FINISH, run->law.rows,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(run->law), S(SHAPES), S(ORDER), S(SPANS),
                                     B(COUNTS), B(FLOW), B(MOVES), S(DENSITY), S(PRESSURE),
                                     S(V_PLACES), B(EXCESS), B(SQUARES), DEVICE_VALUE(pushed), S(X),
                                     S(X_END), S(V_END), S(DENSITY_ROWS), S(PRESSURE_ROWS),
                                     S(LIFT_ROWS), S(BY), S(KEYS), S(COUNTS), S(GROUPS)));
}

static const FlowStages stages = {.start = start,
                                  .level_sources = level_sources,
                                  .level_pressures = level_pressures,
                                  .level_excess = level_excess,
                                  .solve = solve,
                                  .push = push,
                                  .lift = finish};

/* ---- what came of it ---- */

static bool take_note(const StayFlow *run, StayNote *notes)
{
    SphDevice *d = run->d;
    const StayLaw *law = &run->law;
    const size_t rods = (size_t)law->rods[0] * law->rods[1] * law->rods[2] + 1;
    if (law->shapes > 0)
        device_launch(d->device, d->stay->kernels[KERNEL_LOADS], rods * STAY_ROD, STAY_ROD,
                      DEVICE_ARGUMENTS(DEVICE_VALUE(*law), B(BOUNDS), S(SPANS), S(SHARES),
                                       B(PLACES), S(BY), S(NOTE)));
    return sph_stay_take_note(d, law, 0, notes);
}

/* One after another, as the processor adds them. */
static void take_loads(const SphStep *step, const StayLaw *law, const Limbs *limbs)
{
    const size_t each = law->colliders / FLOW_LOADS;
    for (size_t set = 0; set < FLOW_LOADS; ++set)
        for (size_t k = 0; k < each; ++k)
            sph_add_load(&step->outer->loads[k], limbs + (set * each + k) * STAY_LOADS);
}

/* ---- all of it ---- */

static void reserve(SphDevice *d, const SphStep *step)
{
    const size_t plane = d->stay->plane * sizeof(mote_real);
    device_reserve(d->device, &d->stay->buffers[STAY_BY], (FLOW_LOADS - 1) * plane);
    device_reserve(d->device, &d->stay->buffers[STAY_TOLD], sizeof(FlowTold));
    sph_reserve_pairs(d, step);
    sph_reserve_flow(d, step);
}

/* Programs, and what goes by place. False: something cannot be built. */
static bool make_run(StayFlow *run, SphStep *step, mote_Error *error)
{
    SphDevice *d = step->state->device;
    ExplicitLaw law = {.push = {step->dt, step->rest_density, 0}, .terms = flow_friction(step)};
    const FlowTerms terms = {step->kernel.gradient_kind, step->periodic, false};
    *run = (StayFlow){.flow = flow_make_there(step, error), .d = d};
    if (!sph_flow_program(d, &terms, error) || !sph_solve_program(d, error)) return false;
    if (flow_rubs(&law.terms)) {
        run->pairs = sph_force_input(step, &law.terms, NULL);
        const Terms of_pairs = force_terms(&run->pairs);
        run->friction = sph_force_program(d, &of_pairs, error);
        if (run->friction == NULL) return false;
    }
    run->law = sph_stay_law(step, &law);
    run->law.colliders *= FLOW_LOADS;
    sph_rod_law(&d->stay->window, &d->solve.rods);
    d->solve.rods.points = run->law.rows;
    return true;
}

mote_Status sph_stay_flow(SphStep *step, SolveResult *result, mote_Error *error)
{
    StayFlow run;
    bool solved;
    if (!make_run(&run, step, error)) return sph_cannot_build(step->state->device);
    const Cells window = coarse_window(step);
    StayNote *notes = arena_take(step->outer->arena, sph_stay_note_bytes(&run.law));
    run.flow.coarse = coarse_make(&run.flow, &window);
    if (notes == NULL || run.flow.coarse == NULL) return sph_no_memory(step, error);
    do {
        run.cut = false;
        reserve(run.d, step);
        sph_stay_begin(run.d, step, &run.law);
        solved = step->state->pressure->flow(&run.flow, &stages);
    } while (run.cut);
    if (!device_is_well(run.d->device)) return sph_stay_lost(step, error);
    *result = solved ? SOLVE_ACCEPTED : SOLVE_SMALLER;
    if (!solved) return MOTE_OK;
    if (!take_note(&run, notes)) return sph_stay_lost(step, error);
    const Limbs *limbs = (const Limbs *)(const void *)(notes + STAY_NOTES);
    if (run.friction != NULL) step->state->push = sqrt((double)run.d->stay->note.push);
    sph_stay_accept(step, &run.law, &limbs[run.law.colliders * STAY_LOADS]);
    take_loads(step, &run.law, limbs);
    return MOTE_OK;
}
