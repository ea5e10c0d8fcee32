/* Checks of particles, their volumes and their spacing. */
#include "surface/blocks.h"

#include "base/math.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

/* A particle stands for the cube of its spacing, which is twice its radius. */
double cloud_volume(const Cloud *cloud, size_t i)
{
    if (cloud->volume != NULL) return (double)cloud->volume[i];
    double side = cloud->radius != NULL ? 2 * (double)cloud->radius[i] : cloud->spacing;
    return side * side * side;
}

static mote_Status bound(Cloud *cloud, mote_Error *error)
{
    for (int k = 0; k < 3; ++k) {
        mote_real low = cloud->x[k][0], high = low, sum = 0;
        for (size_t i = 0; i < cloud->count; ++i) {
            mote_real x = cloud->x[k][i];
            low = x < low ? x : low, high = x > high ? x : high;
            sum += x - x; /* not a number if any is not finite */
        }
        cloud->low[k] = (double)low, cloud->high[k] = (double)high;
        for (size_t i = 0; sum != 0 && i < cloud->count; ++i)
            if (!isfinite((double)cloud->x[k][i]))
                return status_fail(error, MOTE_BAD_VALUE,
                                   "surface: the place of particle %zu is not finite; leave such "
                                   "particles out",
                                   i);
    }
    return MOTE_OK;
}

static mote_Status check_sizes(const Cloud *cloud, const mote_real *sizes, const char *what,
                               mote_Error *error)
{
    for (size_t i = 0; sizes != NULL && i < cloud->count; ++i)
        if (!(sizes[i] > 0) || !isfinite((double)sizes[i]))
            return status_fail(error, MOTE_BAD_VALUE,
                               "surface: the %s of particle %zu is %g, but must be positive and "
                               "finite; give `radius` to use one for all",
                               what, i, (double)sizes[i]);
    return MOTE_OK;
}

/* Sum, mean and largest of the volumes. */
static void measure(Cloud *cloud)
{
    double largest = 0;
    cloud->total = 0;
    for (size_t i = 0; i < cloud->count; ++i) {
        double volume = cloud_volume(cloud, i);
        cloud->total += volume;
        largest = volume > largest ? volume : largest;
    }
    cloud->spacing = math_pow(cloud->total / (double)cloud->count, 1.0 / 3);
    cloud->largest = math_pow(largest, 1.0 / 3) / cloud->spacing;
}

static bool all_alike(const mote_real *sizes, size_t count)
{
    for (size_t i = 1; sizes != NULL && i < count; ++i)
        if (sizes[i] != sizes[0]) return false;
    return sizes != NULL;
}

/* Sizes in the order of trust: the caller's, the particles' own, how densely they lie. Those that
 * are all alike are told apart, because equal particles need no weights. */
mote_Status cloud_open(Cloud *cloud, const mote_SurfacePoints *points, double radius,
                       mote_Error *error)
{
    *cloud = (Cloud){.count = points->count, .largest = 1};
    if (points->count == 0) return MOTE_OK;
    for (int k = 0; k < 3; ++k) cloud->x[k] = points->x[k];
    if (radius <= 0) cloud->radius = points->radius, cloud->volume = points->volume;
    mote_Status status = bound(cloud, error);
    if (status == MOTE_OK) status = check_sizes(cloud, cloud->radius, "radius", error);
    if (status == MOTE_OK) status = check_sizes(cloud, cloud->volume, "volume", error);
    if (status != MOTE_OK) return status;
    if (all_alike(cloud->radius, cloud->count)) {
        cloud->spacing = 2 * (double)cloud->radius[0], cloud->radius = NULL;
        cloud->total = (double)cloud->count * cloud->spacing * cloud->spacing * cloud->spacing;
    } else if (cloud->radius != NULL || cloud->volume != NULL) {
        measure(cloud);
    } else {
        cloud->spacing = 2 * radius;
        cloud->guessed = radius <= 0;
        if (cloud->guessed) cloud->spacing = cloud_guess_spacing(cloud);
        cloud->total = (double)cloud->count * cloud->spacing * cloud->spacing * cloud->spacing;
    }
    if (status == MOTE_OK && !(cloud->spacing > 0 && isfinite(cloud->total)))
        return status_fail(error, MOTE_BAD_VALUE,
                           "surface: the spacing of the %zu particles cannot be guessed; give "
                           "`radius`, half their distance",
                           cloud->count);
    return status;
}

/* ---- their spacing ---- */

/* Guessing the spacing of particles from their places alone.
 *
 * Where a particle has K neighbours within r, the particles lie as densely as a lattice of spacing
 * d = (4 pi / 3 / (K + 1))^(1/3) r. Particles at the surface see fewer neighbours and give larger
 * values, so a low quantile over a sample of the particles speaks for the bulk. */

enum { SAMPLES = 64, NEIGHBOURS = 32, QUANTILE = 4 /* the lowest quarter */ };

/* For `qsort`. */
static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double distance2(const Cloud *cloud, size_t i, size_t j)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        double d = (double)cloud->x[k][i] - (double)cloud->x[k][j];
        sum += d * d;
    }
    return sum;
}

/* Keeps the `count` smallest values in ascending order. */
static void insert(double *smallest, int count, double value)
{
    if (value >= smallest[count - 1]) return;
    int at = count - 1;
    for (; at > 0 && smallest[at - 1] > value; --at) smallest[at] = smallest[at - 1];
    smallest[at] = value;
}

/* Distance^2 to the neighbour number `count`, over all particles: samples are few. */
static double neighbour_distance2(const Cloud *cloud, size_t i, int count)
{
    double smallest[NEIGHBOURS];
    for (int k = 0; k < count; ++k) smallest[k] = (double)INFINITY;
    for (size_t j = 0; j < cloud->count; ++j)
        if (j != i) insert(smallest, count, distance2(cloud, i, j));
    return smallest[count - 1];
}

double cloud_guess_spacing(const Cloud *cloud)
{
    double found[SAMPLES];
    size_t samples = cloud->count < SAMPLES ? cloud->count : SAMPLES;
    int neighbours = cloud->count > NEIGHBOURS ? NEIGHBOURS : (int)cloud->count - 1;
    if (neighbours < 1) return 0;
    for (size_t s = 0; s < samples; ++s) {
        size_t i = (2 * s + 1) * cloud->count / (2 * samples);
        double r = sqrt(neighbour_distance2(cloud, i, neighbours));
        found[s] = r * math_pow(4.18879020478639 / (neighbours + 1), 1.0 / 3);
    }
    qsort(found, samples, sizeof *found, by_size);
    return found[samples / QUANTILE];
}
