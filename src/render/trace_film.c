/* A pixel's paths, sorted by the surfaces that they see. */
#include "render/trace_film.h"

#include "base/status.h"
#include "render/float3.h"

#include <string.h>

/* ---- which layer ---- */

/* How unlike what a path sees is to a layer; 1: another surface. */
static float unlike(const TraceLayer *layer, const TraceSample *sample)
{
    const float shape = 0.4f, paint = 0.004f, depth = 0.01f; /* that one surface may differ by */
    const float n = 1 / layer->part;
    float turned = 0, color = 0;
    for (int k = 0; k < 3; ++k) {
        const float t = n * layer->normal[k] - sample->normal[k];
        const float c = n * layer->albedo[k] - sample->albedo[k];
        turned += t * t, color += c * c;
    }
    float apart[3];
    for (int k = 0; k < 3; ++k) apart[k] = sample->place[k] - n * layer->place[k];
    const float away = dot3(apart, sample->normal), far2 = dot3(sample->place, sample->place);
    return turned / shape + color / paint + away * away / (depth * depth * far2 + 1e-30f);
}

/* The layer that is likest, or a new one. `part` counts looks until the pixel is done. */
static TraceLayer *layer_of(TracePixel *pixel, const TraceSample *sample)
{
    TraceLayer *best = NULL;
    float least = 1;
    for (size_t l = 0; l < pixel->layer_count; ++l) {
        const float d = unlike(&pixel->layers[l], sample);
        if (best == NULL || d < least) best = &pixel->layers[l], least = d;
    }
    if ((best != NULL && least <= 1) || pixel->layer_count == TRACE_LAYERS_MOST) return best;
    best = &pixel->layers[pixel->layer_count++];
    *best = (TraceLayer){.part = 0};
    return best;
}

static void add_look(TracePixel *pixel, TraceLayer *layer, const TraceSample *sample)
{
    madd3(layer->albedo, 1, sample->albedo, layer->albedo);
    madd3(layer->normal, 1, sample->normal, layer->normal);
    madd3(layer->place, 1, sample->place, layer->place);
    layer->part += 1, pixel->looks += 1;
}

/* ---- paths ---- */

static float divisor(float color)
{
    return color > TRACE_DARKEST ? color : TRACE_DARKEST;
}

/* Adds one kind of light, divided by the path's colour; its spread by Welford's rule. S_n = S_(n-1)
 * + (x - mean)^2 (n - 1) / n, the sum of squared deviations: the sums of squares of bright lights
 * would cancel. */
static void add_light(TraceLayer *layer, TraceKind kind, const float light[3],
                      const float albedo[3])
{
    const float before = layer->count[kind]++;
    const float mean = before > 0 ? luminance3(layer->light[kind]) / before : 0;
    float even[3];
    for (int k = 0; k < 3; ++k) even[k] = light[k] / divisor(albedo[k]);
    const float apart = luminance3(even) - mean;
    madd3(layer->light[kind], 1, even, layer->light[kind]);
    layer->spread[kind] += apart * apart * before / (before + 1);
}

void trace_pixel_add(TracePixel *pixel, const TraceSample *sample)
{
    pixel->paths += 1;
    madd3(pixel->own, 1, sample->own, pixel->own);
    for (int k = 0; k < 4; ++k) pixel->light[k] += sample->light[k];
}

void trace_pixel_sort(TracePixel *pixel, const TraceSample *sample)
{
    TraceLayer *layer = layer_of(pixel, sample);
    float rest[3];
    pixel->plain = sample->plain && (pixel->plain || pixel->looks == 0);
    add_look(pixel, layer, sample);
    layer->alpha += sample->light[3];
    madd3(sample->light, -1, sample->direct, rest);
    add_light(layer, TRACE_DIRECT, sample->direct, sample->albedo);
    add_light(layer, TRACE_REST, rest, sample->albedo);
}

void trace_pixel_look(TracePixel *pixel, const TraceSample *sample, bool lit)
{
    TraceLayer *layer = layer_of(pixel, sample);
    add_look(pixel, layer, sample);
    if (lit) add_light(layer, TRACE_DIRECT, sample->direct, sample->albedo);
}

bool trace_pixels_alike(const TracePixel *pixel, const TracePixel *other)
{
    const TraceLayer *layer = &other->layers[0];
    const float by = 1 / layer->part;
    TraceSample sample;
    if (pixel->layer_count != 1 || other->layer_count != 1) return false;
    for (int k = 0; k < 3; ++k) {
        sample.place[k] = by * layer->place[k], sample.normal[k] = by * layer->normal[k];
        sample.albedo[k] = by * layer->albedo[k];
    }
    return unlike(&pixel->layers[0], &sample) < 1;
}

bool trace_pixel_uneven(const TracePixel *pixel)
{
    const float even = 1e-3f; /* of the mean's square */
    bool uneven = false;
    for (size_t l = 0; l < pixel->layer_count; ++l) {
        const TraceLayer *layer = &pixel->layers[l];
        const float sum = luminance3(layer->light[TRACE_DIRECT]);
        uneven |= layer->spread[TRACE_DIRECT] * layer->count[TRACE_DIRECT] > even * sum * sum;
    }
    return uneven;
}

/* The variance of the pixel's luminance that comes from not knowing the parts: of layers' lights
 * around their mean, over the looks. */
bool trace_pixel_unsure(const TracePixel *pixel)
{
    const float error = 0.004f; /* of the luminance, and of a dark grey */
    float sum = 0, squares = 0;
    for (size_t l = 0; l < pixel->layer_count; ++l) {
        const TraceLayer *layer = &pixel->layers[l];
        float light[3] = {0, 0, 0};
        for (int kind = 0; kind < TRACE_KINDS; ++kind)
            for (int k = 0; k < 3 && layer->count[kind] > 0; ++k)
                light[k] +=
                    layer->light[kind][k] / layer->count[kind] * layer->albedo[k] / layer->part;
        const float l1 = luminance3(light), part = layer->part / pixel->looks;
        if (!(layer->count[TRACE_REST] > 0)) return true;
        sum += part * l1, squares += part * l1 * l1;
    }
    const float allowed = error * (sum + 0.1f);
    return squares - sum * sum > allowed * allowed * pixel->looks;
}

/* ---- pixels that are done ---- */

/* Sums become means. */
static void layer_finish(TraceLayer *layer, float looks)
{
    const float by = 1 / layer->part, paths = layer->count[TRACE_REST];
    for (int k = 0; k < 3; ++k)
        layer->albedo[k] *= by, layer->normal[k] *= by, layer->place[k] *= by;
    if (paths > 0) layer->alpha /= paths;
    for (int kind = 0; kind < TRACE_KINDS; ++kind)
        for (int k = 0; k < 3 && layer->count[kind] > 0; ++k)
            layer->light[kind][k] /= layer->count[kind];
    layer->part /= looks;
}

void trace_pixel_finish(TracePixel *pixel)
{
    const float by = 1 / pixel->paths;
    for (size_t l = 0; l < pixel->layer_count; ++l) layer_finish(&pixel->layers[l], pixel->looks);
    for (int k = 0; k < 4; ++k) pixel->light[k] *= by;
    for (int k = 0; k < 3; ++k) pixel->own[k] *= by;
}

mote_Status trace_film_make(mote_Image *image, bool guided, TraceFilm *film, mote_Error *error)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    *film = (TraceFilm){.width = image->width,
                        .height = image->height,
                        .light = (float(*)[4])(void *)image->pixels};
    if (!guided) return MOTE_OK;
    film->rows = arena_take(&image->arena, (size_t)image->height * sizeof *film->rows);
    film->first = arena_take(&image->arena, (pixels + 1) * sizeof *film->first);
    if (film->rows == NULL || film->first == NULL)
        return status_no_memory(error, "a picture without noise", pixels * sizeof *film->first);
    film->first[0] = 0;
    return MOTE_OK;
}

/* The picture has all light, or where layers are kept, what glows before the eye alone. */
static void keep_light(const TraceFilm *film, size_t at, const TracePixel *pixel)
{
    float *light = film->light[at];
    for (int k = 0; k < 4; ++k) light[k] = film->rows == NULL ? pixel->light[k] : 0;
    madd3(light, 1, pixel->own, light);
}

mote_Status trace_film_keep(TraceFilm *film, size_t row, size_t count, const TracePixel *pixels,
                            Arena *arena, mote_Error *error)
{
    const size_t width = (size_t)film->width, start = row * width;
    size_t layers = 0;
    for (size_t i = 0; i < count * width; ++i) {
        keep_light(film, start + i, &pixels[i]);
        layers += pixels[i].layer_count;
    }
    if (film->rows == NULL) return MOTE_OK;
    TraceLayer *to = arena_take(arena, layers * sizeof *to);
    if (to == NULL || film->first[start] + layers > UINT32_MAX)
        return status_no_memory(error, "a picture without noise", layers * sizeof *to);
    for (size_t i = 0; i < count * width; ++i) {
        const size_t n = pixels[i].layer_count;
        if (i % width == 0) film->rows[row + i / width] = to;
        memcpy(to, pixels[i].layers, n * sizeof *to);
        to += n;
        film->first[start + i + 1] = film->first[start + i] + (uint32_t)n;
    }
    return MOTE_OK;
}

/* ---- features ---- */

static ImageFeatures features_of(const TraceLayer *layers, size_t count)
{
    ImageFeatures out = {.depth = 0};
    float solid = 0;
    for (size_t l = 0; l < count; ++l) {
        const TraceLayer *layer = &layers[l];
        const float away = length3(layer->place);
        madd3(out.albedo, layer->part, layer->albedo, out.albedo);
        madd3(out.normal, layer->part, layer->normal, out.normal);
        if (away > 0) out.depth += layer->part * away, solid += layer->part;
    }
    if (solid > 0) out.depth /= solid;
    return out;
}

ImageFeatures *trace_film_features(const TraceFilm *film, Arena *arena)
{
    const size_t width = (size_t)film->width, height = (size_t)film->height;
    ImageFeatures *out = arena_take(arena, width * height * sizeof *out);
    for (size_t i = 0; out != NULL && i < width * height; ++i) {
        const uint32_t *first = film->first + i;
        out[i] = features_of(film->rows[i / width] + (first[0] - film->first[i - i % width]),
                             first[1] - first[0]);
    }
    return out;
}
