/* The operators of incompressible liquids on a device (device/operators.cl).
 *
 * Pressures and what they leave of compression travel, a number a place each; positions, slopes and
 * accelerations stay there until the solve is done. What is judged and mended place by place is the
 * processor's. */
#include "solvers/sph/device.h"

#include "solvers/sph/flow.h"

/* ---- what loops do of operators whose pairs were gone over before ---- */

static void finish_prepare(const FlowInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) in->soft[i] = flow_soft(in, i);
}

static void finish_accelerate(const FlowInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) in->push[i] = in->flow[i].q;
}

static void finish_rate(const FlowInput *in, size_t begin, size_t end)
{
    (void)in, (void)begin, (void)end;
}

static void finish_compress(const FlowInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) in->excess[i] = flow_excess(in, i, in->excess[i]);
}

const FlowOperators sph_device_operators = {.prepare = finish_prepare,
                                            .accelerate = finish_accelerate,
                                            .rate = finish_rate,
                                            .compress = finish_compress};

/* ---- what the device does of them ---- */

static void put_plane(SphDevice *d, SphBuffer buffer, size_t plane, const mote_real *from,
                      const SphStep *step)
{
    const size_t offset = plane * sph_device_stride(step) * sizeof *from;
    device_put(d->device, &d->buffers[buffer], offset, from, step->rows * sizeof *from);
}

static void get_plane(SphDevice *d, SphBuffer buffer, mote_real *to, const SphStep *step)
{
    device_get(d->device, &d->buffers[buffer], 0, to, step->rows * sizeof *to);
}

static void pack(SphDevice *d, const Flow *f)
{
    const SphStep *step = f->step;
    const DeviceBuffer *b = d->buffers;
    const uint32_t points = (uint32_t)step->rows, stride = (uint32_t)sph_device_stride(step);
    const uint32_t flat = step->flat;
    for (size_t i = 0; i < step->rows; ++i) d->fetched[i] = f->in.flow[i].q;
    put_plane(d, BUFFER_Q, 0, d->fetched, step);
    device_launch(d->device, d->flow.pack, points, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(DEVICE_MEMORY(b[BUFFER_X]), DEVICE_MEMORY(b[BUFFER_Q]),
                                   DEVICE_VALUE(points), DEVICE_VALUE(stride), DEVICE_VALUE(flat),
                                   DEVICE_MEMORY(b[BUFFER_FLOW])));
}

/* What all loops over pairs have alike. */
typedef struct PairLaunch {
    FlowLaw law;
    uint32_t points, stride;
} PairLaunch;

static PairLaunch launch_of(const Flow *f)
{
    return (PairLaunch){flow_law(&f->in), (uint32_t)f->step->rows,
                        (uint32_t)sph_device_stride(f->step)};
}

/* The arguments that they begin with, up to what walls do; `with`: a buffer beside the flow. */
#define PAIR_ARGUMENTS(l, with)                                                                    \
    DEVICE_VALUE((l).law), DEVICE_VALUE((l).points), DEVICE_VALUE(d->room),                        \
        DEVICE_VALUE((l).stride), DEVICE_MEMORY(b[BUFFER_FLOW]), DEVICE_MEMORY(b[with]),           \
        DEVICE_MEMORY(b[BUFFER_COUNTS]), DEVICE_MEMORY(b[BUFFER_LISTS]),                           \
        DEVICE_MEMORY(b[BUFFER_WALL])

void sph_device_prepare(SphDevice *d, const Flow *f)
{
    d->solve.which = 0;
    const DeviceBuffer *b = d->buffers;
    const PairLaunch l = launch_of(f);
    device_launch(d->device, d->flow.prepare, l.points, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(PAIR_ARGUMENTS(l, BUFFER_TRAITS), DEVICE_VALUE(f->in.dt2),
                                   DEVICE_MEMORY(b[BUFFER_SLOPES]), DEVICE_MEMORY(b[BUFFER_UNEVEN]),
                                   DEVICE_MEMORY(b[BUFFER_STIFFNESS]),
                                   DEVICE_MEMORY(b[BUFFER_SOFT])));
}

static void prepare(SphDevice *d, Flow *f)
{
    const SphStep *step = f->step;
    sph_reserve_flow(d, step);
    for (size_t c = 0; c < 3; ++c) put_plane(d, BUFFER_WALL, c, f->in.wall[c], step);
    if (f->in.traits != NULL)
        device_put(d->device, &d->buffers[BUFFER_TRAITS], 0, f->in.traits,
                   step->rows * sizeof(Trait));
    pack(d, f);
    sph_device_prepare(d, f);
    get_plane(d, BUFFER_STIFFNESS, f->in.stiffness, step);
}

void sph_device_accelerate(SphDevice *d, const Flow *f)
{
    const DeviceBuffer *b = d->buffers;
    const PairLaunch l = launch_of(f);
    device_launch(d->device, d->flow.accelerate, l.points, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(PAIR_ARGUMENTS(l, BUFFER_TRAITS),
                                   DEVICE_MEMORY(b[BUFFER_SLOPES]), DEVICE_MEMORY(b[BUFFER_MOVES]),
                                   DEVICE_VALUE(d->solve.chained),
                                   DEVICE_MEMORY(b[BUFFER_FLOW_NOTE])));
}

static void accelerate(SphDevice *d, Flow *f)
{
    pack(d, f);
    sph_device_accelerate(d, f);
}

static void fetch_moves(SphDevice *d, Flow *f)
{
    device_get(d->device, &d->buffers[BUFFER_MOVES], 0, f->in.moves,
               f->step->rows * sizeof *f->in.moves);
}

void sph_device_close(SphDevice *d, const Flow *f, FlowClosing walls)
{
    const DeviceBuffer *b = d->buffers;
    const PairLaunch l = launch_of(f);
    const uint32_t with = walls;
    device_launch(d->device, d->flow.close, l.points, DEVICE_GROUP,
                  DEVICE_ARGUMENTS(PAIR_ARGUMENTS(l, BUFFER_MOVES), DEVICE_VALUE(with),
                                   DEVICE_MEMORY(b[BUFFER_SLOPES]), DEVICE_MEMORY(b[BUFFER_UNEVEN]),
                                   DEVICE_VALUE(f->in.dt2), DEVICE_MEMORY(b[BUFFER_SOURCE]),
                                   DEVICE_MEMORY(b[BUFFER_CLOSING]), DEVICE_VALUE(d->solve.chained),
                                   DEVICE_MEMORY(b[BUFFER_FLOW_NOTE])));
}

/* The velocities are the processor's. */
static void rate(SphDevice *d, Flow *f)
{
    device_put(d->device, &d->buffers[BUFFER_MOVES], 0, f->in.moves,
               f->step->rows * sizeof *f->in.moves);
    sph_device_close(d, f, CLOSE_PAIRS);
    get_plane(d, BUFFER_CLOSING, f->in.source, f->step);
}

static void compress(SphDevice *d, Flow *f)
{
    sph_device_close(d, f, CLOSE_ALL);
    get_plane(d, BUFFER_CLOSING, f->in.excess, f->step);
}

/* ---- and where it cannot ---- */

/* The processor goes on with the pressures that there are: it makes what the device had of them.
 * The diagonal stays what it is, which may be more than what operators made it. */
static mote_Status leave(Flow *f, FlowTask task)
{
    SphStep *step = f->step;
    const mote_Status status = sph_leave_device(step, f->error);
    if (status != MOTE_OK) return status;
    const size_t bytes = (step->lists->capacity + 1) * sizeof *f->in.slopes;
    f->sum_operators = f->operators = flow_sum_operators(step->outer->isa);
    f->in.slopes = arena_take(step->outer->arena, bytes);
    f->twin = f->in;
    f->twin.stiffness = sph_plane(step), f->twin.soft = sph_plane(step);
    if (f->in.slopes == NULL || f->twin.stiffness == NULL || f->twin.soft == NULL)
        return sph_no_memory(step, f->error);
    if (task != FLOW_PREPARE) flow_loop_places(f, f->operators->prepare, &f->twin);
    if (task == FLOW_COMPRESS || task == FLOW_MOVES)
        flow_loop_places(f, f->operators->accelerate, &f->in);
    return MOTE_OK;
}

mote_Status sph_leave_flow(Flow *f, FlowTask task, bool built)
{
    const SphDevice *d = f->step->state->device;
    const bool strict = !device_is_optional(d->device);
    if (strict && !built) return MOTE_UNAVAILABLE;
    if (strict && device_is_too_small(d->device))
        return device_check(d->device, sph_name(f->step), f->error);
    return leave(f, task);
}

void sph_device_flow(Flow *f, FlowTask task)
{
    static void (*const tasks[])(SphDevice * d, Flow * f) = {[FLOW_PREPARE] = prepare,
                                                             [FLOW_ACCELERATE] = accelerate,
                                                             [FLOW_MOVES] = fetch_moves,
                                                             [FLOW_RATE] = rate,
                                                             [FLOW_COMPRESS] = compress};
    SphDevice *d = f->step->state->device;
    const FlowTerms terms = {f->in.kernel.gradient_kind, f->in.periodic, f->in.traits != NULL};
    const bool built = sph_flow_program(d, &terms, f->error);
    if (built) tasks[task](d, f);
    if (built && device_is_well(d->device))
        f->status = sph_verify_flow(f, task);
    else
        f->status = sph_leave_flow(f, task, built);
}
