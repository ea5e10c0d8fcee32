/* Insets with Cairo: a dark plate, both axes over the whole table, and the curve until now. */
#include "plot/inset.h"

#if MOTE_WITH_CAIRO

#include "plot/axis.h"

#include <math.h>
#include <stdio.h>

/* Sizes for a picture 1080 px high. */
enum { WIDTH = 480, HEIGHT = 190, PAD = 18, TEXT = 20, GAP = 14, DOT = 6 };
#define FOOT 1.3 /* of the text's height: times below the curve */

typedef struct Inset {
    cairo_t *cairo;
    const mote_PicturePlot *plot;
    double scale, left, top, right, bottom; /* of the curve, px */
    Axis x, y;
} Inset;

static double value_of(const mote_PicturePlot *plot, size_t i)
{
    return plot->values[i * plot->stride];
}

/* The ends of what is finite; both 0 where nothing is. */
static PlotAxis ends_of(const mote_PicturePlot *plot, bool values)
{
    PlotAxis axis = {.min = (double)INFINITY, .max = -(double)INFINITY};
    for (size_t i = 0; i < plot->count; ++i) {
        const double value = values ? value_of(plot, i) : plot->times[i];
        if (!isfinite(value)) continue;
        axis.min = value < axis.min ? value : axis.min;
        axis.max = value > axis.max ? value : axis.max;
    }
    if (!(axis.min <= axis.max)) axis.min = 0, axis.max = 1;
    if (!(axis.min < axis.max)) axis.max = axis.min + 1;
    return axis;
}

static double place_x(const Inset *in, double time)
{
    return in->left + axis_place(&in->x, time) * (in->right - in->left);
}

static double place_y(const Inset *in, double value)
{
    return in->bottom - axis_place(&in->y, value) * (in->bottom - in->top);
}

/* Every so-manieth tick, so that at most `most` stand on the axis. */
static int every_of(const Axis *axis, int most)
{
    return (axis->tick_count + most - 1) / most + (axis->tick_count == 0);
}

/* Up to six times below the curve, in seconds. */
static void draw_times(const Inset *in)
{
    const int every = every_of(&in->x, 6);
    for (int i = 0; i < in->x.tick_count; i += every) {
        char text[40];
        cairo_text_extents_t extents;
        const double x = place_x(in, in->x.ticks[i]);
        const bool last = i + every >= in->x.tick_count;
        snprintf(text, sizeof text, "%.*f%s", in->x.digits, in->x.ticks[i], last ? " s" : "");
        cairo_text_extents(in->cairo, text, &extents);
        cairo_set_source_rgba(in->cairo, 1, 1, 1, 0.18);
        cairo_move_to(in->cairo, x, in->top), cairo_line_to(in->cairo, x, in->bottom);
        cairo_stroke(in->cairo);
        const double most = in->right - extents.x_advance, left = x - extents.x_advance / 2;
        cairo_set_source_rgb(in->cairo, 0.95, 0.95, 0.95);
        cairo_move_to(in->cairo, left < most ? left : most, in->bottom + 1.3 * TEXT * in->scale);
        cairo_show_text(in->cairo, text);
    }
}

/* Three or four numbers beside the curve. */
static void draw_ticks(const Inset *in)
{
    const int every = every_of(&in->y, 5);
    for (int i = 0; i < in->y.tick_count; i += every) {
        char text[32];
        cairo_text_extents_t extents;
        const double y = place_y(in, in->y.ticks[i]);
        snprintf(text, sizeof text, "%.*f", in->y.digits, in->y.ticks[i]);
        cairo_text_extents(in->cairo, text, &extents);
        cairo_set_source_rgba(in->cairo, 1, 1, 1, 0.18);
        cairo_move_to(in->cairo, in->left, y), cairo_line_to(in->cairo, in->right, y);
        cairo_stroke(in->cairo);
        cairo_set_source_rgb(in->cairo, 0.95, 0.95, 0.95);
        cairo_move_to(in->cairo, in->left - extents.x_advance - 8 * in->scale,
                      y + 0.34 * TEXT * in->scale);
        cairo_show_text(in->cairo, text);
    }
}

static void draw_curve(const Inset *in, double now)
{
    const mote_PicturePlot *plot = in->plot;
    bool down = false;
    double x = 0, y = 0;
    cairo_set_source_rgb(in->cairo, 0.35, 0.75, 0.95);
    cairo_set_line_width(in->cairo, 3 * in->scale);
    for (size_t i = 0; i < plot->count && plot->times[i] <= now; ++i) {
        const bool good = isfinite(value_of(plot, i));
        if (good) x = place_x(in, plot->times[i]), y = place_y(in, value_of(plot, i));
        if (good && down) cairo_line_to(in->cairo, x, y);
        if (good && !down) cairo_move_to(in->cairo, x, y);
        down = good;
    }
    cairo_stroke(in->cairo);
    if (!down) return;
    cairo_arc(in->cairo, x, y, DOT * in->scale, 0, 6.283185307179586);
    cairo_fill(in->cairo);
}

void inset_draw(cairo_t *cairo, const mote_PicturePlot *plot, double now, InsetCorner *corner)
{
    const double k = corner->scale, left = corner->right - (WIDTH + 2 * PAD) * k;
    const double high = (HEIGHT + 2 * PAD + (1.6 + FOOT) * TEXT) * k;
    const Plot axes = {.x = ends_of(plot, false), .y = ends_of(plot, true)};
    Inset in = {.cairo = cairo,
                .plot = plot,
                .scale = k,
                .left = left + (PAD + 4 * TEXT) * k,
                .top = corner->top + (PAD + 1.6 * TEXT) * k,
                .right = corner->right - PAD * k,
                .bottom = corner->top + high - (PAD + FOOT * TEXT) * k,
                .x = axis_make(&axes, false),
                .y = axis_make(&axes, true)};
    cairo_set_source_rgba(cairo, 0.03, 0.035, 0.045, 0.62);
    cairo_rectangle(cairo, left, corner->top, corner->right - left, high);
    cairo_fill(cairo);
    cairo_set_source_rgb(cairo, 0.95, 0.95, 0.95);
    cairo_move_to(cairo, left + PAD * k, corner->top + (PAD + 0.8 * TEXT) * k);
    cairo_show_text(cairo, plot->title);
    cairo_set_line_width(cairo, k);
    draw_ticks(&in);
    draw_times(&in);
    draw_curve(&in, now);
    corner->top += high + GAP * k;
}

#endif
