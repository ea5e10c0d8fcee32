/* Axes: places and ticks against values worked out by hand; files: kind, size, and where the ink
 * is. */
#include "check.h"

#include "plot/axis.h"

#include <png.h>
#include <stdlib.h>
#include <unistd.h>

static const double xs[] = {0, 1, 2, 3}, ys[] = {1, 10, 100, 1000};
static const PlotSeries rising = {.name = "rising", .x = xs, .y = ys, .count = 4};

static Plot half_log(void)
{
    return (Plot){.title = "half log",
                  .x = {.label = "x"},
                  .y = {.label = "y", .scale = PLOT_LOG},
                  .series = &rising,
                  .series_count = 1};
}

static void places_are_those_of_the_scale(void)
{
    Plot plot = half_log();
    Axis x = axis_make(&plot, false), y = axis_make(&plot, true);
    CHECK_NEAR(axis_place(&x, 0), 0, 1e-12);
    CHECK_NEAR(axis_place(&x, 1.5), 0.5, 1e-12);
    CHECK_NEAR(axis_place(&y, 1), 0, 1e-12);
    CHECK_NEAR(axis_place(&y, 10), 1.0 / 3, 1e-12);
    CHECK_NEAR(axis_place(&y, 1000), 1, 1e-12);
    CHECK(isnan(axis_place(&y, 0)) && isnan(axis_place(&y, -1)) &&
          isnan(axis_place(&x, (double)NAN)));
}

static void ticks_are_round(void)
{
    const double cases[][2] = {{0, 8},   {0, 1}, {-0.05, 0.05}, {0.31, 0.72},
                               {0, 2e6}, {1, 3}, {-500, 25000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Plot plot = {.x = {.min = cases[i][0], .max = cases[i][1]}};
        Axis axis = axis_make(&plot, false);
        CHECK(axis.tick_count >= 4 && axis.tick_count <= 11);
        double step = axis.ticks[1] - axis.ticks[0], scaled = step;
        while (scaled < 0.99) scaled *= 10;
        while (scaled > 9.99) scaled /= 10;
        CHECK(fabs(scaled - 1) < 1e-9 || fabs(scaled - 2) < 1e-9 || fabs(scaled - 5) < 1e-9);
        for (int t = 0; t < axis.tick_count; ++t) {
            char text[32];
            snprintf(text, sizeof text, "%.*f", axis.digits, axis.ticks[t]);
            CHECK_NEAR(atof(text), axis.ticks[t], 1e-9 * fabs(cases[i][1])); /* labels are true */
            CHECK(!(axis.ticks[t] == 0 && signbit(axis.ticks[t])));          /* no -0 */
            CHECK(axis.ticks[t] >= axis.min - 1e-9 && axis.ticks[t] <= axis.max + 1e-9);
        }
    }
}

static void decades_are_thinned_out(void)
{
    const double tiny[] = {1e-17, 1e3}, one[] = {1, 1};
    PlotSeries series = {.x = tiny, .y = one, .count = 2};
    Plot plot = {.x = {.scale = PLOT_LOG}, .series = &series, .series_count = 1};
    Axis axis = axis_make(&plot, false);
    CHECK(axis.tick_count >= 5 && axis.tick_count <= 11);
    for (int t = 0; t < axis.tick_count; ++t) {
        int decade = axis_decade(axis.ticks[t]);
        CHECK_NEAR(axis.ticks[t] / pow(10, decade), 1, 1e-9);
    }
}

/* Less than two decades have numbers, too: at round places, in order. */
static void short_axes_have_numbers(void)
{
    const double cases[][2] = {{0.14, 0.95}, {0.3, 1.9}, {2.1, 3.6}, {1.2e-3, 8e-2}, {7, 13}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        Plot plot = {.x = {.scale = PLOT_LOG, .min = cases[i][0], .max = cases[i][1]}};
        Axis axis = axis_make(&plot, false);
        CHECK(axis.tick_count >= 1 + (cases[i][1] < 3 || cases[i][1] > 4) && axis.tick_count <= 9);
        for (int t = 0; t < axis.tick_count; ++t) {
            double scaled = axis.ticks[t];
            while (scaled < 0.99) scaled *= 10;
            while (scaled > 9.99) scaled /= 10;
            CHECK_NEAR(scaled, floor(scaled + 0.5), 1e-9);
            CHECK(axis.ticks[t] >= cases[i][0] && axis.ticks[t] <= cases[i][1]);
            CHECK(t == 0 || axis.ticks[t] > axis.ticks[t - 1]);
        }
    }
}

/* Nothing, one value, values that are not finite: an axis comes out all the same. */
static void odd_data_gives_an_axis(void)
{
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e308, -5, 0},
                 same[] = {7, 7, 7, 7, 7, 7};
    const PlotSeries odd[] = {
        {.x = bad, .y = same, .count = 6}, {.x = same, .y = bad, .count = 6}, {.count = 0}};
    for (int scale = 0; scale < 2; ++scale)
        for (size_t n = 0; n <= 3; ++n) {
            Plot plot = {.x = {.scale = (PlotScale)scale}, .series = odd, .series_count = n};
            plot.y = plot.x;
            for (int vertical = 0; vertical < 2; ++vertical) {
                Axis axis = axis_make(&plot, vertical);
                CHECK(axis.min < axis.max && (scale == 0 || axis.min > 0));
                CHECK(axis.tick_count > 0 || scale == 1);
            }
        }
}

/* ---- files ---- */

/* Dark pixels of a PNG in a rectangle given in parts of the picture; -1: not readable. */
static long ink(const char *path, double x0, double y0, double x1, double y1)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) return -1;
    image.format = PNG_FORMAT_GRAY;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image));
    long dark = 0;
    if (pixels != NULL && png_image_finish_read(&image, NULL, pixels, 0, NULL))
        for (unsigned y = (unsigned)(y0 * image.height); y < (unsigned)(y1 * image.height); ++y)
            for (unsigned x = (unsigned)(x0 * image.width); x < (unsigned)(x1 * image.width); ++x)
                dark += pixels[y * image.width + x] < 170;
    free(pixels);
    return dark;
}

static void a_line_goes_where_it_should(void)
{
    char path[64];
    if (!MOTE_WITH_CAIRO) return;
    snprintf(path, sizeof path, "plot-%d.png", (int)getpid());
    const double x[] = {0, 1}, y[] = {0, 1};
    PlotSeries series = {.x = x, .y = y, .count = 2};
    Plot plot = {.series = &series, .series_count = 1, .width = 400, .height = 400};
    mote_Error error;
    CHECK_OK(plot_write(&plot, path, &error), error);
    CHECK(ink(path, 0.6, 0.2, 0.9, 0.45) > 20); /* upper right: the line's end */
    CHECK(ink(path, 0.3, 0.2, 0.45, 0.4) == 0); /* upper left: nothing */
    CHECK(ink(path, 0.6, 0.6, 0.9, 0.8) == 0);
    remove(path);
}

/* How the lines of a plot are drawn in an SVG file: all of a path but its places. Returns how many
 * ways there are. */
static size_t ways_of_drawing(FILE *file)
{
    enum { MOST_WAYS = 64, LONG = 4096 };
    static char ways[MOST_WAYS][LONG], line[LONG];
    size_t count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        char *places = strstr(line, " d=\"");
        char *end = places != NULL ? strchr(places + 4, '"') : NULL;
        if (end == NULL || strstr(line, "stroke-width:1.8") == NULL) continue;
        memmove(places, end, strlen(end) + 1);
        size_t same = 0;
        while (same < count && strcmp(ways[same], line) != 0) ++same;
        if (same == count && count < MOST_WAYS) strcpy(ways[count++], line);
    }
    return count;
}

/* As many as there are integrators; no two of them look the same. */
static void twenty_six_lines_are_told_apart(void)
{
    enum { LINES = 26 };
    char path[64];
    PlotSeries series[LINES];
    const double x[] = {0, 1}, y[LINES][2] = {{0}};
    mote_Error error;
    if (!MOTE_WITH_CAIRO) return;
    snprintf(path, sizeof path, "plot-lines-%d.svg", (int)getpid());
    for (int i = 0; i < LINES; ++i) series[i] = (PlotSeries){.x = x, .y = y[i], .count = 2};
    Plot plot = {.series = series, .series_count = LINES, .width = 400, .height = 400};
    CHECK_OK(plot_write(&plot, path, &error), error);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL && ways_of_drawing(file) == LINES);
    if (file != NULL) fclose(file);
    remove(path);
}

static void files_are_of_their_kind(void)
{
    const char *const endings[] = {"png", "svg"}, *marks[] = {"PNG", "<svg"};
    if (!MOTE_WITH_CAIRO) return;
    for (int i = 0; i < 2; ++i) {
        char head[256] = {0}, name[64];
        mote_Error error;
        snprintf(name, sizeof name, "plot-kind-%d.%s", (int)getpid(), endings[i]);
        Plot plot = half_log();
        CHECK_OK(plot_write(&plot, name, &error), error);
        FILE *file = fopen(name, "rb");
        CHECK(file != NULL && fread(head, 1, sizeof head - 1, file) > 100);
        if (file != NULL) fclose(file);
        bool found = false;
        for (size_t k = 0; k + 4 < sizeof head; ++k)
            found = found || memcmp(head + k, marks[i], strlen(marks[i])) == 0;
        CHECK(found);
        remove(name);
    }
}

static void trouble_is_told(void)
{
    Plot plot = half_log();
    mote_Error error = {0};
    if (!MOTE_WITH_CAIRO) return;
    CHECK(plot_write(&plot, "plot.gif", &error) == MOTE_BAD_VALUE);
    CHECK_MESSAGE(error, ".png or .svg");
    CHECK(plot_write(&plot, "no-such-folder/plot.png", &error) == MOTE_IO_FAILED);
    CHECK_MESSAGE(error, "no-such-folder/plot.png");
    CHECK(access("no-such-folder/plot.png.part", F_OK) != 0);
}

static void without_cairo_the_call_says_so(void)
{
    Plot plot = half_log();
    mote_Error error = {0};
    if (MOTE_WITH_CAIRO) return;
    CHECK(plot_write(&plot, "plot.png", &error) == MOTE_UNAVAILABLE);
    CHECK_MESSAGE(error, "Cairo");
}

TESTS({"places_are_those_of_the_scale", places_are_those_of_the_scale},
      {"ticks_are_round", ticks_are_round}, {"decades_are_thinned_out", decades_are_thinned_out},
      {"short axes have numbers", short_axes_have_numbers},
      {"odd_data_gives_an_axis", odd_data_gives_an_axis},
      {"a_line_goes_where_it_should", a_line_goes_where_it_should},
      {"twenty_six_lines_are_told_apart", twenty_six_lines_are_told_apart},
      {"files_are_of_their_kind", files_are_of_their_kind}, {"trouble_is_told", trouble_is_told},
      {"without_cairo_the_call_says_so", without_cairo_the_call_says_so})
