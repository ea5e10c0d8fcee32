/* Guessing the spacing of particles from their places alone.
 *
 * Where a particle has K neighbours within r, the particles lie as densely as a lattice of spacing
 * d = (4 pi / 3 / (K + 1))^(1/3) r. Particles at the surface see fewer neighbours and give larger
 * values, so a low quantile over a sample of the particles speaks for the bulk. */
#include "base/math.h"
#include "surface/cloud.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 64, NEIGHBOURS = 32, QUANTILE = 4 /* the lowest quarter */ };

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
