/* Legends with Cairo: a bar of colours, ticks and a title on a dark plate; and a scale bar. */
#include "plot/legend.h"

#include "base/status.h"

#include <stdio.h>

void plot_clock_text(double time, char text[32])
{
    const bool near = time > -100 && time < 100;
    snprintf(text, 32, near ? "%.2f s" : "%.6g s", time);
}

#if MOTE_WITH_CAIRO

#include "plot/axis.h"
#include "plot/inset.h"

#include <cairo/cairo.h>

/* Sizes for a picture 1080 px high. */
enum { BAR = 22, LENGTH = 300, TEXT = 22, MARGIN = 36, PAD = 18, TICK = 7, SCALE = 8 };
#define LONGEST 0.2 /* of the picture's width: the scale bar */

typedef struct Sheet {
    cairo_t *cairo;
    double scale, right, bottom;
} Sheet;

static double text_width(cairo_t *cairo, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

static Axis axis_of(const PlotLegend *legend)
{
    Plot plot = {.y = {.min = legend->low, .max = legend->high}};
    return axis_make(&plot, true);
}

static void tick_text(const Axis *axis, int i, char text[32])
{
    snprintf(text, 32, "%.*f", axis->digits, axis->ticks[i]);
}

static double widest_tick(cairo_t *cairo, const Axis *axis)
{
    double most = 0;
    for (int i = 0; i < axis->tick_count; ++i) {
        char text[32];
        tick_text(axis, i, text);
        double width = text_width(cairo, text);
        most = width > most ? width : most;
    }
    return most;
}

static void draw_bar(const Sheet *s, const PlotLegend *legend, double x, double y)
{
    const double step = LENGTH * s->scale / LEGEND_COLORS;
    for (int i = 0; i < LEGEND_COLORS; ++i) {
        uint32_t c = legend->colors[LEGEND_COLORS - 1 - i];
        cairo_set_source_rgb(s->cairo, (c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0,
                             (c & 255) / 255.0);
        cairo_rectangle(s->cairo, x, y + i * step, BAR * s->scale, step + 0.5);
        cairo_fill(s->cairo);
    }
}

static void draw_ticks(const Sheet *s, const Axis *axis, double x, double y)
{
    cairo_set_source_rgb(s->cairo, 0.95, 0.95, 0.95);
    cairo_set_line_width(s->cairo, 1.5 * s->scale);
    for (int i = 0; i < axis->tick_count; ++i) {
        char text[32];
        double at = y + (1 - axis_place(axis, axis->ticks[i])) * LENGTH * s->scale;
        tick_text(axis, i, text);
        cairo_move_to(s->cairo, x, at);
        cairo_line_to(s->cairo, x + TICK * s->scale, at);
        cairo_stroke(s->cairo);
        cairo_move_to(s->cairo, x + 1.8 * TICK * s->scale, at + 0.34 * TEXT * s->scale);
        cairo_show_text(s->cairo, text);
    }
}

/* A dark plate on the lower margin; then everything is white. */
static void draw_plate(const Sheet *s, double left, double width, double height)
{
    cairo_set_source_rgba(s->cairo, 0.03, 0.035, 0.045, 0.62);
    cairo_rectangle(s->cairo, left, s->bottom - height, width, height);
    cairo_fill(s->cairo);
    cairo_set_source_rgb(s->cairo, 0.95, 0.95, 0.95);
}

/* Returns where the next one's right side is. */
static double draw_legend(const Sheet *s, const PlotLegend *legend)
{
    cairo_t *cairo = s->cairo;
    Axis axis = axis_of(legend);
    double k = s->scale, scale_width = (BAR + 1.8 * TICK) * k + widest_tick(cairo, &axis);
    double title = text_width(cairo, legend->title);
    double inner = scale_width > title ? scale_width : title, width = inner + 2 * PAD * k;
    double height = (LENGTH + 2 * PAD + 1.9 * TEXT) * k;
    double left = s->right - width, top = s->bottom - height;
    draw_plate(s, left, width, height);
    cairo_move_to(cairo, left + PAD * k, top + (PAD + 0.8 * TEXT) * k);
    cairo_show_text(cairo, legend->title);
    double bar_top = top + (PAD + 1.9 * TEXT) * k;
    draw_bar(s, legend, left + PAD * k, bar_top);
    draw_ticks(s, &axis, left + (PAD + BAR) * k, bar_top);
    return left - 0.5 * MARGIN * k;
}

/* The longest of 1, 2 and 5 times a power of ten that is not longer. */
static double round_length(double most)
{
    double power = 1;
    while (power > most) power /= 10;
    while (10 * power <= most) power *= 10;
    return power * (5 * power <= most ? 5 : 2 * power <= most ? 2 : 1);
}

/* The bar's two ends are exactly its length apart. */
static void draw_scale(const Sheet *s, double scale, double most)
{
    char text[32];
    const double k = s->scale, metres = round_length(most / scale), length = metres * scale;
    snprintf(text, sizeof text, "%g m", metres);
    const double label = text_width(s->cairo, text), inner = label > length ? label : length;
    const double left = MARGIN * k, middle = left + PAD * k + inner / 2;
    draw_plate(s, left, inner + 2 * PAD * k, (2 * PAD + SCALE + 1.6 * TEXT) * k);
    cairo_rectangle(s->cairo, middle - length / 2, s->bottom - (PAD + SCALE) * k, length,
                    SCALE * k);
    cairo_fill(s->cairo);
    cairo_move_to(s->cairo, middle - label / 2, s->bottom - (PAD + SCALE + 0.8 * TEXT) * k);
    cairo_show_text(s->cairo, text);
}

static void draw_clock(const Sheet *s, double time)
{
    char text[32];
    const double k = s->scale, high = (2 * PAD + 0.8 * TEXT) * k;
    plot_clock_text(time, text);
    const Sheet top = {s->cairo, k, s->right, MARGIN * k + high};
    draw_plate(&top, MARGIN * k, text_width(s->cairo, text) + 2 * PAD * k, high);
    cairo_move_to(s->cairo, (MARGIN + PAD) * k, top.bottom - PAD * k);
    cairo_show_text(s->cairo, text);
}

/* Words, and below them the plots. */
static void draw_corner(const Sheet *s, const PlotLegends *legends, int width)
{
    const double k = s->scale, high = (2 * PAD + 0.8 * TEXT) * k;
    InsetCorner corner = {width - MARGIN * k, MARGIN * k, k};
    if (legends->label != NULL) {
        const double label = text_width(s->cairo, legends->label);
        const double left = corner.right - label - 2 * PAD * k;
        const Sheet top = {s->cairo, k, s->right, corner.top + high};
        draw_plate(&top, left, label + 2 * PAD * k, high);
        cairo_move_to(s->cairo, left + PAD * k, top.bottom - PAD * k);
        cairo_show_text(s->cairo, legends->label);
        corner.top += high + 0.5 * MARGIN * k;
    }
    for (size_t i = 0; i < legends->plot_count; ++i)
        inset_draw(s->cairo, &legends->plots[i], legends->now, &corner);
}

mote_Status plot_legends(const PlotLegends *legends, uint32_t *pixels, int width, int height,
                         mote_Error *error)
{
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (unsigned char *)pixels, CAIRO_FORMAT_ARGB32, width, height, 4 * width);
    cairo_t *cairo = cairo_create(surface);
    const double least = height < 172 ? height / 400.0 : 0.43; /* words that can be read */
    Sheet s = {.cairo = cairo, .scale = height / 1080.0 > least ? height / 1080.0 : least};
    s.right = width - MARGIN * s.scale, s.bottom = height - MARGIN * s.scale;
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, TEXT * s.scale);
    for (size_t i = 0; i < legends->count && s.right > 0; ++i)
        s.right = draw_legend(&s, &legends->legends[i]);
    if (legends->scale > 0 && legends->scale < 1e30)
        draw_scale(&s, legends->scale, LONGEST * width);
    if (legends->time != NULL) draw_clock(&s, *legends->time);
    draw_corner(&s, legends, width);
    bool good = cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    if (good) return MOTE_OK;
    return status_no_memory(error, "a legend", 4 * (size_t)width * (size_t)height);
}

#else

mote_Status plot_legends(const PlotLegends *legends, uint32_t *pixels, int width, int height,
                         mote_Error *error)
{
    (void)legends, (void)pixels, (void)width, (void)height;
    return status_fail(error, MOTE_UNAVAILABLE, "legends need Cairo, which this build is without");
}

#endif
