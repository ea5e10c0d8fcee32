/* Edge on edge: leaning cards, crossed bricks. */
#include "bodies/rigid.h"

static const double DEGREE = 0.017453292519943295;

/* A card of 1 m by 0.01 m by 0.6 m that leans to the side given by its sign, with its inner edges
 * on the ground and at x = 0. */
static void add_card(mote_World *world, const char *name, double side, double degrees, double mu)
{
    const double height = 1, thick = 0.01, angle = degrees * DEGREE;
    mote_BoxShape box = {{(mote_real)thick, (mote_real)height, (mote_real)0.6}};
    double x = 0.5 * thick * cos(angle) + 0.5 * height * sin(angle);
    double y = 0.5 * thick * sin(angle) + 0.5 * height * cos(angle);
    mote_BodyDef def = rigid_def(name, "box", &box, setup_vec(-side * x, y, 0));
    def.motion.rotate.z = (mote_real)(-side * degrees);
    def.friction = (mote_real)mu;
    rigid_add(world, &def);
}

/* How far the cards have come down after 3 s, and their speed then. */
static double lean(double degrees, double mu, double dt, double *speed)
{
    mote_World *world = rigid_world(dt, G);
    rigid_ground(world, 0, mu);
    add_card(world, "left", 1, degrees, mu);
    add_card(world, "right", -1, degrees, mu);
    double before = rigid_state(world, "left").centre[1];
    rigid_run(world, (int)(3 / dt + 0.5));
    mote_BodyState left = rigid_state(world, "left"), right = rigid_state(world, "right");
    *speed = fmax(rigid_length(left.velocity), rigid_length(right.velocity));
    mote_world_destroy(world);
    return before - fmin(left.centre[1], right.centre[1]);
}

/* The cards push each other level, with m g (tan(angle) - thickness / height) / 2, and only the
 * ground's friction holds that. */
static void cards_stand_as_friction_says(void)
{
    static const struct {
        double degrees, mu;
        bool stands;
    } cases[] = {{20, 0.20, true}, {20, 0.185, true}, {20, 0.165, false},
                 {25, 0.25, true}, {25, 0.21, false}, {35, 0.37, true}};
    static const double steps[] = {0.01, 1.0 / 60};
    for (size_t i = 0; i < COUNT_OF(cases); ++i)
        for (size_t k = 0; k < COUNT_OF(steps); ++k) {
            double speed, down = lean(cases[i].degrees, cases[i].mu, steps[k], &speed);
            CHECK((down < 2e-3 && speed < 1e-3) == cases[i].stands);
            CHECK((down > 0.1) != cases[i].stands);
            if ((down < 2e-3) != cases[i].stands)
                fprintf(stderr, "  %g degrees, mu %g, dt %g: down %g m, %g m/s\n", cases[i].degrees,
                        cases[i].mu, steps[k], down, speed);
        }
}

/* A brick falls across another, both on their edges: they meet in one point, along the direction
 * across both edges, which is up. So nothing pushes it aside. */
static void crossed_edges_push_straight(void)
{
    mote_World *world = rigid_world(0.01, G);
    mote_BoxShape bar = {{2, (mote_real)0.2, (mote_real)0.2}};
    const double reach = 0.1 * sqrt(2);
    mote_BodyDef def = rigid_def("rail", "box", &bar, setup_vec(0, 0, 0));
    def.free = false, def.motion.rotate.x = 45;
    rigid_add(world, &def);
    def = rigid_def("bar", "box", &bar, setup_vec(0, 2 * reach + 0.05, 0));
    def.motion.rotate = setup_vec(45, 90, 0);
    def.friction = 0;
    rigid_add(world, &def);
    for (int i = 0; i < 60; ++i) {
        rigid_run(world, 1);
        mote_BodyState s = rigid_state(world, "bar");
        CHECK(fabs(s.velocity[0]) < 0.01 && fabs(s.velocity[2]) < 0.01);
        CHECK_NEAR(s.centre[1], 2 * reach, 0.06);
    }
    CHECK_NEAR(rigid_state(world, "bar").centre[1], 2 * reach, 2e-3);
    mote_world_destroy(world);
}

TESTS({"cards_stand_as_friction_says", cards_stand_as_friction_says},
      {"crossed_edges_push_straight", crossed_edges_push_straight})
