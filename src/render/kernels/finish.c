/* From a tile's planes to the pixels of the image: the light of the splats, and of what comes
 * through from behind them. */
#include "render/kernels/kernels.h"

#include "render/kernels/vectors.h"

typedef struct Back {
    V4 color[3], alpha;
} Back;

/* Opaque spheres over the backdrop. */
INLINE Back behind(const StoreJob *job, int x)
{
    V4 b[4] = {{0}, {0}, {0}, {0}};
    if (job->backdrop != NULL) {
        for (int i = 0; i < 4; ++i) b[i] = load4(job->backdrop[x + i]);
        transpose4(b);
    }
    if (job->solid != NULL) {
        const I4 ball = load4(job->solid + 3 * job->stride + x) > 0;
        for (int k = 0; k < 3; ++k)
            b[k] = (V4)(((I4)load4(job->solid + k * job->stride + x) & ball) | ((I4)b[k] & ~ball));
        b[3] = (V4)(((I4)(V4){1, 1, 1, 1} & ball) | ((I4)b[3] & ~ball));
    }
    return (Back){{b[0], b[1], b[2]}, b[3]};
}

INLINE void store_4(const StoreJob *job, int x, V4 out[4])
{
    const float *at = job->planes + x;
    const Back back = behind(job, x);
    V4 t = load4(at + 3 * job->stride) + load4(job->closed + x);
    for (int k = 0; k < 3; ++k) out[k] = load4(at + k * job->stride) + t * back.color[k];
    out[3] = 1 - t * (1 - back.alpha);
    transpose4(out);
}

/* Past the caches: what is written is not read before all of it is. Pixels are aligned. */
INLINE void put_pixel(float *out, V4 pixel)
{
#if defined(__SSE2__)
    _mm_stream_ps(out, (__m128)pixel);
#else
    memcpy(out, &pixel, sizeof pixel);
#endif
}

void ISA(tile_store)(const StoreJob *job, float *out)
{
    V4 pixels[4];
    int x = 0;
    for (; x + 4 <= job->count; x += 4) {
        store_4(job, x, pixels);
        for (int k = 0; k < 4; ++k) put_pixel(out + 4 * (x + k), pixels[k]);
    }
    if (x == job->count) return;
    float last[4][4] = {{0}}; /* the backdrop ends with the row */
    StoreJob rest = *job;
    if (job->backdrop != NULL) {
        memcpy(last, job->backdrop + x, (size_t)(job->count - x) * sizeof last[0]);
        rest.backdrop = (const float(*)[4])last;
    }
    rest.planes += x, rest.closed += x;
    if (rest.solid != NULL) rest.solid += x;
    store_4(&rest, 0, pixels);
    memcpy(out + 4 * x, pixels, (size_t)(job->count - x) * sizeof pixels[0]);
}

/* Rows of images after the splats: halving and doubling for bloom, exposure and tone. */

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

#define PALE 20.0f /* light at which a colour has gone half of the way to white, and 1 more */

/* The strongest of the three takes the curve, the others keep their part of it, and light beyond 1
 * goes over to white: both leave the hue alone, which a curve of its own for each would turn, fire
 * to lemon and sky to cyan. */
void ISA(natural_row)(float *rgba, size_t values)
{
    for (size_t i = 0; i + 4 <= values; i += 4) {
        float *c = rgba + i, most = c[0] > c[1] ? c[0] : c[1];
        most = c[2] > most ? c[2] : most;
        if (!(most > 0)) continue;
        most = most < 1e6f ? most : 1e6f;
        const float level = film(most), white = most > 1 ? (most - 1) / (most + PALE) : 0;
        for (int k = 0; k < 3; ++k) {
            const float part = c[k] > 0 ? c[k] < most ? c[k] / most : 1 : 0;
            c[k] = level * (part + white * (1 - part));
        }
    }
}
