/* The vortex fluid in worlds of two dimensions: velocity falls off as 1 / r, nothing stretches. */
#include "world/air.h"

/* `count` vortons of a world of two dimensions, at z = 0 with core radius `core`; weight is felt
 * where there is buoyancy. */
static mote_World *make_flat(const mote_VortexSolver *params, size_t count, double core, double dt,
                             mote_System **vortons)
{
    mote_WorldDef def = setup_def(dt);
    def.dimension = 2, def.gravity = setup_vec(0, -10, 0);
    mote_World *world = setup_world(&def);
    mote_SystemDef system = mote_system_def();
    mote_Error error;
    size_t first;
    system.name = "vortons", system.solver = "vortex", system.solver_params = params;
    SETUP_OK(mote_world_add_system(world, &system, vortons, &error), error);
    SETUP_OK(mote_system_add_rows(*vortons, count, &first, &error), error);
    for (size_t i = 0; i < count; ++i)
        column_real(&(*vortons)->columns[COLUMN_RADIUS], 0)[i] = (mote_real)core;
    mote_system_edited(*vortons);
    return world;
}

static mote_real *place(const mote_System *vortons, int c)
{
    return column_real(&vortons->columns[COLUMN_POSITION], c);
}

/* Two of circulation 1 and `other`, a metre apart. */
static mote_World *make_pair(const mote_VortexSolver *p, double other, double dt, mote_System **v)
{
    mote_World *world = make_flat(p, 2, 0.05, dt, v);
    VortonRows rows = vortex_rows(*v, 2);
    rows.x[0][0] = (mote_real)-0.5, rows.x[0][1] = (mote_real)0.5;
    rows.x[2][1] = (mote_real)0.7; /* which is nowhere in the plane */
    rows.strength[2][0] = 1, rows.strength[2][1] = (mote_real)other;
    rows.strength[0][1] = 3;
    return world;
}

/* Opposite ones move on with Gamma / (2 pi d), by every induction and evaluation; cores of d / 20
 * take 1e-5 off (winckelmans), 0.25 % (rosenhead). */
static void pairs_travel(void)
{
    for (int k = 0; k < 16; ++k) {
        mote_VortexSolver p = still();
        mote_System *vortons;
        p.evaluation = k % 2, p.core = k / 2 % 4, p.induction = k / 8 + 1, p.born_spin = 0;
        p.resolution = 2000;
        mote_World *world = make_pair(&p, -1, 0.02, &vortons);
        for (int n = 0; n < 50; ++n) setup_step(world);
        double way = 1 / (2 * PI);
        for (size_t i = 0; i < 2; ++i) {
            CHECK_NEAR(fabs((double)place(vortons, 1)[i]) / way, 1,
                       p.evaluation == 1 ? 3e-3 : 0.02);
            CHECK_NEAR((double)place(vortons, 0)[i], i == 0 ? -0.5 : 0.5, 5e-3);
        }
        CHECK_NEAR((double)place(vortons, 1)[0], (double)place(vortons, 1)[1], 1e-3);
        mote_world_destroy(world);
    }
}

/* Equal ones go around each other in 2 pi^2 d^2 / Gamma. */
static void equal_ones_turn(void)
{
    mote_VortexSolver p = still();
    mote_System *vortons;
    p.evaluation = 1, p.scheme = 2, p.born_spin = 0;
    double period = 2 * PI * PI;
    mote_World *world = make_pair(&p, 1, period / 200, &vortons);
    for (int n = 0; n < 100; ++n) setup_step(world);
    CHECK_NEAR((double)place(vortons, 0)[0], 0.5, 1e-3);
    CHECK_NEAR((double)place(vortons, 1)[0], 0, 1e-3);
    for (int n = 0; n < 100; ++n) setup_step(world);
    CHECK_NEAR((double)place(vortons, 0)[0], -0.5, 1e-3);
    CHECK_NEAR((double)place(vortons, 1)[0], 0, 2e-3);
    mote_world_destroy(world);
}

enum { SIDE = 31 };

/* Lamb and Oseen: u = Gamma / (2 pi r) (1 - exp(-r^2 / (2 s^2))), s^2 growing by 2 nu t, on a
 * lattice that turns as it spreads; the cores' own width is part of s. */
static void check_lamb_and_oseen(int induction)
{
    double h = 0.1, core = 1.1 * h, s2 = 0.16, nu = 0.01, total = 0, dt = 0.05;
    mote_VortexSolver p = still();
    mote_System *vortons;
    p.born_spin = 0, p.core = 2, p.evaluation = 1, p.induction = induction,
    p.viscosity = (mote_real)nu;
    p.born_volume = (mote_real)(h * h);
    mote_World *world = make_flat(&p, SIDE * SIDE, core, dt, &vortons);
    VortonRows rows = vortex_rows(vortons, SIDE * SIDE);
    for (size_t i = 0; i < SIDE * SIDE; ++i) {
        double x = h * ((double)(i % SIDE) - SIDE / 2), y = h * ((double)(i / SIDE) - SIDE / 2);
        rows.x[0][i] = (mote_real)x, rows.x[1][i] = (mote_real)y;
        rows.strength[2][i] = (mote_real)(h * h * exp(-(x * x + y * y) / (2 * (s2 - core * core))));
        total += (double)rows.strength[2][i];
    }
    for (int k = 0; k < 40; ++k) setup_step(world);
    rows = vortex_rows(vortons, SIDE * SIDE);
    double sum = 0, moment = 0, after = s2 + 2 * nu * 40 * dt, worst = 0;
    for (size_t i = 0; i < SIDE * SIDE; ++i) {
        double r = hypot((double)rows.x[0][i], (double)rows.x[1][i]);
        double speed = hypot((double)rows.v[0][i], (double)rows.v[1][i]);
        sum += (double)rows.strength[2][i], moment += (double)rows.strength[2][i] * r * r;
        if (r < 0.1) continue;
        double exact = total / (2 * PI * r) * (1 - exp(-r * r / (2 * (after - nu * dt))));
        worst = fmax(worst, fabs(speed / exact - 1));
    }
    CHECK_NEAR(sum / total, 1, 1e-4);
    CHECK_NEAR(moment / sum / (2 * (after - core * core)), 1, 0.01);
    CHECK(worst < 0.01);
    mote_world_destroy(world);
}

static void vortices_spread_as_lamb_and_oseen_say(void)
{
    check_lamb_and_oseen(1); /* direct */
    check_lamb_and_oseen(2); /* by the tree */
}

/* A light disc, a cylinder seen from its end, starts to rise with half of its buoyancy: its centre
 * after one sub-step from rest, 16 vortons across it. */
static void light_discs_start_to_rise(void)
{
    enum { WIDE = 65 };
    const double h = 1.0 / 32, lightness = 0.02, g = 10, dt = 0.01;
    mote_VortexSolver p = mote_vortex_solver_def();
    mote_System *vortons;
    p.evaluation = 1, p.scheme = 0, p.born_volume = (mote_real)(h * h);
    mote_World *world = make_flat(&p, WIDE * WIDE, h, dt, &vortons);
    VortonRows rows = vortex_rows(vortons, WIDE * WIDE);
    for (size_t i = 0; i < WIDE * WIDE; ++i) {
        double x = h * ((double)(i % WIDE) - WIDE / 2), y = h * ((double)(i / WIDE) - WIDE / 2);
        const bool in = x * x + y * y < 0.25 * 0.25;
        rows.x[0][i] = (mote_real)x, rows.x[1][i] = (mote_real)y;
        rows.volume[i] = (mote_real)(h * h);
        rows.temperature[i] = (mote_real)((double)p.temperature / (1 - (in ? lightness : 0)));
    }
    setup_step(world);
    rows = vortex_rows(vortons, WIDE * WIDE);
    const size_t middle = WIDE * WIDE / 2;
    CHECK_NEAR((double)rows.v[1][middle] / (0.5 * lightness * g * dt), 1, 0.05);
    CHECK_NEAR((double)rows.v[0][middle], 0, 1e-5);
    mote_world_destroy(world);
}

/* A turning disc is pushed aside with rho U Gamma, Gamma = 2 pi a^2 W (Kutta and Joukowski), to the
 * side that Magnus found: along W x U. */
static void turning_discs_are_pushed_aside(void)
{
    const double a = 0.3, speed = 0.5, turn = 3;
    mote_VortexSolver p = still();
    mote_ColliderDef def = mote_collider_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_ColliderLoad load;
    mote_System *vortons;
    mote_Error error;
    p.born_spin = 0;
    mote_World *world = make_flat(&p, 1, 0.05, 0.02, &vortons);
    place(vortons, 1)[0] = 4; /* far away, and at rest */
    sphere.radius = (mote_real)a;
    def.name = "disc", def.shape = "sphere", def.shape_params = &sphere, def.measure = true;
    def.motion.velocity = setup_vec(speed, 0, 0),
    def.motion.spin = setup_vec(0, 0, turn * 180 / PI);
    SETUP_OK(mote_world_add_collider(world, &def, &error), error);
    for (int k = 0; k < 5; ++k) {
        setup_step(world);
        CHECK_OK(mote_world_collider_load(world, "disc", &load, &error), error);
        CHECK_NEAR(load.impulse[1] / 0.02 / (speed * 2 * PI * a * a * turn), 1, 0.01);
        CHECK_NEAR(load.impulse[0], 0, 1e-4);
    }
    mote_world_destroy(world);
}

static void rings_are_refused(void)
{
    mote_WorldDef def = mote_world_def();
    mote_SystemDef system = mote_system_def();
    mote_VortexSolver p = mote_vortex_solver_def();
    mote_System *vortons;
    mote_Error error;
    def.dimension = 2, p.ring_count = 2;
    mote_World *world = setup_world(&def);
    system.name = "vortons", system.solver = "vortex", system.solver_params = &p;
    CHECK(mote_world_add_system(world, &system, &vortons, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "ring_count");
    CHECK_MESSAGE(error, "world.dimension to 3");
    mote_world_destroy(world);
}

/* Each core's gradient is the difference of its velocities, and its velocity that of q. */
static void flat_cores_are_consistent(void)
{
    for (int core = 0; core < 4; ++core)
        for (int k = 1; k < 40; ++k) {
            mote_real s[SOURCE_PLANES] = {0, 0, 0, 0, 0, 1, (mote_real)0.09}, z = 0;
            mote_real x[2] = {(mote_real)(0.05 * k - 1e-3), (mote_real)(0.05 * k + 1e-3)}, u[3][2];
            mote_real y[2] = {0, 0}, at = (mote_real)(0.05 * k), out[INDUCE_GRADIENT] = {0};
            InduceJob job = {.count = 2, .x = {x, y, y}, .sources = {.count = 1}};
            memset(u, 0, sizeof u);
            for (int c = 0; c < SOURCE_PLANES; ++c) job.sources.plane[c] = &s[c];
            for (int c = 0; c < 3; ++c) job.out[c] = u[c];
            core_row_of(isa_pick(), core, true)->velocity(&job);
            job.count = 1, job.x[0] = &at, job.x[1] = job.x[2] = &z;
            for (int c = 0; c < INDUCE_GRADIENT; ++c) job.out[c] = &out[c];
            core_row_of(isa_pick(), core, true)->gradient(&job);
            if (core == 3 && k == 6) continue; /* the linear one has a kink */
            double slope = ((double)u[1][1] - (double)u[1][0]) / 2e-3;
            CHECK_NEAR((double)out[3 + 3], slope, 2e-3);
            CHECK_NEAR((double)out[1], ((double)u[1][0] + (double)u[1][1]) / 2, 1e-4);
            if (k > 30) CHECK_NEAR((double)out[1] * 2 * PI * 0.05 * k, 1, 0.05);
        }
}

TESTS({"pairs_travel", pairs_travel}, {"equal_ones_turn", equal_ones_turn},
      {"vortices_spread_as_lamb_and_oseen_say", vortices_spread_as_lamb_and_oseen_say},
      {"light_discs_start_to_rise", light_discs_start_to_rise},
      {"turning_discs_are_pushed_aside", turning_discs_are_pushed_aside},
      {"rings_are_refused", rings_are_refused},
      {"flat_cores_are_consistent", flat_cores_are_consistent})
