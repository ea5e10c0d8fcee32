/* Checks of particles, and their volumes. */
#include "surface/cloud.h"

#include "base/math.h"
#include "base/status.h"

#include <math.h>

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
