/* Spectral wind in space, as a field of a world: interpolation, divergence between the points,
 * tracers, hidden periods. */
#include "fields/wind.h"

/* ---- interpolation ---- */

/* Twice the points with the same waves (the band is given) is a finer table of the same field, so
 * the errors of the interpolations show; the specification measured 7 %, 0.2 % and 0.5 %. */
static void interpolations_are_as_good_as_they_should_be(void)
{
    static const double most[] = {0.1, 0.004, 0.01}, least[] = {0.03, 1e-4, 1e-4};
    mote_SpectralWindField wind = mote_spectral_wind_field_def();
    wind.grids = 1, wind.time = MOTE_TIME_FROZEN;
    wind.k_hi = (mote_real)(0.5 * TWO_PI / 2 * 32 / 8);
    Cloud exact = make_cloud(4000, -20, 20, 1), cloud = make_cloud(4000, -20, 20, 1);
    wind.points = 128, wind.sampling = MOTE_SAMPLING_CUBIC;
    mote_World *world = world_with(&wind, NULL, 3);
    sample(world, &exact, 0);
    mote_world_destroy(world);
    for (int s = 0; s < 3; ++s) {
        wind.points = 32, wind.sampling = s;
        world = world_with(&wind, NULL, 3);
        sample(world, &cloud, 0);
        CHECK(difference(&cloud, &exact) < most[s] && difference(&cloud, &exact) > least[s]);
        mote_world_destroy(world);
    }
    free_cloud(&cloud);
    free_cloud(&exact);
}

/* Central differences, away from the faces of cells, where a spline's third derivative jumps. */
static void curl_is_free_of_divergence(void)
{
    if (sizeof(mote_real) == sizeof(float)) {
        printf("skipped: differences need double\n");
        return;
    }
    enum { POINTS = 400 };
    mote_SpectralWindField wind = mote_spectral_wind_field_def();
    wind.size = 32, wind.grids = 1; /* cells of 1 m */
    mote_World *world = world_with(&wind, NULL, 3);
    const double h = 1e-3;
    double divergence = 0, gradient = 0;
    Cloud middle = make_cloud(POINTS, 0, 32, 2);
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < POINTS; ++i) {
            double cell = floor((double)middle.x[c][i]), part = (double)middle.x[c][i] - cell;
            middle.x[c][i] = (mote_real)(cell + 0.1 + 0.8 * part);
        }
    double sum[POINTS] = {0};
    for (int c = 0; c < 3; ++c) {
        Cloud sides[2];
        for (int side = 0; side < 2; ++side) {
            sides[side] = make_cloud(POINTS, 0, 1, 1);
            for (int d = 0; d < 3; ++d)
                for (size_t i = 0; i < POINTS; ++i)
                    sides[side].x[d][i] =
                        middle.x[d][i] + (mote_real)(d == c ? (side ? h : -h) : 0.0);
            sample(world, &sides[side], 0.37);
        }
        for (size_t i = 0; i < POINTS; ++i)
            for (int d = 0; d < 3; ++d) {
                double slope = (double)(sides[1].u[d][i] - sides[0].u[d][i]) / (2 * h);
                gradient += slope * slope;
                if (d == c) sum[i] += slope;
            }
        free_cloud(&sides[0]);
        free_cloud(&sides[1]);
    }
    for (size_t i = 0; i < POINTS; ++i) divergence += sum[i] * sum[i];
    CHECK(sqrt(divergence / gradient) < 1e-6);
    free_cloud(&middle);
    mote_world_destroy(world);
}

/* ---- tracers ---- */

typedef struct TracerCase {
    int dimension, sampling, time;
    double k_hi; /* rad/m; 0: the default */
    size_t tracers;
    int steps; /* of 0.08 s; the largest eddies turn over in 1 / (k rms) = 0.74 s */
} TracerCase;

/* Tracers that start uniformly in a box and follow the wind; free their world. */
static mote_World *run_uniform_tracers(const TracerCase *is)
{
    mote_SpectralWindField wind = mote_spectral_wind_field_def();
    wind.size = 8, wind.points = 16, wind.grids = 1, wind.rms = (mote_real)sqrt(3.0);
    wind.sampling = is->sampling, wind.time = is->time, wind.k_hi = (mote_real)is->k_hi;
    mote_WorldDef def = setup_def(0.08);
    def.dimension = (uint64_t)is->dimension;
    mote_World *world = setup_world(&def);
    add_wind(world, &wind);
    mote_System *system = setup_system(world, "dust", "rk4", "gusts");
    uint64_t seed = 4;
    size_t first;
    mote_Error error;
    SETUP_OK(mote_system_add_rows(system, is->tracers, &first, &error), error);
    for (int c = 0; c < is->dimension; ++c)
        for (size_t i = 0; i < is->tracers; ++i)
            setup_reals(system, "position", c)[i] = (mote_real)setup_uniform(&seed, 0, 8);
    for (int step = 0; step < is->steps; ++step) setup_step(world);
    return world;
}

/* chi^2 of the counts in cells of half a metre, in standard deviations from its mean. */
static double clumping(const TracerCase *is)
{
    enum { SIDE = 16, CELLS = SIDE * SIDE * SIDE };
    mote_World *world = run_uniform_tracers(is);
    mote_System *system = mote_world_system(world, "dust");
    static double counts[CELLS];
    int cells = is->dimension == 3 ? CELLS : SIDE * SIDE;
    double expected = (double)is->tracers / cells, chi = 0;
    memset(counts, 0, sizeof counts);
    for (size_t i = 0; i < is->tracers; ++i) {
        int cell = 0;
        for (int c = 0; c < is->dimension; ++c) {
            double turns = setup_at(system, "position", c, i) / 8;
            cell = cell * SIDE + (int)fmin(floor((turns - floor(turns)) * SIDE), SIDE - 1);
        }
        counts[cell] += 1;
    }
    for (int i = 0; i < cells; ++i) chi += pow(counts[i] - expected, 2) / expected;
    mote_world_destroy(world);
    return (chi - (cells - 1)) / sqrt(2.0 * (cells - 1));
}

/* Over ten turnovers; MOTE_LONG asks for the 10^5 tracers of the specification. */
static void tracers_stay_uniform(void)
{
    TracerCase is = {3, MOTE_SAMPLING_CURL, MOTE_TIME_STREAMING, 0, 10000, 92};
    if (getenv("MOTE_LONG") != NULL) is.tracers = 100000;
    CHECK_NEAR(clumping(&is), 0, 3);
}

/* A flow that stands still, with all the waves that the points resolve: linear interpolation drives
 * tracers together, the curl of a potential does not. */
static void linear_clumps_and_curl_does_not(void)
{
    TracerCase is = {2, MOTE_SAMPLING_LINEAR, MOTE_TIME_FROZEN, TWO_PI * 7 / 8, 4000, 300};
    CHECK(clumping(&is) > 20);
    is.sampling = MOTE_SAMPLING_CURL;
    CHECK_NEAR(clumping(&is), 0, 3);
}

/* ---- hidden periods ---- */

/* Correlation of the wind with itself a shift away. */
static double correlation(const mote_SpectralWindField *wind, const double shift[3])
{
    mote_World *world = world_with(wind, NULL, 3);
    Cloud here = make_cloud(6000, -300, 300, 5), there = make_cloud(6000, -300, 300, 5);
    double product = 0, square = 0;
    shift_cloud(&there, shift[0], shift[1], shift[2]);
    sample(world, &here, 0);
    sample(world, &there, 0);
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < here.count; ++i) {
            product += (double)here.u[c][i] * (double)there.u[c][i];
            square += (double)here.u[c][i] * (double)here.u[c][i];
        }
    free_cloud(&here);
    free_cloud(&there);
    mote_world_destroy(world);
    return product / square;
}

static void grids_hide_the_period(void)
{
    mote_SpectralWindField wind = mote_spectral_wind_field_def();
    const double shift[3] = {8, 0, 0};
    wind.time = MOTE_TIME_FROZEN, wind.sampling = MOTE_SAMPLING_LINEAR;
    for (int grids = 1; grids <= 3; ++grids) {
        wind.grids = (uint64_t)grids;
        CHECK_NEAR(correlation(&wind, shift), 1.0 / grids, grids == 1 ? 1e-3 : 0.1);
    }
    /* the smaller box, whose first axis this is, carries the finer and weaker part */
    wind.grids = 2, wind.split = true, wind.size = 21;
    const double n[3] = {0.26726124191242440, 0.53452248382484880, 0.80178372573727320};
    const double c = cos(2.39996322972865332), s = sin(2.39996322972865332);
    const double period = 21 / 2.618033988749895;
    const double small[3] = {period * (n[0] * n[0] * (1 - c) + c),
                             period * (n[0] * n[1] * (1 - c) - s * n[2]),
                             period * (n[0] * n[2] * (1 - c) + s * n[1])};
    CHECK(fabs(correlation(&wind, small)) < 0.15);
}

/* Energies add up, whatever the grids. */
static void grids_keep_the_strength(void)
{
    for (int i = 0; i < 8; ++i) {
        mote_SpectralWindField wind = mote_spectral_wind_field_def();
        wind.rms = 3, wind.points = 24;
        wind.grids = (uint64_t)(1 + i % 4), wind.split = i >= 4, wind.carried = i == 7;
        mote_World *world = world_with(&wind, NULL, 3);
        Cloud cloud = make_cloud(8000, -400, 400, 6);
        sample(world, &cloud, 0.2);
        CHECK_NEAR(mean_square(&cloud), 9, 0.6);
        free_cloud(&cloud);
        mote_world_destroy(world);
    }
}

TESTS({"interpolations", interpolations_are_as_good_as_they_should_be},
      {"curl is free of divergence", curl_is_free_of_divergence},
      {"tracers stay uniform", tracers_stay_uniform},
      {"linear clumps and curl does not", linear_clumps_and_curl_does_not},
      {"grids hide the period", grids_hide_the_period},
      {"grids keep the strength", grids_keep_the_strength})
