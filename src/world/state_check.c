/* A saved state comes from a file: what no step can have left behind is refused, before anything
 * is looked up by it. */
#include "world/world.h"

#include "base/status.h"
#include "solvers/solver.h"

#include <math.h>
#include <string.h>

/* The first value that is not finite; SIZE_MAX: all are. */
static size_t first_wild(const mote_StateArray *a, bool may_be_infinite)
{
    bool wide = mote_array_item_size(a->type) == sizeof(double);
    for (size_t c = 0; c < (size_t)a->components; ++c)
        for (size_t i = 0; i < a->rows; ++i) {
            size_t at = c * a->stride + i;
            double value =
                wide ? ((const double *)a->data)[at] : (double)((const float *)a->data)[at];
            if (isnan(value) || (isinf(value) && !may_be_infinite)) return i;
        }
    return SIZE_MAX;
}

static mote_Status check_numbers(const mote_StateArray *a, bool may_be_infinite, mote_Error *error)
{
    if (a->type != MOTE_ARRAY_F64 && a->type != MOTE_ARRAY_REAL) return MOTE_OK;
    size_t wild = first_wild(a, may_be_infinite);
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

/* Columns of the user may hold anything; those who live for ever have infinite lifetimes. */
static mote_Status check_columns(const mote_System *system, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < system->column_count && status == MOTE_OK; ++i) {
        const mote_Column *column = &system->columns[i];
        bool real = column->type == MOTE_COLUMN_REAL || column->type == MOTE_COLUMN_DOUBLE;
        if (!real || strcmp(column->stage, "user") == 0) continue;
        const mote_StateArray array = {.name = column->name,
                                       .type = column->type == MOTE_COLUMN_REAL ? MOTE_ARRAY_REAL
                                                                                : MOTE_ARRAY_F64,
                                       .rows = system->count,
                                       .components = column->components,
                                       .stride = column->stride,
                                       .data = column->data};
        status = check_numbers(&array, strcmp(column->name, "lifetime") == 0, error);
    }
    return status;
}

/* Rows are found by their ids. */
static mote_Status check_ids(const mote_System *system, mote_Error *error)
{
    const uint64_t *id = mote_system_column(system, "id")->data;
    for (size_t i = 0; i < system->count; ++i)
        if (id[i] >= system->next_id || (system->ids_ascend && i > 0 && id[i] <= id[i - 1]))
            return status_fail(error, MOTE_BAD_VALUE,
                               "systems/%.100s/id: the saved state has ids out of order at row %zu",
                               system->name, i);
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

/* A host's poses have unit quaternions. */
static mote_Status check_hand(const Collider *collider, mote_Error *error)
{
    const double *q = collider->hand.orientation;
    const double length = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!collider->by_hand || fabs(length - 1) < 1e-2) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "colliders/%.100s/hand: the saved state has an orientation of length %g",
                       collider->object.name, sqrt(length));
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
            status = check_numbers(array, false, error);
    }
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i) {
        status = check_columns(world->slots[i].system, error);
        if (status == MOTE_OK) status = check_ids(world->slots[i].system, error);
    }
    if (status == MOTE_OK) status = check_clock(world, error);
    for (size_t i = 0; i < world->colliders.count && status == MOTE_OK; ++i)
        status = check_hand(world->colliders.items[i], error);
    if (status == MOTE_OK) status = contacts_check(&world->solids.contacts, error);
    for (size_t i = 0; i < world->emitters.count && status == MOTE_OK; ++i)
        status = emitter_check_state(world->emitters.items[i], error);
    for (size_t i = 0; i < world->solvers.count && status == MOTE_OK; ++i)
        status = check_solver(world->solvers.items[i], error);
    return status;
}
