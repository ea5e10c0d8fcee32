/* Solvers of a world: opening, joining, publishing; their limits and the ends of their sub-steps.
 */
#include "world/solvers.h"

#include "base/status.h"
#include "world/objects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ROW_TABLE(solver_rows, SOLVER_ROWS(ROW_ADDRESS_ONLY))

/* ---- published fields ---- */

typedef struct Published {
    const Solver *solver;
    const SolverField *field;
} Published;

static void sample_published(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const Published *published = field->object.params;
    published->field->sample(published->solver, points, out);
}

#define PUBLISHED(components_)                                                                     \
    {                                                                                              \
        .head = {.name = "published",                                                              \
                 .doc = "what a solver publishes",                                                 \
                 .params_size = sizeof(Published)},                                                \
        .components = components_, .sample = sample_published, .prepares_often = true              \
    }
static const FieldRow published_rows[] = {PUBLISHED(0), PUBLISHED(1), PUBLISHED(2), PUBLISHED(3)};

static mote_Status publish(mote_World *world, const Solver *solver, const SolverField *field,
                           mote_Error *error)
{
    char name[NAME_SIZE];
    const FieldRow *row = &published_rows[field->components];
    const Published published = {solver, field};
    NewObject fresh = {"field", name, &row->head, &published, sizeof(Field), NULL};
    Field *made;
    snprintf(name, sizeof name, "%s.%s", solver->object.name, field->name);
    mote_Status status = world_make_object(world, &world->fields, &fresh, (void **)&made, error);
    if (status != MOTE_OK) return status;
    made->row = row;
    return world_keep_object(world, &world->fields, made, sizeof *made, MOTE_OK);
}

const Solver *world_publisher(const Field *field)
{
    const Published *published = field->object.params;
    return field->row->sample == sample_published ? published->solver : NULL;
}

/* ---- opening and joining ---- */

static SolverSite site_of(mote_World *world, const char *where)
{
    SolverSite site = {.memory = &world->memory,
                       .tasks = world_tasks(world),
                       .isa = world->isa,
                       .seed = world->def.seed,
                       .dimension = (int)world->def.dimension,
                       .where = where,
                       .box_min = world->def.box_min,
                       .box_max = world->def.box_max,
                       .gravity = world->def.gravity,
                       .frame = 1 / world->def.fps};
    memcpy(site.period, world->shop.period, sizeof site.period);
    return site;
}

static void release_solver(Memory *memory, void *object)
{
    Solver *solver = object;
    if (solver->state != NULL) solver->row->close(memory, solver);
}

/* The system whose solver the definition asks for; NULL: it has its own. */
static const char *joined_name(const SolverRow *row, const mote_SystemDef *def)
{
    const char *params = def->solver_params;
    if (row->joins == NULL || params == NULL) return NULL;
    return *(const char *const *)(const void *)(params + row->joins_at);
}

static mote_Status find_host(const mote_World *world, const SolverRow *row,
                             const mote_SystemDef *def, Solver **host, mote_Error *error)
{
    const char *other = joined_name(row, def);
    size_t number;
    if (other == NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "system %s: solver %s must name the system whose solver it joins",
                           def->name, row->head.name);
    mote_Status status = world_find_system(world, def->name, other, &number, error);
    if (status != MOTE_OK) return status;
    *host = world->slots[number].solver;
    if ((*host)->row != row->joins)
        return status_fail(error, MOTE_BAD_VALUE,
                           "system %s: solver %s can join one of solver %s, but that of system %s "
                           "is %s",
                           def->name, row->head.name, row->joins->head.name, other,
                           (*host)->row->head.name);
    if ((*host)->system_count == SOLVER_SYSTEMS)
        return status_fail(error, MOTE_BAD_VALUE,
                           "system %s: the solver of system %s takes no further systems", def->name,
                           other);
    return MOTE_OK;
}

static mote_Status join_solver(mote_World *world, const SolverRow *row, const mote_SystemDef *def,
                               const SolverSite *site, SystemSlot *slot, mote_Error *error)
{
    Solver *host = NULL;
    mote_Status status = find_host(world, row, def, &host, error);
    if (status != MOTE_OK) return status;
    slot->solver = host;
    slot->member = host->system_count;
    host->systems[host->system_count++] = slot->system;
    status = row->join(site, host, def->solver_params, error);
    if (status != MOTE_OK) --host->system_count;
    return status;
}

static mote_Status make_solver(mote_World *world, const SolverRow *row, const mote_SystemDef *def,
                               const SolverSite *site, SystemSlot *slot, mote_Error *error)
{
    NewObject fresh = {"system",           def->name,      &row->head,
                       def->solver_params, sizeof(Solver), row->check};
    Solver *solver;
    mote_Status status = world_make_object(world, &world->solvers, &fresh, (void **)&solver, error);
    if (status != MOTE_OK) return status;
    solver->row = row;
    solver->object.release = release_solver;
    solver->systems[0] = slot->system, solver->system_count = 1;
    slot->solver = slot->own = solver;
    if (row->open != NULL) status = row->open(site, solver, error);
    status = world_keep_object(world, &world->solvers, solver, sizeof *solver, status);
    bool kept = status == MOTE_OK;
    for (size_t i = 0; i < row->field_count && status == MOTE_OK; ++i)
        status = publish(world, solver, &row->fields[i], error);
    if (status != MOTE_OK && kept) solver->system_count = 0; /* it stays, and moves nothing */
    return status;
}

mote_Status world_open_solver(mote_World *world, const SolverRow *row, const mote_SystemDef *def,
                              SystemSlot *slot, mote_Error *error)
{
    char where[NAME_SIZE + 32];
    snprintf(where, sizeof where, "system %s", def->name);
    SolverSite site = site_of(world, where);
    const bool joins = row->solve == NULL || joined_name(row, def) != NULL;
    return joins ? join_solver(world, row, def, &site, slot, error)
                 : make_solver(world, row, def, &site, slot, error);
}

/* ---- sub-steps ---- */

static bool chooses_substeps(const Solver *solver)
{
    const SolverRow *row = solver->row;
    return row->limit != NULL && (row->limits == NULL || row->limits(solver->object.params));
}

static const SystemSlot *limited_slot(const mote_World *world)
{
    for (size_t i = 0; i < world->slot_count; ++i) {
        const SystemSlot *slot = &world->slots[i];
        if (chooses_substeps(slot->solver)) return slot;
    }
    return NULL;
}

/* What of a system needs equal sub-steps, or NULL. */
static const char *needs_equal(const SystemSlot *slot)
{
    const IntegratorRow *integrator = slot->points.integrator;
    if (slot->check > 0) return "collide.interval";
    return integrator->history.steps > 0 ? integrator->head.name : NULL;
}

mote_Status world_check_uneven(const mote_World *world, mote_Error *error)
{
    for (size_t i = 0; i < world->slot_count; ++i) {
        const SystemSlot *slot = &world->slots[i];
        const char *what = needs_equal(slot);
        if (what != NULL)
            return status_fail(error, MOTE_BAD_VALUE,
                               "system %s: %s needs equal sub-steps, so it cannot be advanced by "
                               "any time; step it by frames, or use a one-step integrator, and no "
                               "collide.interval",
                               slot->system->name, what);
    }
    return MOTE_OK;
}

mote_Status world_plan_solvers(mote_World *world, mote_Error *error)
{
    const SystemSlot *chooser = limited_slot(world);
    world->limited = chooser != NULL;
    for (size_t i = 0; chooser != NULL && i < world->slot_count; ++i) {
        const SystemSlot *slot = &world->slots[i];
        const char *what = needs_equal(slot);
        if (what == NULL) continue;
        return status_fail(error, MOTE_BAD_VALUE,
                           "system %s: %s needs equal sub-steps, but the solver of system %s "
                           "chooses them; use a one-step integrator, and no collide.interval",
                           slot->system->name, what, chooser->system->name);
    }
    return MOTE_OK;
}

double world_solver_limit(mote_World *world, double t, double most)
{
    const TimeSpan span = {
        .start = t, .layout = t, .dt = most, .steps = 1, .first_step = world->substep};
    double least = most;
    for (size_t i = 0; i < world->solvers.count; ++i) {
        Solver *solver = world->solvers.items[i];
        if (!chooses_substeps(solver) || solver->system_count == 0) continue;
        SolverStep step = world_solver_step(world, solver, &span);
        double limit = solver->row->limit(&step);
        if (limit < least) least = limit;
    }
    return least;
}

mote_Status world_begin_solvers(mote_World *world, const TimeSpan *span, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->solvers.count && status == MOTE_OK; ++i) {
        Solver *solver = world->solvers.items[i];
        if (solver->row->begin == NULL || solver->system_count == 0) continue;
        SolverStep step = world_solver_step(world, solver, span);
        status = solver->row->begin(&step, error);
    }
    return status;
}

void world_finish_solvers(mote_World *world, const TimeSpan *span)
{
    for (size_t i = 0; i < world->solvers.count; ++i) {
        Solver *solver = world->solvers.items[i];
        if (solver->row->finish == NULL || solver->system_count == 0) continue;
        SolverStep step = world_solver_step(world, solver, span);
        solver->row->finish(&step);
    }
}
