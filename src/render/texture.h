/* Pictures on surfaces. */
#ifndef RENDER_TEXTURE_H
#define RENDER_TEXTURE_H

#include "render/solid.h"

/* Between four pixels of a picture, times `light`; (0.5, 0.5) is the middle of the first. Across it
 * goes on where it ends; down too, or else its last row does. */
void texture_between(const mote_Image *image, float x, float y, bool repeats, float light,
                     float out[3]);

/* The colour of a solid with a texture at a place, relative to the eye, when the shutter is half
 * open; `normal` there, unit. */
void texture_color(const RenderSolid *solid, const float place[3], const float normal[3],
                   float color[3]);

#endif
