/* What a liquid has on a device: programs, and memory by place. */
#include "solvers/sph/stay.h"

#include "base/status.h"
#include "solvers/points/slot.h"

#include <stdio.h>
#include <string.h>

#include "device_sph.inc"

enum {
    FIRST_ROOM = 40,       /* entries of a list */
    SEARCH_REGISTERS = 64, /* of a work-item: it would take 78, and three quarters as many at once
                              are slower */
    PAIR_REGISTERS = 80,   /* of one that goes over pairs: so many, and it asks for more at once */
    PLACES_SPARE = 8       /* places that a search reads beyond the last */
};

/* ---- programs ---- */

/* Numbers that the library has, and as many lanes at once as suit the device. */
void sph_device_options(const mote_Device *device, char options[DEVICE_OPTIONS])
{
    snprintf(options, DEVICE_OPTIONS, "%s %s", sizeof(mote_real) == 8 ? "-D MOTE_DOUBLE" : "",
             mote_device_info(device)->gpu ? "" : "-D MOTE_WIDE");
}

/* Of programs that go over pairs, for single numbers. */
static void limit_registers(const mote_Device *device, char options[DEVICE_OPTIONS])
{
    if (sizeof(mote_real) == sizeof(float))
        device_limit_registers(device, PAIR_REGISTERS, options, DEVICE_OPTIONS);
}

static mote_Status build_search(SphDevice *d, const Smoothing *kernel, mote_Error *error)
{
    char options[DEVICE_OPTIONS];
    sph_device_options(d->device, options);
    const size_t length = strlen(options);
    snprintf(options + length, DEVICE_OPTIONS - length, " -D SHAPE_KIND=%d", (int)kernel->kind);
    device_limit_registers(d->device, SEARCH_REGISTERS, options, DEVICE_OPTIONS);
    d->program = device_build(d->device, files, sizeof files / sizeof *files, options, error);
    if (d->program == NULL) return MOTE_UNAVAILABLE;
    d->search = device_kernel(d->program, "search");
    d->pack = device_kernel(d->program, "search_pack");
    d->tally = device_kernel(d->program, "tally");
    d->crowd = device_kernel(d->program, "shift_crowd");
    return device_check(d->device, "liquid", error);
}

static void free_flow(FlowProgram *flow)
{
    device_free_kernel(flow->pack);
    device_free_kernel(flow->prepare);
    device_free_kernel(flow->accelerate);
    device_free_kernel(flow->close);
    device_free_program(flow->program);
    *flow = (FlowProgram){.program = NULL};
}

bool sph_flow_program(SphDevice *d, const FlowTerms *terms, mote_Error *error)
{
    char options[DEVICE_OPTIONS];
    FlowProgram *flow = &d->flow;
    if (flow->program != NULL && flow->terms.kind == terms->kind &&
        flow->terms.periodic == terms->periodic && flow->terms.mixed == terms->mixed)
        return true;
    free_flow(flow);
    flow->terms = *terms;
    sph_device_options(d->device, options);
    const size_t length = strlen(options);
    snprintf(options + length, DEVICE_OPTIONS - length,
             " -D FLOW_KIND=%d -D FLOW_PERIODIC=%d -D FLOW_MIXED=%d", (int)terms->kind,
             terms->periodic, terms->mixed);
    limit_registers(d->device, options);
    flow->program = device_build(d->device, files, sizeof files / sizeof *files, options, error);
    if (flow->program == NULL) return false;
    flow->pack = device_kernel(flow->program, "flow_pack");
    flow->prepare = device_kernel(flow->program, "flow_prepare");
    flow->accelerate = device_kernel(flow->program, "flow_accelerate");
    flow->close = device_kernel(flow->program, "flow_close");
    return true;
}

/* Terms are constants of a program, as they are of a loop on the processor (kernels/forces.c): what
 * is not asked for is not compiled. */
void sph_force_options(const mote_Device *device, const Terms *t, char options[DEVICE_OPTIONS])
{
    sph_device_options(device, options);
    const size_t length = strlen(options);
    snprintf(options + length, DEVICE_OPTIONS - length,
             " -D TERM_KIND=%d -D TERM_VALUE=%d -D TERM_PERIODIC=%d -D TERM_LAMINAR=%d -D "
             "TERM_CENTRAL=%d -D TERM_SHOCK=%d -D TERM_CLASH=%d -D TERM_PARTING=%d -D "
             "TERM_RATE=%d -D TERM_XSPH=%d -D TERM_MIXED=%d",
             (int)t->kind, (int)t->value, t->periodic, t->laminar, t->central, t->shock, t->clash,
             t->parting, t->rate, t->xsph, t->mixed);
    limit_registers(device, options);
}

bool sph_same_terms(const Terms *a, const Terms *b)
{
    return a->kind == b->kind && a->value == b->value && a->periodic == b->periodic &&
           a->laminar == b->laminar && a->central == b->central && a->shock == b->shock &&
           a->clash == b->clash && a->parting == b->parting && a->rate == b->rate &&
           a->xsph == b->xsph && a->mixed == b->mixed;
}

void sph_free_forces(ForceProgram *forces)
{
    device_free_kernel(forces->forces);
    device_free_kernel(forces->largest);
    device_free_program(forces->program);
    *forces = (ForceProgram){.program = NULL};
}

/* With these terms; the oldest makes room. NULL: it cannot be built. */
const ForceProgram *sph_force_program(SphDevice *d, const Terms *terms, mote_Error *error)
{
    char options[DEVICE_OPTIONS];
    for (size_t i = 0; i < d->force_count; ++i)
        if (sph_same_terms(&d->forces[i].terms, terms)) return &d->forces[i];
    if (d->force_count == DEVICE_TERMS) {
        sph_free_forces(&d->forces[0]);
        memmove(d->forces, d->forces + 1, (DEVICE_TERMS - 1) * sizeof *d->forces);
        --d->force_count;
    }
    ForceProgram *made = &d->forces[d->force_count];
    *made = (ForceProgram){.terms = *terms};
    sph_force_options(d->device, terms, options);
    made->program = device_build(d->device, files, sizeof files / sizeof *files, options, error);
    if (made->program == NULL) return NULL;
    ++d->force_count;
    made->forces = device_kernel(made->program, "forces");
    made->largest = device_kernel(made->program, "largest");
    return made;
}

mote_Status sph_cannot_build(SphDevice *d)
{
    if (device_is_optional(d->device)) device_give_up(d->device);
    return MOTE_UNAVAILABLE;
}

/* ---- memory ---- */

static void reserve(SphDevice *d, SphBuffer buffer, size_t bytes)
{
    device_reserve(d->device, &d->buffers[buffer], bytes);
}

/* What goes by place. */
static void reserve_places(SphDevice *d, const SphStep *step)
{
    const size_t places = sph_device_stride(step), plane = places * sizeof(mote_real);
    reserve(d, BUFFER_PLACES, 4 * (plane + PLACES_SPARE * sizeof(mote_real)));
    reserve(d, BUFFER_KEYS, sizeof(uint64_t));
    reserve(d, BUFFER_COUNTS, places * sizeof(uint32_t));
    reserve(d, BUFFER_SUMS, plane);
    reserve(d, BUFFER_NOTES, (size_t)DEVICE_NOTES * 2 * sizeof(uint64_t));
    reserve(d, BUFFER_PACKETS, places * sizeof(Packet));
    reserve(d, BUFFER_TRAITS, (step->state->member_count > 1 ? places : 1) * sizeof(Trait));
}

void sph_reserve_pairs(SphDevice *d, const SphStep *step)
{
    const size_t plane = sph_device_stride(step) * sizeof(mote_real);
    reserve(d, BUFFER_A, 3 * plane);
    reserve(d, BUFFER_RATE, plane);
    reserve(d, BUFFER_EXCESS, 3 * plane);
    reserve(d, BUFFER_SQUARES, plane);
}

/* And by cell. */
static void reserve_cells(SphDevice *d, const Cells *cells)
{
    const size_t window = (size_t)cells->side[0] * cells->side[1] * cells->side[2];
    const size_t bounds = cells->ends != NULL ? window : cells->cell_count + 1;
    reserve(d, BUFFER_BOUNDS, bounds * sizeof(uint32_t));
    if (cells->ends == NULL) reserve(d, BUFFER_KEYS, cells->cell_count * sizeof(uint64_t));
}

void sph_reserve_flow(SphDevice *d, const SphStep *step)
{
    const size_t places = sph_device_stride(step), plane = places * sizeof(mote_real);
    reserve(d, BUFFER_Q, plane);
    reserve(d, BUFFER_FLOW, places * sizeof(FlowPacket));
    reserve(d, BUFFER_WALL, 3 * plane);
    reserve(d, BUFFER_SLOPES, d->room * plane);
    reserve(d, BUFFER_UNEVEN, 3 * plane);
    reserve(d, BUFFER_STIFFNESS, plane);
    reserve(d, BUFFER_MOVES, places * sizeof(MovePacket));
    for (int b = BUFFER_CLOSING; b <= BUFFER_ANSWER; ++b) reserve(d, (SphBuffer)b, plane);
    reserve(d, BUFFER_CONTROL, sizeof(FlowControl));
    reserve(d, BUFFER_FLOW_NOTE, (FLOW_WORDS + 1) * sizeof(int64_t));
}

/* ---- opening and closing ---- */

void sph_close_device(SphState *state, Memory *memory)
{
    SphDevice *d = state->device;
    if (d == NULL) return;
    for (size_t i = 0; i < d->force_count; ++i) sph_free_forces(&d->forces[i]);
    free_flow(&d->flow);
    sph_free_solve(d);
    sph_free_stay(d, memory);
    device_free_kernel(d->search);
    device_free_kernel(d->pack);
    device_free_kernel(d->tally);
    device_free_kernel(d->crowd);
    device_free_program(d->program);
    for (int b = 0; b < BUFFERS; ++b) device_release(d->device, &d->buffers[b]);
    memory_free(memory, d->fetched, d->fetched_room * sizeof *d->fetched);
    memory_free(memory, d, sizeof *d);
    state->device = NULL;
}

static mote_Status make_device(SphStep *step, mote_Device *device, mote_Error *error)
{
    SphState *state = step->state;
    sph_close_device(state, step->outer->memory);
    state->device = memory_zeroed(step->outer->memory, sizeof *state->device);
    if (state->device == NULL) return sph_no_memory(step, error);
    state->device->device = device;
    state->device->room = FIRST_ROOM;
    state->device->stay = memory_zeroed(step->outer->memory, sizeof(SphStay));
    if (state->device->stay == NULL) return sph_no_memory(step, error);
    return build_search(state->device, &state->kernel, error);
}

mote_Status sph_open_places(SphStep *step, mote_Error *error)
{
    mote_Device *device = mote_tasks_device(step->outer->tasks);
    const SphDevice *d = step->state->device;
    const bool open = d != NULL && d->device == device && d->tally != NULL;
    mote_Status status = open ? MOTE_OK : make_device(step, device, error);
    if (status == MOTE_OK) reserve_places(step->state->device, step);
    return status;
}

mote_Status sph_open_device(SphStep *step, mote_Error *error)
{
    mote_Status status = sph_open_places(step, error);
    SphDevice *d = step->state->device;
    if (status != MOTE_OK) return status;
    if (!memory_reserve(step->outer->memory, (void **)&d->fetched, &d->fetched_room, 3 * step->rows,
                        sizeof *d->fetched))
        return sph_no_memory(step, error);
    reserve(d, BUFFER_X, 3 * sph_device_stride(step) * sizeof(mote_real));
    sph_reserve_pairs(d, step);
    reserve_cells(d, &step->cells);
    return MOTE_OK;
}
