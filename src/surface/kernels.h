/* Loops of surfaces that are compiled for each instruction set. */
#ifndef SURFACE_KERNELS_H
#define SURFACE_KERNELS_H

#include "surface/blocks.h"
#include "surface/cases.h"

/* Marching cubes over blocks: what is kept of a block once its field is forgotten.
 *
 * A vertex stands on a cut edge of the grid and belongs to the block of the edge's lower point. Its
 * number is the number of cut edges before it: of blocks, then of rows of points, then by axis,
 * then along the row. So numbers follow from the signs at the points alone, whoever asks. */

enum { POINT_ROWS = BLOCK_CELLS + 1, MOST_VERTICES = 3 * BLOCK_CELLS * BLOCK_CELLS * BLOCK_CELLS };

typedef struct EdgeVertex {
    float t;         /* along the edge, from its lower point */
    float normal[3]; /* unit, outward */
    float bulk;      /* 0 to 1: how far smoothing may go */
} EdgeVertex;

/* Rows of points of a block, y and z from 0 to 32; rows outside of low ... high are all outside. */
typedef struct Shell {
    int low[2], high[2];  /* y, z, inclusive */
    uint64_t *signs;      /* of each row: bit x is set when the point is inside */
    uint32_t (*ranks)[3]; /* of each row and axis: vertices of the block before it */
    EdgeVertex *vertices;
    uint32_t vertex_count, triangle_count;
    size_t first_vertex, first_triangle; /* in the whole mesh */
} Shell;

static inline size_t shell_row(const Shell *shell, int y, int z)
{
    return (size_t)((z - shell->low[1]) * (shell->high[0] - shell->low[0] + 1) + y - shell->low[0]);
}

static inline size_t shell_rows(const Shell *shell)
{
    return (size_t)((shell->high[0] - shell->low[0] + 1) * (shell->high[1] - shell->low[1] + 1));
}

static inline bool shell_has_row(const Shell *shell, int y, int z)
{
    return shell->signs != NULL && y >= shell->low[0] && y <= shell->high[0] &&
           z >= shell->low[1] && z <= shell->high[1];
}

static inline uint64_t shell_signs(const Shell *shell, int y, int z)
{
    return shell_has_row(shell, y, z) ? shell->signs[shell_row(shell, y, z)] : 0;
}

/* Bits of the cut edges along an axis that begin in the row: owned ones, x from 0 to 31. */
static inline uint32_t shell_edges(const Shell *shell, int axis, int y, int z)
{
    uint64_t here = shell_signs(shell, y, z);
    if (axis == 0) return (uint32_t)(here ^ here >> 1);
    return (uint32_t)(here ^ shell_signs(shell, y + (axis == 1), z + (axis == 2)));
}

typedef struct MarchOutput {
    const Blocks *blocks;
    const Shell *shells; /* of each block */
    const CaseTable *cases;
    mote_Vec3 *vertices, *normals;
    float *bulk; /* may be NULL */
    uint32_t (*triangles)[3];
} MarchOutput;

/* A cube of side^3 values, and the reach of a filter along every axis. */
typedef struct SurfaceCube {
    size_t side;
    size_t radius;
} SurfaceCube;

/* Particles of a block whose shapes, or whose sheets, are wanted. */
typedef struct ShapesAsked {
    const Blocks *blocks;
    const SurfaceBlock *block;
    float radius, kernel; /* cells: of the neighbourhood, of a round kernel */
    SurfaceShape *shapes; /* of all particles; NULL: not wanted */
    SurfaceSheet *sheets; /* the same */
} ShapesAsked;

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
    /* Shapes of at most eight particles, by their numbers. */
    void (*find_shapes)(const ShapesAsked *ask, const uint32_t *which, size_t count);
} SurfaceKernels;

const SurfaceKernels *surface_kernels(Isa isa);

/* Vertices of one block that are near to each other, and want what particles carry. */
typedef struct CarryVertex {
    float at[3]; /* cells, in the block */
    uint32_t number;
} CarryVertex;

typedef struct CarryAsked {
    const Blocks *blocks;
    const SurfaceBlock *block;
    const CarryVertex *vertices;
    size_t count;
    const mote_Column *from; /* of the particles */
    const mote_Column *to;   /* of the vertices */
    size_t column_count;
} CarryAsked;

typedef struct CarryKernels {
    /* Sets the values of those that have particles within reach (cells). False: some have none, or
     * there are too many particles around all of them together. */
    bool (*carry)(const CarryAsked *ask, float reach);
} CarryKernels;

const CarryKernels *carry_kernels(Isa isa);

#endif
