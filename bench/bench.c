/* Printing of figures, and the memory's speed as a peer. */
#include "bench/bench.h"

#include "base/isa.h"
#include "base/memory.h"
#include "base/random.h"
#include "bench/update.h"
#include "particles/system.h"

#include <stdio.h>

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_clock_of(int threads)
{
    return threads > 1 ? clock_seconds() : seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double bench_processor_seconds(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
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

#define BENCH_ROW(name, doc, cases)                  {#name, doc, bench_##name, cases},
#define BENCH_DASHED_ROW(function, name, doc, cases) {name, doc, bench_##function, cases},
const BenchRow bench_all[] = {BENCH_ROWS(BENCH_ROW)
                                  BENCH_DASHED_ROWS(BENCH_DASHED_ROW){.name = NULL}};

int bench_unknown_case(const char *benchmark, const BenchOptions *options)
{
    fprintf(stderr, "mote: --only: benchmark `%s` has no case `%s`; it has %s\n", benchmark,
            options->only, options->cases);
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

mote_Tasks *bench_tasks(int threads)
{
    mote_TasksDef def = mote_tasks_def();
    mote_Tasks *tasks = NULL;
    mote_Error error;
    def.threads = threads;
    if (mote_tasks_create(&def, &tasks, &error) == MOTE_OK) return tasks;
    fprintf(stderr, "mote: %s\n", error.message);
    return NULL;
}

void bench_scatter(mote_System *system, size_t count, bool resting)
{
    RandomKey key = random_key(1, "bench");
    const mote_Column *x = mote_system_column(system, "position");
    const mote_Column *v = mote_system_column(system, "velocity");
    for (size_t i = 0; i < count; ++i) {
        Random4 u = random_draw(key, i, 0, 0), w = random_draw(key, i, 0, 1);
        for (int c = 0; c < 3; ++c) {
            column_real(x, c)[i] =
                resting && c == 1 ? (mote_real)0.01 : 100 * random_unit(u.word[c]);
            column_real(v, c)[i] = resting ? 0 : random_signed(w.word[c]);
        }
    }
    mote_system_edited(system);
}
