/* Collision and contact with a plane: bouncing, resting, sliding, and what must never happen. */
#include "setup.h"

static const double G = 9.81;
static const double ROUNDING = sizeof(mote_real) == 4 ? 1e-5 : 1e-13;
static const char *const integrators[] = {"symplectic-euler", "leapfrog", "rk4", "euler"};

/* A world with gravity (gx, gy, 0) above the plane y = 0. */
static mote_World *ground_world(double dt, double gx, double gy, double restitution,
                                double friction)
{
    mote_WorldDef def = setup_def(dt);
    def.gravity = setup_vec(gx, gy, 0);
    mote_World *world = setup_world(&def);
    setup_plane(world, setup_vec(0, 2, 0), restitution, friction);
    return world;
}

/* A particle without size. */
static mote_System *point_at(mote_World *world, const char *integrator, mote_Vec3 x, mote_Vec3 v)
{
    mote_System *system = setup_system(world, "ball", integrator, NULL);
    size_t row = setup_particle(system, x, v);
    setup_reals(system, "radius", 0)[row] = 0;
    return system;
}

static double height(const mote_System *system)
{
    return setup_at(system, "position", 1, 0);
}

/* ---- bouncing ---- */

/* The heights of the first `count` turning points after a fall from 1 m. */
static void apexes(double dt, double restitution, int count, double *found)
{
    mote_World *world = ground_world(dt, 0, -G, restitution, 0);
    mote_System *ball = point_at(world, "leapfrog", setup_vec(0, 1, 0), setup_vec(0, 0, 0));
    double before = 1, now = 1;
    for (int n = 0, steps = 0; n < count && steps < 200000; ++steps) {
        setup_step(world);
        double next = height(ball);
        CHECK(next >= -ROUNDING);
        if (now > before && now >= next && steps > 2) found[n++] = now;
        before = now, now = next;
    }
    mote_world_destroy(world);
}

/* Apex n is e^2n h; a bounce is off by the distance fallen in a step, so the error is of order dt.
 */
static void apexes_converge(void)
{
    enum { APEXES = 4 };
    static const double steps[] = {1e-2, 1e-3, 1e-4}, restitutions[] = {0.9, 0.7};
    if (sizeof(mote_real) == 4) return;
    for (size_t r = 0; r < COUNT_OF(restitutions); ++r)
        for (size_t s = 0; s < COUNT_OF(steps); ++s) {
            double found[APEXES] = {0}, e = restitutions[r];
            apexes(steps[s], e, APEXES, found);
            for (int n = 0; n < APEXES; ++n)
                CHECK_NEAR(found[n], pow(e, 2 * (n + 1)), 3 * sqrt(2 * G) * steps[s]);
        }
}

static void elastic_bounces_gain_nothing(void)
{
    for (size_t i = 0; i < 2; ++i) { /* symplectic Euler and leapfrog */
        const double dt = 0.004, speed = sqrt(2 * G);
        mote_World *world = ground_world(dt, 0, -G, 1, 0);
        mote_System *ball = point_at(world, integrators[i], setup_vec(0, 1, 0), setup_vec(0, 0, 0));
        double most = 0, least = 1e9;
        for (int step = 0; step < 20000; ++step) {
            setup_step(world);
            double v = setup_at(ball, "velocity", 1, 0), energy = G * height(ball) + 0.5 * v * v;
            most = energy > most ? energy : most, least = energy < least ? energy : least;
        }
        /* one step's depth, and the swing of symplectic Euler's own energy */
        CHECK(most <= G * (1 + speed * dt) + (i == 0 ? G * speed * dt : 1e-3));
        /* symplectic Euler loses as much at every bounce; leapfrog does not */
        if (i == 1) CHECK(least >= G * (1 - speed * dt));
        mote_world_destroy(world);
    }
}

static void fast_particles_do_not_tunnel(void)
{
    static const double speeds[] = {1, 100, 1e4, 1e6};
    for (size_t s = 0; s < COUNT_OF(speeds); ++s)
        for (size_t i = 0; i < COUNT_OF(integrators); ++i) {
            mote_World *world = ground_world(0.01, 0, -G, 0.5, 0.3);
            mote_System *ball = point_at(world, integrators[i], setup_vec(0, 0.5, 0),
                                         setup_vec(speeds[s] / 2, -speeds[s], 3));
            for (int step = 0; step < 100; ++step) {
                setup_step(world);
                CHECK(height(ball) >= -ROUNDING);
            }
            mote_world_destroy(world);
        }
}

static void restitution_and_friction_of_one_bounce(void)
{
    const double e = 0.6, mu = 0.25;
    mote_World *world = ground_world(0.01, 0, 0, e, mu);
    mote_System *ball = point_at(world, "leapfrog", setup_vec(0, 0.005, 0), setup_vec(3, -2, 4));
    mote_StepReport report = setup_step(world);
    double loss = mu * (1 + e) * 2; /* of the tangential speed, 5 */
    CHECK(report.hits == 1);
    CHECK_NEAR(setup_at(ball, "velocity", 1, 0), e * 2, 1e-5);
    CHECK_NEAR(setup_at(ball, "velocity", 0, 0), 3 * (1 - loss / 5), 1e-5);
    CHECK_NEAR(setup_at(ball, "velocity", 2, 0), 4 * (1 - loss / 5), 1e-5);
    mote_world_destroy(world);
}

/* ---- resting ---- */

static void check_at_rest(mote_World *world, const mote_System *ball, int steps)
{
    mote_real x[3], v[3];
    bool same = true;
    for (int c = 0; c < 3; ++c) {
        x[c] = setup_reals(ball, "position", c)[0];
        v[c] = setup_reals(ball, "velocity", c)[0];
    }
    for (int step = 0; step < steps; ++step) {
        setup_step(world);
        for (int c = 0; c < 3; ++c)
            same = same && memcmp(&x[c], &setup_reals(ball, "position", c)[0], sizeof x[c]) == 0 &&
                   memcmp(&v[c], &setup_reals(ball, "velocity", c)[0], sizeof v[c]) == 0;
    }
    CHECK(same);
    for (int c = 0; c < 3; ++c) CHECK(v[c] == 0);
}

static void balls_come_to_rest(void)
{
    for (size_t i = 0; i < COUNT_OF(integrators); ++i) {
        mote_World *world = ground_world(0.01, 0, -G, 0.5, 0.3);
        mote_System *ball =
            point_at(world, integrators[i], setup_vec(0, 1, 0), setup_vec(1, 0, 0.5));
        for (int step = 0; step < 1000; ++step) {
            setup_step(world);
            CHECK(height(ball) >= -ROUNDING);
        }
        /* explicit Euler moves with the velocity of the last step, which gravity has touched
         * already: it keeps hopping by g dt^2 */
        bool hops = strcmp(integrators[i], "euler") == 0;
        CHECK_NEAR(height(ball), 0, hops ? 4 * G * 1e-4 : ROUNDING);
        if (!hops) check_at_rest(world, ball, 10000);
        mote_world_destroy(world);
    }
}

static void radius_is_respected(void)
{
    for (int as_points = 0; as_points < 2; ++as_points) {
        mote_World *world = ground_world(0.01, 0, -G, 0.5, 0.3);
        mote_SystemDef def = mote_system_def();
        mote_System *system;
        mote_Error error;
        def.name = "balls";
        def.collide.as_points = as_points;
        SETUP_OK(mote_world_add_system(world, &def, &system, &error), error);
        for (int i = 0; i < 5; ++i) {
            size_t row = setup_particle(system, setup_vec(i, 2, 0), setup_vec(0, 0, 0));
            setup_reals(system, "radius", 0)[row] = (mote_real)(0.1 * i);
        }
        for (int step = 0; step < 1500; ++step) setup_step(world);
        for (size_t i = 0; i < 5; ++i)
            CHECK_NEAR(setup_at(system, "position", 1, i), as_points ? 0 : 0.1 * (double)i, 1e-5);
        mote_world_destroy(world);
    }
}

static void none_falls_through(void)
{
    mote_World *world = ground_world(0.01, 0, -G, 0.5, 0.3);
    mote_SystemDef def = mote_system_def();
    mote_System *system;
    mote_Error error;
    def.name = "ghosts";
    def.collide.algorithm = "none";
    SETUP_OK(mote_world_add_system(world, &def, &system, &error), error);
    setup_particle(system, setup_vec(0, 0.1, 0), setup_vec(0, -1, 0));
    for (int step = 0; step < 100; ++step) setup_step(world);
    CHECK(setup_at(system, "position", 1, 0) < -1);
    mote_world_destroy(world);
}

/* ---- sliding ---- */

/* The plane stays level and gravity is tilted by theta; the same physics. */
static void slopes(void)
{
    static const double angles[] = {0.1, 0.3, 0.5, 0.9}, frictions[] = {0, 0.2, 0.5, 1.2};
    for (size_t a = 0; a < COUNT_OF(angles); ++a)
        for (size_t f = 0; f < COUNT_OF(frictions); ++f) {
            double pull = G * sin(angles[a]), press = G * cos(angles[a]), mu = frictions[f];
            mote_World *world = ground_world(0.002, pull, -press, 0, mu);
            mote_System *ball =
                point_at(world, "symplectic-euler", setup_vec(0, 0, 0), setup_vec(0, 0, 0));
            for (int step = 0; step < 1000; ++step) setup_step(world);
            double v = setup_at(ball, "velocity", 0, 0), x = setup_at(ball, "position", 0, 0);
            double expected = pull > mu * press ? pull - mu * press : 0;
            CHECK_NEAR(v / 2, expected, 1e-3);
            CHECK_NEAR(x / 2, expected, expected > 0 ? 1e-2 * expected : 1e-6);
            if (expected == 0) check_at_rest(world, ball, 1000);
            mote_world_destroy(world);
        }
}

/* A plane that is really tilted: what sticks does not creep along it nor off it. */
static void tilted_plane(void)
{
    static const double angle = 0.4;
    for (int slips = 0; slips < 2; ++slips) {
        mote_WorldDef def = setup_def(0.005);
        def.gravity = setup_vec(0, -G, 0);
        mote_World *world = setup_world(&def);
        double mu = slips ? 0.3 : 0.45; /* tan(0.4) = 0.4228 */
        setup_plane(world, setup_vec(sin(angle), cos(angle), 0), 0, mu);
        mote_System *ball =
            point_at(world, "symplectic-euler", setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        for (int step = 0; step < 400; ++step) setup_step(world);
        double along = setup_at(ball, "position", 0, 0) * cos(angle) -
                       setup_at(ball, "position", 1, 0) * sin(angle);
        double off = setup_at(ball, "position", 0, 0) * sin(angle) +
                     setup_at(ball, "position", 1, 0) * cos(angle);
        double a = slips ? G * (sin(angle) - mu * cos(angle)) : 0;
        CHECK_NEAR(along, 0.5 * a * 4, slips ? 0.01 : 1e-5);
        CHECK_NEAR(off, 0, sizeof(mote_real) == 4 ? 1e-5 : 1e-12);
        mote_world_destroy(world);
    }
}

/* Friction pulls a particle along with a belt at mu g, until it moves with it. */
static void belts_carry(void)
{
    mote_WorldDef def = setup_def(0.001);
    def.gravity = setup_vec(0, -G, 0);
    mote_World *world = setup_world(&def);
    mote_ColliderDef belt = mote_collider_def();
    mote_Error error;
    belt.velocity = setup_vec(2, 0, 0);
    belt.friction = (mote_real)0.3, belt.restitution = 0;
    SETUP_OK(mote_world_add_collider(world, &belt, &error), error);
    mote_System *ball = point_at(world, NULL, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    double grip = 0.3 * G;
    for (int step = 0; step < 400; ++step) setup_step(world);
    CHECK_NEAR(setup_at(ball, "velocity", 0, 0), grip * 0.4, 0.01);
    for (int step = 400; step < 3000; ++step) setup_step(world);
    CHECK_NEAR(setup_at(ball, "velocity", 0, 0), 2, 1e-5);
    CHECK_NEAR(setup_at(ball, "position", 0, 0), 2 * 3 - 2 * 2 / (2 * grip), 0.02);
    CHECK_NEAR(height(ball), 0, ROUNDING);
    mote_world_destroy(world);
}

/* A plane moved by the caller between sub-steps is felt at once. */
static mote_Status lift(void *context, mote_World *world, double t, mote_Error *error)
{
    mote_PlaneShape *plane = mote_world_find(world, MOTE_KIND_SHAPE, "plane-0");
    (void)context, (void)error;
    plane->offset = (mote_real)t;
    return MOTE_OK;
}

static void planes_can_be_moved(void)
{
    mote_WorldDef def = setup_def(0.01);
    def.gravity = setup_vec(0, -G, 0);
    def.before_substep = lift;
    mote_World *world = setup_world(&def);
    setup_plane(world, setup_vec(0, 1, 0), 0, 0);
    mote_System *ball = point_at(world, NULL, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    for (int step = 0; step < 100; ++step) {
        setup_step(world);
        CHECK(height(ball) >= 0.01 * step - 1e-5);
    }
    mote_world_destroy(world);
}

static void corner_of_two_planes(void)
{
    mote_WorldDef def = setup_def(0.01);
    def.gravity = setup_vec(-3, -G, 0);
    mote_World *world = setup_world(&def);
    setup_plane(world, setup_vec(0, 1, 0), 0.4, 0.1);
    setup_plane(world, setup_vec(1, 0, 0), 0.4, 0.1);
    mote_System *ball = point_at(world, NULL, setup_vec(1, 1, 0), setup_vec(-5, -5, 0));
    for (int step = 0; step < 2000; ++step) {
        setup_step(world);
        CHECK(height(ball) >= -ROUNDING && setup_at(ball, "position", 0, 0) >= -ROUNDING);
    }
    CHECK_NEAR(height(ball), 0, ROUNDING);
    CHECK_NEAR(setup_at(ball, "position", 0, 0), 0, ROUNDING);
    mote_world_destroy(world);
}

static void bad_colliders(void)
{
    static const mote_PlaneShape no_normal = {{0, 0, 0}, 0};
    const char *const nobody[] = {"nobody"};
    mote_ColliderDef bad[6];
    static const char *const texts[6] = {"`plane`",        "normal", "restitution is 1.5",
                                         "friction is -1", "nobody", "velocity"};
    for (int i = 0; i < 6; ++i) bad[i] = mote_collider_def(), bad[i].name = "floor";
    bad[0].shape = "plain";
    bad[1].shape_params = &no_normal;
    bad[2].restitution = (mote_real)1.5;
    bad[3].friction = -1;
    bad[4].systems = nobody, bad[4].system_count = 1;
    bad[5].velocity.y = (mote_real)NAN;
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    for (int i = 0; i < 6; ++i) {
        mote_Error error = {0};
        CHECK(mote_world_add_collider(world, &bad[i], &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, texts[i]);
    }
    mote_world_destroy(world);
}

TESTS({"apexes_converge", apexes_converge},
      {"elastic_bounces_gain_nothing", elastic_bounces_gain_nothing},
      {"fast_particles_do_not_tunnel", fast_particles_do_not_tunnel},
      {"restitution_and_friction_of_one_bounce", restitution_and_friction_of_one_bounce},
      {"balls_come_to_rest", balls_come_to_rest}, {"radius_is_respected", radius_is_respected},
      {"none_falls_through", none_falls_through}, {"slopes", slopes},
      {"tilted_plane", tilted_plane}, {"belts_carry", belts_carry},
      {"planes_can_be_moved", planes_can_be_moved}, {"corner_of_two_planes", corner_of_two_planes},
      {"bad_colliders", bad_colliders})
