/* Fields with functions that a scene writes: f of the noise, E and A of the wave number, against
 * fields of the same law and against what is measured. */
#include "scene/loading.h"

#include <mote/fields.h>

enum { POINTS = 16, COUNT = POINTS * POINTS * POINTS };

typedef struct Samples {
    mote_real at[3][COUNT], value[3][COUNT];
} Samples;

static Samples grids[2];

/* A grid over a box of 8 m. */
static void sample(const char *field, Samples *to)
{
    char text[400];
    snprintf(text, sizeof text, "{mote: 1, fields: [{name: 'f', %s}], systems: [{name: 's'}]}",
             field);
    Loading loading = loading_world(text);
    for (size_t i = 0; i < COUNT; ++i) {
        to->at[0][i] = (mote_real)(8.0 / POINTS * (double)(i % POINTS));
        to->at[1][i] = (mote_real)(8.0 / POINTS * (double)(i / POINTS % POINTS));
        to->at[2][i] = (mote_real)(8.0 / POINTS * (double)(i / POINTS / POINTS));
    }
    mote_FieldPoints points = {.count = COUNT, .x = {to->at[0], to->at[1], to->at[2]}};
    mote_real *const out[3] = {to->value[0], to->value[1], to->value[2]};
    SETUP_OK(mote_world_sample_field(loading.world, "f", &points, out, &loading.error),
             loading.error);
    loading_end(&loading);
}

static double largest_difference(int components, double (*of)(double))
{
    double most = 0;
    for (int c = 0; c < components; ++c)
        for (size_t i = 0; i < COUNT; ++i)
            most =
                fmax(most, fabs((double)grids[0].value[c][i] - of((double)grids[1].value[c][i])));
    return most;
}

static double itself(double n)
{
    return n;
}

static double cubed(double n)
{
    return n * n * n - 0.2 * n + 0.1;
}

/* One octave: f of the noise itself. */
static void f_is_applied_to_the_noise(void)
{
    sample("type: 'noise', scale: 1.7, seed: 3, f: '=n^3 - 0.2*n + 0.1'", &grids[0]);
    sample("type: 'noise', scale: 1.7, seed: 3", &grids[1]);
    CHECK(largest_difference(1, cubed) < 1e-6);
    CHECK(largest_difference(1, itself) > 0.05);
}

/* Several octaves: what abs and ridged are, written down. */
static void f_is_summed_over_octaves(void)
{
    static const char *const laws[][2] = {{"abs", "=abs(n)"}, {"ridged", "=(1-abs(n))^2"}};
    char text[2][200];
    for (size_t i = 0; i < COUNT_OF(laws); ++i) {
        snprintf(text[0], sizeof text[0], "type: 'turbulence', seed: 1, f: '%s'", laws[i][1]);
        snprintf(text[1], sizeof text[1], "type: 'turbulence', seed: 1, function: '%s'",
                 laws[i][0]);
        sample(text[0], &grids[0]), sample(text[1], &grids[1]);
        CHECK(largest_difference(3, itself) < 2e-6);
    }
}

static void known_spectra_can_be_written(void)
{
    sample("type: 'spectral-wind', size: 8, rms: 2, time: 'frozen', E: '=k^-2'", &grids[0]);
    sample("type: 'spectral-wind', size: 8, rms: 2, time: 'frozen', spectrum: 'power', slope: -2",
           &grids[1]);
    CHECK(largest_difference(3, itself) < 1e-6);
    sample("type: 'spectral-noise', size: 8, A: '=1/k'", &grids[0]);
    sample("type: 'spectral-noise', size: 8, slope: -1", &grids[1]);
    CHECK(largest_difference(1, itself) < 1e-6);
}

static double hump(double k)
{
    return k * k * exp(-k / 1.1);
}

/* Shells of the field, sampled where its table has its points, against E(k) at their middles: the
 * same up to one factor. */
static void the_spectrum_is_the_expression(void)
{
    double energy[POINTS], factor = 0, low = 1e9, high = 0;
    const double width = 2 * 3.14159265358979 / 8;
    sample("type: 'spectral-wind', size: 8, points: 16, grids: 1, rms: 1, time: 'frozen', "
           "k_hi: 4.5, E: '=k^2 * exp(-k / 1.1)'",
           &grids[0]);
    mote_SpectrumSamples samples = {
        .dimension = 3,
        .points = POINTS,
        .size = 8,
        .components = 3,
        .planes = {grids[0].value[0], grids[0].value[1], grids[0].value[2]},
        .periodic = true};
    mote_Error error;
    SETUP_OK(mote_spectrum_estimate(&samples, NULL, energy, &error), error);
    for (int n = 2; n <= 5; ++n) {
        factor = energy[n] / hump(n * width);
        low = fmin(low, factor), high = fmax(high, factor);
    }
    CHECK(low > 0 && high / low < 1.25);
    if (!(high / low < 1.25)) fprintf(stderr, "  from %g to %g\n", low, high);
}

TESTS({"f_is_applied_to_the_noise", f_is_applied_to_the_noise},
      {"f_is_summed_over_octaves", f_is_summed_over_octaves},
      {"known_spectra_can_be_written", known_spectra_can_be_written},
      {"the_spectrum_is_the_expression", the_spectrum_is_the_expression})
