/* Spectral wind: velocities sampled per second, by interpolation, at random places; and the tables
 * of a moment per second. */
#include "bench/bench.h"

#include "base/isa.h"
#include "base/memory.h"
#include "fields/spectral.h"

#include <math.h>
#include <stdio.h>

enum { POINTS = 1 << 16, TRIALS = 40 };

typedef struct WindBench {
    mote_real *x[3], *u[3];
    Memory memory;
    Field field;
    mote_SpectralWindField wind;
} WindBench;

/* Splitmix64. */
static double uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static bool make_points(WindBench *b)
{
    uint64_t state = 1;
    for (int c = 0; c < 3; ++c) {
        b->x[c] = memory_take(&b->memory, POINTS * sizeof(mote_real));
        b->u[c] = memory_take(&b->memory, POINTS * sizeof(mote_real));
        if (b->x[c] == NULL || b->u[c] == NULL) return false;
        for (size_t i = 0; i < POINTS; ++i) b->x[c][i] = (mote_real)(100 * uniform(&state) - 50);
    }
    return true;
}

static const FieldRow *wind_row(void)
{
    size_t count;
    const mote_Row *const *rows = field_rows(isa_pick(), &count);
    return (const FieldRow *)row_find(rows, count, "bench", "field", "spectral-wind", NULL);
}

static mote_Status open_wind(WindBench *b, mote_Error *error)
{
    FieldSite site = {
        .memory = &b->memory, .isa = isa_pick(), .dimension = 3, .where = "bench wind"};
    mote_FieldDef def = mote_field_def();
    def.name = "wind", def.type = "spectral-wind";
    b->field = (Field){.row = wind_row()};
    static char name[] = "wind";
    b->field.object.name = name;
    b->field.object.params = &b->wind;
    return field_open(&site, &b->field, &def, error);
}

/* Vectors per second, best of many. */
static double measure_sampling(WindBench *b)
{
    FieldPoints points = {POINTS, {b->x[0], b->x[1], b->x[2]}, 0.0123};
    double best = 0;
    for (int trial = 0; trial < TRIALS; ++trial) {
        double before = clock_seconds();
        field_sample(&b->field, &points, b->u);
        best = fmax(best, POINTS / (clock_seconds() - before));
    }
    return best;
}

/* Tables per second. */
static double measure_tables(const WindBench *b)
{
    const Spectral *spectral = b->field.state;
    double best = 0;
    for (int trial = 0; trial < TRIALS / 4; ++trial) {
        double before = clock_seconds();
        spectral_make_table(spectral, 0, trial, spectral->grids[0].tables[0]);
        best = fmax(best, 1 / (clock_seconds() - before));
    }
    return best;
}

static void print(const BenchOptions *options, const char *name, const char *metric, double value)
{
    bench_print(options,
                &(BenchFigure){
                    .name = name, .metric = metric, .unit = "1/s", .value = value, .threads = 1});
}

static mote_Status run_sampling(const BenchOptions *options, WindBench *b, mote_Error *error)
{
    static const char *const samplings[] = {"linear", "cubic", "curl"};
    static const int times[] = {MOTE_TIME_STREAMING, MOTE_TIME_FROZEN};
    for (int s = 0; s < 3; ++s)
        for (int t = 0; t < 2; ++t) {
            char name[80];
            b->wind = mote_spectral_wind_field_def();
            b->wind.grids = 1, b->wind.sampling = s, b->wind.time = times[t];
            mote_Status status = open_wind(b, error);
            if (status != MOTE_OK) return status;
            snprintf(name, sizeof name, "wind/%s%s/%s", samplings[s], t == 0 ? "" : "-frozen",
                     mote_isa_name());
            print(options, name, "vectors_per_s", measure_sampling(b));
            field_close(&b->memory, &b->field);
        }
    return MOTE_OK;
}

static mote_Status run_tables(const BenchOptions *options, WindBench *b, mote_Error *error)
{
    static const size_t sizes[] = {32, 64, 128};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        char name[80];
        b->wind = mote_spectral_wind_field_def();
        b->wind.grids = 1, b->wind.points = sizes[i];
        mote_Status status = open_wind(b, error);
        if (status != MOTE_OK) return status;
        snprintf(name, sizeof name, "wind/table-%zu/%s", sizes[i], mote_isa_name());
        print(options, name, "tables_per_s", measure_tables(b));
        field_close(&b->memory, &b->field);
    }
    return MOTE_OK;
}

int bench_wind(const BenchOptions *options)
{
    WindBench b = {.memory = memory_make(mote_default_allocator())};
    mote_Error error = {.message = "out of memory"};
    mote_Status status = make_points(&b) ? MOTE_OK : MOTE_NO_MEMORY;
    if (status == MOTE_OK) status = run_sampling(options, &b, &error);
    if (status == MOTE_OK) status = run_tables(options, &b, &error);
    for (int c = 0; c < 3; ++c) {
        memory_free(&b.memory, b.x[c], POINTS * sizeof(mote_real));
        memory_free(&b.memory, b.u[c], POINTS * sizeof(mote_real));
    }
    if (status != MOTE_OK) fprintf(stderr, "mote: %s\n", error.message);
    return status != MOTE_OK;
}
