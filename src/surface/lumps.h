/* Closed lumps of a mesh, and what each of them holds. */
#ifndef SURFACE_LUMPS_H
#define SURFACE_LUMPS_H

#include "surface/polygonise.h"

typedef struct Lumps {
    Memory *memory;
    uint32_t *of; /* number of the lump, by vertex */
    size_t vertices;
    double *volume; /* by lump, in units of the mesh; negative for cavities */
    size_t count;
} Lumps;

mote_Status lumps_find(Lumps *lumps, const SurfaceMesh *mesh, mote_Error *error);
void lumps_free(Lumps *lumps);

/* Signed volumes of all lumps as the mesh is now, by lump. */
void lumps_measure(const Lumps *lumps, const SurfaceMesh *mesh, double *volume);

/* Leaves lumps and cavities of less volume out of the mesh; returns how many. The lumps' numbers
 * are those of what is left. */
size_t lumps_drop(Lumps *lumps, SurfaceMesh *mesh, double least);

/* Smoothing of meshes with weights that leave spray alone. */

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
