/* Spectral wind and noise in time, as fields of a world: the mean wind, two dimensions, threads,
 * restarts, and what is refused. */
#include "base/isa.h"
#include "failing.h"
#include "fields/wind.h"

/* ---- mean wind and time ---- */

/* Frozen turbulence: u(x, t) = W + u(x - W t, 0). */
static void the_mean_carries_the_turbulence(void)
{
    mote_SpectralWindField wind = mote_spectral_wind_field_def();
    wind.time = MOTE_TIME_FROZEN;
    mote_World *still = world_with(&wind, NULL, 3);
    wind.mean = setup_vec(2, 0.5, -1);
    mote_World *moving = world_with(&wind, NULL, 3);
    Cloud a = make_cloud(500, -5, 5, 7), b = make_cloud(500, -5, 5, 7);
    double worst = 0;
    sample(moving, &a, 3);
    shift_cloud(&b, -6, -1.5, 3);
    sample(still, &b, 0);
    const double mean[3] = {2, 0.5, -1};
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < a.count; ++i)
            worst = fmax(worst, fabs((double)a.u[c][i] - mean[c] - (double)b.u[c][i]));
    CHECK(worst < (sizeof(mote_real) == 4 ? 1e-4 : 1e-12));
    free_cloud(&a);
    free_cloud(&b);
    mote_world_destroy(still);
    mote_world_destroy(moving);
}

/* The way is the integral of a mean that changes. */
static mote_Status turn_the_wind(void *context, mote_World *world, double t, mote_Error *error)
{
    mote_SpectralWindField *wind = mote_world_find(world, MOTE_KIND_FIELD, "gusts");
    (void)context, (void)error;
    wind->mean = t < 0.1999 ? setup_vec(1, 0, 0) : setup_vec(0, 3, 0);
    return MOTE_OK;
}

static void a_mean_that_changes(void)
{
    mote_SpectralWindField wind = mote_spectral_wind_field_def();
    wind.time = MOTE_TIME_FROZEN;
    mote_World *still = world_with(&wind, NULL, 3);
    mote_WorldDef def = setup_def(0.02);
    def.before_substep = turn_the_wind;
    mote_World *moving = setup_world(&def);
    add_wind(moving, &wind);
    for (int step = 0; step < 25; ++step) setup_step(moving); /* 0.2 s of the first, 0.3 s */
    Cloud a = make_cloud(500, -5, 5, 8), b = make_cloud(500, -5, 5, 8);
    double worst = 0;
    sample(moving, &a, 0.5);
    shift_cloud(&b, -0.2, -0.9, 0);
    sample(still, &b, 0);
    for (size_t i = 0; i < a.count; ++i)
        worst = fmax(worst, fabs((double)a.u[1][i] - 3 - (double)b.u[1][i]));
    CHECK(worst < (sizeof(mote_real) == 4 ? 1e-4 : 1e-12));
    free_cloud(&a);
    free_cloud(&b);
    mote_world_destroy(still);
    mote_world_destroy(moving);
}

/* Periodic time comes back after its period, streaming time does not, and both change slowly
 * within a table's interval. */
static void time_goes_on(void)
{
    for (int time = 0; time < 2; ++time) {
        mote_SpectralWindField wind = mote_spectral_wind_field_def();
        wind.grids = 1, wind.points = 16, wind.time = time, wind.sigma = 1;
        wind.period = 20, wind.slices = 60;
        mote_World *world = world_with(&wind, NULL, 3);
        Cloud now = make_cloud(1000, 0, 8, 9), soon = make_cloud(1000, 0, 8, 9),
              later = make_cloud(1000, 0, 8, 9);
        sample(world, &now, 1.3);
        sample(world, &soon, 1.301);
        sample(world, &later, 21.3);
        CHECK(difference(&soon, &now) < 0.02 && difference(&soon, &now) > 1e-5);
        if (time == MOTE_TIME_PERIODIC)
            CHECK(difference(&later, &now) < 1e-4);
        else
            CHECK(difference(&later, &now) > 0.8);
        free_cloud(&now);
        free_cloud(&soon);
        free_cloud(&later);
        mote_world_destroy(world);
    }
}

/* ---- two dimensions ---- */

static void flat_worlds(void)
{
    for (int s = 0; s < 3; ++s) {
        mote_SpectralWindField wind = mote_spectral_wind_field_def();
        wind.sampling = s, wind.rms = 2, wind.points = 64;
        mote_World *world = world_with(&wind, NULL, 2);
        Cloud cloud = make_cloud(20000, -400, 400, 10);
        double upwards = 0;
        sample(world, &cloud, 0.1);
        for (size_t i = 0; i < cloud.count; ++i)
            upwards = fmax(upwards, fabs((double)cloud.u[2][i]));
        CHECK(upwards == 0);
        CHECK_NEAR(mean_square(&cloud), 4, s == MOTE_SAMPLING_LINEAR ? 0.5 : 0.3);
        free_cloud(&cloud);
        mote_world_destroy(world);
    }
}

/* ---- same bits ---- */

enum { TRACERS = 300 };

/* Tracers in a wind with everything switched on; where they are in the end. */
static void run_tracers(mote_Tasks *tasks, bool reload, int tracers, mote_real *end)
{
    mote_SpectralWindField wind = mote_spectral_wind_field_def();
    wind.points = 16, wind.split = true, wind.carried = true, wind.mean = setup_vec(1, 0, 0);
    mote_WorldDef def = setup_def(0.02);
    def.tasks = tasks, def.reload_always = reload;
    mote_World *world = setup_world(&def);
    add_wind(world, &wind);
    mote_System *system = setup_system(world, "dust", "rk4", "gusts");
    uint64_t seed = 12;
    for (int i = 0; i < tracers; ++i)
        setup_particle(system,
                       setup_vec(setup_uniform(&seed, 0, 8), setup_uniform(&seed, 0, 8),
                                 setup_uniform(&seed, 0, 8)),
                       setup_vec(0, 0, 0));
    for (int step = 0; step < 20; ++step) setup_step(world);
    for (int c = 0; c < 3; ++c)
        memcpy(end + c * TRACERS, setup_reals(system, "position", c),
               (size_t)tracers * sizeof *end);
    mote_world_destroy(world);
}

static void same_bits_everywhere(void)
{
    static mote_real first[3 * TRACERS], again[3 * TRACERS];
    static const char *const sets[] = {"baseline", "x86-64-v3", "x86-64-v4"};
    run_tracers(NULL, false, TRACERS, first);
    run_tracers(NULL, true, TRACERS, again);
    CHECK(memcmp(first, again, sizeof first) == 0);
    for (int isa = 0; isa < 3; ++isa)
        for (int threads = 1; threads <= 3; threads += 2) {
            mote_TasksDef def = mote_tasks_def();
            mote_Tasks *tasks;
            mote_Error error;
            def.threads = threads;
            SETUP_OK(mote_tasks_create(&def, &tasks, &error), error);
            setenv("MOTE_ISA", sets[isa], 1); /* one that is missing is ignored */
            run_tracers(tasks, false, TRACERS, again);
            CHECK(memcmp(first, again, sizeof first) == 0);
            mote_tasks_destroy(tasks);
        }
    unsetenv("MOTE_ISA");
}

/* Few tracers are not worth tables that are blended in advance; many are. */
static void blending_in_advance_changes_nothing(void)
{
    enum { FEW = 60 };
    static mote_real many[3 * TRACERS], few[3 * TRACERS];
    run_tracers(NULL, false, TRACERS, many);
    run_tracers(NULL, false, FEW, few);
    for (int c = 0; c < 3; ++c)
        CHECK(memcmp(many + c * TRACERS, few + c * TRACERS, FEW * sizeof *few) == 0);
}

/* Tables that are skipped are not missed: a moment's wind depends on the moment alone. */
static void any_moment_in_any_order(void)
{
    mote_SpectralWindField wind = mote_spectral_wind_field_def();
    wind.points = 16;
    mote_World *one = world_with(&wind, NULL, 3), *other = world_with(&wind, NULL, 3);
    Cloud a = make_cloud(300, 0, 8, 13), b = make_cloud(300, 0, 8, 13);
    for (double t = 0; t < 5; t += 0.21) sample(one, &a, t);
    sample(one, &a, 2.718);
    sample(other, &b, 2.718);
    for (int c = 0; c < 3; ++c) CHECK(memcmp(a.u[c], b.u[c], 300 * sizeof(mote_real)) == 0);
    free_cloud(&a);
    free_cloud(&b);
    mote_world_destroy(one);
    mote_world_destroy(other);
}

static void far_and_wrong_positions(void)
{
    mote_SpectralWindField wind = mote_spectral_wind_field_def();
    mote_World *world = world_with(&wind, NULL, 3);
    Cloud cloud = make_cloud(8, 0, 8, 14);
    const double places[8] = {nan(""), HUGE_VAL, -HUGE_VAL, 1e30, -1e30, -1e-30, 8, -8};
    for (size_t i = 0; i < 8; ++i)
        for (int c = 0; c < 3; ++c) cloud.x[c][i] = (mote_real)places[i];
    sample(world, &cloud, 0.1);
    for (size_t i = 3; i < 8; ++i)
        for (int c = 0; c < 3; ++c) CHECK(fabs((double)cloud.u[c][i]) < 10);
    free_cloud(&cloud);
    mote_world_destroy(world);
}

/* ---- noise ---- */

static void noise_has_its_strength(void)
{
    for (int grids = 1; grids <= 2; ++grids)
        for (int s = 0; s < 2; ++s) {
            mote_SpectralNoiseField noise = mote_spectral_noise_field_def();
            mote_FieldDef field = mote_field_def();
            field.name = "gusts", field.type = "spectral-noise", field.params = &noise;
            mote_WorldDef def = setup_def(0.01);
            mote_World *world = setup_world(&def);
            mote_Error error;
            double sum = 0;
            noise.rms = (mote_real)0.5, noise.mean = 2, noise.grids = (uint64_t)grids;
            noise.sampling = s, noise.jitter = (mote_real)0.3, noise.slope = -1;
            SETUP_OK(mote_world_add_field(world, &field, &error), error);
            CHECK(mote_world_field_components(world, "gusts") == 1);
            Cloud cloud = make_cloud(20000, -200, 200, 15);
            sample(world, &cloud, 0);
            for (size_t i = 0; i < cloud.count; ++i)
                sum += pow((double)cloud.u[0][i] - 2, 2) / (double)cloud.count;
            CHECK_NEAR(sqrt(sum), 0.5, s == MOTE_SAMPLING_LINEAR ? 0.06 : 0.03);
            free_cloud(&cloud);
            mote_world_destroy(world);
        }
}

/* ---- what is refused ---- */

static double negative(void *context, double k)
{
    (void)context;
    return 3 - k;
}

static void refuse(const mote_SpectralWindField *wind, const char *text)
{
    mote_WorldDef def = setup_def(0.01);
    mote_World *world = setup_world(&def);
    mote_FieldDef field = mote_field_def();
    field.name = "gusts", field.type = "spectral-wind", field.params = wind;
    mote_Error error = {.message = ""};
    CHECK(mote_world_add_field(world, &field, &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, text);
    mote_world_destroy(world);
}

static void wrong_parameters_are_refused(void)
{
    const mote_SpectralWindField good = mote_spectral_wind_field_def();
    mote_SpectralWindField wind = good;
    wind.points = 28;
    refuse(&wind, "points is 28, but must be a product of 2, 3 and 5; 30 is");
    wind = good, wind.time = MOTE_TIME_PERIODIC, wind.slices = 11;
    refuse(&wind, "slices is 11, but must be a product of 2, 3 and 5; 12 is");
    wind = good, wind.k_lo = 5, wind.k_hi = 4;
    refuse(&wind, "k_lo must be below k_hi");
    wind = good, wind.k_lo = 4, wind.k_hi = 4;
    refuse(&wind, "k_lo must be below k_hi");
    wind = good, wind.k_hi = 500;
    refuse(&wind, "32 points in 12.9443 m end at 7.76");
    wind = good, wind.spectrum = MOTE_SPECTRUM_USER;
    refuse(&wind, "there is no function `energy`");
    wind.energy = negative;
    refuse(&wind, "the spectrum is -");
    wind = good, wind.time = MOTE_TIME_PERIODIC, wind.points = 512, wind.slices = 4096;
    refuse(&wind, "GB; lower points, slices or grids");
    wind = good, wind.grids = 5;
    refuse(&wind, "grids is 5");
    wind = good, wind.grids = 1, wind.points = 4, wind.k_lo = (mote_real)0.1,
    wind.k_hi = (mote_real)0.2;
    refuse(&wind, "no wave of a box of 8 m lies between");
}

/* Every allocation fails once, and nothing is lost. */
static void missing_memory_is_survived(void)
{
    for (int time = 0; time < 3; ++time) {
        mote_SpectralWindField wind = mote_spectral_wind_field_def();
        mote_FieldDef field = mote_field_def();
        field.name = "gusts", field.type = "spectral-wind", field.params = &wind;
        wind.points = 4, wind.time = time, wind.k_hi = (mote_real)1.2, wind.grids = 1;
        wind.slices = 6;
        for (uint64_t n = 0;; ++n) {
            Failing failing = {.fail_at = n};
            mote_WorldDef def = setup_def(0.01);
            mote_World *world;
            mote_Error error;
            def.allocator = failing_allocator(&failing);
            mote_Status status = mote_world_create(&def, &world, &error);
            if (status == MOTE_OK) {
                status = mote_world_add_field(world, &field, &error);
                mote_world_destroy(world);
            }
            CHECK(status == MOTE_OK || status == MOTE_NO_MEMORY);
            CHECK(failing.bytes == 0);
            if (failing.requests <= n) break;
        }
    }
}

TESTS({"the mean carries the turbulence", the_mean_carries_the_turbulence},
      {"a mean that changes", a_mean_that_changes}, {"time goes on", time_goes_on},
      {"flat worlds", flat_worlds}, {"same bits everywhere", same_bits_everywhere},
      {"any moment in any order", any_moment_in_any_order},
      {"blending in advance changes nothing", blending_in_advance_changes_nothing},
      {"far and wrong positions", far_and_wrong_positions},
      {"noise has its strength", noise_has_its_strength},
      {"wrong parameters are refused", wrong_parameters_are_refused},
      {"missing memory is survived", missing_memory_is_survived})
