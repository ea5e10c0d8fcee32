/* The shapes of energy spectra.
 *
 *   Kolmogorov:  E = 1.5 eps^(2/3) k^(-5/3)
 *   von Karman:  E = eddy (k eddy)^4 / (1 + (k eddy)^2)^(17/6), the same slope beyond 1 / eddy
 *   power:       E = k^slope
 *
 * and Pao's tail exp(-2.25 (k viscous)^(4/3)) over any of them, where viscosity eats the eddies.
 * Kolmogorov 1941; von Karman, PNAS 34, 1948; Pao, Phys. Fluids 8, 1965. */
#include "fields/spectral.h"

#include "base/math.h"
#include "base/status.h"
#include "fft/fft.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static double kolmogorov(const Spectrum *s, double k)
{
    return 1.5 * math_pow(s->dissipation, 2.0 / 3) * math_pow(k, -5.0 / 3);
}

static double von_karman(const Spectrum *s, double k)
{
    double q = k * s->eddy * k * s->eddy;
    return s->eddy * q * q / math_pow(1 + q, 17.0 / 6);
}

static double power(const Spectrum *s, double k)
{
    return math_pow(k, s->slope);
}

static double user(const Spectrum *s, double k)
{
    return s->energy(s->context, k);
}

double spectrum_energy(const Spectrum *spectrum, double k)
{
    static double (*const shapes[])(const Spectrum *, double) = {
        [MOTE_SPECTRUM_KOLMOGOROV] = kolmogorov,
        [MOTE_SPECTRUM_VON_KARMAN] = von_karman,
        [MOTE_SPECTRUM_POWER] = power,
        [MOTE_SPECTRUM_USER] = user,
    };
    double energy = shapes[spectrum->shape](spectrum, k);
    if (spectrum->viscous > 0) energy *= math_exp(-2.25 * math_pow(k * spectrum->viscous, 4.0 / 3));
    return energy;
}

/* 0 below -1/2, 1 above 1/2, a raised cosine between. */
static double rise(double x)
{
    if (x <= -0.5) return 0;
    return x >= 0.5 ? 1 : 0.5 * (1 + math_sin(PI * x));
}

/* A sharp lower end belongs to the band, a sharp upper one to the next. */
double spectrum_window(const Spectrum *s, double k)
{
    double low = s->feather_lo > 0 ? rise((k - s->k_lo) / s->feather_lo) : (double)(k >= s->k_lo);
    double high = s->feather_hi > 0 ? rise((s->k_hi - k) / s->feather_hi) : (double)(k < s->k_hi);
    return low * high;
}

double spectrum_highest(const Spectrum *s)
{
    return s->k_hi + 0.5 * s->feather_hi;
}

mote_Status spectrum_check(const Spectrum *s, const char *where, mote_Error *error)
{
    enum { PLACES = 256 };
    for (int i = 0; i <= PLACES; ++i) {
        double k = s->k_lo + (s->k_hi - s->k_lo) * i / PLACES, energy = spectrum_energy(s, k);
        if (energy >= 0 && energy < MATH_INFINITY) continue;
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: the spectrum is %g at k = %g rad/m, but must be a number that is "
                           "not negative",
                           where, energy, k);
    }
    return MOTE_OK;
}

/* ---- of a sampled field ---- */

/* The energy spectrum of a sampled field: the squares of its Fourier components, gathered in
 * spherical shells (rings in two dimensions). */

#define TWO_PI 6.28318530717958647693

size_t mote_spectrum_shells(size_t points)
{
    return points / 2 + 1;
}

static size_t sample_count(const mote_SpectrumSamples *s)
{
    return s->points * s->points * (s->dimension == 3 ? s->points : 1);
}

/* Hann's window over the whole box, scaled so that its mean square is 1. */
static double hann(const mote_SpectrumSamples *s, size_t index)
{
    double product = 1;
    for (int a = 0; a < s->dimension; ++a, index /= s->points) {
        double turn = ((double)(index % s->points) + 0.5) / (double)s->points;
        product *= (1 - math_cos(TWO_PI * turn)) * 0.5 / sqrt(0.375);
    }
    return product;
}

static void load(const mote_SpectrumSamples *s, const mote_real *plane, float *re)
{
    const size_t count = sample_count(s);
    double mean = 0;
    for (size_t i = 0; i < count && !s->periodic; ++i) mean += (double)plane[i];
    mean /= (double)count;
    for (size_t i = 0; i < count; ++i)
        re[i] = (float)(((double)plane[i] - mean) * (s->periodic ? 1 : hann(s, i)));
}

/* The shell of a component, by its distance from zero in units of 2 pi / size. */
static size_t shell_of(const mote_SpectrumSamples *s, size_t index)
{
    double sum = 0;
    for (int a = 0; a < s->dimension; ++a, index /= s->points) {
        size_t j = index % s->points;
        double k = j <= s->points / 2 ? (double)j : (double)j - (double)s->points;
        sum += k * k;
    }
    return (size_t)(sqrt(sum) + 0.5);
}

static void gather(const mote_SpectrumSamples *s, const float *re, const float *im, double *energy)
{
    const size_t count = sample_count(s), shells = mote_spectrum_shells(s->points);
    const double norm = 1 / (double)count, width = TWO_PI / s->size;
    for (size_t i = 0; i < count; ++i) {
        size_t shell = shell_of(s, i);
        double x = (double)re[i] * norm, y = (double)im[i] * norm;
        if (shell < shells) energy[shell] += 0.5 * (x * x + y * y) / width;
    }
}

mote_Status spectrum_estimate(const mote_SpectrumSamples *s, Memory *memory, mote_Tasks *tasks,
                              Isa isa, double *energy, mote_Error *error)
{
    const size_t n = s->points, bytes = sample_count(s) * sizeof(float);
    FftShape shape = {.axes = s->dimension, .length = {n, n, n}};
    Fft *fft;
    mote_Status status = fft_open(&shape, memory, tasks, isa, &fft, error);
    if (status != MOTE_OK) return status;
    float *re = memory_take(memory, bytes), *im = memory_take(memory, bytes);
    memset(energy, 0, mote_spectrum_shells(n) * sizeof *energy);
    bool room = re != NULL && im != NULL;
    for (int c = 0; c < s->components && room; ++c) {
        load(s, s->planes[c], re);
        memset(im, 0, bytes);
        fft_forward(fft, re, im);
        gather(s, re, im, energy);
    }
    memory_free(memory, re, bytes);
    memory_free(memory, im, bytes);
    fft_close(fft);
    return room ? MOTE_OK : status_no_memory(error, "energy spectrum", 2 * bytes);
}

mote_Status mote_spectrum_estimate(const mote_SpectrumSamples *samples, mote_Tasks *tasks,
                                   double *energy, mote_Error *error)
{
    Memory memory = memory_make(mote_default_allocator());
    return spectrum_estimate(samples, &memory, tasks, isa_pick(), energy, error);
}
