/* Smoothing of meshes with weights that leave spray alone. */
#ifndef SURFACE_SMOOTH_H
#define SURFACE_SMOOTH_H

#include "surface/pieces.h"

/* `passes` of Laplacian smoothing, each piece's volume restored at the end; then normals. */
mote_Status surface_smooth(SurfaceMesh *mesh, const Pieces *pieces, int passes, mote_Tasks *tasks,
                           mote_Error *error);

#endif
