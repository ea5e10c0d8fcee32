/* Images: memory, and encoding for files. */
#include "render/image.h"

#include "base/status.h"
#include "render/splat.h"

#include <string.h>

mote_Status mote_image_create(int width, int height, mote_Image **out, mote_Error *error)
{
    *out = NULL;
    const int most = MOTE_IMAGE_LARGEST_SIDE;
    if (width < 1 || height < 1 || width > most || height > most)
        return status_fail(error, MOTE_BAD_VALUE,
                           "image: the size is %d x %d, but both sides must be between 1 and %d",
                           width, height, most);
    Memory memory = memory_make((mote_Allocator){0});
    mote_Image *image = memory_zeroed(&memory, sizeof *image);
    if (image == NULL) return status_no_memory(error, "an image", sizeof *image);
    *image = (mote_Image){.memory = memory, .width = width, .height = height};
    image->arena = arena_make(&image->memory);
    image->pixels = memory_zeroed(&image->memory, image_floats(image) * sizeof(float));
    if (image->pixels == NULL) {
        mote_image_destroy(image);
        return status_no_memory(error, "an image",
                                (size_t)width * (size_t)height * 4 * sizeof(float));
    }
    *out = image;
    return MOTE_OK;
}

void mote_image_destroy(mote_Image *image)
{
    if (image == NULL) return;
    arena_free(&image->arena);
    memory_free(&image->memory, image->pixels, image_floats(image) * sizeof(float));
    Memory memory = image->memory;
    memory_free(&memory, image, sizeof *image);
}

int mote_image_width(const mote_Image *image)
{
    return image->width;
}

int mote_image_height(const mote_Image *image)
{
    return image->height;
}

float *mote_image_pixels(mote_Image *image)
{
    return image->pixels;
}

/* ---- encoding ---- */

/* Straight colour and alpha; what has no alpha has no colour. */
static void unpremultiply(const float *from, size_t count, float *to)
{
    for (size_t i = 0; i < count; ++i, from += 4, to += 4) {
        float alpha = from[3] > 0 ? from[3] : 0, scale = alpha > 0 && alpha < 1 ? 1 / alpha : 1;
        for (int k = 0; k < 3; ++k) to[k] = from[k] * scale;
        to[3] = from[3];
    }
}

/* Colours without alpha, one after the other: pixels are written as four, and the next one covers
 * the fourth. False when one was not opaque. */
static bool leave_alpha(const float *from, size_t count, float *to)
{
    I4 opaque = {-1, -1, -1, -1};
    for (size_t i = 0; i < count; ++i, from += 4, to += 3) {
        V4 pixel;
        memcpy(&pixel, from, sizeof pixel);
        memcpy(to, &pixel, sizeof pixel);
        opaque &= pixel >= ALPHA_OPAQUE;
    }
    return opaque[3] != 0;
}

bool image_encode_row(const mote_Image *image, int row, RowCode code, float *scratch, uint8_t *out)
{
    const size_t width = (size_t)image->width;
    const float *pixels = image->pixels + (size_t)row * width * 4;
    const Coding coding = {.most = code.bits == 16 ? 65535 : 255,
                           .dither = code.dither ? 1 : 0,
                           .alpha = code.channels == 4,
                           .row = (uint32_t)row};
    bool good = true;
    if (coding.alpha)
        unpremultiply(pixels, width, scratch);
    else
        good = leave_alpha(pixels, width, scratch);
    render_kernels()->encode_row(scratch, width * (size_t)code.channels, &coding, out);
    return good;
}
