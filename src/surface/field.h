/* Fields of surfaces: rows that sum over particles on the grid of one block.
 *
 * A block is 32^3 cells. Its grid has the points -1 to 33 along each axis: those of its cells, and
 * one more on each side for gradients. Lengths are in cells. A point that two blocks share must get
 * the same bits from both: places are a whole number and a fraction, and the distance from particle
 * to point is (whole difference) - fraction, rounded once, whatever the block counts from. */
#ifndef SURFACE_FIELD_H
#define SURFACE_FIELD_H

#include <mote/surface.h>

#include "base/isa.h"
#include "base/loop.h"

enum {
    BLOCK_CELLS = 32,
    GRID_LOW = -1,
    GRID_HIGH = BLOCK_CELLS + 1,
    GRID_SIDE = GRID_HIGH - GRID_LOW + 1,
    GRID_PAD = 8, /* points on each side of a row that sums may write but nobody reads */
    GRID_PITCH = 56,
    GRID_SLAB = GRID_PITCH * GRID_SIDE,
    GRID_POINTS = GRID_SLAB * GRID_SIDE,
    FIELD_PLANES = 14 /* at most */
};

static inline size_t grid_at(int x, int y, int z)
{
    return (size_t)((z - GRID_LOW) * GRID_SLAB + (y - GRID_LOW) * GRID_PITCH + x + GRID_PAD);
}

/* The parameters of mote_SurfaceDef. */
extern const mote_Row surface_row;

typedef struct SurfaceParticle {
    float at[3];  /* in its own block: 0 <= at < 32 */
    float weight; /* by the field's `weighs` */
} SurfaceParticle;

/* A stretched kernel: q^2 = d^T A d, 1 at its end. */
typedef struct SurfaceShape {
    float inner[6];  /* A: xx yy zz xy yz zx, per cell^2 */
    float extent[3]; /* half the sides of the box around it, cells */
} SurfaceShape;

/* A particle in a thin sheet. */
typedef struct SurfaceSheet {
    float normal[3]; /* 0: it is in none */
    float gain;      /* what its weight lacks, over itself */
} SurfaceSheet;

/* Where neighbours say what shape a particle has, in spacings. */
#define SHAPE_RADIUS 3.0f

/* What a field needs, with a spacing of `spacing` cells. */
typedef struct FieldScale {
    float reach;       /* no particle changes points farther away */
    float kernel;      /* radius of a round kernel, where isolated particles are looked for */
    float weight;      /* of a particle of the mean size */
    float empty, full; /* the field far outside, and deep inside */
    float isovalue;
    float range[2];    /* of isovalues, where the volume decides */
    bool keeps_volume; /* it does */
} FieldScale;

typedef struct FieldGrid {
    const void *params;
    FieldScale scale;
    float spacing;       /* cells */
    int low[3], high[3]; /* points that matter, inclusive */
    float *plane[FIELD_PLANES];
    const SurfaceParticle *particles; /* all of them; and their shapes, where the field has some */
    const SurfaceShape *shapes;
} FieldGrid;

typedef enum FieldWeight {
    WEIGHT_VOLUME, /* weights go with a particle's volume */
    WEIGHT_LENGTH  /* with its cube root */
} FieldWeight;

typedef struct SurfaceFieldRow {
    mote_Row head;
    int planes; /* sums per point */
    FieldWeight weighs;
    bool shaped; /* kernels are stretched */
    /* `largest`: of the particles' lengths, by the mean one. */
    FieldScale (*scale)(const void *params, float spacing, float largest);
    void (*clear)(const FieldGrid *grid);
    /* Adds particles whose places count from `shift` in this block. */
    void (*add)(const FieldGrid *grid, const SurfaceParticle *particles, size_t count,
                const int shift[3]);
    /* Leaves field - isovalue in plane 0: > 0 is inside. */
    void (*finish)(const FieldGrid *grid);
    /* NULL, or what isolated particles' weights are multiplied with, from the field where they are.
     */
    float (*spray)(const void *params, float spacing, float field);
    /* NULL, or what the weight of particles in a sheet one layer thick lacks, over itself, for a
     * mesh as thick as the sheet, from the field where they are. */
    float (*sheet)(const void *params, float spacing, float field);
} SurfaceFieldRow;

/* The callbacks that every field has, by the names they have in a row's file. */
#define SPLAT_CALLBACKS .scale = scale, .clear = clear, .add = add

/* X(row, params, function of defaults); the first is the default. */
#define SURFACE_FIELD_ROWS(X)                                                                      \
    X(surface_density, mote_DensityField, mote_density_field_def)                                  \
    X(surface_anisotropic, mote_AnisotropicField, mote_anisotropic_field_def)                      \
    X(surface_zhu_bridson, mote_ZhuBridsonField, mote_zhu_bridson_field_def)                       \
    X(surface_spheres, mote_SpheresField, mote_spheres_field_def)

const mote_Row *const *surface_field_rows(Isa isa, size_t *count);

#endif
