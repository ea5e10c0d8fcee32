/* The sky as a picture of all directions: longitude across, latitude down, as lamps and places are
 * photographed for lighting. */
#ifndef RENDER_PANORAMA_H
#define RENDER_PANORAMA_H

#include <mote/render.h>

typedef struct Panorama {
    const mote_Image *image; /* NULL: there is none */
    float axis[3][3];        /* aside, ahead (the picture's middle) and up */
    float light;             /* factor on its pixels */
} Panorama;

Panorama panorama_make(const mote_Backdrop *sky, const float up[3]);

/* Linear RGB in a direction of any length, between the pixels. */
void panorama_look(const Panorama *panorama, const float direction[3], float out[3]);

#endif
