/* Less noise from the paths that there are: layers of pixels that are much the same share light.
 *
 * Light was divided by the surface's own colour, so that textures stay sharp, and is averaged with
 * holes that grow from pass to pass (H. Dammertz et al., Edge-avoiding a-trous wavelet transform,
 * 2010). A layer of a neighbour counts less the more its normal and colour differ and the further
 * it lies off the plane of the surface, and the more its light differs from what the noise
 * explains: the variance of paths, which is averaged along (C. Schied et al., Spatiotemporal
 * variance-guided filtering, 2017). */
#include "render/trace_film.h"

#include "base/status.h"
#include "render/average.h"
#include "render/float3.h"
#include "render/splat.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES = 5, ENOUGH = 4 };

/* One pass over the picture. */
typedef struct DenoisePass DenoisePass;
struct DenoisePass {
    const TraceFilm *film;
    void (*filter)(const DenoisePass *pass, int x, int y, size_t at);
    int step; /* px between the places that are averaged */
    LayerForm *forms;
    const LayerLight *from;
    LayerLight *to;
    /* Luminances of both kinds around a layer, and their variances: what lights are compared by,
     * because a patch tells noise from shadow better than a pixel. Of `from`. */
    V4 *guide;
    const RenderKernels *kernels;
};

/* The layers of a pixel: numbers in the whole picture, from the first on to before the last. */
typedef struct LayerRange {
    size_t first, last;
} LayerRange;

static size_t pixel_of(const TraceFilm *film, int x, int y)
{
    return (size_t)y * (size_t)film->width + (size_t)x;
}

static inline LayerRange layers_at(const TraceFilm *film, int x, int y)
{
    if (x < 0 || x >= film->width || y < 0 || y >= film->height) return (LayerRange){.last = 0};
    const uint32_t *first = film->first + pixel_of(film, x, y);
    return (LayerRange){first[0], first[1]};
}

/* One of them, by its number. */
static inline const TraceLayer *layer_at(const TraceFilm *film, int y, size_t at)
{
    return film->rows[y] + (at - film->first[pixel_of(film, 0, y)]);
}

static void form(const DenoisePass *pass, int x, int y, size_t at)
{
    const TraceLayer *layer = layer_at(pass->film, y, at);
    const float *n = layer->normal, *c = layer->albedo, *p = layer->place;
    (void)x;
    pass->forms[at] = (LayerForm){{n[0], n[1], n[2], layer->count[TRACE_DIRECT]},
                                  {c[0], c[1], c[2], layer->count[TRACE_REST]},
                                  {p[0], p[1], p[2], 1e-6f * dot3(p, p) + 1e-30f}};
}

/* The cubic B-spline's 1 4 6 4 1 / 16, by the distance from its middle. */
static const float bell[] = {0.375f, 0.25f, 0.0625f};

/* The layers around one, up to so many steps away. */
static void look_around(const DenoisePass *pass, int x, int y, size_t at, int away, int step,
                        AverageJob *job)
{
    LayersAround *around = &job->around;
    size_t count = 0;
    for (int j = -away; j <= away; ++j)
        for (int i = -away; i <= away; ++i) {
            const LayerRange there = layers_at(pass->film, x + i * step, y + j * step);
            for (size_t other = there.first; other < there.last; ++other) {
                if (other == at) continue;
                around->others[count] = (uint32_t)other, around->rows[count] = j * step;
                around->bells[count++] = bell[abs(i)] * bell[abs(j)];
            }
        }
    for (size_t n = count; n % 8 != 0; ++n) around->others[n] = (uint32_t)at, around->bells[n] = 0;
    around->at = at, around->count = count;
    job->forms = pass->forms, job->lights = pass->from, job->guides = pass->guide;
}

static inline float luminance4(V4 light)
{
    return 0.2126f * light[0] + 0.7152f * light[1] + 0.0722f * light[2];
}

/* ---- the variance that paths have ---- */

typedef struct DenoiseSpread {
    float squares[TRACE_KINDS], freedom[TRACE_KINDS];
    float most; /* luminance of light from all around */
} DenoiseSpread;

static void add_spread(float weight, const TraceLayer *layer, DenoiseSpread *sum)
{
    for (int kind = 0; kind < TRACE_KINDS; ++kind) {
        if (!(layer->count[kind] > 1)) continue;
        sum->squares[kind] += weight * layer->spread[kind];
        sum->freedom[kind] += weight * (layer->count[kind] - 1);
    }
}

/* Light that is twice as much as all around, from paths that differ as much, is one path that
 * chance has led to a light: a firefly. */
static float firefly(const TraceLayer *own, float most)
{
    const float light = luminance3(own->light[TRACE_REST]), excess = light - 2 * most;
    const float n = own->count[TRACE_REST], variance = own->spread[TRACE_REST] / (n * (n - 1));
    return n > 1 && excess > 0 && excess * excess < 9 * variance ? 2 * most / light : 1;
}

/* Of all that is like a layer; it is most like itself. */
static void add_spreads(const DenoisePass *pass, int x, int y, size_t at, DenoiseSpread *sum)
{
    AverageJob job;
    LayerWeights weights;
    look_around(pass, x, y, at, 2, 2, &job);
    pass->kernels->weigh(&job, &weights);
    add_spread(1, layer_at(pass->film, y, at), sum);
    for (size_t n = 0; n < job.around.count; ++n) {
        if (!(weights.alike[n] > 0)) continue;
        const TraceLayer *layer =
            layer_at(pass->film, y + job.around.rows[n], job.around.others[n]);
        const float light = luminance3(layer->light[TRACE_REST]);
        add_spread(weights.alike[n], layer, sum);
        if (light > sum->most) sum->most = light;
    }
}

/* The variance of a layer's mean, by the paths of all that is like it around: of a few alone it is
 * not known well, and a rare find would look certain where it was not made. Light straight from
 * lights is no rare find: where all paths agree, they are right. */
static void pool(const DenoisePass *pass, int x, int y, size_t at)
{
    const TraceLayer *own = layer_at(pass->film, y, at);
    DenoiseSpread sum = {.squares = {0}};
    add_spreads(pass, x, y, at, &sum);
    const float keep = sum.most > 0 ? firefly(own, sum.most) : 1;
    for (int kind = 0; kind < TRACE_KINDS; ++kind) {
        const float n = own->count[kind], mean = luminance3(own->light[kind]);
        const bool alone = kind == TRACE_DIRECT && n >= ENOUGH;
        const float squares = alone ? own->spread[kind] : sum.squares[kind];
        const float freedom = alone ? n - 1 : sum.freedom[kind];
        const float *light = own->light[kind];
        const float variance =
            n > 0 ? (freedom > 0.5f ? squares / freedom : mean * mean) / n : UNKNOWN;
        const float by = kind == TRACE_REST ? keep : 1;
        pass->to[at][kind] = (V4){by * light[0], by * light[1], by * light[2], variance};
    }
}

/* ---- averages ---- */

/* Light from all around is compared by patches; straight from lights it has sharp edges, and is
 * known well enough. */
static void guide(const DenoisePass *pass, int x, int y, size_t at)
{
    const V4 direct = pass->from[at][TRACE_DIRECT], rest = pass->from[at][TRACE_REST];
    const float own = rest[3] < UNKNOWN ? pass->forms[at].albedo[3] : 0;
    AverageJob job;
    GuideSums sums;
    look_around(pass, x, y, at, 1, 1, &job);
    pass->kernels->guide(&job, &sums);
    const float weight = sums.weight + own, by = weight > 0 ? 1 / weight : 0;
    const float luminance = sums.luminance + own * luminance4(rest);
    /* Neighbours after the first pass are averages of much the same paths: together they are known
     * no better than one of them. */
    const float variance = pass->step > 1 ? by * (sums.same + own * rest[3])
                                          : by * by * (sums.independent + own * own * rest[3]);
    pass->guide[at] =
        (V4){luminance4(direct), by * luminance, direct[3], by > 0 ? variance : UNKNOWN};
}

/* The likest layer around whose light is known, by its number. A layer that no path has reached
 * takes that over, so that it is not black. */
static size_t likest_of(const DenoisePass *pass, const AverageJob *job)
{
    size_t best = job->around.at;
    float least = UNKNOWN;
    LayerWeights weights;
    pass->kernels->weigh(job, &weights);
    for (size_t n = 0; n < job->around.count; ++n) {
        const size_t other = job->around.others[n];
        if (pass->from[other][TRACE_REST][3] < UNKNOWN && weights.unlike[n] < least)
            best = other, least = weights.unlike[n];
    }
    return best;
}

/* To a ten thousandth, as the sky is: others have nothing to tell. */
static bool known_well(const LayerLight light)
{
    const float all = luminance4(light[TRACE_DIRECT]) + luminance4(light[TRACE_REST]);
    return light[TRACE_DIRECT][3] + light[TRACE_REST][3] <= 1e-8f * all * all;
}

/* The step of pass p is 2^p pixels. */
static void average(const DenoisePass *pass, int x, int y, size_t at)
{
    const V4 *own = pass->from[at], paths = {pass->forms[at].normal[3], pass->forms[at].albedo[3]};
    AverageJob job;
    LayerSums sums;
    if (known_well(pass->from[at])) {
        memcpy(pass->to[at], own, sizeof pass->to[at]);
        return;
    }
    look_around(pass, x, y, at, 2, pass->step, &job);
    pass->kernels->average(&job, &sums);
    const bool dark = !(own[TRACE_REST][3] < UNKNOWN);
    const size_t likest = dark ? likest_of(pass, &job) : at;
    for (int kind = 0; kind < TRACE_KINDS; ++kind) {
        const bool known = own[kind][3] < UNKNOWN;
        const float w = known ? bell[0] * bell[0] * paths[kind] : 0, all = sums.weights[kind] + w;
        const V4 light = sums.light[kind] + (V4){w, w, w, w * w} * own[kind];
        pass->to[at][kind] = all > 0 ? light / (V4){all, all, all, all * all}
                                     : pass->from[known ? at : likest][kind];
    }
}

static void filter_rows(void *context, size_t begin, size_t end, int worker)
{
    const DenoisePass *pass = context;
    (void)worker;
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < pass->film->width; ++x) {
            const LayerRange here = layers_at(pass->film, x, (int)y);
            for (size_t at = here.first; at < here.last; ++at) pass->filter(pass, x, (int)y, at);
        }
}

/* ---- the picture ---- */

/* Layers with their colour again, as much as each covers; those that nothing is known of are left
 * out. */
static void add_pixel(const TraceFilm *film, const LayerLight *found, int x, int y)
{
    const LayerRange here = layers_at(film, x, y);
    float light[3] = {0, 0, 0}, known = 0, paths = 0, seen = 0;
    for (size_t at = here.first; at < here.last; ++at) {
        const TraceLayer *layer = layer_at(film, y, at);
        const V4 *kinds = found[at];
        paths += layer->count[TRACE_REST], seen += layer->count[TRACE_REST] * layer->alpha;
        if (!(kinds[TRACE_REST][3] < UNKNOWN)) continue;
        for (int k = 0; k < 3; ++k) {
            const float c = layer->albedo[k] > TRACE_DARKEST ? layer->albedo[k] : TRACE_DARKEST;
            light[k] += layer->part * c * (kinds[TRACE_DIRECT][k] + kinds[TRACE_REST][k]);
        }
        known += layer->part;
    }
    float *out = film->light[pixel_of(film, x, y)];
    madd3(out, 1 / known, light, out);
    out[3] = seen / paths;
}

mote_Status trace_denoise(const TraceFilm *film, mote_Tasks *tasks, Arena *arena, mote_Error *error)
{
    const size_t rows = (size_t)film->height, layers = film->first[rows * (size_t)film->width];
    const size_t bytes = layers * sizeof(LayerLight);
    LayerLight *light[2] = {arena_take(arena, bytes), arena_take(arena, bytes)};
    LayerForm *forms = arena_take(arena, layers * sizeof *forms);
    V4 *guides = arena_take(arena, layers * sizeof *guides);
    if (light[0] == NULL || light[1] == NULL || guides == NULL || forms == NULL)
        return status_no_memory(error, "a picture without noise", 4 * bytes);
    DenoisePass pass = {.film = film,
                        .filter = form,
                        .forms = forms,
                        .to = light[0],
                        .guide = guides,
                        .kernels = render_kernels()};
    mote_parallel_for(tasks, rows, 1, filter_rows, &pass);
    pass.filter = pool;
    mote_parallel_for(tasks, rows, 1, filter_rows, &pass);
    for (int p = 0; p < PASSES; ++p) {
        pass.from = (const LayerLight *)light[p & 1], pass.to = light[1 - (p & 1)];
        pass.filter = guide, pass.step = 1 << p;
        mote_parallel_for(tasks, rows, 1, filter_rows, &pass);
        pass.filter = average;
        mote_parallel_for(tasks, rows, 1, filter_rows, &pass);
    }
    for (int y = 0; y < film->height; ++y)
        for (int x = 0; x < film->width; ++x) add_pixel(film, (const LayerLight *)pass.to, x, y);
    return MOTE_OK;
}
