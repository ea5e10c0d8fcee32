/* Printing of figures, and the memory's speed as a peer. */
#include "bench/bench.h"

#include "base/isa.h"
#include "base/memory.h"
#include "bench/update.h"

#include <stdio.h>

double bench_clock_of(int threads)
{
    struct timespec now;
    if (threads > 1) return clock_seconds();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_json(const BenchFigure *f)
{
    printf("{\"name\": \"%s\", \"metric\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", "
           "\"threads\": %d",
           f->name, f->metric, f->value, f->unit, f->threads);
    if (f->peer != NULL) printf(", \"peer\": \"%s\", \"peer_value\": %.6g", f->peer, f->peer_value);
    printf("}\n");
}

void bench_print(const BenchOptions *options, const BenchFigure *f)
{
    if (options->json)
        print_json(f);
    else if (f->peer != NULL)
        printf("%-34s %-30s %10.4g %-8s %d thread%s   (%s: %.4g)\n", f->name, f->metric, f->value,
               f->unit, f->threads, f->threads == 1 ? " " : "s", f->peer, f->peer_value);
    else
        printf("%-34s %-30s %10.4g %-8s %d thread%s\n", f->name, f->metric, f->value, f->unit,
               f->threads, f->threads == 1 ? " " : "s");
    fflush(stdout);
}

int bench_unknown_case(const char *benchmark, const BenchOptions *options)
{
    fprintf(stderr, "mote: --only: benchmark `%s` has no case `%s`\n", benchmark, options->only);
    return 1;
}

/* ---- the in-place update loop ---- */

typedef struct Update {
    const UpdateKernels *kernels;
    float *values;
} Update;

static void update_body(void *context, size_t begin, size_t end, int worker)
{
    const Update *update = context;
    (void)worker;
    update->kernels->update(update->values + begin, end - begin, 0.999f, 0.001f);
}

ISA_KERNELS(bench_update_kernels, UpdateKernels, bench_update)

double bench_update_bandwidth(mote_Tasks *tasks, size_t bytes)
{
    Memory memory = memory_make(mote_default_allocator());
    size_t count = bytes / sizeof(float);
    Update update = {.kernels = bench_update_kernels(isa_pick()),
                     .values = memory_take(&memory, bytes)};
    double best = 0;
    if (update.values == NULL) return 0;
    for (size_t i = 0; i < count; ++i) update.values[i] = 1;
    for (int trial = 0; trial < 12; ++trial) {
        double before = clock_seconds();
        mote_parallel_for(tasks, count, (size_t)1 << 16, update_body, &update);
        double rate = 2.0 * (double)bytes / (clock_seconds() - before);
        if (rate > best) best = rate;
    }
    memory_free(&memory, update.values, bytes);
    return best;
}

mote_Status bench_change_nothing(void *context, mote_World *world, double t, mote_Error *error)
{
    (void)context, (void)world, (void)t, (void)error;
    return MOTE_OK;
}
