/* What a device did, compared with the processor (--check-device). */
#include "solvers/sph/device.h"

#include "solvers/sph/dfsph_coarse.h"

#include <string.h>

bool sph_same(const mote_real *a, const mote_real *b, size_t count)
{
    return device_same(a, b, count);
}

mote_Status sph_differs(const SphStep *step, const char *what, mote_Error *error)
{
    const SolverStep *outer = step->outer;
    const DeviceDoubt doubt = {sph_name(step), what, outer->number, outer->t};
    return device_differs(step->state->device->device, &doubt, error);
}

static bool is_due(const SphStep *step)
{
    return device_is_verified(step->state->device->device, step->outer->number);
}

mote_Status sph_verify_find(const SphStep *step, mote_Error *error)
{
    SphStep host = *step;
    if (!is_due(step)) return MOTE_OK;
    const mote_Status status = sph_host_backend.find(&host, error);
    if (status != MOTE_OK) return status;
    if (host.pairs != step->pairs || !sph_same(host.sums, step->sums, step->rows))
        return sph_differs(step, "neighbours", error);
    return MOTE_OK;
}

/* A plane of its own, with what is there. */
static mote_real *copied(const SphStep *step, const mote_real *plane)
{
    mote_real *copy = sph_plane(step);
    if (copy != NULL) memcpy(copy, plane, step->rows * sizeof *plane);
    return copy;
}

mote_Status sph_begin_check(SphStep *step, const ForceInput *input, ForceCheck *check,
                            mote_Error *error)
{
    ForceInput *own = &check->input;
    *check = (ForceCheck){.input = *input, .due = is_due(step)};
    if (!check->due) return MOTE_OK;
    bool room = true;
    own->largest = NULL;
    for (int c = 0; c < 3; ++c) {
        own->a[c] = copied(step, input->a[c]);
        own->excess[c] = sph_plane(step);
        room = room && own->a[c] != NULL && own->excess[c] != NULL;
    }
    if (input->rate != NULL) own->rate = sph_plane(step), room = room && own->rate != NULL;
    return room ? sph_host_backend.forces(step, own, error) : sph_no_memory(step, error);
}

mote_Status sph_end_check(SphStep *step, const ForceInput *input, const ForceCheck *check,
                          mote_Error *error)
{
    const ForceInput *own = &check->input;
    const size_t rows = step->rows;
    bool good = true;
    if (!check->due) return MOTE_OK;
    for (int c = 0; c < 3; ++c) {
        good = good && sph_same(own->a[c], input->a[c], rows);
        if (input->law.xsph > 0) good = good && sph_same(own->excess[c], input->excess[c], rows);
    }
    if (input->rate != NULL) good = good && sph_same(own->rate, input->rate, rows);
    return good ? MOTE_OK : sph_differs(step, "accelerations", error);
}

mote_Status sph_verify_crowd(const SphStep *step, const ShiftInput *input, mote_Error *error)
{
    const ShiftKernels *kernels = shift_kernels(step->outer->isa);
    ShiftInput own = *input;
    bool room = true, good = true;
    if (!is_due(step)) return MOTE_OK;
    for (int c = 0; c < 3; ++c) {
        own.crowd[c] = sph_plane(step), own.outward[c] = sph_plane(step);
        room = room && own.crowd[c] != NULL && own.outward[c] != NULL;
    }
    if (!room) return sph_no_memory(step, error);
    kernels->crowd(&own, 0, step->rows);
    for (int c = 0; c < 3; ++c)
        good = good && sph_same(own.crowd[c], input->crowd[c], step->rows) &&
               sph_same(own.outward[c], input->outward[c], step->rows);
    return good ? MOTE_OK : sph_differs(step, "shifting", error);
}

/* ---- incompressible liquids ---- */

static bool take_twin(const Flow *f, FlowInput *twin)
{
    const SphStep *step = f->step;
    Arena *arena = step->outer->arena;
    bool room = true;
    *twin = f->in;
    for (int c = 0; c < 3; ++c) {
        twin->uneven[c] = sph_plane(step);
        room = room && twin->uneven[c] != NULL;
    }
    twin->moves = arena_take(arena, (step->rows + 1) * sizeof *twin->moves);
    twin->slopes = arena_take(arena, (step->lists->capacity + 1) * sizeof *twin->slopes);
    twin->stiffness = sph_plane(step), twin->soft = sph_plane(step), twin->push = sph_plane(step);
    twin->source = sph_plane(step), twin->excess = sph_plane(step);
    return room && twin->moves != NULL && twin->slopes != NULL && twin->stiffness != NULL &&
           twin->soft != NULL && twin->push != NULL && twin->source != NULL && twin->excess != NULL;
}

static bool same_excess(const Flow *f, const FlowInput *twin)
{
    for (size_t i = 0; i < f->step->rows; ++i) {
        const mote_real own = flow_excess(&f->in, i, f->in.excess[i]);
        if (!sph_same(&own, &twin->excess[i], 1)) return false;
    }
    return true;
}

/* Does the same with operators of the processor; true: to the same bits. */
static bool repeat(const Flow *f, FlowTask task, FlowInput *twin)
{
    const FlowOperators *host = flow_sum_operators(f->step->outer->isa);
    const size_t rows = f->step->rows, moves = rows * sizeof *twin->moves;
    switch (task) {
    case FLOW_PREPARE:
        host->prepare(twin, 0, rows);
        return sph_same(twin->stiffness, f->in.stiffness, rows);
    case FLOW_ACCELERATE:
        host->accelerate(twin, 0, rows);
        return true;
    case FLOW_MOVES:
        return sph_same(twin->moves[0].u, f->in.moves[0].u, moves / sizeof(mote_real));
    case FLOW_RATE:
        memcpy(twin->moves, f->in.moves, moves);
        host->rate(twin, 0, rows);
        return sph_same(twin->source, f->in.source, rows);
    default:
        memcpy(twin->source, f->in.source, rows * sizeof *twin->source);
        host->compress(twin, 0, rows);
        return same_excess(f, twin);
    }
}

mote_Status sph_verify_flow(Flow *f, FlowTask task)
{
    const SphStep *step = f->step;
    if (!is_due(step)) return MOTE_OK;
    if (task == FLOW_PREPARE && !take_twin(f, &f->twin)) return sph_no_memory(step, f->error);
    return repeat(f, task, &f->twin) ? MOTE_OK : sph_differs(step, "pressures", f->error);
}

mote_Status sph_begin_solve(Flow *f, const FlowGoal *goal)
{
    const SphStep *step = f->step;
    const size_t bytes = step->rows * sizeof *f->in.flow;
    FlowInput *in = &f->twin;
    if (!is_due(step)) return MOTE_OK;
    in->flow = arena_take(step->outer->arena, bytes + sizeof *in->flow);
    if (in->flow == NULL) return sph_no_memory(step, f->error);
    memcpy(in->flow, f->in.flow, bytes);
    memcpy(in->source, f->in.source, step->rows * sizeof *in->source);
    in->least = f->in.least;
    Flow twin = *f;
    twin.in = *in;
    twin.operators = flow_sum_operators(step->outer->isa);
    twin.sum_operators = NULL; /* nobody goes ahead of these */
    (void)flow_solve_by(&twin, &flow_host_hands, goal);
    return MOTE_OK;
}

mote_Status sph_verify_solve(const Flow *f)
{
    const SphStep *step = f->step;
    const FlowInput *in = &f->twin;
    const size_t all = step->rows * 4;
    if (!is_due(step)) return MOTE_OK;
    const bool same = sph_same(in->flow[0].x, f->in.flow[0].x, all) &&
                      sph_same(in->moves[0].u, f->in.moves[0].u, all) &&
                      sph_same(in->excess, f->in.excess, step->rows);
    return same ? MOTE_OK : sph_differs(step, "pressures", f->error);
}
