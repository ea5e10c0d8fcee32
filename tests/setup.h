/* What many tests start from: a world, a system in it, particles, and a number generator of the
 * tests' own (splitmix64), so that expected values do not come from the code under test. */
#ifndef TESTS_SETUP_H
#define TESTS_SETUP_H

#include <mote/world.h>

#include "check.h"

#include <stdlib.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Ends the program when a test cannot even be set up. */
#define SETUP_OK(call, error)                                                                      \
    do {                                                                                           \
        if ((call) != MOTE_OK) {                                                                   \
            fprintf(stderr, "%s:%d: setting up: %s\n", __FILE__, __LINE__, (error).message);       \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

static inline uint64_t setup_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in [low, high). */
static inline double setup_uniform(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(setup_bits(state) >> 11) / 9007199254740992.0);
}

static inline mote_Vec3 setup_vec(double x, double y, double z)
{
    return (mote_Vec3){(mote_real)x, (mote_real)y, (mote_real)z};
}

static inline mote_Tasks *setup_tasks(int threads)
{
    mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks;
    mote_Error error;
    def.threads = threads;
    SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
    return tasks;
}

/* A world definition without gravity: one sub-step of `dt` per frame. */
static inline mote_WorldDef setup_def(double dt)
{
    mote_WorldDef def = mote_world_def();
    def.gravity = setup_vec(0, 0, 0);
    def.fps = 1 / dt;
    def.max_step = dt * 1.0000001;
    return def;
}

static inline mote_World *setup_world(const mote_WorldDef *def)
{
    mote_World *world;
    mote_Error error;
    SETUP_OK(mote_world_create(def, &world, &error), error);
    return world;
}

/* integrator NULL: the default; trace NULL: forces. */
static inline mote_System *setup_system(mote_World *world, const char *name, const char *integrator,
                                        const char *trace)
{
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef def = mote_system_def();
    mote_System *system;
    mote_Error error;
    solver.integrator = integrator;
    solver.trace = trace;
    def.name = name;
    def.solver_params = &solver;
    SETUP_OK(mote_world_add_system(world, &def, &system, &error), error);
    return system;
}

static inline void setup_force(mote_World *world, const char *type, const void *params)
{
    mote_ForceDef def = mote_force_def();
    def.type = type, def.params = params;
    mote_Error error;
    SETUP_OK(mote_world_add_force(world, &def, &error), error);
}

static inline void setup_plane(mote_World *world, mote_Vec3 normal, double restitution,
                               double friction)
{
    mote_ColliderDef def = mote_collider_def();
    mote_PlaneShape shape = mote_plane_shape_def();
    mote_Error error;
    shape.normal = normal;
    def.shape_params = &shape;
    def.restitution = (mote_real)restitution;
    def.friction = (mote_real)friction;
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
}

/* Plane c of a column of mote_real. */
static inline mote_real *setup_reals(const mote_System *system, const char *column, int c)
{
    const mote_Column *found = mote_system_column(system, column);
    return (mote_real *)found->data + (size_t)c * found->stride;
}

static inline double setup_at(const mote_System *system, const char *column, int c, size_t row)
{
    return (double)setup_reals(system, column, c)[row];
}

/* A row with this position and velocity; its number. */
static inline size_t setup_particle(mote_System *system, mote_Vec3 x, mote_Vec3 v)
{
    size_t row;
    mote_Error error;
    SETUP_OK(mote_system_add_rows(system, 1, &row, &error), error);
    const mote_real at[3] = {x.x, x.y, x.z}, speed[3] = {v.x, v.y, v.z};
    for (int c = 0; c < 3; ++c) {
        setup_reals(system, "position", c)[row] = at[c];
        setup_reals(system, "velocity", c)[row] = speed[c];
    }
    return row;
}

static inline mote_StepReport setup_step(mote_World *world)
{
    mote_StepReport report;
    mote_Error error;
    SETUP_OK(mote_world_step(world, &report, &error), error);
    return report;
}

#endif
