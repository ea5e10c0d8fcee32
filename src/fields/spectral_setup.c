/* From parameters to a setup: defaults of bands, periods and intervals, the grids that hide the
 * period, and what is wrong or doubtful about them. */
#include "base/math.h"
#include "base/status.h"
#include "expression/formula.h"
#include "fields/spectral.h"

#include <math.h>

#define PI     3.14159265358979323846
#define GOLDEN 1.61803398874989484820

#define LARGEST_TABLES (64.0 * (1 << 30)) /* bytes */

/* What both rows say about a grid. */
typedef struct GridParams {
    double size, k_lo, k_hi, sigma, period, interval;
    uint64_t points, slices, grids;
    bool split;
} GridParams;

static double highest_wave(const GridParams *p, double size)
{
    return PI * (double)p->points / size;
}

/* Boxes in powers of the golden ratio, the number worst approached by fractions: larger ones that
 * all carry the band, or smaller ones that carry its finer parts. */
static double grid_size(const GridParams *p, int grid)
{
    double ratio = p->split ? 1 / (GOLDEN * GOLDEN) : GOLDEN, size = p->size;
    for (int g = 0; g < grid; ++g) size *= ratio;
    return size;
}

static mote_Status check_lengths(const GridParams *p, const char *where, mote_Error *error)
{
    if (!fft_length_allowed((size_t)p->points))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: points is %llu, but must be a product of 2, 3 and 5; %zu is", where,
                           (unsigned long long)p->points, fft_length_above((size_t)p->points));
    if (p->slices > 0 && !fft_length_allowed((size_t)p->slices))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: slices is %llu, but must be a product of 2, 3 and 5; %zu is", where,
                           (unsigned long long)p->slices, fft_length_above((size_t)p->slices));
    return MOTE_OK;
}

static mote_Status check_band(const GridParams *p, double size, const char *where,
                              mote_Error *error)
{
    double highest = highest_wave(p, size);
    if (!(p->k_lo < p->k_hi))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: the band from k_lo = %g to k_hi = %g rad/m is empty; k_lo must be "
                           "below k_hi",
                           where, p->k_lo, p->k_hi);
    if (p->k_hi > highest * (1 + 1e-6))
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: k_hi is %g rad/m, but %llu points in %g m end at %g; raise points "
                           "or lower size or k_hi",
                           where, p->k_hi, (unsigned long long)p->points, size, highest);
    return MOTE_OK;
}

/* Half of what the points resolve: there the interpolation is good. */
static mote_Status fill_band(GridParams *p, const char *where, mote_Error *error)
{
    double finest = grid_size(p, (int)p->grids - 1);
    if (p->k_lo == 0) p->k_lo = 2 * PI / p->size;
    if (p->k_hi == 0) p->k_hi = 0.5 * highest_wave(p, finest);
    mote_Status status = check_band(p, finest, where, error);
    if (status != MOTE_OK || !p->split || p->grids == 1) return status;
    double last = 0.5 * highest_wave(p, grid_size(p, (int)p->grids - 2));
    if (p->k_hi > last) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: the band ends at k_hi = %g rad/m, before the last of %llu grids begins "
                       "at %g; use fewer grids",
                       where, p->k_hi, (unsigned long long)p->grids, last);
}

/* The mean square of what the band holds: twice the integral of E, by the midpoint rule. */
static double mean_square(const Spectrum *s)
{
    enum { PLACES = 4096 };
    double step = (s->k_hi - s->k_lo) / PLACES, sum = 0;
    for (int i = 0; i < PLACES; ++i) sum += spectrum_energy(s, s->k_lo + (i + 0.5) * step);
    return 2 * sum * step;
}

static void fill_grids(const GridParams *p, const Spectrum *spectrum, SpectralSetup *setup)
{
    double edge = p->k_lo;
    for (int g = 0; g < setup->grid_count; ++g) {
        double size = grid_size(p, g), shell = 2 * PI / size;
        bool first = !p->split || g == 0, last = !p->split || g == setup->grid_count - 1;
        Spectrum *s = &setup->grids[g].spectrum;
        *s = *spectrum;
        s->k_lo = first ? p->k_lo : edge;
        s->k_hi = last ? p->k_hi : 0.5 * highest_wave(p, size);
        s->feather_lo = first && !setup->scalar ? shell : 0;
        s->feather_hi = last && !setup->scalar ? shell : 0;
        edge = s->k_hi;
        setup->grids[g].size = size;
        setup->grids[g].weight = p->split ? 1 : 1 / sqrt((double)setup->grid_count);
    }
}

/* Periods in the golden ratio too, or the moments would repeat together. */
static void fill_times(const GridParams *p, SpectralSetup *setup)
{
    setup->sigma = p->sigma;
    if (p->sigma == 0) setup->time = MOTE_TIME_FROZEN;
    if (setup->time == MOTE_TIME_FROZEN) return;
    double period = p->period > 0 ? p->period : 4 * PI / (p->k_lo * p->sigma);
    double longest = period;
    for (int g = 1; g < setup->grid_count; ++g) longest *= GOLDEN;
    double slices = ceil(3 * p->k_hi * p->sigma * longest / PI * (1 - 1e-9));
    setup->slices =
        p->slices > 0 ? (size_t)p->slices : fft_length_above((size_t)fmin(fmax(slices, 1), 1e6));
    setup->interval = p->interval > 0 ? p->interval : 1 / (2 * p->k_hi * p->sigma);
    for (int g = 0; g < setup->grid_count; ++g, period *= GOLDEN) setup->grids[g].period = period;
}

static mote_Status check_memory(const SpectralSetup *setup, const char *where, mote_Error *error)
{
    double row = (double)(setup->points + SPECTRAL_MARGIN);
    double tables = setup->time == MOTE_TIME_PERIODIC ? (double)setup->slices : 3;
    double bytes = row * row * (setup->flat ? 1 : row) * SPECTRAL_LANES * sizeof(float);
    bytes *= tables * setup->grid_count;
    if (bytes <= LARGEST_TABLES) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "%s: tables of %zu points a side would take %.1f GB; lower points, slices "
                       "or grids, or choose time: \"streaming\"",
                       where, setup->points, bytes * 1e-9);
}

static mote_Status finish(GridParams *p, const Spectrum *spectrum, const char *where,
                          SpectralSetup *setup, mote_Error *error)
{
    setup->points = (size_t)p->points;
    setup->grid_count = (int)p->grids;
    fill_grids(p, spectrum, setup);
    fill_times(p, setup);
    for (int g = 0; g < setup->grid_count; ++g) {
        mote_Status status = spectrum_check(&setup->grids[g].spectrum, where, error);
        if (status != MOTE_OK) return status;
    }
    return check_memory(setup, where, error);
}

static mote_Status check_user(const mote_SpectralWindField *p, const char *where, mote_Error *error)
{
    if (p->spectrum == MOTE_SPECTRUM_USER && p->energy == NULL && p->E == NULL)
        return status_fail(error, MOTE_BAD_VALUE,
                           "%s: spectrum is `user`, but there is no function `energy`; a scene may "
                           "say E, an expression of k",
                           where);
    return MOTE_OK;
}

static void take_formula(Spectrum *spectrum, const mote_Formula *formula)
{
    spectrum->shape = MOTE_SPECTRUM_USER;
    spectrum->energy = formula_call, spectrum->context = (void *)(uintptr_t)formula;
}

mote_Status spectral_wind_setup(const mote_SpectralWindField *w, bool flat, const char *where,
                                SpectralSetup *setup, mote_Error *error)
{
    GridParams p = {
        (double)w->size,     (double)w->k_lo, (double)w->k_hi, (double)w->sigma, (double)w->period,
        (double)w->interval, w->points,       w->slices,       w->grids,         w->split};
    double eddy = w->eddy > 0 ? (double)w->eddy : (double)w->size / 12;
    double dissipation = w->dissipation > 0 ? (double)w->dissipation : 1;
    *setup = (SpectralSetup){.flat = flat,
                             .gaussian = w->variance == 1,
                             .unit = !(w->dissipation > 0),
                             .sampling = w->sampling,
                             .time = w->time};
    mote_Status status = check_user(w, where, error);
    if (status == MOTE_OK) status = check_lengths(&p, where, error);
    if (status == MOTE_OK) status = fill_band(&p, where, error);
    if (status != MOTE_OK) return status;
    Spectrum spectrum = {w->spectrum,
                         dissipation,
                         (double)w->slope,
                         eddy,
                         (double)w->viscous,
                         w->energy,
                         w->context,
                         p.k_lo,
                         p.k_hi,
                         0,
                         0};
    if (w->E != NULL) take_formula(&spectrum, w->E);
    double rms = setup->unit ? (double)w->rms : sqrt(mean_square(&spectrum));
    /* sigma is one component's: three of them make the whole. */
    if (p.sigma == 0) p.sigma = rms / sqrt(3.0);
    return finish(&p, &spectrum, w->E != NULL ? w->E->place : where, setup, error);
}

mote_Status spectral_noise_setup(const mote_SpectralNoiseField *n, bool flat, const char *where,
                                 SpectralSetup *setup, mote_Error *error)
{
    GridParams p = {
        (double)n->size,     (double)n->k_lo, (double)n->k_hi, (double)n->sigma, (double)n->period,
        (double)n->interval, n->points,       n->slices,       n->grids,         n->split};
    *setup = (SpectralSetup){.scalar = true,
                             .flat = flat,
                             .unit = n->rms > 0,
                             .jitter = (double)n->jitter,
                             .sampling = n->sampling,
                             .time = n->time};
    mote_Status status = check_lengths(&p, where, error);
    if (status == MOTE_OK) status = fill_band(&p, where, error);
    if (status != MOTE_OK) return status;
    Spectrum spectrum = {.shape = n->amplitude != NULL ? MOTE_SPECTRUM_USER : MOTE_SPECTRUM_POWER,
                         .slope = (double)n->slope,
                         .energy = n->amplitude,
                         .context = n->context,
                         .k_lo = p.k_lo,
                         .k_hi = p.k_hi};
    if (n->A != NULL) take_formula(&spectrum, n->A);
    return finish(&p, &spectrum, n->A != NULL ? n->A->place : where, setup, error);
}

/* ---- warnings ---- */

static void add_limit(SpectralLimit *limits, size_t *count, SpectralLimit limit)
{
    if (limit.needed > limit.given * (1 + 1e-6)) limits[(*count)++] = limit;
}

static void time_limits(const SpectralSetup *setup, SpectralLimit *limits, size_t *count)
{
    const int last = setup->grid_count - 1;
    double slow = setup->grids[0].spectrum.k_lo * setup->sigma;
    double fast = setup->grids[last].spectrum.k_hi * setup->sigma;
    double period = setup->grids[0].period;
    if (setup->time == MOTE_TIME_STREAMING)
        add_limit(limits, count,
                  (SpectralLimit){"the smallest eddies turn faster than the tables follow (3 k_hi "
                                  "sigma against pi / interval, rad/s)",
                                  "set interval to", 3 * fast, PI / setup->interval,
                                  PI / 3 / fast});
    if (setup->time != MOTE_TIME_PERIODIC) return;
    add_limit(limits, count,
              (SpectralLimit){"the smallest eddies are slowed down (3 k_hi sigma against pi slices "
                              "/ period, rad/s)",
                              "set slices to", 3 * fast,
                              PI * (double)setup->slices / setup->grids[last].period,
                              3 * fast * setup->grids[last].period / PI});
    add_limit(limits, count,
              (SpectralLimit){"the largest eddies do not change within a period (4 pi / (k_lo "
                              "sigma) against period, s)",
                              "set period to", 4 * PI / slow, period, 4 * PI / slow});
}

size_t spectral_limits(const SpectralSetup *setup, SpectralLimit limits[SPECTRAL_LIMITS])
{
    size_t count = 0;
    double smallest = setup->grids[0].size, highest = setup->grids[0].spectrum.k_hi;
    for (int g = 1; g < setup->grid_count; ++g) {
        smallest = setup->grids[g].size; /* larger without split, but with the same band */
        highest = setup->grids[g].spectrum.k_hi;
    }
    double half = 0.5 * PI * (double)setup->points / smallest;
    add_limit(limits, &count,
              (SpectralLimit){"the interpolation blurs the smallest eddies (k_hi against half of "
                              "what the points resolve, rad/m)",
                              "set k_hi to", highest, half, half});
    if (setup->time != MOTE_TIME_FROZEN) time_limits(setup, limits, &count);
    return count;
}

void spectral_forecast(const SpectralSetup *setup, const Outlook *outlook)
{
    SpectralLimit limits[SPECTRAL_LIMITS];
    const size_t count = spectral_limits(setup, limits);
    for (size_t i = 0; i < count; ++i)
        OUTLOOK_WARN(outlook, "fields.%s: %s: %.4g needed, %.4g given; %s %.4g\n", outlook->name,
                     limits[i].what, limits[i].needed, limits[i].given, limits[i].advice,
                     limits[i].better);
}
