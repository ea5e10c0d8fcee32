/* Lines that show what round shapes look like. */
#ifndef GEOMETRY_EDGES_H
#define GEOMETRY_EDGES_H

#include "geometry/shape.h"

/* A circle about the middle, through middle + u and middle + v. */
static inline ShapeEdge edge_ring(mote_Vec3 middle, mote_Vec3 u, mote_Vec3 v)
{
    return (ShapeEdge){middle, u, v, 4};
}

/* Rings at both ends of a segment along y, and lines between them. */
static inline size_t edges_tube(mote_real r, mote_real half, ShapeEdge out[SHAPE_EDGES])
{
    const mote_Vec3 x = {r, 0, 0}, z = {0, 0, r};
    size_t count = 0;
    for (int side = -1; side <= 1; side += 2)
        out[count++] = edge_ring(vec3(0, (mote_real)side * half, 0), x, z);
    for (int k = 0; k < 4; ++k) {
        const mote_Vec3 at = vec3_scale(k < 2 ? x : z, k & 1 ? -(mote_real)1 : 1);
        out[count++] = (ShapeEdge){vec3(at.x, -half, at.z), vec3(0, 2 * half, 0), at, 0};
    }
    return count;
}

#endif
