/* Companies: systems whose rows act on each other through a force are solved together, stage by
 * stage. The first of them leads: its turn solves all; collisions and births then come in each
 * one's own turn. */
#include "base/status.h"
#include "particles/history.h"
#include "world/coupled.h"

/* ---- planning ---- */

static bool feels(const mote_World *world, const Force *force, size_t slot)
{
    bool acts = (force->systems >> slot & 1) != 0;
    return acts && force->row->gather != NULL && world->slots[slot].solver.trace == NULL;
}

static mote_Status check_world(const mote_World *world, const Force *force, mote_Error *error)
{
    const mote_WorldDef *def = &world->def;
    if (!def->periodic_x && !def->periodic_y && !def->periodic_z) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "force %s: %s reaches everywhere and knows no periodic axes; leave out "
                       "world.periodic",
                       force->object.name, force->row->head.name);
}

static mote_Status check_slot(const SystemSlot *slot, const Force *force, mote_Error *error)
{
    const char *name = slot->system->name, *type = force->row->head.name;
    const IntegratorRow *integrator = slot->solver.integrator;
    if (slot->whole != NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "force %s: %s is for systems of solver points, but system %s has solver "
                           "%s; name others in `systems`",
                           force->object.name, type, name, slot->whole->row->head.name);
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
    if (first->solver.integrator == slot->solver.integrator) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "force %s: systems %s and %s attract each other and need one integrator, "
                       "but have %s and %s",
                       force->object.name, first->system->name, slot->system->name,
                       first->solver.integrator->head.name, slot->solver.integrator->head.name);
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

mote_Status world_plan_companies(mote_World *world, mote_Error *error)
{
    mote_Status status = MOTE_OK;
    world->mutual = false;
    for (size_t i = 0; i < world->slot_count; ++i) {
        world->slots[i].company = i;
        world->slots[i].mutual = false;
    }
    for (size_t f = 0; f < world->forces.count && status == MOTE_OK; ++f) {
        const Force *force = world->forces.items[f];
        status = world_join_company(world, force, error);
    }
    return status;
}

bool world_has_company(const mote_World *world, const SystemSlot *slot)
{
    size_t members = 0;
    for (size_t i = 0; i < world->slot_count; ++i)
        members += world->slots[i].company == slot->company;
    return members > 1;
}

/* ---- looking at all rows ---- */

/* Lets the force look at as many rows of each of its systems as `rows` says. */
static mote_Status look(mote_World *world, const Force *force, const size_t *rows, bool energy,
                        mote_Error *error)
{
    ForceRows systems[MOST_SYSTEMS];
    ForceCrowd crowd = {.systems = systems, .energy = energy, .tasks = world_tasks(world)};
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
        if (force->row->gather != NULL) status = look(world, force, rows, true, error);
    }
    return status;
}

mote_Status coupled_look(const CoupledStep *step, mote_Error *error)
{
    mote_World *world = step->world;
    size_t rows[MOST_SYSTEMS];
    uint64_t members = 0;
    mote_Status status = MOTE_OK;
    if (!step->slot->mutual) return MOTE_OK;
    for (const CoupledStep *s = step; s != NULL; s = s->next) {
        size_t number = (size_t)(s->slot - world->slots);
        rows[number] = s->rows;
        members |= (uint64_t)1 << number;
    }
    for (size_t f = 0; f < world->forces.count && status == MOTE_OK; ++f) {
        const Force *force = world->forces.items[f];
        bool acts = force->row->gather != NULL && (force->systems & members) != 0;
        if (acts) status = look(world, force, rows, false, error);
    }
    return status;
}

/* ---- the steps of a company ---- */

/* A system whose own turn comes later. */
static mote_Status begin_member(CoupledStep *step, const TimeSpan *span, mote_Error *error)
{
    SystemSlot *slot = step->slot;
    if (!system_refresh_notes(slot->system))
        return status_no_memory(error, slot->system->name, slot->system->count);
    system_settle_history(slot->system);
    if (slot->check > 0) world_begin_interval(slot, span, step->world->ends_frame);
    return coupled_begin(step, span, error);
}

mote_Status coupled_join_company(CoupledStep *step, const TimeSpan *span, mote_Error *error)
{
    mote_World *world = step->world;
    CoupledStep **end = &step->next;
    for (SystemSlot *slot = step->slot + 1; slot < world->slots + world->slot_count; ++slot) {
        if (slot->company != step->slot->company) continue;
        CoupledStep *member = arena_take(&world->arena, sizeof *member);
        if (member == NULL) return status_no_memory(error, slot->system->name, sizeof *member);
        *member = (CoupledStep){.world = world, .slot = slot};
        mote_Status status = begin_member(member, span, error);
        if (status != MOTE_OK) return status;
        *end = member;
        end = &member->next;
    }
    return MOTE_OK;
}
