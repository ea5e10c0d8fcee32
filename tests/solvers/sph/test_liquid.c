/* Liquids without walls: what is conserved, what stays at rest, SI units, the chosen sub-steps; the
 * same bits for any number of threads and after a restart; bad input. For every pressure row and,
 * where it matters, every kernel. */
#include "setup.h"

#include "particles/system.h"
#include "solvers/sph/sph.h"

#include <mote/frame.h>

#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct Liquid {
    mote_WorldDef def;
    mote_SphSolver solver;
    mote_WcsphPressure weak; /* parameters of wcsph and dfsph, where they are chosen */
    mote_DfsphPressure stiff;
    mote_TextbookPressure plain; /* of textbook and mueller: friction by the model */
    mote_LaminarViscosity laminar;
    mote_World *world;
    mote_System *system;
} Liquid;

static Liquid liquid_def(double frame)
{
    Liquid liquid = {.def = mote_world_def(), .solver = mote_sph_solver_def()};
    liquid.weak = mote_wcsph_pressure_def(), liquid.stiff = mote_dfsph_pressure_def();
    liquid.laminar = mote_laminar_viscosity_def();
    liquid.plain = mote_textbook_pressure_def();
    liquid.plain.laplacian = false;
    liquid.def.fps = 1 / frame, liquid.def.max_step = 1;
    liquid.def.gravity = setup_vec(0, 0, 0);
    liquid.solver.spacing = (mote_real)0.1;
    return liquid;
}

static void open_liquid(Liquid *liquid)
{
    const char *pressure = liquid->solver.pressure;
    mote_SystemDef def = mote_system_def();
    mote_Error error;
    if (pressure != NULL && strcmp(pressure, "wcsph") == 0)
        liquid->solver.pressure_params = &liquid->weak;
    if (pressure == NULL || strcmp(pressure, "dfsph") == 0)
        liquid->solver.pressure_params = &liquid->stiff;
    if (pressure != NULL && (strcmp(pressure, "textbook") == 0 || strcmp(pressure, "mueller") == 0))
        liquid->solver.pressure_params = &liquid->plain;
    liquid->solver.viscosity_model_params = &liquid->laminar;
    liquid->world = setup_world(&liquid->def);
    def.name = "water", def.solver = "sph", def.solver_params = &liquid->solver;
    SETUP_OK(mote_world_add_system(liquid->world, &def, &liquid->system, &error), error);
}

/* A box with these periods around the origin's corner. */
static void make_periodic(Liquid *liquid, double x, double y, double z)
{
    liquid->def.periodic_x = liquid->def.periodic_y = true;
    liquid->def.periodic_z = z > 0;
    liquid->def.box_min = setup_vec(0, 0, 0);
    liquid->def.box_max = setup_vec(x, y, z > 0 ? z : 1);
    if (!(z > 0)) liquid->def.dimension = 2;
}

/* n[0] n[1] n[2] particles, half a spacing inside the corner. */
static void add_lattice(Liquid *liquid, const int n[3], double spacing)
{
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i)
                setup_particle(liquid->system,
                               setup_vec((i + 0.5) * spacing, (j + 0.5) * spacing,
                                         n[2] > 1 ? (k + 0.5) * spacing : 0),
                               setup_vec(0, 0, 0));
}

/* A ball of particles near a lattice, moving at random. */
static void add_blob(Liquid *liquid, int side, double shake)
{
    uint64_t state = 11;
    const int n[3] = {side, side, liquid->def.dimension == 2 ? 1 : side};
    add_lattice(liquid, n, (double)liquid->solver.spacing);
    for (size_t i = 0; i < mote_system_count(liquid->system); ++i)
        for (int c = 0; c < (liquid->def.dimension == 2 ? 2 : 3); ++c) {
            double d = (double)liquid->solver.spacing;
            setup_reals(liquid->system, "position", c)[i] +=
                (mote_real)setup_uniform(&state, -0.2 * d, 0.2 * d);
            setup_reals(liquid->system, "velocity", c)[i] =
                (mote_real)setup_uniform(&state, -shake, shake);
        }
}

typedef struct Momenta {
    double linear[3], angular[3], size; /* size: sum of |m v| */
} Momenta;

static Momenta momenta_of(const mote_System *system)
{
    Momenta sum = {{0}, {0}, 0};
    for (size_t i = 0; i < mote_system_count(system); ++i) {
        double m = setup_at(system, "mass", 0, i), x[3], p[3], square = 0;
        for (int c = 0; c < 3; ++c) {
            x[c] = setup_at(system, "position", c, i);
            p[c] = m * setup_at(system, "velocity", c, i);
            sum.linear[c] += p[c];
            square += p[c] * p[c];
        }
        for (int c = 0; c < 3; ++c)
            sum.angular[c] += x[(c + 1) % 3] * p[(c + 2) % 3] - x[(c + 2) % 3] * p[(c + 1) % 3];
        sum.size += sqrt(square);
    }
    return sum;
}

static const PressureRow *pressure_number(size_t i)
{
    size_t count;
    const mote_Row *const *rows = pressure_rows(ISA_V1, &count);
    return i < count ? (const PressureRow *)rows[i] : NULL;
}

/* ---- conservation ---- */

/* Central forces alone keep angular momentum: no friction, or one along the line of a pair. */
static void check_momenta(const PressureRow *row, const char *kernel, uint64_t dimension,
                          const char *friction, int divergence)
{
    Liquid liquid = liquid_def(0.02);
    liquid.stiff.divergence = divergence;
    liquid.def.dimension = dimension;
    liquid.solver.pressure = row->head.name, liquid.solver.kernel = kernel;
    liquid.solver.viscosity_model = friction, liquid.solver.viscosity = (mote_real)0.01;
    open_liquid(&liquid);
    add_blob(&liquid, dimension == 2 ? 14 : 7, 0.3);
    setup_step(liquid.world); /* masses are set from now on */
    Momenta before = momenta_of(liquid.system);
    for (int i = 0; i < 4; ++i) setup_step(liquid.world);
    Momenta after = momenta_of(liquid.system);
    double steps = 100, rounding = steps * 1.2e-7 * after.size; /* random signs: far less */
    for (int c = 0; c < 3; ++c) {
        CHECK_NEAR(after.linear[c], before.linear[c], 0.1 * rounding);
        CHECK_NEAR(after.angular[c], before.angular[c],
                   (row->central ? 1e-6 : 0.01) * after.size + 0.1 * rounding);
    }
    mote_world_destroy(liquid.world);
}

static void momentum_is_kept(void)
{
    size_t count;
    const mote_Row *const *kernels = smoothing_rows(ISA_V1, &count);
    const PressureRow *row;
    for (size_t i = 0; (row = pressure_number(i)) != NULL; ++i) {
        if (!row->conservative) continue;
        for (size_t k = 0; k < count; ++k)
            if (!TEST_SANITIZED || k == i % count) /* sanitizers are slow */
                check_momenta(row, kernels[k]->name, 3, "none", MOTE_DIVERGENCE_SUM);
        check_momenta(row, NULL, 2, "none", MOTE_DIVERGENCE_SUM);
        check_momenta(row, NULL, 3, "monaghan", MOTE_DIVERGENCE_SUM);
        check_momenta(row, NULL, 2, "none", MOTE_DIVERGENCE_LINEAR);
        check_momenta(row, NULL, 3, "monaghan", MOTE_DIVERGENCE_LINEAR);
    }
}

/* Friction takes energy out, and no momentum. */
static void friction_takes_energy_alone(void)
{
    Liquid liquid = liquid_def(0.02);
    liquid.solver.pressure = "wcsph", liquid.solver.viscosity = (mote_real)0.05;
    open_liquid(&liquid);
    add_blob(&liquid, 7, 0.3);
    double kinetic = setup_step(liquid.world).kinetic;
    Momenta before = momenta_of(liquid.system);
    mote_StepReport report = {0};
    for (int i = 0; i < 4; ++i) report = setup_step(liquid.world);
    Momenta after = momenta_of(liquid.system);
    CHECK(report.kinetic < 0.9 * kinetic);
    for (int c = 0; c < 3; ++c)
        CHECK_NEAR(after.linear[c], before.linear[c], 1e-6 * (before.size + after.size));
    mote_world_destroy(liquid.world);
}

/* ---- rest ---- */

/* A full lattice has the rest density, feels nothing and stays, whatever the kernel. */
static void check_rest(const PressureRow *row, const char *kernel, bool flat)
{
    const int n[3] = {10, 10, flat ? 1 : 10};
    Liquid liquid = liquid_def(0.05);
    make_periodic(&liquid, 1, 1, flat ? 0 : 1);
    liquid.solver.pressure = row->head.name, liquid.solver.kernel = kernel;
    liquid.solver.support = (mote_real)2.2, liquid.weak.sound = 10;
    open_liquid(&liquid);
    add_lattice(&liquid, n, 0.1);
    for (int i = 0; i < 3; ++i) setup_step(liquid.world);
    double mass = 0;
    for (size_t i = 0; i < mote_system_count(liquid.system); ++i) {
        mass += setup_at(liquid.system, "mass", 0, i);
        CHECK_NEAR(setup_at(liquid.system, "density", 0, i), 1000, 0.01);
        CHECK_NEAR(setup_at(liquid.system, "radius", 0, i), 0.05, 1e-8);
        for (int c = 0; c < 3; ++c) CHECK_NEAR(setup_at(liquid.system, "velocity", c, i), 0, 2e-4);
    }
    CHECK_NEAR(mass, 1000, 0.01); /* kg in 1 m^3, or per metre */
    mote_world_destroy(liquid.world);
}

static void a_full_lattice_stays(void)
{
    size_t count;
    const mote_Row *const *kernels = smoothing_rows(ISA_V1, &count);
    const PressureRow *row;
    for (size_t i = 0; (row = pressure_number(i)) != NULL; ++i)
        for (size_t k = 0; k < count; ++k) {
            check_rest(row, kernels[k]->name, false);
            check_rest(row, kernels[k]->name, true);
        }
}

/* P = rho0 c^2/7 ((rho/rho0)^7 - 1), from the densities that are shown with it; not below 0. */
static void pressure_follows_the_density(void)
{
    Liquid liquid = liquid_def(1e-4);
    liquid.solver.pressure = "wcsph", liquid.weak.sound = 20;
    open_liquid(&liquid);
    add_blob(&liquid, 7, 0);
    setup_step(liquid.world);
    int none = 0, some = 0;
    for (size_t i = 0; i < mote_system_count(liquid.system); ++i) {
        double rho = setup_at(liquid.system, "density", 0, i);
        double wanted = 1000 * 400 / 7.0 * (pow(rho / 1000, 7) - 1);
        double p = setup_at(liquid.system, "pressure", 0, i);
        CHECK_NEAR(p, wanted > 0 ? wanted : 0, 2 + 1e-4 * fabs(wanted));
        none += p == 0, some += p > 0;
    }
    CHECK(none > 20 && some > 20);
    mote_world_destroy(liquid.world);
}

/* ---- SI units ---- */

/* A shear wave in a periodic box decays as exp(-nu k^2 t): nu is in m^2/s. */
static double decay_rate(const char *pressure, const char *friction, bool flat, double nu)
{
    enum { SIDE = 16 };
    const double k = 2 * pi, d = 1.0 / SIDE, frame = 0.05 / (nu * k * k);
    const int n[3] = {SIDE, SIDE, flat ? 1 : SIDE / 2};
    Liquid liquid = liquid_def(frame);
    make_periodic(&liquid, 1, 1, flat ? 0 : 0.5);
    liquid.solver.pressure = pressure, liquid.solver.spacing = (mote_real)d;
    liquid.solver.viscosity_model = friction;
    liquid.solver.support = 3, liquid.solver.viscosity = (mote_real)nu;
    liquid.solver.artificial = 0, liquid.weak.sound = (mote_real)0.5;
    liquid.laminar.implicit = MOTE_IMPLICIT_NEVER; /* sub-steps that a decay can be seen in */
    open_liquid(&liquid);
    add_lattice(&liquid, n, d);
    for (size_t i = 0; i < mote_system_count(liquid.system); ++i)
        setup_reals(liquid.system, "velocity", 0)[i] =
            (mote_real)(0.02 * sin(k * setup_at(liquid.system, "position", 1, i)));
    double first = setup_step(liquid.world).kinetic, t = mote_world_time(liquid.world);
    for (int i = 0; i < 3; ++i) setup_step(liquid.world);
    double last = setup_step(liquid.world).kinetic;
    double rate = log(first / last) / 2 / (mote_world_time(liquid.world) - t);
    mote_world_destroy(liquid.world);
    return rate / (nu * k * k);
}

static void viscosity_is_in_si_units(void)
{
    const PressureRow *row;
    for (size_t i = 0; (row = pressure_number(i)) != NULL; ++i) {
        CHECK_NEAR(decay_rate(row->head.name, "morris", true, 0.02), 1, 0.04);
        CHECK_NEAR(decay_rate(row->head.name, "morris", false, 0.02), 1, 0.04);
        /* Along the lines of pairs alone: a lattice has too few directions to be exact. */
        CHECK_NEAR(decay_rate(row->head.name, "monaghan", true, 0.02), 1, 0.1);
        CHECK_NEAR(decay_rate(row->head.name, "monaghan", false, 0.02), 1, 0.1);
    }
}

/* ---- shifting ---- */

/* The smallest distance of two particles in a periodic box of 1.2 m, after a stretch of drifting.
 */
static double nearest_after(double shifting)
{
    const double side = 1.2;
    Liquid liquid = liquid_def(0.02);
    make_periodic(&liquid, side, side, 0);
    liquid.solver.pressure = "wcsph", liquid.weak.sound = 1;
    liquid.solver.support = 3, liquid.solver.shifting = (mote_real)shifting;
    open_liquid(&liquid);
    add_blob(&liquid, 12, 0);
    size_t n = mote_system_count(liquid.system);
    for (size_t i = 0; i < n; ++i) setup_reals(liquid.system, "velocity", 0)[i] = (mote_real)0.5;
    for (int i = 0; i < 4; ++i) setup_step(liquid.world);
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < i; ++j) {
            double square = 0;
            for (int c = 0; c < 2; ++c) {
                double d = fabs(setup_at(liquid.system, "position", c, i) -
                                setup_at(liquid.system, "position", c, j));
                d = fmod(d, side), d = fmin(d, side - d);
                square += d * d;
            }
            nearest = fmin(nearest, sqrt(square));
        }
    mote_world_destroy(liquid.world);
    return nearest;
}

static void shifting_parts_what_is_near(void)
{
    double without = nearest_after(0), with = nearest_after(1);
    CHECK(with > 1.1 * without);
    CHECK(with > 0.07); /* of 0.1 m at rest, from about 0.06 */
}

/* ---- impacts ---- */

/* What two particles, a spacing apart, each coming with this speed, are slowed by, m/s^2. */
static double slowing(double impact, double speed)
{
    Liquid liquid = liquid_def(1e-5);
    liquid.solver.pressure = "wcsph", liquid.solver.viscosity_model = "none";
    liquid.solver.artificial = 0, liquid.weak.impact = (mote_real)impact;
    open_liquid(&liquid);
    setup_particle(liquid.system, setup_vec(0, 0, 0), setup_vec(speed, 0, 0));
    setup_particle(liquid.system, setup_vec(0.1, 0, 0), setup_vec(-speed, 0, 0));
    setup_step(liquid.world);
    double v[2];
    for (size_t i = 0; i < 2; ++i) v[i] = setup_at(liquid.system, "velocity", 0, i);
    CHECK_NEAR(v[0] + v[1], 0, 1e-12);
    mote_world_destroy(liquid.world);
    return (speed - v[0]) / 1e-5;
}

/* m beta mu^2 / rho |W'| with the cubic spline of h = 0.1 m at r = h: pi h^3 W = 1 and 1/4 at 0 and
 * h, pi h^4 W' = -3/4; mu = 2 v h^2 / (1.01 h^2). A mass of 1 kg has rho = 5/4 / (pi h^3). */
static void what_clashes_is_slowed(void)
{
    double mu = 2 / 1.01, density = 1250 / pi, slope = 0.75e4 / pi;
    double wanted = 3 * mu * mu / density * slope;
    CHECK_NEAR(slowing(3, 1), wanted, 0.03 * wanted); /* slopes are scaled for lattices */
    CHECK_NEAR(slowing(3, 2), 4 * wanted, 0.03 * 4 * wanted);
    CHECK_NEAR(slowing(3, -1), 0, 1e-9);
    CHECK_NEAR(slowing(0, 1), 0, 1e-9);
}

/* ---- sub-steps ---- */

static double shortest(double speed, double sound, double nu, double max_step, int implicit)
{
    Liquid liquid = liquid_def(0.1);
    liquid.def.max_step = max_step;
    liquid.solver.pressure = "wcsph", liquid.weak.sound = (mote_real)sound;
    liquid.solver.viscosity = (mote_real)nu;
    liquid.laminar.implicit = implicit;
    open_liquid(&liquid);
    setup_particle(liquid.system, setup_vec(0, 0, 0), setup_vec(speed, 0, 0));
    mote_StepReport report = setup_step(liquid.world);
    CHECK_NEAR(setup_at(liquid.system, "position", 0, 0), 0.1 * speed, 1e-5 * speed);
    mote_world_destroy(liquid.world);
    return report.shortest;
}

/* H = 0.2 m, h = 0.1 m, artificial viscosity 0.02; the frame of 0.1 s is cut into equal parts that
 * are not longer. */
static void sub_steps_are_as_long_as_is_stable(void)
{
    double by_sound = 0.4 * 0.2 / (1.01 * 20 + 2), by_friction = 0.125 * 0.01 / 0.5;
    CHECK_NEAR(shortest(2, 20, 1e-6, 1, 0), 0.1 / ceil(0.1 / by_sound), 1e-9);
    CHECK_NEAR(shortest(2, 0, 1e-6, 1, 0), 0.1 / ceil(0.1 / by_sound),
               1e-9); /* ten times as fast */
    CHECK_NEAR(shortest(0.01, 1, 0.5, 1, MOTE_IMPLICIT_NEVER), 0.1 / ceil(0.1 / by_friction), 1e-9);
    CHECK_NEAR(shortest(0.01, 1, 0.5, 1, MOTE_IMPLICIT_AUTO), 0.1 / ceil(0.1 / (0.08 / 1.02)),
               1e-9);
    CHECK_NEAR(shortest(0.01, 1, 0, 0.003, 0), 0.1 / ceil(0.1 / 0.003), 1e-9);
}

/* Droplets by themselves that meet a wall at all depths that a sub-step leads to: stiff as the wall
 * is there, none is thrown back faster than it came. (Without the bound some leave 2.8 times as
 * fast.) */
static void walls_throw_nothing_back_faster(void)
{
    enum { DROPS = 40 };
    Liquid liquid = liquid_def(0.02);
    mote_ColliderDef floor = mote_collider_def();
    mote_Error error;
    double most = 0;
    liquid.solver.pressure = "wcsph";
    open_liquid(&liquid);
    floor.name = "floor", floor.shape = "plane";
    SETUP_OK(mote_world_add_collider(liquid.world, &floor, &error), error);
    for (int i = 0; i < DROPS; ++i)
        setup_particle(liquid.system, setup_vec(i, 0.3 + 0.001 * i, 0), setup_vec(0, -2, 0));
    for (int k = 0; k < 20; ++k) {
        setup_step(liquid.world);
        for (size_t i = 0; i < DROPS; ++i)
            most = fmax(most, fabs(setup_at(liquid.system, "velocity", 1, i)));
    }
    CHECK_NEAR(most, 2, 1e-3);
    mote_world_destroy(liquid.world);
}

/* ---- the same bits ---- */

static mote_World *drop(mote_Tasks *tasks, bool reload, const char *pressure, bool extras)
{
    Liquid liquid = liquid_def(0.01);
    liquid.def.tasks = tasks, liquid.def.reload_always = reload;
    liquid.def.gravity = setup_vec(0, -9.81, 0);
    liquid.solver.pressure = pressure;
    if (extras) {
        liquid.solver.xsph = (mote_real)0.2, liquid.weak.density = MOTE_DENSITY_CONTINUITY;
        liquid.solver.shifting = (mote_real)0.5, liquid.solver.viscosity_model = "monaghan";
        liquid.stiff.divergence = MOTE_DIVERGENCE_LINEAR;
        liquid.solver.kernel = "wendland-c4", liquid.solver.support = (mote_real)2.5;
    }
    open_liquid(&liquid);
    setup_plane(liquid.world, setup_vec(0, 1, 0), 0.1, 0.2);
    add_blob(&liquid, 9, 0.5);
    return liquid.world;
}

static uint64_t run_drop(mote_World *world, int frames)
{
    for (int i = 0; i < frames; ++i) setup_step(world);
    return mote_frame_hash(mote_world_frame(world));
}

enum { DROP_FRAMES = TEST_SANITIZED ? 1 : 4 }; /* sanitizers are slow */

static uint64_t threaded_hash(int threads, const char *pressure, bool extras)
{
    mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks;
    mote_Error error;
    def.threads = threads;
    SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
    mote_World *world = drop(tasks, false, pressure, extras);
    uint64_t hash = run_drop(world, DROP_FRAMES);
    mote_world_destroy(world);
    mote_tasks_destroy(tasks);
    return hash;
}

static void threads_and_reloads_change_nothing(void)
{
    const PressureRow *row;
    for (size_t i = 0; (row = pressure_number(i)) != NULL; ++i)
        for (int extras = 0; extras < 2; ++extras) {
            mote_World *plain = drop(NULL, false, row->head.name, extras != 0);
            mote_World *reloaded = drop(NULL, true, row->head.name, extras != 0);
            uint64_t hash = run_drop(plain, DROP_FRAMES);
            CHECK(run_drop(reloaded, DROP_FRAMES) == hash);
            CHECK(threaded_hash(2, row->head.name, extras != 0) == hash);
            CHECK(threaded_hash(3, row->head.name, extras != 0) == hash);
            CHECK(threaded_hash(8, row->head.name, extras != 0) == hash);
            mote_world_destroy(plain);
            mote_world_destroy(reloaded);
        }
}

static void a_saved_state_goes_on(void)
{
    const PressureRow *row;
    for (size_t i = 0; (row = pressure_number(i)) != NULL; ++i) {
        mote_World *first = drop(NULL, false, row->head.name, false);
        mote_World *second = drop(NULL, false, row->head.name, false);
        const mote_StateArray *arrays;
        size_t count;
        mote_Error error;
        run_drop(first, 2);
        SETUP_OK(mote_world_state(first, &arrays, &count, &error), error);
        CHECK_OK(mote_world_restore(second, arrays, count, &error), error);
        CHECK(run_drop(first, 3) == run_drop(second, 3));
        mote_world_destroy(first);
        mote_world_destroy(second);
    }
}

/* Rows stand in the order of cells now and then; ids tell who is who. */
static void particles_keep_their_ids(void)
{
    mote_World *world = drop(NULL, false, "wcsph", false);
    mote_System *system = mote_world_system(world, "water");
    size_t moved = 0;
    for (size_t i = 0; i < 729; ++i) setup_reals(system, "color", 0)[i] = (mote_real)i;
    run_drop(world, 1);
    for (uint64_t id = 0; id < 729; ++id) {
        size_t row = mote_system_find(system, id);
        CHECK(setup_at(system, "color", 0, row) == (double)id);
        moved += row != id;
    }
    CHECK(moved > 100);
    mote_world_destroy(world);
}

/* ---- bad input ---- */

static void check_refused(const mote_SphSolver *solver, const char *text)
{
    Liquid liquid = liquid_def(0.1);
    mote_SystemDef def = mote_system_def();
    mote_Error error = {0};
    liquid.world = setup_world(&liquid.def);
    def.name = "water", def.solver = "sph", def.solver_params = solver;
    CHECK(mote_world_add_system(liquid.world, &def, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, text);
    mote_world_destroy(liquid.world);
}

/* Parameters of a method are looked at as those of the liquid are. */
static void bad_values_of_a_method_are_refused(void)
{
    mote_SphSolver solver = mote_sph_solver_def();
    mote_WcsphPressure weak = mote_wcsph_pressure_def();
    mote_DfsphPressure stiff = mote_dfsph_pressure_def();
    weak.mach = (mote_real)0.5, stiff.most_iterations = 0;
    solver.pressure = "wcsph", solver.pressure_params = &weak;
    check_refused(&solver, "mach is 0.5, but must be between 1 and 1000");
    solver.pressure = "dfsph", solver.pressure_params = &stiff;
    check_refused(&solver, "most_iterations is 0");
}

static void bad_values_are_refused(void)
{
    mote_SphSolver bad[] = {mote_sph_solver_def(), mote_sph_solver_def(), mote_sph_solver_def(),
                            mote_sph_solver_def(), mote_sph_solver_def(), mote_sph_solver_def(),
                            mote_sph_solver_def()};
    bad[0].support = (mote_real)1.4;
    bad[1].viscosity = -1;
    bad[2].rest_density = 0;
    bad[3].spacing = 0;
    bad[4].pressure = "wcsphh";
    bad[5].kernel = "cubic";
    bad[6].viscosity_model = "moris";
    static const char *const texts[] = {
        "1.5 or more",      "viscosity",        "rest_density",        "spacing",
        "did you mean `wc", "smoothing kernel", "did you mean `morris"};
    for (size_t i = 0; i < COUNT_OF(bad); ++i) check_refused(&bad[i], texts[i]);
}

static void small_periodic_boxes_are_refused(void)
{
    Liquid liquid = liquid_def(0.1);
    mote_SystemDef def = mote_system_def();
    mote_Error error = {0};
    make_periodic(&liquid, 1, 0.35, 1);
    liquid.world = setup_world(&liquid.def);
    def.name = "water", def.solver = "sph", def.solver_params = &liquid.solver;
    CHECK(mote_world_add_system(liquid.world, &def, NULL, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, "along y");
    mote_world_destroy(liquid.world);
}

static void hostile_rows_do_no_harm(void)
{
    Liquid liquid = liquid_def(0.01);
    liquid.def.not_finite = MOTE_NOT_FINITE_RETIRE;
    liquid.solver.pressure = "wcsph", liquid.weak.sound = 10;
    open_liquid(&liquid);
    setup_step(liquid.world); /* no rows at all */
    add_blob(&liquid, 5, 0.1);
    setup_particle(liquid.system, setup_vec(0.05, 0.05, 0.05), setup_vec(0, 0, 0));
    setup_particle(liquid.system, setup_vec(0.05, 0.05, 0.05), setup_vec(0, 0, 0));
    setup_particle(liquid.system, setup_vec((double)NAN, 0, 0), setup_vec(0, 0, 0));
    setup_particle(liquid.system, setup_vec(1e9, -1e9, 0), setup_vec(0, 0, 0));
    for (int i = 0; i < 3; ++i) setup_step(liquid.world);
    CHECK(mote_system_count(liquid.system) == 128);
    for (size_t i = 0; i < mote_system_count(liquid.system); ++i)
        CHECK(isfinite(setup_at(liquid.system, "velocity", 0, i)));
    mote_world_destroy(liquid.world);
}

TESTS({"momentum is kept", momentum_is_kept},
      {"friction takes energy alone", friction_takes_energy_alone},
      {"a full lattice stays", a_full_lattice_stays},
      {"pressure follows the density", pressure_follows_the_density},
      {"viscosity is in SI units", viscosity_is_in_si_units},
      {"shifting parts what is near", shifting_parts_what_is_near},
      {"what clashes is slowed", what_clashes_is_slowed},
      {"sub-steps are as long as is stable", sub_steps_are_as_long_as_is_stable},
      {"walls throw nothing back faster", walls_throw_nothing_back_faster},
      {"threads and reloads change nothing", threads_and_reloads_change_nothing},
      {"a saved state goes on", a_saved_state_goes_on},
      {"particles keep their ids", particles_keep_their_ids},
      {"bad values are refused", bad_values_are_refused},
      {"bad values of a method are refused", bad_values_of_a_method_are_refused},
      {"small periodic boxes are refused", small_periodic_boxes_are_refused},
      {"hostile rows do no harm", hostile_rows_do_no_harm})
