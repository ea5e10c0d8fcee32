/* The shape family: signed distance (negative inside) and outward normal at planar arrays of
 * points. */
#ifndef GEOMETRY_SHAPE_H
#define GEOMETRY_SHAPE_H

#include <mote/shapes.h>

#include "base/isa.h"

/* X(row, parameter struct, name of its defaults function). */
#define SHAPE_ROWS(X) X(shape_plane, mote_PlaneShape, mote_plane_shape_def)

typedef struct ShapeRow {
    mote_Row head;
    /* Optional, at the start of every sub-step: brings parameters into the form that the other
     * callbacks read (unit normals). */
    void (*prepare)(void *params);
    /* True unless every point has distance >= limit: NaN counts as near. */
    bool (*near)(const void *params, size_t count, mote_real *const x[3], mote_real limit);
    void (*distance)(const void *params, size_t count, mote_real *const x[3], mote_real *distance);
    void (*normal)(const void *params, size_t count, mote_real *const x[3],
                   mote_real *const normal[3]);
    mote_Status (*check)(const void *params, const char *where, mote_Error *error);
} ShapeRow;

const mote_Row *const *shape_rows(Isa isa, size_t *count);

#endif
