/* Rows of a liquid on a device by cell and id: places of every sub-step, and now and then the order
 * of the rows themselves, as begin.c has it. */
#include "solvers/sph/stay.h"

#include "base/status.h"
#include "solvers/points/slot.h"

#define S(buffer) STAY_MEMORY(d, buffer)
#define B(buffer) SPH_MEMORY(d, buffer)

/* ---- the window ---- */

/* With a cell more at either end of open axes, if that does not make it too large: so sub-steps
 * after this one have the same, and rows can be sorted before the processor knows where they are.
 */
static Cells grown(const Cells *tight)
{
    Cells more = *tight;
    size_t all = 1;
    for (int c = 0; c < 3; ++c) {
        if (tight->space.period[c] == 0 && !(c == 2 && tight->space.flat))
            more.low[c] -= 1, more.side[c] += 2;
        all *= more.side[c];
    }
    return all <= 4 * tight->points + 4096 ? more : *tight;
}

static bool holds(const Cells *window, const Cells *tight)
{
    bool in = window->points == tight->points;
    for (int c = 0; c < 3; ++c) {
        const mote_real end = window->low[c] + (mote_real)window->side[c];
        in = in && window->inverse[c] == tight->inverse[c] &&
             window->anchor[c] == tight->anchor[c] && window->low[c] <= tight->low[c] &&
             end >= tight->low[c] + (mote_real)tight->side[c] &&
             window->side[c] <= tight->side[c] + 8;
    }
    return in;
}

void sph_stay_choose_window(SphStay *stay, const Cells *tight)
{
    if (holds(&stay->window, tight)) return;
    stay->window = grown(tight), stay->placed = PLACED_NONE;
}

void sph_stay_set_cells(const SphStep *step, StayLaw *law)
{
    const Cells *cells = &step->state->device->stay->window;
    law->rows = (uint32_t)step->rows, law->stride = (uint32_t)step->state->device->stay->plane;
    law->flat = step->flat, law->flows = step->state->device->stay->flows;
    for (int c = 0; c < 3; ++c) {
        const uint32_t side = cells->side[c];
        const int64_t first = (int64_t)cells->low[c];
        law->anchor[c] = cells->anchor[c], law->inverse[c] = cells->inverse[c];
        law->low[c] = cells->low[c], law->last[c] = (mote_real)(side - 1);
        law->period[c] = cells->space.period[c], law->start[c] = cells->space.low[c];
        law->side[c] = side;
        law->brick_low[c] = (int)brick_of_cell(first);
        law->bricks[c] =
            (uint32_t)(brick_of_cell(first + side - 1) - (int64_t)law->brick_low[c] + 1);
        law->rods[c] = c == 0 ? law->bricks[0] : side;
    }
    law->keys = law->side[0] * law->side[1] * law->side[2];
}

/* Words of sums: the loads of colliders, and how dense the liquid is, in several sets. */
static size_t limb_words(const StayLaw *law)
{
    return STAY_SETS * ((size_t)law->colliders * STAY_LOADS + 1) * STAY_LIMBS;
}

size_t sph_stay_note_bytes(const StayLaw *law)
{
    return STAY_NOTES * sizeof(StayNote) + limb_words(law) * sizeof(int64_t);
}

void sph_stay_reserve_sort(SphDevice *d, const StayLaw *law)
{
    const size_t places = law->stride, plane = places * sizeof(mote_real), word = sizeof(uint32_t);
    const size_t keys = (size_t)law->keys + 1;
    const struct {
        StayBuffer buffer;
        size_t bytes;
    } own[] = {{STAY_KEYS, places * word},
               {STAY_COUNTS, keys * word},
               {STAY_TOPS, (keys / STAY_SCAN + 1) * word},
               {STAY_DEALT, places * word},
               {STAY_ORDER, places * word},
               {STAY_V_PLACES, law->flows ? 3 * plane : 1},
               {STAY_COUNTERS, 2 * word},
               {STAY_NOTE, sph_stay_note_bytes(law)}};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
        device_reserve(d->device, &d->stay->buffers[own[i].buffer], own[i].bytes);
    device_reserve(d->device, &d->buffers[BUFFER_BOUNDS], keys * word);
}

/* The same for the next sub-step is counted as rows move. */
static void count(SphDevice *d, const StayLaw *law, const DeviceBuffer *x)
{
    device_clear(d->device, &d->stay->buffers[STAY_COUNTS], (law->keys + 1) * sizeof(uint32_t));
    sph_stay_launch(d, KERNEL_COUNT, law->rows,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(*law), DEVICE_MEMORY(*x), S(KEYS), S(COUNTS)));
}

static void sort(SphDevice *d, const StayLaw *law, const DeviceBuffer *x, const DeviceBuffer *v)
{
    const uint32_t keys = law->keys + 1, groups = (keys + STAY_SCAN - 1) / STAY_SCAN;
    sph_stay_launch(d, KERNEL_SCAN, (size_t)groups * STAY_GROUP,
                    DEVICE_ARGUMENTS(S(COUNTS), DEVICE_VALUE(keys), S(TOPS)));
    sph_stay_launch(d, KERNEL_TOPS, STAY_GROUP, DEVICE_ARGUMENTS(S(TOPS), DEVICE_VALUE(groups)));
    sph_stay_launch(d, KERNEL_DEAL, stay_larger(law->rows, limb_words(law)),
                    DEVICE_ARGUMENTS(DEVICE_VALUE(*law), S(KEYS), S(COUNTS), S(TOPS), S(DEALT),
                                     S(COUNTERS), S(NOTE)));
    sph_stay_launch(d, KERNEL_PLACE, stay_larger(law->rows, law->keys),
                    DEVICE_ARGUMENTS(DEVICE_VALUE(*law), S(KEYS), S(COUNTS), S(TOPS), S(DEALT),
                                     S(IDS), DEVICE_MEMORY(*x), DEVICE_MEMORY(*v), B(BOUNDS),
                                     S(ORDER), S(V_PLACES), B(PACKETS), B(PLACES)));
}

/* What was cleared with it is clear for one sub-step. */
void sph_stay_sort(SphDevice *d, const StayLaw *law)
{
    SphStay *stay = d->stay;
    const DeviceBuffer *b = stay->buffers;
    if (stay->placed != PLACED_START || stay->cleared < sph_stay_note_bytes(law)) {
        count(d, law, &b[STAY_X]);
        sort(d, law, &b[STAY_X], &b[STAY_V]);
    }
    stay->placed = PLACED_NONE;
}

void sph_stay_sort_ahead(SphDevice *d, const StayLaw *law)
{
    SphStay *stay = d->stay;
    if (!law->ahead) return;
    sort(d, law, &stay->buffers[STAY_X_END], &stay->buffers[STAY_V_END]);
    stay->placed = PLACED_END, stay->cleared = sph_stay_note_bytes(law);
}

/* ---- the rows themselves ---- */

/* What else rows of incompressible liquids have goes with them. */
static void follow(SphDevice *d, const StayLaw *law, StayBuffer rows)
{
    SphStay *stay = d->stay;
    device_reserve(d->device, &stay->buffers[STAY_SPARE_ROWS], law->stride * sizeof(mote_real));
    sph_stay_launch(d, KERNEL_FOLLOW, law->rows,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(law->rows), S(ORDER),
                                     DEVICE_MEMORY(stay->buffers[rows]), S(SPARE_ROWS)));
    sph_stay_swap(stay, rows, STAY_SPARE_ROWS);
}

static void reorder(SphDevice *d, const StayLaw *law)
{
    SphStay *stay = d->stay;
    const uint32_t moved = stay->sorted;
    const size_t places = law->stride;
    device_reserve(d->device, &stay->buffers[STAY_IDS_END], places * sizeof(uint64_t));
    device_reserve(d->device, &stay->buffers[STAY_HOME], places * sizeof(uint32_t));
    device_reserve(d->device, &stay->buffers[STAY_HOME_END], places * sizeof(uint32_t));
    sph_stay_launch(d, KERNEL_REORDER, law->rows,
                    DEVICE_ARGUMENTS(DEVICE_VALUE(*law), S(ORDER), DEVICE_VALUE(moved), S(X), S(V),
                                     S(IDS), S(HOME), S(X_END), S(V_END), S(IDS_END), S(HOME_END)));
    sph_stay_swap(stay, STAY_X, STAY_X_END), sph_stay_swap(stay, STAY_V, STAY_V_END);
    sph_stay_swap(stay, STAY_IDS, STAY_IDS_END), sph_stay_swap(stay, STAY_HOME, STAY_HOME_END);
    if (stay->flows) {
        follow(d, law, STAY_DENSITY_ROWS);
        follow(d, law, STAY_PRESSURE_ROWS);
        follow(d, law, STAY_LIFT_ROWS);
    }
    stay->sorted = true;
}

mote_Status sph_sort_away(const SolverStep *outer, bool *done, mote_Error *error)
{
    SphState *state = outer->solver->state;
    SphDevice *d = state->device;
    SphStep step = sph_make_step(outer);
    *done = false;
    if (d == NULL || !d->stay->away || !sph_stay_cells(&step))
        return sph_come_home(outer->solver, error);
    StayLaw law = {.rows = 0};
    sph_stay_set_cells(&step, &law);
    sph_stay_reserve_sort(d, &law);
    sph_stay_sort(d, &law);
    reorder(d, &law);
    *done = true;
    return device_is_well(d->device) ? MOTE_OK : device_check(d->device, sph_name(&step), error);
}

/* But for what comes home anyway. */
bool sph_stay_reorder_home(SphStay *stay, mote_Device *device, const SphMember *member)
{
    mote_System *system = member->system;
    if (!stay->sorted) return true;
    arena_reset(&stay->spare);
    uint32_t *order = arena_take(&stay->spare, (stay->rows + 1) * sizeof *order);
    if (order == NULL) return false;
    device_get(device, &stay->buffers[STAY_HOME], 0, order, stay->rows * sizeof *order);
    bool *but = arena_take(&stay->spare, system->column_count * sizeof *but);
    if (but == NULL) return false;
    for (size_t i = 0; i < system->column_count; ++i) but[i] = false;
    but[COLUMN_POSITION] = but[COLUMN_VELOCITY] = true;
    but[member->column[SPH_DENSITY]] = but[member->column[SPH_PRESSURE]] = true;
    if (stay->flows) but[member->column[SPH_OWN]] = true;
    stay->sorted = false;
    return !device_is_well(device) ||
           system_reorder_but(system, order, but, &stay->spare, stay->tasks);
}
