/* After the splats: exposure, bloom, tone.
 *
 * Bloom: a pyramid of images, each half as large, is added up again from small to large; the
 * weights sum to one, so bloom moves light and makes none (Jimenez, "Next generation post
 * processing in Call of Duty", SIGGRAPH 2014). Tone: K. Narkowicz's rational fit of the ACES film
 * curve, 2016. */
#include "base/status.h"
#include "render/render.h"

#include <string.h>

enum { LEVELS = 6, GRAIN_ROWS = 16 };

typedef struct Level {
    int width, height;
    float *pixels; /* RGBA */
} Level;

typedef struct Step {
    const Level *from;
    Level *to;
    float weight;
} Step;

static const float *at(const Level *level, int x, int y)
{
    x = x < 0 ? 0 : x < level->width ? x : level->width - 1;
    y = y < 0 ? 0 : y < level->height ? y : level->height - 1;
    return level->pixels + 4 * ((size_t)y * (size_t)level->width + (size_t)x);
}

/* Each pixel from 4 x 4 of the finer level with the weights 1 3 3 1 along each axis. */
static void shrink_rows(void *context, size_t begin, size_t end, int worker)
{
    static const float weights[4] = {0.125f, 0.375f, 0.375f, 0.125f};
    const Step *step = context;
    (void)worker;
    for (int y = (int)begin; y < (int)end; ++y) {
        float *out = step->to->pixels + 4 * (size_t)y * (size_t)step->to->width;
        for (int x = 0; x < step->to->width; ++x, out += 4) {
            memset(out, 0, 4 * sizeof *out);
            for (int j = 0; j < 4; ++j)
                for (int i = 0; i < 4; ++i)
                    for (int k = 0; k < 4; ++k)
                        out[k] += weights[i] * weights[j] *
                                  at(step->from, 2 * x + i - 1, 2 * y + j - 1)[k];
        }
    }
}

/* to = (1 - weight) to + weight (from, enlarged linearly). */
static void mix_rows(void *context, size_t begin, size_t end, int worker)
{
    const Step *step = context;
    const Level *from = step->from;
    (void)worker;
    for (int y = (int)begin; y < (int)end; ++y) {
        float *out = step->to->pixels + 4 * (size_t)y * (size_t)step->to->width;
        int y0 = (y + 1) / 2 - 1, y1 = y0 + 1;
        float fy = y & 1 ? 0.25f : 0.75f;
        for (int x = 0; x < step->to->width; ++x, out += 4) {
            int x0 = (x + 1) / 2 - 1, x1 = x0 + 1;
            float fx = x & 1 ? 0.25f : 0.75f;
            const float *a = at(from, x0, y0), *b = at(from, x1, y0), *c = at(from, x0, y1),
                        *d = at(from, x1, y1);
            for (int k = 0; k < 4; ++k) {
                float up =
                    (a[k] + fx * (b[k] - a[k])) * (1 - fy) + (c[k] + fx * (d[k] - c[k])) * fy;
                out[k] += step->weight * (up - out[k]);
            }
        }
    }
}

static bool make_levels(mote_Image *image, Level levels[LEVELS])
{
    levels[0] = (Level){image->width, image->height, image->pixels};
    for (int i = 1; i < LEVELS; ++i) {
        Level *level = &levels[i];
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
    Level levels[LEVELS];
    if (!make_levels(image, levels)) return false;
    for (int i = 1; i < LEVELS; ++i) {
        Step step = {.from = &levels[i - 1], .to = &levels[i]};
        mote_parallel_for(tasks, (size_t)levels[i].height, GRAIN_ROWS, shrink_rows, &step);
    }
    for (int i = LEVELS - 1; i > 0; --i) {
        Step step = {.from = &levels[i], .to = &levels[i - 1], .weight = i > 1 ? 0.6f : amount};
        mote_parallel_for(tasks, (size_t)levels[i - 1].height, GRAIN_ROWS, mix_rows, &step);
    }
    return true;
}

static float film(float x)
{
    float y = x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);
    return y < 1 ? y : 1;
}

static void scale(mote_Image *image, float exposure)
{
    float *end = image->pixels + image_floats(image);
    for (float *p = image->pixels; p < end; p += 4)
        for (int k = 0; k < 3; ++k) p[k] *= exposure;
}

static void tone(mote_Image *image)
{
    float *end = image->pixels + image_floats(image);
    for (float *p = image->pixels; p < end; p += 4)
        for (int k = 0; k < 3; ++k) p[k] = film(p[k] < 1e6f ? p[k] : 1e6f);
}

mote_Status post_apply(const mote_RenderDef *def, mote_Image *image, mote_Error *error)
{
    if (def->exposure != 1) scale(image, (float)def->exposure);
    if (def->bloom > 0 && !bloom(image, (float)def->bloom, def->tasks))
        return status_no_memory(error, "bloom", image_floats(image) * sizeof(float) / 3);
    if (def->tone == MOTE_TONE_FILMIC) tone(image);
    return MOTE_OK;
}
