/* The cache: writing one frame of 10^6 particles with the built-in columns, against fwrite and
 * fsync of the same number of bytes from one block, in the same run and the same folder; and
 * reading it. Files are made in the working folder and removed. */
#include "bench/bench.h"

#include "particles/system.h"

#include <mote/io.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Cache {
    Memory memory;
    mote_System *system;
    mote_Tasks *tasks;
    mote_Frame frame;
    mote_FrameSystem frame_system;
    size_t bytes; /* of all columns */
    char *plain;  /* as many bytes in one block */
} Cache;

static bool cache_make(Cache *cache, size_t rows, int threads)
{
    mote_Error error;
    mote_TasksDef def = mote_tasks_def();
    size_t first;
    def.threads = threads;
    *cache = (Cache){.memory = memory_make(mote_default_allocator())};
    if (mote_tasks_create(&def, &cache->tasks, &error) != MOTE_OK ||
        system_create(&cache->memory, "water", &cache->system, &error) != MOTE_OK ||
        mote_system_add_rows(cache->system, rows, &first, &error) != MOTE_OK)
        return false;
    mote_FrameSystem *system = &cache->frame_system;
    *system = (mote_FrameSystem){.name = "water", .count = rows};
    system->columns = mote_system_columns(cache->system, &system->column_count);
    for (size_t i = 0; i < system->column_count; ++i)
        cache->bytes += rows * (size_t)system->columns[i].components *
                        column_item_size(system->columns[i].type);
    cache->frame = (mote_Frame){
        .dt = 1.0 / 30, .dimension = 3, .up_axis = 1, .systems = system, .system_count = 1};
    cache->plain = malloc(cache->bytes);
    if (cache->plain != NULL) memset(cache->plain, 1, cache->bytes);
    return cache->plain != NULL;
}

static void cache_free(Cache *cache)
{
    free(cache->plain);
    system_destroy(cache->system);
    mote_tasks_destroy(cache->tasks);
}

/* Seconds, or infinity when it failed. */
static double time_plain(const Cache *cache, const char *path)
{
    double start = clock_seconds();
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(cache->plain, 1, cache->bytes, file) == cache->bytes &&
                fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (file != NULL) good = fclose(file) == 0 && good;
    return good ? clock_seconds() - start : HUGE_VAL;
}

static double time_write(const Cache *cache, const char *path, mote_Tasks *tasks)
{
    mote_Error error;
    double start = clock_seconds();
    mote_Status status = mote_frame_write(&cache->frame, path, tasks, &error);
    return status == MOTE_OK ? clock_seconds() - start : HUGE_VAL;
}

static double time_read(const char *path)
{
    mote_Error error;
    mote_Frame *frame;
    double start = clock_seconds();
    mote_Status status = mote_frame_read(path, &frame, &error);
    double seconds = clock_seconds() - start;
    mote_frame_destroy(frame);
    return status == MOTE_OK ? seconds : HUGE_VAL;
}

static double time_plain_read(const Cache *cache, const char *path)
{
    double start = clock_seconds();
    FILE *file = fopen(path, "rb");
    bool good = file != NULL && fread(cache->plain, 1, cache->bytes, file) == cache->bytes;
    if (file != NULL) fclose(file);
    return good ? clock_seconds() - start : HUGE_VAL;
}

enum { PLAIN, ONE, ALL, READ, PLAIN_READ, MEASURES };

static void keep_least(double *best, double seconds)
{
    if (seconds < *best) *best = seconds;
}

/* Takes turns, so that a busy disk hits all alike; the best of each counts. */
static void measure(const Cache *cache, int rounds, double best[MEASURES])
{
    char frame[64], plain[64];
    snprintf(frame, sizeof frame, "bench_cache.%ld.npz", (long)getpid());
    snprintf(plain, sizeof plain, "bench_cache.%ld.bin", (long)getpid());
    for (int m = 0; m < MEASURES; ++m) best[m] = HUGE_VAL;
    for (int i = 0; i < rounds; ++i) {
        keep_least(&best[PLAIN], time_plain(cache, plain));
        keep_least(&best[PLAIN_READ], time_plain_read(cache, plain));
        unlink(plain);
        keep_least(&best[ONE], time_write(cache, frame, NULL));
        unlink(frame);
        keep_least(&best[ALL], time_write(cache, frame, cache->tasks));
        keep_least(&best[READ], time_read(frame));
        unlink(frame);
    }
}

/* One figure from seconds. */
static void print_rate(const BenchOptions *options, const Cache *cache, BenchFigure figure)
{
    double megabytes = (double)cache->bytes * 1e-6;
    figure.metric = "throughput", figure.unit = "MB/s";
    figure.value = megabytes / figure.value;
    figure.peer_value = megabytes / figure.peer_value;
    bench_print(options, &figure);
}

int bench_cache(const BenchOptions *options)
{
    enum { ROUNDS = 7, ROWS = 1000000 };
    double best[MEASURES];
    Cache cache;
    bool made = cache_make(&cache, options->count > 0 ? options->count : ROWS, options->threads);
    if (made) {
        int workers = mote_tasks_workers(cache.tasks);
        measure(&cache, ROUNDS, best);
        print_rate(options, &cache,
                   (BenchFigure){.name = "cache/write",
                                 .value = best[ONE],
                                 .threads = 1,
                                 .peer = "fwrite+fsync",
                                 .peer_value = best[PLAIN]});
        print_rate(options, &cache,
                   (BenchFigure){.name = "cache/write",
                                 .value = best[ALL],
                                 .threads = workers,
                                 .peer = "fwrite+fsync",
                                 .peer_value = best[PLAIN]});
        print_rate(options, &cache,
                   (BenchFigure){.name = "cache/read",
                                 .value = best[READ],
                                 .threads = 1,
                                 .peer = "fread",
                                 .peer_value = best[PLAIN_READ]});
    }
    cache_free(&cache);
    bool good = made && best[ONE] < HUGE_VAL && best[READ] < HUGE_VAL;
    if (!good)
        fprintf(stderr, "mote: the cache could not be measured: no memory, or no file could "
                        "be written in this folder\n");
    return good ? 0 : 1;
}
