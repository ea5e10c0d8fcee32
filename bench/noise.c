/* Noise: samples per second of one thread at scattered points, as particles ask for them, and clock
 * cycles per sample. */
#include "bench/bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "noise/turbulence.h"

#include <mote/world.h>

#include <stdio.h>
#include <string.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

enum { POINTS = 1 << 14, TRIALS = 400, PLANES = 8 };

typedef struct Bench {
    const BenchOptions *options;
    Isa isa;
    mote_real *x[4], *out[4];
    mote_World *world; /* of fields */
    size_t measured;   /* cases */
} Bench;

typedef struct Case {
    const char *name;
    const NoiseRow *row;   /* or */
    const Turbulence *sum; /* or */
    const char *field;     /* of the world */
    bool gradient;
    int dimensions;
} Case;

static uint64_t cycles(void)
{
#ifdef __x86_64__
    return __rdtsc();
#else
    return 0;
#endif
}

static void run_once(const Bench *bench, const Case *c)
{
    mote_real *const *x = bench->x, *const *out = bench->out;
    if (c->row != NULL) {
        NoiseJob job = {.count = POINTS,
                        .x = {x[0], x[1], x[2], x[3]},
                        .seed = noise_seed(1, 0),
                        .value = out[3],
                        .gradient = {out[0], out[1], out[2], out[3]}};
        if (c->dimensions == 4 && c->gradient) job.value = x[3];
        (c->gradient ? c->row->gradient : c->row->value)[c->dimensions - 3](&job);
    } else if (c->sum != NULL) {
        TurbulencePoints points = {POINTS, {x[0], x[1], x[2]}, 0};
        c->sum->kernels->sample(c->sum, &points, out[3], c->gradient ? out : NULL);
    } else {
        mote_FieldPoints points = {.count = POINTS, .x = {x[0], x[1], x[2]}};
        mote_world_sample_field(bench->world, c->field, &points, out, NULL);
    }
}

/* The fastest of many passes over points that stay in the cache. */
static void measure(Bench *bench, const Case *c)
{
    double best = 1e30;
    uint64_t fewest = UINT64_MAX;
    char name[96];
    if (bench->options->only != NULL && strcmp(bench->options->only, c->name) != 0) return;
    ++bench->measured;
    for (int trial = 0; trial < TRIALS; ++trial) {
        double before = clock_seconds();
        uint64_t start = cycles();
        run_once(bench, c);
        uint64_t spent = cycles() - start;
        double seconds = clock_seconds() - before;
        if (seconds < best) best = seconds;
        if (spent < fewest) fewest = spent;
    }
    snprintf(name, sizeof name, "noise/%s/%s/%s", c->name,
             sizeof(mote_real) == 4 ? "float" : "double", mote_isa_name());
    bench_print(bench->options, &(BenchFigure){.name = name,
                                               .metric = "samples_per_s",
                                               .unit = "1/s",
                                               .value = POINTS / best,
                                               .threads = 1});
    bench_print(bench->options, &(BenchFigure){.name = name,
                                               .metric = "cycles_per_sample",
                                               .unit = "",
                                               .value = (double)fewest / POINTS,
                                               .threads = 1});
}

static void bench_rows(Bench *bench)
{
    size_t count;
    const mote_Row *const *rows = noise_rows(bench->isa, &count);
    for (size_t i = 0; i < count; ++i)
        for (int dimensions = 3; dimensions <= 4; ++dimensions)
            for (int gradient = 0; gradient < 2; ++gradient) {
                char name[64];
                snprintf(name, sizeof name, "%s-%dd%s", rows[i]->name, dimensions,
                         gradient ? "-gradient" : "");
                Case c = {.name = name,
                          .row = (const NoiseRow *)rows[i],
                          .gradient = gradient != 0,
                          .dimensions = dimensions};
                measure(bench, &c);
            }
}

static void bench_sums(Bench *bench)
{
    TurbulenceDef def = {.isa = bench->isa,
                         .octaves = 5,
                         .scale = 1,
                         .amplitude = 1,
                         .ratio = 2,
                         .exponent = 1,
                         .rotate = true};
    Turbulence sum;
    turbulence_make(&def, 0, &sum);
    measure(bench, &(Case){.name = "fbm-5-octaves", .sum = &sum});
    measure(bench, &(Case){.name = "fbm-5-octaves-gradient", .sum = &sum, .gradient = true});
}

static int bench_fields(Bench *bench)
{
    static const struct {
        const char *name;
        uint64_t octaves;
        double period;
    } kinds[] = {{"curl-noise", 1, 0}, {"curl-noise-4d", 1, 1}, {"curl-noise-3-octaves", 3, 0}};
    mote_WorldDef def = mote_world_def();
    mote_Error error;
    int failed = mote_world_create(&def, &bench->world, &error) != MOTE_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && !failed; ++i) {
        mote_CurlNoiseField curl = mote_curl_noise_field_def();
        mote_FieldDef field = mote_field_def();
        field.name = kinds[i].name, field.type = "curl-noise", field.params = &curl;
        curl.octaves = kinds[i].octaves, curl.period = kinds[i].period;
        failed = mote_world_add_field(bench->world, &field, &error) != MOTE_OK;
        if (!failed) measure(bench, &(Case){.name = kinds[i].name, .field = kinds[i].name});
    }
    if (failed) fprintf(stderr, "mote: %s\n", error.message);
    mote_world_destroy(bench->world);
    return failed;
}

int bench_noise(const BenchOptions *options)
{
    Memory memory = memory_make(mote_default_allocator());
    Bench bench = {.options = options, .isa = isa_pick()};
    size_t bytes = PLANES * POINTS * sizeof(mote_real);
    mote_real *planes = memory_zeroed(&memory, bytes);
    RandomKey key = random_key(1, "bench");
    if (planes == NULL) return 1;
    for (int k = 0; k < 4; ++k)
        bench.x[k] = planes + k * POINTS, bench.out[k] = planes + (4 + k) * POINTS;
    for (size_t i = 0; i < POINTS; ++i) {
        Random4 draw = random_draw(key, i, 0, 0);
        for (int k = 0; k < 4; ++k) bench.x[k][i] = 500 * random_signed(draw.word[k]);
    }
    bench_rows(&bench);
    bench_sums(&bench);
    int failed = bench_fields(&bench);
    memory_free(&memory, planes, bytes);
    return bench.measured > 0 ? failed : bench_unknown_case("noise", options);
}
