/* Companies: systems whose rows act on each other through a force are solved together, stage by
 * stage. The first of them leads: its turn solves all; collisions and births then come in each
 * one's own turn. */
#include "base/status.h"
#include "world/solvers.h"

/* ---- planning ---- */

static bool feels(const mote_World *world, const Force *force, size_t slot)
{
    bool acts = (force->systems >> slot & 1) != 0;
    return acts && force->row->gather != NULL && world->slots[slot].points.trace == NULL;
}

static mote_Status check_world(const mote_World *world, const Force *force, mote_Error *error)
{
    const mote_WorldDef *def = &world->def;
    if (!def->periodic_x && !def->periodic_y && !def->periodic_z) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "force %s: %s reaches everywhere and knows no periodic axes; leave out "
                       "periodic_x, periodic_y and periodic_z of the world",
                       force->object.name, force->row->head.name);
}

static mote_Status check_slot(const SystemSlot *slot, const Force *force, mote_Error *error)
{
    const char *name = slot->system->name, *type = force->row->head.name;
    const IntegratorRow *integrator = slot->points.integrator;
    if (!slot->solver->row->fuses)
        return status_fail(error, MOTE_BAD_VALUE,
                           "force %s: %s is for systems of solver points, but system %s has solver "
                           "%s; name others in `systems`",
                           force->object.name, type, name, slot->solver->row->head.name);
    if (integrator->implicit)
        return status_fail(error, MOTE_BAD_VALUE,
                           "force %s: %s has no derivative for implicit schemes, but system %s has "
                           "integrator %s; use leapfrog or rk4",
                           force->object.name, type, name, integrator->head.name);
    return MOTE_OK;
}

static mote_Status check_pair(const SystemSlot *first, const SystemSlot *slot, const Force *force,
                              mote_Error *error)
{
    if (first->points.integrator == slot->points.integrator) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "force %s: systems %s and %s attract each other and need one integrator, "
                       "but have %s and %s",
                       force->object.name, first->system->name, slot->system->name,
                       first->points.integrator->head.name, slot->points.integrator->head.name);
}

/* All slots of company `from` go over to `to`, which is before it. */
static void merge(mote_World *world, size_t from, size_t to)
{
    for (size_t i = 0; i < world->slot_count; ++i)
        if (world->slots[i].company == from) world->slots[i].company = to;
}

mote_Status world_join_company(mote_World *world, const Force *force, mote_Error *error)
{
    SystemSlot *first = NULL;
    if (force->row->gather == NULL) return MOTE_OK;
    mote_Status status = check_world(world, force, error);
    for (size_t i = 0; i < world->slot_count && status == MOTE_OK; ++i) {
        SystemSlot *slot = &world->slots[i];
        if (!feels(world, force, i)) continue;
        if (first == NULL) first = slot;
        status = check_slot(slot, force, error);
        if (status == MOTE_OK) status = check_pair(first, slot, force, error);
        size_t a = first->company, b = slot->company;
        merge(world, a > b ? a : b, a > b ? b : a);
        slot->mutual = world->mutual = true;
    }
    return status;
}

/* Every system is alone, and its rows do not feel each other. */
static void part(mote_World *world)
{
    world->mutual = false;
    for (size_t i = 0; i < world->slot_count; ++i) {
        SystemSlot *slot = &world->slots[i];
        slot->company = i;
        slot->mutual = false;
        if (!slot->solver->row->fuses) continue;
        slot->solver = slot->own, slot->member = 0;
        slot->own->row = &points_solver_row;
        slot->own->systems[0] = slot->system, slot->own->system_count = 1;
    }
}

/* Who is in a company goes over to the solver of its first, and its own moves nothing. */
static void join(mote_World *world)
{
    for (size_t i = 0; i < world->slot_count; ++i) {
        SystemSlot *slot = &world->slots[i];
        Solver *host = world->slots[slot->company].own;
        if (!slot->solver->row->fuses) continue;
        if (slot->link_count > 0 || slot->mutual) host->row = &linked_solver_row;
        if (slot->own == host) continue;
        slot->solver = host, slot->member = host->system_count;
        host->systems[host->system_count++] = slot->system;
        slot->own->system_count = 0;
    }
}

mote_Status world_plan_companies(mote_World *world, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    part(world);
    for (size_t f = 0; f < world->forces.count && status == MOTE_OK; ++f) {
        const Force *force = world->forces.items[f];
        status = world_join_company(world, force, error);
    }
    if (status == MOTE_OK) join(world);
    return status;
}

/* ---- looking at all rows ---- */

/* Lets the force look at as many rows of each of its systems as `rows` says. */
static mote_Status look(mote_World *world, const Force *force, const size_t *rows,
                        mote_Error *error)
{
    ForceRows systems[MOST_SYSTEMS];
    ForceCrowd crowd = {.systems = systems, .energy = true, .tasks = world_tasks(world)};
    for (size_t i = 0; i < world->slot_count; ++i)
        if (feels(world, force, i))
            systems[crowd.system_count++] = (ForceRows){world->slots[i].system, rows[i]};
    if (crowd.system_count == 0 || force->row->gather(force, &crowd)) return MOTE_OK;
    return status_no_memory(error, force->object.name, world->slots[0].system->count);
}

mote_Status world_gather_energies(mote_World *world, mote_Error *error)
{
    size_t rows[MOST_SYSTEMS];
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < world->slot_count; ++i) rows[i] = world->slots[i].system->count;
    for (size_t f = 0; f < world->forces.count && status == MOTE_OK; ++f) {
        const Force *force = world->forces.items[f];
        if (force->row->gather != NULL) status = look(world, force, rows, error);
    }
    return status;
}
