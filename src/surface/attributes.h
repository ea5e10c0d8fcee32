/* Columns of particles at the vertices of a mesh. */
#ifndef SURFACE_ATTRIBUTES_H
#define SURFACE_ATTRIBUTES_H

#include "surface/polygonise.h"

/* Columns in memory that grows and stays. */
typedef struct SurfaceColumns {
    mote_Column *columns;
    mote_real *values;
    size_t room, value_room;
    bool wanted; /* of the present mesh */
    const struct CarryKernels *kernels;
} SurfaceColumns;

void attributes_free(SurfaceColumns *columns, Memory *memory);

/* The points' columns at the mesh's vertices; the blocks know their rows. */
mote_Status attributes_carry(SurfaceColumns *columns, const mote_SurfacePoints *points,
                             const Blocks *blocks, const SurfaceMesh *mesh, mote_Error *error);

#endif
