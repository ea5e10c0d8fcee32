/* A traced picture: the mean light of many paths through each pixel. */
#include "render/trace.h"

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
} Exposure;

static TraceRay ray_through(const View *view, float x, float y)
{
    TraceRay ray = {.moment = 0.5f, .without = NO_WISP};
    view_ray(view, x, y, ray.origin, ray.direction);
    unit3(ray.direction);
    madd3(ray.origin, view->near, ray.direction, ray.origin);
    return ray;
}

/* Places in a pixel by a tent of two pixels' width: edges are smooth, and thin lines do not break.
 */
static float tent(float u)
{
    return u < 0.5f ? __builtin_sqrtf(2 * u) - 1 : 1 - __builtin_sqrtf(2 - 2 * u);
}

/* Places in the pixel and moments of the shutter, spread evenly over a pixel's samples. */
static TraceRay choose_ray(const View *view, int x, int y, TraceSeed *seed)
{
    float u[2], v[2];
    sample_pair(seed->pixel, seed->sample, seed->pair++, u);
    sample_pair(seed->pixel, seed->sample, seed->pair++, v);
    TraceRay ray = ray_through(view, (float)x + 0.5f + 0.75f * tent(u[0]),
                               (float)y + 0.5f + 0.75f * tent(u[1]));
    ray.moment = v[0];
    return ray;
}

/* Noise is another in every frame: what stays would look like dirt on the lens. */
static void expose_pixel(const Exposure *e, int x, int y)
{
    const mote_Image *image = e->image;
    const uint32_t pixel = (uint32_t)y * (uint32_t)image->width + (uint32_t)x;
    const uint32_t hash = mix_bits(pixel ^ mix_bits((uint32_t)e->input->frame->index));
    const uint32_t samples = (uint32_t)e->input->def->trace.samples;
    float sum[4] = {0, 0, 0, 0}, *out = image->pixels + 4 * (size_t)pixel;
    for (uint32_t s = 0; s < samples; ++s) {
        float light[4];
        TraceSeed seed = {hash, s, 0};
        TraceRay ray = choose_ray(e->input->view, x, y, &seed);
        trace_path(e->input, e->scene, &ray, seed, light);
        for (int k = 0; k < 4; ++k) sum[k] += light[k];
    }
    for (int k = 0; k < 4; ++k) out[k] = sum[k] / (float)samples;
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

mote_Status trace_picture(const TraceInput *input, mote_Image *image, mote_Error *error)
{
    TraceScene *scene = NULL;
    mote_Status status = check_trace(input->def, error);
    if (status == MOTE_OK) status = trace_scene_open(input, &image->arena, &scene, error);
    if (status == MOTE_OK) {
        Exposure e = {input, scene, image};
        status = expose(&e, error);
    }
    trace_scene_close(scene);
    return status;
}
