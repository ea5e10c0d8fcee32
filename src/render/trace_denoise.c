/* Less noise from the paths that there are: pixels that see much the same share their light.
 *
 * Light is divided by the surface's own colour, so that textures stay sharp, and averaged with
 * holes that grow from pass to pass (H. Dammertz et al., Edge-avoiding a-trous wavelet transform,
 * 2010). A neighbour counts less the more its normal, colour and depth differ, and the more its
 * light differs from what the noise explains: the variance of a pixel's paths, which is averaged
 * along (C. Schied et al., Spatiotemporal variance-guided filtering, 2017). */
#include "render/trace_film.h"

#include "base/math.h"
#include "base/status.h"
#include "render/float3.h"

#include <string.h>

#define NOISE 4.0f /* deviations that chance may explain */
enum { PASSES = 5, REACH = 2 };

/* One pass over the picture. */
typedef struct DenoisePass {
    const TraceFilm *film;
    int step; /* px between the places that are averaged */
    const float (*light)[4];
    const float *variance;
    float (*out)[4];
    float *out_variance;
} DenoisePass;

static size_t pixel_of(const TraceFilm *film, int x, int y)
{
    return (size_t)y * (size_t)film->width + (size_t)x;
}

static int within(int x, int size)
{
    return x < 0 ? 0 : x < size ? x : size - 1;
}

/* ---- before and after ---- */

/* A pixel that is twice as bright as all around it, and whose paths differ as much, is one path
 * that chance has led to a light. */
static void calm_rows(void *context, size_t begin, size_t end, int worker)
{
    const DenoisePass *pass = context;
    const TraceFilm *film = pass->film;
    (void)worker;
    for (size_t row = begin; row < end; ++row) {
        for (int x = 0; x < film->width; ++x) {
            const int y = (int)row;
            const size_t here = pixel_of(film, x, y);
            float most = 0, own = luminance3(pass->light[here]);
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i) {
                    const size_t there =
                        pixel_of(film, within(x + i, film->width), within(y + j, film->height));
                    const float l = luminance3(pass->light[there]);
                    if (there != here && l > most) most = l;
                }
            const float excess = own - 2 * most;
            const bool chance = excess > 0 && excess * excess < 9 * pass->variance[here];
            const float keep = chance ? 2 * most / own : 1;
            for (int k = 0; k < 3; ++k) pass->out[here][k] = keep * pass->light[here][k];
            pass->out[here][3] = pass->light[here][3];
            pass->out_variance[here] = keep * keep * pass->variance[here];
        }
    }
}

/* Light without the surface's own colour, or with it again and with what glows before it. */
static void divide_colors(const TraceFilm *film, bool back)
{
    const size_t pixels = (size_t)film->width * (size_t)film->height;
    float(*light)[4] = film->light;
    for (size_t i = 0; i < pixels; ++i) {
        float color[3];
        for (int k = 0; k < 3; ++k) {
            const float c = film->albedo[i][k];
            color[k] = c > TRACE_DARKEST ? c : TRACE_DARKEST;
            light[i][k] = back ? light[i][k] * color[k] + film->own[i][k] : light[i][k] / color[k];
        }
    }
}

/* ---- a pass ---- */

/* The variance around a pixel: that of a few paths is not known well. */
static float variance_near(const DenoisePass *pass, int x, int y)
{
    static const float weights[3] = {0.25f, 0.5f, 0.25f};
    const TraceFilm *film = pass->film;
    float sum = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
            sum += weights[i + 1] * weights[j + 1] *
                   pass->variance[pixel_of(film, within(x + i, film->width),
                                           within(y + j, film->height))];
    return sum;
}

/* How nearness changes from pixel to pixel: on a plane evenly, however it leans. */
static float slope_of(float before, float here, float after)
{
    const float a = here - before, b = after - here;
    return __builtin_fabsf(a) < __builtin_fabsf(b) ? a : b;
}

/* What the middle of the average is like. */
typedef struct DenoiseMiddle {
    size_t at;
    float light, noise; /* luminance, and how much chance may change it */
    float slope[2];     /* of nearness, 1/m a pixel */
} DenoiseMiddle;

static DenoiseMiddle middle_of(const DenoisePass *pass, int x, int y)
{
    const TraceFilm *f = pass->film;
    const float *near = f->nearness;
    const size_t at = pixel_of(f, x, y);
    DenoiseMiddle m = {.at = at, .light = luminance3(pass->light[at])};
    m.noise = NOISE * __builtin_sqrtf(variance_near(pass, x, y)) + 1e-3f * m.light + 1e-5f;
    m.slope[0] = slope_of(near[pixel_of(f, within(x - 1, f->width), y)], near[at],
                          near[pixel_of(f, within(x + 1, f->width), y)]);
    m.slope[1] = slope_of(near[pixel_of(f, x, within(y - 1, f->height))], near[at],
                          near[pixel_of(f, x, within(y + 1, f->height))]);
    return m;
}

/* How unlike a neighbour dx, dy pixels away is; 0: the same surface in the same light. */
static float unlike(const DenoisePass *pass, const DenoiseMiddle *m, size_t there, int dx, int dy)
{
    const TraceFilm *f = pass->film;
    float turned = 0, color = 0;
    for (int k = 0; k < 3; ++k) {
        const float n = f->normal[there][k] - f->normal[m->at][k];
        const float a = f->albedo[there][k] - f->albedo[m->at][k];
        turned += n * n, color += a * a;
    }
    const float near = f->nearness[m->at], other = f->nearness[there];
    const float awaited = near + m->slope[0] * (float)dx + m->slope[1] * (float)dy;
    const float depth = __builtin_fabsf(other - awaited) / (0.02f * (near + other) + 1e-6f);
    const float light = __builtin_fabsf(luminance3(pass->light[there]) - m->light) / m->noise;
    return 8 * turned + 20 * color + depth + light;
}

static void average(const DenoisePass *pass, int x, int y)
{
    static const float bell[REACH + 1] = {0.375f, 0.25f, 0.0625f};
    const TraceFilm *film = pass->film;
    const DenoiseMiddle m = middle_of(pass, x, y);
    float sum[3] = {0, 0, 0}, weights = 0, variance = 0;
    for (int j = -REACH; j <= REACH; ++j) {
        for (int i = -REACH; i <= REACH; ++i) {
            const int dx = i * pass->step, dy = j * pass->step;
            if (x + dx < 0 || x + dx >= film->width || y + dy < 0 || y + dy >= film->height)
                continue;
            const size_t there = pixel_of(film, x + dx, y + dy);
            const float away = unlike(pass, &m, there, dx, dy);
            if (!(away < 20)) continue;
            const float w = bell[i < 0 ? -i : i] * bell[j < 0 ? -j : j] * math_expf(-away);
            madd3(sum, w, pass->light[there], sum);
            weights += w, variance += w * w * pass->variance[there];
        }
    }
    for (int k = 0; k < 3; ++k) pass->out[m.at][k] = sum[k] / weights;
    pass->out[m.at][3] = pass->light[m.at][3];
    pass->out_variance[m.at] = variance / (weights * weights);
}

static void average_rows(void *context, size_t begin, size_t end, int worker)
{
    const DenoisePass *pass = context;
    (void)worker;
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < pass->film->width; ++x) average(pass, x, (int)y);
}

mote_Status trace_denoise(const TraceFilm *film, mote_Tasks *tasks, Arena *arena, mote_Error *error)
{
    const size_t pixels = (size_t)film->width * (size_t)film->height;
    float(*light[2])[4] = {film->light, arena_take(arena, pixels * sizeof *film->light)};
    float *variance[2] = {film->variance, arena_take(arena, pixels * sizeof *film->variance)};
    if (light[1] == NULL || variance[1] == NULL)
        return status_no_memory(error, "a picture without noise", pixels * sizeof *film->light);
    divide_colors(film, false);
    for (int p = 0; p <= PASSES; ++p) {
        const int from = p & 1, to = 1 - from;
        DenoisePass pass = {film,
                            p > 0 ? 1 << (p - 1) : 0,
                            (const float(*)[4])light[from],
                            variance[from],
                            light[to],
                            variance[to]};
        mote_parallel_for(tasks, (size_t)film->height, 1, p > 0 ? average_rows : calm_rows, &pass);
    }
    _Static_assert(PASSES % 2 == 1, "the last pass writes the film itself");
    divide_colors(film, true);
    return MOTE_OK;
}
