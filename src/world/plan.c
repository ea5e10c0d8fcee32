/* What a step needs before it starts: which forces and colliders act on which system, and scratch
 * memory for every worker. Worked out once after objects were added. */
#include "world/world.h"

#include "base/status.h"
#include "world/solvers.h"

#include <math.h>
#include <string.h>

static bool plan_slot(mote_World *world, SystemSlot *slot, uint64_t bit)
{
    Memory *memory = &world->memory;
    if (!memory_reserve(memory, (void **)&slot->forces, &slot->force_capacity, world->forces.count,
                        sizeof *slot->forces) ||
        !memory_reserve(memory, (void **)&slot->links, &slot->link_capacity, world->links.count,
                        sizeof *slot->links) ||
        !world_plan_colliders(world, slot, bit))
        return false;
    slot->points.force_count = slot->link_count = 0;
    for (size_t i = 0; i < world->forces.count; ++i) {
        const Force *force = world->forces.items[i];
        if ((force->systems & bit) != 0) slot->forces[slot->points.force_count++] = force;
    }
    for (size_t i = 0; i < world->links.count; ++i) {
        Links *links = world->links.items[i];
        if (((uint64_t)1 << links->system) == bit) slot->links[slot->link_count++] = links;
    }
    slot->points.forces = slot->forces;
    return true;
}

mote_Status world_plan(mote_World *world, mote_Error *error)
{
    if (world->planned) return MOTE_OK;
    size_t planes = 0;
    bool room = true;
    for (size_t i = 0; i < world->slot_count && room; ++i) {
        SystemSlot *slot = &world->slots[i];
        size_t wanted = (size_t)integrator_scratch_planes(slot->points.integrator);
        if (wanted > planes) planes = wanted;
        room = plan_slot(world, slot, (uint64_t)1 << i);
    }
    room = room && shop_make_workers(&world->shop, planes);
    if (!room) return status_no_memory(error, "a step's scratch memory", planes * SCRATCH_STRIDE);
    world->shop.colliders = (Collider *const *)world->colliders.items;
    world->shop.collider_count = world->colliders.count;
    const Slots slots = world_slots(world);
    mote_Status status =
        companies_plan(&slots, world_forces(world), world->forces.count, &world->mutual, error);
    if (status == MOTE_OK) status = world_plan_solvers(world, error);
    if (status == MOTE_OK) status = world_find_obstacles(world, error);
    if (status == MOTE_OK) status = world_plan_bodies(world, error);
    world->planned = status == MOTE_OK;
    return status;
}
