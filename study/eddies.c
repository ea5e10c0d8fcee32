/* A ball of large random eddies.
 *
 *     u = curl A,  A = f S,  S = sum a sin(k . x + phase) / k^2,  f = (1 - r^2)^3
 */
#include "study/eddies.h"

#include "base/random.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

void eddies_draw(Eddies *eddies)
{
    RandomKey key = random_key(11, "turbulence");
    for (uint64_t m = 0; m < EDDY_WAVES; ++m) {
        const Random4 one = random_draw(key, m, 0, 0), two = random_draw(key, m, 1, 0);
        EddyWave *wave = &eddies->waves[m];
        double size = 0;
        for (int c = 0; c < 3; ++c) wave->k[c] = (double)random_signed(one.word[c]);
        for (int c = 0; c < 3; ++c) size += wave->k[c] * wave->k[c];
        for (int c = 0; c < 3; ++c) {
            wave->k[c] *= 2 * pi * (1 + (double)random_unit(two.word[3])) / sqrt(size);
            wave->a[c] = (double)random_signed(two.word[c]);
        }
        wave->phase = 2 * pi * (double)random_unit(one.word[3]);
    }
}

/* S at a place, with its first and second derivatives. */
typedef struct WaveSum {
    double value[3], first[3][3], second[3][3][3]; /* of component c: c, by l: c l, by l and m */
} WaveSum;

static void add_wave(const EddyWave *wave, const double x[3], WaveSum *sum)
{
    const double *k = wave->k, k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
    const double angle = k[0] * x[0] + k[1] * x[1] + k[2] * x[2] + wave->phase;
    const double s = sin(angle) / k2, co = cos(angle) / k2;
    for (int c = 0; c < 3; ++c) {
        sum->value[c] += wave->a[c] * s;
        for (int l = 0; l < 3; ++l) {
            sum->first[c][l] += wave->a[c] * co * k[l];
            for (int m = 0; m < 3; ++m) sum->second[c][l][m] -= wave->a[c] * s * k[l] * k[m];
        }
    }
}

/* d2 (f S_c) / dx_l dx_m, by the product rule. */
static double second_of(const WaveSum *s, const double x[3], const int clm[3])
{
    const double rest = 1 - x[0] * x[0] - x[1] * x[1] - x[2] * x[2];
    const int c = clm[0], l = clm[1], m = clm[2];
    const double f = rest * rest * rest, slope = -6 * rest * rest; /* over x */
    const double curve = 24 * x[l] * x[m] * rest + (l == m ? slope : 0);
    return curve * s->value[c] + slope * (x[l] * s->first[c][m] + x[m] * s->first[c][l]) +
           f * s->second[c][l][m];
}

/* curl curl A = grad div A - lap A. */
void eddies_vorticity(const Eddies *eddies, const double x[3], double w[3])
{
    WaveSum sum = {.value = {0}};
    w[0] = w[1] = w[2] = 0;
    if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] >= 1) return;
    for (int m = 0; m < EDDY_WAVES; ++m) add_wave(&eddies->waves[m], x, &sum);
    for (int c = 0; c < 3; ++c)
        for (int l = 0; l < 3; ++l)
            w[c] += second_of(&sum, x, (const int[]){l, l, c}) -
                    second_of(&sum, x, (const int[]){c, l, l});
}
