/* The stage: everything opaque, drawn tile by tile before the splats go over it. */
#ifndef RENDER_STAGE_H
#define RENDER_STAGE_H

#include "render/backdrop.h"
#include "render/facets.h"

typedef struct Stage {
    const View *view;
    const Backdrop *backdrop;
    const RenderSolids *solids;
    const Facets *facets;
    const Lights *lights;
    float *depth;  /* of solids and facets, for splats; NULL when there are none */
    size_t stride; /* floats from row to row */
    bool transparent;
    bool shown; /* there is anything at all */
} Stage;

/* Lights that know some of the solids. */
typedef struct Shade {
    Lights lights;
    RenderSolids solids;
    size_t *shading;
} Shade;

/* Memory of one worker. */
typedef struct StageScratch {
    size_t *near; /* solids that may be seen in the tile */
    size_t near_count;
    size_t *seen;     /* those of them that may be seen in a pixel */
    SolidHit *hits;   /* at the middles of its pixels, with a border of one */
    SolidHit *others; /* at another moment */
    uint8_t *edge;    /* [pixel]: more than one sample is needed */
    SampleTile samples;
    float (*row)[3]; /* a row of the backdrop */
    /* the backdrop with those solids alone that may shade the ground of the patch */
    Backdrop backdrop;
    Shade ground;
    Shade surface; /* and the lights with those that may shade the solids that are seen there */
    float surface_middle[3],
        surface_radius; /* m: a ball around these places; < 0: there are none */
} StageScratch;

bool stage_scratch_take(StageScratch *scratch, const Stage *stage, int tile, Arena *arena);

/* What a smooth surface mirrors, seen along a direction: the sky, or the ground's colour. `height`:
 * of the pixel, 0 to 1. */
void stage_mirrored(const Stage *stage, const Surfel *surfel, const float direction[3],
                    float height, float out[3]);

/* Colours (premultiplied, with alpha) of the tile, row by row, and its depths. */
void stage_tile(const Stage *stage, size_t tile, SplatBounds box, StageScratch *scratch,
                float (*out)[4]);

#endif
