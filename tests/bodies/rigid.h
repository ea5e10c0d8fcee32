/* Worlds with bodies: what the tests of them start from. */
#ifndef TESTS_BODIES_RIGID_H
#define TESTS_BODIES_RIGID_H

#include "setup.h"

static const double G = 9.81;

/* One sub-step of dt per frame; gravity along -y. */
static inline mote_World *rigid_world(double dt, double gravity)
{
    mote_WorldDef def = setup_def(dt);
    def.gravity = setup_vec(0, -gravity, 0);
    return setup_world(&def);
}

static inline void rigid_add(mote_World *world, const mote_BodyDef *def)
{
    mote_Error error;
    SETUP_OK(mote_world_add_body(world, def, &error), error);
}

/* A body that bounces not at all, of density 1000, with friction 0.5. */
static inline mote_BodyDef rigid_def(const char *name, const char *shape, const void *params,
                                     mote_Vec3 at)
{
    mote_BodyDef def = mote_body_def();
    def.name = name, def.shape = shape, def.shape_params = params;
    def.motion.at = at;
    def.restitution = 0;
    return def;
}

static inline void rigid_box(mote_World *world, const char *name, mote_Vec3 size, mote_Vec3 at)
{
    mote_BoxShape box = {size};
    mote_BodyDef def = rigid_def(name, "box", &box, at);
    rigid_add(world, &def);
}

/* The half-space y < 0, turned about z by `slope` degrees; no restitution of its own. */
static inline void rigid_ground(mote_World *world, double slope, double friction)
{
    mote_ColliderDef def = mote_collider_def();
    mote_Error error;
    def.name = "ground", def.shape = "plane";
    def.restitution = 0, def.friction = (mote_real)friction;
    def.motion.rotate.z = (mote_real)slope;
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
}

static inline mote_BodyState rigid_state(const mote_World *world, const char *name)
{
    mote_BodyState state;
    mote_Error error;
    SETUP_OK(mote_world_body(world, name, &state, &error), error);
    return state;
}

static inline void rigid_run(mote_World *world, int frames)
{
    mote_Error error;
    for (int i = 0; i < frames; ++i) SETUP_OK(mote_world_step(world, NULL, &error), error);
}

static inline double rigid_length(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

#endif
