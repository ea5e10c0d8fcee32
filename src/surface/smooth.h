/* Smoothing of meshes with weights that leave spray alone. */
#ifndef SURFACE_SMOOTH_H
#define SURFACE_SMOOTH_H

#include "surface/lumps.h"

typedef struct SmoothDef {
    int passes;
    double bulk; /* lumps of less volume are smoothed less */
    double most; /* how far volume is restored by moving vertices at the end */
    mote_Tasks *tasks;
} SmoothDef;

/* Laplacian smoothing, each lump's volume restored at the end; then normals. Changes the weights.
 */
mote_Status surface_smooth(SurfaceMesh *mesh, const Lumps *lumps, const SmoothDef *def,
                           mote_Error *error);

#endif
