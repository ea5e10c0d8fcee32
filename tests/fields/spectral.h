/* What the tests of spectral fields start from: a field that is opened without a world. */
#ifndef TESTS_FIELDS_SPECTRAL_H
#define TESTS_FIELDS_SPECTRAL_H

#include "fields/spectral.h"

#include "base/math.h"
#include "setup.h"

#define TWO_PI 6.28318530717958647693

static Memory test_memory;

static inline FieldSite test_site(mote_Tasks *tasks)
{
    if (test_memory.allocations == 0) test_memory = memory_make((mote_Allocator){0});
    return (FieldSite){.memory = &test_memory,
                       .tasks = tasks,
                       .isa = isa_pick(),
                       .dimension = 3,
                       .where = "field test"};
}

/* One grid that does not change, read at the points of its table. */
static inline mote_SpectralWindField test_wind(void)
{
    mote_SpectralWindField wind = mote_spectral_wind_field_def();
    wind.size = (mote_real)TWO_PI; /* wave numbers are integers */
    wind.grids = 1;
    wind.time = MOTE_TIME_FROZEN;
    wind.sampling = MOTE_SAMPLING_LINEAR;
    return wind;
}

static inline SpectralSetup test_setup(const mote_SpectralWindField *wind, bool flat)
{
    SpectralSetup setup;
    mote_Error error;
    SETUP_OK(spectral_wind_setup(wind, flat, "field test", &setup, &error), error);
    return setup;
}

static inline Spectral *test_open(const SpectralSetup *setup, uint64_t seed)
{
    FieldSite site = test_site(NULL);
    Spectral *spectral;
    mote_Error error;
    SETUP_OK(spectral_open(&site, setup, random_key(seed, "wind"), &spectral, &error), error);
    return spectral;
}

static inline SpectralModes test_modes(const SpectralSetup *setup, uint64_t seed)
{
    FieldSite site = test_site(NULL);
    SpectralModes modes;
    mote_Error error;
    SETUP_OK(spectral_modes_make(setup, 0, random_key(seed, "wind"), &site, &modes, &error), error);
    return modes;
}

/* One component of a table at (x, y, z), without its margins. */
static inline double test_at(const Spectral *s, const float *table, const size_t at[3], int c)
{
    size_t row = s->setup.points + SPECTRAL_MARGIN, depth = s->setup.flat ? 0 : at[2] + 1;
    return (
        double)table[((depth * row + at[1] + 1) * row + at[0] + 1) * SPECTRAL_LANES + (size_t)c];
}

/* The components of table 0 of grid 0 as planes; free planes[0]. */
static inline void test_planes(const Spectral *s, mote_real *planes[3])
{
    size_t n = s->setup.points, count = n * n * (s->setup.flat ? 1 : n);
    planes[0] = malloc(3 * count * sizeof(mote_real));
    for (int c = 0; c < 3; ++c) {
        planes[c] = planes[0] + (size_t)c * count;
        for (size_t i = 0; i < count; ++i) {
            const size_t at[3] = {i % n, i / n % n, i / n / n};
            planes[c][i] = (mote_real)test_at(s, s->grids[0].tables[0], at, c);
        }
    }
}

#endif
