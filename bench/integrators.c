/* Integrators under gravity, through mote_world_step: particle-steps per second of every one, and
 * of symplectic Euler and RK4 against the bandwidth of an in-place update loop of the same run, at
 * 48 bytes per particle-step in float (six planes read and written), 96 in double. One thread is
 * timed by its processor's time. A peer that is installed is timed on the same problem. */
#include "bench/bench.h"
#include "bench/peer_gsl.h"

#include "integrate/integrator.h"
#include "particles/system.h"

#include <stdio.h>
#include <string.h>

typedef struct Case {
    const char *integrator;
    size_t count;
    bool fused;     /* a block goes through all sub-steps of a frame while it is in the cache */
    bool bandwidth; /* to be compared with the memory's speed */
} Case;

static mote_World *make_world(const Case *c, mote_Tasks *tasks, mote_Error *error)
{
    mote_WorldDef def = mote_world_def();
    mote_SystemDef points = mote_system_def();
    mote_PointsSolver solver = mote_points_solver_def();
    mote_World *world;
    mote_System *system;
    size_t first;
    def.fps = 1000, def.max_step = 1e-4, def.tasks = tasks; /* ten sub-steps to a frame */
    def.before_substep = c->fused ? NULL : bench_change_nothing;
    solver.integrator = c->integrator;
    points.name = "points", points.solver_params = &solver;
    if (mote_world_create(&def, &world, error) != MOTE_OK) return NULL;
    if (mote_world_add_system(world, &points, &system, error) == MOTE_OK &&
        mote_system_add_rows(system, c->count, &first, error) == MOTE_OK) {
        bench_scatter(system, c->count, false);
        return world;
    }
    mote_world_destroy(world);
    return NULL;
}

/* Best particle-steps per second of several frames, the first (starts) left out; 0 on failure. */
static double measure(const Case *c, int threads, mote_Tasks *tasks, mote_Error *error)
{
    const double seconds = c->bandwidth ? 1.5 : 0.5;
    mote_World *world = make_world(c, tasks, error);
    double best = 0, spent = 0;
    if (world == NULL) return 0;
    for (int trial = 0; trial < 3 || (spent < seconds && trial < 200); ++trial) {
        mote_StepReport report;
        const double before = bench_clock_of(threads);
        if (mote_world_step(world, &report, error) != MOTE_OK) {
            best = 0;
            break;
        }
        const double taken = bench_clock_of(threads) - before;
        const double rate = (double)c->count * (double)report.substeps / taken;
        if (rate > best && trial > 0) best = rate;
        spent += taken;
    }
    mote_world_destroy(world);
    return best;
}

static void print_rate(const BenchOptions *options, const Case *c, int threads, double rate,
                       double bandwidth)
{
    const double bytes = 12.0 * sizeof(mote_real);
    char name[128];
    snprintf(name, sizeof name, "integrators/%s%s/%.0e/%s/%s", c->integrator,
             c->fused ? "-fused" : "", (double)c->count,
             sizeof(mote_real) == 4 ? "float" : "double", mote_isa_name());
    BenchFigure figure = {.name = name,
                          .metric = "particle_steps_per_s",
                          .unit = "1/s",
                          .value = rate,
                          .threads = threads};
    if (c->bandwidth) figure.peer = "update-bandwidth", figure.peer_value = bandwidth / bytes;
    bench_print(options, &figure);
    if (!c->bandwidth) return;
    figure.metric = "fraction_of_update_bandwidth", figure.unit = "", figure.peer = NULL;
    figure.value = rate * bytes / bandwidth;
    bench_print(options, &figure);
}

static int run_case(const BenchOptions *options, const Case *c, int threads)
{
    mote_Error error;
    mote_Tasks *tasks = bench_tasks(threads);
    const size_t bytes = 6 * sizeof(mote_real) * c->count;
    if (tasks == NULL) return 1;
    double bandwidth = c->bandwidth ? bench_update_bandwidth(tasks, bytes) : 0;
    double rate = measure(c, threads, tasks, &error);
    double again = c->bandwidth ? bench_update_bandwidth(tasks, bytes) : 0;
    mote_tasks_destroy(tasks);
    if (rate > 0)
        print_rate(options, c, threads, rate, again > bandwidth ? again : bandwidth);
    else
        fprintf(stderr, "mote: %s\n", error.message);
    return rate > 0 ? 0 : 1;
}

static void print_peer(const BenchOptions *options, size_t count)
{
    double rate = peer_gsl_rk4(count);
    if (rate > 0)
        bench_print(options, &(BenchFigure){.name = "integrators/gsl-rk4/double",
                                            .metric = "particle_steps_per_s",
                                            .unit = "1/s",
                                            .value = rate,
                                            .threads = 1});
    else if (!options->json)
        printf("%-34s not installed\n", "integrators/gsl-rk4/double");
}

int bench_integrators(const BenchOptions *options)
{
    const size_t many = options->count > 0 ? options->count : 10000000;
    const size_t some = options->count > 0 ? options->count : 1000000;
    const int threads = options->threads > 0 ? options->threads : 1;
    const Case compared[] = {
        {.integrator = "symplectic-euler", .count = many, .bandwidth = true},
        {.integrator = "symplectic-euler", .count = many, .bandwidth = true, .fused = true},
        {.integrator = "rk4", .count = many, .bandwidth = true},
        {.integrator = "rk4", .count = many, .bandwidth = true, .fused = true}};
    int failed = 0;
    bool found = false;
    size_t rows;
    const mote_Row *const *table = integrator_rows(ISA_V1, &rows);
    for (size_t i = 0; options->only == NULL && i < sizeof compared / sizeof compared[0]; ++i)
        failed |= run_case(options, &compared[i], threads);
    for (size_t i = 0; i < rows; ++i) {
        Case c = {.integrator = table[i]->name, .count = some};
        if (((const IntegratorRow *)table[i])->alias) continue;
        if (options->only != NULL && strcmp(options->only, c.integrator) != 0) continue;
        failed |= run_case(options, &c, threads);
        found = true;
    }
    if (!found) return bench_unknown_case("integrators", options);
    if (options->only == NULL) print_peer(options, some < 100000 ? some : 100000);
    return failed;
}
