/* Compiled twice: as it is for libmote, and with -DMOTE_DOUBLE for libmote-double. Headers rename
 * every function of mote then, so both halves stand in one program; a program's own functions need
 * two names. */
#include "swing.h"

#include <mote/world.h>

#include <math.h>
#include <stdio.h>

#ifdef MOTE_DOUBLE
#define SWING swing_in_double
#else
#define SWING swing_in_float
#endif

enum { STEPS = 1000 }; /* a swing */

/* A spring to the origin, of 1 N/m a kg: a swing takes 2 pi seconds. */
static void pull(void *context, size_t first_row, size_t count, const mote_real *const x[3],
                 const mote_real *const v[3], const mote_real *mass, double t,
                 mote_real *const a[3])
{
    (void)context, (void)first_row, (void)v, (void)mass, (void)t;
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < count; ++i) a[c][i] -= x[c][i];
}

/* One particle, 1 m from the origin. */
static mote_Status build(mote_World *world, mote_System **mass, mote_Error *error)
{
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef system = mote_system_def();
    mote_CallbackForce spring = mote_callback_force_def();
    mote_ForceDef force = mote_force_def();
    size_t row;
    solver.integrator = "rk4";
    system.name = "mass", system.solver_params = &solver;
    spring.accelerate = pull;
    force.type = "callback", force.params = &spring;
    mote_Status status = mote_world_add_system(world, &system, mass, error);
    if (status == MOTE_OK) status = mote_world_add_force(world, &force, error);
    if (status == MOTE_OK) status = mote_system_add_rows(*mass, 1, &row, error);
    if (status == MOTE_OK) ((mote_real *)mote_system_column(*mass, "position")->data)[row] = 1;
    return status;
}

double SWING(int swings)
{
    const double pi = 3.14159265358979323846;
    mote_WorldDef def = mote_world_def();
    mote_World *world = NULL;
    mote_System *mass;
    mote_Error error;
    double off = -1;
    def.gravity = (mote_Vec3){0, 0, 0};
    def.fps = STEPS / (2 * pi), def.max_step = 1 / def.fps;
    mote_Status status = mote_world_create(&def, &world, &error);
    if (status == MOTE_OK) status = build(world, &mass, &error);
    for (int i = 0; i < swings * STEPS && status == MOTE_OK; ++i)
        status = mote_world_step(world, NULL, &error);
    if (status == MOTE_OK)
        off = fabs((double)*(mote_real *)mote_system_column(mass, "velocity")->data);
    else
        fprintf(stderr, "%s\n", error.message);
    mote_world_destroy(world);
    return off;
}
