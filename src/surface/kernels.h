/* Loops of surfaces that are compiled for each instruction set. */
#ifndef SURFACE_KERNELS_H
#define SURFACE_KERNELS_H

#include "surface/march.h"

/* A cube of side^3 values, and the reach of a filter along every axis. */
typedef struct SurfaceCube {
    size_t side;
    size_t radius;
} SurfaceCube;

typedef struct SurfaceKernels {
    /* Sums over boxes of (2 radius + 1)^3; whether all or any of a box's bytes are set. Values
     * nearer to the cube's border than the radius are not to be used. `scratch` is another cube. */
    void (*box_sums)(SurfaceCube cube, float *values, float *scratch);
    void (*all_of)(SurfaceCube cube, uint8_t *bytes, uint8_t *scratch);
    void (*any_of)(SurfaceCube cube, uint8_t *bytes, uint8_t *scratch);
    /* bytes = values >= least */
    void (*at_least)(SurfaceCube cube, const float *values, float least, uint8_t *bytes);
    /* Signs and ranks of a block's field; false when no edge is cut. */
    bool (*find_signs)(const float *value, Shell *shell);
    /* Vertices on the block's own edges, in the order of their ranks. */
    void (*find_vertices)(const float *value, const Shell *shell, EdgeVertex *vertices);
    uint32_t (*count_triangles)(const CaseTable *cases, const Shell *shell);
    void (*write_vertices)(const MarchOutput *output, size_t block);
    void (*write_triangles)(const MarchOutput *output, size_t block);
} SurfaceKernels;

const SurfaceKernels *surface_kernels(Isa isa);

#endif
