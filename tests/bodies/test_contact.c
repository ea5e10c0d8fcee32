/* Bodies in contact: stacks, inclines, impacts, plates, conservation. */
#include "bodies/rigid.h"

#include <mote/tasks.h>

/* ---- resting ---- */

enum { BOXES = 10 };

static mote_BodyState box_state(const mote_World *world, int i)
{
    char name[16];
    snprintf(name, sizeof name, "box-%d", i);
    return rigid_state(world, name);
}

/* A tower sways a little after it has settled; it must not creep. */
static void a_stack_rests(void)
{
    mote_World *world = rigid_world(0.01, G);
    char name[16];
    double settled[BOXES];
    rigid_ground(world, 0, 0.5);
    for (int i = 0; i < BOXES; ++i) {
        snprintf(name, sizeof name, "box-%d", i);
        rigid_box(world, name, setup_vec(1, 1, 1), setup_vec(0, 0.5 + i, 0));
    }
    rigid_run(world, 300);
    for (int i = 0; i < BOXES; ++i) settled[i] = box_state(world, i).centre[1];
    rigid_run(world, 700);
    for (int i = 0; i < BOXES; ++i) {
        mote_BodyState s = box_state(world, i);
        CHECK_NEAR(hypot(s.centre[0], s.centre[2]), 0, 2e-4);
        CHECK_NEAR(s.centre[1], 0.5 + i, 2e-3);
        CHECK_NEAR(s.centre[1], settled[i], 1e-5);
        CHECK(rigid_length(s.velocity) < 1e-4);
        CHECK(rigid_length(s.spin) < 1e-4);
        CHECK_NEAR(fabs(s.orientation[3]), 1, 1e-7);
        CHECK(s.contacts == (i == BOXES - 1 ? 4 : 8));
    }
    mote_world_destroy(world);
}

/* ---- inclines ---- */

/* How far down the slope a box has come, and its speed, after `time`. */
static mote_BodyState slide(double slope, double mu, double time, double *way)
{
    const double dt = 0.005, angle = slope * 0.017453292519943295;
    mote_World *world = rigid_world(dt, G);
    mote_BoxShape box = {{1, (mote_real)0.4, 1}};
    mote_BodyDef def =
        rigid_def("box", "box", &box, setup_vec(-0.2 * sin(angle), 0.2 * cos(angle), 0));
    def.friction = (mote_real)mu;
    def.motion.rotate.z = (mote_real)slope;
    rigid_ground(world, slope, mu);
    rigid_add(world, &def);
    rigid_run(world, (int)(time / dt + 0.5));
    mote_BodyState s = rigid_state(world, "box");
    *way = hypot(s.centre[0] + 0.2 * sin(angle), s.centre[1] - 0.2 * cos(angle));
    mote_world_destroy(world);
    return s;
}

static void inclines_as_mu_says(void)
{
    static const struct {
        double slope, mu;
    } cases[] = {{20, 0.2}, {30, 0.3}, {45, 0.6}, {30, 0}};
    double way;
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        double angle = cases[i].slope * 0.017453292519943295;
        double a = G * (sin(angle) - cases[i].mu * cos(angle));
        mote_BodyState s = slide(cases[i].slope, cases[i].mu, 1, &way);
        CHECK_NEAR(rigid_length(s.velocity) / a, 1, 2e-3);
        CHECK_NEAR(way / (0.5 * a), 1, 1e-2);
        CHECK(rigid_length(s.spin) < 1e-2);
    }
    mote_BodyState s = slide(20, 0.40, 4, &way); /* tan 20 = 0.364 */
    CHECK(way < 1e-3);
    CHECK(rigid_length(s.velocity) < 1e-4);
    slide(20, 0.34, 1, &way);
    CHECK(way > 0.05);
}

/* ---- impacts ---- */

static void drop_ball(double e, double heights[3])
{
    mote_World *world = rigid_world(0.005, G);
    mote_SphereShape ball = {(mote_real)0.1};
    mote_BodyDef def = rigid_def("ball", "sphere", &ball, setup_vec(0, 1.1, 0));
    def.restitution = (mote_real)e;
    rigid_ground(world, 0, 0);
    rigid_add(world, &def);
    double best = 0, before = -1;
    for (int frame = 0, n = 0; frame < 800 && n < 3; ++frame) {
        rigid_run(world, 1);
        mote_BodyState s = rigid_state(world, "ball");
        if (before > 0 && s.velocity[1] <= 0) heights[n++] = best, best = 0;
        if (s.velocity[1] > 0) best = s.centre[1] - 0.1 + s.velocity[1] * s.velocity[1] / (2 * G);
        before = s.velocity[1];
    }
    mote_world_destroy(world);
}

static void restitution_heights(void)
{
    static const double es[] = {1, 0.8, 0.5};
    for (size_t i = 0; i < COUNT_OF(es); ++i) {
        double heights[3] = {0}, e2 = es[i] * es[i], expected = 1;
        drop_ball(es[i], heights);
        for (int n = 0; n < (es[i] > 0.6 ? 3 : 2); ++n) {
            expected *= e2;
            CHECK_NEAR(heights[n] / expected, 1, 1e-5);
        }
    }
}

static void elastic_spheres_exchange_velocities(void)
{
    mote_World *world = rigid_world(0.01, 0);
    mote_SphereShape ball = {(mote_real)0.5};
    mote_BodyDef def = rigid_def("a", "sphere", &ball, setup_vec(-2, 0, 0));
    def.restitution = 1, def.friction = 0;
    def.motion.velocity = setup_vec(3, 0, 0);
    rigid_add(world, &def);
    def.name = "b", def.motion.at = setup_vec(1, 0, 0), def.motion.velocity = setup_vec(0, 0, 0);
    rigid_add(world, &def);
    rigid_run(world, 200);
    CHECK_NEAR(rigid_state(world, "a").velocity[0], 0, 1e-12);
    CHECK_NEAR(rigid_state(world, "b").velocity[0], 3, 1e-12);
    mote_world_destroy(world);
}

/* Many bodies of all shapes fly into each other: nothing outside acts on them. */
static void momentum_is_conserved(void)
{
    static const char *const shapes[] = {"box", "sphere", "cylinder", "capsule"};
    mote_World *world = rigid_world(0.01, 0);
    uint64_t seed = 5;
    char name[16];
    double before[6] = {0}, after[6] = {0}, size[2] = {0};
    for (int i = 0; i < 27; ++i) {
        snprintf(name, sizeof name, "b%d", i);
        mote_Vec3 at = setup_vec(i % 3 * 2 - 2, i / 3 % 3 * 2 - 2, i / 9 * 2 - 2);
        mote_BodyDef def = rigid_def(name, shapes[i % 4], NULL, at);
        mote_SphereShape ball = {(mote_real)0.5};
        mote_CapsuleShape capsule = {(mote_real)0.3, (mote_real)0.5};
        mote_CylinderShape cylinder = {(mote_real)0.4, (mote_real)0.8};
        mote_BoxShape box = {{1, (mote_real)0.7, (mote_real)0.5}};
        const void *params[] = {&box, &ball, &cylinder, &capsule};
        def.shape_params = params[i % 4];
        def.restitution = (mote_real)0.5;
        def.density = 500 + 100 * i;
        for (int c = 0; c < 3; ++c) {
            (&def.motion.velocity.x)[c] = -(&at.x)[c] + (mote_real)setup_uniform(&seed, -1, 1);
            (&def.motion.spin.x)[c] = (mote_real)setup_uniform(&seed, -200, 200);
            (&def.motion.rotate.x)[c] = (mote_real)setup_uniform(&seed, -180, 180);
        }
        rigid_add(world, &def);
    }
    for (int n = 0; n < 2; ++n) {
        double *sum = n == 0 ? before : after;
        for (int i = 0; i < 27; ++i) {
            snprintf(name, sizeof name, "b%d", i);
            mote_BodyState s = rigid_state(world, name);
            for (int c = 0; c < 3; ++c) {
                int j = (c + 1) % 3, k = (c + 2) % 3;
                sum[c] += s.momentum[c];
                sum[3 + c] +=
                    s.angular[c] + s.centre[j] * s.momentum[k] - s.centre[k] * s.momentum[j];
                size[0] += fabs(s.momentum[c]), size[1] += fabs(s.angular[c]);
            }
        }
        if (n == 0) rigid_run(world, 200);
    }
    for (int c = 0; c < 3; ++c) {
        CHECK_NEAR(after[c], before[c], 1e-12 * size[0]);
        CHECK_NEAR(after[3 + c], before[3 + c], 1e-11 * size[0]);
    }
    mote_world_destroy(world);
}

/* ---- plates ---- */

static void a_plate_comes_to_rest(void)
{
    mote_World *world = rigid_world(0.01, G);
    mote_BoxShape box = {{1, (mote_real)0.05, (mote_real)0.7}};
    mote_BodyDef def = rigid_def("plate", "box", &box, setup_vec(0, 1.5, 0));
    def.motion.rotate = setup_vec(35, 20, 50);
    def.restitution = (mote_real)0.2;
    rigid_ground(world, 0, 0.5);
    rigid_add(world, &def);
    rigid_run(world, 600);
    mote_BodyState s = rigid_state(world, "plate");
    CHECK_NEAR(s.centre[1], 0.025, 1e-3);
    CHECK(rigid_length(s.velocity) < 1e-3);
    CHECK(rigid_length(s.spin) < 1e-3);
    mote_world_destroy(world);
}

/* A plate of a millimetre goes 30 times its thickness in a sub-step, flat and on edge. */
static void a_fast_thin_plate_does_not_tunnel(void)
{
    static const double turns[][3] = {{0, 0, 0}, {0, 0, 80}, {40, 0, 10}};
    for (size_t i = 0; i < COUNT_OF(turns); ++i)
        for (int on_body = 0; on_body < 2; ++on_body) {
            mote_World *world = rigid_world(0.01, G);
            mote_BoxShape thin = {{1, (mote_real)0.001, 1}};
            mote_BoxShape slab = {{6, (mote_real)0.002, 6}};
            mote_BodyDef def = rigid_def("plate", "box", &thin, setup_vec(0, 2.013, 0));
            def.motion.velocity = setup_vec(0, -30, 0);
            def.motion.rotate = setup_vec(turns[i][0], turns[i][1], turns[i][2]);
            rigid_add(world, &def);
            def = rigid_def("floor", "box", &slab, setup_vec(0, -0.001, 0));
            def.free = false;
            if (on_body == 1)
                rigid_add(world, &def);
            else
                rigid_ground(world, 0, 0.5);
            double lowest = 1;
            for (int k = 0; k < 100; ++k) {
                rigid_run(world, 1);
                lowest = fmin(lowest, rigid_state(world, "plate").centre[1]);
            }
            CHECK(lowest > -0.001);
            mote_world_destroy(world);
        }
}

/* ---- the same bits ---- */

static uint64_t pile_hash(mote_Tasks *tasks, bool reload)
{
    mote_WorldDef world_def = setup_def(0.01);
    world_def.gravity = setup_vec(0, -G, 0);
    world_def.tasks = tasks;
    world_def.reload_always = reload;
    mote_World *world = setup_world(&world_def);
    char name[16];
    uint64_t hash = 14695981039346656037u;
    rigid_ground(world, 5, 0.5);
    for (int i = 0; i < 12; ++i) {
        snprintf(name, sizeof name, "b%d", i);
        mote_BodyDef def = rigid_def(name,
                                     i % 3 == 0   ? "sphere"
                                     : i % 3 == 1 ? "box"
                                                  : "cylinder",
                                     NULL, setup_vec(0.1 * i - 0.5, 2 + 2.2 * i, 0.05 * i));
        mote_SphereShape ball = {(mote_real)0.5};
        if (i % 3 == 0) def.shape_params = &ball;
        def.restitution = (mote_real)0.3;
        rigid_add(world, &def);
    }
    rigid_run(world, 150);
    for (int i = 0; i < 12; ++i) {
        snprintf(name, sizeof name, "b%d", i);
        mote_BodyState s = rigid_state(world, name);
        const unsigned char *bytes = (const unsigned char *)s.centre;
        for (size_t k = 0; k < sizeof s.centre + sizeof s.orientation; ++k)
            hash = (hash ^ bytes[k]) * 1099511628211u;
    }
    mote_world_destroy(world);
    return hash;
}

static void same_bits_for_threads_and_reloading(void)
{
    uint64_t alone = pile_hash(NULL, false);
    CHECK(pile_hash(NULL, true) == alone);
    for (int threads = 2; threads <= 3; ++threads) {
        mote_Tasks *tasks;
        mote_Error error;
        mote_TasksDef def = mote_tasks_def();
        def.threads = threads;
        SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
        CHECK(pile_hash(tasks, false) == alone);
        mote_tasks_destroy(tasks);
    }
}

TESTS({"a_stack_rests", a_stack_rests}, {"inclines_as_mu_says", inclines_as_mu_says},
      {"restitution_heights", restitution_heights},
      {"elastic_spheres_exchange_velocities", elastic_spheres_exchange_velocities},
      {"momentum_is_conserved", momentum_is_conserved},
      {"a_plate_comes_to_rest", a_plate_comes_to_rest},
      {"a_fast_thin_plate_does_not_tunnel", a_fast_thin_plate_does_not_tunnel},
      {"same_bits_for_threads_and_reloading", same_bits_for_threads_and_reloading})
