/* The sparse grid: blocks of 32^3 cells that exist only where particles are or reach, and their
 * particles sorted by block, then by row of bins.
 *
 * Cells stand on a lattice through the origin of the world, so that a surface does not shimmer when
 * its bounds change. A bin is 1, 2, 4 or 8 cells wide: at most a spacing. */
#ifndef SURFACE_BLOCKS_H
#define SURFACE_BLOCKS_H

#include "base/memory.h"
#include "surface/field.h"

#include <mote/surface.h>

/* ---- particles as a surface sees them: places, volumes, a spacing ---- */

typedef struct Cloud {
    size_t count;
    const mote_real *x[3];
    const mote_real *radius, *volume; /* NULL: all alike */
    double spacing;                   /* m: cube root of the mean volume */
    double total;                     /* m^3, of all particles */
    double largest;                   /* length of a particle, by the spacing */
    double low[3], high[3];           /* bounds, m */
    bool guessed;
} Cloud;

/* Checks the particles and finds their spacing. radius: half the spacing, 0: from the points or, if
 * they have none, from how densely they lie. */
mote_Status cloud_open(Cloud *cloud, const mote_SurfacePoints *points, double radius,
                       mote_Error *error);

/* m^3 */
double cloud_volume(const Cloud *cloud, size_t i);

/* The spacing of a lattice that is as dense as most of the points; 0 when they do not say. */
double cloud_guess_spacing(const Cloud *cloud);

#define BLOCK_NONE UINT32_MAX

/* Rows beyond the last particle that may be read, eight at a time. */
enum { PARTICLES_BEYOND = 8 };

typedef struct SurfaceBlock {
    uint64_t key;   /* Morton order */
    int32_t at[3];  /* in blocks, from the origin */
    uint32_t count; /* particles */
    size_t first;
    size_t rows;            /* its first entry in row_starts; only with particles */
    uint32_t neighbour[27]; /* numbers of blocks; x fastest, 13 is the block itself */
} SurfaceBlock;

typedef struct Blocks {
    Memory *memory;
    mote_Tasks *tasks;
    double cell;          /* m */
    double per_cell;      /* 1 / cell */
    int bin;              /* cells per bin */
    int bins;             /* bins along a block */
    float reach;          /* cells */
    int32_t low[3];       /* block of key 0 */
    SurfaceBlock *blocks; /* by ascending key */
    size_t count;
    SurfaceParticle *particles;
    size_t particle_count;
    uint32_t *rows;       /* of the cloud, by particle; NULL where nobody wants to know */
    float spacing;        /* cells */
    uint32_t *row_starts; /* bins^2 + 1 of each block with particles, from its first particle */
    size_t row_start_count;
} Blocks;

typedef struct BlocksDef {
    const Cloud *cloud;
    double cell;  /* m */
    float reach;  /* cells, at most BLOCK_CELLS - 1 */
    float weight; /* of a particle of the mean size */
    FieldWeight weighs;
    bool rows; /* keep whose places they are */
    mote_Tasks *tasks;
    Memory *memory;
} BlocksDef;

mote_Status blocks_make(Blocks *blocks, const BlocksDef *def, mote_Error *error);
void blocks_free(Blocks *blocks);

/* The block of a place (m), and where in it; NULL: no particle is near. */
const SurfaceBlock *blocks_at(const Blocks *blocks, const double place[3], float at[3]);

/* Particles of a row of bins in a block that has particles. */
static inline const SurfaceParticle *block_row(const Blocks *blocks, const SurfaceBlock *block,
                                               int y, int z, size_t *count)
{
    const uint32_t *start = blocks->row_starts + block->rows + z * blocks->bins + y;
    *count = start[1] - start[0];
    return blocks->particles + block->first + start[0];
}

#endif
