/* What is behind the particles: sky and ground. */
#ifndef RENDER_BACKDROP_H
#define RENDER_BACKDROP_H

#include "render/light.h"
#include "render/panorama.h"
#include "render/shadow.h"
#include "render/splat.h"

typedef struct Backdrop {
    const View *view;
    const mote_RenderDef *def;
    SplatPlane planes[MOST_PLANES];
    size_t plane_count;
    int axes[MOST_PLANES][2]; /* that each plane's checker lies along */
    float squares;            /* of it, per m; 0: there is none */
    float fade;               /* m; 0: no haze */
    float phase[3];           /* of the checker at the eye, in squares, modulo 2 */
    bool flat;     /* a two-dimensional world: planes are seen from the side, solid below */
    Shadow shadow; /* on planes[0] */
    const Lights *lights;
    bool even; /* each plane has the same light everywhere: */
    float light[MOST_PLANES][3];
    Panorama panorama; /* the sky, where there is one */
} Backdrop;

/* Whether nothing that is near can make a difference; then the planes' light is computed once. */
void backdrop_settle(Backdrop *backdrop);

/* Collects the frame's planes, turned so that the eye is above them. */
void backdrop_make(const mote_RenderDef *def, const mote_Frame *frame, const View *view,
                   Backdrop *backdrop);

/* Linear RGB of the sky in a direction; without perspective by the height in the picture, 0 to 1.
 */
void backdrop_sky(const Backdrop *backdrop, const float direction[3], float height, float out[3]);

/* Depth of the nearest plane on a ray whose direction has depth 1; infinite for none. */
float backdrop_depth(const Backdrop *backdrop, const float origin[3], const float direction[3]);

/* Part of the second colour at a place of a plane, without filtering: 0 or 1. */
float backdrop_checker(const Backdrop *backdrop, size_t plane, const float place[3]);

/* A ball around all places of plane number `plane` that are seen in a box of pixels; false when
 * they have no end. */
bool backdrop_patch(const Backdrop *backdrop, size_t plane, SplatBounds box, float middle[3],
                    float *radius);

/* How much is seen through the haze at a place relative to the eye. */
float backdrop_clearness(const Backdrop *backdrop, const float place[3]);

/* Linear RGB of `count` pixels from (x, y) to the right. */
void backdrop_row(const Backdrop *backdrop, int x, int y, int count, float (*out)[3]);

#endif
