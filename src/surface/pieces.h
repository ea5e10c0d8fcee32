/* Closed pieces of a mesh, and what each of them holds. */
#ifndef SURFACE_PIECES_H
#define SURFACE_PIECES_H

#include "surface/polygonise.h"

typedef struct Pieces {
    Memory *memory;
    uint32_t *of; /* number of the piece, by vertex */
    size_t vertices;
    double *volume; /* by piece, in units of the mesh; negative for cavities */
    size_t count;
} Pieces;

mote_Status pieces_find(Pieces *pieces, const SurfaceMesh *mesh, mote_Error *error);
void pieces_free(Pieces *pieces);

/* Signed volumes of all pieces as the mesh is now, by piece. */
void pieces_measure(const Pieces *pieces, const SurfaceMesh *mesh, double *volume);

/* Leaves pieces and cavities of less volume out of the mesh; returns how many. The pieces' numbers
 * are those of what is left. */
size_t pieces_drop(Pieces *pieces, SurfaceMesh *mesh, double least);

#endif
