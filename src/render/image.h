/* An image's insides. */
#ifndef RENDER_IMAGE_H
#define RENDER_IMAGE_H

#include <mote/render.h>

#include "base/memory.h"

/* Of traced pictures: what the eye sees first in each pixel. */
typedef struct ImageFeatures {
    float albedo[3], normal[3]; /* colour; unit vector along the world's axes */
    float depth;                /* m from the eye; 0: the sky alone */
} ImageFeatures;

struct mote_Image {
    Memory memory;
    Arena arena; /* of the render that is going on */
    int width, height;
    float *pixels;                 /* linear RGBA, premultiplied */
    const ImageFeatures *features; /* in the arena; NULL: they are not known */
};

static inline size_t image_floats(const mote_Image *image)
{
    return (size_t)image->width * (size_t)image->height * 4;
}

/* Bytes of one encoded row: RGB or RGBA in 8 bits, or in 16 with the high byte first. Dither adds a
 * triangular noise of one step that depends on the pixel alone, and leaves black and white as they
 * are. */
typedef struct RowCode {
    int bits;     /* 8 or 16 */
    int channels; /* 3 or 4 */
    bool dither;
} RowCode;

static inline size_t row_code_bytes(const mote_Image *image, RowCode code)
{
    return (size_t)image->width * (size_t)(code.channels * code.bits / 8);
}

/* Bytes of `scratch` for image_encode_row. */
static inline size_t row_code_scratch(const mote_Image *image)
{
    return (size_t)image->width * 4 * sizeof(float);
}

#define ALPHA_OPAQUE 0.9999f /* alpha that counts as 1 */

/* False when there is no channel for alpha, but a pixel that is not opaque. */
bool image_encode_row(const mote_Image *image, int row, RowCode code, float *scratch, uint8_t *out);

/* The whole image as three planes of width x height bytes: luma and chroma. `row` has room for a
 * row of 16 bits and three channels. */
void image_write_planes(const mote_Image *image, float *scratch, uint8_t *row, uint8_t *planes);

#endif
