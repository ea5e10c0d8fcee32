/* What hosts of a world ask of it: colliders moved by hand, and steps of any length. */
#include "world/saved.h"

#include <math.h>

/* ---- colliders moved by hand ---- */

static void add_box(mote_World *world, const char *name, mote_Vec3 size, mote_Vec3 at)
{
    mote_BoxShape box = {size};
    mote_ColliderDef def = mote_collider_def();
    mote_Error error;
    def.name = name, def.shape = "box", def.shape_params = &box;
    def.motion.at = at, def.restitution = 1, def.friction = 0;
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
}

static mote_Pose pose_at(double x, double y)
{
    mote_Pose pose = mote_pose_def();
    pose.position = setup_vec(x, y, 0);
    return pose;
}

/* Between a piston, which has come from x = 0 with speed u, and a wall at x = 1, to time `end`:
 * every meeting with the piston turns v into 2 u - v. */
static double piston_speed(double u, double x, double v, double end, double *place)
{
    double t = 0;
    while (t < end) {
        double to_wall = v > 0 ? (1 - x) / v : HUGE_VAL;
        double gap = x - u * t, to_piston = v < u ? gap / (u - v) : HUGE_VAL;
        double next = fmin(fmin(to_wall, to_piston), end - t);
        t += next, x += v * next;
        if (t >= end) break;
        v = to_wall < to_piston ? -v : 2 * u - v;
    }
    *place = x;
    return v;
}

/* The host knows pose and velocity of every frame. */
static void a_piston_pushes_as_fast_as_it_is_moved(void)
{
    const double dt = 1.0 / 60, u = 0.3;
    mote_WorldDef def = setup_def(dt);
    mote_World *world = setup_world(&def);
    mote_SystemDef exact = mote_system_def();
    mote_System *gas;
    mote_Error error;
    exact.name = "gas", exact.collide.algorithm = "exact";
    SETUP_OK(mote_world_add_system(world, &exact, &gas, &error), error);
    add_box(world, "piston", setup_vec(0.1, 1, 1), setup_vec(-0.05, 0, 0));
    add_box(world, "wall", setup_vec(0.1, 1, 1), setup_vec(1.05, 0, 0));
    for (int i = 0; i < 40; ++i) {
        size_t row = setup_particle(gas, setup_vec(0.05 + 0.02 * i, 0, 0),
                                    setup_vec(0.37 * (i % 5) - 1.1, 0, 0));
        setup_reals(gas, "radius", 0)[row] = (mote_real)1e-5;
    }
    for (int f = 0; f < 120; ++f) {
        const mote_Pose now = pose_at(-0.05 + u * f * dt, 0);
        CHECK_OK(mote_world_move_collider(world, "piston", &now, setup_vec(u, 0, 0),
                                          setup_vec(0, 0, 0), &error),
                 error);
        setup_step(world);
    }
    for (int i = 0; i < 40; ++i) {
        double place, v = piston_speed(u, 0.05 + 0.02 * i, 0.37 * (i % 5) - 1.1, 120 * dt, &place);
        CHECK_NEAR(setup_at(gas, "velocity", 0, (size_t)i), v, 1e-3);
        CHECK_NEAR(setup_at(gas, "position", 0, (size_t)i), place, 5e-3);
    }
    mote_world_destroy(world);
}

/* A plate a tenth as thick as its way in a frame: nothing gets behind it, and it is where it was
 * driven to, also round corners and while it turns. */
static void nothing_tunnels_through_what_is_driven(void)
{
    const double dt = 1.0 / 30;
    mote_WorldDef def = setup_def(dt);
    mote_World *world = setup_world(&def);
    mote_System *dust = setup_system(world, "dust", NULL, NULL);
    uint64_t random = 5;
    mote_Error error;
    add_box(world, "plate", setup_vec(0.01, 4, 4), setup_vec(0, 0, 0));
    for (int i = 0; i < 300; ++i)
        setup_particle(dust,
                       setup_vec(setup_uniform(&random, 0.1, 4), setup_uniform(&random, -1, 1),
                                 setup_uniform(&random, -1, 1)),
                       setup_vec(setup_uniform(&random, -1, 1), 0, 0));
    for (int f = 1; f <= 20; ++f) {
        mote_SolidPoint near;
        const double x = 0.1 * f + 0.05 * sin(0.7 * f);
        const mote_Pose to =
            mote_pose_turned(setup_vec(x, 0, 0), setup_vec(0, 0, 0.05 * sin(0.9 * f)));
        CHECK_OK(mote_world_drive_collider(world, "plate", &to, dt, &error), error);
        setup_step(world);
        CHECK(mote_world_nearest(world, setup_vec(x + 2, 0, 0), &near));
        CHECK_NEAR(near.distance, 2 * cos(0.05 * sin(0.9 * f)) - 0.005, 1e-4);
        for (size_t i = 0; i < mote_system_count(dust); ++i) {
            const mote_Vec3 n = {(mote_real)cos(0.05 * sin(0.9 * f)),
                                 (mote_real)sin(0.05 * sin(0.9 * f)), 0};
            double side = ((double)setup_at(dust, "position", 0, i) - x) * (double)n.x +
                          setup_at(dust, "position", 1, i) * (double)n.y;
            CHECK(side > 0);
        }
    }
    mote_world_destroy(world);
}

/* A lift that the host moves: what lies on it moves with it. */
static void riders_have_the_speed_of_the_lift(void)
{
    const double dt = 1.0 / 60, u = 0.6;
    mote_WorldDef def = mote_world_def();
    def.fps = 1 / dt, def.max_step = 0.005;
    mote_World *world = setup_world(&def);
    mote_System *riders = setup_system(world, "riders", NULL, NULL);
    mote_Error error;
    add_box(world, "lift", setup_vec(1, 0.1, 1), setup_vec(0, -0.05, 0));
    ((mote_ColliderDef *)mote_world_find(world, MOTE_KIND_COLLIDER, "lift"))->restitution = 0;
    size_t row = setup_particle(riders, setup_vec(0, 0.2, 0), setup_vec(0, 0, 0));
    const double radius = setup_at(riders, "radius", 0, row);
    for (int f = 0; f < 90; ++f) {
        const mote_Pose now = pose_at(0, -0.05 + u * f * dt);
        CHECK_OK(mote_world_move_collider(world, "lift", &now, setup_vec(0, u, 0),
                                          setup_vec(0, 0, 0), &error),
                 error);
        setup_step(world);
    }
    CHECK_NEAR(setup_at(riders, "velocity", 1, row), u, 0.01);
    CHECK_NEAR(setup_at(riders, "position", 1, row), u * 90 * dt + radius, 0.01);
    mote_world_destroy(world);
}

static mote_World *stirred_world(mote_System **dust)
{
    mote_WorldDef def = mote_world_def();
    def.fps = 50, def.max_step = 0.004;
    mote_World *world = setup_world(&def);
    *dust = setup_system(world, "dust", NULL, NULL);
    add_box(world, "paddle", setup_vec(1, 0.1, 0.1), setup_vec(0, 0, 0));
    add_box(world, "floor", setup_vec(4, 0.1, 4), setup_vec(0, -0.5, 0));
    return world;
}

/* How it goes on is state. */
static void motion_by_hand_is_saved(void)
{
    mote_System *dust, *others;
    mote_World *world = stirred_world(&dust), *other = stirred_world(&others);
    const mote_Pose now = pose_at(0.1, 0);
    mote_Error error;
    for (int i = 0; i < 60; ++i)
        setup_particle(dust, setup_vec(0.03 * i - 0.9, 0.3, 0.01 * (i % 7)), setup_vec(0, 0, 0));
    CHECK_OK(mote_world_move_collider(world, "paddle", &now, setup_vec(0, 0.1, 0),
                                      setup_vec(0, 3, 0), &error),
             error);
    for (int f = 0; f < 10; ++f) setup_step(world);
    Saved saved = save(world);
    CHECK_OK(mote_world_restore(other, saved.arrays, saved.count, &error), error);
    for (int f = 0; f < 20; ++f) {
        setup_step(world), setup_step(other);
        CHECK(mote_frame_hash(mote_world_frame(world)) == mote_frame_hash(mote_world_frame(other)));
    }
    const mote_FrameShape *paddle = &mote_world_frame(world)->shapes[0];
    CHECK_NEAR(paddle->position[1], 0.1 * 30 / 50, 1e-6);
    CHECK_NEAR(paddle->spin[1], 3, 1e-6);
    CHECK_NEAR(paddle->orientation[3], cos(0.5 * 3 * 30 / 50), 1e-5);
    discard(&saved);
    mote_world_destroy(world), mote_world_destroy(other);
}

static void wrong_motion_is_refused(void)
{
    mote_System *dust;
    mote_World *world = stirred_world(&dust);
    mote_Pose pose = mote_pose_def();
    mote_BodyDef body = mote_body_def();
    const mote_Vec3 none = {0, 0, 0}, wild = {0, (mote_real)HUGE_VAL, 0};
    mote_Error error;
    body.name = "crate", body.motion.at = setup_vec(0, 2, 0);
    SETUP_OK(mote_world_add_body(world, &body, &error), error);
    CHECK(mote_world_move_collider(world, "none", &pose, none, none, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "there is no collider `none` to move");
    CHECK(mote_world_move_collider(world, "crate", &pose, none, none, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "it is the surface of a body");
    CHECK(mote_world_move_collider(world, "paddle", &pose, wild, none, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "must be finite");
    CHECK(mote_world_drive_collider(world, "paddle", &pose, 0, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "it has 0 s to get there");
    pose.orientation.w = 2;
    CHECK(mote_world_move_collider(world, "paddle", &pose, none, none, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "its orientation has length 2");
    mote_world_destroy(world);
}

/* ---- steps of any length ---- */

static void spring(void *context, size_t first, size_t count, const mote_real *const x[3],
                   const mote_real *const v[3], const mote_real *mass, double t,
                   mote_real *const a[3])
{
    (void)context, (void)first, (void)v, (void)mass, (void)t;
    for (size_t i = 0; i < count; ++i) a[0][i] -= 4 * x[0][i];
}

/* x'' = -4 x from x = 1 at rest, by n uneven steps to `end`; the error at the end. */
static double uneven_error(const char *integrator, int n, double end)
{
    mote_WorldDef def = setup_def(1);
    mote_CallbackForce force = {spring, NULL};
    double sum = 0, weights = 0;
    mote_Error error;
    def.max_step = 10;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "mass", integrator, NULL);
    setup_force(world, "callback", &force);
    setup_particle(system, setup_vec(1, 0, 0), setup_vec(0, 0, 0));
    for (int i = 0; i < n; ++i) weights += 1 + 0.8 * sin(2.3 * i);
    for (int i = 0; i < n; ++i) {
        const double seconds = i + 1 < n ? end * (1 + 0.8 * sin(2.3 * i)) / weights : end - sum;
        mote_StepReport report;
        CHECK_OK(mote_world_advance(world, seconds, &report, &error), error);
        sum += seconds;
        CHECK(mote_world_time(world) == sum && report.time == sum && report.substeps == 1);
        CHECK(report.frame == (uint64_t)floor(sum + 1e-6));
    }
    CHECK_NEAR(sum, end, 1e-12);
    double off = fabs(setup_at(system, "position", 0, 0) - cos(2 * end));
    mote_world_destroy(world);
    return off;
}

static void uneven_steps_have_the_integrators_order(void)
{
    static const struct {
        const char *name;
        int order, steps;
    } cases[] = {
        {"euler", 1, 400}, {"velocity-verlet", 2, 100}, {"verlet", 2, 100}, {"rk4", 4, 12}};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        double coarse = uneven_error(cases[i].name, cases[i].steps, 2.3);
        double fine = uneven_error(cases[i].name, 2 * cases[i].steps, 2.3);
        double order = log2(coarse / fine);
        printf("%s: order %.2f\n", cases[i].name, order);
        CHECK_NEAR(order, cases[i].order, 0.5);
    }
}

/* Gravity is exact in every one-step scheme of second order: the sum of 1000 frames of a host that
 * stutters is the time of the clock, and the height that of the clock. */
static void no_time_is_lost(void)
{
    mote_WorldDef def = mote_world_def();
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "stone", "velocity-verlet", NULL);
    uint64_t random = 9;
    double sum = 0;
    mote_Error error;
    setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 10, 0));
    for (int i = 0; i < 1000; ++i) {
        const double seconds = i % 10 == 3 ? 0 : setup_uniform(&random, 1e-5, 4e-3);
        mote_StepReport report;
        CHECK_OK(mote_world_advance(world, seconds, &report, &error), error);
        CHECK(report.substeps == (seconds > 0));
        sum += seconds;
    }
    CHECK(mote_world_time(world) == sum);
    CHECK_NEAR(setup_at(system, "position", 1, 0), 10 * sum - 0.5 * 9.81 * sum * sum, 2e-3);
    const uint64_t frame = mote_world_frame_index(world);
    CHECK(frame == (uint64_t)floor(sum * def.fps));
    setup_step(world); /* to the next whole frame */
    CHECK(mote_world_time(world) == (double)(frame + 1) / def.fps);
    mote_world_destroy(world);
}

/* One of 0.1 s is ten of 0.01 s: long times are cut into sub-steps. */
static void long_times_are_cut(void)
{
    mote_WorldDef def = setup_def(1);
    mote_StepReport report;
    mote_Error error;
    def.max_step = 0.01;
    mote_World *world = setup_world(&def);
    setup_system(world, "nothing", NULL, NULL);
    CHECK_OK(mote_world_advance(world, 0.105, &report, &error), error);
    CHECK(report.substeps == 11);
    CHECK_NEAR(report.dt, 0.105 / 11, 1e-12);
    CHECK(mote_world_advance(world, -1, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "cannot be advanced by -1 s");
    CHECK(mote_world_advance(world, (double)NAN, NULL, &error) == MOTE_BAD_VALUE);
    CHECK(mote_world_advance(world, HUGE_VAL, NULL, &error) == MOTE_BAD_VALUE);
    setup_system(world, "old", "ab2", NULL);
    CHECK(mote_world_advance(world, 0.1, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "system old: ab2 needs equal sub-steps");
    mote_world_destroy(world);
}

/* Between two frames: a new world goes on from there. */
static void uneven_worlds_are_saved(void)
{
    mote_System *dust, *others;
    mote_World *world = stirred_world(&dust), *other = stirred_world(&others);
    mote_Error error;
    for (int i = 0; i < 30; ++i)
        setup_particle(dust, setup_vec(0.05 * i - 0.7, 0.3, 0), setup_vec(0, 0, 0));
    for (int f = 0; f < 9; ++f)
        SETUP_OK(mote_world_advance(world, 0.011 + 0.002 * (f % 3), NULL, &error), error);
    Saved saved = save(world);
    CHECK_OK(mote_world_restore(other, saved.arrays, saved.count, &error), error);
    for (int f = 0; f < 9; ++f) {
        SETUP_OK(mote_world_advance(world, 0.013, NULL, &error), error);
        SETUP_OK(mote_world_advance(other, 0.013, NULL, &error), error);
        CHECK(mote_frame_hash(mote_world_frame(world)) == mote_frame_hash(mote_world_frame(other)));
    }
    discard(&saved);
    mote_world_destroy(world), mote_world_destroy(other);
}

static bool asked_often_enough(void *context)
{
    int *left = context;
    return (*left)-- == 0;
}

/* A host that is asked before every sub-step ends the step there, and may go on later. */
static void a_watched_step_stops_between_sub_steps(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_StepReport report;
    mote_Error error;
    int left = 3;
    def.max_step = 0.01, def.record_events = true; /* which keeps sub-steps apart */
    mote_World *world = setup_world(&def);
    setup_system(world, "nothing", NULL, NULL);
    mote_world_watch(world, asked_often_enough, &left);
    CHECK(mote_world_step(world, &report, &error) == MOTE_CANCELLED);
    CHECK_MESSAGE(error, "stopped at t = 0.03 s");
    CHECK(report.substeps == 3 && mote_world_frame_index(world) == 0);
    CHECK_NEAR(mote_world_time(world), 0.03, 1e-12);
    CHECK_OK(mote_world_step(world, &report, &error), error);
    CHECK(report.substeps == 7 && mote_world_frame_index(world) == 1);
    CHECK(mote_world_time(world) == 0.1);
    left = 0;
    mote_world_watch(world, NULL, NULL);
    CHECK_OK(mote_world_step(world, NULL, &error), error);
    CHECK(left == 0);
    mote_world_destroy(world);
}

static bool never(void *context)
{
    (void)context;
    return false;
}

static void push_with_time(void *context, size_t first_row, size_t count,
                           const mote_real *const x[3], const mote_real *const v[3],
                           const mote_real *mass, double t, mote_real *const a[3])
{
    (void)context, (void)first_row, (void)x, (void)v, (void)mass;
    for (size_t i = 0; i < count; ++i) a[0][i] += (mote_real)((0.37 * (double)i - 5) * t);
}

/* However many sub-steps are taken at once. */
static void watched_worlds_have_the_same_bits(void)
{
    const mote_CallbackForce push = {push_with_time, NULL};
    mote_ForceDef force = mote_force_def();
    mote_Error error;
    uint64_t hashes[2];
    force.type = "callback", force.params = &push;
    for (int watched = 0; watched < 2; ++watched) {
        mote_WorldDef def = setup_def(0.1);
        def.max_step = 0.0013;
        mote_World *world = setup_world(&def);
        mote_System *dust = setup_system(world, "dust", NULL, NULL);
        for (int i = 0; i < 30; ++i)
            setup_particle(dust, setup_vec(0, 0.3, 0), setup_vec(0, 0.7, 1));
        SETUP_OK(mote_world_add_force(world, &force, &error), error);
        if (watched != 0) mote_world_watch(world, never, NULL);
        for (int f = 0; f < 7; ++f) SETUP_OK(mote_world_step(world, NULL, &error), error);
        hashes[watched] = mote_frame_hash(mote_world_frame(world));
        mote_world_destroy(world);
    }
    CHECK(hashes[0] == hashes[1]);
}

static mote_Status refuse(void *context, const mote_ForceArrays *rows, mote_Error *error)
{
    int *left = context;
    if ((*left)-- > 0) return MOTE_OK;
    snprintf(error->message, sizeof error->message, "enough of %s", rows->system);
    return MOTE_CANCELLED;
}

/* A function over all rows may fail, and the step ends with what it says. */
static void a_force_that_fails_ends_the_step(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_Error error;
    int left = 3;
    const mote_WholeCallbackForce force = {refuse, &left};
    def.max_step = 0.01;
    mote_World *world = setup_world(&def);
    mote_System *dust = setup_system(world, "dust", "rk4", NULL);
    setup_particle(dust, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    setup_force(world, "whole-callback", &force);
    CHECK(mote_world_step(world, NULL, &error) == MOTE_CANCELLED);
    CHECK_MESSAGE(error, "enough of dust");
    CHECK(left == -1);
    mote_world_destroy(world);
}

TESTS({"a_piston_pushes_as_fast_as_it_is_moved", a_piston_pushes_as_fast_as_it_is_moved},
      {"nothing_tunnels_through_what_is_driven", nothing_tunnels_through_what_is_driven},
      {"riders_have_the_speed_of_the_lift", riders_have_the_speed_of_the_lift},
      {"motion_by_hand_is_saved", motion_by_hand_is_saved},
      {"wrong_motion_is_refused", wrong_motion_is_refused},
      {"uneven_steps_have_the_integrators_order", uneven_steps_have_the_integrators_order},
      {"no_time_is_lost", no_time_is_lost}, {"long_times_are_cut", long_times_are_cut},
      {"uneven_worlds_are_saved", uneven_worlds_are_saved},
      {"a_watched_step_stops_between_sub_steps", a_watched_step_stops_between_sub_steps},
      {"watched_worlds_have_the_same_bits", watched_worlds_have_the_same_bits},
      {"a_force_that_fails_ends_the_step", a_force_that_fails_ends_the_step})
