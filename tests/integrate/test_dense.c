/* Dense output of adaptive schemes: frames within steps, and steps that know nothing of frames. */
#include "integrate/problems.h"

#include "particles/dense.h"

/* Kepler's orbit by steps of at most `longest`, seen `frame` seconds apart. */
static Run orbit(double frame, double longest, double tolerance, bool dense)
{
    mote_WorldDef def = setup_def(frame);
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef points = mote_system_def();
    mote_Error error;
    def.max_step = longest;
    Run run = {.world = setup_world(&def)};
    solver.integrator = "dormand-prince", solver.dense = dense;
    solver.relative_tolerance = 0, solver.absolute_tolerance = tolerance;
    points.name = "dust", points.solver_params = &solver;
    SETUP_OK(mote_world_add_system(run.world, &points, &run.system, &error), error);
    setup_force(run.world, "callback", &(mote_CallbackForce){kepler_force, NULL});
    State start = kepler_exact(0);
    setup_particle(run.system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    put_state(run.system, 0, &start);
    return run;
}

/* ---- the order ---- */

/* An interpolant of order 4 is wrong by h^5 within a step, as the steps are together; Hermite's
 * cubic through the ends would be by h^4. Seven frames and a bit to a step of h: the root mean
 * square error over all of them, most within steps. The growth of the first steps is left out by a
 * start that is good at once. */
static double error_within_steps(double h)
{
    const double frame = h / 7.3;
    Run run = orbit(frame, h, 1e30, true);
    double sum = 0;
    int count = 0;
    double *wish = mote_system_column(run.system, "adaptive_step")->data;
    wish[0] = h;
    for (int i = 1; i * frame < 4; ++i, ++count) {
        setup_step(run.world);
        State exact = kepler_exact(mote_world_time(run.world));
        sum += pow(distance_to(run.system, "position", exact.x), 2);
        sum += pow(distance_to(run.system, "velocity", exact.v), 2);
    }
    mote_world_destroy(run.world);
    return sqrt(sum / count);
}

static void frames_within_steps_have_order_four(void)
{
    double errors[4];
    if (sizeof(mote_real) == 4) return;
    for (int i = 0; i < 4; ++i) errors[i] = error_within_steps(0.1 / (1 << i));
    double slope = fitted_slope(errors, 4);
    bool good = slope > 4.5 && slope < 5.5;
    CHECK(good);
    CHECK(errors[3] < 1e-10);
    if (!good || getenv("MOTE_SHOW") != NULL)
        fprintf(stderr, "  order %g, at last %g\n", slope, errors[3]);
}

/* ---- the number of steps ---- */

typedef struct Count {
    uint64_t steps;
    double miss; /* m, at the end */
} Count;

static Count count_steps(double fps, bool dense)
{
    Run run = orbit(1 / fps, 1e3, sizeof(mote_real) == 4 ? 1e-4 : 1e-8, dense);
    Count count = {0, 0};
    for (int i = 0; i < (int)(8 * fps); ++i) count.steps += setup_step(run.world).accepted;
    count.miss = distance_to(run.system, "position", kepler_exact(8).x);
    mote_world_destroy(run.world);
    return count;
}

/* But for the first few, which begin with the length of a frame. */
static void frames_do_not_shorten_steps(void)
{
    const double miss = sizeof(mote_real) == 4 ? 0.02 : 2e-6;
    const Count slow = count_steps(1, true), fast = count_steps(250, true);
    const Count cut = count_steps(250, false);
    CHECK(fast.steps <= slow.steps + 6 && slow.steps <= fast.steps + 6);
    CHECK(cut.steps == 2000 && fast.steps < 200);
    CHECK(slow.miss < miss && fast.miss < miss && cut.miss < miss);
    if (!(fast.miss < miss))
        fprintf(stderr, "  %llu steps, off by %g\n", (unsigned long long)fast.steps, fast.miss);
}

/* Steps are never longer than max_step. */
static void the_longest_step_holds(void)
{
    Run run = orbit(0.07, 0.05, 1e30, true);
    for (int i = 0; i < 20; ++i) setup_step(run.world);
    const double *step = mote_system_column(run.system, "dense_step")->data;
    CHECK_NEAR(step[0], 0.05, 1e-12);
    mote_world_destroy(run.world);
}

/* ---- what disturbs a step that reaches ahead ---- */

/* An edit takes the row as it shows itself: turned round, it goes back to where it came from. */
static void edits_count_at_once(void)
{
    const double miss = sizeof(mote_real) == 4 ? 1e-3 : 1e-6;
    Run run = orbit(0.01, 1e3, sizeof(mote_real) == 4 ? 1e-5 : 1e-9, true);
    State start = kepler_exact(0);
    for (int i = 0; i < 130; ++i) setup_step(run.world);
    CHECK(*(double *)mote_system_column(run.system, "dense_end")->data > 1.301);
    for (int c = 0; c < 3; ++c) setup_reals(run.system, "velocity", c)[0] *= -1;
    mote_system_edited(run.system);
    for (int i = 0; i < 130; ++i) setup_step(run.world);
    CHECK(distance_to(run.system, "position", start.x) < miss);
    mote_world_destroy(run.world);
}

/* Where there is something to collide with, steps end with sub-steps. */
static void colliders_end_looking_ahead(void)
{
    Run run = orbit(0.01, 1e3, 1e-4, true);
    mote_ColliderDef ground = mote_collider_def();
    mote_Error error;
    for (int i = 0; i < 50; ++i) setup_step(run.world);
    CHECK(*(double *)mote_system_column(run.system, "dense_step")->data > 0);
    ground.name = "ground", ground.shape = "plane", ground.motion.at = setup_vec(0, -50, 0);
    SETUP_OK(mote_world_add_collider(run.world, &ground, &error), error);
    setup_step(run.world);
    CHECK_NEAR(*(double *)mote_system_column(run.system, "dense_step")->data, 0, 0);
    State exact = kepler_exact(mote_world_time(run.world));
    CHECK(distance_to(run.system, "position", exact.x) < 2e-3);
    mote_world_destroy(run.world);
}

/* Rows born at all moments have steps of their own, and end where their ages say. */
static void births_keep_their_own_steps(void)
{
    mote_WorldDef def = setup_def(0.05);
    mote_EmitterDef emitter = mote_emitter_def();
    mote_Error error;
    def.max_step = 0.031;
    mote_World *world = setup_world(&def);
    mote_System *system = add_tight_system(world, "dormand-prince");
    setup_force(world, "callback", &(mote_CallbackForce){spring_force, &spring_free});
    emitter.name = "source", emitter.system = "dust", emitter.rate = 37, emitter.jitter = 0;
    emitter.at = setup_vec(1, 0, 0), emitter.velocity = setup_vec(0.7, 0, 0);
    SETUP_OK(mote_world_add_emitter(world, &emitter, &error), error);
    for (int frame = 0; frame < 40; ++frame) setup_step(world);
    const double *birth = mote_system_column(system, "birth")->data;
    CHECK(mote_system_count(system) > 60);
    for (size_t i = 0; i < mote_system_count(system); ++i)
        CHECK_NEAR(setup_at(system, "position", 0, i),
                   oscillator_exact(mote_world_time(world) - birth[i]).x[0],
                   sizeof(mote_real) == 4 ? 1e-5 : 1e-7);
    mote_world_destroy(world);
}

/* Saved and reloaded after every sub-step, to the same bits. */
static void looking_ahead_is_saved(void)
{
    mote_real at[2] = {0, 0};
    for (int reload = 0; reload < 2; ++reload) {
        mote_WorldDef def = setup_def(0.02);
        def.max_step = 0.3, def.reload_always = reload == 1;
        mote_World *world = setup_world(&def);
        mote_System *system = add_tight_system(world, "dormand-prince");
        setup_force(world, "callback", &(mote_CallbackForce){kepler_force, NULL});
        State start = kepler_exact(0);
        setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        put_state(system, 0, &start);
        for (int frame = 0; frame < 57; ++frame) setup_step(world);
        at[reload] = setup_reals(system, "position", 1)[0];
        mote_world_destroy(world);
    }
    CHECK(memcmp(&at[0], &at[1], sizeof at[0]) == 0);
}

TESTS({"frames_within_steps_have_order_four", frames_within_steps_have_order_four},
      {"frames_do_not_shorten_steps", frames_do_not_shorten_steps},
      {"the_longest_step_holds", the_longest_step_holds},
      {"edits_count_at_once", edits_count_at_once},
      {"colliders_end_looking_ahead", colliders_end_looking_ahead},
      {"births_keep_their_own_steps", births_keep_their_own_steps},
      {"looking_ahead_is_saved", looking_ahead_is_saved})
