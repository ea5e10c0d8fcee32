/* Rows that stay on a device: who may stay, going there and coming home. */
#include "solvers/sph/stay.h"

#include "base/status.h"
#include "solvers/points/slot.h"
#include "solvers/sph/boundary.h"
#include "tasks/copy.h"

#include "device_stay.inc"

/* ---- opening and closing ---- */

static const char *const kernel_names[STAY_KERNELS] = {
    [KERNEL_COUNT] = "stay_count",   [KERNEL_SCAN] = "stay_scan",
    [KERNEL_TOPS] = "stay_tops",     [KERNEL_DEAL] = "stay_deal",
    [KERNEL_PLACE] = "stay_place",   [KERNEL_REORDER] = "stay_reorder",
    [KERNEL_NEAR] = "stay_near",     [KERNEL_EDGES] = "stay_edges",
    [KERNEL_NOTE] = "stay_note",     [KERNEL_WRAP] = "stay_wrap",
    [KERNEL_KICK] = "flow_kick",     [KERNEL_UNLIFT] = "flow_unlift",
    [KERNEL_SOURCE] = "flow_source", [KERNEL_PUSH] = "flow_push",
    [KERNEL_FINISH] = "flow_finish", [KERNEL_TELL] = "flow_tell",
    [KERNEL_LOWER] = "flow_lower",   [KERNEL_THIN] = "flow_thin",
    [KERNEL_LOADS] = "flow_loads",   [KERNEL_FOLLOW] = "flow_follow"};

void sph_free_stay(SphDevice *d, Memory *memory)
{
    SphStay *stay = d->stay;
    if (stay == NULL) return;
    for (int k = 0; k < STAY_KERNELS; ++k) device_free_kernel(stay->kernels[k]);
    device_free_program(stay->program);
    sph_free_forces(&stay->drive);
    for (int b = 0; b < STAY_BUFFERS; ++b) device_release(d->device, &stay->buffers[b]);
    if (stay->spare.memory != NULL) arena_free(&stay->spare);
    memory_free(memory, stay->shapes, stay->shape_capacity * sizeof *stay->shapes);
    memory_free(memory, stay->sent_shapes, stay->sent_shape_room * sizeof *stay->sent_shapes);
    memory_free(memory, stay->sent_planes, stay->sent_plane_room * sizeof *stay->sent_planes);
    memory_free(memory, stay, sizeof *stay);
    d->stay = NULL;
}

static bool build(SphDevice *d, mote_Error *error)
{
    SphStay *stay = d->stay;
    char options[DEVICE_OPTIONS];
    if (stay->program != NULL) return true;
    sph_device_options(d->device, options);
    stay->program = device_build(d->device, files, sizeof files / sizeof *files, options, error);
    if (stay->program == NULL) return false;
    for (int k = 0; k < STAY_KERNELS; ++k)
        stay->kernels[k] = device_kernel(stay->program, kernel_names[k]);
    return true;
}

/* ---- going there ---- */

static void put_planes(SphDevice *d, StayBuffer to, const mote_Column *column, size_t rows)
{
    const size_t plane = d->stay->plane * sizeof(mote_real);
    for (int c = 0; c < 3; ++c)
        device_put(d->device, &d->stay->buffers[to], (size_t)c * plane, column_real(column, c),
                   rows * sizeof(mote_real));
}

static void reserve_rows(SphDevice *d, size_t rows)
{
    SphStay *stay = d->stay;
    const size_t places = (rows + STAY_GROUP - 1) / STAY_GROUP * STAY_GROUP;
    const size_t plane = places * sizeof(mote_real);
    stay->rows = rows, stay->plane = places;
    for (int b = STAY_X; b <= STAY_V_END; ++b)
        device_reserve(d->device, &stay->buffers[b], 3 * plane);
    device_reserve(d->device, &stay->buffers[STAY_IDS], places * sizeof(uint64_t));
    device_reserve(d->device, &stay->buffers[STAY_DENSITY_ROWS], plane);
    device_reserve(d->device, &stay->buffers[STAY_PRESSURE_ROWS], plane);
    device_reserve(d->device, &stay->buffers[STAY_LIFT_ROWS], stay->flows ? plane : 1);
}

static mote_real *row_plane(const SphMember *member, SphColumn column)
{
    return column_real(&member->system->columns[member->column[column]], 0);
}

/* What pressures start from. */
static void put_pressures(SphDevice *d, const SphMember *member, size_t rows)
{
    const DeviceBuffer *b = d->stay->buffers;
    if (!d->stay->flows) return;
    device_put(d->device, &b[STAY_PRESSURE_ROWS], 0, row_plane(member, SPH_PRESSURE),
               rows * sizeof(mote_real));
    device_put(d->device, &b[STAY_LIFT_ROWS], 0, row_plane(member, SPH_OWN),
               rows * sizeof(mote_real));
}

/* Columns of the processor that come home, by plane; the last one of incompressible liquids alone.
 */
static void home_planes(const SphStay *stay, const SphMember *member,
                        mote_real *planes[STAY_ROW_PLANES])
{
    const mote_Column *columns = member->system->columns;
    for (int c = 0; c < 3; ++c) {
        planes[c] = column_real(&columns[COLUMN_POSITION], c);
        planes[3 + c] = column_real(&columns[COLUMN_VELOCITY], c);
    }
    planes[6] = row_plane(member, SPH_DENSITY), planes[7] = row_plane(member, SPH_PRESSURE);
    planes[8] = stay->flows ? row_plane(member, SPH_OWN) : NULL;
}

/* Whether nobody has changed what came home, so that the device has it. */
static bool has_rows(const SphStep *step)
{
    const SphStay *stay = step->state->device->stay;
    const SphMember *member = &step->state->members[0];
    const mote_real *pinned = stay->buffers[STAY_PINNED].pinned;
    mote_real *planes[STAY_ROW_PLANES];
    bool same = stay->known && stay->rows == step->rows && stay->layout == member->system->layout;
    home_planes(stay, member, planes);
    for (int k = 0; k < STAY_ROW_PLANES && same; ++k)
        if (k < 6 || (stay->flows && k > 6))
            same = tasks_same(step->outer->tasks, planes[k], pinned + (size_t)k * stay->plane,
                              step->rows * sizeof(mote_real));
    return same;
}

static mote_Status send_rows(SphStep *step, mote_Error *error)
{
    SphDevice *d = step->state->device;
    const mote_System *system = step->state->members[0].system;
    const CellPoints points = cell_points_of(system);
    if (d->stay->there) return MOTE_OK;
    d->stay->there = has_rows(step);
    d->stay->known = false;
    if (d->stay->there) return MOTE_OK;
    d->stay->placed = PLACED_NONE;
    if (!build(d, error)) return sph_cannot_build(d);
    if (!cells_box(&points, step->outer->arena, step->outer->tasks, d->stay->note.low,
                   d->stay->note.high))
        return sph_no_memory(step, error);
    d->stay->flows = step->state->pressure->flow != NULL;
    reserve_rows(d, step->rows);
    put_pressures(d, &step->state->members[0], step->rows);
    put_planes(d, STAY_X, &system->columns[COLUMN_POSITION], step->rows);
    put_planes(d, STAY_V, &system->columns[COLUMN_VELOCITY], step->rows);
    device_put(d->device, &d->stay->buffers[STAY_IDS], 0, points.ids,
               step->rows * sizeof(uint64_t));
    if (!device_is_well(d->device)) return device_check(d->device, sph_name(step), error);
    if (d->stay->spare.memory == NULL) d->stay->spare = arena_make(step->outer->memory);
    d->stay->tasks = step->outer->tasks;
    d->stay->there = true, d->stay->sorted = false;
    return MOTE_OK;
}

/* ---- coming home ---- */

static void get_plane(const SphStay *stay, mote_Device *device, StayBuffer from, int c,
                      mote_real *to)
{
    device_fetch(device, &stay->buffers[from], (size_t)c * stay->plane * sizeof(mote_real), to,
                 stay->rows * sizeof(mote_real));
}

void sph_fetch_start(const SphStay *stay, mote_Device *device, mote_real *const planes[6])
{
    for (int c = 0; c < 3; ++c) {
        get_plane(stay, device, STAY_X_END, c, planes[c]);
        get_plane(stay, device, STAY_V_END, c, planes[3 + c]);
    }
    device_wait(device);
}

void sph_fetch_rows(const SphStay *stay, mote_Device *device,
                    mote_real *const planes[STAY_ROW_PLANES])
{
    for (int c = 0; c < 3; ++c) {
        get_plane(stay, device, STAY_X, c, planes[c]);
        get_plane(stay, device, STAY_V, c, planes[3 + c]);
    }
    get_plane(stay, device, STAY_DENSITY_ROWS, 0, planes[6]);
    get_plane(stay, device, STAY_PRESSURE_ROWS, 0, planes[7]);
    if (stay->flows) get_plane(stay, device, STAY_LIFT_ROWS, 0, planes[8]);
    device_wait(device);
}

/* By way of memory that transfers are fast to, where there is some. */
static void fetch_home(SphStay *stay, mote_Device *device, mote_real *const planes[STAY_ROW_PLANES])
{
    const size_t all = STAY_ROW_PLANES * stay->plane * sizeof(mote_real);
    mote_real *pinned = device_pin(device, &stay->buffers[STAY_PINNED], all);
    mote_real *by[STAY_ROW_PLANES];
    for (int k = 0; k < STAY_ROW_PLANES; ++k)
        by[k] = pinned != NULL ? pinned + (size_t)k * stay->plane : planes[k];
    sph_fetch_rows(stay, device, by);
    for (int k = 0; k < STAY_ROW_PLANES && pinned != NULL && device_is_well(device); ++k)
        if (planes[k] != NULL)
            tasks_copy(stay->tasks, planes[k], by[k], stay->rows * sizeof(mote_real));
    stay->known = pinned != NULL;
}

mote_Status sph_come_home(Solver *solver, mote_Error *error)
{
    SphState *state = solver->state;
    SphDevice *d = state->device;
    if (d == NULL || !d->stay->there) return MOTE_OK;
    const SphMember *member = &state->members[0];
    mote_real *planes[STAY_ROW_PLANES];
    home_planes(d->stay, member, planes);
    if (d->stay->away && !sph_stay_reorder_home(d->stay, d->device, member))
        return status_no_memory(error, solver->object.name, d->stay->rows * sizeof(uint64_t));
    if (d->stay->away) fetch_home(d->stay, d->device, planes);
    if (d->stay->away && !device_is_well(d->device))
        return device_check(d->device, solver->object.name, error);
    d->stay->layout = member->system->layout;
    d->stay->there = d->stay->away = solver->away = false;
    return MOTE_OK;
}

void sph_forget_rows(SphState *state)
{
    SphStay *stay = state->device != NULL ? state->device->stay : NULL;
    if (stay != NULL) stay->there = stay->away = stay->known = false;
}

bool sph_noted(const SphState *state, SphNoted *noted)
{
    if (state->device == NULL || !state->device->stay->away) return false;
    const StayNote *note = &state->device->stay->note;
    *noted = (SphNoted){note->square, note->least, note->most};
    return true;
}

/* ---- who may stay ---- */

/* What is asked of the liquid itself. */
static bool liquid_may(const SphStep *step)
{
    const SphState *state = step->state;
    const PressureRow *pressure = state->pressure;
    return pressure->stays != NULL && pressure->stays(state) && state->member_count == 1 &&
           !step->params->wall_forces && !(step->params->shifting > 0) &&
           state->boundary->by_forms && !sph_friction_is_implicit(step);
}

/* And of what is around it. */
static bool world_lets(const SolverStep *outer)
{
    const SystemSlot *slot = outer->slots[0];
    mote_Vec3 uniform;
    return outer->stays && outer->shop->collider_count <= STAY_COLLIDERS && slot->check == 0 &&
           slot->first_new == slot->system->count && slot->link_count == 0 &&
           points_uniform(&slot->points, &uniform);
}

/* Cells of the rows that the note tells of. */
bool sph_stay_cells(SphStep *step)
{
    const StayNote *note = &step->state->device->stay->note;
    const CellSpace space = sph_space(step->outer);
    const mote_real most = 1 << 22; /* cells that integers and floats have numbers for */
    bool near =
        cells_window(&step->cells, &space, step->kernel.support, note->low, note->high, step->rows);
    for (int c = 0; c < 3; ++c) near = near && REAL_ABS(step->cells.low[c]) < most;
    if (near) sph_stay_choose_window(step->state->device->stay, &step->cells);
    return near;
}

mote_Status sph_go_there(SphStep *step, bool *there, mote_Error *error)
{
    *there = false;
    if (step->backend == &sph_host_backend || step->rows == 0 || !liquid_may(step) ||
        !world_lets(step->outer))
        return MOTE_OK;
    mote_Status status = sph_open_places(step, error);
    SphDevice *d = step->state->device;
    if (status == MOTE_UNAVAILABLE) return MOTE_OK; /* the other way says so, too */
    if (status != MOTE_OK || d == NULL) return status;
    if (!sph_stay_shapes(step, d->stay)) return MOTE_OK;
    status = send_rows(step, error);
    if (status == MOTE_OK) *there = sph_stay_cells(step);
    return status;
}
