/* Less noise from the paths that there are: layers of pixels that are much the same share light.
 *
 * Light was divided by the surface's own colour, so that textures stay sharp, and is averaged with
 * holes that grow from pass to pass (H. Dammertz et al., Edge-avoiding a-trous wavelet transform,
 * 2010). A layer of a neighbour counts less the more its normal and colour differ and the further
 * it lies off the plane of the surface, and the more its light differs from what the noise
 * explains: the variance of paths, which is averaged along (C. Schied et al., Spatiotemporal
 * variance-guided filtering, 2017). */
#include "render/trace_film.h"

#include "base/math.h"
#include "base/status.h"
#include "render/float3.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN  1e30f /* variance of what no path has found */
#define OTHER    20.0f /* unlike: counts for nothing */
#define PATIENCE 2.0f  /* deviations that chance explains */
enum { PASSES = 5, REACH = 2, ENOUGH = 4 };

/* What is known of a layer's light: of each kind red, green, blue, and the luminance's variance. */
typedef float LayerLight[TRACE_KINDS][4];

/* Luminance of each kind around a layer, and its variance: what lights are compared by, because a
 * patch tells noise from shadow better than a pixel. */
typedef float LayerGuide[TRACE_KINDS][2];

/* One pass over the picture. */
typedef struct DenoisePass DenoisePass;
struct DenoisePass {
    const TraceFilm *film;
    void (*filter)(const DenoisePass *pass, int x, int y, const TraceLayer *own, size_t at);
    int step; /* px between the places that are averaged */
    const LayerLight *from;
    LayerLight *to;
    LayerGuide *guide; /* of `from` */
};

/* The layers of a pixel, and their numbers in the whole picture. */
typedef struct LayerRange {
    const TraceLayer *layers;
    size_t first, count;
} LayerRange;

static size_t pixel_of(const TraceFilm *film, int x, int y)
{
    return (size_t)y * (size_t)film->width + (size_t)x;
}

static LayerRange layers_at(const TraceFilm *film, int x, int y)
{
    if (x < 0 || x >= film->width || y < 0 || y >= film->height) return (LayerRange){.count = 0};
    const uint32_t *first = film->first + pixel_of(film, x, y);
    return (LayerRange){film->rows[y] + (first[0] - first[-x]), first[0], first[1] - first[0]};
}

/* How unlike two surfaces are; 0: the same plane of the same colour. */
static float unlike(const TraceLayer *here, const TraceLayer *there)
{
    const float shape = 16, paint = 50, plane = 0.1f;
    float turned = 0, color = 0, apart[3];
    for (int k = 0; k < 3; ++k) {
        const float n = there->normal[k] - here->normal[k], c = there->albedo[k] - here->albedo[k];
        turned += n * n, color += c * c;
        apart[k] = there->place[k] - here->place[k];
    }
    const float off = dot3(apart, here->normal), size2 = dot3(apart, apart);
    const float far2 = dot3(here->place, here->place);
    return shape * turned + paint * color + off * off / (plane * size2 + 1e-6f * far2 + 1e-30f);
}

/* ---- the variance that paths have ---- */

typedef struct DenoiseSpread {
    float squares[TRACE_KINDS], freedom[TRACE_KINDS];
    float most; /* luminance of light from all around */
} DenoiseSpread;

static void add_spread(const TraceLayer *own, LayerRange there, DenoiseSpread *sum)
{
    for (size_t l = 0; l < there.count; ++l) {
        const TraceLayer *other = &there.layers[l];
        const float away = unlike(own, other);
        if (!(away < OTHER)) continue;
        const float w = math_expf(-away), light = luminance3(other->light[TRACE_REST]);
        if (other != own && light > sum->most) sum->most = light;
        for (int kind = 0; kind < TRACE_KINDS; ++kind) {
            if (!(other->count[kind] > 1)) continue;
            sum->squares[kind] += w * other->spread[kind];
            sum->freedom[kind] += w * (other->count[kind] - 1);
        }
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

/* The variance of a layer's mean, by the paths of all that is like it around: of a few alone it is
 * not known well, and a rare find would look certain where it was not made. Light straight from
 * lights is no rare find: where all paths agree, they are right. */
static void pool(const DenoisePass *pass, int x, int y, const TraceLayer *own, size_t at)
{
    DenoiseSpread sum = {.squares = {0}};
    for (int j = -REACH; j <= REACH; ++j)
        for (int i = -REACH; i <= REACH; ++i)
            add_spread(own, layers_at(pass->film, x + 2 * i, y + 2 * j), &sum);
    const float keep = sum.most > 0 ? firefly(own, sum.most) : 1;
    for (int kind = 0; kind < TRACE_KINDS; ++kind) {
        const float n = own->count[kind], mean = luminance3(own->light[kind]);
        const bool alone = kind == TRACE_DIRECT && n >= ENOUGH;
        const float squares = alone ? own->spread[kind] : sum.squares[kind];
        const float freedom = alone ? n - 1 : sum.freedom[kind];
        float *out = pass->to[at][kind];
        for (int k = 0; k < 3; ++k) out[k] = own->light[kind][k] * (kind == TRACE_REST ? keep : 1);
        out[3] = n > 0 ? (freedom > 0.5f ? squares / freedom : mean * mean) / n : UNKNOWN;
    }
}

/* ---- averages ---- */

/* How much two lights differ beyond what chance explains. (difference^2 - its variance) over a few
 * variances: what noise alone explains counts as alike. */
static float lights_apart(const float a[2], const float b[2])
{
    const float apart = b[0] - a[0], noise = a[1] + b[1];
    const float more = apart * apart - noise;
    return more > 0 ? more / (PATIENCE * PATIENCE * noise + 1e-6f * a[0] * a[0] + 1e-12f) : 0;
}

static void add_guide(const DenoisePass *pass, const TraceLayer *own, LayerRange there,
                      float sum[2], float *weight)
{
    for (size_t l = 0; l < there.count; ++l) {
        const float *from = pass->from[there.first + l][TRACE_REST];
        const float shape = unlike(own, &there.layers[l]);
        if (!(shape < OTHER) || !(from[3] < UNKNOWN)) continue;
        const float w = math_expf(-shape) * there.layers[l].count[TRACE_REST];
        sum[0] += w * luminance3(from), sum[1] += w * w * from[3];
        *weight += w;
    }
}

/* Light from all around is compared by patches; straight from lights it has sharp edges, and is
 * known well enough. */
static void guide(const DenoisePass *pass, int x, int y, const TraceLayer *own, size_t at)
{
    const float *direct = pass->from[at][TRACE_DIRECT];
    float *out = pass->guide[at][TRACE_REST], weight = 0;
    pass->guide[at][TRACE_DIRECT][0] = luminance3(direct);
    pass->guide[at][TRACE_DIRECT][1] = direct[3];
    out[0] = out[1] = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
            add_guide(pass, own, layers_at(pass->film, x + i, y + j), out, &weight);
    const float by = weight > 0 ? 1 / weight : 0;
    out[0] *= by, out[1] = by > 0 ? by * by * out[1] : UNKNOWN;
}

/* Sums over what is averaged, and the likest of all, for a surface that nothing is like. */
typedef struct Average {
    LayerLight light; /* its last: variance */
    float weight[TRACE_KINDS];
    const LayerLight *likest;
    float least;
} Average;

static void add(const DenoisePass *pass, const TraceLayer *own, size_t at, LayerRange there,
                float bell, Average *a)
{
    for (size_t l = 0; l < there.count; ++l) {
        const size_t other = there.first + l;
        const LayerLight *light = &pass->from[other];
        const float shape = unlike(own, &there.layers[l]);
        const bool known = (*light)[TRACE_REST][3] < UNKNOWN;
        /* Taken over where nothing else is known, so that a pixel no path has reached is not black.
         */
        if (known && (a->likest == NULL || shape < a->least)) a->likest = light, a->least = shape;
        for (int kind = 0; kind < TRACE_KINDS && shape < OTHER; ++kind) {
            const float *from = (*light)[kind];
            const float away =
                shape + lights_apart(pass->guide[at][kind], pass->guide[other][kind]);
            if (!(away < OTHER) || !(from[3] < UNKNOWN)) continue;
            const float w = bell * there.layers[l].count[kind] * math_expf(-away);
            madd3(a->light[kind], w, from, a->light[kind]);
            a->weight[kind] += w, a->light[kind][3] += w * w * from[3];
        }
    }
}

static void average(const DenoisePass *pass, int x, int y, const TraceLayer *own, size_t at)
{
    /* The cubic B-spline's 1 4 6 4 1 / 16, by the distance from its middle; the step of pass p is
     * 2^p pixels. */
    static const float bell[REACH + 1] = {0.375f, 0.25f, 0.0625f};
    Average a = {.least = 0};
    for (int j = -REACH; j <= REACH; ++j)
        for (int i = -REACH; i <= REACH; ++i)
            add(pass, own, at, layers_at(pass->film, x + i * pass->step, y + j * pass->step),
                bell[abs(i)] * bell[abs(j)], &a);
    for (int kind = 0; kind < TRACE_KINDS; ++kind) {
        const float w = a.weight[kind], *light = pass->from[at][kind];
        const bool lonely = !(w > 0) && !(light[3] < UNKNOWN) && a.likest != NULL;
        float *out = pass->to[at][kind];
        memcpy(out, lonely ? (*a.likest)[kind] : light, 4 * sizeof *out);
        if (!(w > 0)) continue;
        for (int k = 0; k < 3; ++k) out[k] = a.light[kind][k] / w;
        out[3] = a.light[kind][3] / (w * w);
    }
}

static void filter_rows(void *context, size_t begin, size_t end, int worker)
{
    const DenoisePass *pass = context;
    (void)worker;
    for (size_t y = begin; y < end; ++y)
        for (int x = 0; x < pass->film->width; ++x) {
            const LayerRange here = layers_at(pass->film, x, (int)y);
            for (size_t l = 0; l < here.count; ++l)
                pass->filter(pass, x, (int)y, &here.layers[l], here.first + l);
        }
}

/* ---- the picture ---- */

/* Layers with their colour again, as much as each covers; those that nothing is known of are left
 * out. */
static void add_pixel(const TraceFilm *film, const LayerLight *found, int x, int y)
{
    const LayerRange here = layers_at(film, x, y);
    float light[3] = {0, 0, 0}, known = 0, paths = 0, seen = 0;
    for (size_t l = 0; l < here.count; ++l) {
        const TraceLayer *layer = &here.layers[l];
        const LayerLight *kinds = &found[here.first + l];
        paths += layer->count[TRACE_REST], seen += layer->count[TRACE_REST] * layer->alpha;
        if (!((*kinds)[TRACE_REST][3] < UNKNOWN)) continue;
        for (int k = 0; k < 3; ++k) {
            const float c = layer->albedo[k] > TRACE_DARKEST ? layer->albedo[k] : TRACE_DARKEST;
            light[k] += layer->part * c * ((*kinds)[TRACE_DIRECT][k] + (*kinds)[TRACE_REST][k]);
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
    LayerGuide *guides = arena_take(arena, layers * sizeof *guides);
    if (light[0] == NULL || light[1] == NULL || guides == NULL)
        return status_no_memory(error, "a picture without noise", 3 * bytes);
    DenoisePass pass = {.film = film, .filter = pool, .to = light[0], .guide = guides};
    mote_parallel_for(tasks, rows, 1, filter_rows, &pass);
    for (int p = 0; p < PASSES; ++p) {
        pass.from = (const LayerLight *)light[p & 1], pass.to = light[1 - (p & 1)];
        pass.filter = guide;
        mote_parallel_for(tasks, rows, 1, filter_rows, &pass);
        pass.filter = average, pass.step = 1 << p;
        mote_parallel_for(tasks, rows, 1, filter_rows, &pass);
    }
    for (int y = 0; y < film->height; ++y)
        for (int x = 0; x < film->width; ++x) add_pixel(film, (const LayerLight *)pass.to, x, y);
    return MOTE_OK;
}
