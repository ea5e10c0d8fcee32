/* Eight rays through pixels side by side: where their paths start. */
#include "render/shade.h"

#include "render/kernels/kernels.h"
#include "render/kernels/paths.h"

INLINE U8 reverse_words(U8 x)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    x = (x & 0x00ff00ffu) << 8 | (x >> 8 & 0x00ff00ffu);
    return x << 16 | x >> 16;
}

/* Places in a pixel by a tent of two pixels' width: edges are smooth, and thin lines do not break.
 */
INLINE V8 tent(V8 u)
{
    const I8 left = (I8)(u < 0.5f);
    const V8 away = 1 - sqrt8(2 * choose8(left, u, 1 - u));
    return choose8(left, -away, away);
}

/* Through a place of the picture, with a component of 1 along the view. */
INLINE void through_picture(const View *view, const V8 at[2], V8 origin[3], V8 direction[3])
{
    const V8 right = (at[0] - view->center[0]) / view->focal;
    const V8 down = (at[1] - view->center[1]) / view->focal;
    for (int k = 0; k < 3; ++k) {
        const V8 across = right * view->axis[0][k] + down * view->axis[1][k];
        origin[k] = view->orthographic ? across : all8(0);
        direction[k] = view->axis[2][k] + (view->orthographic ? all8(0) : across);
    }
}

/* Through a place of the lens, evenly: all rays of a place of the picture meet where it is sharp.
 */
INLINE void through_lens(const View *view, const Seeds *seeds, V8 origin[3], V8 direction[3])
{
    V8 u[2], sharp[3], sine, cosine;
    madd8(origin, all8(view->focus), direction, sharp);
    draw_pairs(seeds, seeds->pair + 2, u);
    turn_sincos8(u[1], &sine, &cosine);
    const V8 away = 0.5f * view->aperture * sqrt8(u[0]), right = away * cosine, down = away * sine;
    for (int k = 0; k < 3; ++k) {
        origin[k] += right * view->axis[0][k] + down * view->axis[1][k];
        direction[k] = sharp[k] - origin[k];
    }
}

INLINE void store_starts(const V8 origin[3], const V8 direction[4], const Seeds *seeds,
                         TraceStart starts[TRACE_TOGETHER])
{
    V8 four[3][4] = {
        {origin[0], origin[1], origin[2], all8(0)},
        {direction[0], direction[1], direction[2], direction[3]},
        {(V8)words_all(NO_WISP), (V8)seeds->pixel, (V8)seeds->sample, (V8)(seeds->pair + 3)}};
    for (int n = 0; n < 3; ++n) {
        float *to[TRACE_TOGETHER];
        for (int i = 0; i < TRACE_TOGETHER; ++i) to[i] = (float *)(void *)&starts[i] + 4 * n;
        store_fours(four[n], to);
    }
}

/* Places in the pixel and in the lens and moments of the shutter are spread evenly over a pixel's
 * samples. */
void ISA(paths_start)(const StartJob *job)
{
    const View *view = job->view;
    V8 u[2], at[2], origin[3], direction[4];
    const U8 column = words_load(job->columns), row = words_all(job->row);
    const Seeds seeds = {mix_words((row * (uint32_t)view->width + column) ^ job->hash),
                         reverse_words(words_load(job->samples)), words_all(0)};
    draw_pairs(&seeds, seeds.pair, u);
    at[0] = __builtin_convertvector((I8)column, V8) + 0.5f + 0.75f * tent(u[0]);
    at[1] = (float)job->row + 0.5f + 0.75f * tent(u[1]);
    through_picture(view, at, origin, direction);
    if (view->aperture > 0) through_lens(view, &seeds, origin, direction);
    unit8(direction);
    madd8(origin, all8(view->near), direction, origin);
    direction[3] = view->shutter > 0 ? draw_firsts(&seeds, seeds.pair + 1) : all8(0.5f);
    store_starts(origin, direction, &seeds, job->starts);
}
