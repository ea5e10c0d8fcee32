/* What the paths of a picture bring: light, and what the surfaces are like that the eye sees. */
#ifndef RENDER_TRACE_FILM_H
#define RENDER_TRACE_FILM_H

#include "base/memory.h"

#include <mote/render.h>

#define TRACE_DARKEST 0.02f /* colours are divided by no less */

/* What a path brings, or the mean of a pixel's. */
typedef struct TraceSample {
    float light[4];             /* and how much of it is not the sky behind all */
    float own[3];               /* of what glows before the eye itself: no noise */
    float albedo[3], normal[3]; /* of what the eye sees first behind panes; light that shines by
                                   itself has the colour 1 */
    float nearness;             /* 1/m: 1 / distance; 0: the sky */
} TraceSample;

/* Planes of the picture's size. */
typedef struct TraceFilm {
    int width, height;
    float (*light)[4]; /* the picture itself */
    float (*own)[3], (*albedo)[3], (*normal)[3];
    float *nearness;
    float *variance; /* of the mean luminance, divided by the surface's */
} TraceFilm;

/* Averages light over pixels that see much the same. */
mote_Status trace_denoise(const TraceFilm *film, mote_Tasks *tasks, Arena *arena,
                          mote_Error *error);

#endif
