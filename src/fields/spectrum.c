/* The shapes of energy spectra.
 *
 *   Kolmogorov:  E = 1.5 eps^(2/3) k^(-5/3)
 *   von Karman:  E = eddy (k eddy)^4 / (1 + (k eddy)^2)^(17/6), the same slope beyond 1 / eddy
 *   power:       E = k^slope
 *
 * and Pao's tail exp(-2.25 (k viscous)^(4/3)) over any of them, where viscosity eats the eddies.
 * Kolmogorov 1941; von Karman, PNAS 34, 1948; Pao, Phys. Fluids 8, 1965. */
#include "fields/spectrum.h"

#include "base/math.h"
#include "base/status.h"

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
