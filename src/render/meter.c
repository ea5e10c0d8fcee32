/* Automatic exposure: what a photographer's meter says.
 *
 * The middle of the picture's lights, by their logarithms between the tenth part that is darkest
 * and the tenth that is brightest, becomes middle grey, unless that would burn out more than a
 * hundredth of the picture: fire at night stays night. Lights are counted in eighths of a stop, so
 * that the answer does not depend on the order of pixels. */
#include "base/math.h"
#include "render/float3.h"
#include "render/render.h"

enum { STEPS = 8, DARKEST = -24, BRIGHTEST = 24, BINS = STEPS * (BRIGHTEST - DARKEST) };

#define GREY  0.18f /* of the light that is white */
#define WHITE 2.0f  /* what tone curves leave just below white */

/* Pixels of each light; black and clear ones are not counted. */
static size_t count_lights(const mote_Image *image, size_t counts[BINS])
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    size_t all = 0;
    for (size_t i = 0; i < pixels; ++i) {
        const float light = luminance3(image->pixels + 4 * i);
        if (!(light > 1e-7f) || !(light < 1e7f)) continue;
        /* log2 of the light; 1 / ln 2. */
        const float stops = 1.44269504f * math_logf(light) - DARKEST;
        ++counts[(size_t)(STEPS * stops)];
        ++all;
    }
    return all;
}

/* The light in the middle of a bin. */
static float bin_stops(int bin)
{
    return DARKEST + ((float)bin + 0.5f) / STEPS;
}

/* The bin that has `rank` pixels below it. */
static int bin_of(const size_t counts[BINS], size_t rank)
{
    size_t below = 0;
    int bin = 0;
    while (bin < BINS - 1 && below + counts[bin] <= rank) below += counts[bin++];
    return bin;
}

float meter_exposure(const mote_Image *image)
{
    size_t counts[BINS] = {0};
    const size_t all = count_lights(image, counts);
    double sum = 0, weight = 0;
    if (all == 0) return 1;
    const int low = bin_of(counts, all / 10), high = bin_of(counts, all - 1 - all / 10);
    for (int bin = low; bin <= high; ++bin)
        sum += (double)counts[bin] * (double)bin_stops(bin), weight += (double)counts[bin];
    const float middle = (float)(sum / weight),
                bright = bin_stops(bin_of(counts, all - 1 - all / 100));
    const float wanted = GREY * math_expf(-0.69314718f * middle);
    const float allowed = WHITE * math_expf(-0.69314718f * bright);
    return wanted < allowed ? wanted : allowed;
}
