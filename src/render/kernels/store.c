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
