/* Particles as a surface sees them: places, volumes, a spacing. */
#ifndef SURFACE_CLOUD_H
#define SURFACE_CLOUD_H

#include <mote/surface.h>

typedef struct Cloud {
    size_t count;
    const mote_real *x[3];
    const mote_real *radius, *volume; /* NULL: all alike */
    double spacing;                   /* m: cube root of the mean volume */
    double total;                     /* m^3, of all particles */
    double largest;                   /* length of a particle, by the spacing */
    double low[3], high[3];           /* bounds, m */
    bool guessed;
} Cloud;

/* Checks the particles and finds their spacing. radius: half the spacing, 0: from the points or, if
 * they have none, from how densely they lie. */
mote_Status cloud_open(Cloud *cloud, const mote_SurfacePoints *points, double radius,
                       mote_Error *error);

/* m^3 */
double cloud_volume(const Cloud *cloud, size_t i);

/* The spacing of a lattice that is as dense as most of the points; 0 when they do not say. */
double cloud_guess_spacing(const Cloud *cloud);

#endif
