/* A block of water in a tank, before it collapses. */
#include "bench/dam.h"

#include "particles/system.h"

#include <math.h>

static const double spacing = 0.02; /* m */

size_t dam_side(size_t count)
{
    return (size_t)floor(cbrt((double)count) + 0.5);
}

static mote_Status add_tank(mote_World *world, size_t side, mote_Error *error)
{
    double block = (double)side * spacing;
    const double size[3] = {4 * block + spacing, 2 * block, block + spacing};
    mote_BoxShape box = {{(mote_real)size[0], (mote_real)size[1], (mote_real)size[2]}};
    mote_ShapeDef part = {.type = "box", .params = &box, .pose = mote_pose_def()};
    mote_Shapes *shapes;
    mote_Status status = mote_shapes_create(&part, 1, mote_default_allocator(), &shapes, error);
    if (status != MOTE_OK) return status;
    mote_InvertedShape inside = {shapes};
    mote_ColliderDef tank = mote_collider_def();
    tank.name = "tank", tank.shape = "inverted", tank.shape_params = &inside;
    tank.motion.at = (mote_Vec3){box.size.x / 2, box.size.y / 2, box.size.z / 2};
    tank.restitution = 0, tank.friction = 0;
    status = mote_world_add_collider(world, &tank, error);
    mote_shapes_release(shapes);
    return status;
}

static mote_Status add_block(mote_System *system, size_t side, mote_Error *error)
{
    size_t first;
    mote_Status status = mote_system_add_rows(system, side * side * side, &first, error);
    if (status != MOTE_OK) return status;
    const mote_Column *position = &system->columns[COLUMN_POSITION];
    for (size_t i = 0; i < side * side * side; ++i) {
        const size_t at[3] = {i % side, i / side % side, i / side / side};
        for (int c = 0; c < 3; ++c)
            column_real(position, c)[i] = (mote_real)(spacing * (double)(at[c] + 1));
    }
    return MOTE_OK;
}

mote_World *dam_world(const Dam *dam, size_t side, mote_Tasks *tasks, const mote_Ranks *ranks,
                      mote_Error *error)
{
    mote_WorldDef def = mote_world_def();
    mote_SphSolver solver = mote_sph_solver_def();
    mote_SystemDef water = mote_system_def();
    mote_System *system;
    mote_World *world;
    def.fps = 1 / dam->frame, def.max_step = 0.01, def.tasks = tasks, def.ranks = ranks;
    solver.pressure = dam->pressure, solver.spacing = (mote_real)spacing;
    solver.support = (mote_real)dam->support;
    if (dam->kernel != NULL) solver.kernel = dam->kernel;
    water.name = "water", water.solver = "sph", water.solver_params = &solver;
    if (mote_world_create(&def, &world, error) != MOTE_OK) return NULL;
    mote_Status status = mote_world_add_system(world, &water, &system, error);
    if (status == MOTE_OK) status = add_tank(world, side, error);
    if (status == MOTE_OK) status = add_block(system, side, error);
    if (status == MOTE_OK) return world;
    mote_world_destroy(world);
    return NULL;
}
