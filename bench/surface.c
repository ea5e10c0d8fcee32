/* Surfaces around particles that lie like a dam break: a collapsed column in a tank of 4 x 2 x 2 m
 * with ripples, a run-up at the far wall and spray, on a jittered lattice. */
#include "bench/bench.h"
#include "bench/peers/openvdb.h"

#include "base/memory.h"

#include <mote/surface.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 5 };

typedef struct DamBreak {
    Memory memory;
    mote_real *x[3];
    size_t count, room;
    double spacing;
} DamBreak;

/* Splitmix64. */
static double uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Height of the liquid: what is left of the column, ripples, and the run-up at x = 4. */
static double height(double x, double z)
{
    double column = 0.28 + 0.62 * exp(-1.1 * x);
    double ripples = 0.02 * sin(9 * x + 2 * z) + 0.015 * sin(14 * z - 5 * x);
    double run_up = 1.1 * exp(-14 * (4 - x)) * (1 + 0.25 * sin(7 * z));
    return column + ripples + run_up;
}

static bool inside(double x, double y, double z)
{
    return x > 0 && x < 4 && z > 0 && z < 2 && y > 0 && y < height(x, z);
}

static bool add(DamBreak *dam, const double x[3])
{
    if (dam->count == dam->room) return false;
    for (int k = 0; k < 3; ++k) dam->x[k][dam->count] = (mote_real)x[k];
    ++dam->count;
    return true;
}

/* One particle in 500 is spray above the surface. */
static void fill(DamBreak *dam, size_t count)
{
    uint64_t state = 5;
    double d = dam->spacing;
    size_t spray = count / 500;
    for (double y = d / 2; y < 2; y += d)
        for (double z = d / 2; z < 2; z += d)
            for (double x = d / 2; x < 4; x += d) {
                double at[3] = {x, y, z};
                if (!inside(x, y, z)) continue;
                for (int k = 0; k < 3; ++k) at[k] += 0.4 * d * (uniform(&state) - 0.5);
                if (!add(dam, at)) return;
            }
    for (size_t i = 0; i < spray; ++i) {
        double x = 4 * uniform(&state), z = 2 * uniform(&state);
        if (!add(dam, (double[3]){x, height(x, z) + 0.5 * uniform(&state), z})) return;
    }
}

static bool make(DamBreak *dam, size_t count)
{
    double volume = 0;
    for (int i = 0; i < 400; ++i)
        for (int j = 0; j < 200; ++j) volume += 1e-4 * height(0.01 * (i + 0.5), 0.01 * (j + 0.5));
    *dam = (DamBreak){.memory = memory_make(mote_default_allocator())};
    dam->spacing = cbrt(volume / (double)count * 1.002);
    dam->room = count + count / 50;
    for (int k = 0; k < 3; ++k) {
        dam->x[k] = memory_take(&dam->memory, dam->room * sizeof(mote_real));
        if (dam->x[k] == NULL) return false;
    }
    fill(dam, count);
    return true;
}

static void free_dam(DamBreak *dam)
{
    for (int k = 0; k < 3; ++k) memory_free(&dam->memory, dam->x[k], dam->room * sizeof(mote_real));
}

typedef struct Timing {
    double field, smoothing; /* s, best */
    double processor;        /* s of all threads for both, best */
    double bytes, volume;
    size_t triangles;
} Timing;

static double volume_of(const mote_FrameSurface *mesh)
{
    double six = 0;
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        double x[3][3];
        for (int i = 0; i < 3; ++i) {
            mote_Vec3 v = mesh->vertices[mesh->triangles[3 * t + (size_t)i]];
            x[i][0] = (double)v.x, x[i][1] = (double)v.y, x[i][2] = (double)v.z;
        }
        for (int k = 0; k < 3; ++k)
            six += x[0][k] *
                   (x[1][(k + 1) % 3] * x[2][(k + 2) % 3] - x[1][(k + 2) % 3] * x[2][(k + 1) % 3]);
    }
    return six / 6;
}

typedef struct SurfaceCase {
    const char *name, *field;
    bool carries; /* three numbers a particle, at the vertices too */
} SurfaceCase;

static mote_Status measure(const DamBreak *dam, const SurfaceCase *c, int threads, Timing *best,
                           mote_Error *error)
{
    mote_SurfaceDef def = mote_surface_def();
    mote_SurfacePoints points = {.count = dam->count, .x = {dam->x[0], dam->x[1], dam->x[2]}};
    const mote_Column column = {
        .name = "velocity", .components = 1, .stride = dam->room, .data = dam->x[0]};
    const mote_Column columns[] = {column, column, column};
    mote_TasksDef tasks = mote_tasks_def();
    mote_Surface *surface = NULL;
    if (c->carries) points.columns = columns, points.column_count = 3;
    tasks.threads = threads;
    *best = (Timing){
        .field = (double)INFINITY, .smoothing = (double)INFINITY, .processor = (double)INFINITY};
    mote_Status status = mote_tasks_create(&tasks, &def.tasks, error);
    if (status != MOTE_OK) return status;
    def.radius = dam->spacing / 2;
    def.field = c->field;
    status = mote_surface_create(&def, &surface, error);
    for (int i = 0; i < TRIALS && status == MOTE_OK; ++i) {
        mote_FrameSurface mesh;
        mote_SurfaceReport report;
        double begun = bench_processor_seconds();
        status = mote_surface_points(surface, &points, &mesh, &report, error);
        if (status != MOTE_OK) break;
        best->processor = fmin(best->processor, bench_processor_seconds() - begun);
        best->field = fmin(best->field, report.field_seconds);
        best->smoothing = fmin(best->smoothing, report.smoothing_seconds);
        best->bytes = (double)report.peak_bytes, best->triangles = mesh.triangle_count;
        best->volume = volume_of(&mesh);
    }
    mote_surface_destroy(surface);
    mote_tasks_destroy(def.tasks);
    return status;
}

static void print_timing(const BenchOptions *options, const DamBreak *dam, const SurfaceCase *c,
                         const Timing *best, const OpenvdbFigures *peer, int threads)
{
    double particles = (double)dam->count * pow(dam->spacing, 3);
    const struct {
        const char *what, *metric, *unit;
        double value, peer;
    } rows[] = {
        {"mesh", "seconds", "s", best->field, peer->seconds},
        {"smoothing-15", "seconds", "s", best->smoothing, 0},
        {"both", "processor", "s", best->processor, 0},
        {"memory", "peak", "MiB", best->bytes / 1048576, 0},
        {"triangles", "count", "1", (double)best->triangles, peer->triangles},
        {"volume", "off", "%", 100 * (best->volume / particles - 1),
         peer->seconds > 0 ? 100 * (peer->volume / particles - 1) : 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char name[80];
        bool beside = peer->seconds > 0 && rows[i].peer != 0;
        snprintf(name, sizeof name, "surface/%s/%zu/%s", c->name, dam->count, rows[i].what);
        bench_print(options,
                    &(BenchFigure){name, rows[i].metric, rows[i].unit, rows[i].value, threads,
                                   beside ? "OpenVDB, 1 thread" : NULL, rows[i].peer});
    }
}

static const SurfaceCase cases[] = {{"density", "density", false},
                                    {"carrying", "density", true},
                                    {"anisotropic", "anisotropic", false}};

static mote_Status run_case(const BenchOptions *options, const DamBreak *dam, const SurfaceCase *c,
                            const OpenvdbFigures *peer, mote_Error *error)
{
    int threads = options->threads > 0 ? options->threads : 1;
    int last = options->threads > 0 ? options->threads : 2;
    mote_Status status = MOTE_OK;
    for (; threads <= last && status == MOTE_OK; ++threads) {
        Timing best;
        status = measure(dam, c, threads, &best, error);
        if (status == MOTE_OK) print_timing(options, dam, c, &best, peer, threads);
    }
    return status;
}

static mote_Status run_size(const BenchOptions *options, size_t count, mote_Error *error)
{
    DamBreak dam;
    mote_Status status = make(&dam, count) ? MOTE_OK : MOTE_NO_MEMORY;
    OpenvdbFigures peer = {0};
    if (status == MOTE_OK && options->only == NULL)
        peer = bench_openvdb(dam.x, dam.count, dam.spacing);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && status == MOTE_OK; ++i)
        if (options->only == NULL || strcmp(options->only, cases[i].name) == 0)
            status = run_case(options, &dam, &cases[i], &peer, error);
    free_dam(&dam);
    return status;
}

static bool known_case(const char *only)
{
    bool known = only == NULL;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        known = known || strcmp(only, cases[i].name) == 0;
    return known;
}

int bench_surface(const BenchOptions *options)
{
    static const size_t sizes[] = {125000, 1000000};
    mote_Error error = {.message = "out of memory"};
    mote_Status status = MOTE_OK;
    if (!known_case(options->only)) return bench_unknown_case("surface", options);
    if (options->count > 0) {
        status = run_size(options, options->count, &error);
    } else {
        for (int i = 0; i < 2 && status == MOTE_OK; ++i)
            status = run_size(options, sizes[i], &error);
    }
    if (status != MOTE_OK) fprintf(stderr, "mote: %s\n", error.message);
    return status != MOTE_OK;
}
