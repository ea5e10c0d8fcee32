/* Round bodies roll as rigid ones do: nothing brakes them on a level floor, and on a slope they
 * gain g sin(a) / (1 + I / m r^2). */
#include "bodies/rigid.h"

static const double RADIUS = 0.1, DEGREE = 0.017453292519943295;

typedef struct Roller {
    const char *shape;
    double share; /* I / m r^2 about the axis it rolls about */
    bool on_slab; /* a box, not a plane */
} Roller;

static const double BARREL = 0.25; /* m, length of the capsule's cylinder */

/* pi r^2 l of the cylinder and 4/3 pi r^3 of the ball, each with its own share. */
static double capsule_share(void)
{
    double cylinder = BARREL, ball = 4.0 / 3 * RADIUS;
    return (0.5 * cylinder + 0.4 * ball) / (cylinder + ball);
}

/* A slab with its top at y = 0. */
static void add_slab(mote_World *world)
{
    mote_BoxShape slab = {{40, 1, 4}};
    mote_BodyDef def = rigid_def("slab", "box", &slab, setup_vec(0, -0.5, 0));
    def.free = false;
    rigid_add(world, &def);
}

/* A roller that touches the ground, turned by `slope` about z, with velocity and matching spin. */
static mote_World *rolling_world(const Roller *roller, double dt, double slope, double speed)
{
    const double angle = slope * DEGREE;
    mote_World *world = rigid_world(dt, G);
    mote_SphereShape ball = {(mote_real)RADIUS};
    mote_CylinderShape cylinder = {(mote_real)RADIUS, (mote_real)0.3};
    mote_CapsuleShape capsule = {(mote_real)RADIUS, (mote_real)BARREL};
    const void *params = roller->shape[0] == 's'   ? (const void *)&ball
                         : roller->shape[1] == 'y' ? (const void *)&cylinder
                                                   : (const void *)&capsule;
    mote_BodyDef def = rigid_def("roller", roller->shape, params,
                                 setup_vec(-RADIUS * sin(angle), RADIUS * cos(angle), 0));
    def.motion.rotate.x = 90; /* its axis across the slope */
    def.motion.velocity = setup_vec(speed, 0, 0);
    def.motion.spin.z = (mote_real)(-speed / RADIUS / DEGREE);
    if (roller->on_slab)
        add_slab(world);
    else
        rigid_ground(world, slope, 0.5);
    rigid_add(world, &def);
    return world;
}

static void rollers(Roller out[3])
{
    out[0] = (Roller){"sphere", 0.4, false};
    out[1] = (Roller){"cylinder", 0.5, false};
    out[2] = (Roller){"capsule", capsule_share(), false};
}

/* For 4 s at 2 m/s: the speed stays, the height stays, the spin matches. */
static void level_floors_do_not_brake(void)
{
    static const double steps[] = {0.01, 1.0 / 60, 0.01};
    Roller all[3];
    rollers(all);
    for (int i = 0; i < 3; ++i)
        for (size_t k = 0; k < COUNT_OF(steps); ++k) {
            all[i].on_slab = k == 2;
            mote_World *world = rolling_world(&all[i], steps[k], 0, 2);
            rigid_run(world, (int)(4 / steps[k] + 0.5));
            mote_BodyState s = rigid_state(world, "roller");
            CHECK_NEAR(s.velocity[0], 2, 0.002);
            CHECK_NEAR(s.spin[2] * RADIUS, -2, 0.002);
            CHECK_NEAR(s.centre[0], 8, 0.01);
            CHECK_NEAR(s.centre[1], RADIUS, 5e-5); /* soft contacts yield by about g h^2 */
            CHECK_NEAR(s.centre[2], 0, 1e-4);
            mote_world_destroy(world);
        }
}

static void slopes_speed_up_as_inertia_says(void)
{
    Roller all[3];
    rollers(all);
    for (int i = 0; i < 3; ++i) {
        mote_World *world = rolling_world(&all[i], 0.01, -10, 0);
        rigid_run(world, 200);
        mote_BodyState s = rigid_state(world, "roller");
        double expected = G * sin(10 * DEGREE) * 2 / (1 + all[i].share);
        CHECK_NEAR(rigid_length(s.velocity) / expected, 1, 2e-3);
        CHECK_NEAR(-s.spin[2] * RADIUS / expected, 1, 2e-3);
        CHECK(s.velocity[0] > 0);
        mote_world_destroy(world);
    }
}

/* Thrown flat without spin it slides until it rolls at 5/7 of its speed. */
static void a_thrown_ball_ends_rolling(void)
{
    const Roller ball = {"sphere", 0.4, false};
    mote_World *world = rolling_world(&ball, 0.01, 0, 0);
    const double push[3] = {4.0 / 3 * 3.141592653589793 * RADIUS * RADIUS * RADIUS * 1000 * 3, 0,
                            0};
    const double at[3] = {0, RADIUS, 0};
    mote_Error error;
    SETUP_OK(mote_world_push_body(world, "roller", push, at, &error), error);
    rigid_run(world, 200);
    mote_BodyState s = rigid_state(world, "roller");
    CHECK_NEAR(s.velocity[0] / (3 * 5.0 / 7), 1, 2e-3);
    CHECK_NEAR(-s.spin[2] * RADIUS / (3 * 5.0 / 7), 1, 2e-3);
    mote_world_destroy(world);
}

TESTS({"level_floors_do_not_brake", level_floors_do_not_brake},
      {"slopes_speed_up_as_inertia_says", slopes_speed_up_as_inertia_says},
      {"a_thrown_ball_ends_rolling", a_thrown_ball_ends_rolling})
