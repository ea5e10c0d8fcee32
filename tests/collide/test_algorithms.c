/* What algorithms promise beside that nothing gets through: thin and turning plates, steps of
 * collision, momentum and events, and starts inside. */
#include "collide/point.h"

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

TESTS({"contact_without_bounces_is_micro_safe", contact_without_bounces_is_micro_safe},
      {"thin_plates", thin_plates}, {"rotating_plates", rotating_plates},
      {"repulsion_pushes_back", repulsion_pushes_back}, {"collision_steps", collision_steps},
      {"momentum_is_exchanged", momentum_is_exchanged}, {"hits_are_events", hits_are_events},
      {"particles_inside", particles_inside})
