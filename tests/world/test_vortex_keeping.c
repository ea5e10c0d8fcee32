/* Worlds whose vortons are kept good: remeshed, split, merged, with cores that spread. */
#include "world/air.h"

/* A ring that is remeshed five times as it travels, two cells to its core: it keeps its speed and
 * its impulse, and loses a per cent of its energy each time, as its line of vortons is smoothed. */
static void remeshed_rings_travel(void)
{
    if (TEST_SANITIZED) return; /* numbers that are the same; threads and saving meet the code */
    mote_VortexSolver p = still();
    mote_VortexSums one, two;
    mote_System *vortons;
    mote_Error error;
    const double core = 0.25, speed = (log(8 / core) - 0.5) / (4 * PI);
    p.born_spin = 0, p.ring_count = 1, p.ring_vortons = 126, p.ring_radius = 1;
    p.ring_core = (mote_real)core, p.ring_circulation = 1;
    p.remesh = 10, p.remesh_spacing = (mote_real)(core / 2), p.remesh_overlap = 2;
    mote_World *world = make_vortons(&p, 0.05, &vortons);
    CHECK_OK(mote_vortex_sums(vortons, 0, &one, &error), error);
    for (int k = 0; k < 51; ++k) setup_step(world);
    CHECK_OK(mote_vortex_sums(vortons, 0, &two, &error), error);
    CHECK(vortons->count > 400);
    CHECK_NEAR(two.impulse[1] / one.impulse[1], 1, 3e-4);
    CHECK(two.energy < one.energy && two.energy > 0.95 * one.energy);
    CHECK_NEAR((two.centre[1] - one.centre[1]) / (51 * 0.05 * speed), 1, 0.03);
    mote_world_destroy(world);
}

/* Lamb and Oseen in two dimensions, by cores that spread and are remeshed: the profile of velocity
 * within 1 %. */
enum { SIDE = 33 };

static void spreading_cores_are_lamb_and_oseens(void)
{
    const double h = 0.08, core = 0.12, own = 0.05, nu = 0.01, dt = 0.05;
    const int steps = TEST_SANITIZED ? 10 : 80;
    mote_VortexSolver p = still();
    mote_System *vortons;
    mote_WorldDef def = setup_def(dt);
    mote_SystemDef system = mote_system_def();
    mote_Error error;
    size_t first;
    p.born_spin = 0, p.core = 2, p.evaluation = 1, p.viscosity = (mote_real)nu, p.diffusion = 1;
    p.remesh = 5, p.remesh_spacing = (mote_real)h, p.remesh_cut = (mote_real)1e-6;
    def.dimension = 2;
    mote_World *world = setup_world(&def);
    system.name = "vortons", system.solver = "vortex", system.solver_params = &p;
    SETUP_OK(mote_world_add_system(world, &system, &vortons, &error), error);
    SETUP_OK(mote_system_add_rows(vortons, SIDE * SIDE, &first, &error), error);
    VortonRows rows = vortex_rows(vortons, SIDE * SIDE);
    for (size_t i = 0; i < SIDE * SIDE; ++i) {
        double x = h * ((double)(i % SIDE) - SIDE / 2), y = h * ((double)(i / SIDE) - SIDE / 2);
        rows.x[0][i] = (mote_real)x, rows.x[1][i] = (mote_real)y;
        rows.strength[2][i] = (mote_real)(h * h / (2 * PI * own) * exp(-(x * x + y * y) / 2 / own));
        rows.radius[i] = (mote_real)core;
    }
    mote_system_edited(vortons);
    for (int k = 0; k < steps; ++k) setup_step(world);
    CHECK(vortons->count > 500);
    rows = vortex_rows(vortons, vortons->count);
    double sum = 0, worst = 0, after = own + core * core + 2 * nu * dt * (steps - 0.5);
    for (size_t i = 0; i < vortons->count; ++i) {
        double r = hypot((double)rows.x[0][i], (double)rows.x[1][i]);
        double speed = hypot((double)rows.v[0][i], (double)rows.v[1][i]);
        sum += (double)rows.strength[2][i];
        if (r < 0.1) continue;
        double exact = 1 / (2 * PI * r) * (1 - exp(-r * r / (2 * after)));
        worst = fmax(worst, fabs(speed / exact - 1));
    }
    CHECK_NEAR(sum, 1, 1e-5);
    CHECK(worst < 0.01);
    mote_world_destroy(world);
}

/* Two rings that meet head-on are drawn out; their pieces are cut in two and joined, and impulse
 * and energy are those of a run without. */
static void split_rings_stretch_on(void)
{
    if (TEST_SANITIZED) return; /* numbers that are the same; threads and saving meet the code */
    mote_VortexSolver p = still();
    mote_VortexSums one, two;
    mote_System *vortons;
    mote_Error error;
    p.born_spin = 0, p.ring_count = 2, p.ring_alternate = true, p.ring_gap = (mote_real)0.8;
    p.ring_vortons = 60, p.stretching = 3, p.stretch_limit = 2, p.split = (mote_real)1.5;
    p.merge = (mote_real)0.1, p.ring_radius = (mote_real)0.5, p.split_most = 2000;
    mote_World *world = make_vortons(&p, 0.01, &vortons);
    CHECK_OK(mote_vortex_sums(vortons, 0, &one, &error), error);
    for (int k = 0; k < 150; ++k) setup_step(world);
    CHECK_OK(mote_vortex_sums(vortons, 0, &two, &error), error);
    CHECK(vortons->count >= 200 && vortons->count <= 2000);
    CHECK(two.energy < 1.02 * one.energy && two.energy > 0.7 * one.energy);
    CHECK_NEAR(two.impulse[1], 0, 1e-3);
    mote_world_destroy(world);
}

/* With emitters at work and lifetimes: same bits for one and three threads, and when all is saved
 * and loaded at every sub-step. */
static void threads_and_saving_do_not_matter(void)
{
    uint64_t hash[3];
    for (int k = 0; k < 3; ++k) {
        mote_Tasks *tasks = setup_tasks(k == 1 ? 3 : 1);
        mote_VortexSolver p = burning();
        p.remesh = 3, p.remesh_spacing = (mote_real)0.1, p.relaxation = 2;
        p.merge = (mote_real)0.2, p.split = (mote_real)1.8;
        Air air = make_air_of(&p, tasks, 500, 200, 0.7);
        air.world->def.reload_always = k == 2;
        for (int n = 0; n < 20; ++n) setup_step(air.world);
        CHECK(air.vortons->count > 300);
        hash[k] = hash_of(air.vortons) ^ hash_of(air.tracers);
        mote_world_destroy(air.world);
        mote_tasks_destroy(tasks);
    }
    CHECK(hash[0] == hash[1]);
    CHECK(hash[0] == hash[2]);
}

static void wrong_values_are_refused(void)
{
    mote_WorldDef world_def = mote_world_def();
    mote_World *world = setup_world(&world_def);
    mote_SystemDef def = mote_system_def();
    mote_VortexSolver p = mote_vortex_solver_def();
    mote_System *system;
    mote_Error error;
    def.name = "vortons", def.solver = "vortex", def.solver_params = &p;
    p.remesh = 5;
    CHECK(mote_world_add_system(world, &def, &system, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "remesh_spacing is 0");
    p = mote_vortex_solver_def();
    p.split = 3;
    CHECK(mote_world_add_system(world, &def, &system, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "no more than stretch_limit");
    p = mote_vortex_solver_def();
    p.diffusion = 1, p.core = 1;
    CHECK(mote_world_add_system(world, &def, &system, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "set core to \"gaussian\"");
    mote_world_destroy(world);
}

TESTS({"remeshed_rings_travel", remeshed_rings_travel},
      {"spreading_cores_are_lamb_and_oseens", spreading_cores_are_lamb_and_oseens},
      {"split_rings_stretch_on", split_rings_stretch_on},
      {"threads_and_saving_do_not_matter", threads_and_saving_do_not_matter},
      {"wrong_values_are_refused", wrong_values_are_refused})
