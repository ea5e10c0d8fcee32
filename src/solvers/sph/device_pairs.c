/* The pairs of a liquid on a device (device/search.cl, device/forces.cl).
 *
 * Cells are sorted by the processor; positions go to the device, lists of neighbours stay there.
 * Lists have the same room for all places: when one is longer, all get more, and the search is done
 * again. A device that is lost leaves the sub-step to the processor, which goes on from where it
 * is: the rows are the processor's all the time. */
#include "solvers/sph/device.h"

#include "solvers/points/slot.h"
#include "space/formulas/search_law.h"

#include <string.h>

enum { SPARE_ROOM = 8 }; /* that lists get beyond the longest, when they grow */

/* ---- memory ---- */

static void put(SphDevice *d, SphBuffer buffer, size_t offset, const void *from, size_t bytes)
{
    device_put(d->device, &d->buffers[buffer], offset, from, bytes);
}

static void get(SphDevice *d, SphBuffer buffer, size_t offset, void *to, size_t bytes)
{
    device_get(d->device, &d->buffers[buffer], offset, to, bytes);
}

/* ---- neighbours ---- */

static SearchLaw search_law(const SphDevice *d, const SphStep *step)
{
    const Cells *cells = &step->cells;
    SearchLaw law = {.limit = cells->reach * cells->reach,
                     .sharp = step->kernel.inverse,
                     .scale = step->kernel.value_scale,
                     .middle = step->kernel.middle,
                     .beyond = 4 * step->kernel.square,
                     .flat = cells->space.flat,
                     .points = (uint32_t)cells->points,
                     .placed = (uint32_t)cells->placed,
                     .cells = cells->ends != NULL ? 0 : (uint32_t)cells->cell_count,
                     .room = d->room,
                     .stride = (uint32_t)sph_device_stride(step)};
    for (int c = 0; c < 3; ++c) {
        law.anchor[c] = cells->anchor[c], law.inverse[c] = cells->inverse[c];
        law.low[c] = cells->low[c], law.last[c] = (mote_real)(cells->side[c] - 1);
        law.period[c] = cells->space.period[c], law.side[c] = cells->side[c];
    }
    return law;
}

static void put_cells(SphDevice *d, const SphStep *step)
{
    const Cells *cells = &step->cells;
    const size_t plane = sph_device_stride(step) * sizeof(mote_real);
    const size_t window = (size_t)cells->side[0] * cells->side[1] * cells->side[2];
    for (size_t c = 0; c < 3; ++c)
        put(d, BUFFER_X, c * plane, cells->x[c], cells->points * sizeof(mote_real));
    if (cells->ends != NULL) {
        put(d, BUFFER_BOUNDS, 0, cells->ends, window * sizeof(uint32_t));
    } else {
        put(d, BUFFER_BOUNDS, 0, cells->first, (cells->cell_count + 1) * sizeof(uint32_t));
        put(d, BUFFER_KEYS, 0, cells->keys, cells->cell_count * sizeof(uint64_t));
    }
}

/* Pairs, and the longest list. Counts are whole numbers: parts may be added in any order. */
static uint32_t search(SphDevice *d, SphStep *step)
{
    const SearchLaw law = search_law(d, step);
    uint64_t notes[DEVICE_NOTES][2] = {{0}}, most = 0;
    const DeviceBuffer *b = d->buffers;
    device_reserve(d->device, &d->buffers[BUFFER_LISTS],
                   sph_device_stride(step) * d->room * sizeof(uint32_t));
    device_launch(d->device, d->pack, step->rows, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(DEVICE_MEMORY(b[BUFFER_X]), DEVICE_VALUE(law.points),
                                   DEVICE_VALUE(law.stride), DEVICE_VALUE(law.flat),
                                   DEVICE_MEMORY(b[BUFFER_PLACES])));
    device_launch(d->device, d->search, step->rows, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(law), DEVICE_MEMORY(b[BUFFER_PLACES]),
                                   DEVICE_MEMORY(b[BUFFER_BOUNDS]), DEVICE_MEMORY(b[BUFFER_KEYS]),
                                   DEVICE_MEMORY(b[BUFFER_COUNTS]), DEVICE_MEMORY(b[BUFFER_LISTS]),
                                   DEVICE_MEMORY(b[BUFFER_SUMS])));
    device_launch(d->device, d->tally, DEVICE_NOTES, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(DEVICE_MEMORY(b[BUFFER_COUNTS]), DEVICE_VALUE(law.points),
                                   DEVICE_MEMORY(b[BUFFER_NOTES])));
    get(d, BUFFER_NOTES, 0, notes, sizeof notes);
    step->pairs = 0;
    for (int k = 0; k < DEVICE_NOTES; ++k) {
        step->pairs += notes[k][0];
        if (notes[k][1] > most) most = notes[k][1];
    }
    return (uint32_t)most;
}

mote_Status sph_leave_device(SphStep *step, mote_Error *error)
{
    device_give_up(step->state->device->device);
    step->backend = &sph_host_backend;
    return step->backend->find(step, error);
}

/* What it cannot do from the start on is an error, unless any device would have done; what it
 * cannot do any more is left to the processor. */
static mote_Status find_trouble(SphStep *step, mote_Status status, mote_Error *error)
{
    mote_Device *device = step->state->device->device;
    if (device_is_optional(device)) return sph_leave_device(step, error);
    if (status != MOTE_OK) return status;
    return device_is_too_small(device) ? device_check(device, sph_name(step), error)
                                       : sph_leave_device(step, error);
}

static mote_Status find(SphStep *step, mote_Error *error)
{
    mote_Status status = sph_open_device(step, error);
    SphDevice *d = step->state->device;
    mote_real *sums = sph_plane(step);
    if (d == NULL || sums == NULL || status == MOTE_NO_MEMORY) return sph_no_memory(step, error);
    if (status != MOTE_OK) return find_trouble(step, status, error);
    put_cells(d, step);
    for (uint32_t most; (most = search(d, step)) > d->room;)
        d->room = (most + SPARE_ROOM + 7) / 8 * 8;
    get(d, BUFFER_SUMS, 0, sums, step->rows * sizeof *sums);
    step->sums = sums;
    if (!device_is_well(d->device)) return find_trouble(step, MOTE_OK, error);
    return sph_verify_find(step, error);
}

/* ---- forces ---- */

static void put_forces(SphDevice *d, const SphStep *step, const ForceInput *input)
{
    const size_t plane = sph_device_stride(step) * sizeof(mote_real),
                 bytes = step->rows * sizeof(mote_real);
    put(d, BUFFER_PACKETS, 0, input->packets, step->rows * sizeof(Packet));
    if (input->traits != NULL) put(d, BUFFER_TRAITS, 0, input->traits, step->rows * sizeof(Trait));
    for (size_t c = 0; c < 3; ++c) put(d, BUFFER_A, c * plane, input->a[c], bytes);
}

static void launch_forces(SphDevice *d, const SphStep *step, const ForceInput *input,
                          const ForceProgram *program)
{
    const uint32_t points = (uint32_t)step->rows, stride = (uint32_t)sph_device_stride(step);
    const DeviceBuffer *b = d->buffers;
    device_launch(d->device, program->forces, points, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(input->law), DEVICE_VALUE(points),
                                   DEVICE_VALUE(d->room), DEVICE_VALUE(stride),
                                   DEVICE_MEMORY(b[BUFFER_PACKETS]),
                                   DEVICE_MEMORY(b[BUFFER_TRAITS]), DEVICE_MEMORY(b[BUFFER_COUNTS]),
                                   DEVICE_MEMORY(b[BUFFER_LISTS]), DEVICE_MEMORY(b[BUFFER_A]),
                                   DEVICE_MEMORY(b[BUFFER_RATE]), DEVICE_MEMORY(b[BUFFER_EXCESS]),
                                   DEVICE_MEMORY(b[BUFFER_SQUARES])));
    device_launch(d->device, program->largest, DEVICE_NOTES, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(DEVICE_MEMORY(b[BUFFER_SQUARES]), DEVICE_VALUE(points),
                                   DEVICE_MEMORY(b[BUFFER_NOTES])));
}

/* Accelerations are added to, so they are put in their place when all of them are there. */
static void get_forces(SphDevice *d, const SphStep *step, const ForceInput *input)
{
    const size_t plane = sph_device_stride(step) * sizeof(mote_real), rows = step->rows;
    const size_t bytes = rows * sizeof(mote_real);
    mote_real notes[DEVICE_NOTES] = {0};
    get(d, BUFFER_NOTES, 0, notes, sizeof notes);
    for (size_t c = 0; c < 3; ++c) {
        get(d, BUFFER_A, c * plane, d->fetched + c * rows, bytes);
        if (input->law.xsph > 0) get(d, BUFFER_EXCESS, c * plane, input->excess[c], bytes);
    }
    if (input->rate != NULL) get(d, BUFFER_RATE, 0, input->rate, bytes);
    if (!device_is_well(d->device)) return;
    for (size_t c = 0; c < 3; ++c) memcpy(input->a[c], d->fetched + c * rows, bytes);
    for (int k = 0; k < DEVICE_NOTES && input->largest != NULL; ++k)
        if (notes[k] > input->largest[0]) input->largest[0] = notes[k];
}

/* Not done: it is left to the processor. */
static mote_Status try_forces(SphStep *step, const ForceInput *input, bool *done, mote_Error *error)
{
    SphDevice *d = step->state->device;
    const Terms terms = force_terms(input);
    const ForceProgram *program = sph_force_program(d, &terms, error);
    *done = false;
    if (program == NULL && !device_is_optional(d->device)) return MOTE_UNAVAILABLE;
    if (program == NULL) return MOTE_OK;
    put_forces(d, step, input);
    launch_forces(d, step, input, program);
    get_forces(d, step, input);
    *done = device_is_well(d->device);
    return MOTE_OK;
}

static mote_Status forces(SphStep *step, const ForceInput *input, mote_Error *error)
{
    ForceCheck check;
    const ArenaMark mark = arena_mark(step->outer->arena);
    mote_Status status = sph_begin_check(step, input, &check, error);
    bool done;
    if (status == MOTE_OK) status = try_forces(step, input, &done, error);
    if (status != MOTE_OK) return status;
    if (done) status = sph_end_check(step, input, &check, error);
    arena_rewind(step->outer->arena, mark);
    if (!done) status = sph_leave_device(step, error);
    return done || status != MOTE_OK ? status : step->backend->forces(step, input, error);
}

/* ---- shifting ---- */

static mote_Status crowd(SphStep *step, const ShiftInput *input, bool *done, mote_Error *error)
{
    SphDevice *d = step->state->device;
    const uint32_t points = (uint32_t)step->rows, stride = (uint32_t)sph_device_stride(step);
    const size_t plane = stride * sizeof(mote_real), bytes = step->rows * sizeof(mote_real);
    const DeviceBuffer *b = d->buffers;
    put(d, BUFFER_PACKETS, 0, input->packets, step->rows * sizeof *input->packets);
    device_launch(d->device, d->crowd, points, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(input->law), DEVICE_VALUE(points),
                                   DEVICE_VALUE(d->room), DEVICE_VALUE(stride),
                                   DEVICE_MEMORY(b[BUFFER_PACKETS]),
                                   DEVICE_MEMORY(b[BUFFER_COUNTS]), DEVICE_MEMORY(b[BUFFER_LISTS]),
                                   DEVICE_MEMORY(b[BUFFER_A]), DEVICE_MEMORY(b[BUFFER_EXCESS])));
    for (size_t c = 0; c < 3; ++c) {
        get(d, BUFFER_A, c * plane, input->crowd[c], bytes);
        get(d, BUFFER_EXCESS, c * plane, input->outward[c], bytes);
    }
    *done = device_is_well(d->device);
    return *done ? sph_verify_crowd(step, input, error) : sph_leave_device(step, error);
}

static const SphBackend backend = {.name = "device",
                                   .find = find,
                                   .forces = forces,
                                   .crowd = crowd,
                                   .flow = sph_device_flow,
                                   .operators = &sph_device_operators,
                                   .solve = sph_device_solve};

const SphBackend *sph_device_backend(const SolverStep *outer)
{
    const mote_Device *device = mote_tasks_device(outer->tasks);
    if (device == NULL || !device_is_well(device) || ranks_are_many(outer->shop->ranks))
        return NULL;
    return sph_off_device(outer->solver) == NULL ? &backend : NULL;
}
