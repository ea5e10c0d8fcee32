/* Known answers: the incline, the bouncing ball, time of impact, friction laws, resting, sticking,
 * momentum. In double where the answer is exact. */
#include "collide/flight.h"
#include "collide/walls.h"

static const double G = 9.81;
static const bool is_double = sizeof(mote_real) == 8;

static mote_CollideDef collide_def(const char *algorithm)
{
    mote_CollideDef def = mote_collide_def();
    def.algorithm = algorithm;
    return def;
}

static mote_World *world_with(double dt, mote_Vec3 gravity)
{
    mote_WorldDef def = setup_def(dt);
    def.gravity = gravity;
    return setup_world(&def);
}

/* A point in a system of its own, which collides by `algorithm`. */
static mote_System *point_of(mote_World *world, const char *integrator, const char *algorithm,
                             mote_Vec3 x, mote_Vec3 v)
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

/* ---- algorithms and detection ---- */

/* Without restitution `contact` and `micro-safe` are the same: to the last bit for a single
 * particle, to rounding where `contact` leads all rows of a block along a plane at once, in another
 * order of operations. */
static void contact_without_bounces_is_micro_safe(void)
{
    const mote_CollideDef def = mote_collide_def();
    Walls walls = {.count = 0};
    walls_add(&walls, "box")->def.restitution = 0;
    walls_add(&walls, "sphere")->def.restitution = 0;
    walls.colliders[1].def.motion.at = setup_vec(0.8, 0.3, 0);
    walls_prepare(&walls, 0, 0.02);
    uint64_t state = 31;
    for (int i = 0; i < 300; ++i) {
        Ball a = {.radius = (mote_real)0.05};
        a.x = setup_vec(setup_uniform(&state, -1, 1), 0.9, setup_uniform(&state, -1, 1));
        a.v = setup_vec(setup_uniform(&state, -9, 9), setup_uniform(&state, -40, 0), 0);
        Ball b = a;
        for (int k = 0; k < 5; ++k) {
            const mote_Vec3 g = setup_vec(0, -G, 0);
            walls_step(&walls, &def, row_resolve_contact, &a, g, (mote_real)0.02);
            walls_step(&walls, &def, row_resolve_micro_safe, &b, g, (mote_real)0.02);
        }
        CHECK(a.x.x == b.x.x && a.x.y == b.x.y && a.x.z == b.x.z);
        CHECK(a.v.x == b.v.x && a.v.y == b.v.y && a.v.z == b.v.z);
    }

    mote_real end[2][3];
    for (int a = 0; a < 2; ++a) {
        mote_World *world = world_with(0.01, setup_vec(0, -G, 0));
        setup_plane(world, setup_vec(0.4, 1, 0), 0, 0.2);
        setup_plane(world, setup_vec(-0.6, 1, 0.3), 0, 0.2);
        mote_System *ball = point_of(world, NULL, a == 0 ? "contact" : "micro-safe",
                                     setup_vec(0.3, 1, 0), setup_vec(1, 0, -0.4));
        double most = 0;
        for (int i = 0; i < 300; ++i) {
            setup_step(world);
            most = fmax(most, setup_at(ball, "velocity", 0, 0));
        }
        for (int c = 0; c < 3; ++c) end[a][c] = setup_reals(ball, "position", c)[0];
        mote_world_destroy(world);
    }
    for (int c = 0; c < 3; ++c) CHECK_NEAR(end[0][c], end[1][c], is_double ? 1e-12 : 1e-5);
}

/* 50 m/s at a plate of 1 mm: seen on the way, not at the end of the step. */
static void thin_plates(void)
{
    for (int detection = 0; detection < 2; ++detection) {
        mote_World *world = world_with(1.0 / 60, setup_vec(0, 0, 0));
        mote_ColliderDef def = mote_collider_def();
        mote_BoxShape plate = {setup_vec(0.001, 4, 4)};
        mote_SystemDef system_def = mote_system_def();
        mote_System *system;
        mote_Error error;
        def.shape = "box", def.shape_params = &plate, def.restitution = 0;
        SETUP_OK(mote_world_add_collider(world, &def, &error), error);
        system_def.name = "shots", system_def.collide.detection = detection;
        SETUP_OK(mote_world_add_system(world, &system_def, &system, &error), error);
        for (int i = 0; i < 200; ++i)
            setup_particle(system, setup_vec(-0.3 - 0.002 * i, 0, 0), setup_vec(50, 0, 0));
        for (int i = 0; i < 3; ++i) setup_step(world);
        int through = 0;
        for (size_t i = 0; i < 200; ++i) through += setup_at(system, "position", 0, i) > 0;
        CHECK(detection == MOTE_DETECT_SWEPT ? through == 0 : through > 150);
        mote_world_destroy(world);
    }
}

/* A plate that turns about its middle hits what stands still. */
static void rotating_plates(void)
{
    mote_World *world = world_with(0.01, setup_vec(0, 0, 0));
    mote_ColliderDef def = mote_collider_def();
    mote_BoxShape plate = {setup_vec(2, 0.01, 2)};
    mote_Error error;
    def.shape = "box", def.shape_params = &plate, def.restitution = 1, def.friction = 0;
    def.motion.spin = setup_vec(0, 0, 180);
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
    mote_System *ball =
        point_of(world, NULL, "contact", setup_vec(0.5, 0.3, 0), setup_vec(0, 0, 0));
    for (int i = 0; i < 40; ++i) setup_step(world);
    double arm = sqrt(0.34), speed = 2 * 3.14159265358979 * arm; /* twice the wall's */
    double vx = setup_at(ball, "velocity", 0, 0), vy = setup_at(ball, "velocity", 1, 0);
    CHECK_NEAR(sqrt(vx * vx + vy * vy), speed, 0.05 * speed);
    CHECK(vx < 0 && vy > 0);
    mote_world_destroy(world);
}

/* The seed's three force laws keep a slow particle out when they are strong enough. */
static void repulsion_pushes_back(void)
{
    for (int law = 0; law < 3; ++law) {
        mote_World *world = world_with(0.001, setup_vec(0, -G, 0));
        setup_plane(world, setup_vec(0, 1, 0), 0, 0);
        mote_SystemDef def = mote_system_def();
        mote_System *system;
        mote_Error error;
        def.name = "ball", def.collide.algorithm = "repulsion", def.collide.law = law;
        def.collide.stiffness = law == 2 ? 1 : 1000, def.collide.reach = (mote_real)0.1;
        def.collide.damping = 10;
        SETUP_OK(mote_world_add_system(world, &def, &system, &error), error);
        size_t row = setup_particle(system, setup_vec(0, 0.3, 0), setup_vec(0, 0, 0));
        setup_reals(system, "radius", 0)[row] = 0;
        double least = 1;
        for (int i = 0; i < 3000; ++i) {
            setup_step(world);
            least = fmin(least, setup_at(system, "position", 1, 0));
        }
        double rest = setup_at(system, "position", 1, 0);
        CHECK(least > -0.1 && rest < 0.35);
        /* equilibrium: K y = g (mass 1) */
        if (law == 1) CHECK_NEAR(rest, 0.1 - G / 1000, 1e-3);
        if (law == 2) CHECK_NEAR(rest, 1 / (G + 10), 1e-3);
        mote_world_destroy(world);
    }
}

/* Balls over the ground in collision steps of eight sub-steps; with links that pull at nothing they
 * are solved together. */
static mote_System *stepped_balls(mote_World *world, bool linked)
{
    enum { BALLS = 20 };
    mote_SystemDef def = mote_system_def();
    mote_System *system;
    mote_Error error;
    uint64_t a[BALLS - 1], b[BALLS - 1];
    def.name = "balls", def.collide.interval = 0.02;
    SETUP_OK(mote_world_add_system(world, &def, &system, &error), error);
    for (int i = 0; i < BALLS; ++i)
        setup_particle(system, setup_vec(i, 0.3 + 0.1 * i, 0), setup_vec(1, 0, 0));
    const uint64_t *ids = mote_system_column(system, "id")->data;
    for (int i = 0; i + 1 < BALLS; ++i) a[i] = ids[i], b[i] = ids[i + 1];
    mote_PairsPattern pairs = {.a = a, .b = b, .count = BALLS - 1};
    mote_LinksDef links = mote_links_def();
    links.system = "balls", links.pattern = "pairs", links.pattern_params = &pairs;
    links.stiffness = 0, links.damping = 0;
    if (linked) SETUP_OK(mote_world_add_links(world, &links, &error), error);
    return system;
}

/* Seen only at the end of the collision step, with the average velocity over it; the balls still
 * stay out, and come to rest; links make no difference. */
static void collision_steps(void)
{
    mote_WorldDef def = setup_def(0.08);
    def.gravity = setup_vec(0, -G, 0);
    def.max_step = 0.0025;
    mote_World *world = setup_world(&def), *other = setup_world(&def);
    setup_plane(world, setup_vec(0, 1, 0), 0.5, 0.3);
    setup_plane(other, setup_vec(0, 1, 0), 0.5, 0.3);
    mote_System *system = stepped_balls(world, false), *linked = stepped_balls(other, true);
    for (int i = 0; i < 100; ++i) {
        setup_step(world), setup_step(other);
        for (size_t k = 0; k < 20; ++k) {
            CHECK(setup_at(system, "position", 1, k) >= 0.01 - 1e-5);
            for (int c = 0; c < 3; ++c)
                CHECK_NEAR(setup_at(system, "position", c, k), setup_at(linked, "position", c, k),
                           is_double ? 1e-10 : 1e-4);
        }
    }
    for (size_t k = 0; k < 20; ++k) {
        CHECK_NEAR(setup_at(system, "position", 1, k), 0.01, 1e-5);
        for (int c = 0; c < 3; ++c) CHECK(setup_reals(system, "velocity", c)[k] == 0);
    }
    mote_world_destroy(world), mote_world_destroy(other);
}

/* ---- momentum ---- */

/* What particles lose the collider gets, and friction makes heat. */
static void momentum_is_exchanged(void)
{
    mote_World *world = world_with(0.01, setup_vec(0, 0, 0));
    mote_ColliderDef def = mote_collider_def();
    mote_SphereShape sphere = {1};
    mote_Error error;
    def.name = "ball", def.shape = "sphere", def.shape_params = &sphere, def.measure = true;
    def.motion.rotate = setup_vec(10, 20, 30), def.restitution = (mote_real)0.6;
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    uint64_t state = 8;
    for (int i = 0; i < 300; ++i) {
        double y = setup_uniform(&state, -1, 1), z = setup_uniform(&state, -1, 1);
        setup_particle(system, setup_vec(-1.5, y, z), setup_vec(20, 0, 0));
        setup_reals(system, "mass", 0)[i] = (mote_real)setup_uniform(&state, 0.1, 2);
    }
    double before[3], total[3] = {0, 0, 0}, heat = 0, kinetic;
    mote_StepReport report = setup_step(world);
    mote_ColliderLoad load;
    memcpy(before, report.momentum, sizeof before);
    kinetic = report.kinetic;
    for (int i = 0; i < 20; ++i) {
        report = setup_step(world);
        SETUP_OK(mote_world_collider_load(world, "ball", &load, &error), error);
        for (int c = 0; c < 3; ++c) total[c] += load.impulse[c];
        heat += load.heat;
    }
    for (int c = 0; c < 3; ++c)
        CHECK_NEAR(before[c] - report.momentum[c], total[c], is_double ? 1e-10 : 2e-3);
    CHECK(total[0] > 1000);
    CHECK_NEAR(kinetic - report.kinetic, heat, (is_double ? 1e-12 : 1e-5) * kinetic);
    mote_world_destroy(world);
}

static void hits_are_events(void)
{
    mote_WorldDef def = setup_def(0.01);
    def.record_events = true;
    mote_World *world = setup_world(&def);
    setup_plane(world, setup_vec(1, 0, 0), 0.5, 0);
    setup_plane(world, setup_vec(0, 1, 0), 0.5, 0);
    mote_System *ball = setup_system(world, "ball", NULL, NULL);
    setup_particle(ball, setup_vec(3, 0.02, 0), setup_vec(0, -4, 0));
    setup_reals(ball, "mass", 0)[0] = 2;
    setup_step(world);
    size_t count;
    const mote_Event *events = mote_world_events(world, &count);
    CHECK(count == 1 && events[0].kind == MOTE_EVENT_HIT && events[0].collider == 1);
    CHECK_NEAR(events[0].impulse, 2 * 1.5 * 4, 1e-5);
    mote_world_destroy(world);
}

/* ---- bad starts ---- */

static mote_Status step_from_inside(int inside, mote_StepReport *report, size_t *left,
                                    double *distance, mote_Error *error)
{
    mote_World *world = world_with(0.01, setup_vec(0, 0, 0));
    mote_ColliderDef def = mote_collider_def();
    mote_SystemDef system_def = mote_system_def();
    mote_System *system;
    def.shape = "sphere";
    SETUP_OK(mote_world_add_collider(world, &def, error), *error);
    system_def.name = "dust", system_def.collide.inside = inside;
    SETUP_OK(mote_world_add_system(world, &system_def, &system, error), *error);
    setup_particle(system, setup_vec(0.1, 0, 0), setup_vec(0, 0, 0));
    setup_particle(system, setup_vec(3, 0, 0), setup_vec(0, 0, 0));
    mote_Status status = mote_world_step(world, report, error);
    *left = mote_system_count(system);
    *distance = setup_at(system, "position", 0, 0);
    mote_world_destroy(world);
    return status;
}

static void particles_inside(void)
{
    mote_StepReport report;
    mote_Error error;
    size_t left;
    double x;
    CHECK(step_from_inside(MOTE_INSIDE_PUSH, &report, &left, &x, &error) == MOTE_OK);
    CHECK(report.inside == 1 && left == 2);
    CHECK_NEAR(x, 0.51, 1e-5);
    CHECK(step_from_inside(MOTE_INSIDE_DELETE, &report, &left, &x, &error) == MOTE_OK);
    CHECK(report.died == 1 && left == 1);
    CHECK(step_from_inside(MOTE_INSIDE_ERROR, &report, &left, &x, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "particle 0 is inside a collider");
}

TESTS({"exact_bounces", exact_bounces}, {"bouncing_ends", bouncing_ends},
      {"error_of_contact_halves", error_of_contact_halves},
      {"energy_never_grows", energy_never_grows}, {"roots_do_not_cancel", roots_do_not_cancel},
      {"times_of_impact", times_of_impact}, {"inclines", inclines},
      {"static_and_kinetic", static_and_kinetic}, {"wet_friction", wet_friction},
      {"nobody_creeps", nobody_creeps}, {"sticking", sticking},
      {"contact_without_bounces_is_micro_safe", contact_without_bounces_is_micro_safe},
      {"thin_plates", thin_plates}, {"rotating_plates", rotating_plates},
      {"repulsion_pushes_back", repulsion_pushes_back}, {"collision_steps", collision_steps},
      {"momentum_is_exchanged", momentum_is_exchanged}, {"hits_are_events", hits_are_events},
      {"particles_inside", particles_inside})
