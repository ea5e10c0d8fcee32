/* Images: memory, and encoding for files. */
#include "render/image.h"

#include "base/hash.h"
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

/* Triangular noise in (-1, 1), from two halves of a hash of the place. */
static float noise(uint64_t place)
{
    uint64_t h = hash_mix(place + 0x9e3779b97f4a7c15u);
    float a = (float)(uint32_t)(h >> 40), b = (float)(uint32_t)(h & 0xffffff);
    return (a + b) * (1 / 16777216.0f) - 1;
}

static uint32_t quantise(float code, uint32_t most, bool dither, uint64_t place)
{
    float steps = code * (float)most, room = (float)most - steps;
    if (dither) {
        room = room < steps ? room : steps;
        steps += noise(place) * (room < 1 ? room : 1);
    }
    return (uint32_t)(steps + 0.5f);
}

/* Straight colour and alpha; what has no alpha has no colour. */
static void unpremultiply(const float *from, int channels, size_t count, float *to)
{
    for (size_t i = 0; i < count; ++i, from += 4, to += channels) {
        float alpha = from[3] > 0 ? from[3] : 0;
        float scale = channels == 4 && alpha > 0 && alpha < 1 ? 1 / alpha : 1;
        for (int k = 0; k < 3; ++k) to[k] = from[k] * scale;
    }
}

void image_encode_row(const mote_Image *image, int row, RowCode code, float *scratch, uint8_t *out)
{
    const size_t width = (size_t)image->width, values = width * (size_t)code.channels;
    const float *pixels = image->pixels + (size_t)row * width * 4;
    const uint32_t most = code.bits == 16 ? 65535 : 255;
    unpremultiply(pixels, code.channels, width, scratch);
    render_kernels()->encode(scratch, scratch, values);
    for (size_t i = 0; code.channels == 4 && i < width; ++i) {
        float alpha = pixels[4 * i + 3];
        scratch[4 * i + 3] = !(alpha > 0) ? 0 : alpha < 1 ? alpha : 1;
    }
    uint64_t place = ((uint64_t)(uint32_t)row << 32);
    for (size_t i = 0; i < values; ++i) {
        bool dither = code.dither && !(code.channels == 4 && i % 4 == 3);
        uint32_t value = quantise(scratch[i], most, dither, place + i);
        if (code.bits == 16) *out++ = (uint8_t)(value >> 8);
        *out++ = (uint8_t)value;
    }
}
