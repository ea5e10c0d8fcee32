/* The divergence-free solver against a dense solve in double: a disordered block that is pressed
 * together gets the pressures and velocities of the complementarity problem
 *     q >= 0,  dt D(v + dt a(q)) + slack <= 0,  one of them zero at every particle,
 * and what is not solved is told. */
#include "setup.h"

#include "space/smoothing.h"

#include <string.h>

enum { SIDE = 5, N = SIDE * SIDE * SIDE };

static const double spacing = 0.1, dt = 0.004;

static double noise(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 24) - 0.5;
}

typedef struct Block {
    mote_World *world;
    mote_System *system;
    double x[N][3], v[N][3];
} Block;

/* All fly towards the middle, at random speeds. */
static Block make_block(double goal, uint64_t most)
{
    Block block;
    mote_WorldDef world = mote_world_def();
    mote_SphSolver solver = mote_sph_solver_def();
    mote_SystemDef def = mote_system_def();
    mote_Error error;
    unsigned seed = 7;
    world.fps = 1 / dt, world.max_step = 1, world.gravity = setup_vec(0, 0, 0);
    solver.pressure = "dfsph", solver.spacing = (mote_real)spacing;
    solver.artificial = solver.viscosity = 0;
    mote_DfsphPressure pressure = mote_dfsph_pressure_def();
    pressure.divergence_error = (mote_real)goal, pressure.most_iterations = most;
    solver.pressure_params = &pressure;
    block.world = setup_world(&world);
    def.name = "water", def.solver = "sph", def.solver_params = &solver;
    SETUP_OK(mote_world_add_system(block.world, &def, &block.system, &error), error);
    for (int i = 0; i < N; ++i) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        mote_real x[3], v[3];
        for (int c = 0; c < 3; ++c) {
            x[c] = (mote_real)(spacing * (at[c] - 2 + 0.2 * noise(&seed)));
            v[c] = (mote_real)(-4 * (double)x[c] + noise(&seed));
            block.x[i][c] = (double)x[c], block.v[i][c] = (double)v[c];
        }
        setup_particle(block.system, setup_vec((double)x[0], (double)x[1], (double)x[2]),
                       setup_vec((double)v[0], (double)v[1], (double)v[2]));
    }
    return block;
}

/* ---- the dense problem ---- */

typedef struct Dense {
    double g[N][N][3]; /* V grad W_ij */
    double density[N]; /* of the rest density */
    double a[N][N];    /* -D(a(q)) */
    double source[N], q[N];
} Dense;

static double slope(const SmoothingRow *row, double support, double r)
{
    const double step = 1e-6 * support;
    return (smoothing_value(row, 3, support, r + step) -
            smoothing_value(row, 3, support, r - step)) /
           (2 * step);
}

static void set_gradients(Dense *d, const Block *block)
{
    const SmoothingRow *row = smoothing_row(SMOOTHING_CUBIC);
    const double support = 2 * spacing, volume = spacing * spacing * spacing;
    Smoothing plain = smoothing_make(row, 3, support),
              own = smoothing_calibrated(row, 3, support, spacing);
    const double value = (double)own.value_scale / (double)plain.value_scale,
                 scale = (double)own.slope_scale / (double)plain.slope_scale;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            double r2 = 0;
            for (int c = 0; c < 3; ++c) r2 += pow(block->x[i][c] - block->x[j][c], 2);
            double r = sqrt(r2);
            d->density[i] += volume * value * smoothing_value(row, 3, support, r);
            for (int c = 0; c < 3 && i != j; ++c)
                d->g[i][j][c] =
                    volume * scale * slope(row, support, r) * (block->x[i][c] - block->x[j][c]) / r;
        }
}

/* Column k of A: the acceleration by q_k = 1, and its divergence. */
static void set_column(Dense *d, int k)
{
    static double u[N][3];
    memset(u, 0, sizeof u);
    for (int j = 0; j < N; ++j)
        for (int c = 0; c < 3; ++c) {
            u[k][c] -= d->g[k][j][c];
            u[j][c] -= d->g[j][k][c];
        }
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            for (int c = 0; c < 3; ++c) d->a[i][k] -= (u[i][c] - u[j][c]) * d->g[i][j][c];
}

static void set_sources(Dense *d, const Block *block)
{
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < N; ++j)
            for (int c = 0; c < 3; ++c)
                d->source[i] += dt * (block->v[i][c] - block->v[j][c]) * d->g[i][j][c];
        d->source[i] += fmin(0, d->density[i] - 0.995); /* thin places may be filled */
    }
}

/* Projected Gauss-Seidel. */
static void solve_densely(Dense *d)
{
    for (int sweep = 0; sweep < 400; ++sweep)
        for (int i = 0; i < N; ++i) {
            double e = d->source[i];
            for (int j = 0; j < N; ++j) e -= dt * dt * d->a[i][j] * d->q[j];
            d->q[i] = fmax(0, d->q[i] + e / (dt * dt * d->a[i][i]));
        }
}

static void pressures_are_those_of_a_dense_solve(void)
{
    static Dense d;
    Block block = make_block(1e-6, 2000);
    double most = 0, worst = 0;
    int pressed = 0;
    memset(&d, 0, sizeof d);
    set_gradients(&d, &block);
    for (int k = 0; k < N; ++k) set_column(&d, k);
    set_sources(&d, &block);
    solve_densely(&d);
    mote_StepReport report = setup_step(block.world);
    CHECK(report.substeps == 1 && report.unsolved == 0);
    for (int i = 0; i < N; ++i) {
        double p = setup_at(block.system, "pressure", 0, (size_t)i);
        most = fmax(most, 1000 * d.q[i]);
        worst = fmax(worst, fabs(p - 1000 * d.q[i]));
        pressed += d.q[i] > 0;
        CHECK(p >= 0);
    }
    printf("%d of %d particles pressed, up to %.0f Pa, off by %.2g Pa\n", pressed, N, most, worst);
    CHECK(pressed > N / 10 && pressed < N);
    CHECK_NEAR(worst, 0, 0.02 * most);
    mote_world_destroy(block.world);
}

/* ---- what is not solved ---- */

static void what_is_not_solved_is_told(void)
{
    Block block = make_block(1e-6, 2);
    mote_StepReport report = setup_step(block.world);
    CHECK(report.solves >= 2 && report.unsolved >= 1);
    CHECK(report.retries > 0); /* far off: shorter sub-steps were tried */
    mote_world_destroy(block.world);
    block = make_block(1e-4, 200);
    report = setup_step(block.world);
    CHECK(report.solves == 2 && report.unsolved == 0 && report.retries == 0);
    mote_world_destroy(block.world);
}

TESTS({"pressures are those of a dense solve", pressures_are_those_of_a_dense_solve},
      {"what is not solved is told", what_is_not_solved_is_told})
