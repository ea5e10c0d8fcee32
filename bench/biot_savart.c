/* Velocity from vorticity: pairs per second of the direct sum for every core, and the tree against
 * it: time, growth with the number of vortons, error. Vortons at random places of a cube, of
 * strengths that vary smoothly as those of a flow do, with cores that overlap. */
#include "bench/bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "solvers/vortex/device.h"

#include <mote/device.h>

#include <math.h>
#include <stdio.h>

enum {
    DIRECT_SOURCES = 1008,
    NODES_AN_EDGE = 11,
    NODES_UP = 27,
    DIRECT_POINTS = 9 * NODES_AN_EDGE * NODES_UP,
    DIRECT_TRIALS = 60,
    CHECKED = 1000
};

typedef struct Bench {
    const BenchOptions *options;
    Memory memory;
    Arena arena;
    mote_real *plane[SOURCE_PLANES], *out[INDUCE_GRADIENT], *exact[3];
    size_t capacity;
    InduceRequest request;
} Bench;

/* Plane k of all; past the last NULL. */
static mote_real **plane_of(Bench *bench, size_t k)
{
    if (k < SOURCE_PLANES) return &bench->plane[k];
    k -= SOURCE_PLANES;
    if (k < INDUCE_GRADIENT) return &bench->out[k];
    k -= INDUCE_GRADIENT;
    return k < 3 ? &bench->exact[k] : NULL;
}

static bool make_room(Bench *bench, size_t count)
{
    bench->capacity = count;
    for (size_t k = 0; plane_of(bench, k) != NULL; ++k) {
        *plane_of(bench, k) = memory_zeroed(&bench->memory, count * sizeof(mote_real));
        if (*plane_of(bench, k) == NULL) return false;
    }
    return true;
}

static void free_room(Bench *bench)
{
    size_t bytes = bench->capacity * sizeof(mote_real);
    for (size_t k = 0; plane_of(bench, k) != NULL; ++k)
        memory_free(&bench->memory, *plane_of(bench, k), bytes);
}

/* `count` vortons; the points are the vortons' places. */
static void place_vortons(Bench *bench, size_t count, size_t points)
{
    RandomKey key = random_key(1, "vortons");
    mote_real core = (mote_real)(1.5 / cbrt((double)count));
    for (size_t i = 0; i < (count > points ? count : points); ++i) {
        Random4 place = random_draw(key, i, 0, 0);
        for (int c = 0; c < 3; ++c) bench->plane[SOURCE_X + c][i] = random_unit(place.word[c]);
        for (int c = 0; c < 3; ++c)
            bench->plane[SOURCE_ALPHA + c][i] =
                (mote_real)sin(6.283185 * (double)bench->plane[SOURCE_X + (c + 1) % 3][i]);
        bench->plane[SOURCE_CORE2][i] = core * core;
    }
    InduceRequest *r = &bench->request;
    r->sources.count = count, r->count = points;
    for (int p = 0; p < SOURCE_PLANES; ++p) r->sources.plane[p] = bench->plane[p];
    for (int c = 0; c < 3; ++c) r->x[c] = bench->plane[c];
    for (int p = 0; p < INDUCE_GRADIENT; ++p) r->out[p] = bench->out[p];
}

/* Seconds, the best of some tries. */
static double time_of(Bench *bench, const InduceRow *method, int trials)
{
    double best = 1e30;
    for (int trial = 0; trial < trials; ++trial) {
        arena_reset(&bench->arena);
        int threads = mote_tasks_workers(bench->request.tasks);
        double before = bench_clock_of(threads);
        method->induce(&bench->request);
        double seconds = bench_clock_of(threads) - before;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static void print(const Bench *bench, const char *name, const char *metric, const char *unit,
                  double value)
{
    char text[96];
    snprintf(text, sizeof text, "biot-savart/%s", name);
    bench_print(bench->options,
                &(BenchFigure){.name = text,
                               .metric = metric,
                               .unit = unit,
                               .value = value,
                               .threads = mote_tasks_workers(bench->request.tasks)});
}

/* The points as nodes of a grid, line by line, in the planes of exact velocities. */
static void place_nodes(Bench *bench, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const size_t line = i / NODES_UP;
        bench->exact[0][i] = (mote_real)(line % NODES_AN_EDGE) / NODES_AN_EDGE;
        bench->exact[1][i] = (mote_real)(line / NODES_AN_EDGE) / NODES_AN_EDGE;
        bench->exact[2][i] = (mote_real)(i % NODES_UP) / NODES_UP;
    }
    bench->request.line = NODES_UP, bench->request.count = count;
    for (int c = 0; c < 3; ++c) bench->request.x[c] = bench->exact[c];
}

static void bench_cores_at(Bench *bench, const char *where)
{
    size_t count;
    const mote_Row *const *rows = core_rows(isa_pick(), &count);
    for (size_t i = 0; i < count; ++i) {
        char name[64];
        bench->request.core = (const CoreRow *)rows[i];
        snprintf(name, sizeof name, "%s/%s", where, rows[i]->name);
        bench->request.quantity = QUANTITY_VELOCITY;
        double pairs = (double)DIRECT_SOURCES * DIRECT_POINTS;
        print(bench, name, "pairs_per_s", "1/s",
              pairs / time_of(bench, &induce_direct, DIRECT_TRIALS));
    }
    bench->request.core = core_row(isa_pick(), 0);
}

static void bench_cores(Bench *bench)
{
    place_vortons(bench, DIRECT_SOURCES, DIRECT_POINTS);
    bench_cores_at(bench, "direct");
    place_nodes(bench, DIRECT_POINTS);
    bench_cores_at(bench, "nodes");
    bench->request.line = 0;
}

/* ---- the tree ---- */

/* Root mean square of the velocity's error over that of the velocity, at some of the points. */
static double error_of(Bench *bench)
{
    InduceRequest exact = bench->request;
    double error = 0, size = 0;
    exact.count = exact.count < CHECKED ? exact.count : CHECKED;
    for (int c = 0; c < 3; ++c) exact.out[c] = bench->exact[c];
    induce_direct.induce(&exact);
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < exact.count; ++i) {
            double u = (double)bench->exact[c][i], d = (double)bench->out[c][i] - u;
            error += d * d, size += u * u;
        }
    return sqrt(error / size);
}

static void bench_tree(Bench *bench, const InduceRow *method, size_t count, double *last)
{
    char name[64];
    place_vortons(bench, count, count);
    double seconds = time_of(bench, method, count < 200000 ? 3 : 1);
    snprintf(name, sizeof name, "%s/%zu", method->head.name, count);
    print(bench, name, "seconds", "s", seconds);
    print(bench, name, "rms_error", "", error_of(bench));
    if (*last > 0)
        print(bench, name, "growth_over_n_log_n", "",
              seconds / *last / (10 * log((double)count) / log((double)count / 10)));
    *last = seconds;
}

/* ---- on a device ---- */

static const double peer_pairs = 2e8; /* that the processor takes of a direct sum */

/* By the wall's clock: a device does not use the processor's. */
static double wall_time(Bench *bench, const InduceRequest *request, const InduceRow *method)
{
    double best = HUGE_VAL;
    for (int trial = 0; trial < 3; ++trial) {
        arena_reset(&bench->arena);
        const double before = clock_seconds();
        method->induce(request);
        best = fmin(best, clock_seconds() - before);
    }
    return best;
}

/* Pairs a second of the sum that is asked for, beside the processor's: of a direct sum it takes
 * some of the points, of a tree all. */
static bool bench_sum(Bench *bench, const char *what, const InduceRow *method, SumDevice *device)
{
    char name[96];
    InduceRequest r = bench->request;
    const double direct = (double)r.sources.count * (double)r.count;
    const uint64_t before = device->pairs;
    snprintf(name, sizeof name, "biot-savart/%s/%zu/%s", what, r.sources.count,
             bench->options->device);
    r.device = device;
    const double seconds = wall_time(bench, &r, method);
    const double pairs = (double)(device->pairs - before) / 3;
    if (device->status != MOTE_OK || !device_is_well(device->device)) return false;
    r.device = NULL;
    double share = method == &induce_direct ? fmin(1, peer_pairs / direct) : 1;
    if (r.line > 0) r.count = (size_t)(share * (double)(r.count / r.line)) * r.line;
    if (r.line == 0) r.count = (size_t)(share * (double)r.count);
    const double peer_seconds = wall_time(bench, &r, method);
    share = (double)r.count / (double)bench->request.count;
    bench_print(bench->options, &(BenchFigure){.name = name,
                                               .metric = "pairs_per_s",
                                               .unit = "1/s",
                                               .value = pairs / seconds,
                                               .threads = mote_tasks_workers(r.tasks),
                                               .peer = "processor",
                                               .peer_value = share * pairs / peer_seconds});
    return true;
}

static bool bench_sums(Bench *bench, size_t count, SumDevice *device)
{
    bool good = true;
    place_vortons(bench, count, count);
    bench->request.quantity = QUANTITY_VELOCITY;
    if (count <= 100000) {
        good = bench_sum(bench, "velocity", &induce_direct, device);
        bench->request.quantity = QUANTITY_GRADIENT;
        good = good && bench_sum(bench, "gradient", &induce_direct, device);
        bench->request.quantity = QUANTITY_VELOCITY;
        place_nodes(bench, count / NODES_UP * NODES_UP);
        good = good && bench_sum(bench, "nodes", &induce_direct, device);
        bench->request.line = 0;
    }
    place_vortons(bench, count, count);
    return good && bench_sum(bench, "tree", &induce_tree, device);
}

static int bench_on_device(Bench *bench, size_t most)
{
    mote_Device *lent = NULL;
    mote_Error error = {.status = MOTE_OK};
    SumDevice *device = NULL;
    bool good = mote_device_open(bench->options->device, &lent, &error) == MOTE_OK;
    if (good && lent != NULL) device = sum_device_make(lent, &bench->memory);
    for (size_t count = most < 10000 ? most : 10000; count <= most && device != NULL && good;
         count *= 10) {
        good = bench_sums(bench, count, device);
        if (!good) error = device->error;
        if (!good && !device_is_well(lent)) (void)device_check(lent, "biot-savart", &error);
    }
    sum_device_free(device);
    mote_device_close(lent);
    if (!good) fprintf(stderr, "mote: %s\n", error.message);
    return good ? 0 : 1;
}

/* ---- all ---- */

static void bench_methods(Bench *bench, size_t most)
{
    double last = 0, last_published = 0, last_direct = 0, last_fourier = 0, last_poisson = 0;
    bench_cores(bench);
    for (size_t count = 1000; count <= most && count <= 10000; count *= 10)
        bench_tree(bench, &induce_direct, count, &last_direct);
    for (size_t count = 1000; count <= most; count *= 10)
        bench_tree(bench, &induce_fourier, count, &last_fourier);
    for (size_t count = 1000; count <= most; count *= 10)
        bench_tree(bench, &induce_poisson, count, &last_poisson);
    for (size_t count = 1000; count <= most; count *= 10)
        bench_tree(bench, &induce_tree, count, &last);
    for (size_t count = 10000; count <= most && count <= 100000; count *= 10)
        bench_tree(bench, &induce_containment, count, &last_published);
}

static int bench_threads(const BenchOptions *options, int threads)
{
    mote_Tasks *tasks = bench_tasks(threads);
    if (tasks == NULL) return 1;
    Bench bench = {.options = options, .memory = memory_make(mote_default_allocator())};
    size_t most = options->count > 0 ? options->count : 1000000;
    bench.arena = arena_make(&bench.memory);
    bench.request = (InduceRequest){
        .core = core_row(isa_pick(), 0), .tree = tree_def(), .tasks = tasks, .arena = &bench.arena};
    bool room = make_room(&bench, most > DIRECT_POINTS ? most : DIRECT_POINTS);
    int failed = room ? 0 : 1;
    if (room && options->device != NULL)
        failed = bench_on_device(&bench, most);
    else if (room)
        bench_methods(&bench, most);
    free_room(&bench);
    arena_free(&bench.arena);
    mote_tasks_destroy(tasks);
    return failed;
}

int bench_biot_savart(const BenchOptions *options)
{
    return bench_threads(options, options->threads > 0 ? options->threads : 1);
}
