/* Liquids in the picture's own space: a smooth surface before the particles that are seen. */
#ifndef RENDER_LIQUID_H
#define RENDER_LIQUID_H

#include "render/stage.h"

/* A particle as a ball on the picture. */
typedef struct Drop {
    float x, y, depth, radius; /* px, px, m, px */
    float world;               /* m, drawn radius */
    float share;               /* thickness per chord, so that packed particles are as thick as
                                  what they stand for */
    float absorb[3];           /* optical depth per m of thickness */
} Drop;

enum { LIQUID_REACH = 32 }; /* px: of the widest filter */

/* Planes of the picture's size. */
typedef struct Liquid {
    const View *view;
    Drop *drops;
    size_t count;
    float radius; /* m, mean drawn radius: the scale of smoothing */
    float *depth, *spare;
    float *thickness, *absorbed[3];                    /* m; optical depths */
    float weights[LIQUID_REACH + 1][LIQUID_REACH + 1]; /* [reach][px from the middle] */
    uint32_t *starts, *list;                           /* drops of bands of rows */
    size_t bands;
} Liquid;

/* The drops of all sources that are drawn as liquids; count is 0 without any. False when out of
 * memory. */
bool liquid_make(Liquid *liquid, const View *view, const SplatSource *sources, size_t count,
                 Arena *arena);

/* Depths, thicknesses and the smooth surface. `opaque` is the depth of what is before or behind. */
void liquid_surface(Liquid *liquid, DepthPlane opaque, mote_Tasks *tasks);

/* The normal of the surface at a pixel, along the view's axes (right, down, forward). */
void liquid_normal(const Liquid *liquid, int x, int y, float normal[3]);

/* Draws the liquid into `pixels`, a copy of the stage's colours `behind` (both of the whole
 * picture), and into the stage's depths. */
void liquid_draw(const Liquid *liquid, const Stage *stage, const float (*behind)[4],
                 float (*pixels)[4], mote_Tasks *tasks);

#endif
