/* Convex hulls of points by gift wrapping, for builds without Qhull. */
#ifndef GEOMETRY_HULL_WRAP_H
#define GEOMETRY_HULL_WRAP_H

#include "base/memory.h"

#include <mote/base.h>

/* Triangles of a hull: three points each, counterclockwise from outside. */
typedef struct HullTriangles {
    uint32_t *corners;
    size_t count;    /* triangles */
    size_t capacity; /* corners */
} HullTriangles;

/* points: x, y, z of each, finite. On MOTE_OK hull->corners, of the given memory, is the caller's.
 * MOTE_BAD_VALUE: they lie in one plane, or so nearly that faces do not meet. */
mote_Status hull_wrap(const double *points, size_t count, Memory *memory, HullTriangles *hull,
                      mote_Error *error);

#endif
