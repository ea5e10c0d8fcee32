/* Scalar noise with given amplitudes: the sum over wave vectors k of A(|k|) cos(k.x + theta).
 * fields/spectral.h says how it is made. */
#include "base/hash.h"
#include "base/loop.h"
#include "fields/kernels/spectral_kernels.h"

static const char *const times[] = {"streaming", "periodic", "frozen", NULL};
static const char *const samplings[] = {"linear", "cubic", NULL};

#define NOISE mote_SpectralNoiseField
static const mote_Param params[] = {
    PARAM_REAL(NOISE, rms, "", "root of the mean square; 0: as the amplitudes give it", 1, 0,
               PARAM_LARGEST),
    PARAM_REAL(NOISE, mean, "", "mean value", 0, -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_REAL(NOISE, size, "m", "side of the box that repeats", 8, 1e-9, 1e12),
    PARAM_COUNT(NOISE, points, "points of the table per axis: a product of 2, 3 and 5", 32, 4, 512),
    PARAM_REAL(NOISE, k_lo, "rad/m", "lowest wave number; 0: 2 pi / size", 0, 0, PARAM_LARGEST),
    PARAM_REAL(NOISE, k_hi, "rad/m", "highest wave number; 0: half of what the points resolve", 0,
               0, PARAM_LARGEST),
    PARAM_REAL(NOISE, slope, "", "exponent of k in the amplitudes", -11.0 / 6, -20, 20),
    PARAM_REAL(NOISE, jitter, "", "part of an amplitude that is random", 0, 0, 1),
    PARAM_VEC3(NOISE, velocity, "m/s", "velocity that the noise is carried with", 0, 0, 0),
    PARAM_CHOICE(NOISE, time, "whether the noise repeats in time, or stands still", times, 2),
    PARAM_REAL(NOISE, sigma, "m/s", "waves of number k change at the rate k sigma; 0: not at all",
               0, 0, PARAM_LARGEST),
    PARAM_REAL(NOISE, period, "s", "period of periodic time; 0: 4 pi / (k_lo sigma)", 0, 0, 1e12),
    PARAM_COUNT(NOISE, slices, "moments in a period; 0: what the highest waves need", 0, 0, 4096),
    PARAM_REAL(NOISE, interval, "s",
               "time between the tables of streaming time; 0: 1 / (2 k_hi sigma)", 0, 0, 1e12),
    PARAM_CHOICE(NOISE, sampling, "interpolation in the table", samplings, 1),
    PARAM_COUNT(NOISE, grids, "boxes in the golden ratio, turned, which hide the period", 1, 1,
                SPECTRAL_MOST_GRIDS),
    PARAM_BOOL(NOISE, split, "the boxes share out the band, instead of all carrying it", 0),
    PARAM_COUNT(NOISE, seed, "another number is another noise", 0, 0, 9007199254740991.0),
};

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    SpectralSetup setup;
    return spectral_noise_setup(raw, false, where, &setup, error);
}

static mote_Status open(const FieldSite *site, Field *field, mote_Error *error)
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

static mote_Status prepare(Field *field, double t, double dt, mote_Error *error)
{
    return spectral_prepare(field->state, t, dt, ISA(spectral_blend), error);
}

static void advance(Field *field, double t, double dt)
{
    const NOISE *p = field->object.params;
    spectral_travel(field, p->velocity, t + dt);
}

static void sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const NOISE *p = field->object.params;
    SpectralSum sum = {.spectral = field->state, .strength = p->rms > 0 ? p->rms : 1};
    spectral_travelled(field, p->velocity, points->t, sum.travelled);
    ISA(spectral_sum)(&sum, points, out);
    mote_real *to = out[0], mean = p->mean;
    FOR_ROWS (i, points->count) to[i] += mean;
}

static void forecast(const void *raw, const Outlook *outlook)
{
    SpectralSetup setup;
    if (spectral_noise_setup(raw, outlook->flat, "", &setup, NULL) == MOTE_OK)
        spectral_forecast(&setup, outlook);
}

const FieldRow ISA(field_spectral_noise) = {
    .head = ROW_HEAD("spectral-noise",
                     "scalar noise from random cosines of given amplitudes; Shinya and Fournier, "
                     "Eurographics 1992",
                     params, mote_SpectralNoiseField),
    .components = 1,
    .sample = sample,
    .check = check,
    .open = open,
    .close = spectral_close,
    .prepare = prepare,
    .advance = advance,
    .saved_count = SPECTRAL_SAVED,
    .forecast = forecast,
};
