/* What all solvers of a world share: workers with their scratch memory, ranges, the guard, and what
 * solving came to. */
#include "solvers/points/slot.h"

#include "base/status.h"
#include "solvers/points/kernels.h"

#include <math.h>

/* Planes of a worker: acceleration, start, field samples, grouped forces, collide, integrator. */
enum {
    PLANES_A = 0,
    PLANES_START = 3,
    PLANES_SAMPLE = 9,
    PLANES_MASKED = 12,
    PLANES_COLLIDE = 15,
    PLANES_INTEGRATOR = PLANES_COLLIDE + COLLIDE_PLANES
};

static size_t worker_bytes(const Workshop *shop)
{
    return shop->scratch_planes * SCRATCH_STRIDE * sizeof(mote_real);
}

void shop_free_workers(Workshop *shop)
{
    for (int i = 0; shop->workers != NULL && i < shop->worker_count; ++i)
        memory_free(shop->memory, shop->workers[i].planes, worker_bytes(shop));
    memory_free(shop->memory, shop->workers, (size_t)shop->worker_count * sizeof *shop->workers);
    shop->workers = NULL;
}

static void set_planes(mote_real *planes, int first, mote_real *to[3])
{
    for (int c = 0; c < 3; ++c) to[c] = planes + (size_t)(first + c) * SCRATCH_STRIDE;
}

/* All planes of a worker lie in one block, at distances that do not alias in the cache. */
static void set_scratch(ShopWorker *worker)
{
    Range *r = &worker->range;
    set_planes(worker->planes, PLANES_A, r->a);
    set_planes(worker->planes, PLANES_START, r->x0);
    set_planes(worker->planes, PLANES_START + 3, r->v0);
    set_planes(worker->planes, PLANES_SAMPLE, r->sample);
    set_planes(worker->planes, PLANES_MASKED, r->masked);
    r->collide = worker->planes + (size_t)PLANES_COLLIDE * SCRATCH_STRIDE;
    r->scratch = worker->planes + (size_t)PLANES_INTEGRATOR * SCRATCH_STRIDE;
    r->scratch_stride = SCRATCH_STRIDE;
    r->marks = worker->marks;
    r->held = &worker->held;
    r->implicit = &worker->implicit;
    r->notes = &worker->notes;
    worker->held.x = (mote_real)NAN;
}

bool shop_make_workers(Workshop *shop, size_t integrator_planes)
{
    size_t planes = PLANES_INTEGRATOR + integrator_planes;
    if (shop->workers != NULL && planes <= shop->scratch_planes) return true;
    shop_free_workers(shop);
    shop->scratch_planes = planes;
    shop->workers = memory_zeroed(shop->memory, (size_t)shop->worker_count * sizeof *shop->workers);
    if (shop->workers == NULL) return false;
    for (int i = 0; i < shop->worker_count; ++i) {
        ShopWorker *worker = &shop->workers[i];
        worker->planes = memory_zeroed(shop->memory, worker_bytes(shop));
        if (worker->planes == NULL) {
            shop_free_workers(shop); /* all or none: a later step tries again */
            return false;
        }
        worker->range.worker = i;
        set_scratch(worker);
    }
    return true;
}

Range *shop_range(const Workshop *shop, mote_System *system, size_t first, size_t count, int worker)
{
    Range *r = &shop->workers[worker].range;
    const mote_Column *x = &system->columns[COLUMN_POSITION];
    const mote_Column *v = &system->columns[COLUMN_VELOCITY];
    r->system = system;
    r->first = first, r->count = count;
    for (int c = 0; c < 3; ++c) {
        r->x[c] = column_real(x, c) + first;
        r->v[c] = column_real(v, c) + first;
    }
    return r;
}

Range step_accelerated(const SolverStep *step, size_t system, size_t first, size_t count, double t,
                       int worker)
{
    const SystemSlot *slot = step->slots[system];
    Range *r = shop_range(step->shop, slot->system, first, count, worker);
    r->t = t, r->dt = step->dt;
    points_accelerate(&slot->points, r, t);
    return *r;
}

static void wrap_periodic(const Workshop *shop, const Range *r)
{
    const mote_Vec3 *low = &shop->box_min, *high = &shop->box_max;
    if (shop->period[0] > 0) shop->kernels->wrap(r->count, r->x[0], low->x, high->x);
    if (shop->period[1] > 0) shop->kernels->wrap(r->count, r->x[1], low->y, high->y);
    if (shop->period[2] > 0) shop->kernels->wrap(r->count, r->x[2], low->z, high->z);
}

void shop_guard(const Workshop *shop, const Range *r)
{
    wrap_periodic(shop, r);
    if (!shop->bounded && !shop->ends_frame) return; /* what is not finite stays so */
    if (!shop->kernels->all_well(r, &shop->bounds))
        r->system->notes[r->first / BLOCK_ROWS].suspect = true;
}

/* ---- what solving came to ---- */

void shop_begin_notes(Workshop *shop)
{
    for (int i = 0; i < shop->worker_count; ++i)
        shop->workers[i].notes = (SolveNotes){.stuck_row = SIZE_MAX};
}

static mote_Status fail_formula(const SolveNotes *notes, mote_Error *error)
{
    const uint64_t *ids = notes->wrong_system->columns[COLUMN_ID].data;
    return status_fail(error, MOTE_DIVERGED,
                       "%s: %s of particle %llu of system %s would be %g at t = %g s; does the "
                       "expression divide by 0, or take away more than there is?",
                       notes->wrong_place, notes->wrong_what,
                       (unsigned long long)ids[notes->wrong_row], notes->wrong_system->name,
                       notes->wrong_value, notes->wrong_t);
}

mote_Status shop_end_notes(const Workshop *shop, const SystemSlot *slot, SolveNotes *sums,
                           mote_Error *error)
{
    SolveNotes all = {.stuck_row = SIZE_MAX};
    const SolveNotes *wrong = NULL;
    for (int i = 0; i < shop->worker_count; ++i) {
        const SolveNotes *notes = &shop->workers[i].notes;
        sums->accepted += notes->accepted;
        sums->rejected += notes->rejected;
        if (notes->wrong_what != NULL && (wrong == NULL || notes->wrong_row < wrong->wrong_row))
            wrong = notes;
        if (notes->stuck_row < all.stuck_row) all = *notes;
    }
    if (wrong != NULL) return fail_formula(wrong, error);
    if (all.stuck_row == SIZE_MAX) return MOTE_OK;
    const mote_System *system = all.stuck_system != NULL ? all.stuck_system : slot->system;
    const uint64_t *ids = system->columns[COLUMN_ID].data;
    return status_fail(error, MOTE_DIVERGED,
                       "system %s: particle %llu: integrator %s rejected %llu steps within a "
                       "sub-step (at t = %g s, with steps down to %g s); likely a force is too "
                       "strong or jumps there, or the tolerances are too small",
                       system->name, (unsigned long long)ids[all.stuck_row],
                       slot->points.integrator->head.name, (unsigned long long)all.stuck_rejections,
                       all.stuck_t, all.stuck_dt);
}

/* ---- kernels ---- */

ISA_KERNELS(row_kernels, RowKernels, points_range)
