/* Pictures: a million blended splats at 1920 x 1080 through mote_render, from columns to linear
 * float pixels with projection and sort, beside Mesa's llvmpipe on the same points where OSMesa is
 * installed, and beside an estimated floor: the bytes that must move at this machine's bandwidth,
 * plus the vector instructions that must run. Then post-processing and PNG of such a frame. */
#include "bench/bench.h"
#include "bench/osmesa.h"

#include <mote/render.h>

#include "base/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 1920, HEIGHT = 1080, TRIALS = 12 };

typedef struct SplatCase {
    const char *name;
    size_t count;
    const char *profile;
    double radius; /* px */
    double blur;   /* px of motion, at most, in the time of the shutter */
    int rows;      /* px that a splat is high */
    float point;   /* px, size of the same points in OpenGL; 0: not compared */
} SplatCase;

/* A splat of 4 px is a particle of radius 2 px: the pixel's filter makes its footprint a little
 * wider. The last case covers every pixel many times: there, runs that are full are left out. */
static const SplatCase cases[] = {
    {"1e6-4px", 1000000, "soft", 2, 0, 5, 4},
    {"1e6-4px-gaussian", 1000000, "gaussian", 2, 0, 7, 0},
    {"1e6-4px-disc", 1000000, "disc", 2, 0, 5, 0},
    {"1e6-8px", 1000000, "soft", 4, 0, 10, 8},
    {"1e6-streaks", 1000000, "gaussian", 1, 20, 12, 0},
    {"4e6-2px", 4000000, "soft", 1, 0, 4, 2},
    {"1e5-80px", 100000, "gaussian", 40, 0, 128, 0},
};

/* ---- the frame ---- */

typedef struct Cloud {
    size_t count;
    mote_real *planes; /* 11 of count: position, velocity, radius, color, opacity */
    uint64_t *id;
    mote_Column columns[6];
    mote_FrameSystem system;
    mote_Frame frame;
    mote_Look look;
    mote_RenderDef def;
} Cloud;

static void cloud_fill(Cloud *cloud, const SplatCase *c)
{
    RandomKey key = random_key(1, "splats");
    const size_t n = cloud->count;
    mote_real *p = cloud->planes;
    for (size_t i = 0; i < n; ++i) {
        Random4 u = random_draw(key, i, 0, 0), v = random_draw(key, i, 0, 1),
                w = random_draw(key, i, 0, 2);
        p[i] = (mote_real)WIDTH * (random_unit(u.word[0]) - (mote_real)0.5);
        p[n + i] = (mote_real)HEIGHT * (random_unit(u.word[1]) - (mote_real)0.5);
        p[2 * n + i] = 50 * random_unit(u.word[2]);
        for (size_t k = 0; k < 3; ++k) {
            p[(3 + k) * n + i] = (mote_real)(c->blur * (double)random_signed(v.word[k]));
            p[(7 + k) * n + i] = random_unit(w.word[k]);
        }
        p[6 * n + i] = (mote_real)c->radius;
        p[10 * n + i] = (mote_real)0.2 + (mote_real)0.6 * random_unit(w.word[3]);
        cloud->id[i] = i;
    }
}

static mote_Column column(const char *name, int components, size_t stride, void *data)
{
    return (mote_Column){.name = name,
                         .unit = "",
                         .stage = "",
                         .type = MOTE_COLUMN_REAL,
                         .components = components,
                         .stride = stride,
                         .data = data};
}

/* One metre is one pixel; the eye is 100 m away. NULL when out of memory. */
static Cloud *cloud_make(const SplatCase *c, size_t count)
{
    Cloud *cloud = calloc(1, sizeof *cloud);
    if (cloud == NULL) return NULL;
    const size_t n = cloud->count = count;
    mote_real *p = cloud->planes = malloc(11 * n * sizeof *p);
    cloud->id = malloc(n * sizeof *cloud->id);
    if (p == NULL || cloud->id == NULL) return cloud;
    cloud_fill(cloud, c);
    cloud->columns[0] = column("position", 3, n, p);
    cloud->columns[1] = column("radius", 1, n, p + 6 * n);
    cloud->columns[2] = column("color", 3, n, p + 7 * n);
    cloud->columns[3] = column("opacity", 1, n, p + 10 * n);
    cloud->columns[4] = column("id", 1, n, cloud->id);
    cloud->columns[4].type = MOTE_COLUMN_U64;
    cloud->columns[5] = column("velocity", 3, n, p + 3 * n);
    cloud->system = (mote_FrameSystem){.name = "cloud",
                                       .count = n,
                                       .columns = cloud->columns,
                                       .column_count = c->blur > 0 ? 6 : 5};
    cloud->frame = (mote_Frame){
        .dt = 1, .dimension = 3, .up_axis = 1, .systems = &cloud->system, .system_count = 1};
    cloud->look = mote_look_def();
    cloud->look.profile = c->profile;
    cloud->def = mote_render_def();
    cloud->def.bloom = 0, cloud->def.tone = MOTE_TONE_LINEAR;
    cloud->def.looks = &cloud->look, cloud->def.look_count = 1;
    cloud->def.backdrop.transparent = true;
    cloud->def.camera.from = (mote_Vec3){0, 0, 100};
    cloud->def.camera.to = (mote_Vec3){0, 0, 0};
    cloud->def.camera.height = HEIGHT;
    cloud->def.camera.shutter = 1;
    return cloud;
}

static void cloud_free(Cloud *cloud)
{
    if (cloud == NULL) return;
    free(cloud->planes);
    free(cloud->id);
    free(cloud);
}

/* ---- figures ---- */

/* Seconds of a picture: on the clock, and of the processors (the same on a quiet machine). */
typedef struct Times {
    double wall, cpu;
} Times;

/* The best of several; 0 on failure. */
static Times measure(Cloud *cloud, mote_Image *image, mote_Error *error)
{
    Times best = {1e30, 1e30};
    double spent = 0;
    for (int trial = 0; trial < 3 || (trial < TRIALS && spent < 4); ++trial) {
        double before = clock_seconds(), cpu = bench_processor_seconds();
        if (mote_render(&cloud->def, &cloud->frame, image, error) != MOTE_OK) return (Times){0};
        double seconds = clock_seconds() - before;
        cpu = bench_processor_seconds() - cpu;
        best.wall = seconds < best.wall ? seconds : best.wall;
        best.cpu = cpu < best.cpu ? cpu : best.cpu;
        spent += seconds;
    }
    return best;
}

/* Seconds below which this machine hardly draws the case: columns are read once (48 bytes a row in
 * float), records of 32 bytes are written and read once for each of the 1.3 tiles that a splat
 * touches, the image is written; and each row of a splat takes 22 vector instructions of 8 pixels,
 * three a cycle at 3 GHz. Sorting and projection are not counted. */
static double floor_of(const SplatCase *c, size_t count, double bandwidth, int threads)
{
    double tiles = (1 + c->rows / 32.0) * (1 + c->rows / 32.0);
    double bytes =
        (double)count * (12 * sizeof(mote_real) + 2 * 32 * tiles) + 16.0 * WIDTH * HEIGHT;
    double runs = c->rows <= 8 ? 1 : c->rows / 8.0 + 0.5;
    double instructions = (double)count * tiles * (40 + 22 * c->rows * runs / tiles);
    return bytes / bandwidth + instructions / (9e9 * threads);
}

static void print(const BenchOptions *options, const char *name, const char *metric, double value,
                  const char *unit, int threads)
{
    bench_print(
        options,
        &(BenchFigure){
            .name = name, .metric = metric, .unit = unit, .value = value, .threads = threads});
}

static void print_peer(const BenchOptions *options, const SplatCase *c, const Cloud *cloud,
                       double seconds, int threads)
{
    char name[96];
    if (!(c->point > 0)) return;
    OsMesaPoints points = {.width = WIDTH,
                           .height = HEIGHT,
                           .count = cloud->count,
                           .size = c->point,
                           .position = {cloud->planes, cloud->planes + cloud->count},
                           .color = cloud->planes + 7 * cloud->count,
                           .opacity = cloud->planes + 10 * cloud->count};
    double peer = osmesa_draw(&points, threads);
    snprintf(name, sizeof name, "splats/%s", c->name);
    if (!(peer > 0)) return;
    bench_print(options, &(BenchFigure){.name = name,
                                        .metric = "times_as_fast_as_llvmpipe",
                                        .value = peer / seconds,
                                        .unit = "",
                                        .threads = threads,
                                        .peer = "llvmpipe unsorted, ms",
                                        .peer_value = 1e3 * peer});
}

static int run_case(const BenchOptions *options, const SplatCase *c, int threads)
{
    mote_TasksDef tasks = mote_tasks_def();
    mote_Error error = {.message = "out of memory"};
    mote_Image *image = NULL;
    char name[96];
    Cloud *cloud = cloud_make(c, options->count > 0 ? options->count : c->count);
    tasks.threads = threads;
    Times times = {0};
    if (cloud != NULL && cloud->planes != NULL && cloud->id != NULL &&
        mote_image_create(WIDTH, HEIGHT, &image, &error) == MOTE_OK &&
        mote_tasks_create(&tasks, &cloud->def.tasks, &error) == MOTE_OK)
        times = measure(cloud, image, &error);
    if (times.wall > 0) {
        double bandwidth = bench_update_bandwidth(cloud->def.tasks, (size_t)64 << 20);
        double least = floor_of(c, cloud->count, bandwidth, threads);
        snprintf(name, sizeof name, "splats/%s/%s", c->name, mote_isa_name());
        bench_print(options, &(BenchFigure){.name = name,
                                            .metric = "frame",
                                            .value = 1e3 * times.wall,
                                            .unit = "ms",
                                            .threads = threads,
                                            .peer = "estimated floor, ms",
                                            .peer_value = 1e3 * least});
        print(options, name, "frame_cpu", 1e3 * times.cpu, "ms", threads);
        print_peer(options, c, cloud, times.wall, threads);
    } else {
        fprintf(stderr, "mote: %s\n", error.message);
    }
    if (cloud != NULL) mote_tasks_destroy(cloud->def.tasks);
    mote_image_destroy(image);
    cloud_free(cloud);
    return times.wall > 0 ? 0 : 1;
}

/* ---- after the splats ---- */

typedef struct After {
    Cloud *cloud;
    mote_Image *image;
    const char *path;
    mote_Error *error;
} After;

static bool draw(After *a)
{
    return mote_render(&a->cloud->def, &a->cloud->frame, a->image, a->error) == MOTE_OK;
}

static bool write_8(After *a)
{
    return mote_image_write_png_with(a->image, a->path, 8, a->cloud->def.tasks, a->error) ==
           MOTE_OK;
}

static bool write_16(After *a)
{
    return mote_image_write_png_with(a->image, a->path, 16, a->cloud->def.tasks, a->error) ==
           MOTE_OK;
}

static double best_of(After *a, bool (*work)(After *))
{
    double best = 1e30;
    for (int trial = 0; trial < 5; ++trial) {
        double before = clock_seconds();
        if (!work(a)) return 0;
        double seconds = clock_seconds() - before;
        best = seconds < best ? seconds : best;
    }
    return best;
}

/* A frame of a demo: few particles, so that sky, bloom, tone and files are what is measured. */
static int run_after(const BenchOptions *options, int threads)
{
    static const SplatCase few = {"after", 1000, "gaussian", 4, 0, 12, 0};
    char path[] = "/tmp/mote-bench-XXXXXX";
    int file = mkstemp(path);
    mote_Error error = {.message = "out of memory"};
    mote_TasksDef tasks = mote_tasks_def();
    After a = {.cloud = cloud_make(&few, few.count), .path = path, .error = &error};
    tasks.threads = threads;
    int failed = 1;
    if (file >= 0 && a.cloud != NULL && a.cloud->planes != NULL && a.cloud->id != NULL &&
        mote_image_create(WIDTH, HEIGHT, &a.image, &error) == MOTE_OK &&
        mote_tasks_create(&tasks, &a.cloud->def.tasks, &error) == MOTE_OK) {
        mote_RenderDef *def = &a.cloud->def;
        print(options, "splats/empty", "frame", 1e3 * best_of(&a, draw), "ms", threads);
        def->backdrop.transparent = false; /* a sky of its own: its files depend on how it looks */
        def->backdrop.horizon = (mote_Vec3){(mote_real)0.52, (mote_real)0.60, (mote_real)0.70};
        def->backdrop.zenith = (mote_Vec3){(mote_real)0.10, (mote_real)0.20, (mote_real)0.42};
        print(options, "splats/sky", "frame", 1e3 * best_of(&a, draw), "ms", threads);
        def->bloom = (mote_real)0.1, def->exposure = 2, def->tone = MOTE_TONE_FILMIC;
        print(options, "splats/sky-bloom-film", "frame", 1e3 * best_of(&a, draw), "ms", threads);
        print(options, "splats/png-8", "file", 1e3 * best_of(&a, write_8), "ms", threads);
        print(options, "splats/png-16", "file", 1e3 * best_of(&a, write_16), "ms", threads);
        failed = 0;
    } else {
        fprintf(stderr, "mote: %s\n", error.message);
    }
    if (a.cloud != NULL) mote_tasks_destroy(a.cloud->def.tasks);
    mote_image_destroy(a.image);
    cloud_free(a.cloud);
    if (file >= 0) close(file), unlink(path);
    return failed;
}

static bool is_wanted(const BenchOptions *options, const char *name)
{
    return options->only == NULL || strcmp(options->only, name) == 0;
}

static int run_cases(const BenchOptions *options, int threads, size_t *done)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        if (!is_wanted(options, cases[i].name)) continue;
        failed |= run_case(options, &cases[i], threads), ++*done;
    }
    if (!is_wanted(options, "after")) return failed;
    ++*done;
    return failed | run_after(options, threads);
}

int bench_splats(const BenchOptions *options)
{
    int most = 1, failed = 0;
    size_t done = 0;
    mote_Tasks *tasks;
    mote_TasksDef def = mote_tasks_def();
    if (mote_tasks_create(&def, &tasks, NULL) == MOTE_OK) most = mote_tasks_workers(tasks);
    mote_tasks_destroy(tasks);
    const int counts[2] = {options->threads > 0 ? options->threads : 1,
                           options->threads > 0 || most == 1 ? 0 : most};
    for (int t = 0; t < 2 && counts[t] > 0; ++t) failed |= run_cases(options, counts[t], &done);
    return done > 0 ? failed : bench_unknown_case("splats", options);
}
