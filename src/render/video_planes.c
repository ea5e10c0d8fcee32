/* Frames as players want them: luma and two planes of chroma (ITU-R BT.709, luma from 16 to 235).
 *
 * Luma has fewer steps than the picture's codes, so that a dither of those would be lost on the
 * way: where it goes between two codes that become one step, smooth skies would show bands. The
 * same noise of one step is added to luma instead. */
#include "render/image.h"
#include "render/trace_samples.h"

#define RED  0.2126f
#define BLUE 0.0722f

static float code_at(const uint8_t *bytes)
{
    return (float)(bytes[0] << 8 | bytes[1]) / 65535;
}

/* -1 to 1, mostly near 0; depends on the pixel alone. */
static float triangle_noise(uint32_t x, uint32_t y)
{
    const uint32_t bits = mix_bits(x ^ mix_bits(y + 1));
    return (float)(bits & 0xffff) / 65536 + (float)(bits >> 16) / 65536 - 1;
}

void image_write_planes(const mote_Image *image, float *scratch, uint8_t *row, uint8_t *planes)
{
    const RowCode code = {.bits = 16, .channels = 3};
    const size_t width = (size_t)image->width, plane = width * (size_t)image->height;
    for (int y = 0; y < image->height; ++y) {
        image_encode_row(image, y, code, scratch, row);
        uint8_t *out = planes + (size_t)y * width;
        for (size_t x = 0; x < width; ++x) {
            const float r = code_at(row + 6 * x), g = code_at(row + 6 * x + 2);
            const float b = code_at(row + 6 * x + 4),
                        luma = RED * r + (1 - RED - BLUE) * g + BLUE * b;
            const float noise = luma > 0 && luma < 1 ? triangle_noise((uint32_t)x, (uint32_t)y) : 0;
            out[x] = (uint8_t)(16.5f + 219 * luma + noise);
            out[plane + x] = (uint8_t)(128.5f + 112 * (b - luma) / (1 - BLUE));
            out[2 * plane + x] = (uint8_t)(128.5f + 112 * (r - luma) / (1 - RED));
        }
    }
}
