/* What is behind the particles: sky and ground. */
#ifndef RENDER_BACKDROP_H
#define RENDER_BACKDROP_H

#include "render/shadow.h"
#include "render/splat.h"

typedef struct Backdrop {
    const View *view;
    const mote_RenderDef *def;
    Plane planes[MOST_PLANES];
    size_t plane_count;
    float phase[3]; /* of the checker at the eye, in squares, modulo 2 */
    bool flat;      /* a two-dimensional world: planes are seen from the side, solid below */
    Shadow shadow;  /* on planes[0] */
} Backdrop;

/* Collects the frame's planes, turned so that the eye is above them. */
void backdrop_make(const mote_RenderDef *def, const mote_Frame *frame, const View *view,
                   Backdrop *backdrop);

/* Linear RGB of `count` pixels from (x, y) to the right. */
void backdrop_row(const Backdrop *backdrop, int x, int y, int count, float (*out)[3]);

#endif
