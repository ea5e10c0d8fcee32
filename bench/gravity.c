/* Gravity between particles: the direct sum and the tree over a Plummer sphere, as one evaluation
 * of a step does it. Pairs a second stand beside a floor: the time that the operations of a pair
 * take at the rates measured in the same run, if nothing else took any. No other program that could
 * be a peer is among Debian's packages, so none is printed. */
#include "bench/bench.h"

#include "base/random.h"
#include "bench/rates.h"
#include "forces/pull.h"

#include <math.h>
#include <stdio.h>

enum { CHECKED = 1000, PAIR_OPERATIONS = 19, MOST_DIRECT = 200000 };

typedef struct Bench {
    const BenchOptions *options;
    Memory memory;
    Arena arena;
    mote_real *plane[PULL_MASS_PLANES];
    double *out[PULL_OUT], *exact[PULL_OUT];
    size_t capacity;
    PullRequest request;
    PullTally tally;
} Bench;

static bool make_room(Bench *bench, size_t count)
{
    bool room = true;
    bench->capacity = count + 8;
    for (int p = 0; p < PULL_MASS_PLANES; ++p) {
        bench->plane[p] = memory_zeroed(&bench->memory, bench->capacity * sizeof(mote_real));
        room = room && bench->plane[p] != NULL;
    }
    for (int p = 0; p < PULL_OUT; ++p) {
        bench->out[p] = memory_zeroed(&bench->memory, bench->capacity * sizeof(double));
        bench->exact[p] = memory_zeroed(&bench->memory, CHECKED * sizeof(double));
        room = room && bench->out[p] != NULL && bench->exact[p] != NULL;
    }
    return room;
}

static void free_room(Bench *bench)
{
    for (int p = 0; p < PULL_MASS_PLANES; ++p)
        memory_free(&bench->memory, bench->plane[p], bench->capacity * sizeof(mote_real));
    for (int p = 0; p < PULL_OUT; ++p) {
        memory_free(&bench->memory, bench->out[p], bench->capacity * sizeof(double));
        memory_free(&bench->memory, bench->exact[p], CHECKED * sizeof(double));
    }
    arena_free(&bench->arena);
}

/* Equal masses of a Plummer sphere of scale 1 / 16, cut where it holds 99 % of its mass: most
 * distances are far below 1, and none above it. */
static void place_masses(Bench *bench, size_t count)
{
    RandomKey key = random_key(1, "stars");
    PullRequest *r = &bench->request;
    for (size_t i = 0; i < bench->capacity; ++i) {
        Random4 draw = random_draw(key, i, 0, 0);
        double share = 0.99 * (double)random_unit(draw.word[0]) + 1e-6;
        double z = 2 * (double)random_unit(draw.word[1]) - 1;
        double turn = 6.283185307 * (double)random_unit(draw.word[2]);
        double far = 1 / sqrt(pow(share, -2.0 / 3) - 1) / 16, across = sqrt(1 - z * z) * far;
        bench->plane[PULL_X][i] = (mote_real)(across * cos(turn));
        bench->plane[PULL_X + 1][i] = (mote_real)(across * sin(turn));
        bench->plane[PULL_X + 2][i] = (mote_real)(z * far);
        bench->plane[PULL_GM][i] = i < count ? 1 : 0;
    }
    r->count = count, r->masses.count = (count + 7) / 8 * 8;
    for (int p = 0; p < PULL_MASS_PLANES; ++p) r->masses.plane[p] = bench->plane[p];
    for (int c = 0; c < 3; ++c) r->x[c] = bench->plane[c], r->out[c] = bench->out[c];
}

static void print(const Bench *bench, const char *method, const char *metric, const char *unit,
                  double value)
{
    char name[64];
    snprintf(name, sizeof name, "gravity/%s/%zu", method, bench->request.count);
    bench_print(bench->options,
                &(BenchFigure){.name = name,
                               .metric = metric,
                               .unit = unit,
                               .value = value,
                               .threads = mote_tasks_workers(bench->request.tasks)});
}

static double time_of(Bench *bench, bool (*method)(const PullRequest *request), int trials)
{
    const int threads = mote_tasks_workers(bench->request.tasks);
    double best = 1e30;
    for (int trial = 0; trial < trials; ++trial) {
        arena_reset(&bench->arena);
        bench->tally = (PullTally){0, 0};
        double before = bench_clock_of(threads);
        method(&bench->request);
        best = fmin(best, bench_clock_of(threads) - before);
    }
    return best;
}

/* Of the accelerations, over their size, at some of the points. */
static double rms_error(Bench *bench)
{
    PullRequest exact = bench->request;
    double error = 0, size = 0;
    exact.count = exact.count < CHECKED ? exact.count : CHECKED;
    for (int c = 0; c < 3; ++c) exact.out[c] = bench->exact[c];
    pull_direct(&exact);
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < exact.count; ++i) {
            double off = bench->out[c][i] - bench->exact[c][i];
            error += off * off, size += bench->exact[c][i] * bench->exact[c][i];
        }
    return sqrt(error / size);
}

static void bench_direct(Bench *bench, double floor)
{
    double count = (double)bench->request.count, pairs = count * count;
    double seconds = time_of(bench, pull_direct, count < 20000 ? 10 : 1);
    print(bench, "direct", "particles", "1/s", count / seconds);
    print(bench, "direct", "pairs", "1/s", pairs / seconds);
    print(bench, "direct", "pairs_at_the_floor", "1/s", floor);
    print(bench, "direct", "share_of_the_floor", "", pairs / seconds / floor);
}

static void bench_tree(Bench *bench, double *last)
{
    double count = (double)bench->request.count, n_log_n = count * log2(count);
    double seconds = time_of(bench, pull_tree, count < 200000 ? 5 : 1);
    double masses = (double)bench->tally.masses, cells = (double)bench->tally.cells;
    print(bench, "tree", "particles", "1/s", count / seconds);
    print(bench, "tree", "pairs", "1/s", masses / seconds);
    print(bench, "tree", "cells", "1/s", cells / seconds);
    print(bench, "tree", "pairs_a_particle", "", masses / count);
    print(bench, "tree", "cells_a_particle", "", cells / count);
    print(bench, "tree", "seconds_over_n_log_n", "s", seconds / n_log_n);
    print(bench, "tree", "rms_error", "", rms_error(bench));
    if (*last > 0) print(bench, "tree", "growth_over_n_log_n", "", seconds / n_log_n / *last);
    *last = seconds / n_log_n;
}

static int bench_threads(const BenchOptions *options, int threads)
{
    mote_Tasks *tasks = bench_tasks(threads);
    if (tasks == NULL) return 1;
    Bench bench = {.options = options, .memory = memory_make(mote_default_allocator())};
    size_t most = options->count > 0 ? options->count : 100000;
    bench.arena = arena_make(&bench.memory);
    bench.request = (PullRequest){.kernels = pull_kernels(isa_pick()),
                                  .softening2 = (mote_real)1e-6,
                                  .opening = PULL_OPENING,
                                  .tasks = tasks,
                                  .arena = &bench.arena,
                                  .tally = &bench.tally};
    bool room = make_room(&bench, most);
    double last = 0, floor = bench_pair_floor(PAIR_OPERATIONS) * mote_tasks_workers(tasks);
    for (size_t count = most < 10000 ? most : 10000; count <= most && room; count *= 10) {
        place_masses(&bench, count);
        if (count <= MOST_DIRECT) bench_direct(&bench, floor);
        bench_tree(&bench, &last);
    }
    free_room(&bench);
    mote_tasks_destroy(tasks);
    return room ? 0 : 1;
}

int bench_gravity(const BenchOptions *options)
{
    if (options->threads > 0) return bench_threads(options, options->threads);
    int failed = bench_threads(options, 1);
    return failed != 0 ? failed : bench_threads(options, 0);
}
