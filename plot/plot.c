/* Drawing of plots with Cairo: frame, ticks, series, legend at the right. */
#include "plot/plot.h"

#include "base/status.h"

#if MOTE_WITH_CAIRO

#include "base/memory.h"
#include "plot/axis.h"

#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LEFT = 84, TOP = 40, BOTTOM = 60, GAP = 16, FONT = 13, LINE_HEIGHT = 18, SWATCH = 26 };
static const double PI = 3.14159265358979323846;

/* Colours that stay apart for most eyes: Okabe and Ito's, and darker cousins of them. */
static const double palette[][3] = {
    {0.00, 0.45, 0.70}, {0.84, 0.37, 0.00}, {0.00, 0.62, 0.45}, {0.80, 0.47, 0.65},
    {0.90, 0.62, 0.00}, {0.34, 0.71, 0.91}, {0.20, 0.20, 0.20}, {0.55, 0.10, 0.10},
    {0.40, 0.25, 0.60}, {0.45, 0.55, 0.10}, {0.05, 0.30, 0.30}, {0.60, 0.45, 0.30},
};
enum { COLORS = sizeof palette / sizeof palette[0] };

typedef struct Canvas {
    cairo_t *cairo;
    const Plot *plot;
    Axis x, y;
    double left, top, right, bottom; /* of the frame, pixels */
} Canvas;

/* ---- text ---- */

static double text_width(cairo_t *cairo, const char *text)
{
    cairo_text_extents_t extents;
    cairo_text_extents(cairo, text, &extents);
    return extents.x_advance;
}

/* align 0: x is the left end, 0.5: the middle, 1: the right end. */
static void put_text(cairo_t *cairo, const char *text, double x, double y, double align)
{
    cairo_move_to(cairo, x - align * text_width(cairo, text), y);
    cairo_show_text(cairo, text);
}

/* A number as a label: 10 with an exponent on a logarithmic axis. */
static void put_tick_label(const Canvas *c, const Axis *axis, double tick, double x, double y,
                           double align)
{
    char text[32], exponent[16];
    if (axis->scale == PLOT_LINEAR) {
        snprintf(text, sizeof text, "%.*f", axis->digits, tick);
        put_text(c->cairo, text, x, y, align);
        return;
    }
    const double power = tick / axis_power(axis_decade(tick));
    const bool near = axis->max / axis->min < 100 && tick > 5e-4 && tick < 2e3;
    if (near || !(fabs(power - 1) < 1e-6)) { /* between decades: the number itself */
        snprintf(text, sizeof text, "%.6g", tick);
        put_text(c->cairo, text, x, y, align);
        return;
    }
    snprintf(exponent, sizeof exponent, "%d", axis_decade(tick));
    double small = FONT * 0.75, ten = text_width(c->cairo, "10");
    cairo_set_font_size(c->cairo, small);
    double wide = ten + text_width(c->cairo, exponent), from = x - align * wide;
    put_text(c->cairo, exponent, from + ten, y - FONT * 0.4, 0);
    cairo_set_font_size(c->cairo, FONT);
    put_text(c->cairo, "10", from, y, 0);
}

/* ---- the frame ---- */

static double place_x(const Canvas *c, double value)
{
    return c->left + axis_place(&c->x, value) * (c->right - c->left);
}

static double place_y(const Canvas *c, double value)
{
    return c->bottom - axis_place(&c->y, value) * (c->bottom - c->top);
}

static void line(cairo_t *cairo, double x0, double y0, double x1, double y1)
{
    cairo_move_to(cairo, x0, y0);
    cairo_line_to(cairo, x1, y1);
    cairo_stroke(cairo);
}

static void draw_grid(const Canvas *c)
{
    cairo_set_source_rgb(c->cairo, 0.88, 0.88, 0.88);
    cairo_set_line_width(c->cairo, 1);
    for (int i = 0; i < c->x.tick_count; ++i) {
        double x = place_x(c, c->x.ticks[i]);
        line(c->cairo, x, c->top, x, c->bottom);
    }
    for (int i = 0; i < c->y.tick_count; ++i) {
        double y = place_y(c, c->y.ticks[i]);
        line(c->cairo, c->left, y, c->right, y);
    }
}

static void draw_labels(const Canvas *c)
{
    const Plot *plot = c->plot;
    double middle = (c->left + c->right) / 2;
    cairo_set_source_rgb(c->cairo, 0.1, 0.1, 0.1);
    for (int i = 0; i < c->x.tick_count; ++i)
        put_tick_label(c, &c->x, c->x.ticks[i], place_x(c, c->x.ticks[i]), c->bottom + 20, 0.5);
    for (int i = 0; i < c->y.tick_count; ++i)
        put_tick_label(c, &c->y, c->y.ticks[i], c->left - 8, place_y(c, c->y.ticks[i]) + 5, 1);
    if (plot->x.label != NULL) put_text(c->cairo, plot->x.label, middle, c->bottom + 44, 0.5);
    if (plot->y.label != NULL) {
        cairo_save(c->cairo);
        cairo_translate(c->cairo, 22, (c->top + c->bottom) / 2);
        cairo_rotate(c->cairo, -PI / 2);
        put_text(c->cairo, plot->y.label, 0, 0, 0.5);
        cairo_restore(c->cairo);
    }
    if (plot->title == NULL) return;
    cairo_set_font_size(c->cairo, FONT * 1.2);
    put_text(c->cairo, plot->title, middle, c->top - 14, 0.5);
    cairo_set_font_size(c->cairo, FONT);
}

static void draw_frame(const Canvas *c)
{
    cairo_set_source_rgb(c->cairo, 0.3, 0.3, 0.3);
    cairo_set_line_width(c->cairo, 1);
    cairo_rectangle(c->cairo, c->left, c->top, c->right - c->left, c->bottom - c->top);
    cairo_stroke(c->cairo);
}

/* ---- series ---- */

/* Beyond the palette, gaps in the lines tell series apart. */
static void set_look(cairo_t *cairo, const PlotSeries *series, size_t number)
{
    static const double dashes[] = {6, 4}, dots[] = {2, 2}, both[] = {9, 3, 2, 3};
    size_t color = series->color > 0 ? (size_t)series->color - 1 : number;
    const double *rgb = palette[color % COLORS];
    cairo_set_line_width(cairo, series->style == PLOT_DASHED ? 1 : 1.8);
    cairo_set_dash(cairo, NULL, 0, 0);
    if (color >= COLORS) cairo_set_dash(cairo, dots, 2, 0);
    if (color >= 2 * COLORS) cairo_set_dash(cairo, both, 4, 0);
    if (series->style == PLOT_DASHED) cairo_set_dash(cairo, dashes, 2, 0);
    if (series->color < 0)
        cairo_set_source_rgb(cairo, 0.15, 0.15, 0.15);
    else
        cairo_set_source_rgb(cairo, rgb[0], rgb[1], rgb[2]);
}

static void draw_line(const Canvas *c, const PlotSeries *series)
{
    bool down = false;
    for (size_t i = 0; i < series->count; ++i) {
        double x = place_x(c, series->x[i]), y = place_y(c, series->y[i]);
        bool good = fabs(x) < 1e6 && fabs(y) < 1e6;
        if (good && down) cairo_line_to(c->cairo, x, y);
        if (good && !down) cairo_move_to(c->cairo, x, y);
        down = good;
    }
    cairo_stroke(c->cairo);
}

static void draw_points(const Canvas *c, const PlotSeries *series)
{
    for (size_t i = 0; i < series->count; ++i) {
        double x = place_x(c, series->x[i]), y = place_y(c, series->y[i]);
        if (!(fabs(x) < 1e6 && fabs(y) < 1e6)) continue;
        cairo_arc(c->cairo, x, y, 2.6, 0, 2 * PI);
        cairo_fill(c->cairo);
    }
}

static void draw_series(const Canvas *c)
{
    cairo_save(c->cairo);
    cairo_rectangle(c->cairo, c->left, c->top, c->right - c->left, c->bottom - c->top);
    cairo_clip(c->cairo);
    /* dashed lines last: what is compared with is seen on top of what lies on it */
    for (int dashed = 0; dashed < 2; ++dashed)
        for (size_t s = 0; s < c->plot->series_count; ++s) {
            const PlotSeries *series = &c->plot->series[s];
            if ((series->style == PLOT_DASHED) != (dashed > 0)) continue;
            set_look(c->cairo, series, s);
            if (series->style != PLOT_POINTS) draw_line(c, series);
            if (series->style == PLOT_POINTS || series->style == PLOT_LINE_POINTS)
                draw_points(c, series);
        }
    cairo_restore(c->cairo);
}

static double legend_width(cairo_t *cairo, const Plot *plot)
{
    double wide = 0;
    for (size_t s = 0; s < plot->series_count; ++s) {
        if (plot->series[s].name == NULL) continue;
        double width = SWATCH + 8 + GAP + text_width(cairo, plot->series[s].name);
        wide = width > wide ? width : wide;
    }
    return wide;
}

static void draw_legend(const Canvas *c)
{
    double x = c->right + GAP, y = c->top + LINE_HEIGHT / 2.0;
    for (size_t s = 0; s < c->plot->series_count; ++s) {
        const PlotSeries *series = &c->plot->series[s];
        if (series->name == NULL) continue;
        set_look(c->cairo, series, s);
        if (series->style == PLOT_POINTS) {
            cairo_arc(c->cairo, x + SWATCH / 2.0, y, 3, 0, 2 * PI);
            cairo_fill(c->cairo);
        } else {
            line(c->cairo, x, y, x + SWATCH, y);
        }
        cairo_set_source_rgb(c->cairo, 0.1, 0.1, 0.1);
        put_text(c->cairo, series->name, x + SWATCH + 8, y + FONT * 0.35, 0);
        y += LINE_HEIGHT;
    }
}

static void draw(cairo_t *cairo, const Plot *plot, int width, int height)
{
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    cairo_select_font_face(cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cairo, FONT);
    double legend = legend_width(cairo, plot), most = width / 2.0;
    Canvas canvas = {.cairo = cairo,
                     .plot = plot,
                     .x = axis_make(plot, false),
                     .y = axis_make(plot, true),
                     .left = LEFT,
                     .top = TOP,
                     .right = width - GAP - (legend < most ? legend : most),
                     .bottom = height - BOTTOM};
    draw_grid(&canvas);
    draw_series(&canvas);
    draw_frame(&canvas);
    draw_labels(&canvas);
    draw_legend(&canvas);
}

/* ---- files ---- */

static cairo_status_t to_file(void *closure, const unsigned char *data, unsigned int size)
{
    return fwrite(data, 1, size, closure) == size ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_status_t draw_to(const Plot *plot, bool svg, FILE *file)
{
    int width = plot->width > 0 ? plot->width : 900, height = plot->height > 0 ? plot->height : 600;
    cairo_surface_t *surface =
        svg ? cairo_svg_surface_create_for_stream(to_file, file, width, height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_t *cairo = cairo_create(surface);
    draw(cairo, plot, width, height);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    if (status == CAIRO_STATUS_SUCCESS && !svg)
        status = cairo_surface_write_to_png_stream(surface, to_file, file);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

/* Writes under the temporary name, then renames. */
static mote_Status write_and_rename(const Plot *plot, bool svg, const char *temporary,
                                    const char *path, mote_Error *error)
{
    FILE *file = fopen(temporary, "wb");
    if (file == NULL)
        return status_fail(error, MOTE_IO_FAILED, "%.200s: cannot be written: %s", path,
                           strerror(errno));
    cairo_status_t drawn = draw_to(plot, svg, file);
    bool closed = fclose(file) == 0;
    if (drawn == CAIRO_STATUS_SUCCESS && closed && rename(temporary, path) == 0) return MOTE_OK;
    const char *why =
        drawn != CAIRO_STATUS_SUCCESS ? cairo_status_to_string(drawn) : strerror(errno);
    unlink(temporary);
    return status_fail(error, MOTE_IO_FAILED, "%.200s: the plot could not be written: %s", path,
                       why);
}

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

mote_Status plot_write(const Plot *plot, const char *path, mote_Error *error)
{
    bool svg = ends_in(path, ".svg");
    if (!svg && !ends_in(path, ".png"))
        return status_fail(error, MOTE_BAD_VALUE, "%.200s: a plot's name must end in .png or .svg",
                           path);
    Memory memory = memory_make((mote_Allocator){0});
    size_t size = strlen(path) + sizeof ".part";
    char *temporary = memory_take(&memory, size);
    if (temporary == NULL) return status_no_memory(error, "a plot", size);
    snprintf(temporary, size, "%s.part", path);
    mote_Status status = write_and_rename(plot, svg, temporary, path, error);
    memory_free(&memory, temporary, size);
    return status;
}

#else

mote_Status plot_write(const Plot *plot, const char *path, mote_Error *error)
{
    (void)plot;
    return status_fail(error, MOTE_UNAVAILABLE,
                       "%.200s: this build has no Cairo, which draws plots; install libcairo2-dev "
                       "and build again",
                       path);
}

#endif
