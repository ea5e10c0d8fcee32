/* Surfaces around particles that lie like a dam break. */
#include "bench/bench.h"
#include "bench/dam_shape.h"
#include "bench/peers/openvdb.h"

#include <mote/surface.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 5 };

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
    mote_Status status = dam_make(&dam, count) ? MOTE_OK : MOTE_NO_MEMORY;
    OpenvdbFigures peer = {0};
    if (status == MOTE_OK && options->only == NULL)
        peer = bench_openvdb(dam.x, dam.count, dam.spacing);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && status == MOTE_OK; ++i)
        if (options->only == NULL || strcmp(options->only, cases[i].name) == 0)
            status = run_case(options, &dam, &cases[i], &peer, error);
    dam_free(&dam);
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
