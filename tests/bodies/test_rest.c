/* Coming to rest, and what ends it. */
#include "bodies/rigid.h"

enum { ROWS = 10, BRICKS = ROWS * (ROWS + 1) / 2 };

static const char *brick_name(int i)
{
    static char name[16];
    snprintf(name, sizeof name, "b%d", i);
    return name;
}

/* Ten rows of boxes of 1 m, let go 2 mm above each other. */
static mote_World *pyramid_world(double dt, double restitution, bool reload)
{
    mote_WorldDef world_def = setup_def(dt);
    world_def.gravity = setup_vec(0, -G, 0);
    world_def.reload_always = reload;
    mote_World *world = setup_world(&world_def);
    rigid_ground(world, 0, 0.5);
    for (int row = 0, n = 0; row < ROWS; ++row)
        for (int i = 0; i < ROWS - row; ++i, ++n) {
            mote_BoxShape box = {{1, 1, 1}};
            mote_Vec3 at = setup_vec(1.05 * (i + 0.5 * row), 0.5 + 1.002 * row, 0);
            mote_BodyDef def = rigid_def(brick_name(n), "box", &box, at);
            def.restitution = (mote_real)restitution;
            rigid_add(world, &def);
        }
    return world;
}

static double largest_change(const mote_World *world, mote_BodyState before[BRICKS])
{
    double most = 0;
    for (int i = 0; i < BRICKS; ++i) {
        mote_BodyState s = rigid_state(world, brick_name(i));
        for (int c = 0; c < 3; ++c) most = fmax(most, fabs(s.centre[c] - before[i].centre[c]));
        for (int c = 0; c < 4; ++c)
            most = fmax(most, fabs(s.orientation[c] - before[i].orientation[c]));
        before[i] = s;
    }
    return most;
}

/* Within three seconds everything is still, to the last bit. */
static void a_pyramid_rests(void)
{
    static const double steps[] = {0.01, 1.0 / 60}, restitutions[] = {0, 0.3};
    for (size_t k = 0; k < COUNT_OF(steps); ++k) {
        mote_World *world = pyramid_world(steps[k], restitutions[k], false);
        mote_BodyState states[BRICKS] = {0};
        rigid_run(world, (int)(3 / steps[k]));
        largest_change(world, states);
        CHECK_NEAR(states[BRICKS - 1].centre[1], ROWS - 0.5, 2e-3);
        rigid_run(world, 50);
        CHECK(largest_change(world, states) == 0);
        for (int i = 0; i < BRICKS; ++i)
            CHECK(states[i].kinetic == 0 && states[i].contacts >= (i < ROWS ? 4 : 8) - 2);
        mote_world_destroy(world);
    }
}

/* A ball that comes wakes it, and it rests again; saving and reloading change nothing. */
static void a_hit_wakes_the_pyramid(void)
{
    mote_BodyState states[2][BRICKS] = {0};
    for (int reload = 0; reload < 2; ++reload) {
        mote_World *world = pyramid_world(1.0 / 60, 0, reload == 1);
        mote_SphereShape ball = {(mote_real)0.5};
        mote_BodyDef def = rigid_def("ball", "sphere", &ball, setup_vec(-37.8, 8.5, 0));
        def.gravity = false, def.motion.velocity = setup_vec(20, 0, 0);
        rigid_add(world, &def); /* at the ninth row after 2.05 s */
        rigid_run(world, 117);
        largest_change(world, states[reload]);
        rigid_run(world, 3);
        CHECK(largest_change(world, states[reload]) == 0);
        rigid_run(world, 30);
        CHECK(largest_change(world, states[reload]) > 1e-3);
        mote_world_destroy(world);
    }
    CHECK(memcmp(states[0], states[1], sizeof states[0]) == 0);
}

/* ---- one box on something ---- */

static mote_Status lift(void *context, double t, mote_Motion *motion, mote_Error *error)
{
    (void)context, (void)error;
    double down = t > 2 ? 0.5 * (t - 2) : 0;
    motion->at = setup_vec(0, -0.5 - down, 0);
    return MOTE_OK;
}

static mote_Status drawer(void *context, double t, mote_Motion *motion, mote_Error *error)
{
    (void)context, (void)error;
    motion->at = setup_vec(t > 2 ? 400 * (t - 2) : 0, -0.5, 0);
    return MOTE_OK;
}

/* A box that lies on a slab which goes by `path`, for two seconds. */
static mote_World *lying_world(mote_Status (*path)(void *, double, mote_Motion *, mote_Error *))
{
    mote_World *world = rigid_world(0.01, G);
    mote_ColliderDef def = mote_collider_def();
    mote_BoxShape slab = {{4, 1, 4}};
    mote_Error error;
    def.name = "slab", def.shape = "box", def.shape_params = &slab;
    def.motion.at = setup_vec(0, -0.5, 0), def.path = path;
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
    rigid_box(world, "box", setup_vec(1, 1, 1), setup_vec(0, 0.5, 0));
    rigid_run(world, 150);
    mote_BodyState before = rigid_state(world, "box");
    rigid_run(world, 50);
    mote_BodyState after = rigid_state(world, "box");
    CHECK(memcmp(before.centre, after.centre, sizeof before.centre) == 0);
    return world;
}

static double height_after(mote_World *world, int frames)
{
    rigid_run(world, frames);
    double y = rigid_state(world, "box").centre[1];
    mote_world_destroy(world);
    return y;
}

static void what_lies_is_woken(void)
{
    CHECK_NEAR(height_after(lying_world(lift), 100), 0, 1e-3);           /* it goes along */
    CHECK_NEAR(height_after(lying_world(drawer), 40), 0.5 - 0.78, 0.04); /* it falls */
    mote_World *world = lying_world(NULL);
    const double impulse[3] = {0, 3000, 0}, at[3] = {0, 0.5, 0};
    mote_Error error;
    SETUP_OK(mote_world_push_body(world, "box", impulse, at, &error), error);
    CHECK_NEAR(height_after(world, 20), 0.5 + 3 * 0.2 - 0.5 * G * 0.04, 1e-3);
}

/* A bead as heavy as the box, with all its momentum. */
static void a_particle_wakes_what_it_hits(void)
{
    mote_World *world = rigid_world(0.01, G);
    rigid_ground(world, 0, 0.1);
    rigid_box(world, "box", setup_vec(1, 1, 1), setup_vec(0, 0.5, 0));
    mote_System *beads = setup_system(world, "beads", "leapfrog", NULL);
    rigid_run(world, 200);
    size_t row = setup_particle(beads, setup_vec(-1, 0.5, 0), setup_vec(5, 0, 0));
    setup_reals(beads, "mass", 0)[row] = 1000;
    rigid_run(world, 30);
    CHECK(rigid_state(world, "box").velocity[0] > 1);
    mote_world_destroy(world);
}

/* Slow is not still: without weight, or without anything to lie on, nothing is stopped. */
static void slow_bodies_go_on(void)
{
    mote_World *world = rigid_world(0.01, 0);
    mote_BoxShape box = {{1, 1, 1}};
    mote_BodyDef def = rigid_def("slow", "box", &box, setup_vec(0, 0.5, 0));
    def.motion.velocity = setup_vec(0.001, 0, 0), def.friction = 0;
    rigid_ground(world, 0, 0);
    rigid_add(world, &def);
    rigid_run(world, 300);
    CHECK_NEAR(rigid_state(world, "slow").centre[0], 0.003, 1e-9);
    mote_world_destroy(world);
}

/* A belt keeps carrying what lies on it. */
static void belts_keep_what_they_carry_awake(void)
{
    mote_World *world = rigid_world(0.01, G);
    mote_ColliderDef def = mote_collider_def();
    mote_Error error;
    def.name = "belt", def.shape = "plane";
    def.velocity = setup_vec(0.004, 0, 0); /* slower than what counts as quiet */
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
    rigid_box(world, "box", setup_vec(1, 1, 1), setup_vec(0, 0.5, 0));
    rigid_run(world, 500);
    CHECK_NEAR(rigid_state(world, "box").centre[0], 0.02, 1e-3);
    mote_world_destroy(world);
}

TESTS({"a_pyramid_rests", a_pyramid_rests}, {"a_hit_wakes_the_pyramid", a_hit_wakes_the_pyramid},
      {"what_lies_is_woken", what_lies_is_woken},
      {"a_particle_wakes_what_it_hits", a_particle_wakes_what_it_hits},
      {"slow_bodies_go_on", slow_bodies_go_on},
      {"belts_keep_what_they_carry_awake", belts_keep_what_they_carry_awake})
