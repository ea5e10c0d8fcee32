/* Histories of multistep schemes in the corners: birth within a step, a new step length, edits,
 * collisions, sorting out and saving; and steps under error control. */
#include "integrate/problems.h"

#include "particles/history.h"

/* ---- birth within a sub-step ---- */

/* Emitted at even times that fall anywhere into the steps, then under the spring: at the end every
 * particle is where its own age says, so a short first step does no harm. */
static void births_within_a_step_keep_the_order(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        if (row->order < 4) continue;
        mote_WorldDef def = setup_def(0.5);
        mote_EmitterDef emitter = mote_emitter_def();
        mote_Error error;
        def.max_step = 0.01000001;
        mote_World *world = setup_world(&def);
        mote_System *system = add_tight_system(world, row->head.name);
        setup_force(world, "callback", &(mote_CallbackForce){spring_force, &spring_free});
        emitter.name = "source", emitter.system = "dust", emitter.rate = 37, emitter.jitter = 0;
        emitter.at = setup_vec(1, 0, 0), emitter.velocity = setup_vec(0.7, 0, 0);
        SETUP_OK(mote_world_add_emitter(world, &emitter, &error), error);
        for (int frame = 0; frame < 4; ++frame) setup_step(world);
        size_t count = mote_system_count(system);
        const double *birth = mote_system_column(system, "birth")->data;
        CHECK(count > 60);
        for (size_t i = 0; i < count; ++i) {
            State s = oscillator_exact(mote_world_time(world) - birth[i]);
            CHECK_NEAR(setup_at(system, "position", 0, i), s.x[0],
                       sizeof(mote_real) == 4 ? 1e-4 : 3e-7);
        }
        mote_world_destroy(world);
    }
}

/* ---- a new step length: two frames of other lengths of step ---- */

static mote_Status change_nothing(void *context, mote_World *world, double t, mote_Error *error)
{
    (void)context, (void)world, (void)t, (void)error;
    return MOTE_OK;
}

/* A frame rate that does not divide: the clock's first frame is cut into other steps than the rest
 * by restoring a state between two worlds. */
static void a_new_step_length_restarts(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        const mote_StateArray *state;
        size_t count;
        mote_Error error;
        if (row->order < 4) continue;
        Problem problem = problems[0];
        Run coarse = begin_run(&problem, row->head.name, 40),
            fine = begin_run(&problem, row->head.name, 71);
        for (int frame = 0; frame < 3; ++frame) setup_step(coarse.world);
        SETUP_OK(mote_world_state(coarse.world, &state, &count, &error), error);
        SETUP_OK(mote_world_restore(fine.world, state, count, &error), error);
        for (int frame = 0; frame < 3; ++frame) setup_step(fine.world);
        State exact = problem.exact(problem.duration * 6 / FRAMES);
        CHECK_NEAR(setup_at(fine.system, "position", 0, 0), exact.x[0],
                   sizeof(mote_real) == 4 ? 1e-4 : 2e-6);
        CHECK_NEAR(setup_at(fine.system, "velocity", 0, 0), exact.v[0],
                   sizeof(mote_real) == 4 ? 1e-4 : 4e-6);
        mote_world_destroy(coarse.world);
        mote_world_destroy(fine.world);
    }
}

/* ---- edits ---- */

/* Put to another place, a row goes on from there like a new one: nothing of its past is left. */
static void edited_rows_forget(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        Run old = begin_run(&problems[0], row->head.name, 13);
        Run fresh = begin_run(&problems[0], row->head.name, 13);
        State other = {{0.3, -0.2, 0.1}, {1, 2, 0}};
        setup_step(old.world);
        setup_step(fresh.world);
        put_state(old.system, 0, &other);
        mote_world_destroy(fresh.world);
        fresh = begin_run(&problems[0], row->head.name, 13);
        put_state(fresh.system, 0, &other);
        setup_step(old.world);
        setup_step(fresh.world);
        for (int c = 0; c < 3; ++c) {
            CHECK_NEAR(setup_at(old.system, "position", c, 0),
                       setup_at(fresh.system, "position", c, 0), 1e-6);
            CHECK_NEAR(setup_at(old.system, "velocity", c, 0),
                       setup_at(fresh.system, "velocity", c, 0), 1e-6);
        }
        mote_world_destroy(old.world);
        mote_world_destroy(fresh.world);
    }
}

/* ---- collisions ---- */

/* Dropped on a plane without losses: schemes that integrate a parabola exactly come back to the
 * height of the drop within what the plane's algorithm allows, bounce after bounce; a history that
 * went on through the bounce would throw them far off. */
static void bounces_restart(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        if (row->history.entries == 0) continue;
        mote_WorldDef def = setup_def(0.01);
        def.gravity = setup_vec(0, -10, 0);
        mote_World *worlds[2];
        mote_System *systems[2];
        const char *names[2] = {row->head.name, "velocity-verlet"};
        for (int i = 0; i < 2; ++i) {
            worlds[i] = setup_world(&def);
            systems[i] = setup_system(worlds[i], "ball", names[i], NULL);
            setup_plane(worlds[i], setup_vec(0, 1, 0), 0.8, 0.3);
            setup_particle(systems[i], setup_vec(0, 1, 0), setup_vec(1, 0, 0));
        }
        bool resting = strcmp(row->head.name, "verlet-backward") == 0;
        for (int step = 0; step < 200 && !resting; ++step) {
            setup_step(worlds[0]);
            setup_step(worlds[1]);
            if (step > 90) continue; /* rounding decides about later bounces */
            CHECK_NEAR(setup_at(systems[0], "position", 1, 0),
                       setup_at(systems[1], "position", 1, 0), 0.02);
            CHECK_NEAR(setup_at(systems[0], "velocity", 0, 0),
                       setup_at(systems[1], "velocity", 0, 0), 0.05);
        }
        CHECK(setup_at(systems[0], "position", 1, 0) > 0);
        mote_world_destroy(worlds[0]);
        mote_world_destroy(worlds[1]);
    }
}

/* ---- saving, retiring, threads: the same bits ---- */

static uint64_t hash_after(const char *integrator, int threads, bool reload, size_t extra)
{
    mote_WorldDef def = setup_def(0.02);
    mote_TasksDef tasks = mote_tasks_def();
    mote_Error error;
    tasks.threads = threads;
    SETUP_OK(mote_tasks_create(&tasks, &def.tasks, &error), error);
    def.max_step = 0.0050001, def.reload_always = reload;
    def.gravity = setup_vec(0, -9.8, 0);
    def.before_substep = extra > 0 ? change_nothing : NULL;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", integrator, NULL);
    setup_force(world, "callback", &(mote_CallbackForce){spring_force, &spring_damped});
    setup_plane(world, setup_vec(0, 1, 0), 0.5, 0.3);
    uint64_t random = 5;
    for (size_t i = 0; i < 300; ++i) {
        size_t row = setup_particle(
            system, setup_vec(setup_uniform(&random, -1, 1), setup_uniform(&random, 0.02, 0.6), 0),
            setup_vec(setup_uniform(&random, -1, 1), 0, 1));
        setup_reals(system, "lifetime", 0)[row] = i % 7 == 0 ? (mote_real)0.1 : (mote_real)10;
    }
    mote_system_edited(system);
    for (int frame = 0; frame < 12; ++frame) setup_step(world);
    uint64_t hash = mote_frame_hash(mote_world_frame(world));
    CHECK(mote_system_count(system) < 300 && mote_system_count(system) > 200);
    mote_world_destroy(world);
    mote_tasks_destroy(def.tasks);
    return hash;
}

static void saving_and_threads_change_no_bits(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        if (row->history.entries == 0 && row->error == NULL) continue;
        uint64_t plain = hash_after(row->head.name, 1, false, 0);
        CHECK(hash_after(row->head.name, 1, true, 0) == plain);
        CHECK(hash_after(row->head.name, 3, false, 0) == plain);
        CHECK(hash_after(row->head.name, 1, false, 1) == plain); /* sub-steps not fused */
    }
}

/* Frames show no history. */
static void frames_leave_histories_out(void)
{
    Run run = begin_run(&problems[0], "ab4", 5);
    setup_step(run.world);
    const mote_Frame *frame = mote_world_frame(run.world);
    CHECK(mote_system_column(run.system, "history") != NULL);
    CHECK(mote_frame_column(&frame->systems[0], "history") == NULL);
    CHECK(mote_frame_column(&frame->systems[0], "position") != NULL);
    mote_world_destroy(run.world);
}

/* ---- rows that act on each other ---- */

/* A ball on a spring from a pinned ball: the same oscillation by way of links. */
static void links_are_solved_to_the_same_order(void)
{
    for (EACH_INTEGRATOR()) {
        const IntegratorRow *row = THIS_INTEGRATOR;
        if (row->order < 2 || sizeof(mote_real) == 4) continue;
        mote_WorldDef def = setup_def(0.5);
        mote_Error error;
        def.max_step = 0.00500001;
        mote_World *world = setup_world(&def);
        mote_System *system = add_tight_system(world, row->head.name);
        setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        setup_particle(system, setup_vec(1, 0, 0), setup_vec(0.7, 0, 0));
        const uint64_t a = 0, b = 1;
        const mote_real rest = 0;
        mote_PairsPattern pair = {.a = &a, .b = &b, .rest = &rest, .count = 1};
        mote_LinksDef links = mote_links_def();
        links.system = "dust", links.pattern = "pairs", links.pattern_params = &pair;
        links.stiffness = 4, links.damping = 0;
        SETUP_OK(mote_world_add_links(world, &links, &error), error);
        ((uint32_t *)mote_system_column(system, "pinned")->data)[0] = 1;
        for (int frame = 1; frame <= 6; ++frame) {
            setup_step(world);
            State s = oscillator_exact(0.5 * frame);
            double allowed = row->order == 2 ? 2e-3 : row->order == 3 ? 2e-6 : 1e-7;
            CHECK_NEAR(setup_at(system, "position", 0, 1), s.x[0], allowed);
        }
        mote_world_destroy(world);
    }
}

/* ---- steps under error control ---- */

static Run adaptive_run(double tolerance, uint64_t most_rejections, mote_CallbackForce force)
{
    mote_WorldDef def = setup_def(0.5);
    mote_PointsSolver solver = mote_points_solver_def();
    mote_SystemDef points = mote_system_def();
    mote_Error error;
    Run run = {.world = setup_world(&def)};
    solver.integrator = "dormand-prince";
    solver.relative_tolerance = solver.absolute_tolerance = tolerance;
    solver.most_rejections = most_rejections;
    points.name = "dust", points.solver_params = &solver;
    SETUP_OK(mote_world_add_system(run.world, &points, &run.system, &error), error);
    setup_force(run.world, "callback", &force);
    return run;
}

/* Half a second in one go is far too long for w = 2: steps are cut until the error fits. */
static void tolerances_are_kept(void)
{
    const double tolerances[] = {1e-3, 1e-5, 1e-7, 1e-9};
    double last = 1;
    uint64_t steps = 0;
    for (size_t i = 0; i < COUNT_OF(tolerances); ++i) {
        if (sizeof(mote_real) == 4 && tolerances[i] < 1e-6) break;
        Run run = adaptive_run(tolerances[i], 100, (mote_CallbackForce){kepler_force, NULL});
        State start = kepler_exact(0);
        setup_particle(run.system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        put_state(run.system, 0, &start);
        uint64_t accepted = 0;
        for (int frame = 0; frame < 10; ++frame) accepted += setup_step(run.world).accepted;
        State end = kepler_exact(5);
        double miss = distance_to(run.system, "position", end.x);
        CHECK(miss < 500 * tolerances[i] && miss < last);

        CHECK(accepted > steps);
        last = miss, steps = accepted;
        mote_world_destroy(run.world);
    }
}

/* A force that jumps about has no step that is short enough. */
static void jump_force(void *context, size_t first, size_t count, const mote_real *const x[3],
                       const mote_real *const v[3], const mote_real *mass, double t,
                       mote_real *const a[3])
{
    static unsigned calls;
    (void)context, (void)v, (void)mass, (void)t, (void)x;
    for (size_t i = 0; i < count; ++i)
        if (first + i == 4) a[0][i] += (mote_real)(++calls % 2 == 0 ? 1e20 : -1e20);
}

static void rejected_too_often_names_the_particle(void)
{
    Run run = adaptive_run(1e-6, 30, (mote_CallbackForce){jump_force, NULL});
    mote_Error error = {0};
    for (int i = 0; i < 7; ++i) setup_particle(run.system, setup_vec(i, 0, 0), setup_vec(0, 0, 0));
    CHECK(mote_world_step(run.world, NULL, &error) == MOTE_DIVERGED);
    CHECK_MESSAGE(error, "particle 4");
    CHECK_MESSAGE(error, "dormand-prince rejected 31 steps");
    mote_world_destroy(run.world);
}

static void wrong_tolerances_are_refused(void)
{
    const double wrong[][2] = {
        {-1e-6, 1e-6}, {1e-6, 0}, {1e-6, -1}, {2, 1e-6}, {(double)NAN, 1e-6}};
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        mote_WorldDef def = setup_def(1);
        mote_World *world = setup_world(&def);
        mote_PointsSolver solver = mote_points_solver_def();
        mote_SystemDef points = mote_system_def();
        mote_Error error = {0};
        solver.integrator = "dormand-prince";
        solver.relative_tolerance = wrong[i][0], solver.absolute_tolerance = wrong[i][1];
        points.name = "dust", points.solver_params = &solver;
        CHECK(mote_world_add_system(world, &points, NULL, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, "tolerance");
        mote_world_destroy(world);
    }
}

/* ---- bad input ---- */

static void unknown_schemes_are_named(void)
{
    const char *const wrong[][2] = {{"velocity-verelt", "velocity-verlet"},
                                    {"euler-kromer", "euler-cromer"},
                                    {"dormand-prins", "dormand-prince"}};
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        mote_WorldDef def = setup_def(1);
        mote_World *world = setup_world(&def);
        mote_PointsSolver solver = mote_points_solver_def();
        mote_SystemDef points = mote_system_def();
        mote_Error error = {0};
        solver.integrator = wrong[i][0];
        points.name = "dust", points.solver_params = &solver;
        CHECK(mote_world_add_system(world, &points, NULL, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, wrong[i][1]);
        mote_world_destroy(world);
    }
}

static void steps_must_be_positive(void)
{
    const double wrong[] = {0, -0.01, (double)NAN};
    for (size_t i = 0; i < COUNT_OF(wrong); ++i) {
        mote_WorldDef def = setup_def(1);
        mote_World *world;
        mote_Error error = {0};
        def.max_step = wrong[i];
        CHECK(mote_world_create(&def, &world, &error) == MOTE_BAD_VALUE);
        CHECK_MESSAGE(error, "max_step");
    }
}

TESTS({"births_within_a_step_keep_the_order", births_within_a_step_keep_the_order},
      {"a_new_step_length_restarts", a_new_step_length_restarts},
      {"edited_rows_forget", edited_rows_forget}, {"bounces_restart", bounces_restart},
      {"saving_and_threads_change_no_bits", saving_and_threads_change_no_bits},
      {"frames_leave_histories_out", frames_leave_histories_out},
      {"links_are_solved_to_the_same_order", links_are_solved_to_the_same_order},
      {"tolerances_are_kept", tolerances_are_kept},
      {"rejected_too_often_names_the_particle", rejected_too_often_names_the_particle},
      {"wrong_tolerances_are_refused", wrong_tolerances_are_refused},
      {"unknown_schemes_are_named", unknown_schemes_are_named},
      {"steps_must_be_positive", steps_must_be_positive})
