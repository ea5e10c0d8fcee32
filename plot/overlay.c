/* Legends over pictures: drawn in sRGB by Cairo, laid over the finished picture in linear light. */
#include "plot/overlay.h"

#include "base/math.h"
#include "base/memory.h"
#include "base/status.h"
#include "plot/legend.h"

enum { MOST = 4 };

static uint32_t code(float light)
{
    return (uint32_t)(255 * math_srgb_code((double)light) + 0.5);
}

static mote_Status legend_make(const mote_Legend *from, PlotLegend *to, mote_Error *error)
{
    double values[LEGEND_COLORS];
    float colors[LEGEND_COLORS][3];
    *to = (PlotLegend){.title = from->title, .low = from->low, .high = from->high};
    for (int i = 0; i < LEGEND_COLORS; ++i) values[i] = (i + 0.5) / LEGEND_COLORS;
    mote_Status status = mote_colormap(from->map, values, LEGEND_COLORS, colors, error);
    for (int i = 0; i < LEGEND_COLORS && status == MOTE_OK; ++i)
        to->colors[i] = code(colors[i][0]) << 16 | code(colors[i][1]) << 8 | code(colors[i][2]);
    return status;
}

/* Premultiplied sRGB over linear light. */
static void lay_over(mote_Image *image, const uint32_t *pixels)
{
    const size_t count = (size_t)mote_image_width(image) * (size_t)mote_image_height(image);
    float *out = mote_image_pixels(image);
    for (size_t i = 0; i < count; ++i, out += 4) {
        uint32_t p = pixels[i], alpha = p >> 24;
        if (alpha == 0) continue;
        float a = (float)alpha / 255;
        for (int k = 0; k < 3; ++k) {
            uint32_t value = (p >> (16 - 8 * k) & 255) * 255 / alpha;
            out[k] = a * (float)math_srgb_light(value / 255.0) + (1 - a) * out[k];
        }
        out[3] = a + (1 - a) * out[3];
    }
}

mote_Status legends_draw(void *context, const mote_RenderDef *def, mote_Image *image,
                         mote_Error *error)
{
    (void)context;
    PlotLegend legends[MOST];
    size_t count = 0;
    mote_Status status = MOTE_OK;
    for (size_t i = 0; i < def->legend_count && count < MOST && status == MOTE_OK; ++i)
        if (def->legends[i].title != NULL)
            status = legend_make(&def->legends[i], &legends[count++], error);
    const bool words = def->clock || def->label != NULL || def->plot_count > 0;
    if (status != MOTE_OK || (count == 0 && !def->scale_bar && !words)) return status;
    Memory memory = memory_make((mote_Allocator){0});
    const int width = mote_image_width(image), height = mote_image_height(image);
    const size_t size = 4 * (size_t)width * (size_t)height;
    uint32_t *pixels = memory_zeroed(&memory, size);
    if (pixels == NULL) return status_no_memory(error, "a legend", size);
    const PlotLegends all = {
        .legends = legends,
        .count = count,
        .scale = def->scale_bar ? mote_camera_scale(&def->camera, height) : 0,
        .time = def->clock ? &def->time : NULL,
        .label = def->label,
        .plots = def->plots,
        .plot_count = def->plot_count,
        .now = def->time,
    };
    status = plot_legends(&all, pixels, width, height, error);
    if (status == MOTE_OK) lay_over(image, pixels);
    memory_free(&memory, pixels, size);
    return status;
}
