/* Free particles: gravity and a ground plane through mote_world_step, against the bandwidth of an
 * in-place update loop measured in the same run. 48 bytes per particle-step are counted in float
 * (six planes read and written), 96 in double. */
#include "bench/bench.h"

#include "particles/system.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Case {
    const char *name;
    size_t count;
    bool resting; /* all particles lie on the ground */
    bool fused;   /* a block goes through all sub-steps of a frame while it is in the cache */
} Case;

/* Ten sub-steps to a frame, short ones: particles hardly fall while they are measured. */
static mote_World *make_world(const Case *c, mote_Tasks *tasks, mote_Error *error)
{
    mote_WorldDef def = mote_world_def();
    mote_SystemDef points = mote_system_def();
    mote_ColliderDef ground = mote_collider_def();
    mote_World *world;
    mote_System *system;
    size_t first;
    def.fps = 1000, def.max_step = 1e-4, def.tasks = tasks;
    def.before_substep = c->fused ? NULL : bench_change_nothing;
    points.name = "points", ground.name = "ground";
    if (mote_world_create(&def, &world, error) != MOTE_OK) return NULL;
    if (mote_world_add_system(world, &points, &system, error) == MOTE_OK &&
        mote_world_add_collider(world, &ground, error) == MOTE_OK &&
        mote_system_add_rows(system, c->count, &first, error) == MOTE_OK) {
        bench_scatter(system, c->count, c->resting);
        return world;
    }
    mote_world_destroy(world);
    return NULL;
}

/* Best particle-steps per second of several frames; 0 on failure. */
static double measure(const Case *c, mote_Tasks *tasks, mote_Error *error)
{
    mote_World *world = make_world(c, tasks, error);
    double best = 0, spent = 0;
    if (world == NULL) return 0;
    for (int trial = 0; trial < 3 || (spent < 1.5 && trial < 200); ++trial) {
        mote_StepReport report;
        if (mote_world_step(world, &report, error) != MOTE_OK) return 0;
        double rate = (double)c->count * (double)report.substeps / report.seconds;
        if (rate > best && trial > 0) best = rate;
        spent += report.seconds;
    }
    mote_world_destroy(world);
    return best;
}

static int run_case(const BenchOptions *options, const Case *c, int threads)
{
    mote_Error error;
    mote_Tasks *tasks = bench_tasks(threads);
    char name[96];
    if (tasks == NULL) return 1;
    double bytes = 12.0 * sizeof(mote_real);
    double bandwidth = bench_update_bandwidth(tasks, (size_t)(bytes / 2) * c->count);
    double rate = measure(c, tasks, &error);
    double again = bench_update_bandwidth(tasks, (size_t)(bytes / 2) * c->count);
    if (again > bandwidth) bandwidth = again;
    mote_tasks_destroy(tasks);
    if (rate == 0) {
        fprintf(stderr, "mote: %s\n", error.message);
        return 1;
    }
    snprintf(name, sizeof name, "points/%s/%s/%s", c->name,
             sizeof(mote_real) == 4 ? "float" : "double", mote_isa_name());
    bench_print(options, &(BenchFigure){.name = name,
                                        .metric = "particle_steps_per_s",
                                        .unit = "1/s",
                                        .value = rate,
                                        .threads = threads,
                                        .peer = "update-bandwidth",
                                        .peer_value = bandwidth / bytes});
    bench_print(options, &(BenchFigure){.name = name,
                                        .metric = "fraction_of_update_bandwidth",
                                        .unit = "",
                                        .value = rate * bytes / bandwidth,
                                        .threads = threads});
    return 0;
}

/* With the threads asked for, or with one and with `most`. */
static int run_threads(const BenchOptions *options, const Case *c, int most)
{
    if (options->threads > 0) return run_case(options, c, options->threads);
    int failed = run_case(options, c, 1);
    return most > 1 ? failed | run_case(options, c, most) : failed;
}

/* One number of particles: free, with fused sub-steps, and all at rest. */
static int run_count(const BenchOptions *options, const char *name, size_t count, int most)
{
    char fused[64], resting[64];
    snprintf(fused, sizeof fused, "%s-fused", name);
    snprintf(resting, sizeof resting, "%s-resting", name);
    const Case cases[] = {{.name = name, .count = count},
                          {.name = fused, .count = count, .fused = true},
                          {.name = resting, .count = count, .resting = true}};
    int failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        failed |= run_threads(options, &cases[i], most);
    return failed;
}

int bench_points(const BenchOptions *options)
{
    static const struct {
        const char *name;
        size_t count;
    } sizes[] = {{"1e5", 100000}, {"1e6", 1000000}, {"1e7", 10000000}};
    int most = 0, failed = 0;
    mote_Tasks *tasks;
    mote_TasksDef def = mote_tasks_def();
    if (mote_tasks_create(&def, &tasks, NULL) == MOTE_OK) most = mote_tasks_workers(tasks);
    mote_tasks_destroy(tasks);
    if (options->count > 0) {
        char name[32];
        snprintf(name, sizeof name, "%zu", options->count);
        return run_count(options, name, options->count, most);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        failed |= run_count(options, sizes[i].name, sizes[i].count, most);
    return failed;
}
