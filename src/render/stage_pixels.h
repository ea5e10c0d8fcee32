/* The parts of the stage: what is seen at a pixel, what shades it, and its colour. */
#ifndef RENDER_STAGE_PIXELS_H
#define RENDER_STAGE_PIXELS_H

#include "render/stage.h"

static inline bool stage_has_depth(const Stage *stage)
{
    return stage->solids->count > 0 || stage->facets->count > 0;
}

/* What the middle of a pixel of the tile, or of its border, sees. */
static inline const SolidHit *stage_hit(const StageScratch *s, SplatBounds box, int x, int y)
{
    return &s->hits[(y - box.y0 + 1) * (box.x1 - box.x0 + 2) + x - box.x0 + 1];
}

/* ---- stage_shade.c ---- */

/* Colours at places of the screen. */
void stage_shade_solid(const Stage *stage, const SolidHit *hit, float x, float y, float out[3]);
void stage_shade_facet(const Stage *stage, size_t facet, float x, float y, float out[3]);

/* ---- stage_liquid.c ---- */

/* Colour and coverage of a liquid's facet, behind which there are so many m of it. */
void stage_shade_liquid(const Stage *stage, size_t facet, float thick, float x, float y,
                        float out[4]);

/* ---- stage_shade.c ---- */

/* Finds the solids that may shade the ground, and what is seen, in a part of the tile: s->ground,
 * s->backdrop and s->surface. */
void stage_choose_for_ground(const Stage *stage, StageScratch *s, SplatBounds patch);
void stage_choose_for_surface(const Stage *stage, StageScratch *s, SplatBounds box,
                              SplatBounds patch);

/* Whether s->surface holds for a hit at a place of the screen. */
bool stage_in_ball(const Stage *stage, const StageScratch *s, const SolidHit *hit, float x,
                   float y);

/* ---- stage_parts.c ---- */

/* The solids that may be seen in the tile: s->near. */
void stage_find_near(const Stage *stage, SplatBounds box, StageScratch *s);

/* What the middles of the tile's pixels see, and which pixels need more samples: s->hits, s->edge.
 */
void stage_cast(const Stage *stage, StageScratch *s, SplatBounds box);

/* Colour and depth of a pixel of several things. */
float stage_mix(const Stage *stage, StageScratch *s, SplatBounds box, int x, int y, float out[4]);

#endif
