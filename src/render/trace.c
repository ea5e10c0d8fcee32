/* A traced picture: the mean light of many paths through each pixel. */
#include "render/trace.h"

#include "base/math.h"
#include "base/status.h"
#include "render/float3.h"
#include "render/render.h"
#include "render/trace_samples.h"

#include <string.h>

enum { BANDS = 50 };

typedef struct Exposure {
    const TraceInput *input;
    const TraceScene *scene;
    mote_Image *image;
    TraceFilm film;
} Exposure;

/* The ray through a place of the picture and one of the lens: all of them meet where it is sharp.
 */
static TraceRay ray_through(const View *view, float x, float y, const float lens[2])
{
    TraceRay ray = {.moment = 0.5f, .without = NO_WISP};
    float sharp[3];
    view_ray(view, x, y, ray.origin, ray.direction);
    madd3(ray.origin, view->focus, ray.direction, sharp);
    if (view->aperture > 0) {
        for (int k = 0; k < 2; ++k) madd3(ray.origin, lens[k], view->axis[k], ray.origin);
        madd3(sharp, -1, ray.origin, ray.direction);
    }
    unit3(ray.direction);
    madd3(ray.origin, view->near, ray.direction, ray.origin);
    return ray;
}

/* A place of the lens, evenly. */
static void choose_lens(const View *view, const float u[2], float lens[2])
{
    const float away = 0.5f * view->aperture * __builtin_sqrtf(u[0]);
    const double angle = 6.283185307179586 * (double)u[1];
    lens[0] = away * (float)math_cos(angle), lens[1] = away * (float)math_sin(angle);
}

/* Places in a pixel by a tent of two pixels' width: edges are smooth, and thin lines do not break.
 */
static float tent(float u)
{
    return u < 0.5f ? __builtin_sqrtf(2 * u) - 1 : 1 - __builtin_sqrtf(2 - 2 * u);
}

/* Places in the pixel and in the lens and moments of the shutter, spread evenly over a pixel's
 * samples. */
static TraceRay choose_ray(const View *view, int x, int y, TraceSeed *seed)
{
    float u[2], v[2], w[2], lens[2];
    sample_pair(seed->pixel, seed->sample, seed->pair++, u);
    sample_pair(seed->pixel, seed->sample, seed->pair++, v);
    sample_pair(seed->pixel, seed->sample, seed->pair++, w);
    choose_lens(view, w, lens);
    TraceRay ray = ray_through(view, (float)x + 0.5f + 0.75f * tent(u[0]),
                               (float)y + 0.5f + 0.75f * tent(u[1]), lens);
    ray.moment = v[0];
    return ray;
}

/* Adds a sample, all of whose parts are floats. */
static void add_sample(TraceSample *sum, const TraceSample *sample)
{
    float *to = sum->light;
    const float *from = sample->light;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; ++i) to[i] += from[i];
}

/* What a path's light is divided by, so that squares of a floor do not look like noise. */
static float even_part(const TraceSample *found)
{
    const float part = luminance3(found->albedo);
    return part > TRACE_DARKEST ? part : TRACE_DARKEST;
}

/* spread: sum of the squares of how much the paths' light differs from their mean. */
static void store_pixel(const TraceFilm *film, size_t pixel, const TraceSample *sum, float spread,
                        float samples)
{
    const float mean = luminance3(sum->light) / samples;
    for (int k = 0; k < 4; ++k) film->light[pixel][k] = sum->light[k] / samples;
    for (int k = 0; k < 3; ++k) {
        if (film->own != NULL)
            film->own[pixel][k] = sum->own[k] / samples;
        else
            film->light[pixel][k] += sum->own[k] / samples;
    }
    if (film->variance == NULL) return;
    spread = spread > 0 ? spread / (samples * (samples - 1)) : 0;
    film->variance[pixel] = samples > 1 ? spread : mean * mean;
    film->nearness[pixel] = sum->nearness / samples;
    for (int k = 0; k < 3; ++k) {
        film->albedo[pixel][k] = sum->albedo[k] / samples;
        film->normal[pixel][k] = sum->normal[k] / samples;
    }
}

/* Noise is another in every frame: what stays would look like dirt on the lens. */
static void expose_pixel(const Exposure *e, int x, int y)
{
    const size_t pixel = (size_t)y * (size_t)e->image->width + (size_t)x;
    const uint32_t frame = mix_bits((uint32_t)e->input->frame->index);
    const uint32_t samples = (uint32_t)e->input->def->trace.samples;
    TraceSample sum = {.nearness = 0};
    float evens = 0, squares = 0;
    for (uint32_t s = 0; s < samples; ++s) {
        TraceSample found;
        TraceSeed seed = {mix_bits((uint32_t)pixel ^ frame), s, 0};
        TraceRay ray = choose_ray(e->input->view, x, y, &seed);
        trace_path(e->input, e->scene, &ray, seed, &found);
        add_sample(&sum, &found);
        const float even = luminance3(found.light) / even_part(&found);
        evens += even, squares += even * even;
    }
    const float spread = squares - evens * evens / (float)samples;
    store_pixel(&e->film, pixel, &sum, spread, (float)samples);
}

/* Some rows of the picture. */
typedef struct TraceBand {
    const Exposure *exposure;
    size_t first;
} TraceBand;

static void expose_rows(void *context, size_t begin, size_t end, int worker)
{
    const TraceBand *band = context;
    (void)worker;
    for (size_t y = band->first + begin; y < band->first + end; ++y)
        for (int x = 0; x < band->exposure->image->width; ++x)
            expose_pixel(band->exposure, x, (int)y);
}

static mote_Status check_trace(const mote_RenderDef *def, mote_Error *error)
{
    if (def->trace.samples <= 65536 && def->trace.bounces >= 1 && def->trace.bounces <= 1024 &&
        def->trace.limit > 0)
        return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "render: trace needs at most 65536 samples, 1 to 1024 bounces and a limit "
                       "above 0");
}

/* Bands of the picture one after the other, so that whoever waits can be told how far it is. */
static mote_Status expose(const Exposure *e, mote_Error *error)
{
    const mote_RenderDef *def = e->input->def;
    const size_t height = (size_t)e->image->height, rows = height / BANDS + 1;
    for (size_t first = 0; first < height; first += rows) {
        size_t count = height - first < rows ? height - first : rows;
        TraceBand band = {e, first};
        mote_parallel_for(def->tasks, count, 1, expose_rows, &band);
        if (def->progress != NULL &&
            !def->progress(def->progress_context, (double)(first + count) / (double)height))
            return status_fail(error, MOTE_CANCELLED, "render: stopped before its end");
    }
    return MOTE_OK;
}

/* Room for what the eye sees first, where noise is to be taken away with its help. */
static mote_Status load_film(mote_Image *image, bool guided, TraceFilm *film, mote_Error *error)
{
    Arena *arena = &image->arena;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    *film = (TraceFilm){.width = image->width,
                        .height = image->height,
                        .light = (float(*)[4])(void *)image->pixels};
    if (!guided) return MOTE_OK;
    film->own = arena_take(arena, pixels * sizeof *film->own);
    film->albedo = arena_take(arena, pixels * sizeof *film->albedo);
    film->normal = arena_take(arena, pixels * sizeof *film->normal);
    film->nearness = arena_take(arena, pixels * sizeof *film->nearness);
    film->variance = arena_take(arena, pixels * sizeof *film->variance);
    if (film->own != NULL && film->albedo != NULL && film->normal != NULL &&
        film->nearness != NULL && film->variance != NULL)
        return MOTE_OK;
    return status_no_memory(error, "a picture without noise", pixels * sizeof(TraceSample));
}

mote_Status trace_picture(const TraceInput *input, mote_Image *image, mote_Error *error)
{
    TraceScene *scene = NULL;
    mote_Status status = check_trace(input->def, error);
    if (status == MOTE_OK) status = trace_scene_open(input, &image->arena, &scene, error);
    Exposure e = {.input = input, .scene = scene, .image = image};
    const bool guided = input->def->trace.denoise;
    if (status == MOTE_OK) status = load_film(image, guided, &e.film, error);
    if (status == MOTE_OK) status = expose(&e, error);
    if (status == MOTE_OK && guided)
        status = trace_denoise(&e.film, input->def->tasks, &image->arena, error);
    trace_scene_close(scene);
    return status;
}
