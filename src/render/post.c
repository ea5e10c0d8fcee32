/* After the splats: exposure, bloom, tone.
 *
 * Bloom: a pyramid of images, each half as large, is added up again from small to large; the
 * weights sum to one, so bloom moves light and makes none (Jimenez, "Next generation post
 * processing in Call of Duty", SIGGRAPH 2014). Tone: K. Narkowicz's rational fit of the ACES film
 * curve, 2016. */
#include "base/status.h"
#include "render/render.h"

#include <string.h>

enum { PYRAMID = 6, GRAIN_ROWS = 16 };

typedef struct BloomLevel {
    int width, height;
    float *pixels; /* RGBA */
} BloomLevel;

typedef struct PostStep {
    const RenderKernels *kernels;
    const BloomLevel *from;
    BloomLevel *to;
    float weight;
    float *spare; /* a row and six pixels for each worker */
    size_t spare_stride;
} PostStep;

static float *level_row(const BloomLevel *level, int y)
{
    y = y < 0 ? 0 : y < level->height ? y : level->height - 1;
    return level->pixels + 4 * (size_t)y * (size_t)level->width;
}

static void shrink_rows(void *context, size_t begin, size_t end, int worker)
{
    const PostStep *step = context;
    float *spare = step->spare + (size_t)worker * step->spare_stride;
    for (int y = (int)begin; y < (int)end; ++y) {
        const float *rows[4];
        for (int i = 0; i < 4; ++i) rows[i] = level_row(step->from, 2 * y + i - 1);
        step->kernels->shrink_row(rows, step->from->width, spare, level_row(step->to, y));
    }
}

static void mix_rows(void *context, size_t begin, size_t end, int worker)
{
    const PostStep *step = context;
    float *spare = step->spare + (size_t)worker * step->spare_stride;
    for (int y = (int)begin; y < (int)end; ++y) {
        const MixJob job = {.near = level_row(step->from, y / 2),
                            .far = level_row(step->from, y & 1 ? y / 2 + 1 : y / 2 - 1),
                            .width = step->to->width,
                            .weight = step->weight};
        step->kernels->mix_row(&job, spare, level_row(step->to, y));
    }
}

static bool make_levels(mote_Image *image, BloomLevel levels[PYRAMID])
{
    levels[0] = (BloomLevel){image->width, image->height, image->pixels};
    for (int i = 1; i < PYRAMID; ++i) {
        BloomLevel *level = &levels[i];
        level->width = (levels[i - 1].width + 1) / 2;
        level->height = (levels[i - 1].height + 1) / 2;
        level->pixels = arena_take(&image->arena, (size_t)level->width * (size_t)level->height * 4 *
                                                      sizeof(float));
        if (level->pixels == NULL) return false;
    }
    return true;
}

static bool bloom(mote_Image *image, float amount, mote_Tasks *tasks)
{
    BloomLevel levels[PYRAMID];
    const size_t stride = 4 * ((size_t)image->width + 6);
    float *spare =
        arena_take(&image->arena, (size_t)mote_tasks_workers(tasks) * stride * sizeof(float));
    if (spare == NULL || !make_levels(image, levels)) return false;
    PostStep step = {.kernels = render_kernels(), .spare = spare, .spare_stride = stride};
    for (int i = 1; i < PYRAMID; ++i) {
        step.from = &levels[i - 1], step.to = &levels[i];
        mote_parallel_for(tasks, (size_t)levels[i].height, GRAIN_ROWS, shrink_rows, &step);
    }
    for (int i = PYRAMID - 1; i > 0; --i) {
        step.from = &levels[i], step.to = &levels[i - 1], step.weight = i > 1 ? 0.6f : amount;
        mote_parallel_for(tasks, (size_t)levels[i - 1].height, GRAIN_ROWS, mix_rows, &step);
    }
    return true;
}

typedef struct Grade {
    const RenderKernels *kernels;
    mote_Image *image;
    float exposure;
    void (*tone)(float *rgba, size_t values); /* NULL: light as it is */
} Grade;

static void scale_rows(void *context, size_t begin, size_t end, int worker)
{
    const Grade *grade = context;
    const size_t row = 4 * (size_t)grade->image->width;
    (void)worker;
    grade->kernels->scale_row(grade->image->pixels + begin * row, (end - begin) * row,
                              grade->exposure);
}

static void tone_rows(void *context, size_t begin, size_t end, int worker)
{
    const Grade *grade = context;
    const size_t row = 4 * (size_t)grade->image->width;
    (void)worker;
    grade->tone(grade->image->pixels + begin * row, (end - begin) * row);
}

mote_Status post_apply(const mote_RenderDef *def, mote_Image *image, mote_Error *error)
{
    const RenderKernels *kernels = render_kernels();
    void (*const tones[])(float *, size_t) = {[MOTE_TONE_LINEAR] = NULL,
                                              [MOTE_TONE_FILMIC] = kernels->film_row,
                                              [MOTE_TONE_NATURAL] = kernels->natural_row};
    Grade grade = {kernels, image, (float)def->exposure, tones[def->tone]};
    const size_t rows = (size_t)image->height;
    if (def->auto_exposure) grade.exposure *= meter_exposure(image);
    if (grade.exposure != 1) mote_parallel_for(def->tasks, rows, GRAIN_ROWS, scale_rows, &grade);
    if (def->bloom > 0 && !bloom(image, (float)def->bloom, def->tasks))
        return status_no_memory(error, "bloom", image_floats(image) * sizeof(float) / 3);
    if (grade.tone != NULL) mote_parallel_for(def->tasks, rows, GRAIN_ROWS, tone_rows, &grade);
    return MOTE_OK;
}
