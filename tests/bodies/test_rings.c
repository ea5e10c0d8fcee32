/* Rings as bodies: they have no core, and touch with balls strung on their circle. They lie on the
 * ground, are held by what stands in their hole, and roll about as their inertia says. */
#include "bodies/rigid.h"

static const double RADIUS = 0.3, TUBE = 0.08, DEGREE = 0.017453292519943295;

static mote_BodyDef ring_def(const mote_TorusShape *shape, mote_Vec3 at)
{
    return rigid_def("ring", "torus", shape, at);
}

static void rings_lie(void)
{
    const mote_TorusShape shape = {(mote_real)RADIUS, (mote_real)TUBE};
    mote_World *world = rigid_world(0.01, G);
    mote_BodyDef def = ring_def(&shape, setup_vec(0, 0.5, 0));
    def.motion.rotate = setup_vec(20, 0, 10);
    rigid_ground(world, 0, 0.5);
    rigid_add(world, &def);
    rigid_run(world, 400);
    mote_BodyState s = rigid_state(world, "ring");
    const double pi = 3.141592653589793;
    CHECK_NEAR(s.mass / (1000 * 2 * pi * pi * RADIUS * TUBE * TUBE), 1, 1e-5);
    CHECK_NEAR(s.centre[1], TUBE, 2e-3);
    CHECK(rigid_length(s.velocity) < 0.01 && rigid_length(s.spin) < 0.03);
    mote_world_destroy(world);
}

/* Pushed to all sides, a ring around a pole goes no farther than its hole allows. */
static void poles_hold_rings(void)
{
    const mote_TorusShape shape = {(mote_real)RADIUS, (mote_real)TUBE};
    const mote_CylinderShape pole = {(mote_real)0.05, 2};
    mote_World *world = rigid_world(0.005, G);
    mote_BodyDef def = ring_def(&shape, setup_vec(0.02, 0.3, 0));
    mote_BodyDef stands = rigid_def("pole", "cylinder", &pole, setup_vec(0, 1, 0));
    mote_Error error;
    double farthest = 0;
    stands.free = false;
    rigid_ground(world, 0, 0.2);
    rigid_add(world, &stands);
    rigid_add(world, &def);
    rigid_run(world, 150);
    for (int i = 0; i < 12; ++i) {
        mote_BodyState s = rigid_state(world, "ring");
        const double angle = 2.4 * i,
                     push[3] = {2 * s.mass * cos(angle), 0, 2 * s.mass * sin(angle)};
        SETUP_OK(mote_world_push_body(world, "ring", push, s.centre, &error), error);
        for (int k = 0; k < 40; ++k) {
            rigid_run(world, 1);
            s = rigid_state(world, "ring");
            farthest = fmax(farthest, hypot(s.centre[0], s.centre[2]));
        }
    }
    const double free = RADIUS - TUBE - 0.05;
    CHECK(farthest > 0.9 * free && farthest < free + 0.01);
    mote_world_destroy(world);
}

/* Down a slope, as a wheel of radius R + r: the balls of its rim cost some of its speed. */
static void rings_roll(void)
{
    const mote_TorusShape shape = {(mote_real)RADIUS, (mote_real)TUBE};
    const double angle = 10 * DEGREE, wheel = RADIUS + TUBE;
    mote_World *world = rigid_world(0.005, G);
    mote_BodyDef def = ring_def(&shape, setup_vec(wheel * sin(angle), wheel * cos(angle), 0));
    def.motion.rotate.x = 90;
    rigid_ground(world, -10, 0.5);
    rigid_add(world, &def);
    rigid_run(world, 400);
    mote_BodyState s = rigid_state(world, "ring");
    double share = (RADIUS * RADIUS + 0.75 * TUBE * TUBE) / (wheel * wheel);
    double expected = G * sin(angle) * 2 / (1 + share), speed = rigid_length(s.velocity);
    CHECK(speed < 1.01 * expected && speed > 0.95 * expected);
    CHECK_NEAR(-s.spin[2] * wheel / speed, 1, 0.02);
    mote_world_destroy(world);
}

TESTS({"rings_lie", rings_lie}, {"poles_hold_rings", poles_hold_rings}, {"rings_roll", rings_roll})
