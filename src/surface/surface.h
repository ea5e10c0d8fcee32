/* A maker of surfaces: what stays from mesh to mesh. */
#ifndef SURFACE_SURFACE_H
#define SURFACE_SURFACE_H

#include "surface/attributes.h"
#include "surface/polygonise.h"

/* Refuses what would be more than `most` bytes in all. */
typedef struct LimitedMemory {
    mote_Allocator inner;
    size_t held, most;
} LimitedMemory;

struct mote_Surface {
    Memory outer; /* of this struct */
    LimitedMemory limit;
    Memory memory; /* of everything else, within the limit */
    mote_SurfaceDef def;
    void *params; /* own copy */
    const SurfaceFieldRow *row;
    const SurfaceKernels *kernels;
    CaseTable cases;
    SurfaceMesh mesh;
    mote_real *columns[5]; /* converted copies of a frame's columns */
    size_t column_room[5];
    SurfaceColumns carried;
    mote_Column *wanted; /* columns of a frame's system that vertices shall carry */
};

#endif
