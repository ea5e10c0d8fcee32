/* Pictures and checkers on surfaces. */
#ifndef RENDER_TEXTURE_H
#define RENDER_TEXTURE_H

#include "render/solid.h"

/* What a surface wears instead of its colour: a copy of it is 1 wide and high. */
typedef struct TexturePaint {
    const mote_Image *image; /* NULL: a checker */
    bool repeats;            /* down too; else the image's last row goes on */
    bool framed;             /* its edges do not run into those of the next copy */
    float squares[2];        /* of the checker, across and down a copy */
    float colors[2][3];      /* its own; the first is in the upper left corner */
} TexturePaint;

/* Its colour at a place of the copies, across and down, averaged over so much of them. */
void texture_paint(const TexturePaint *paint, const float at[2], const float width[2],
                   float color[3]);

/* Between four pixels of a picture, times `light`; (0.5, 0.5) is the middle of the first. Across it
 * goes on where it ends; down too, or else its last row does. */
void texture_between(const mote_Image *image, float x, float y, bool repeats, float light,
                     float out[3]);

/* How far a surface is gone along where the eye goes a pixel to the right and one down; `place` is
 * relative to the eye. */
void texture_steps(const View *view, const float place[3], const float normal[3],
                   float steps[2][3]);

static inline bool texture_worn(const RenderSolid *solid)
{
    return solid->texture != NULL || solid->checker > 0;
}

/* The colour of a solid with a texture at a place, relative to the eye, when the shutter is half
 * open; `normal` there, unit; averaged over these steps, or at the place alone where they are NULL.
 */
void texture_color(const RenderSolid *solid, const float place[3], const float normal[3],
                   const float (*steps)[3], float color[3]);

/* Where a place of a triangle's plane is on a texture that has these places at its corners. */
void texture_of_triangle(const float corners[3][3], const float uvs[3][2], const float place[3],
                         float at[2]);

/* How much of the copies lies between places on them: the sum of both steps, each the shorter way
 * around. */
void texture_width(const float at[2], const float moved[2][2], float width[2]);

#endif
