/* Ropes, cloth and jelly in motion and at rest: against static solutions found by other means, the
 * stability of implicit Euler, and the same bits for any number of threads and after reloading. */
#include "cloth.h"

#include "failing.h"

#include <stdlib.h>

/* ---- a hanging cloth against its static solution ---- */

enum { SIDE = 6, NODES = SIDE * SIDE, MOST_SPRINGS = 200 };

static const double mass_of_cloth = 0.36, stiffness_of_cloth = 60, shear_of_cloth = 0.5,
                    bend_of_cloth = 0.25;

typedef struct Static {
    double x[NODES][3];
    int a[MOST_SPRINGS], b[MOST_SPRINGS], count;
    double k[MOST_SPRINGS], rest[MOST_SPRINGS];
} Static;

static void static_spring(Static *s, int i, int j, int di, int dj, double k)
{
    if (i + di < 0 || i + di >= SIDE || j + dj >= SIDE) return;
    s->a[s->count] = j * SIDE + i, s->b[s->count] = (j + dj) * SIDE + i + di;
    s->rest[s->count] = sqrt(di * di + dj * dj) / (SIDE - 1);
    s->k[s->count++] = k;
}

static Static static_make(void)
{
    Static s = {.count = 0};
    for (int j = 0; j < SIDE; ++j)
        for (int i = 0; i < SIDE; ++i) {
            double k = stiffness_of_cloth;
            s.x[j * SIDE + i][0] = (double)i / (SIDE - 1), s.x[j * SIDE + i][1] = 1;
            s.x[j * SIDE + i][2] = (double)j / (SIDE - 1);
            static_spring(&s, i, j, 1, 0, k), static_spring(&s, i, j, 0, 1, k);
            static_spring(&s, i, j, 1, 1, shear_of_cloth * k);
            static_spring(&s, i, j, -1, 1, shear_of_cloth * k);
            static_spring(&s, i, j, 2, 0, bend_of_cloth * k);
            static_spring(&s, i, j, 0, 2, bend_of_cloth * k);
        }
    return s;
}

static bool is_corner(int node)
{
    return node == 0 || node == SIDE - 1;
}

/* The forces on all nodes; the largest on a free one. */
static double static_forces(const Static *s, double f[NODES][3])
{
    double most = 0;
    memset(f, 0, NODES * sizeof *f);
    for (int i = 0; i < NODES; ++i) f[i][1] = -9.81 * mass_of_cloth / NODES;
    for (int l = 0; l < s->count; ++l) {
        double d[3], square = 0;
        for (int c = 0; c < 3; ++c) {
            d[c] = s->x[s->b[l]][c] - s->x[s->a[l]][c];
            square += d[c] * d[c];
        }
        double pull = s->k[l] * (1 - s->rest[l] / sqrt(square));
        for (int c = 0; c < 3; ++c) f[s->a[l]][c] += pull * d[c], f[s->b[l]][c] -= pull * d[c];
    }
    for (int i = 0; i < NODES; ++i)
        for (int c = 0; c < 3 && !is_corner(i); ++c) most = fmax(most, fabs(f[i][c]));
    return most;
}

/* Sliding downhill with momentum, in double, until nothing pulls any more. */
static double static_settle(Static *s)
{
    static double f[NODES][3], v[NODES][3];
    double left = 1;
    memset(v, 0, sizeof v);
    for (int step = 0; step < 200000 && left > 1e-12; ++step) {
        left = static_forces(s, f);
        for (int i = 0; i < NODES; ++i)
            for (int c = 0; c < 3 && !is_corner(i); ++c) {
                v[i][c] = 0.99 * v[i][c] + 2e-4 * f[i][c];
                s->x[i][c] += v[i][c];
            }
    }
    return left;
}

/* Pushed out of its plane a little, so that it does not stay on a ridge. */
static mote_World *hanging_cloth(const char *integrator, double dt)
{
    mote_WorldDef def = mote_world_def();
    def.fps = 1 / dt, def.max_step = dt * 1.0001;
    mote_World *world = setup_world(&def);
    setup_system(world, "cloth", integrator, NULL);
    mote_SheetPattern sheet = mote_sheet_pattern_def();
    mote_LinksDef links = mote_links_def();
    mote_DragForce air = {.linear = 2};
    sheet.columns = sheet.rows = SIDE, sheet.across = setup_vec(0, 0, 1);
    sheet.mass = (mote_real)mass_of_cloth;
    links.system = "cloth", links.pattern = "sheet", links.pattern_params = &sheet;
    links.stiffness = (mote_real)stiffness_of_cloth, links.damping = (mote_real)0.05;
    links.shear = (mote_real)shear_of_cloth, links.bend = (mote_real)bend_of_cloth;
    setup_links(world, &links);
    setup_force(world, "drag", &air);
    return world;
}

static void cloth_settles_at_the_static_solution(void)
{
    static const struct {
        const char *integrator;
        double dt;
        int steps;
    } ways[] = {{"leapfrog", 0.005, 3000}, {"implicit-euler", 0.05, 400}};
    for (int w = 0; w < 2; ++w) {
        Static s = static_make();
        mote_World *world = hanging_cloth(ways[w].integrator, ways[w].dt);
        mote_System *system = mote_world_system(world, "cloth");
        for (int i = 0; i < ways[w].steps; ++i) setup_step(world);
        double far = 0; /* there are several static solutions: the nearest one is meant */
        for (int i = 0; i < NODES; ++i)
            for (int c = 0; c < 3; ++c) s.x[i][c] = setup_at(system, "position", c, (size_t)i);
        CHECK(static_settle(&s) < 1e-10);
        for (int i = 0; i < NODES; ++i)
            for (int c = 0; c < 3; ++c)
                far = fmax(far, fabs(setup_at(system, "position", c, (size_t)i) - s.x[i][c]));
        CHECK_NEAR(far, 0, sizeof(mote_real) == 4 ? 2e-4 : 1e-6);
        CHECK(s.x[NODES - 1][1] < 0.1);
        mote_world_destroy(world);
    }
}

/* ---- a rope against the catenary ---- */

/* A stiff rope of length L between supports 1 m apart hangs as y = a cosh((x - 1/2) / a), where 2 a
 * sinh(1 / (2 a)) = L; the middle is a (cosh(1 / (2 a)) - 1) lower. */
static double sag_of(double length)
{
    double low = 0.05, high = 50;
    for (int i = 0; i < 200; ++i) {
        double a = (low + high) / 2;
        if (2 * a * sinh(0.5 / a) > length)
            low = a;
        else
            high = a;
    }
    return low * (cosh(0.5 / low) - 1);
}

static void rope_hangs_as_a_catenary(void)
{
    enum { SEGMENTS = 60 };
    const double length = 1.4;
    mote_WorldDef def = mote_world_def();
    def.fps = 25, def.max_step = 0.02;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "rope", "implicit-euler", NULL);
    mote_ChainPattern chain = mote_chain_pattern_def();
    mote_LinksDef links = mote_links_def();
    mote_DragForce air = {.linear = 3};
    chain.from = setup_vec(0, 0, 0), chain.to = setup_vec(length, 0, 0);
    chain.segments = SEGMENTS;
    links.system = "rope", links.pattern_params = &chain;
    links.form = MOTE_LINKS_STRAIN, links.stiffness = 20000;
    setup_links(world, &links);
    setup_force(world, "drag", &air);
    /* the other end is pinned too, and moves in by itself for a second */
    ((uint32_t *)mote_system_column(system, "pinned")->data)[SEGMENTS] = 1;
    setup_reals(system, "velocity", 0)[SEGMENTS] = (mote_real)(1 - length);
    for (int i = 0; i < 250; ++i) {
        if (i == 25) setup_reals(system, "velocity", 0)[SEGMENTS] = 0;
        setup_step(world);
    }
    CHECK_NEAR(setup_at(system, "position", 0, SEGMENTS), 1, 1e-5);
    CHECK_NEAR(-setup_at(system, "position", 1, SEGMENTS / 2), sag_of(length), 1e-3);
    CHECK_NEAR(setup_at(system, "position", 0, SEGMENTS / 2), 0.5, 1e-3);
    mote_world_destroy(world);
}

/* ---- stability ---- */

/* A cloth of stiffness 10^7 N/m falls, stretches at its corners and comes to rest, with steps of
 * 1/30 s: w h is about 10^5. Its energy never grows. */
static void implicit_euler_is_stable(void)
{
    mote_WorldDef def = mote_world_def();
    def.fps = 30, def.max_step = 1;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "cloth", "implicit-euler", NULL);
    mote_SheetPattern sheet = mote_sheet_pattern_def();
    mote_LinksDef links = mote_links_def();
    sheet.columns = sheet.rows = 8, sheet.across = setup_vec(0, 0, 1);
    links.system = "cloth", links.pattern = "sheet", links.pattern_params = &sheet;
    links.stiffness = 10000000;
    setup_links(world, &links);
    double start = 0.2 * 9.81, before = start;
    for (int i = 0; i < 60; ++i) {
        mote_StepReport report = setup_step(world);
        double energy = report.kinetic + report.potential;
        CHECK(energy <= before + 1e-2 * start);
        before = energy;
    }
    for (size_t i = 0; i < 64; ++i) CHECK(fabs(setup_at(system, "velocity", 1, i)) < 20);
    mote_world_destroy(world);
}

/* The same with an explicit scheme is stopped by the watchdog, with advice. */
static void explicit_schemes_are_not(void)
{
    mote_WorldDef def = mote_world_def();
    def.fps = 30, def.max_step = 1;
    mote_World *world = setup_world(&def);
    setup_system(world, "cloth", "leapfrog", NULL);
    mote_SheetPattern sheet = mote_sheet_pattern_def();
    mote_LinksDef links = mote_links_def();
    mote_Error error;
    mote_Status status = MOTE_OK;
    sheet.columns = sheet.rows = 10, sheet.across = setup_vec(0, 0, 1);
    links.system = "cloth", links.pattern = "sheet", links.pattern_params = &sheet;
    links.stiffness = 10000000;
    setup_links(world, &links);
    for (int i = 0; i < 120 && status == MOTE_OK; ++i)
        status = mote_world_step(world, NULL, &error);
    CHECK(status == MOTE_DIVERGED);
    CHECK_MESSAGE(error, "try a max_step");
    mote_world_destroy(world);
}

/* Crank-Nicolson keeps the energy of a swinging spring. */
static void crank_nicolson_keeps_energy(void)
{
    mote_LinksDef like = mote_links_def();
    like.stiffness = 50, like.rest = 0;
    mote_World *world = setup_dumbbell(0.05, "crank-nicolson", 0.5, &like);
    mote_StepReport report = setup_step(world);
    double start = report.kinetic + report.potential;
    for (int i = 0; i < 200; ++i) report = setup_step(world);
    CHECK_NEAR(start, 0.5 * 50 * 0.25, 1e-3);
    CHECK_NEAR(report.kinetic + report.potential, start, 1e-3 * start);
    CHECK(report.unsolved == 0);
    mote_world_destroy(world);
}

/* ---- same bits ---- */

/* A cloth in the wind over a ground, a rope and a jelly, with breaking, dying and emission. */
static mote_World *busy(const mote_WorldDef *like, const char *integrator)
{
    mote_WorldDef def = mote_world_def();
    def.tasks = like->tasks, def.reload_always = like->reload_always;
    def.allocator = like->allocator, def.record_events = true;
    def.fps = 50, def.max_step = 0.01;
    mote_World *world = setup_world(&def);
    mote_System *system = setup_system(world, "soft", integrator, NULL);
    mote_SheetPattern sheet = mote_sheet_pattern_def();
    mote_LatticePattern jelly = mote_lattice_pattern_def();
    mote_ChainPattern rope = mote_chain_pattern_def();
    mote_LinksDef links = mote_links_def();
    mote_EmitterDef drops = mote_emitter_def();
    mote_UniformField blow = {.value = setup_vec(1, 0, 3)};
    mote_FieldDef field = mote_field_def();
    field.name = "blow", field.type = "uniform", field.params = &blow;
    mote_Error error;
    SETUP_OK(mote_world_add_field(world, &field, &error), error);
    sheet.columns = 17, sheet.rows = 19, sheet.corner = setup_vec(0, 0.4, 0);
    links.system = "soft", links.pattern = "sheet", links.pattern_params = &sheet;
    links.air = (mote_real)0.5, links.wind = "blow", links.stiffness = (mote_real)0.5;
    links.damping = (mote_real)0.001, links.breaking = (mote_real)0.12;
    setup_links(world, &links);
    links.pattern = "lattice", links.pattern_params = &jelly, links.air = 0;
    links.breaking = (mote_real)INFINITY;
    jelly.corner = setup_vec(2, 0.3, 0), jelly.velocity = setup_vec(0, -2, 0);
    setup_links(world, &links);
    links.pattern = "chain", links.pattern_params = &rope;
    setup_links(world, &links);
    setup_reals(system, "lifetime", 0)[200] = (mote_real)0.05;
    setup_reals(system, "lifetime", 0)[360] = (mote_real)0.1;
    mote_system_edited(system);
    setup_plane(world, setup_vec(0, 1, 0), 0.4, 0.3);
    drops.system = "soft", drops.rate = 2000, drops.lifetime = (mote_real)0.06;
    drops.velocity = setup_vec(0, 1, 0), drops.at = setup_vec(-1, 0.5, 0);
    SETUP_OK(mote_world_add_emitter(world, &drops, &error), error);
    return world;
}

static uint64_t run_busy(const mote_WorldDef *like, const char *integrator, uint64_t *broken)
{
    mote_World *world = busy(like, integrator);
    *broken = 0;
    for (int i = 0; i < 8; ++i) *broken += setup_step(world).links_broken;
    uint64_t hash = mote_frame_hash(mote_world_frame(world));
    mote_world_destroy(world);
    return hash;
}

static const char *const schemes[] = {"leapfrog", "implicit-euler", "rk4"};

static void threads_change_no_bits(void)
{
    static const int counts[] = {2, 3, 8};
    for (size_t s = 0; s < COUNT_OF(schemes); ++s) {
        mote_WorldDef like = {0};
        uint64_t broken, again, hash = run_busy(&like, schemes[s], &broken);
        CHECK(broken > 0);
        for (size_t i = 0; i < COUNT_OF(counts); ++i) {
            mote_TasksDef tasks = mote_tasks_def();
            mote_Error error;
            tasks.threads = counts[i];
            SETUP_OK(mote_tasks_create(&tasks, &like.tasks, &error), error);
            CHECK(run_busy(&like, schemes[s], &again) == hash && again == broken);
            mote_tasks_destroy(like.tasks);
        }
    }
}

static void instruction_sets_change_no_bits(void)
{
    static const char *const sets[] = {"baseline", "x86-64-v3", "x86-64-v4"};
    mote_WorldDef like = {0};
    for (size_t s = 0; s < 2; ++s) {
        uint64_t broken, hash = run_busy(&like, schemes[s], &broken);
        for (size_t i = 0; i < COUNT_OF(sets); ++i) {
            mote_Error error;
            setenv("MOTE_ISA", sets[i], 1);
            if (mote_isa_check(&error) == MOTE_OK)
                CHECK(run_busy(&like, schemes[s], &broken) == hash);
            unsetenv("MOTE_ISA");
        }
    }
}

static void reloading_changes_no_bits(void)
{
    for (size_t s = 0; s < COUNT_OF(schemes); ++s) {
        mote_WorldDef like = {0}, reload = {.reload_always = true};
        uint64_t broken, again;
        CHECK(run_busy(&like, schemes[s], &broken) == run_busy(&reload, schemes[s], &again));
        CHECK(broken == again);
    }
}

/* ---- memory ---- */

static void memory_runs_out(void)
{
    enum { MOST = 400 };
    int refused = 0;
    for (uint64_t fail_at = 0; fail_at < MOST; fail_at += 11) {
        Failing failing = {.fail_at = fail_at, .for_good = true};
        mote_WorldDef def = mote_world_def();
        mote_World *world = NULL;
        mote_Error error;
        def.allocator = failing_allocator(&failing);
        mote_SystemDef system = mote_system_def();
        mote_PointsSolver solver = mote_points_solver_def();
        mote_SheetPattern sheet = mote_sheet_pattern_def();
        mote_LinksDef links = mote_links_def();
        solver.integrator = "implicit-euler", system.name = "s", system.solver_params = &solver;
        links.system = "s", links.pattern = "sheet", links.pattern_params = &sheet;
        links.breaking = (mote_real)0.001, links.stiffness = 5;
        mote_Status status = mote_world_create(&def, &world, &error);
        if (status == MOTE_OK) status = mote_world_add_system(world, &system, NULL, &error);
        if (status == MOTE_OK) status = mote_world_add_links(world, &links, &error);
        for (int i = 0; i < 3 && status == MOTE_OK; ++i)
            status = mote_world_step(world, NULL, &error);
        if (status == MOTE_OK && mote_world_frame(world) == NULL) status = MOTE_NO_MEMORY;
        CHECK(status == MOTE_OK || status == MOTE_NO_MEMORY);
        refused += status == MOTE_NO_MEMORY;
        mote_world_destroy(world);
        CHECK(failing.bytes == 0);
    }
    CHECK(refused > 5);
}

/* After the first frame a step asks for no memory. */
static void steps_take_no_memory(void)
{
    mote_WorldDef like = {0};
    mote_World *world = hanging_cloth("implicit-euler", 0.02);
    size_t bytes;
    uint64_t before, after;
    (void)like;
    for (int i = 0; i < 3; ++i) setup_step(world);
    mote_world_memory(world, &bytes, &before);
    for (int i = 0; i < 10; ++i) setup_step(world);
    mote_world_memory(world, &bytes, &after);
    CHECK(before == after);
    mote_world_destroy(world);
}

TESTS({"cloth_settles_at_the_static_solution", cloth_settles_at_the_static_solution},
      {"rope_hangs_as_a_catenary", rope_hangs_as_a_catenary},
      {"implicit_euler_is_stable", implicit_euler_is_stable},
      {"explicit_schemes_are_not", explicit_schemes_are_not},
      {"crank_nicolson_keeps_energy", crank_nicolson_keeps_energy},
      {"threads_change_no_bits", threads_change_no_bits},
      {"instruction_sets_change_no_bits", instruction_sets_change_no_bits},
      {"reloading_changes_no_bits", reloading_changes_no_bits},
      {"memory_runs_out", memory_runs_out}, {"steps_take_no_memory", steps_take_no_memory})
