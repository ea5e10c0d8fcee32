/* Mesa's software rasteriser as a peer: the points of a picture through OSMesa. */
#ifndef BENCH_OSMESA_H
#define BENCH_OSMESA_H

#include <mote/base.h>

typedef struct OsMesaPoints {
    int width, height;
    size_t count;
    float size;                   /* px */
    const mote_real *position[2]; /* px from the picture's middle, right and up */
    const mote_real *color;       /* three planes of count */
    const mote_real *opacity;
} OsMesaPoints;

/* Best seconds of a frame of round, blended points in 8 bits, unsorted; 0 where libOSMesa cannot be
 * loaded. The number of threads counts the first time only: Mesa reads it once. */
double osmesa_draw(const OsMesaPoints *points, int threads);

#endif
