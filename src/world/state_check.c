/* A saved state comes from a file: what no step can have left behind is refused, before anything
 * is looked up by it. Systems, colliders, contacts, emitters and solvers know what theirs may be;
 * here is what holds for all. */
#include "world/world.h"

#include "base/status.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

/* The first value that is not finite; SIZE_MAX: all are. */
static size_t first_wild(const mote_StateArray *a)
{
    bool wide = mote_array_item_size(a->type) == sizeof(double);
    for (size_t c = 0; c < (size_t)a->components; ++c)
        for (size_t i = 0; i < a->rows; ++i) {
            size_t at = c * a->stride + i;
            double value =
                wide ? ((const double *)a->data)[at] : (double)((const float *)a->data)[at];
            if (!isfinite(value)) return i;
        }
    return SIZE_MAX;
}

static mote_Status check_numbers(const mote_StateArray *a, mote_Error *error)
{
    if (a->type != MOTE_ARRAY_F64 && a->type != MOTE_ARRAY_REAL) return MOTE_OK;
    size_t wild = first_wild(a);
    if (wild == SIZE_MAX) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%.150s: the saved state has a value in row %zu that is no finite number",
                       a->name, wild);
}

/* Flags are read as bool. */
static mote_Status check_flags(const mote_StateArray *a, mote_Error *error)
{
    const unsigned char *flags = a->data;
    for (size_t i = 0; i < a->rows && a->type == MOTE_ARRAY_BYTE; ++i)
        if (flags[i] > 1)
            return status_fail(error, MOTE_BAD_VALUE,
                               "%.150s: the saved state has %d, but must have 0 or 1", a->name,
                               (int)flags[i]);
    return MOTE_OK;
}

static mote_Status check_clock(const mote_World *world, mote_Error *error)
{
    double frames = world->time * world->def.fps;
    if (frames >= 0 && fabs(frames - (double)world->frame) <= 1 + 1e-9 * frames) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "world/time: the saved state has %g s, which is not the time of frame %llu",
                       world->time, (unsigned long long)world->frame);
}

static mote_Status check_solver(const Solver *solver, mote_Error *error)
{
    if (solver->row->fits == NULL || solver->row->fits(solver)) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "solvers/%.100s: the saved state has arrays that do not fit together",
                       solver->object.name);
}

/* What was loaded is not believed: a damaged or foreign checkpoint is to be an error here, and no
 * crash or wrong result later. */
mote_Status world_check_state(const mote_World *world, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->state_count && status == MOTE_OK; ++i) {
        const mote_StateArray *array = &world->state[i];
        status = check_flags(array, error);
        if (status == MOTE_OK && strncmp(array->name, "systems/", 8) != 0)
            status = check_numbers(array, error);
    }
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i)
        status = system_check_state(world->slots[i].system, error);
    if (status == MOTE_OK) status = check_clock(world, error);
    for (size_t i = 0; i < world->colliders.count && status == MOTE_OK; ++i)
        status = collider_check_state(world->colliders.items[i], error);
    if (status == MOTE_OK) status = contacts_check(&world->solids.contacts, error);
    for (size_t i = 0; i < world->emitters.count && status == MOTE_OK; ++i)
        status = emitter_check_state(world->emitters.items[i], error);
    for (size_t i = 0; i < world->solvers.count && status == MOTE_OK; ++i)
        status = check_solver(world->solvers.items[i], error);
    return status;
}
