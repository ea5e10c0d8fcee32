/* The benchmark of Gourlay, Fluid simulation for video games, part 13, table 2 and figure 9: flames
 * and smoke around a plate and two balls, about 980 vortons and 49 000 tracers. Milliseconds a
 * frame, after the particles' lives have filled up; z is up. Every fiftieth frame is drawn, too. */
#include "bench/bench.h"

#include "solvers/vortex/solver.h"
#include "world/world.h"

#include <mote/bodies.h>
#include <mote/render.h>
#include <mote/vortex.h>
#include <mote/world.h>

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 6000, LIFE = 300, PICTURE_EVERY = 50, WIDTH = 1280, HEIGHT = 720 };

typedef struct Plate {
    mote_World *world;
    mote_Tasks *tasks;
    mote_Image *image;
    mote_Error error;
    bool failed;
} Plate;

static void expect(Plate *plate, mote_Status status)
{
    if (status == MOTE_OK || plate->failed) return;
    plate->failed = true;
    fprintf(stderr, "mote: %s\n", plate->error.message);
}

static void add_systems(Plate *plate)
{
    mote_VortexSolver vortex = mote_vortex_solver_def();
    mote_TracersSolver tracers = {.of = "vortons"};
    mote_SystemDef def = mote_system_def();
    mote_System *system;
    vortex.core = 3, vortex.scheme = 0; /* as published: linear core, Euler, tracers that push */
    vortex.coupling = 1;
    vortex.density = 1, vortex.heat_capacity = 1, vortex.buoyancy = 10;
    vortex.exchange = (mote_real)0.01, vortex.heat_exchange = (mote_real)1e-4;
    vortex.born_fuel = (mote_real)0.01, vortex.born_spin = (mote_real)1e-8;
    vortex.burn_rate = 2, vortex.smoke_rate = 5;
    def.name = "vortons", def.solver = "vortex", def.solver_params = &vortex;
    expect(plate, mote_world_add_system(plate->world, &def, &system, &plate->error));
    def.name = "smoke", def.solver = "tracers", def.solver_params = &tracers;
    expect(plate, mote_world_add_system(plate->world, &def, &system, &plate->error));
}

static void add_emitter(Plate *plate, const char *system, double rate, uint64_t burst,
                        double radius)
{
    mote_EmitterDef def = mote_emitter_def();
    mote_BoxSource box = mote_box_source_def();
    def.system = system, def.source = "box", def.source_params = &box;
    def.rate = (mote_real)rate, def.lifetime = 10, def.radius = (mote_real)radius;
    box.size = (mote_Vec3){(mote_real)0.5, (mote_real)0.5, (mote_real)0.5};
    expect(plate, mote_world_add_emitter(plate->world, &def, &plate->error));
    box.size = (mote_Vec3){(mote_real)0.22, (mote_real)0.22, (mote_real)0.22};
    def.rate = 0, def.burst = burst;
    expect(plate, mote_world_add_emitter(plate->world, &def, &plate->error));
}

/* What a body is: where, of what shape, free or moved. Restitution 0.01, thermal conductivity 500,
 * 300 K, as published. */
typedef struct BodyLine {
    const char *name, *shape;
    double radius, at[3], mass, heat_capacity;
    bool free;
} BodyLine;

static const BodyLine bodies[] = {
    {"small", "sphere", 0.2, {0, 0, -0.5}, 1e8, 1e5, false},
    {"large", "sphere", 0.5, {0.2, 0, 2}, 1, 1e5, true},
    {"plate", "box", 0, {0, 0, 1}, 1e8, 1, false}, /* turns with 0.01, 0.02, 0 rad/s */
};

static void add_body(Plate *plate, const BodyLine *line)
{
    mote_BodyDef def = mote_body_def();
    mote_SphereShape sphere = mote_sphere_shape_def();
    mote_BoxShape box = mote_box_shape_def();
    bool is_box = line->radius <= 0;
    sphere.radius = (mote_real)line->radius;
    box.size = (mote_Vec3){1, (mote_real)0.5, (mote_real)0.1};
    def.name = line->name, def.shape = line->shape;
    def.shape_params = is_box ? (const void *)&box : &sphere;
    def.mass = line->mass, def.free = line->free, def.gravity = false;
    def.restitution = (mote_real)0.01, def.temperature = 300;
    def.heat_capacity = line->heat_capacity, def.heat_transfer = 500;
    def.motion.at =
        (mote_Vec3){(mote_real)line->at[0], (mote_real)line->at[1], (mote_real)line->at[2]};
    if (is_box) def.motion.spin = (mote_Vec3){(mote_real)0.573, (mote_real)1.146, 0}; /* degrees */
    expect(plate, mote_world_add_body(plate->world, &def, &plate->error));
}

static void make_world(Plate *plate, int threads)
{
    mote_TasksDef tasks = mote_tasks_def();
    mote_WorldDef def = mote_world_def();
    tasks.threads = threads;
    expect(plate, mote_tasks_create(&tasks, &plate->tasks, &plate->error));
    def.tasks = plate->tasks, def.fps = 30, def.max_step = 1;
    def.gravity = (mote_Vec3){0, 0, -10};
    expect(plate, mote_world_create(&def, &plate->world, &plate->error));
    if (plate->failed) return;
    add_systems(plate);
    add_emitter(plate, "vortons", 100, 64, 0.0275);
    add_emitter(plate, "smoke", 5000, 1728, 0.0275 / 3);
    for (size_t k = 0; k < sizeof bodies / sizeof bodies[0]; ++k) add_body(plate, &bodies[k]);
}

/* ---- pictures ---- */

/* Seconds of a picture of what is there now: smoke as soft splats, unlit as in the sample, and the
 * bodies. */
static double draw(Plate *plate)
{
    mote_RenderDef def = mote_render_def();
    mote_Look looks[2] = {mote_look_def(), mote_look_def()};
    looks[0].system = "vortons", looks[0].draw = MOTE_DRAW_LINES; /* it has none */
    looks[1].system = "smoke", looks[1].profile = "soft", looks[1].motion_blur = false,
    looks[1].size = 3;
    def.looks = looks, def.look_count = 2, def.tasks = plate->tasks;
    def.camera.from = (mote_Vec3){(mote_real)1.9, (mote_real)-4.6, (mote_real)1.35};
    def.camera.to = (mote_Vec3){(mote_real)0.12, 0, (mote_real)1.05};
    def.camera.up = (mote_Vec3){0, 0, 1};
    const mote_Frame *frame = mote_world_frame(plate->world);
    double before = clock_seconds();
    if (frame != NULL) expect(plate, mote_render(&def, frame, plate->image, &plate->error));
    return clock_seconds() - before;
}

/* ---- figures ---- */

/* What a frame is made of, ms. */
enum {
    PART_BOUNDARY,
    PART_TRACER_WALLS,
    PART_VORTON_WALLS,
    PART_UPDATE,
    PART_FRAME,    /* the whole simulation */
    PART_RENDER,   /* a picture; these two of the frames that are drawn */
    PART_TOTAL,    /* a frame and its picture */
    PART_VELOCITY, /* of the update: grid and induced velocity */
    PART_FOLLOW,   /* tracers moved, and what they learn */
    PART_EMIT,     /* births */
    PART_RETIRE,   /* deaths */
    PART_OTHER,    /* bodies, energies, the rest */
    PART_CPU,      /* processor's time of all threads, also where they wait for work */
    PARTS
};
static const char *const part_names[PARTS] = {"boundary_ms",
                                              "boundary_tracers_ms",
                                              "boundary_vortons_ms",
                                              "update_ms",
                                              "frame_ms",
                                              "render_ms",
                                              "total_ms",
                                              "velocity_ms",
                                              "follow_ms",
                                              "emit_ms",
                                              "retire_ms",
                                              "other_ms",
                                              "processor_ms"};
enum { PUBLISHED_PARTS = PART_VELOCITY };

enum { COUNT_TRACERS, COUNT_VORTONS, COUNT_TRACER_HITS, COUNT_VORTON_HITS, COUNTS };
static const char *const count_names[COUNTS] = {"tracers", "vortons", "tracer_hits", "vorton_hits"};

/* What many frames came to. A loaded machine spoils means, so there are the middle one and the
 * fastest of each part, too. */
typedef struct Sums {
    double mean[PARTS], middle[PARTS], least[PARTS];
    double count[COUNTS];
    double *ms[PARTS]; /* of each frame, or of each that is drawn */
} Sums;

static bool open_sums(Sums *sums, int frames)
{
    *sums = (Sums){.count = {0}};
    bool room = true;
    for (int k = 0; k < PARTS; ++k) {
        sums->ms[k] = calloc((size_t)frames, sizeof(double));
        room = room && sums->ms[k] != NULL;
    }
    return room;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many frames have a figure for a part. */
static int frames_with(int part, int frames)
{
    bool drawn = part == PART_RENDER || part == PART_TOTAL;
    return drawn ? (frames + PICTURE_EVERY - 1) / PICTURE_EVERY : frames;
}

static void close_sums(Sums *sums, int frames)
{
    for (int k = 0; k < PARTS; ++k) {
        const int n = frames_with(k, frames);
        for (int i = 0; i < n; ++i) sums->mean[k] += sums->ms[k][i] / n;
        if (n > 0) {
            qsort(sums->ms[k], (size_t)n, sizeof(double), ascending);
            sums->middle[k] = sums->ms[k][n / 2];
            sums->least[k] = sums->ms[k][0];
        }
        free(sums->ms[k]);
    }
}

static void note_frame(Sums *sums, int frame, const double seconds[VORTEX_PARTS], double processor,
                       const mote_StepReport *report)
{
    double ms[PARTS] = {
        [PART_TRACER_WALLS] = seconds[VORTEX_TRACER_WALLS],
        [PART_VORTON_WALLS] = seconds[VORTEX_WALLS],
        [PART_BOUNDARY] = seconds[VORTEX_TRACER_WALLS] + seconds[VORTEX_WALLS],
        [PART_VELOCITY] = seconds[VORTEX_GRID],
        [PART_UPDATE] = seconds[VORTEX_GRID] + seconds[VORTEX_OPERATORS],
        [PART_FOLLOW] = seconds[VORTEX_FOLLOW],
        [PART_EMIT] = report->stage_seconds[MOTE_STAGE_EMIT],
        [PART_RETIRE] = report->stage_seconds[MOTE_STAGE_RETIRE],
        [PART_FRAME] = report->seconds,
        [PART_CPU] = processor,
    };
    ms[PART_OTHER] = ms[PART_FRAME] - ms[PART_BOUNDARY] - ms[PART_UPDATE] - ms[PART_FOLLOW] -
                     ms[PART_EMIT] - ms[PART_RETIRE];
    for (int k = 0; k < PARTS; ++k)
        if (frames_with(k, 2) == 2) sums->ms[k][frame] = 1e3 * ms[k];
}

static void note_picture(Sums *sums, int frame, double seconds)
{
    const int n = frame / PICTURE_EVERY;
    sums->ms[PART_RENDER][n] = 1e3 * seconds;
    sums->ms[PART_TOTAL][n] = 1e3 * seconds + sums->ms[PART_FRAME][frame];
}

static void note_counts(Sums *sums, const Plate *plate, const uint64_t hits[2], int frames)
{
    const mote_System *smoke = mote_world_system(plate->world, "smoke");
    const mote_System *vortons = mote_world_system(plate->world, "vortons");
    const double counts[COUNTS] = {[COUNT_TRACERS] = (double)mote_system_count(smoke),
                                   [COUNT_VORTONS] = (double)mote_system_count(vortons),
                                   [COUNT_TRACER_HITS] = (double)hits[0],
                                   [COUNT_VORTON_HITS] = (double)hits[1]};
    for (int c = 0; c < COUNTS; ++c) sums->count[c] += counts[c] / frames;
}

static void run(Plate *plate, int frames, Sums *sums)
{
    const Vortex *vortex = plate->world->slots[0].solver->state;
    for (int k = 0; k < frames + LIFE && !plate->failed; ++k) {
        double seconds[VORTEX_PARTS], processor = bench_processor_seconds();
        uint64_t hits[2] = {vortex->tracer_hits, vortex->hits};
        mote_StepReport report;
        for (int p = 0; p < VORTEX_PARTS; ++p) seconds[p] = vortex->seconds[p];
        expect(plate, mote_world_step(plate->world, &report, &plate->error));
        if (k < LIFE || plate->failed) continue;
        for (int p = 0; p < VORTEX_PARTS; ++p) seconds[p] = vortex->seconds[p] - seconds[p];
        hits[0] = vortex->tracer_hits - hits[0], hits[1] = vortex->hits - hits[1];
        note_frame(sums, k - LIFE, seconds, bench_processor_seconds() - processor, &report);
        note_counts(sums, plate, hits, frames);
        if ((k - LIFE) % PICTURE_EVERY == 0) note_picture(sums, k - LIFE, draw(plate));
    }
}

static void print_figure(const BenchOptions *options, int threads, const char *prefix,
                         const char *metric, double value)
{
    char text[64];
    snprintf(text, sizeof text, "%s%s", prefix, metric);
    bench_print(
        options,
        &(BenchFigure){
            .name = "plate", .metric = text, .unit = "", .value = value, .threads = threads});
}

static void print_parts(const char *title, const double ms[PARTS])
{
    printf("%7s", title);
    for (int k = 0; k < PUBLISHED_PARTS; ++k) printf(" %9.3f", ms[k]);
}

static void print_row(const BenchOptions *options, int threads, const Sums *s)
{
    char title[16];
    for (int k = 0; k < PARTS && options->json; ++k) {
        print_figure(options, threads, "", part_names[k], s->mean[k]);
        print_figure(options, threads, "middle_", part_names[k], s->middle[k]);
        print_figure(options, threads, "least_", part_names[k], s->least[k]);
    }
    for (int k = 0; k < COUNTS && options->json; ++k)
        print_figure(options, threads, "", count_names[k], s->count[k]);
    if (options->json) return;
    snprintf(title, sizeof title, "%d", threads);
    print_parts(title, s->mean);
    for (int k = 0; k < COUNTS; ++k) printf(" %11.1f", s->count[k]);
    printf("\n");
    print_parts("middle", s->middle);
    printf("  (");
    for (int k = PUBLISHED_PARTS; k < PARTS; ++k)
        printf("%s%s %.3f", k > PUBLISHED_PARTS ? ", " : "", part_names[k], s->middle[k]);
    printf(")\n");
    print_parts("fastest", s->least);
    printf("\n");
}

static int bench_threads(const BenchOptions *options, int threads)
{
    Plate plate = {.failed = false};
    int frames = options->count > 0 ? (int)options->count : FRAMES;
    Sums sums;
    bool room = open_sums(&sums, frames);
    make_world(&plate, threads);
    expect(&plate, mote_image_create(WIDTH, HEIGHT, &plate.image, &plate.error));
    if (room && !plate.failed) run(&plate, frames, &sums);
    close_sums(&sums, room ? frames : 0);
    if (room && !plate.failed) print_row(options, threads, &sums);
    mote_image_destroy(plate.image);
    mote_world_destroy(plate.world);
    mote_tasks_destroy(plate.tasks);
    return !room || plate.failed;
}

static void print_head(void)
{
    static const char *const columns[] = {"threads", "boundary", "tracers", "vortons",
                                          "update",  "frame",    "render",  "total"};
    printf("milliseconds a frame; published (Core i7-2600, 1 and 2 threads): boundary 2.42 and "
           "1.61, of tracers 2.35 and 1.56, of vortons 0.057 and 0.042, update 4.12 and 2.52, "
           "total 25.7 and 16.3\n");
    for (size_t k = 0; k < sizeof columns / sizeof columns[0]; ++k)
        printf(k == 0 ? "%7s" : " %9s", columns[k]);
    for (int k = 0; k < COUNTS; ++k) printf(" %11s", count_names[k]);
    printf("\n");
}

/* As many threads as a pool has that may choose. */
static int usable_cores(void)
{
    const mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks;
    mote_Error error;
    if (mote_tasks_create(&def, &tasks, &error) != MOTE_OK) return 1;
    const int cores = mote_tasks_workers(tasks);
    mote_tasks_destroy(tasks);
    return cores;
}

/* The threads of table 2, as far as this machine has them. */
int bench_plate(const BenchOptions *options)
{
    static const int published[] = {1, 2, 3, 4, 6, 8, 12, 16};
    const int cores = usable_cores();
    int failed = 0;
    if (!options->json && !options->again) print_head();
    if (options->threads > 0) return bench_threads(options, options->threads);
    for (size_t k = 0; k < sizeof published / sizeof published[0] && failed == 0; ++k)
        if (published[k] <= cores) failed = bench_threads(options, published[k]);
    return failed;
}
