/* Companies: systems whose rows act on each other through a force are solved together, stage by
 * stage. The first of them leads: its turn solves all; collisions and births then come in each
 * one's own turn. */
#include "base/status.h"
#include "solvers/linked/linked.h"

/* ---- planning ---- */

static bool feels(const Slots *all, const Force *force, size_t slot)
{
    bool acts = (force->systems >> slot & 1) != 0;
    return acts && force->row->gather != NULL && all->items[slot].points.trace == NULL;
}

static mote_Status check_axes(const Slots *all, const Force *force, mote_Error *error)
{
    const mote_real *period = all->shop->period;
    const bool periodic = period[0] != 0 || period[1] != 0 || period[2] != 0;
    if (!periodic || !force->row->everywhere) return MOTE_OK;
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

/* Stages of two schemes are at different times, and a force between rows needs all of them at one.
 */
static mote_Status check_pair(const SystemSlot *first, const SystemSlot *slot, const Force *force,
                              mote_Error *error)
{
    if (first->points.integrator == slot->points.integrator) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "force %s: systems %s and %s feel each other and need one integrator, "
                       "but have %s and %s",
                       force->object.name, first->system->name, slot->system->name,
                       first->points.integrator->head.name, slot->points.integrator->head.name);
}

/* All slots of company `from` go over to `to`, which is before it. */
static void merge(const Slots *all, size_t from, size_t to)
{
    for (size_t i = 0; i < all->count; ++i)
        if (all->items[i].company == from) all->items[i].company = to;
}

mote_Status company_join(const Slots *all, const Force *force, mote_Error *error)
{
    SystemSlot *first = NULL;
    if (force->row->gather == NULL) return MOTE_OK;
    mote_Status status = check_axes(all, force, error);
    for (size_t i = 0; i < all->count && status == MOTE_OK; ++i) {
        SystemSlot *slot = &all->items[i];
        if (!feels(all, force, i)) continue;
        if (first == NULL) first = slot;
        status = check_slot(slot, force, error);
        if (status == MOTE_OK) status = check_pair(first, slot, force, error);
        size_t a = first->company, b = slot->company;
        merge(all, a > b ? a : b, a > b ? b : a);
        slot->mutual = true;
    }
    return status;
}

/* Its rows do not feel each other. */
void companies_part(const Slots *all)
{
    for (size_t i = 0; i < all->count; ++i) {
        SystemSlot *slot = &all->items[i];
        slot->company = i;
        slot->mutual = false;
        if (!slot->solver->row->fuses) continue;
        slot->solver = slot->own, slot->member = 0;
        slot->own->row = &points_solver_row;
        slot->own->systems[0] = slot->system, slot->own->system_count = 1;
    }
}

/* Who is in a company goes over to the solver of its first, and its own moves nothing. */
static void join(const Slots *all)
{
    for (size_t i = 0; i < all->count; ++i) {
        SystemSlot *slot = &all->items[i];
        Solver *host = all->items[slot->company].own;
        if (!slot->solver->row->fuses) continue;
        if (slot->link_count > 0 || slot->mutual) host->row = &linked_solver_row;
        if (slot->own == host) continue;
        slot->solver = host, slot->member = host->system_count;
        host->systems[host->system_count++] = slot->system;
        slot->own->system_count = 0;
    }
}

mote_Status companies_plan(const Slots *all, const Force *const *forces, size_t count, bool *mutual,
                           mote_Error *error)
{
    mote_Status status = MOTE_OK;
    companies_part(all);
    for (size_t f = 0; f < count && status == MOTE_OK; ++f)
        status = company_join(all, forces[f], error);
    if (status == MOTE_OK) join(all);
    *mutual = false;
    for (size_t i = 0; i < all->count; ++i) *mutual = *mutual || all->items[i].mutual;
    return status;
}

/* ---- looking at all rows ---- */

static mote_Status look(const Slots *all, const Force *force, mote_Error *error)
{
    ForceRows systems[SOLVER_SYSTEMS];
    ForceCrowd crowd = {.systems = systems, .energy = true, .tasks = all->shop->tasks};
    for (size_t i = 0; i < all->count; ++i) {
        const mote_System *system = all->items[i].system;
        if (feels(all, force, i))
            systems[crowd.system_count++] = (ForceRows){system, system->count};
    }
    return crowd.system_count == 0 ? MOTE_OK : force->row->gather(force, &crowd, error);
}

mote_Status companies_gather_energies(const Slots *all, const Force *const *forces, size_t count,
                                      mote_Error *error)
{
    mote_Status status = MOTE_OK;
    for (size_t f = 0; f < count && status == MOTE_OK; ++f)
        if (forces[f]->row->gather != NULL) status = look(all, forces[f], error);
    return status;
}
