/* Systems that attract each other are solved together: as one system would be, with every explicit
 * integrator, also while rows are born. What cannot be is refused by name. */
#include "setup.h"

#include "integrate/integrator.h"

enum { ROWS = 260, STEPS = 12 };

static mote_MutualGravityForce soft(void)
{
    mote_MutualGravityForce gravity = mote_mutual_gravity_force_def();
    gravity.G = 0.01, gravity.softening = (mote_real)0.1;
    return gravity;
}

/* Around (x, 0, 0). */
static void scatter(mote_System *system, uint64_t *state, int count, double x)
{
    for (int i = 0; i < count; ++i) {
        mote_real place[6];
        for (int k = 0; k < 6; ++k) place[k] = (mote_real)setup_uniform(state, -1, 1);
        size_t row =
            setup_particle(system, (mote_Vec3){(mote_real)x + place[0], place[1], place[2]},
                           (mote_Vec3){place[3], place[4], place[5]});
        setup_reals(system, "mass", 0)[row] = (mote_real)setup_uniform(state, 0.1, 2);
    }
}

/* The same particles in one system, or in two. */
static mote_World *make(const char *integrator, bool parted, mote_System *systems[2])
{
    uint64_t state = 21;
    mote_WorldDef def = setup_def(0.02);
    mote_World *world = setup_world(&def);
    mote_MutualGravityForce gravity = soft();
    systems[0] = setup_system(world, "a", integrator, NULL);
    systems[1] = parted ? setup_system(world, "b", integrator, NULL) : systems[0];
    scatter(systems[0], &state, BLOCK_ROWS, 0);
    scatter(systems[1], &state, ROWS - BLOCK_ROWS, 1);
    setup_force(world, "mutual-gravity", &gravity);
    return world;
}

static double value_at(mote_System *const systems[2], const char *column, int c, size_t i)
{
    if (systems[0] == systems[1]) return setup_at(systems[0], column, c, i);
    return i < BLOCK_ROWS ? setup_at(systems[0], column, c, i)
                          : setup_at(systems[1], column, c, i - BLOCK_ROWS);
}

/* Blocks are the same, so are the bits. */
static void two_systems_are_as_one(void)
{
    size_t count;
    const mote_Row *const *rows = integrator_rows(ISA_V1, &count);
    for (size_t n = 0; n < count; ++n) {
        mote_System *one[2], *two[2];
        bool same = true;
        if (((const IntegratorRow *)rows[n])->implicit) continue;
        mote_World *whole = make(rows[n]->name, false, one);
        mote_World *parted = make(rows[n]->name, true, two);
        mote_StepReport a = {0}, b = {0};
        for (int k = 0; k < STEPS; ++k) a = setup_step(whole), b = setup_step(parted);
        for (size_t i = 0; i < ROWS; ++i)
            for (int c = 0; c < 3; ++c)
                same = same && value_at(one, "position", c, i) == value_at(two, "position", c, i) &&
                       value_at(one, "velocity", c, i) == value_at(two, "velocity", c, i);
        CHECK(same);
        if (!same) fprintf(stderr, "  integrator %s\n", rows[n]->name);
        CHECK_NEAR(a.potential / b.potential, 1, 1e-6);
        CHECK(a.potential < -1);
        mote_world_destroy(whole);
        mote_world_destroy(parted);
    }
}

/* What one system gets the other gives. */
static void momentum_goes_over(void)
{
    mote_System *two[2];
    mote_World *world = make("leapfrog", true, two);
    mote_StepReport first = setup_step(world), last = first;
    double before = 0, after = 0, size = 0;
    for (size_t i = 0; i < BLOCK_ROWS; ++i)
        before += setup_at(two[0], "mass", 0, i) * setup_at(two[0], "velocity", 0, i);
    for (int k = 0; k < 50; ++k) last = setup_step(world);
    for (size_t i = 0; i < BLOCK_ROWS; ++i) {
        double p = setup_at(two[0], "mass", 0, i) * setup_at(two[0], "velocity", 0, i);
        after += p, size += fabs(p);
    }
    CHECK(fabs(after - before) > 0.01 * size);
    for (int c = 0; c < 3; ++c)
        CHECK_NEAR(last.momentum[c], first.momentum[c],
                   (sizeof(mote_real) == 4 ? 1e-5 : 1e-13) * size);
    mote_world_destroy(world);
}

static uint64_t hash_of(int threads, bool reload, int method)
{
    uint64_t state = 5;
    mote_WorldDef def = setup_def(0.02);
    mote_MutualGravityForce gravity = soft();
    def.tasks = threads > 0 ? setup_tasks(threads) : NULL;
    def.reload_always = reload;
    mote_World *world = setup_world(&def);
    mote_System *a = setup_system(world, "a", "velocity-verlet", NULL);
    mote_System *b = setup_system(world, "b", "velocity-verlet", NULL);
    gravity.method = method;
    scatter(a, &state, 1700, 0);
    scatter(b, &state, 1300, 2);
    setup_force(world, "mutual-gravity", &gravity);
    for (int k = 0; k < 6; ++k) setup_step(world);
    uint64_t hash = mote_frame_hash(mote_world_frame(world));
    mote_world_destroy(world);
    mote_tasks_destroy(def.tasks);
    return hash;
}

/* For any number of threads, and when all state is saved and loaded in every sub-step. */
static void same_bits(void)
{
    static const int threads[] = {1, 2, 3, 8};
    for (int method = MOTE_GRAVITY_DIRECT; method <= MOTE_GRAVITY_TREE; ++method) {
        uint64_t hash = hash_of(0, false, method);
        for (size_t t = 0; t < COUNT_OF(threads); ++t)
            CHECK(hash_of(threads[t], false, method) == hash);
        CHECK(hash_of(2, true, method) == hash);
    }
    CHECK(hash_of(0, false, MOTE_GRAVITY_DIRECT) != hash_of(0, false, MOTE_GRAVITY_TREE));
    CHECK(hash_of(0, false, MOTE_GRAVITY_AUTO) == hash_of(0, false, MOTE_GRAVITY_TREE));
}

/* A system that the force does not name neither pulls nor is pulled; nor do rows of no group. */
static void only_its_own(void)
{
    for (int by_group = 0; by_group < 2; ++by_group) {
        mote_WorldDef def = setup_def(1);
        mote_World *world = setup_world(&def);
        mote_MutualGravityForce gravity = soft();
        const char *const names[] = {"a"};
        mote_ForceDef force = mote_force_def();
        force.type = "mutual-gravity", force.params = &gravity;
        mote_Error error;
        mote_System *a = setup_system(world, "a", "euler", NULL);
        mote_System *b = setup_system(world, "b", "euler", NULL);
        if (by_group) force.group = 2;
        if (!by_group) force.systems = names, force.system_count = 1;
        SETUP_OK(mote_world_add_force(world, &force, &error), error);
        for (int i = 0; i < 2; ++i) setup_particle(a, setup_vec(i, 0, 0), setup_vec(0, 0, 0));
        setup_particle(b, setup_vec(0.5, 1, 0), setup_vec(0, 0, 0));
        for (int i = 0; i < 2; ++i) ((uint32_t *)mote_system_column(a, "group")->data)[i] = 3;
        setup_step(world);
        CHECK(setup_at(a, "velocity", 0, 0) > 0);
        for (int i = 0; i < 2; ++i) CHECK(setup_at(a, "velocity", 1, (size_t)i) == 0);
        for (int c = 0; c < 3; ++c) CHECK(setup_at(b, "velocity", c, 0) == 0);
        mote_world_destroy(world);
    }
}

/* ---- births ---- */

static void add_emitter(mote_World *world, const char *name, double start, mote_Vec3 at)
{
    mote_EmitterDef def = mote_emitter_def();
    mote_Error error;
    def.name = name, def.system = "a", def.source = "point", def.at = at;
    def.burst = 1, def.start = start;
    SETUP_OK(mote_world_add_emitter(world, &def, &error), error);
}

/* A burst at the start takes part in the whole step; what is born in its middle is pulled by all
 * that were there, for the rest of it. */
static void born_rows_are_pulled(void)
{
    mote_WorldDef def = setup_def(1);
    mote_World *world = setup_world(&def);
    mote_MutualGravityForce gravity = {.G = 0.01};
    mote_System *a = setup_system(world, "a", "euler", NULL);
    add_emitter(world, "left", 0, setup_vec(-1, 0, 0));
    add_emitter(world, "right", 0, setup_vec(1, 0, 0));
    add_emitter(world, "late", 0.75, setup_vec(0, 2, 0));
    setup_force(world, "mutual-gravity", &gravity);
    setup_step(world);
    CHECK(mote_system_count(a) == 3);
    CHECK_NEAR(setup_at(a, "velocity", 0, 0), 0.0025, 1e-8);
    CHECK_NEAR(setup_at(a, "velocity", 0, 1), -0.0025, 1e-8);
    CHECK_NEAR(setup_at(a, "velocity", 1, 2), 0.25 * -0.01 * 2 * 2 / pow(5, 1.5), 1e-8);
    CHECK(setup_at(a, "velocity", 1, 0) == 0);
    setup_step(world); /* now it pulls, too */
    CHECK(setup_at(a, "velocity", 1, 0) > 0);
    mote_world_destroy(world);
}

/* One that is not finite spoils nobody else. */
static void lost_rows_do_not_pull(void)
{
    mote_WorldDef def = setup_def(1);
    def.not_finite = MOTE_NOT_FINITE_RETIRE;
    mote_World *world = setup_world(&def);
    mote_MutualGravityForce gravity = soft();
    mote_System *a = setup_system(world, "a", "euler", NULL);
    setup_force(world, "mutual-gravity", &gravity);
    for (int i = 0; i < 3; ++i) setup_particle(a, setup_vec(i, 0, 0), setup_vec(0, 0, 0));
    setup_reals(a, "position", 1)[1] = (mote_real)NAN;
    mote_StepReport report = setup_step(world);
    CHECK(report.not_finite == 1 && report.particles == 2);
    CHECK(setup_at(a, "velocity", 0, 0) > 0 && setup_at(a, "velocity", 0, 0) < 0.01);
    CHECK(isfinite(report.potential));
    mote_world_destroy(world);
}

/* ---- refusals ---- */

/* Told when the force is added, or at the first step when a system comes later. */
static void refused(const mote_WorldDef *def, const char *const integrators[2],
                    const char *const texts[3])
{
    for (int late = 0; late < 2; ++late) {
        mote_World *world = setup_world(def);
        mote_ForceDef force = mote_force_def();
        force.name = "pull", force.type = "mutual-gravity";
        mote_Error error = {0};
        setup_system(world, "a", integrators[0], NULL);
        if (!late) setup_system(world, "b", integrators[1], NULL);
        mote_Status status = mote_world_add_force(world, &force, &error);
        if (late) setup_system(world, "b", integrators[1], NULL);
        if (late && status == MOTE_OK) status = mote_world_step(world, NULL, &error);
        CHECK(status == MOTE_BAD_VALUE);
        for (int i = 0; i < 3; ++i) CHECK_MESSAGE(error, texts[i]);
        mote_world_destroy(world);
    }
}

static void what_cannot_be_is_refused(void)
{
    mote_WorldDef def = setup_def(1), periodic = def;
    periodic.periodic_y = true;
    periodic.box_min = setup_vec(-1, -1, -1), periodic.box_max = setup_vec(1, 1, 1);
    refused(&def, (const char *const[]){"leapfrog", "rk4"},
            (const char *const[]){"force pull", "systems a and b", "leapfrog and rk4"});
    refused(&def, (const char *const[]){"leapfrog", "implicit-euler"},
            (const char *const[]){"system b", "implicit-euler", "use leapfrog"});
    refused(&periodic, (const char *const[]){NULL, NULL},
            (const char *const[]){"force pull: mutual-gravity", "periodic", "leave out"});
}

static void liquids_are_refused(void)
{
    mote_WorldDef def = setup_def(1);
    mote_World *world = setup_world(&def);
    mote_SystemDef water = mote_system_def();
    mote_Error error = {0};
    water.name = "water", water.solver = "sph";
    SETUP_OK(mote_world_add_system(world, &water, NULL, &error), error);
    mote_ForceDef force = mote_force_def();
    force.type = "mutual-gravity";
    CHECK(mote_world_add_force(world, &force, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "system water has solver sph");
    mote_world_destroy(world);
}

TESTS({"same_bits", same_bits}, {"two_systems_are_as_one", two_systems_are_as_one},
      {"momentum_goes_over", momentum_goes_over}, {"only_its_own", only_its_own},
      {"born_rows_are_pulled", born_rows_are_pulled},
      {"lost_rows_do_not_pull", lost_rows_do_not_pull},
      {"what_cannot_be_is_refused", what_cannot_be_is_refused},
      {"liquids_are_refused", liquids_are_refused})
