/* Smoothed quantities at a point: sums over the particles within the reach of a kernel, Wendland's
 * C2. */
#ifndef PROBES_ESTIMATE_H
#define PROBES_ESTIMATE_H

#include "probes/probe.h"
#include "space/smoothing.h"

typedef struct Estimate {
    double filled;   /* the sum of V W: about 1 inside a liquid, 1/2 at its surface */
    double value[3]; /* the sum of V A W over that of V W; not meant when filled is 0 */
} Estimate;

static inline double estimate_kernel(double r, double reach, int dimension)
{
    return smoothing_value(smoothing_row(SMOOTHING_WENDLAND_C2), dimension, reach, r);
}

/* The shortest way from `from` to `to`, through periodic sides too. */
mote_Vec3 estimate_way(const ProbeSite *site, mote_Vec3 from, mote_Vec3 to);

/* The reach of a probe: as given, or the liquid's. */
mote_real estimate_reach(const Probe *probe, mote_real given);
/* MOTE_BAD_VALUE when neither says one. */
mote_Status estimate_check_reach(const Probe *probe, mote_real given, const char *where,
                                 mote_Error *error);

/* Volumes of particles: m / density in a liquid, 1 elsewhere. */
typedef struct Volumes {
    const mote_real *mass, *density; /* NULL: 1 */
} Volumes;

Volumes estimate_volumes(const mote_System *system);
/* Whether volumes are not 1: the same on all ranks, those without rows too. */
bool estimate_has_volumes(const mote_System *system);
static inline double volume_of(const Volumes *volumes, size_t row)
{
    if (volumes->density == NULL) return 1;
    double density = (double)volumes->density[row];
    return density > 0 ? (double)volumes->mass[row] / density : 0;
}

enum { ESTIMATE_POINTS = 20 };

/* Points that lie within `radius` of the middle, and how far each looks. */
typedef struct EstimatePlace {
    mote_Vec3 at;
    mote_real radius, reach; /* m */
    const mote_Vec3 *points;
    size_t count; /* at most ESTIMATE_POINTS */
} EstimatePlace;

/* Up to three components of the column around each of the points, in one pass. */
void estimate_around(const Probe *probe, const ProbeSite *site, const mote_Column *column,
                     const EstimatePlace *place, Estimate *estimates);

/* The same of one point. */
Estimate estimate_at(const Probe *probe, const ProbeSite *site, const mote_Column *column,
                     mote_Vec3 at, mote_real reach);

#endif
