/* Less noise from the paths that there are: layers of pixels that are much the same share light.
 *
 * Light was divided by the surface's own colour, so that textures stay sharp, and is averaged with
 * holes that grow from pass to pass (H. Dammertz et al., Edge-avoiding a-trous wavelet transform,
 * 2010). A layer of a neighbour counts less the more its normal and colour differ and the further
 * it lies off the plane of the surface, and the more its light differs from what the noise
 * explains: the variance of paths, which is averaged along (C. Schied et al., Spatiotemporal
 * variance-guided filtering, 2017). */
#include "render/trace_film.h"

#include "base/lanes.h"
#include "base/status.h"
#include "render/float3.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN  1e30f /* variance of what no path has found */
#define OTHER    20.0f /* unlike: counts for nothing */
#define PATIENCE 2.0f  /* deviations that chance explains */
enum { PASSES = 5, REACH = 2, ENOUGH = 4 };

/* What is known of a layer's light: of each kind red, green, blue, and the luminance's variance. */
typedef V4 LayerLight[TRACE_KINDS];

/* What layers are told apart by, close together. The fourth lanes: paths of direct light, paths of
 * the rest, and the square of the distance that counts as none. */
typedef struct LayerForm {
    V4 normal, albedo, place;
} LayerForm;

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

/* The sums of the first three lanes of four vectors. */
static inline V4 sums3(V4 a, V4 b, V4 c, V4 d)
{
    const V4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
             cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
             ab2 = __builtin_shufflevector(a, b, 2, 6, 2, 6),
             cd2 = __builtin_shufflevector(c, d, 2, 6, 2, 6);
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) +
           __builtin_shufflevector(ab, cd, 2, 3, 6, 7) +
           __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5);
}

/* How unlike two surfaces are; 0: the same plane of the same colour. */
static inline float unlike(const LayerForm *here, const LayerForm *there)
{
    const float shape = 16, paint = 50, plane = 0.1f;
    const V4 turn = there->normal - here->normal, color = there->albedo - here->albedo;
    const V4 apart = there->place - here->place;
    const V4 sum = sums3(turn * turn, color * color, apart * here->normal, apart * apart);
    return shape * sum[0] + paint * sum[1] + sum[2] * sum[2] / (plane * sum[3] + here->place[3]);
}

/* exp(-x) as weights, x from 0 to OTHER: right to 0.0002 of it, and it falls without a step. 2^-t
 * is the whole part of t as an exponent, times a cubic in the rest that is least wrong and right at
 * both ends. */
static inline V4 likeness(V4 x)
{
    const V4 t = 1.442695041f * x;
    const I4 whole = __builtin_convertvector(t, I4);
    const V4 rest = t - __builtin_convertvector(whole, V4);
    const V4 scale = (V4)((127 - whole) << 23);
    return scale * (1 + rest * (-0.69241488f + rest * (0.23313015f - 0.04071527f * rest)));
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

static void add_spread(float away, const TraceLayer *own, const TraceLayer *other,
                       DenoiseSpread *sum)
{
    const float w = likeness((V4){away})[0], light = luminance3(other->light[TRACE_REST]);
    if (other != own && light > sum->most) sum->most = light;
    for (int kind = 0; kind < TRACE_KINDS; ++kind) {
        if (!(other->count[kind] > 1)) continue;
        sum->squares[kind] += w * other->spread[kind];
        sum->freedom[kind] += w * (other->count[kind] - 1);
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

static void add_spreads(const DenoisePass *pass, int x, int y, const TraceLayer *own, size_t at,
                        DenoiseSpread *sum)
{
    const LayerRange there = layers_at(pass->film, x, y);
    for (size_t other = there.first; other < there.last; ++other) {
        const float away = unlike(&pass->forms[at], &pass->forms[other]);
        if (away < OTHER) add_spread(away, own, layer_at(pass->film, y, other), sum);
    }
}

/* The variance of a layer's mean, by the paths of all that is like it around: of a few alone it is
 * not known well, and a rare find would look certain where it was not made. Light straight from
 * lights is no rare find: where all paths agree, they are right. */
static void pool(const DenoisePass *pass, int x, int y, size_t at)
{
    const TraceLayer *own = layer_at(pass->film, y, at);
    DenoiseSpread sum = {.squares = {0}};
    for (int j = -REACH; j <= REACH; ++j)
        for (int i = -REACH; i <= REACH; ++i)
            add_spreads(pass, x + 2 * i, y + 2 * j, own, at, &sum);
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

/* Sums of the luminance, and of the variance that their mean has where all are independent, and
 * where they all are the same. */
static void add_guide(const DenoisePass *pass, size_t at, LayerRange there, float sum[3],
                      float *weight)
{
    for (size_t other = there.first; other < there.last; ++other) {
        const V4 from = pass->from[other][TRACE_REST];
        const float shape = unlike(&pass->forms[at], &pass->forms[other]);
        if (!(shape < OTHER) || !(from[3] < UNKNOWN)) continue;
        const float w = likeness((V4){shape})[0] * pass->forms[other].albedo[3];
        sum[0] += w * luminance4(from), sum[1] += w * w * from[3], sum[2] += w * from[3];
        *weight += w;
    }
}

/* Light from all around is compared by patches; straight from lights it has sharp edges, and is
 * known well enough. */
static void guide(const DenoisePass *pass, int x, int y, size_t at)
{
    const V4 direct = pass->from[at][TRACE_DIRECT];
    float rest[3] = {0, 0, 0}, weight = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
            add_guide(pass, at, layers_at(pass->film, x + i, y + j), rest, &weight);
    const float by = weight > 0 ? 1 / weight : 0;
    /* Neighbours after the first pass are averages of much the same paths: together they are known
     * no better than one of them. */
    const float variance = pass->step > 1 ? by * rest[2] : by * by * rest[1];
    pass->guide[at] =
        (V4){luminance4(direct), by * rest[0], direct[3], by > 0 ? variance : UNKNOWN};
}

/* Sums over what is averaged, and the likest of all, for a surface that nothing is like. */
typedef struct Average {
    LayerLight light; /* its last: variance */
    V4 weight;        /* of each kind */
    V4 slack;         /* of each kind, variance that counts as none */
    const LayerLight *likest;
    float least;
} Average;

/* How much lights of both kinds differ beyond what chance explains. (difference^2 - its variance)
 * over a few variances: what noise alone explains counts as alike. */
static inline V4 lights_apart(V4 here, V4 there, V4 slack)
{
    const V4 apart = there - here, both = there + here;
    const V4 noise = __builtin_shufflevector(both, both, 2, 3, 2, 3);
    const V4 more = apart * apart - noise;
    return (V4)((more > 0) & (I4)(more / (PATIENCE * PATIENCE * noise + slack)));
}

static inline void add(const DenoisePass *pass, size_t at, size_t other, float bell, Average *a)
{
    const LayerForm *form = &pass->forms[other];
    const LayerLight *light = &pass->from[other];
    const float shape = unlike(&pass->forms[at], form);
    if (!(shape < OTHER)) return;
    const V4 direct = (*light)[TRACE_DIRECT], rest = (*light)[TRACE_REST];
    const V4 paths = __builtin_shufflevector(form->normal, form->albedo, 3, 7, 3, 7);
    const V4 variance = __builtin_shufflevector(direct, rest, 3, 7, 3, 7);
    const V4 away = shape + lights_apart(pass->guide[at], pass->guide[other], a->slack);
    const I4 counts = (away < OTHER) & (variance < UNKNOWN);
    const V4 w = (V4)(counts & (I4)(bell * paths * likeness((V4)(counts & (I4)away))));
    const V4 w2 = w * w;
    a->weight += w;
    a->light[TRACE_DIRECT] += __builtin_shufflevector(w, w2, 0, 0, 0, 4) * direct;
    a->light[TRACE_REST] += __builtin_shufflevector(w, w2, 1, 1, 1, 5) * rest;
}

/* Taken over where nothing else is known, so that a pixel no path has reached is not black. */
static void find_likest(const DenoisePass *pass, size_t at, LayerRange there, Average *a)
{
    for (size_t other = there.first; other < there.last; ++other) {
        const LayerLight *light = &pass->from[other];
        const float shape = unlike(&pass->forms[at], &pass->forms[other]);
        if (!((*light)[TRACE_REST][3] < UNKNOWN)) continue;
        if (a->likest == NULL || shape < a->least) a->likest = light, a->least = shape;
    }
}

/* To a ten thousandth, as the sky is: others have nothing to tell. */
static bool known_well(const LayerLight light)
{
    const float all = luminance4(light[TRACE_DIRECT]) + luminance4(light[TRACE_REST]);
    return light[TRACE_DIRECT][3] + light[TRACE_REST][3] <= 1e-8f * all * all;
}

static void average(const DenoisePass *pass, int x, int y, size_t at)
{
    /* The cubic B-spline's 1 4 6 4 1 / 16, by the distance from its middle; the step of pass p is
     * 2^p pixels. */
    static const float bell[REACH + 1] = {0.375f, 0.25f, 0.0625f};
    const V4 here = pass->guide[at];
    if (known_well(pass->from[at])) {
        memcpy(pass->to[at], pass->from[at], sizeof pass->to[at]);
        return;
    }
    Average a = {.slack = 1e-6f * here * here + 1e-12f};
    const bool unknown =
        !(pass->from[at][TRACE_REST][3] < UNKNOWN) || !(pass->from[at][TRACE_DIRECT][3] < UNKNOWN);
    for (int j = -REACH; j <= REACH; ++j)
        for (int i = -REACH; i <= REACH; ++i) {
            const LayerRange there = layers_at(pass->film, x + i * pass->step, y + j * pass->step);
            const float weight = bell[abs(i)] * bell[abs(j)];
            for (size_t other = there.first; other < there.last; ++other)
                add(pass, at, other, weight, &a);
            if (unknown) find_likest(pass, at, there, &a);
        }
    for (int kind = 0; kind < TRACE_KINDS; ++kind) {
        const float w = a.weight[kind];
        const V4 light = pass->from[at][kind];
        const bool lonely = !(light[3] < UNKNOWN) && a.likest != NULL;
        pass->to[at][kind] = w > 0    ? a.light[kind] / (V4){w, w, w, w * w}
                             : lonely ? (*a.likest)[kind]
                                      : light;
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
    DenoisePass pass = {
        .film = film, .filter = form, .forms = forms, .to = light[0], .guide = guides};
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
