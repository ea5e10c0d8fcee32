/* Adding systems to a world, with what moves them: solvers are objects that may move several
 * systems and publish fields. */
#include "world/objects.h"

#include "base/definition.h"
#include "base/status.h"
#include "world/solvers.h"

#include <stdio.h>
#include <string.h>

static mote_SystemDef system_defaults(void)
{
    return (mote_SystemDef){.solver = "points", .collide = mote_collide_def()};
}

DEFINITION_MAKER(mote_SystemDef, mote_system_def, system_defaults)

static mote_Status set_trace(mote_World *world, const mote_SystemDef *def, SystemSlot *slot,
                             mote_Error *error)
{
    const char *trace = slot->points.params.trace;
    if (trace == NULL) return MOTE_OK;
    mote_Status status = world_find_field(world, def->name, trace, 3, &slot->points.trace, error);
    if (status != MOTE_OK || slot->points.integrator->first_order_too) return status;
    return status_fail(error, MOTE_BAD_VALUE,
                       "system %s: integrator %s needs forces; to trace a field use euler or rk4",
                       def->name, slot->points.integrator->head.name);
}

/* ---- the system ---- */

static mote_Status check_name(const mote_World *world, const char *name, mote_Error *error)
{
    for (size_t i = 0; i < world->slot_count; ++i)
        if (strcmp(world->slots[i].system->name, name) == 0)
            return status_fail(error, MOTE_BAD_VALUE,
                               "system %s: there is one of that name already", name);
    if (strlen(name) >= NAME_SIZE) return world_long_name("system", error);
    if (world->slot_count < SOLVER_SYSTEMS) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "system %s: a world has at most %d systems", name,
                       (int)SOLVER_SYSTEMS);
}

static mote_Status set_collide(mote_World *world, const mote_SystemDef *def, const SolverRow *row,
                               SystemSlot *slot, mote_Error *error)
{
    mote_Status status = world_set_collide(world, def, slot, error);
    if (row->fuses || status != MOTE_OK) return status;
    slot->collide_def.as_points = true; /* such solvers keep rows off walls in their own way */
    if (!(def->collide.interval > 0)) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "system %s: collide.interval needs solver points; solver %s collides after "
                       "each of its sub-steps",
                       def->name, row->head.name);
}

/* Columns of the stages, then whatever moves the system. */
static mote_Status finish_slot(mote_World *world, const mote_SystemDef *def, const SolverRow *row,
                               SystemSlot *slot, mote_Error *error)
{
    mote_Status status = slot_add_interval(slot, error);
    if (status == MOTE_OK)
        status = integrator_add_columns(slot->points.integrator, slot->system,
                                        points_planes(&slot->points), error);
    if (status == MOTE_OK)
        status = rates_open(def->columns, def->column_count, slot->points.integrator, slot->system,
                            &world->memory, &slot->rates, error);
    slot->points.rates = slot->rates;
    if (status == MOTE_OK &&
        !memory_reserve(&world->memory, (void **)&world->slots, &world->slot_capacity,
                        world->slot_count + 1, sizeof *world->slots))
        status = status_no_memory(error, def->name, sizeof *slot);
    if (status == MOTE_OK) status = world_open_solver(world, row, def, slot, error);
    return status;
}

mote_Status world_add_system(mote_World *world, const mote_SystemDef *def, const SolverRow *row,
                             mote_System **system, mote_Error *error)
{
    SystemSlot slot = {0};
    const void *points = row == &points_solver_row ? def->solver_params : NULL;
    mote_Status status = check_name(world, def->name, error);
    if (status == MOTE_OK) status = points_set(&slot.points, points, world->isa, def->name, error);
    slot.points.flat = world->def.dimension == 2;
    if (status == MOTE_OK) status = set_trace(world, def, &slot, error);
    if (status == MOTE_OK) status = set_collide(world, def, row, &slot, error);
    if (status == MOTE_OK) status = system_create(&world->memory, def->name, &slot.system, error);
    if (status != MOTE_OK) return status;
    status = finish_slot(world, def, row, &slot, error);
    if (status != MOTE_OK) {
        rates_close(slot.rates, &world->memory);
        system_destroy(slot.system);
        return status;
    }
    slot.system->now = world->time;
    world->has_intervals = world->has_intervals || slot.check > 0;
    world->slots[world->slot_count++] = slot;
    world->planned = false;
    if (system != NULL) *system = slot.system;
    return MOTE_OK;
}

mote_Status mote_world_add_system(mote_World *world, const mote_SystemDef *given,
                                  mote_System **system, mote_Error *error)
{
    if (system != NULL) *system = NULL;
    DEFINITION_TAKE(mote_SystemDef, mote_system_def);
    size_t count;
    const mote_Row *const *rows = solver_rows(world->isa, &count);
    const mote_Row *row = row_find(rows, count, def->name, "solver", def->solver, error);
    if (row == NULL) return MOTE_BAD_VALUE;
    return world_add_system(world, def, (const SolverRow *)row, system, error);
}
