/* Cold air over warm, in two dimensions: a wave on the face between them grows as Rayleigh and
 * Taylor say. */
#include "world/air.h"

/* Vortons to a wavelength of 1 m; waves along the layers; rows of each layer. */
enum { A_WAVE = 12, WAVES = 8, ROWS = 9, ACROSS = A_WAVE * WAVES, COUNT = 2 * ROWS * ACROSS };

#define WAVE_NUMBER (2 * PI)
#define AMPLITUDE   0.01 /* m */
#define LIGHTNESS   0.02 /* of the warm air */

typedef struct Layers {
    mote_World *world;
    mote_System *vortons;
} Layers;

/* Where a vorton was before the wave. */
static void rest_place(size_t i, double x[2])
{
    const double h = 1.0 / A_WAVE;
    x[0] = h * ((double)(i % ACROSS) + 0.5 - ACROSS / 2);
    x[1] = h * ((double)(i / ACROSS) + 0.5 - ROWS);
}

/* The wave moves fluid as a flow without divergence does: else layers get denser where they are
 * pressed together, which is as much weight as the wave's own. */
static Layers make_layers(const mote_VortexSolver *p, double dt)
{
    mote_WorldDef def = setup_def(dt);
    mote_SystemDef system = mote_system_def();
    mote_Error error;
    size_t first;
    Layers l;
    def.dimension = 2, def.gravity = setup_vec(0, -10, 0);
    l.world = setup_world(&def);
    system.name = "vortons", system.solver = "vortex", system.solver_params = p;
    SETUP_OK(mote_world_add_system(l.world, &system, &l.vortons, &error), error);
    SETUP_OK(mote_system_add_rows(l.vortons, COUNT, &first, &error), error);
    const VortonRows rows = vortex_rows(l.vortons, COUNT);
    for (size_t i = 0; i < COUNT; ++i) {
        double x[2];
        rest_place(i, x);
        const double a = AMPLITUDE * exp(-WAVE_NUMBER * fabs(x[1]));
        rows.x[0][i] = (mote_real)(x[0] + (x[1] > 0 ? a : -a) * sin(WAVE_NUMBER * x[0]));
        rows.x[1][i] = (mote_real)(x[1] + a * cos(WAVE_NUMBER * x[0]));
        rows.radius[i] = (mote_real)(0.7 / A_WAVE);
        rows.volume[i] = (mote_real)(1.0 / A_WAVE / A_WAVE);
        rows.temperature[i] =
            x[1] > 0 ? p->temperature : p->temperature / (mote_real)(1 - LIGHTNESS);
    }
    mote_system_edited(l.vortons);
    return l;
}

/* The wave's height, of the two rows beside the face in the middle two wavelengths. */
static double height_of(const Layers *l)
{
    double sum = 0, size = 0;
    const VortonRows rows = vortex_rows(l->vortons, COUNT);
    for (size_t i = 0; i < COUNT; ++i) {
        double x[2];
        rest_place(i, x);
        if (fabs(x[1]) > 1.0 / A_WAVE || fabs(x[0]) > 1) continue;
        const double wave = cos(WAVE_NUMBER * x[0]);
        sum += ((double)rows.x[1][i] - x[1]) * wave, size += wave * wave;
    }
    return sum / size;
}

/* From rest a wave is a cosh(s t) high, s^2 = k g (r1 - r2) / (r1 + r2), where the face is sharp:
 * the rate over that of theory, in sub-steps of a twentieth of its time, after 10, 20, 30 and 40.
 */
static void growth(double resolution, bool grid, double rates[4])
{
    const double rate = sqrt(WAVE_NUMBER * 10 * LIGHTNESS / 2), dt = 0.05 / rate;
    mote_VortexSolver p = mote_vortex_solver_def();
    p.density = 1, p.born_spin = 0, p.resolution = (mote_real)resolution;
    if (grid) p.evaluation = 0;
    Layers l = make_layers(&p, dt);
    const double start = height_of(&l);
    CHECK_NEAR(start / AMPLITUDE, exp(-WAVE_NUMBER / 2 / A_WAVE), 0.01);
    for (int k = 1; k <= 40; ++k) {
        setup_step(l.world);
        if (k % 10 == 0) rates[k / 10 - 1] = acosh(height_of(&l) / start) / (0.05 * k);
    }
    mote_world_destroy(l.world);
}

/* Within 10 % while it is low, by every evaluation: what the way to nodes and back smooths is given
 * back. Ours is as thick as a vorton; cores are no wider than that, but by default as wide on a
 * grid: there it is 0.895 at the end. A grid that is finer than the vortons changes little: fluid
 * has no holes between them, and gets all of its weight. */
static void waves_grow(void)
{
    double rates[4], fine[4], grid[3][4];
    growth(1, false, rates), growth(4, false, fine);
    growth(1, true, grid[0]), growth(2, true, grid[1]), growth(4, true, grid[2]);
    for (int k = 0; k < 4; ++k) {
        CHECK_NEAR(rates[k], 1, 0.1);
        CHECK_NEAR(fine[k] / rates[k], 1, 0.05);
        for (int n = 0; n < 3; ++n)
            if (n > 0 || k < 3) CHECK_NEAR(grid[n][k], 1, 0.1);
    }
}

/* On a grid, over half of its time from rest in so many sub-steps. */
static double early_rate(int steps)
{
    const double rate = sqrt(WAVE_NUMBER * 10 * LIGHTNESS / 2);
    mote_VortexSolver p = mote_vortex_solver_def();
    p.density = 1, p.born_spin = 0, p.evaluation = 0;
    Layers l = make_layers(&p, 0.5 / rate / steps);
    const double start = height_of(&l);
    for (int k = 0; k < steps; ++k) setup_step(l.world);
    const double grown = acosh(height_of(&l) / start) / 0.5;
    mote_world_destroy(l.world);
    return grown;
}

/* The flow half-way through a sub-step has the vorticity that weight makes up to there: with that
 * of the start alone, five sub-steps give 0.94 of what ten do. */
static void waves_on_grids_do_not_lag(void)
{
    CHECK_NEAR(early_rate(5) / early_rate(10), 1, 0.02);
}

/* Warm over cold goes to and fro: after a quarter of a period the wave is flat, a tenth late. */
static void waves_below_warm_air_swing(void)
{
    const double rate = sqrt(WAVE_NUMBER * 10 * LIGHTNESS / 2), dt = 0.05 / rate;
    mote_VortexSolver p = mote_vortex_solver_def();
    p.density = 1, p.born_spin = 0;
    Layers l = make_layers(&p, dt);
    const VortonRows rows = vortex_rows(l.vortons, COUNT);
    for (size_t i = 0; i < COUNT; ++i)
        rows.temperature[i] =
            i / ACROSS < ROWS ? p.temperature : p.temperature / (mote_real)(1 - LIGHTNESS);
    const double start = height_of(&l);
    int quarter = 0;
    for (int k = 1; k <= 60 && quarter == 0; ++k) {
        setup_step(l.world);
        if (height_of(&l) < 0) quarter = k;
    }
    CHECK(start > 0);
    CHECK_NEAR(0.05 * quarter / (PI / 2), 1, 0.12);
    mote_world_destroy(l.world);
}

TESTS({"waves_grow", waves_grow}, {"waves_on_grids_do_not_lag", waves_on_grids_do_not_lag},
      {"waves_below_warm_air_swing", waves_below_warm_air_swing})
