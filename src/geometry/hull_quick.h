/* Convex hulls of points by Quickhull, with faces that are nearly one joined. */
#ifndef GEOMETRY_HULL_QUICK_H
#define GEOMETRY_HULL_QUICK_H

#include "base/memory.h"

#include <mote/base.h>

/* Triangles of a hull: three points each, counterclockwise from outside. */
typedef struct HullTriangles {
    uint32_t *corners;
    size_t count;    /* triangles */
    size_t capacity; /* corners */
} HullTriangles;

/* points: x, y, z of each, finite. What is nearer to a plane than tolerance (m) lies in it; 0: a
 * millionth of a millionth of their size, as much as a few turns and shifts round by. On MOTE_OK
 * hull->corners, of the given memory, is the caller's. MOTE_BAD_VALUE: they lie in one plane, or so
 * nearly that faces do not meet. */
mote_Status hull_quick(const double *points, size_t count, double tolerance, Memory *memory,
                       HullTriangles *hull, mote_Error *error);

#endif
