/* Known answers: the incline, the bouncing ball, time of impact, friction laws, resting, sticking.
 * In double where the answer is exact. */
#include "collide/flight.h"
#include "collide/point.h"

/* ---- bouncing ---- */

/* Height at time t of a ball dropped from 1 m, restitution e: pieces of parabolas. */
static double bounced_height(double t, double e)
{
    double fall = sqrt(2 / G), speed = G * fall;
    if (t < fall) return 1 - 0.5 * G * t * t;
    t -= fall;
    for (int n = 0; n < 2000; ++n) {
        speed *= e;
        double flight = 2 * speed / G;
        if (t < flight) return speed * t - 0.5 * G * t * t;
        t -= flight;
    }
    return 0;
}

static void exact_bounces(void)
{
    static const double restitutions[] = {0.8, 0.5, 1}, steps[] = {0.01, 0.037};
    for (size_t r = 0; r < COUNT_OF(restitutions); ++r)
        for (size_t s = 0; s < COUNT_OF(steps); ++s) {
            double dt = steps[s], e = restitutions[r], worst = 0;
            mote_World *world = world_with(dt, setup_vec(0, -G, 0));
            setup_plane(world, setup_vec(0, 1, 0), e, 0);
            mote_System *ball =
                point_of(world, "leapfrog", "exact", setup_vec(0, 1, 0), setup_vec(0, 0, 0));
            for (int i = 1; i * dt < 5; ++i) {
                setup_step(world);
                double y = setup_at(ball, "position", 1, 0);
                worst = fmax(worst, fabs(y - bounced_height(mote_world_time(world), e)));
            }
            CHECK_NEAR(worst, 0, is_double ? 1e-9 : 2e-4);
            mote_world_destroy(world);
        }
}

/* All bouncing is over at T0 (1 + e) / (1 - e) = 4.0637 s; from then on the ball lies still. */
static void bouncing_ends(void)
{
    const double dt = 0.01, end = sqrt(2 / G) * 1.8 / 0.2;
    mote_World *world = world_with(dt, setup_vec(0, -G, 0));
    setup_plane(world, setup_vec(0, 1, 0), 0.8, 0);
    mote_System *ball =
        point_of(world, "leapfrog", "exact", setup_vec(0, 1, 0), setup_vec(0, 0, 0));
    CHECK_NEAR(end, 4.063713, 1e-6);
    while (mote_world_time(world) < end - dt * 1.5) setup_step(world);
    CHECK(setup_at(ball, "position", 1, 0) > 0 || setup_at(ball, "velocity", 1, 0) != 0);
    for (int i = 0; i < 4; ++i) setup_step(world);
    mote_real x = setup_reals(ball, "position", 1)[0];
    CHECK_NEAR(x, 0, 1e-6);
    CHECK(setup_reals(ball, "velocity", 1)[0] == 0);
    for (int i = 0; i < 1000; ++i) setup_step(world);
    CHECK(setup_reals(ball, "position", 1)[0] == x && setup_reals(ball, "velocity", 1)[0] == 0);
    mote_world_destroy(world);
}

/* The first apex of `contact` is off by an error of first order. */
static double apex_error(double dt)
{
    mote_World *world = world_with(dt, setup_vec(0, -G, 0));
    setup_plane(world, setup_vec(0, 1, 0), 0.8, 0);
    mote_System *ball =
        point_of(world, "leapfrog", "contact", setup_vec(0, 1, 0), setup_vec(0, 0, 0));
    while (!(setup_at(ball, "velocity", 1, 0) > 0)) setup_step(world);
    double v = setup_at(ball, "velocity", 1, 0), y = setup_at(ball, "position", 1, 0);
    mote_world_destroy(world);
    return y + 0.5 * v * v / G - 0.64;
}

/* Averaged over steps of similar length, because it also depends on where in a step the ball hits.
 */
static double mean_error(double dt)
{
    double sum = 0;
    for (int i = 0; i < 40; ++i) sum += fabs(apex_error(dt * (1 + 0.011 * i)));
    return sum / 40;
}

static void error_of_contact_halves(void)
{
    if (!is_double) return;
    double coarse = mean_error(4e-3), fine = mean_error(2e-3), finest = mean_error(1e-3);
    CHECK_NEAR(coarse / fine, 2, 0.5);
    CHECK_NEAR(fine / finest, 2, 0.5);
}

/* Energy never grows: beyond rounding (exact), beyond m g depth of a step (contact). */
static void energy_never_grows(void)
{
    static const char *const names[] = {"exact", "contact", "micro-safe"};
    static const double restitutions[] = {1, 0.7, 0};
    const double dt = 0.01;
    for (size_t a = 0; a < COUNT_OF(names); ++a)
        for (size_t r = 0; r < COUNT_OF(restitutions); ++r) {
            mote_World *world = world_with(dt, setup_vec(0, -G, 0));
            setup_plane(world, setup_vec(0.3, 1, 0), restitutions[r], 0.1);
            setup_plane(world, setup_vec(-0.5, 1, 0.2), restitutions[r], 0.1);
            mote_System *ball =
                point_of(world, "leapfrog", names[a], setup_vec(0, 1, 0.1), setup_vec(1, 0, 0.3));
            double start = 0.5 * 1.09 + G, most = 0;
            for (int i = 0; i < 3000; ++i) {
                setup_step(world);
                double e = G * setup_at(ball, "position", 1, 0);
                for (int c = 0; c < 3; ++c) e += 0.5 * pow(setup_at(ball, "velocity", c, 0), 2);
                most = fmax(most, e);
            }
            double depth = sqrt(2 * start) * dt; /* fallen in a step at the largest speed */
            double room = a == 0 ? (is_double ? 1e-9 : 1e-3) : 1.5 * G * depth;
            if (a < 2) CHECK(most <= start + room);
            mote_world_destroy(world);
        }
}

/* ---- time of impact ---- */

static void roots_do_not_cancel(void)
{
    uint64_t state = 5;
    double worst = 0;
    for (int i = 0; i < 100000 && is_double; ++i) {
        double y = pow(10, setup_uniform(&state, -8, 2)), v = setup_uniform(&state, -30, 30);
        double t = (double)flight_root((mote_real)y, (mote_real)v, (mote_real)-G);
        long double s =
            sqrtl((long double)v * (long double)v + 2 * (long double)G * (long double)y);
        long double truth = v < 0 ? 2 * (long double)y / (s - (long double)v)
                                  : ((long double)v + s) / (long double)G;
        worst = fmax(worst, (double)fabsl(((long double)t - truth) / truth));
    }
    CHECK(worst < 1e-15);
    CHECK(flight_root(1, 1, 1) < 0 && flight_root(1, -1, 1) < 0);
    CHECK_NEAR(flight_root(1, -2, 0), 0.5, 1e-7);
}

/* Parabolas against shapes that stand, slide and are turned: the gap at the impact is 0, and
 * positive before. */
static void times_of_impact(void)
{
    static const char *const shapes[] = {"plane", "sphere", "box", "capsule", "cylinder", "torus"};
    uint64_t state = 11;
    double worst = 0;
    int hits = 0, early = 0;
    for (int i = 0; i < 24000; ++i) {
        Walls walls = {.count = 0};
        Collider *c = walls_add(&walls, shapes[(size_t)i / 2 % COUNT_OF(shapes)]);
        double u[12];
        for (int k = 0; k < 12; ++k) u[k] = setup_uniform(&state, -1, 1);
        c->def.motion.rotate = setup_vec(180 * u[0], 180 * u[1], 180 * u[2]);
        if (i % 2 == 0) c->def.motion.velocity = setup_vec(u[3], u[4], u[5]);
        walls_prepare(&walls, 0, 1);
        Flight f = {.x = setup_vec(2 * u[6], 2 * u[7], 2 + u[8]), .a = setup_vec(0, 0, -G)};
        f.v = setup_vec(3 * u[9], 3 * u[10], 5 * u[11]);
        f.radius = (mote_real)(0.1 * (1 + u[0])), f.duration = 1, f.start = 0, f.end = 1;
        mote_real t;
        Impact impact;
        if (wall_distance(c, 0, f.x) <= f.radius) continue;
        if (!flight_meets(&f, c, &t, &impact)) continue;
        ++hits;
        double gap = (double)(wall_distance(c, t, flight_position(&f, t)) - f.radius);
        double wall_speed = (double)vec3_dot(
            vec3_sub(flight_velocity(&f, t), wall_velocity(c, t, impact.centre, impact.normal)),
            impact.normal);
        if (wall_speed < -0.05) worst = fmax(worst, fabs(gap)); /* grazing hits apart */
        for (int k = 1; k < 20; ++k) {
            mote_real s = t * (mote_real)k / 20;
            early += (double)(wall_distance(c, s, flight_position(&f, s)) - f.radius) < -1e-5;
        }
    }
    CHECK(hits > 2000);
    CHECK(early == 0);
    CHECK_NEAR(worst, 0, is_double ? 1e-12 : 1e-5);
}

/* ---- the incline ---- */

static const char *const contact_algorithms[] = {"contact", "exact"};

/* A plane that is really tilted, by theta: slides with g (sin theta - mu cos theta), or sticks and
 * stays where it is to the last bit, whatever the restitution. */
static void inclines(void)
{
    static const double angles[] = {0.2, 0.5235987756, 1}, mus[] = {0.1, 0.57, 0.6, 1.6};
    static const double steps[] = {0.002, 0.01}, restitutions[] = {0, 0.8};
    for (int k = 0; k < 3 * 4 * 2 * 2 * 2; ++k) {
        double theta = angles[k % 3], mu = mus[k / 3 % 4], dt = steps[k / 12 % 2];
        double e = restitutions[k / 24 % 2];
        mote_World *world = world_with(dt, setup_vec(0, -G, 0));
        setup_plane(world, setup_vec(sin(theta), cos(theta), 0), e, mu);
        mote_System *ball = point_of(world, "leapfrog", contact_algorithms[k / 48],
                                     setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        int count = (int)(1 / dt + 0.5);
        for (int i = 0; i < count; ++i) setup_step(world);
        double along = setup_at(ball, "velocity", 0, 0) * cos(theta) -
                       setup_at(ball, "velocity", 1, 0) * sin(theta);
        double a = G * (sin(theta) - mu * cos(theta));
        CHECK_NEAR(along, a > 0 ? a : 0, 1e-3 * G);
        if (a <= 0) {
            CHECK(setup_reals(ball, "position", 0)[0] == 0);
            CHECK(setup_reals(ball, "velocity", 0)[0] == 0);
        }
        mote_world_destroy(world);
    }
}

/* Static and kinetic coefficient: what rests stays up to tan theta = static, what slides is slowed
 * by the kinetic one. */
static void static_and_kinetic(void)
{
    const double theta = 0.5;
    for (int pushed = 0; pushed < 2; ++pushed) {
        mote_World *world = world_with(0.002, setup_vec(0, -G, 0));
        mote_ColliderDef def = mote_collider_def();
        mote_PlaneShape plane = {setup_vec(sin(theta), cos(theta), 0), 0};
        mote_DryFriction dry = {(mote_real)0.1, (mote_real)0.6, (mote_real)0.3};
        mote_Error error;
        def.shape_params = &plane, def.friction_law = "dry", def.friction_params = &dry;
        def.restitution = 0;
        SETUP_OK(mote_world_add_collider(world, &def, &error), error);
        double v0 = pushed ? 0.5 : 0;
        mote_System *ball = point_of(world, NULL, "contact", setup_vec(0, 0, 0),
                                     setup_vec(v0 * cos(theta), -v0 * sin(theta), 0));
        for (int i = 0; i < 500; ++i) setup_step(world);
        double v = setup_at(ball, "velocity", 0, 0) * cos(theta) -
                   setup_at(ball, "velocity", 1, 0) * sin(theta);
        double a = G * (sin(theta) - 0.3 * cos(theta));
        CHECK_NEAR(v, pushed ? v0 + a : 0, 2e-3 * G);
        mote_world_destroy(world);
    }
}

/* Wet friction: after n bounces the tangential speed is the product of exp(-D (1 + e) v_N). */
static void wet_friction(void)
{
    static const char *const laws[] = {"wet", "wet-linear"};
    const double damping = 0.05, e = 0.7;
    for (size_t l = 0; l < 2; ++l) {
        mote_World *world = world_with(0.01, setup_vec(0, -G, 0));
        mote_ColliderDef def = mote_collider_def();
        mote_WetFriction wet = {(mote_real)damping};
        mote_Error error;
        def.restitution = (mote_real)e, def.friction_law = laws[l], def.friction_params = &wet;
        SETUP_OK(mote_world_add_collider(world, &def, &error), error);
        mote_System *ball =
            point_of(world, "leapfrog", "exact", setup_vec(0, 1, 0), setup_vec(2, 0, 0));
        double v = 2, normal = sqrt(2 * G), before = 2;
        for (int n = 0; n < 4; ++n, normal *= e) {
            double share = damping * (1 + e) * normal;
            v *= l == 0 ? exp(-share) : 1 - share;
        }
        double t4 = sqrt(2 / G) * (1 + 2 * e * (1 - e * e * e) / (1 - e));
        while (mote_world_time(world) < t4) {
            setup_step(world);
            double now = setup_at(ball, "velocity", 0, 0);
            CHECK(now >= 0 && now <= before + 1e-6);
            before = now;
        }
        CHECK_NEAR(setup_at(ball, "velocity", 0, 0), v, 1e-5);
        mote_world_destroy(world);
    }
}

/* ---- resting, creeping, sticking ---- */

/* A block of particles on a tilted box that they came to lie on: nobody moves in 1e5 sub-steps. */
static void nobody_creeps(void)
{
    enum { BLOCK = 8 };
    mote_WorldDef world_def = setup_def(0.1);
    world_def.gravity = setup_vec(0, -G, 0);
    world_def.max_step = 0.002;
    mote_World *world = setup_world(&world_def);
    mote_ColliderDef def = mote_collider_def();
    mote_BoxShape box = {setup_vec(4, 1, 4)};
    mote_Error error;
    def.shape = "box", def.shape_params = &box, def.restitution = (mote_real)0.4;
    def.friction = (mote_real)0.9, def.motion.rotate = setup_vec(11, 20, 17);
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
    mote_System *system = setup_system(world, "block", NULL, NULL);
    uint64_t state = 3;
    for (int i = 0; i < BLOCK; ++i) {
        double x = setup_uniform(&state, -1, 1), z = setup_uniform(&state, -1, 1);
        setup_particle(system, setup_vec(x, 1.5, z), setup_vec(0, 0, 0));
    }
    for (int i = 0; i < 60; ++i) setup_step(world);
    mote_real at[3][BLOCK];
    for (int c = 0; c < 3; ++c) memcpy(at[c], setup_reals(system, "position", c), sizeof at[c]);
    for (int i = 0; i < 2000; ++i) setup_step(world); /* 50 sub-steps each */
    for (int c = 0; c < 3; ++c) {
        CHECK(memcmp(at[c], setup_reals(system, "position", c), sizeof at[c]) == 0);
        for (int i = 0; i < BLOCK; ++i) CHECK(setup_reals(system, "velocity", c)[i] == 0);
    }
    mote_world_destroy(world);
}

/* Snow sticks to a ceiling as to a floor, and goes along when the wall moves. */
static void sticking(void)
{
    mote_World *world = world_with(0.01, setup_vec(0, -G, 0));
    mote_ColliderDef def = mote_collider_def();
    mote_BoxShape box = {setup_vec(1, 1, 1)};
    mote_Error error;
    def.shape = "box", def.shape_params = &box, def.friction_law = "stick";
    def.motion.at = setup_vec(0, 2, 0), def.motion.velocity = setup_vec(0.5, 0, 0);
    def.motion.spin = setup_vec(0, 40, 0);
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
    mote_System *ball =
        point_of(world, NULL, "contact", setup_vec(0.2, 0.5, 0), setup_vec(0, 6, 0));
    for (int i = 0; i < 300; ++i) setup_step(world);
    double turned = 40 * (mote_world_time(world) - 0.2) / 57.29577951;
    CHECK_NEAR(setup_at(ball, "position", 1, 0), 1.5, 1e-4);
    double x = setup_at(ball, "position", 0, 0) - 0.5 * mote_world_time(world);
    double z = setup_at(ball, "position", 2, 0), arm = sqrt(x * x + z * z);
    CHECK(arm < 0.25 && arm > 0.05 && turned > 1);
    mote_world_destroy(world);
}

TESTS({"exact_bounces", exact_bounces}, {"bouncing_ends", bouncing_ends},
      {"error_of_contact_halves", error_of_contact_halves},
      {"energy_never_grows", energy_never_grows}, {"roots_do_not_cancel", roots_do_not_cancel},
      {"times_of_impact", times_of_impact}, {"inclines", inclines},
      {"static_and_kinetic", static_and_kinetic}, {"wet_friction", wet_friction},
      {"nobody_creeps", nobody_creeps}, {"sticking", sticking})
