/* Liquids: a block of 50^3 particles, spacing 0.02 m, collapses in a tank of 4.02 x 1.02 m, the
 * first layer a spacing from each wall; H = 0.04 m, or 0.0693 m for 159 neighbours. Prints particle
 * updates a second, milliseconds a step, pairs a second, seconds a simulated second and the most
 * memory held. --count gives other sizes with the same spacing. */
#include "bench/dam.h"

#include <mote/device.h>
#include <mote/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Outcome {
    double best;  /* s a sub-step, in the fastest frame */
    double cpu;   /* s of all threads a sub-step, least: what a busy machine does not distort */
    double pairs; /* a second, there */
    double per_second; /* s a simulated second, over all frames */
    double error;      /* mean of the density, as a share */
    double start;      /* s, until the first sub-step was done */
    double moved;      /* bytes to and from the device in a sub-step, after the first frame */
    uint64_t substeps,
        iterations; /* after the first frame; and what the world's stages took then, s */
    double stages[MOTE_STAGE_COUNT], stepping;
} Outcome;

static double cpu_seconds(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

/* What a device has moved so far. */
static double moved_by(const mote_Device *device)
{
    return device != NULL ? (double)mote_device_moved(device) : 0;
}

static bool measure(const Dam *dam, mote_World *world, mote_Device *device, bool kernels,
                    Outcome *o, mote_Error *error)
{
    int frames = (int)ceil(dam->until / dam->frame);
    double seconds = 0, moved = moved_by(device), substeps = 0;
    *o = (Outcome){.best = HUGE_VAL, .cpu = HUGE_VAL};
    for (int i = 0; i < frames; ++i) {
        mote_StepReport report;
        double before = cpu_seconds();
        if (mote_world_step(world, &report, error) != MOTE_OK) return false;
        double each = report.seconds / (double)report.substeps;
        o->cpu = fmin(o->cpu, (cpu_seconds() - before) / (double)report.substeps);
        if (i == 0) o->start = report.seconds;
        if (i == 0 && frames > 1) moved = moved_by(device);
        if (i == 0 && frames > 1 && kernels) mote_device_watch(device, true);
        for (int k = 0; k < MOTE_STAGE_COUNT && i > 0; ++k) o->stages[k] += report.stage_seconds[k];
        if (i > 0) o->iterations += report.iterations;
        if (i > 0 || frames == 1) seconds += report.seconds, substeps += (double)report.substeps;
        o->error = fmax(o->error, report.density_error);
        if (each >= o->best) continue;
        o->best = each;
        o->pairs = (double)report.pairs / report.seconds;
    }
    o->moved = (moved_by(device) - moved) / substeps;
    o->substeps = (uint64_t)substeps, o->stepping = seconds;
    o->per_second = seconds / ((frames > 1 ? frames - 1 : 1) * dam->frame);
    return true;
}

static double most_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024 : 0;
}

static void print_outcome(const BenchOptions *options, const Dam *dam, size_t particles,
                          int threads, const Outcome *o)
{
    char name[96];
    snprintf(name, sizeof name, "dam/%s/%zu/%s%s%s", dam->name, particles, mote_isa_name(),
             options->device != NULL ? "/" : "", options->device != NULL ? options->device : "");
    const struct {
        const char *metric, *unit;
        double value;
    } figures[] = {{"updates_per_s", "1/s", (double)particles / o->best},
                   {"ms_per_step", "ms", 1e3 * o->best},
                   {"updates_per_cpu_s", "1/s", (double)particles / o->cpu},
                   {"pairs_per_s", "1/s", o->pairs},
                   {"s_per_simulated_s", "s", o->per_second},
                   {"first_frame", "s", o->start},
                   {"mean_compression", "", o->error},
                   {"most_memory", "MB", most_memory()},
                   {"moved_per_update", "B", o->moved / (double)particles}};
    const size_t count = sizeof figures / sizeof figures[0] - (options->device == NULL);
    for (size_t i = 0; i < count; ++i)
        bench_print(options, &(BenchFigure){.name = name,
                                            .metric = figures[i].metric,
                                            .unit = figures[i].unit,
                                            .value = figures[i].value,
                                            .threads = threads});
}

static void print_part(const BenchOptions *options, const Dam *dam, const char *part,
                       double seconds, const Outcome *o)
{
    char name[96];
    snprintf(name, sizeof name, "dam/%s/%.63s", dam->name, part);
    bench_print(options, &(BenchFigure){.name = name,
                                        .metric = "ms_per_step",
                                        .unit = "ms",
                                        .value = 1e3 * seconds / (double)o->substeps,
                                        .threads = 1});
}

/* What of a sub-step each kernel and kind of transfer takes; and each stage of the world, with what
 * is beside them: frames are begun, and measured at their end. */
static void print_kernels(const BenchOptions *options, const Dam *dam, const mote_Device *device,
                          const Outcome *o)
{
    enum { MOST = 64 };
    mote_DeviceTime times[MOST];
    const size_t all = mote_device_times(device, times, MOST);
    double beside = o->stepping;
    for (size_t i = 0; i < all && i < MOST; ++i)
        print_part(options, dam, times[i].name, times[i].seconds, o);
    for (int k = 0; k < MOTE_STAGE_COUNT; beside -= o->stages[k], ++k)
        if (o->stages[k] > 0) print_part(options, dam, mote_stage_name(k), o->stages[k], o);
    print_part(options, dam, "beside stages", beside, o);
    if (o->iterations > 0)
        bench_print(options, &(BenchFigure){.name = dam->name,
                                            .metric = "iterations_per_step",
                                            .unit = "",
                                            .value = (double)o->iterations / (double)o->substeps,
                                            .threads = 1});
}

/* Rows that stay on a device come home at the end of every frame: so it has those that worlds have
 * by themselves. */
static Dam with_frames(const Dam *dam, const mote_Device *device)
{
    const double film = 1 / mote_world_def().fps;
    Dam changed = *dam;
    if (device != NULL && changed.frame < film)
        changed.frame = film, changed.until = fmax(changed.until, 3 * film);
    return changed;
}

static int run_case(const BenchOptions *options, const Dam *dam, size_t count, int threads)
{
    mote_Tasks *tasks = bench_tasks(threads);
    mote_Device *device = NULL;
    mote_World *world = NULL;
    mote_Error error;
    Outcome outcome;
    size_t side = dam_side(count);
    if (tasks == NULL) return 1;
    bool good =
        options->device == NULL || mote_device_open(options->device, &device, &error) == MOTE_OK;
    mote_tasks_use_device(tasks, device);
    const Dam changed = with_frames(dam, device);
    if (good) world = dam_world(&changed, side, tasks, NULL, &error);
    good = world != NULL && measure(&changed, world, device, options->kernels, &outcome, &error);
    if (good) print_outcome(options, dam, side * side * side, threads, &outcome);
    if (good && device != NULL && options->kernels) print_kernels(options, dam, device, &outcome);
    mote_world_destroy(world);
    mote_tasks_destroy(tasks);
    mote_device_close(device);
    if (!good) {
        fprintf(stderr, "mote: %s: %s\n", dam->name, error.message);
        return 1;
    }
    return 0;
}

/* In a process of its own, so that the most memory held is its own. */
static int run_apart(const BenchOptions *options, const Dam *dam, size_t count, int threads)
{
    int state = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return run_case(options, dam, count, threads);
    if (child == 0) {
        int failed = run_case(options, dam, count, threads);
        fflush(stdout);
        _exit(failed);
    }
    if (waitpid(child, &state, 0) != child) return 1;
    return !WIFEXITED(state) || WEXITSTATUS(state) != 0;
}

int bench_dam125k(const BenchOptions *options)
{
    static const Dam dams[] = {{"wcsph", "wcsph", 2, 0.001, 0.02, NULL},
                               {"wcsph-even", "wcsph", 2, 0.001, 0.02, "even"},
                               {"wcsph-wide", "wcsph", 3.465, 0.001, 0.008, NULL},
                               {"dfsph", "dfsph", 2, 0.01, 0.3, NULL},
                               {"dfsph-even", "dfsph", 2, 0.01, 0.3, "even"}};
    size_t count = options->count > 0 ? options->count : 125000;
    int failed = 0, known = 0;
    for (size_t i = 0; i < sizeof dams / sizeof dams[0]; ++i) {
        if (options->only != NULL && strcmp(options->only, dams[i].name) != 0) continue;
        ++known;
        int first = options->threads > 0 ? options->threads : 1;
        int last = options->threads > 0 ? options->threads : 2;
        for (int threads = first; threads <= last; ++threads)
            failed |= run_apart(options, &dams[i], count, threads);
    }
    return known > 0 ? failed : bench_unknown_case("dam125k", options);
}
