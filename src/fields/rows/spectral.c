/* Fields with a given spectrum: fields/spectral.h says how they are made. */
#include "base/hash.h"
#include "base/loop.h"
#include "fields/kernels/spectral_kernels.h"

static mote_Status prepare(Field *field, double t, double dt, mote_Error *error)
{
    return spectral_prepare(field->state, t, dt, ISA(spectral_blend), error);
}

static const char *const times[] = {"streaming", "periodic", "frozen", NULL};

/* What can be said before there is a field: what is wrong with it, and what its tables leave out.
 */
#define SPECTRAL_CHECKS(name)                                                                      \
    static mote_Status name##_check(const void *raw, const char *where, mote_Error *error)         \
    {                                                                                              \
        SpectralSetup setup;                                                                       \
        return spectral_##name##_setup(raw, false, where, &setup, error);                          \
    }                                                                                              \
    static void name##_forecast(const void *raw, const Outlook *outlook)                           \
    {                                                                                              \
        SpectralSetup setup;                                                                       \
        if (spectral_##name##_setup(raw, outlook->flat, "", &setup, NULL) == MOTE_OK)              \
            spectral_forecast(&setup, outlook);                                                    \
    }

#define SPECTRAL_CALLBACKS(name)                                                                   \
    .sample = name##_sample, .check = name##_check, .open = name##_open, .close = spectral_close,  \
    .prepare = prepare, .advance = name##_advance, .saved_count = SPECTRAL_SAVED,                  \
    .forecast = name##_forecast

/* ---- scalar noise: the sum over wave vectors k of A(|k|) cos(k.x + theta) ---- */

static const char *const noise_samplings[] = {"linear", "cubic", NULL};

static const char *const of_wave_number[] = {"k", NULL};

#define NOISE mote_SpectralNoiseField
static const mote_Param noise_params[] = {
    PARAM_REAL(NOISE, rms, "", "root of the mean square; 0: as the amplitudes give it", 1, 0,
               PARAM_LARGEST),
    PARAM_REAL(NOISE, mean, "", "mean value", 0, -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_REAL(NOISE, size, "m", "side of the box that repeats", 8, 1e-9, 1e12),
    PARAM_COUNT(NOISE, points, "points of the table per axis: a product of 2, 3 and 5", 32, 4, 512),
    PARAM_REAL(NOISE, k_lo, "rad/m", "lowest wave number; 0: 2 pi / size", 0, 0, PARAM_LARGEST),
    PARAM_REAL(NOISE, k_hi, "rad/m", "highest wave number; 0: half of what the points resolve", 0,
               0, PARAM_LARGEST),
    PARAM_REAL(NOISE, slope, "", "exponent of k in the amplitudes", -11.0 / 6, -20, 20),
    PARAM_FORMULA(NOISE, A, "", "own amplitudes in the place of k^slope", 1, of_wave_number, 0),
    PARAM_REAL(NOISE, jitter, "", "part of an amplitude that is random", 0, 0, 1),
    PARAM_VEC3(NOISE, velocity, "m/s", "velocity that the noise is carried with", 0, 0, 0),
    PARAM_CHOICE(NOISE, time, "whether the noise repeats in time, or stands still", times, 2),
    PARAM_REAL(NOISE, sigma, "m/s", "waves of number k change at the rate k sigma; 0: not at all",
               0, 0, PARAM_LARGEST),
    PARAM_REAL(NOISE, period, "s", "period of periodic time; 0: 4 pi / (k_lo sigma)", 0, 0, 1e12),
    PARAM_COUNT(NOISE, slices, "moments in a period; 0: what the highest waves need", 0, 0, 4096),
    PARAM_REAL(NOISE, interval, "s",
               "time between the tables of streaming time; 0: 1 / (2 k_hi sigma)", 0, 0, 1e12),
    PARAM_CHOICE(NOISE, sampling, "interpolation in the table", noise_samplings, 1),
    PARAM_COUNT(NOISE, grids, "boxes in the golden ratio, turned, which hide the period", 1, 1,
                SPECTRAL_MOST_GRIDS),
    PARAM_BOOL(NOISE, split, "the boxes share out the band, instead of all carrying it", 0),
    PARAM_COUNT(NOISE, seed, "another number is another noise", 0, 0, 9007199254740991.0),
};

SPECTRAL_CHECKS(noise)

static mote_Status noise_open(const FieldSite *site, Field *field, mote_Error *error)
{
    const NOISE *p = field->object.params;
    RandomKey key = random_key(site->seed ^ hash_mix(p->seed), field->object.name);
    SpectralSetup setup;
    Spectral *spectral;
    mote_Status status = spectral_noise_setup(p, site->dimension == 2, site->where, &setup, error);
    if (status == MOTE_OK) status = spectral_open(site, &setup, key, &spectral, error);
    if (status == MOTE_OK) field->state = spectral;
    return status;
}

static void noise_advance(Field *field, double t, double dt)
{
    const NOISE *p = field->object.params;
    spectral_travel(field, p->velocity, t + dt);
}

static void noise_sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const NOISE *p = field->object.params;
    SpectralSum sum = {.spectral = field->state, .strength = p->rms > 0 ? p->rms : 1};
    spectral_travelled(field, p->velocity, points->t, sum.travelled);
    ISA(spectral_sum)(&sum, points, out);
    mote_real *to = out[0], mean = p->mean;
    FOR_ROWS (i, points->count) to[i] += mean;
}

const FieldRow ISA(field_spectral_noise) = {
    .head = ROW_HEAD("spectral-noise",
                     "scalar noise from random cosines of given amplitudes; Shinya and Fournier, "
                     "Eurographics 1992",
                     noise_params, mote_SpectralNoiseField),
    .components = 1,
    SPECTRAL_CALLBACKS(noise),
};

/* ---- turbulent wind with a given energy spectrum ---- */

static const char *const spectra[] = {"kolmogorov", "von-karman", "power", "user", NULL};
static const char *const variances[] = {"fixed", "gaussian", NULL};
static const char *const wind_samplings[] = {"linear", "cubic", "curl", NULL};

#define WIND mote_SpectralWindField
static const mote_Param wind_params[] = {
    PARAM_VEC3(WIND, mean, "m/s", "mean wind, which carries the turbulence along", 0, 0, 0),
    PARAM_REAL(WIND, rms, "m/s", "strength: root of the mean square speed of the turbulence", 1, 0,
               PARAM_LARGEST),
    PARAM_REAL(WIND, dissipation, "m^2/s^3",
               "dissipation rate that sets the spectrum instead of rms; 0: rms does", 0, 0, 1e15),
    PARAM_REAL(WIND, size, "m", "side of the box that repeats", 8, 1e-9, 1e12),
    PARAM_COUNT(WIND, points, "points of the table per axis: a product of 2, 3 and 5", 32, 4, 512),
    PARAM_CHOICE(WIND, spectrum, "how the energy is spread over the eddies", spectra, 0),
    PARAM_REAL(WIND, k_lo, "rad/m", "wave number of the largest eddies; 0: 2 pi / size", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(WIND, k_hi, "rad/m",
               "wave number of the smallest eddies; 0: half of what the points resolve", 0, 0,
               PARAM_LARGEST),
    PARAM_FORMULA(WIND, E, "m^3/s^2",
                  "own energy spectrum in the place of `spectrum`; up to a factor that rms sets", 1,
                  of_wave_number, 0),
    PARAM_REAL(WIND, slope, "", "exponent of k in the power spectrum", -5.0 / 3, -20, 20),
    PARAM_REAL(WIND, eddy, "m", "length where von Karman's spectrum bends; 0: size / 12", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(WIND, viscous, "m", "length of Pao's viscous tail; 0: no tail", 0, 0, PARAM_LARGEST),
    PARAM_CHOICE(WIND, time, "whether the field repeats in time, or stands still", times, 0),
    PARAM_REAL(WIND, sigma, "m/s", "speed that eddies are swept with; 0: rms / sqrt(3)", 0, 0,
               PARAM_LARGEST),
    PARAM_REAL(WIND, period, "s", "period of periodic time; 0: 4 pi / (k_lo sigma)", 0, 0, 1e12),
    PARAM_COUNT(WIND, slices, "moments in a period; 0: what the smallest eddies need", 0, 0, 4096),
    PARAM_REAL(WIND, interval, "s",
               "time between the tables of streaming time; 0: 1 / (2 k_hi sigma)", 0, 0, 1e12),
    PARAM_CHOICE(WIND, variance, "the spectrum is met exactly, or on the average", variances, 0),
    PARAM_CHOICE(WIND, sampling, "interpolation in the table", wind_samplings, 2),
    PARAM_COUNT(WIND, grids, "boxes in the golden ratio, turned, which hide the period", 2, 1,
                SPECTRAL_MOST_GRIDS),
    PARAM_BOOL(WIND, split, "the boxes share out the band, instead of all carrying it", 0),
    PARAM_BOOL(WIND, carried, "finer boxes are carried along by the coarser ones", 0),
    PARAM_COUNT(WIND, seed, "another number is another wind", 0, 0, 9007199254740991.0),
};

static RandomKey wind_key(const Field *field, uint64_t world_seed)
{
    const WIND *p = field->object.params;
    return random_key(world_seed ^ hash_mix(p->seed), field->object.name);
}

SPECTRAL_CHECKS(wind)

static mote_Status wind_open(const FieldSite *site, Field *field, mote_Error *error)
{
    SpectralSetup setup;
    Spectral *spectral;
    mote_Status status =
        spectral_wind_setup(field->object.params, site->dimension == 2, site->where, &setup, error);
    if (status == MOTE_OK)
        status = spectral_open(site, &setup, wind_key(field, site->seed), &spectral, error);
    if (status == MOTE_OK) field->state = spectral;
    return status;
}

static void wind_advance(Field *field, double t, double dt)
{
    const WIND *p = field->object.params;
    spectral_travel(field, p->mean, t + dt);
}

static SpectralSum wind_sum(const Field *field, double t)
{
    const WIND *p = field->object.params;
    Spectral *spectral = field->state;
    const SpectralSetup *setup = &spectral->setup;
    SpectralSum sum = {.spectral = spectral, .strength = setup->unit ? p->rms : 1};
    spectral_travelled(field, p->mean, t, sum.travelled);
    if (!p->carried || setup->sigma == 0) return sum;
    sum.carried = true;
    sum.turnover = 1 / (setup->grids[0].spectrum.k_lo * setup->sigma);
    sum.key = wind_key(field, 0);
    return sum;
}

static void wind_sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const WIND *p = field->object.params;
    const mote_real mean[3] = {p->mean.x, p->mean.y, p->mean.z};
    SpectralSum sum = wind_sum(field, points->t);
    ISA(spectral_sum)(&sum, points, out);
    for (int c = 0; c < 3; ++c) {
        mote_real *to = out[c], more = mean[c];
        FOR_ROWS (i, points->count) to[i] += more;
    }
}

const FieldRow ISA(field_spectral_wind) = {
    .head = ROW_HEAD("spectral-wind",
                     "turbulent wind with a given energy spectrum, free of divergence; Stam and "
                     "Fiume, SIGGRAPH 1993",
                     wind_params, mote_SpectralWindField),
    .components = 3,
    SPECTRAL_CALLBACKS(wind),
};
