/* A traced picture: the mean light of many paths through each pixel. */
#include "render/trace.h"

#include "base/math.h"
#include "base/status.h"
#include "render/float3.h"
#include "render/render.h"
#include "render/shade.h"
#include "render/trace_photon.h"
#include "render/trace_samples.h"

enum { BANDS = 50, LEAST = 6, BAND_PATHS = 1000000 };
enum { LOOKS = 16, LIT_LOOKS = 8, BLOCK = 16 };

typedef struct Exposure {
    const TraceInput *input;
    const TraceScene *scene;
    mote_Image *image;
    TraceFilm film;
} Exposure;

/* Samples of pixels beside each other, of each from number `first` on. */
typedef struct Samples {
    int x, y;
    uint32_t columns, first;
} Samples;

/* There must be room for a multiple of TRACE_TOGETHER. */
static void choose_starts(const Exposure *e, const Samples *of, uint32_t from, uint32_t count,
                          TraceStart starts[])
{
    const uint32_t each = (uint32_t)e->input->def->trace.samples;
    StartJob job = {.view = e->input->view,
                    .hash = mix_bits((uint32_t)e->input->frame->index),
                    .row = (uint32_t)of->y};
    for (uint32_t done = 0; done < count; done += TRACE_TOGETHER) {
        for (uint32_t i = 0; i < TRACE_TOGETHER; ++i) {
            const uint32_t n = from + done + i;
            job.columns[i] = (uint32_t)of->x + n / each, job.samples[i] = of->first + n % each;
        }
        job.starts = starts + done;
        e->input->kernels->start(&job);
    }
}

/* Rays that only look what surface there is, and with `lit` how lights fall on it. */
static void look_again(const Exposure *e, const Samples *of, bool lit, TracePixel *pixel)
{
    const uint32_t samples = (uint32_t)e->input->def->trace.samples;
    TraceStart starts[TRACE_WAVE];
    TraceSample found[TRACE_WAVE];
    for (uint32_t done = 0, n; done < samples; done += n) {
        n = samples - done < TRACE_WAVE ? samples - done : TRACE_WAVE;
        choose_starts(e, of, done, n, starts);
        trace_looks(e->input, e->scene, starts, n, lit, found);
        for (uint32_t i = 0; i < n; ++i) trace_pixel_look(pixel, &found[i], lit);
    }
}

/* Looks at pixels twice again, and where they see more than one surface or a shadow's edge until
 * that is known well: how much of a pixel each covers is most of what noise does to an edge, and a
 * ray that goes no further costs little. Rays that also ask the lights cost as much as a path where
 * there are several, and soft shadows are never known well: they end sooner. In the midst of a
 * surface there is nothing to look for. */
static void look_closer(const Exposure *e, int x, int y, TracePixel *pixel)
{
    const uint32_t samples = (uint32_t)e->input->def->trace.samples;
    const bool uneven = trace_pixel_uneven(pixel);
    if (!pixel->plain || (pixel->amid && !uneven)) return;
    for (uint32_t s = 1; s < LOOKS; ++s) {
        const bool lit = uneven && s <= LIT_LOOKS;
        if (s > 2 && !lit && !trace_pixel_unsure(pixel)) return;
        look_again(e, &(Samples){x, y, 1, s * samples}, lit, pixel);
    }
}

/* Noise is another in every frame: what stays would look like dirt on the lens. */
static void expose_pixels(const Exposure *e, const Samples *of, TracePixel *pixels)
{
    const uint32_t each = (uint32_t)e->input->def->trace.samples, all = of->columns * each;
    TraceStart starts[TRACE_WAVE];
    TraceSample found[TRACE_WAVE];
    for (uint32_t i = 0; i < of->columns; ++i) trace_pixel_begin(&pixels[i]);
    for (uint32_t done = 0, n; done < all; done += n) {
        n = all - done < TRACE_WAVE ? all - done : TRACE_WAVE;
        choose_starts(e, of, done, n, starts);
        trace_paths(e->input, e->scene, starts, n, found);
        for (uint32_t i = 0; i < n; ++i) {
            TracePixel *pixel = &pixels[(done + i) / each];
            trace_pixel_add(pixel, &found[i]);
            if (e->film.rows != NULL) trace_pixel_sort(pixel, &found[i]);
        }
    }
}

/* Some rows of the picture. */
typedef struct TraceBand TraceBand;
typedef void BandTurn(const TraceBand *band, size_t x, size_t y, size_t count, TracePixel *pixels);
struct TraceBand {
    const Exposure *exposure;
    BandTurn *turn; /* what is done to some pixels from (x, y) on */
    size_t first, rows;
    TracePixel *pixels;
};

static void expose_at(const TraceBand *band, size_t x, size_t y, size_t count, TracePixel *pixels)
{
    const Samples of = {(int)x, (int)(band->first + y), (uint32_t)count, 0};
    expose_pixels(band->exposure, &of, pixels);
}

/* Whether all pixels around see the same surface; those of other bands are not known. */
static bool is_amid(const TraceBand *band, size_t x, size_t y, const TracePixel *pixel)
{
    const size_t width = (size_t)band->exposure->image->width;
    bool amid = x > 0 && x + 1 < width && y > 0 && y + 1 < band->rows;
    for (size_t j = 0; j < 3 && amid; ++j)
        for (size_t i = 0; i < 3 && amid; ++i)
            amid = trace_pixels_alike(pixel, pixel + j * width + i - width - 1);
    return amid;
}

static void compare_at(const TraceBand *band, size_t x, size_t y, size_t count, TracePixel *pixels)
{
    for (size_t i = 0; i < count; ++i) pixels[i].amid = is_amid(band, x + i, y, &pixels[i]);
}

static void finish_at(const TraceBand *band, size_t x, size_t y, size_t count, TracePixel *pixels)
{
    for (size_t i = 0; i < count; ++i) {
        if (band->exposure->film.rows != NULL)
            look_closer(band->exposure, (int)(x + i), (int)(band->first + y), &pixels[i]);
        trace_pixel_finish(&pixels[i]);
    }
}

/* Blocks of columns: their rays meet much the same triangles, which stay at hand. */
static void go_over_blocks(void *context, size_t begin, size_t end, int worker)
{
    const TraceBand *band = context;
    const size_t width = (size_t)band->exposure->image->width;
    (void)worker;
    for (size_t y = 0; y < band->rows; ++y)
        for (size_t x = begin * BLOCK; x < end * BLOCK && x < width; x += BLOCK)
            band->turn(band, x, y, width - x < BLOCK ? width - x : BLOCK,
                       &band->pixels[y * width + x]);
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
    PhotonMap *photons = NULL;
    if (status == MOTE_OK)
        status = trace_photons_make(input, scene, &image->arena, &photons, error);
    TraceInput lit = *input;
    lit.photons = photons;
    Exposure e = {.input = &lit, .scene = scene, .image = image};
    const bool guided = input->def->trace.denoise;
    if (status == MOTE_OK) status = trace_film_make(image, guided, &e.film, error);
    if (status == MOTE_OK) status = expose(&e, error);
    if (status == MOTE_OK && guided)
        status = trace_denoise(&e.film, input->def->tasks, &image->arena, error);
    if (status == MOTE_OK && guided) image->features = trace_film_features(&e.film, &image->arena);
    trace_scene_close(scene);
    return status;
}
