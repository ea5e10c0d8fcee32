/* Rows of images after the splats: halving and doubling for bloom, exposure and tone. */
#include "render/kernels/kernels.h"

/* Each pixel from 4 x 4 of the finer level with the weights 1 3 3 1 along each axis. `spare` has
 * room for a row of the finer level and four pixels. */
void ISA(shrink_row)(const float *const rows[4], int width, float *spare, float *out)
{
    const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    float *middle = spare + 4;
    const size_t values = 4 * (size_t)width, half = ((size_t)width + 1) / 2;
    FOR_ROWS (i, values) middle[i] = 0.125f * (a[i] + d[i]) + 0.375f * (b[i] + c[i]);
    for (size_t k = 0; k < 4; ++k) {
        spare[k] = middle[k];
        for (size_t i = 0; i < 2; ++i) middle[values + 4 * i + k] = middle[values - 4 + k];
    }
    for (size_t x = 0; x < half; ++x) {
        const float *p = spare + 8 * x;
        for (size_t k = 0; k < 4; ++k)
            out[4 * x + k] = 0.125f * (p[k] + p[12 + k]) + 0.375f * (p[4 + k] + p[8 + k]);
    }
}

/* out += weight (coarse rows, enlarged linearly - out). near is three times as near as far. */
void ISA(mix_row)(const MixJob *job, float *spare, float *out)
{
    const float *near = job->near, *far = job->far, weight = job->weight;
    const size_t half = ((size_t)job->width + 1) / 2, values = 4 * half;
    float *middle = spare + 4;
    FOR_ROWS (i, values) middle[i] = 0.75f * near[i] + 0.25f * far[i];
    for (size_t k = 0; k < 4; ++k) {
        spare[k] = middle[k];
        middle[values + k] = middle[values - 4 + k];
    }
    for (size_t x = 0; x < (size_t)job->width; ++x) {
        const float *mine = middle + 4 * (x / 2), *beside = x & 1 ? mine + 4 : mine - 4;
        for (size_t k = 0; k < 4; ++k) {
            float up = 0.75f * mine[k] + 0.25f * beside[k];
            out[4 * x + k] += weight * (up - out[4 * x + k]);
        }
    }
}

/* Narkowicz's fit of the ACES film curve, at most 1. */
static inline float film(float x)
{
    x = x < 1e6f ? x : 1e6f;
    float y = x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);
    return y < 1 ? y : 1;
}

void ISA(scale_row)(float *rgba, size_t values, float factor)
{
    FOR_ROWS (i, values) rgba[i] *= (i & 3) == 3 ? 1 : factor;
}

void ISA(film_row)(float *rgba, size_t values)
{
    FOR_ROWS (i, values) rgba[i] = (i & 3) == 3 ? rgba[i] : film(rgba[i]);
}
