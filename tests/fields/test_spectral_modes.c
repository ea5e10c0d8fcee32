/* The waves of spectral wind and noise, and the tables made of them: incompressibility, reality,
 * energy, spectrum, isotropy, frequencies, and independence of the number of points. */
#include "spectral.h"

/* ---- (a) divergence ---- */

static void modes_are_free_of_divergence(void)
{
    for (int variance = 0; variance < 2; ++variance)
        for (int flat = 0; flat < 2; ++flat) {
            mote_SpectralWindField wind = test_wind();
            wind.variance = variance;
            SpectralSetup setup = test_setup(&wind, flat == 1);
            SpectralModes modes = test_modes(&setup, 1);
            double worst = 0;
            for (size_t i = 0; i < modes.count; ++i) {
                const SpectralMode *m = &modes.items[i];
                double along[2] = {0, 0}, square = 0;
                for (int c = 0; c < 3; ++c)
                    for (int part = 0; part < 2; ++part) {
                        along[part] += m->index[c] * m->u[c][part];
                        square += m->u[c][part] * m->u[c][part];
                    }
                worst = fmax(worst, hypot(along[0], along[1]) / (m->k * sqrt(square)));
            }
            CHECK(modes.count > (flat ? 80u : 900u));
            CHECK(worst < 1e-12);
            spectral_modes_free(&test_memory, &modes);
        }
}

/* The Fourier transform of the table, whose numbers are floats. */
static void tables_are_free_of_divergence(void)
{
    mote_SpectralWindField wind = test_wind();
    SpectralSetup setup = test_setup(&wind, false);
    Spectral *s = test_open(&setup, 2);
    const size_t n = setup.points, count = n * n * n;
    mote_real *planes[3];
    float *re[3], *im = calloc(3 * count, sizeof(float));
    FftShape shape = {3, {n, n, n}, 0};
    Fft *fft;
    mote_Error error;
    double worst = 0, largest = 0;
    test_planes(s, planes);
    SETUP_OK(fft_open(&shape, &test_memory, NULL, isa_pick(), &fft, &error), error);
    for (int c = 0; c < 3; ++c) {
        re[c] = malloc(count * sizeof(float));
        for (size_t i = 0; i < count; ++i) re[c][i] = (float)planes[c][i];
        fft_forward(fft, re[c], im + (size_t)c * count);
    }
    for (size_t i = 0; i < count; ++i) {
        const size_t at[3] = {i % n, i / n % n, i / n / n};
        double along[2] = {0, 0}, k2 = 0, u2 = 0;
        for (int c = 0; c < 3; ++c) {
            double k = (double)at[c] - (at[c] > n / 2 ? (double)n : 0);
            double x = (double)re[c][i], y = (double)im[(size_t)c * count + i];
            along[0] += k * x, along[1] += k * y, k2 += k * k, u2 += x * x + y * y;
        }
        worst = fmax(worst, hypot(along[0], along[1]) / sqrt(k2 + 1e-30));
        largest = fmax(largest, sqrt(u2));
    }
    CHECK(worst < 1e-6 * largest);
    for (int c = 0; c < 3; ++c) free(re[c]);
    free(im);
    free(planes[0]);
    fft_close(fft);
    spectral_close(&test_memory, s);
    CHECK(test_memory.bytes == 0);
}

/* ---- (b) reality ---- */

/* A complex transform of one component alone, with the conjugates in place, leaves no imaginary
 * part; and its real part is what the table holds. */
static void fields_are_real(void)
{
    mote_SpectralWindField wind = test_wind();
    SpectralSetup setup = test_setup(&wind, false);
    Spectral *s = test_open(&setup, 3);
    const size_t n = setup.points, count = n * n * n;
    FftShape shape = {3, {n, n, n}, 0};
    Fft *fft;
    mote_Error error;
    SETUP_OK(fft_open(&shape, &test_memory, NULL, isa_pick(), &fft, &error), error);
    for (int c = 0; c < 3; ++c) {
        float *re = calloc(count, sizeof *re), *im = calloc(count, sizeof *im);
        double residue = 0, size = 0, difference = 0;
        for (size_t i = 0; i < s->grids[0].modes.count; ++i) {
            const SpectralMode *m = &s->grids[0].modes.items[i];
            for (int sign = 1; sign >= -1; sign -= 2) {
                size_t at = 0;
                for (int d = 2; d >= 0; --d)
                    at = at * n + (size_t)((sign * m->index[d] + (int)n) % (int)n);
                re[at] += (float)(m->u[c][0] * s->grids[0].amplitude);
                im[at] += (float)(sign * m->u[c][1] * s->grids[0].amplitude);
            }
        }
        fft_backward(fft, re, im);
        for (size_t i = 0; i < count; ++i) {
            const size_t at[3] = {i % n, i / n % n, i / n / n};
            double value = test_at(s, s->grids[0].tables[0], at, c);
            residue = fmax(residue, fabs((double)im[i]));
            difference = fmax(difference, fabs((double)re[i] - value));
            size = fmax(size, fabs((double)re[i]));
        }
        CHECK(residue < 1e-6 * size);
        CHECK(difference < 2e-6 * size);
        free(re);
        free(im);
    }
    fft_close(fft);
    spectral_close(&test_memory, s);
}

/* ---- (c), (d) energy and spectrum ---- */

/* Sum of |u|^2 over all waves. */
static double wave_energy(const mote_SpectralWindField *wind, bool flat, uint64_t seed)
{
    SpectralSetup setup = test_setup(wind, flat);
    SpectralModes modes = test_modes(&setup, seed);
    double sum = 0;
    for (size_t i = 0; i < modes.count; ++i)
        for (int c = 0; c < 3; ++c)
            sum += modes.items[i].u[c][0] * modes.items[i].u[c][0] +
                   modes.items[i].u[c][1] * modes.items[i].u[c][1];
    spectral_modes_free(&test_memory, &modes);
    return sum;
}

/* A dissipation rate says how strong waves are: random ones are so in the mean, which has an error
 * of 1 % here, in two dimensions of 2 %. */
static void gaussian_energy_is_met_in_the_mean(void)
{
    for (int flat = 0; flat < 2; ++flat) {
        mote_SpectralWindField wind = test_wind();
        double mean = 0;
        wind.dissipation = (mote_real)0.3;
        const double exact = wave_energy(&wind, flat == 1, 1);
        wind.variance = 1;
        for (uint64_t seed = 1; seed <= 200; ++seed)
            mean += wave_energy(&wind, flat == 1, seed) / 200;
        CHECK_NEAR(mean / exact, 1, flat ? 0.08 : 0.04);
    }
}

/* Shell energies of the table of a wind. */
static void measure_spectrum(const mote_SpectralWindField *wind, bool flat, uint64_t seed,
                             double *energy, double *half_square)
{
    SpectralSetup setup = test_setup(wind, flat);
    Spectral *s = test_open(&setup, seed);
    mote_real *planes[3];
    mote_Error error;
    const size_t n = setup.points, count = n * n * (flat ? 1 : n);
    test_planes(s, planes);
    mote_SpectrumSamples samples = {.dimension = flat ? 2 : 3,
                                    .points = n,
                                    .size = setup.grids[0].size,
                                    .components = 3,
                                    .planes = {planes[0], planes[1], planes[2]},
                                    .periodic = true};
    SETUP_OK(spectrum_estimate(&samples, &test_memory, NULL, isa_pick(), energy, &error), error);
    *half_square = 0;
    for (int c = 0; c < 3; ++c)
        for (size_t i = 0; i < count; ++i)
            *half_square += 0.5 * (double)planes[c][i] * (double)planes[c][i] / (double)count;
    free(planes[0]);
    spectral_close(&test_memory, s);
}

/* Slope of log E over log k, by least squares. */
static double slope_of(const double *energy, int first, int last)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, n = last - first + 1;
    for (int i = first; i <= last; ++i) {
        double x = log(i), y = log(energy[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void fixed_energy_is_exact(void)
{
    static const int spectra[] = {MOTE_SPECTRUM_KOLMOGOROV, MOTE_SPECTRUM_VON_KARMAN,
                                  MOTE_SPECTRUM_POWER};
    for (int flat = 0; flat < 2; ++flat)
        for (size_t i = 0; i < COUNT_OF(spectra); ++i) {
            mote_SpectralWindField wind = test_wind();
            double energy[40], half_square;
            wind.spectrum = spectra[i], wind.slope = -3, wind.points = 30;
            measure_spectrum(&wind, flat == 1, i + 1, energy, &half_square);
            CHECK_NEAR(half_square, 0.5, 0.0005); /* tables are made for rms = 1 */
        }
}

/* A dissipation rate gives the spectrum itself, not only its slope. */
static void spectrum_of_a_dissipation_rate(void)
{
    for (int flat = 0; flat < 2; ++flat) {
        mote_SpectralWindField wind = test_wind();
        double energy[40], half_square;
        wind.points = 64, wind.dissipation = (mote_real)0.3;
        measure_spectrum(&wind, flat == 1, 4, energy, &half_square);
        for (int k = 2; k < 16; ++k)
            CHECK_NEAR(energy[k] / (1.5 * pow(0.3, 2.0 / 3) * pow(k, -5.0 / 3)), 1, 0.002);
        CHECK(energy[18] < 1e-9 && energy[0] < 1e-9);
    }
}

static void slopes_are_kolmogorovs(void)
{
    mote_SpectralWindField wind = test_wind();
    double energy[40], half_square;
    wind.points = 64;
    measure_spectrum(&wind, false, 5, energy, &half_square);
    CHECK_NEAR(slope_of(energy, 3, 14), -5.0 / 3, 0.02);
    wind.variance = 1;
    double mean = 0;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        measure_spectrum(&wind, false, seed, energy, &half_square);
        CHECK_NEAR(slope_of(energy, 3, 14), -5.0 / 3, 0.15);
        mean += slope_of(energy, 3, 14) / 6;
    }
    CHECK_NEAR(mean, -5.0 / 3, 0.06);
}

static double two_bumps(void *context, double k)
{
    (void)context;
    return exp(-(k - 4) * (k - 4)) + 0.5 * exp(-(k - 10) * (k - 10));
}

static void a_users_spectrum(void)
{
    mote_SpectralWindField wind = test_wind();
    double energy[40], half_square;
    wind.points = 64, wind.spectrum = MOTE_SPECTRUM_USER, wind.energy = two_bumps;
    measure_spectrum(&wind, false, 6, energy, &half_square);
    for (int k = 2; k < 15; ++k)
        CHECK_NEAR(energy[k] / energy[4], two_bumps(NULL, k) / two_bumps(NULL, 4), 1e-4);
}

/* von Karman's rises as k^4, bends, and falls as k^(-5/3); Pao's tail cuts it off. */
static void shapes_of_spectra(void)
{
    Spectrum s = {.shape = MOTE_SPECTRUM_VON_KARMAN, .eddy = 1, .k_lo = 1e-3, .k_hi = 1e6};
    CHECK_NEAR(log(spectrum_energy(&s, 2e-3) / spectrum_energy(&s, 1e-3)) / log(2), 4, 1e-4);
    CHECK_NEAR(log(spectrum_energy(&s, 2e3) / spectrum_energy(&s, 1e3)) / log(2), -5.0 / 3, 1e-4);
    double inviscid = spectrum_energy(&s, 10);
    s.viscous = 0.1;
    CHECK_NEAR(spectrum_energy(&s, 10) / inviscid, exp(-2.25), 1e-12);
    s.k_lo = 2, s.k_hi = 8, s.feather_lo = 1, s.feather_hi = 0;
    CHECK(spectrum_window(&s, 1.5) == 0 && spectrum_window(&s, 2.5) == 1);
    CHECK_NEAR(spectrum_window(&s, 2), 0.5, 1e-12);
    CHECK(spectrum_window(&s, 7.999) == 1 && spectrum_window(&s, 8) == 0);
}

/* ---- (e) isotropy ---- */

static void directions_are_alike(void)
{
    mote_SpectralWindField wind = test_wind();
    SpectralSetup setup = test_setup(&wind, false);
    double variance[3] = {0, 0, 0};
    for (uint64_t seed = 1; seed <= 24; ++seed) {
        SpectralModes modes = test_modes(&setup, seed);
        for (size_t i = 0; i < modes.count; ++i)
            for (int c = 0; c < 3; ++c)
                variance[c] += modes.items[i].u[c][0] * modes.items[i].u[c][0] +
                               modes.items[i].u[c][1] * modes.items[i].u[c][1];
        spectral_modes_free(&test_memory, &modes);
    }
    double mean = (variance[0] + variance[1] + variance[2]) / 3;
    for (int c = 0; c < 3; ++c) CHECK_NEAR(variance[c] / mean, 1, 0.05);
}

/* ---- (f) change with time ---- */

/* Only the modes with |k| = 1: the field's correlation in time is that of a single mode. */
static void periodic_time_correlates_as_it_should(void)
{
    mote_SpectralWindField wind = test_wind();
    wind.points = 8, wind.k_lo = (mote_real)0.75, wind.k_hi = (mote_real)0.8;
    wind.time = MOTE_TIME_PERIODIC, wind.sigma = 1, wind.period = 24, wind.slices = 48;
    SpectralSetup setup = test_setup(&wind, false);
    Spectral *s = test_open(&setup, 7);
    CHECK(s->grids[0].modes.count == 3);
    for (size_t lag = 0; lag <= 8; ++lag) {
        double product = 0, square = 0, tau = (double)lag * 24 / 48;
        for (size_t slice = 0; slice < 48; ++slice)
            for (size_t i = 0; i < 512; ++i) {
                const size_t at[3] = {i % 8, i / 8 % 8, i / 64};
                for (int c = 0; c < 3; ++c) {
                    double now = test_at(s, s->grids[0].tables[slice], at, c);
                    double then = test_at(s, s->grids[0].tables[(slice + lag) % 48], at, c);
                    product += now * then, square += now * now;
                }
            }
        CHECK_NEAR(product / square, exp(-tau * tau / 2), 2e-3);
    }
    spectral_close(&test_memory, s);
}

/* Frequencies over k sigma are normal: the characteristic function is exp(-tau^2 / 2). */
static void streaming_time_correlates_as_it_should(void)
{
    mote_SpectralWindField wind = test_wind();
    wind.time = MOTE_TIME_STREAMING, wind.sigma = 2, wind.points = 64;
    SpectralSetup setup = test_setup(&wind, false);
    SpectralModes modes = test_modes(&setup, 8);
    CHECK(modes.count > 8000);
    for (double tau = 0.25; tau < 3; tau += 0.25) {
        double sum = 0;
        for (size_t i = 0; i < modes.count; ++i)
            sum += cos(modes.items[i].w / (modes.items[i].k * 2) * tau);
        CHECK_NEAR(sum / (double)modes.count, exp(-tau * tau / 2), 4 / sqrt((double)modes.count));
    }
    spectral_modes_free(&test_memory, &modes);
}

/* ---- (g) more points only add detail ---- */

static void modes_do_not_depend_on_points(void)
{
    for (int variance = 0; variance < 2; ++variance) {
        mote_SpectralWindField wind = test_wind();
        size_t shared = 0;
        wind.variance = variance, wind.dissipation = 1, wind.time = MOTE_TIME_STREAMING;
        wind.sigma = 1;
        SpectralSetup coarse_setup = test_setup(&wind, false);
        wind.points = 64;
        SpectralSetup fine_setup = test_setup(&wind, false);
        SpectralModes coarse = test_modes(&coarse_setup, 9), fine = test_modes(&fine_setup, 9);
        CHECK(fine.count > 7 * coarse.count);
        for (size_t i = 0, j = 0; i < coarse.count; ++i) {
            const SpectralMode *a = &coarse.items[i];
            while (j < fine.count && memcmp(a->index, fine.items[j].index, sizeof a->index) != 0)
                ++j;
            CHECK(j < fine.count);
            if (j == fine.count) break;
            if (a->k > 7.49) continue; /* there the coarse band's end begins */
            CHECK(memcmp(a->u, fine.items[j].u, sizeof a->u) == 0 && a->w == fine.items[j].w);
            ++shared;
        }
        CHECK(shared > 800);
        spectral_modes_free(&test_memory, &coarse);
        spectral_modes_free(&test_memory, &fine);
    }
}

/* ---- noise ---- */

static double bell(void *context, double k)
{
    return *(const double *)context * exp(-0.2 * k * k);
}

/* The seed's sum, in double, at the points of the table and between them. */
static void noise_is_a_sum_of_cosines(void)
{
    double height = 0.7;
    mote_SpectralNoiseField noise = mote_spectral_noise_field_def();
    SpectralSetup setup;
    mote_Error error;
    noise.rms = 0, noise.size = (mote_real)TWO_PI, noise.k_hi = 4;
    noise.amplitude = bell, noise.context = &height;
    SETUP_OK(spectral_noise_setup(&noise, false, "noise", &setup, &error), error);
    setup.sampling = MOTE_SAMPLING_LINEAR; /* the table then holds the values */
    Spectral *s = test_open(&setup, 10);
    const SpectralModes *modes = &s->grids[0].modes;
    uint64_t random = 3;
    for (int trial = 0; trial < 200; ++trial) {
        size_t at[3];
        double sum = 0, size = 0;
        for (int c = 0; c < 3; ++c) at[c] = (size_t)setup_uniform(&random, 0, 32);
        for (size_t i = 0; i < modes->count; ++i) {
            const SpectralMode *m = &modes->items[i];
            double amplitude = bell(&height, m->k), phase = atan2(m->u[0][1], m->u[0][0]);
            for (int c = 0; c < 3; ++c) phase += m->index[c] * (double)at[c] * TWO_PI / 32;
            sum += amplitude * cos(phase), size += amplitude * amplitude / 2;
        }
        CHECK_NEAR(test_at(s, s->grids[0].tables[0], at, 0), sum, 1e-5 * sqrt(size));
    }
    spectral_close(&test_memory, s);
}

static void jitter_changes_amplitudes(void)
{
    mote_SpectralNoiseField noise = mote_spectral_noise_field_def();
    SpectralSetup setup;
    mote_Error error;
    double sum = 0, low = 9, high = 0;
    noise.slope = 0, noise.jitter = (mote_real)0.25;
    SETUP_OK(spectral_noise_setup(&noise, false, "noise", &setup, &error), error);
    SpectralModes modes = test_modes(&setup, 11);
    for (size_t i = 0; i < modes.count; ++i) {
        double amplitude = 2 * hypot(modes.items[i].u[0][0], modes.items[i].u[0][1]);
        sum += amplitude, low = fmin(low, amplitude), high = fmax(high, amplitude);
    }
    CHECK(low >= 0.75 && low < 0.76 && high <= 1.25 && high > 1.24);
    CHECK_NEAR(sum / (double)modes.count, 1, 0.02);
    spectral_modes_free(&test_memory, &modes);
}

/* ---- measuring spectra ---- */

/* A plane wave u = (0, a cos(3 x), 0): its energy a^2 / 4 lies in shell 3. */
static void estimate_of_a_wave(void)
{
    enum { N = 24 };
    static mote_real planes[3][N * N * N];
    double energy[N / 2 + 1];
    mote_Error error;
    for (size_t i = 0; i < N * N * N; ++i)
        planes[1][i] = (mote_real)(2 * cos(3 * TWO_PI * (double)(i % N) / N));
    for (int periodic = 0; periodic < 2; ++periodic) {
        mote_SpectrumSamples samples = {
            3, N, 5, 3, {planes[0], planes[1], planes[2]}, periodic == 1};
        test_site(NULL);
        SETUP_OK(spectrum_estimate(&samples, &test_memory, NULL, isa_pick(), energy, &error),
                 error);
        double width = TWO_PI / 5, total = 0;
        for (int k = 0; k <= N / 2; ++k) total += energy[k] * width;
        CHECK_NEAR(total, 1, periodic ? 1e-5 : 0.02);
        CHECK(energy[3] * width > (periodic ? 0.99999 : 0.3));
        CHECK(energy[8] * width < 1e-3);
    }
}

TESTS({"modes are free of divergence", modes_are_free_of_divergence},
      {"tables are free of divergence", tables_are_free_of_divergence},
      {"fields are real", fields_are_real}, {"fixed energy is exact", fixed_energy_is_exact},
      {"gaussian energy is met in the mean", gaussian_energy_is_met_in_the_mean},
      {"spectrum of a dissipation rate", spectrum_of_a_dissipation_rate},
      {"slopes are Kolmogorov's", slopes_are_kolmogorovs}, {"a user's spectrum", a_users_spectrum},
      {"shapes of spectra", shapes_of_spectra}, {"directions are alike", directions_are_alike},
      {"periodic time", periodic_time_correlates_as_it_should},
      {"streaming time", streaming_time_correlates_as_it_should},
      {"modes do not depend on points", modes_do_not_depend_on_points},
      {"noise is a sum of cosines", noise_is_a_sum_of_cosines},
      {"jitter changes amplitudes", jitter_changes_amplitudes},
      {"estimate of a wave", estimate_of_a_wave})
