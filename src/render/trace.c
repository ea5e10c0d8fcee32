/* A traced picture: the mean light of many paths through each pixel. */
#include "render/trace.h"

#include "base/math.h"
#include "base/status.h"
#include "render/float3.h"
#include "render/render.h"
#include "render/trace_samples.h"

#include <string.h>

enum { BANDS = 50, LEAST = 6, BAND_PATHS = 1000000 };
enum { LOOKS = 16, LIT_LOOKS = 8, BLOCK = 16, TOGETHER = 8 };

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
    const float side = u < 0.5f ? u : 1 - u, away = 1 - __builtin_sqrtf(2 * side);
    return __builtin_copysignf(away, u - 0.5f);
}

/* Places in the pixel and in the lens and moments of the shutter, spread evenly over a pixel's
 * samples. */
static TraceRay choose_ray(const View *view, int x, int y, TraceSeed *seed)
{
    float u[2], w[2], lens[2] = {0, 0}, moment = 0.5f;
    const uint32_t pair = seed->pair;
    seed->pair += 3;
    sample_pair(seed->pixel, seed->sample, pair, u);
    if (view->shutter > 0) moment = sample_first(seed->pixel, seed->sample, pair + 1);
    if (view->aperture > 0) {
        sample_pair(seed->pixel, seed->sample, pair + 2, w);
        choose_lens(view, w, lens);
    }
    TraceRay ray = ray_through(view, (float)x + 0.5f + 0.75f * tent(u[0]),
                               (float)y + 0.5f + 0.75f * tent(u[1]), lens);
    ray.moment = moment;
    return ray;
}

/* Samples of a pixel from number `first` on: their rays are chosen side by side, because what takes
 * long in that are chains of multiplications, each of which waits for the one before. */
typedef struct Samples {
    TraceRay rays[TOGETHER];
    TraceSeed seeds[TOGETHER];
    uint32_t count;
} Samples;

static void choose_rays(const Exposure *e, int x, int y, uint32_t hash, uint32_t first,
                        uint32_t left, Samples *out)
{
    out->count = left < TOGETHER ? left : TOGETHER;
    for (uint32_t i = 0; i < out->count; ++i) {
        out->seeds[i] = (TraceSeed){hash, reverse_bits(first + i), 0};
        out->rays[i] = choose_ray(e->input->view, x, y, &out->seeds[i]);
    }
}

/* Rays that only look what surface there is, and with `lit` how lights fall on it. */
static void look_again(const Exposure *e, int x, int y, uint32_t hash, uint32_t first, bool lit,
                       TracePixel *pixel)
{
    const uint32_t samples = (uint32_t)e->input->def->trace.samples;
    Samples some;
    TraceSample found;
    for (uint32_t done = 0; done < samples; done += TOGETHER) {
        choose_rays(e, x, y, hash, first + done, samples - done, &some);
        for (uint32_t i = 0; i < some.count; ++i) {
            trace_look(e->input, e->scene, &some.rays[i], lit ? &some.seeds[i] : NULL, &found);
            trace_pixel_look(pixel, &found, lit);
        }
    }
}

static uint32_t hash_of(const Exposure *e, int x, int y)
{
    const size_t at = (size_t)y * (size_t)e->image->width + (size_t)x;
    return mix_bits((uint32_t)at ^ mix_bits((uint32_t)e->input->frame->index));
}

/* Looks at pixels twice again, and where they see more than one surface or a shadow's edge until
 * that is known well: how much of a pixel each covers is most of what noise does to an edge, and a
 * ray that goes no further costs little. Rays that also ask the lights cost as much as a path where
 * there are several, and soft shadows are never known well: they end sooner. In the midst of a
 * surface there is nothing to look for. */
static void look_closer(const Exposure *e, int x, int y, TracePixel *pixel)
{
    const uint32_t samples = (uint32_t)e->input->def->trace.samples, hash = hash_of(e, x, y);
    const bool uneven = trace_pixel_uneven(pixel);
    if (!pixel->plain || (pixel->amid && !uneven)) return;
    for (uint32_t s = 1; s < LOOKS; ++s) {
        const bool lit = uneven && s <= LIT_LOOKS;
        if (s > 2 && !lit && !trace_pixel_unsure(pixel)) return;
        look_again(e, x, y, hash, s * samples, lit, pixel);
    }
}

/* Noise is another in every frame: what stays would look like dirt on the lens. */
static void expose_pixel(const Exposure *e, int x, int y, TracePixel *pixel)
{
    const uint32_t samples = (uint32_t)e->input->def->trace.samples, hash = hash_of(e, x, y);
    Samples some;
    TraceSample found;
    *pixel = (TracePixel){.looks = 0};
    for (uint32_t done = 0; done < samples; done += TOGETHER) {
        choose_rays(e, x, y, hash, done, samples - done, &some);
        for (uint32_t i = 0; i < some.count; ++i) {
            trace_path(e->input, e->scene, &some.rays[i], some.seeds[i], &found);
            trace_pixel_add(pixel, &found);
            if (e->film.rows != NULL) trace_pixel_sort(pixel, &found);
        }
    }
}

/* Some rows of the picture. */
typedef struct TraceBand TraceBand;
typedef void BandTurn(const TraceBand *band, size_t x, size_t y, TracePixel *pixel);
struct TraceBand {
    const Exposure *exposure;
    BandTurn *turn; /* what is done to each pixel */
    size_t first, rows;
    TracePixel *pixels;
};

static void expose_at(const TraceBand *band, size_t x, size_t y, TracePixel *pixel)
{
    expose_pixel(band->exposure, (int)x, (int)(band->first + y), pixel);
}

/* Whether all pixels around see the same surface; those of other bands are not known. */
static void compare_at(const TraceBand *band, size_t x, size_t y, TracePixel *pixel)
{
    const size_t width = (size_t)band->exposure->image->width;
    pixel->amid = x > 0 && x + 1 < width && y > 0 && y + 1 < band->rows;
    for (size_t j = 0; j < 3 && pixel->amid; ++j)
        for (size_t i = 0; i < 3 && pixel->amid; ++i)
            pixel->amid = trace_pixels_alike(pixel, pixel + j * width + i - width - 1);
}

static void finish_at(const TraceBand *band, size_t x, size_t y, TracePixel *pixel)
{
    if (band->exposure->film.rows != NULL)
        look_closer(band->exposure, (int)x, (int)(band->first + y), pixel);
    trace_pixel_finish(pixel);
}

/* Blocks of columns: their rays meet much the same triangles, which stay at hand. */
static void go_over_blocks(void *context, size_t begin, size_t end, int worker)
{
    const TraceBand *band = context;
    const size_t width = (size_t)band->exposure->image->width;
    const size_t stop = end * BLOCK < width ? end * BLOCK : width;
    (void)worker;
    for (size_t y = 0; y < band->rows; ++y)
        for (size_t x = begin * BLOCK; x < stop; ++x)
            band->turn(band, x, y, &band->pixels[y * width + x]);
}

/* Each turn begins when the one before has ended: pixels are compared before any of them is
 * changed. */
static void expose_band(TraceBand *band)
{
    BandTurn *const turns[] = {expose_at, compare_at, finish_at};
    const Exposure *e = band->exposure;
    for (size_t t = 0; t < sizeof turns / sizeof turns[0]; ++t) {
        band->turn = turns[t];
        mote_parallel_for(e->input->def->tasks, ((size_t)e->image->width + BLOCK - 1) / BLOCK, 1,
                          go_over_blocks, band);
    }
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

/* Rows of a band: a fiftieth of the picture, or less where that takes long, but enough to share and
 * for most pixels to have others around them. */
static size_t band_rows(const Exposure *e)
{
    const uint64_t row = (uint64_t)e->image->width * e->input->def->trace.samples;
    const size_t part = (size_t)e->image->height / BANDS + 1, most = part > LEAST ? part : LEAST;
    const size_t quick = (size_t)(BAND_PATHS / row) + 4;
    return quick < most ? quick : most;
}

/* Bands of the picture one after the other, so that whoever waits can be told how far it is. */
static mote_Status expose(Exposure *e, mote_Error *error)
{
    const mote_RenderDef *def = e->input->def;
    Arena *arena = &e->image->arena;
    const size_t height = (size_t)e->image->height, rows = band_rows(e);
    const size_t bytes = rows * (size_t)e->image->width * sizeof(TracePixel);
    TraceBand band = {.exposure = e, .pixels = arena_take(arena, bytes)};
    mote_Status status = MOTE_OK;
    if (band.pixels == NULL) return status_no_memory(error, "a traced picture", bytes);
    for (; band.first < height && status == MOTE_OK; band.first += rows) {
        const size_t left = height - band.first, count = left < rows ? left : rows;
        band.rows = count;
        expose_band(&band);
        status = trace_film_keep(&e->film, band.first, count, band.pixels, arena, error);
        if (status == MOTE_OK && def->progress != NULL &&
            !def->progress(def->progress_context, (double)(band.first + count) / (double)height))
            status = status_fail(error, MOTE_CANCELLED, "render: stopped before its end");
    }
    return status;
}

mote_Status trace_picture(const TraceInput *input, mote_Image *image, mote_Error *error)
{
    TraceScene *scene = NULL;
    mote_Status status = check_trace(input->def, error);
    if (status == MOTE_OK) status = trace_scene_open(input, &image->arena, &scene, error);
    Exposure e = {.input = input, .scene = scene, .image = image};
    const bool guided = input->def->trace.denoise;
    if (status == MOTE_OK) status = trace_film_make(image, guided, &e.film, error);
    if (status == MOTE_OK) status = expose(&e, error);
    if (status == MOTE_OK && guided)
        status = trace_denoise(&e.film, input->def->tasks, &image->arena, error);
    if (status == MOTE_OK && guided) image->features = trace_film_features(&e.film, &image->arena);
    trace_scene_close(scene);
    return status;
}
