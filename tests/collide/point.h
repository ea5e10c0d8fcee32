/* A point in a system of its own, in a world with the given step and gravity. */
#ifndef TESTS_COLLIDE_POINT_H
#define TESTS_COLLIDE_POINT_H

#include "collide/walls.h"

static const double G = 9.81;
static const bool is_double = sizeof(mote_real) == 8;

static inline mote_CollideDef collide_def(const char *algorithm)
{
    mote_CollideDef def = mote_collide_def();
    def.algorithm = algorithm;
    return def;
}

static inline mote_World *world_with(double dt, mote_Vec3 gravity)
{
    mote_WorldDef def = setup_def(dt);
    def.gravity = gravity;
    return setup_world(&def);
}

/* A point in a system of its own, which collides by `algorithm`. */
static inline mote_System *point_of(mote_World *world, const char *integrator,
                                    const char *algorithm, mote_Vec3 x, mote_Vec3 v)
{
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef def = mote_system_def();
    mote_System *system;
    mote_Error error;
    solver.integrator = integrator;
    def.name = "ball", def.solver_params = &solver, def.collide = collide_def(algorithm);
    SETUP_OK(mote_world_add_system(world, &def, &system, &error), error);
    size_t row = setup_particle(system, x, v);
    setup_reals(system, "radius", 0)[row] = 0;
    return system;
}

#endif
