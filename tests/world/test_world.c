/* The world: clock, watchdog, boundaries, events, report, and definitions that are wrong. */
#include "setup.h"

/* ---- the clock ---- */

static void frames_do_not_drift(void)
{
    mote_WorldDef def = mote_world_def();
    def.fps = 30, def.max_step = 1;
    mote_World *world = setup_world(&def);
    for (int i = 0; i < 1000000; ++i) setup_step(world);
    CHECK(mote_world_frame_index(world) == 1000000);
    CHECK(mote_world_time(world) == 1000000 / 30.0);
    CHECK(mote_world_frame(world)->time == 1000000 / 30.0);
    mote_world_destroy(world);
}

static void max_step_is_honoured(void)
{
    static const struct {
        double fps, max_step;
        uint64_t substeps;
    } cases[] = {{30, 0.01, 4},      {30, 1 / 30.0, 1}, {30, 1 / 60.0, 2}, {24, 1.0 / 240, 10},
                 {60, 10, 1},        {1, 0.3, 4},       {25, 0.04, 1},     {1000, 0.001, 1},
                 {0.5, 0.001, 2000}, {30, 0.0333333, 2}};
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        mote_WorldDef def = mote_world_def();
        def.fps = cases[i].fps, def.max_step = cases[i].max_step;
        mote_World *world = setup_world(&def);
        for (int frame = 0; frame < 40; ++frame) {
            mote_StepReport report = setup_step(world);
            CHECK(report.substeps == cases[i].substeps);
            CHECK(report.dt <= cases[i].max_step * (1 + 1e-6));
            CHECK_NEAR(report.dt * (double)report.substeps, 1 / def.fps, 1e-9 / def.fps);
            CHECK(report.frame == (uint64_t)frame + 1 && report.time == (frame + 1) / def.fps);
        }
        mote_world_destroy(world);
    }
}

/* ---- motion against closed forms ---- */

/* x = v/k (1 - e^-kt), y = ((g/k + v) (1 - e^-kt) - g t) / k: linear drag. */
static void projectile_with_drag(void)
{
    const double k = 0.8, g = 9.81, vx = 3, vy = 7, t = 2, gone = 1 - exp(-k * t);
    mote_WorldDef def = mote_world_def();
    def.fps = 10, def.max_step = 0.01;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "balls", "rk4", NULL);
    setup_force(world, "drag", &(mote_DragForce){.linear = (mote_real)k});
    for (int i = 0; i < 200; ++i) setup_particle(system, setup_vec(0, 0, 0), setup_vec(vx, vy, 0));
    for (int i = 0; i < 20; ++i) setup_step(world);
    double small = sizeof(mote_real) == 4 ? 2e-5 : 1e-8;
    for (size_t i = 0; i < 200; ++i) {
        CHECK_NEAR(setup_at(system, "position", 0, i), vx / k * gone, small);
        CHECK_NEAR(setup_at(system, "position", 1, i), ((g / k + vy) * gone - g * t) / k, small);
        CHECK_NEAR(setup_at(system, "velocity", 1, i), vy - (g / k + vy) * gone, small);
    }
    mote_world_destroy(world);
}

/* ---- the watchdog ---- */

/* Makes one particle's acceleration not a number from t = 0.5 s on. */
static void poison(void *context, size_t first, size_t count, const mote_real *const x[3],
                   const mote_real *const v[3], const mote_real *mass, double t,
                   mote_real *const a[3])
{
    size_t row = *(const size_t *)context;
    (void)x, (void)v, (void)mass;
    for (size_t i = 0; i < count; ++i)
        if (first + i == row && t >= 0.5 - 1e-9) a[1][i] = (mote_real)NAN;
}

static mote_World *poisoned(int not_finite, size_t *row, mote_System **system)
{
    mote_WorldDef def = setup_def(0.1);
    def.not_finite = not_finite;
    mote_World *world = setup_world(&def);
    *system = setup_system(world, "dust", NULL, NULL);
    setup_force(world, "callback", &(mote_CallbackForce){poison, row});
    for (int i = 0; i < 300; ++i) setup_particle(*system, setup_vec(i, 0, 0), setup_vec(0, 1, 0));
    return world;
}

static void not_finite_stops(void)
{
    size_t row = 217;
    mote_System *system;
    mote_World *world = poisoned(MOTE_NOT_FINITE_STOP, &row, &system);
    mote_Error error = {0};
    for (int i = 0; i < 5; ++i) setup_step(world);
    CHECK(mote_world_step(world, NULL, &error) == MOTE_DIVERGED);
    CHECK(error.status == MOTE_DIVERGED);
    CHECK_MESSAGE(error, "system dust");
    CHECK_MESSAGE(error, "particle 217");
    CHECK_MESSAGE(error, "step 6");
    CHECK_MESSAGE(error, "max_step");
    CHECK(mote_world_frame_index(world) == 5);
    mote_world_destroy(world);
}

static void not_finite_retires(void)
{
    size_t row = 217;
    mote_System *system;
    mote_World *world = poisoned(MOTE_NOT_FINITE_RETIRE, &row, &system);
    for (int i = 0; i < 5; ++i) CHECK(setup_step(world).not_finite == 0);
    mote_StepReport report = setup_step(world);
    row = SIZE_MAX;
    CHECK(report.not_finite == 1 && report.lost == 0 && report.particles == 299);
    CHECK(mote_system_find(system, 217) == SIZE_MAX && mote_system_find(system, 218) == 217);
    CHECK(setup_step(world).not_finite == 0);
    CHECK_NEAR(setup_at(system, "position", 1, 298), 0.7, 1e-5);
    mote_world_destroy(world);
}

static void stiff(void *context, size_t first, size_t count, const mote_real *const x[3],
                  const mote_real *const v[3], const mote_real *mass, double t,
                  mote_real *const a[3])
{
    (void)context, (void)first, (void)v, (void)mass, (void)t;
    for (size_t i = 0; i < count; ++i) a[0][i] -= (mote_real)1e6 * x[0][i];
}

static void runaway_energy_stops(void)
{
    mote_WorldDef def = setup_def(1.0 / 30);
    def.max_step = 0.01;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", "euler", NULL);
    setup_force(world, "callback", &(mote_CallbackForce){stiff, NULL});
    setup_particle(system, setup_vec(1e-3, 0, 0), setup_vec(0, 0, 0));
    mote_Error error = {0};
    int frames = 0;
    while (frames < 10 && mote_world_step(world, NULL, &error) == MOTE_OK) ++frames;
    CHECK(frames < 5 && error.status == MOTE_DIVERGED);
    CHECK_MESSAGE(error, "energy");
    CHECK_MESSAGE(error, "max_step");
    mote_world_destroy(world);
}

static void calm_worlds_are_left_alone(void)
{
    mote_WorldDef def = mote_world_def();
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0)); /* starts without energy */
    for (int i = 0; i < 300; ++i) setup_step(world);
    CHECK(setup_at(system, "velocity", 1, 0) < -90);
    mote_world_destroy(world);
}

/* ---- boundaries ---- */

static void what_leaves_the_box_is_lost(void)
{
    mote_WorldDef def = setup_def(0.1);
    def.bounded = true;
    def.box_min = setup_vec(-1, -2, -3), def.box_max = setup_vec(1, 2, 3);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    for (int c = 0; c < 6; ++c) {
        double v[3] = {0, 0, 0};
        v[c % 3] = (c < 3 ? 1 : -1) * 1.01 * (c % 3 + 1);
        setup_particle(system, setup_vec(0, 0, 0), setup_vec(v[0], v[1], v[2]));
    }
    setup_particle(system, setup_vec(0.5, 0.5, 0.5), setup_vec(0, 0, 0));
    for (int i = 0; i < 9; ++i) CHECK(setup_step(world).lost == 0);
    mote_StepReport report = setup_step(world);
    CHECK(report.lost == 6 && report.particles == 1 && report.died == 0);
    CHECK(mote_system_find(system, 6) == 0);
    mote_world_destroy(world);
}

static void lifetimes_end(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    for (size_t i = 0; i < 1000; ++i) {
        size_t row = setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0));
        setup_reals(system, "lifetime", 0)[row] = (mote_real)(0.05 + 0.1 * (double)(i % 20));
    }
    for (size_t i = 1; i <= 20; ++i) {
        mote_StepReport report = setup_step(world);
        CHECK(report.died == 50 && report.particles == 1000 - 50 * i);
    }
    mote_world_destroy(world);
}

/* Wrapped coordinates are in [min, max), whole boxes away from where they were. */
static void periodic_axes_wrap(void)
{
    static const double boxes[][2] = {{-1, 1}, {0, 3}, {-0.1, 0.2}, {100, 100.7}, {-7, -0.3}};
    for (size_t b = 0; b < COUNT_OF(boxes); ++b) {
        mote_WorldDef def = setup_def(0.1);
        mote_real low = (mote_real)boxes[b][0], high = (mote_real)boxes[b][1];
        def.periodic_x = def.periodic_z = true;
        def.box_min.x = def.box_min.z = low, def.box_max.x = def.box_max.z = high;
        mote_World *world = setup_world(&def);
        mote_System *system = setup_system(world, "dust", NULL, NULL);
        double size = (double)high - (double)low;
        double starts[400];
        uint64_t state = 4;
        for (int i = 0; i < 400; ++i) {
            double at = setup_uniform(&state, -3, 4) * size + (double)low;
            if (i < 40) { /* next to the borders */
                mote_real near = i % 2 ? low : high;
                for (int k = 0; k < i / 4 % 10; ++k)
                    near =
                        (mote_real)(i % 4 < 2
                                        ? (sizeof near == 4 ? (double)nextafterf((float)near, 1e9f)
                                                            : nextafter((double)near, 1e9))
                                        : (sizeof near == 4 ? (double)nextafterf((float)near, -1e9f)
                                                            : nextafter((double)near, -1e9)));
                at = (double)near;
            }
            mote_real x = (mote_real)at;
            starts[i] = (double)x;
            setup_particle(system, (mote_Vec3){x, x, x}, setup_vec(0, 0, 0));
        }
        setup_step(world);
        for (size_t i = 0; i < 400; ++i) {
            double x = setup_at(system, "position", 0, i), turns = (starts[i] - x) / size;
            double rounding = sizeof(mote_real) == 4 ? 1e-4 : 1e-12;
            CHECK(x >= (double)low && x < (double)high);
            CHECK_NEAR(turns, round(turns), rounding);
            CHECK(setup_at(system, "position", 2, i) == x);
            CHECK(setup_at(system, "position", 1, i) == starts[i]); /* not periodic */
            bool inside = starts[i] >= (double)low && starts[i] < (double)high;
            if (inside) CHECK(x == starts[i]);
        }
        mote_world_destroy(world);
    }
}

/* ---- events ---- */

static void events_come_sorted(void)
{
    mote_WorldDef def = mote_world_def();
    def.record_events = true;
    def.bounded = true;
    def.box_min = setup_vec(-2, -1, -2), def.box_max = setup_vec(2, 5, 2);
    mote_World *world = setup_world(&def);
    mote_Error error;
    static const char *const names[] = {"a", "b"};
    for (int s = 0; s < 2; ++s) {
        mote_EmitterDef emitter = mote_emitter_def();
        setup_system(world, names[s], NULL, NULL);
        emitter.name = emitter.system = names[s];
        emitter.rate = 3000, emitter.velocity = setup_vec(0, 3, 0), emitter.spread = 1;
        emitter.at = setup_vec(0, 0.2, 0);
        emitter.lifetime = 2, emitter.lifetime_jitter = (mote_real)0.5;
        SETUP_OK(mote_world_add_emitter(world, &emitter, &error), error);
    }
    setup_plane(world, setup_vec(0, 1, 0), 0.5, 0.1);
    uint64_t kinds[3] = {0, 0, 0}, died = 0, lost = 0, most_hits = 0;
    for (int frame = 0; frame < 90; ++frame) {
        mote_StepReport report = setup_step(world);
        size_t count;
        const mote_Event *events = mote_world_events(world, &count);
        for (size_t i = 0; i < count; ++i) {
            ++kinds[events[i].kind];
            CHECK(events[i].time > report.time - 1 / 30.0 - 1e-9 &&
                  events[i].time <= report.time + 1e-9);
            if (i == 0) continue;
            const mote_Event *x = &events[i - 1], *y = &events[i];
            bool ordered = x->system < y->system || (x->system == y->system && x->id < y->id) ||
                           (x->system == y->system && x->id == y->id && x->time <= y->time);
            CHECK(ordered);
        }
        died += report.died, lost += report.lost, most_hits += report.hits;
    }
    CHECK(kinds[MOTE_EVENT_DEATH] == died && died > 500);
    CHECK(kinds[MOTE_EVENT_LOST] == lost && lost > 500);
    CHECK(kinds[MOTE_EVENT_HIT] <= most_hits && kinds[MOTE_EVENT_HIT] > 500);
    mote_world_destroy(world);
}

static void events_are_off_by_default(void)
{
    mote_WorldDef def = setup_def(0.1);
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "dust", NULL, NULL);
    size_t row = setup_particle(system, setup_vec(0, 0, 0), setup_vec(0, 0, 0)), count = 99;
    setup_reals(system, "lifetime", 0)[row] = (mote_real)0.05;
    CHECK(setup_step(world).died == 1);
    mote_world_events(world, &count);
    CHECK(count == 0);
    mote_world_destroy(world);
}

/* ---- the report ---- */

static void report_holds_the_sums(void)
{
    mote_WorldDef def = setup_def(1e-6);
    def.gravity = setup_vec(0, -9.81, 1);
    mote_World *world = setup_world(&def);
    mote_System *systems[2] = {setup_system(world, "a", NULL, NULL),
                               setup_system(world, "b", "leapfrog", NULL)};
    setup_force(world, "attractor", &(mote_AttractorForce){{1, 1, 1}, 3, (mote_real)0.5});
    uint64_t state = 6;
    for (int i = 0; i < 2345; ++i) {
        double q[6];
        for (int k = 0; k < 6; ++k) q[k] = setup_uniform(&state, -3, 3);
        size_t row = setup_particle(systems[i % 3 == 0], setup_vec(q[0], q[1], q[2]),
                                    setup_vec(q[3], q[4], q[5]));
        setup_reals(systems[i % 3 == 0], "mass", 0)[row] = (mote_real)setup_uniform(&state, 0.1, 2);
    }
    mote_StepReport report = setup_step(world);
    double kinetic = 0, potential = 0, momentum[3] = {0, 0, 0}, scale = 0;
    for (int s = 0; s < 2; ++s)
        for (size_t i = 0; i < mote_system_count(systems[s]); ++i) {
            double m = setup_at(systems[s], "mass", 0, i), d2 = 0.25, v2 = 0;
            for (int c = 0; c < 3; ++c) {
                double v = setup_at(systems[s], "velocity", c, i);
                v2 += v * v, momentum[c] += m * v;
                d2 += pow(setup_at(systems[s], "position", c, i) - 1, 2);
            }
            kinetic += 0.5 * m * v2;
            double fall = 9.81 * m * setup_at(systems[s], "position", 1, i) -
                          m * setup_at(systems[s], "position", 2, i);
            potential += fall - 3 * m / sqrt(d2);
            scale += fabs(fall) + 3 * m / sqrt(d2);
        }
    double small = sizeof(mote_real) == 4 ? 1e-6 : 1e-14;
    CHECK(report.particles == 2345 && report.emitted == 0);
    CHECK_NEAR(report.kinetic, kinetic, 1e-12 * kinetic);
    CHECK_NEAR(report.potential, potential, small * scale);
    for (int c = 0; c < 3; ++c) CHECK_NEAR(report.momentum[c], momentum[c], 1e-12 * kinetic);
    CHECK(report.seconds > 0);
    mote_world_destroy(world);
}

static void stages_have_names(void)
{
    for (int s = 0; s < MOTE_STAGE_COUNT; ++s) CHECK(strlen(mote_stage_name(s)) > 3);
}

/* ---- definitions that are wrong ---- */

static void bad_world_definitions(void)
{
    mote_WorldDef bad[12];
    static const char *const texts[12] = {
        "dimension is 4", "fps is 0",   "gravity", "fps",         "max_step is 0", "box_min",
        "dimension is 1", "not_finite", "gravity", "max_step is", "energy_factor", "box_max"};
    for (int i = 0; i < 12; ++i) bad[i] = mote_world_def();
    bad[0].dimension = 4;
    bad[1].fps = 0;
    bad[2].gravity.y = (mote_real)NAN;
    bad[3].fps = (double)NAN;
    bad[4].max_step = 0;
    bad[5].box_min.x = 2;
    bad[6].dimension = 1;
    bad[7].not_finite = 7;
    bad[8].gravity.x = (mote_real)INFINITY;
    bad[9].max_step = -1;
    bad[10].energy_factor = 0.5;
    bad[11].box_max.z = (mote_real)NAN;
    for (int i = 0; i < 12; ++i) {
        mote_World *world = (mote_World *)&bad[i];
        mote_Error error = {0};
        CHECK(mote_world_create(&bad[i], &world, &error) == MOTE_BAD_VALUE && world == NULL);
        CHECK_MESSAGE(error, texts[i]);
        CHECK_MESSAGE(error, "world");
    }
}

static void bad_systems(void)
{
    mote_PointsSolver schemes[2] = {mote_points_solver_def(), mote_points_solver_def()};
    schemes[0].integrator = "rk44", schemes[1].trace = "winds";
    mote_SystemDef bad[5];
    static const char *const texts[5] = {"system dust", "did you mean `points`?",
                                         "did you mean `rk4`?", "there is no field `winds`",
                                         "did you mean `contact`?"};
    for (int i = 0; i < 5; ++i) bad[i] = mote_system_def(), bad[i].name = "other";
    bad[0].name = "dust";
    bad[1].solver = "point";
    bad[2].solver_params = &schemes[0];
    bad[3].solver_params = &schemes[1];
    bad[4].collide.algorithm = "contct";
    mote_WorldDef def = mote_world_def();
    mote_World *world = setup_world(&def);
    setup_system(world, "dust", NULL, NULL);
    for (int i = 0; i < 5; ++i) {
        mote_Error error = {0};
        mote_System *system = (mote_System *)&def;
        CHECK(mote_world_add_system(world, &bad[i], &system, &error) == MOTE_BAD_VALUE);
        CHECK(system == NULL);
        CHECK_MESSAGE(error, texts[i]);
    }
    setup_step(world); /* the failures left nothing behind */
    mote_world_destroy(world);
}

static void names_are_unique_and_kept_whole(void)
{
    mote_WorldDef def = mote_world_def();
    mote_World *world = setup_world(&def);
    mote_FieldDef field = mote_field_def();
    field.name = "wind", field.type = "uniform";
    mote_ForceDef force = mote_force_def();
    force.name = "air", force.type = "drag";
    mote_ColliderDef collider = mote_collider_def();
    mote_EmitterDef emitter = mote_emitter_def();
    setup_system(world, "dust", NULL, NULL);
    collider.name = "floor", emitter.name = "jet", emitter.system = "dust";
    for (int again = 0; again < 2; ++again) {
        mote_Error errors[4] = {{0}};
        mote_Status wanted = again ? MOTE_BAD_VALUE : MOTE_OK;
        CHECK(mote_world_add_field(world, &field, &errors[0]) == wanted);
        CHECK(mote_world_add_force(world, &force, &errors[1]) == wanted);
        CHECK(mote_world_add_collider(world, &collider, &errors[2]) == wanted);
        CHECK(mote_world_add_emitter(world, &emitter, &errors[3]) == wanted);
        static const char *const names[4] = {"field wind", "force air", "collider floor",
                                             "emitter jet"};
        for (int i = 0; i < 4 && again; ++i) CHECK_MESSAGE(errors[i], names[i]);
    }
    char name[300];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    field.name = name;
    mote_Error error = {0};
    if (mote_world_add_field(world, &field, &error) == MOTE_OK)
        CHECK(mote_world_find(world, MOTE_KIND_FIELD, name) != NULL);
    else
        CHECK_MESSAGE(error, "name");
    CHECK(mote_world_find(world, MOTE_KIND_FIELD, "wind") != NULL);
    CHECK(mote_world_find(world, MOTE_KIND_FORCE, "gravity") != NULL);
    CHECK(mote_world_find(world, MOTE_KIND_SHAPE, "floor") != NULL);
    CHECK(mote_world_find(world, MOTE_KIND_EMITTER, "jet") != NULL);
    CHECK(mote_world_find(world, MOTE_KIND_EMITTER, "jets") == NULL);
    CHECK(mote_world_find(world, (mote_ObjectKind)99, "wind") == NULL);
    CHECK(mote_world_system(world, "dusty") == NULL);
    mote_world_destroy(world);
}

static void at_most_64_systems(void)
{
    mote_WorldDef def = mote_world_def();
    mote_World *world = setup_world(&def);
    mote_System *systems[64];
    for (int i = 0; i < 64; ++i) {
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        systems[i] = setup_system(world, name, NULL, NULL);
        setup_particle(systems[i], setup_vec(0, 0, 0), setup_vec(0, 0, 0));
    }
    mote_SystemDef extra = mote_system_def();
    mote_Error error = {0};
    extra.name = "s64";
    CHECK(mote_world_add_system(world, &extra, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "64");
    setup_step(world);
    for (int i = 0; i < 64; ++i) CHECK(setup_at(systems[i], "velocity", 1, 0) < -0.1);
    mote_world_destroy(world);
}

static void empty_worlds_step(void)
{
    mote_WorldDef def = mote_world_def();
    mote_World *world = setup_world(&def);
    CHECK(setup_step(world).particles == 0);
    setup_system(world, "dust", NULL, NULL);
    setup_plane(world, setup_vec(0, 1, 0), 0.5, 0.5);
    CHECK(setup_step(world).particles == 0);
    const mote_Frame *frame = mote_world_frame(world);
    CHECK(frame->index == 2 && frame->system_count == 1 && frame->shape_count == 1);
    CHECK(frame->systems[0].count == 0 && mote_frame_hash(frame) != 0);
    CHECK(mote_frame_system(frame, "dust") != NULL && mote_frame_system(frame, "mist") == NULL);
    CHECK(mote_frame_column(&frame->systems[0], "mass") != NULL);
    CHECK(mote_frame_column(&frame->systems[0], "mess") == NULL);
    mote_world_destroy(world);
    mote_world_destroy(NULL);
}

TESTS({"frames_do_not_drift", frames_do_not_drift}, {"max_step_is_honoured", max_step_is_honoured},
      {"projectile_with_drag", projectile_with_drag}, {"not_finite_stops", not_finite_stops},
      {"not_finite_retires", not_finite_retires}, {"runaway_energy_stops", runaway_energy_stops},
      {"calm_worlds_are_left_alone", calm_worlds_are_left_alone},
      {"what_leaves_the_box_is_lost", what_leaves_the_box_is_lost},
      {"lifetimes_end", lifetimes_end}, {"periodic_axes_wrap", periodic_axes_wrap},
      {"events_come_sorted", events_come_sorted},
      {"events_are_off_by_default", events_are_off_by_default},
      {"report_holds_the_sums", report_holds_the_sums}, {"stages_have_names", stages_have_names},
      {"bad_world_definitions", bad_world_definitions}, {"bad_systems", bad_systems},
      {"names_are_unique_and_kept_whole", names_are_unique_and_kept_whole},
      {"at_most_64_systems", at_most_64_systems}, {"empty_worlds_step", empty_worlds_step})
