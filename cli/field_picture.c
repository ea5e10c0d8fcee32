/* The picture of a slice: a number per pixel through a colour map; streamlines by line integral
 * convolution of white noise (Cabral and Leedom 1993), coloured by speed. Colliders are grey. */
#include "base/hash.h"
#include "base/status.h"
#include "cli/field_slice.h"
#include "plot/overlay.h"

#include <mote/render.h>

#include <math.h>
#include <string.h>

enum { STREAK = 18 };       /* pixels that a streamline is followed, each way */
enum { LEGEND_SIDE = 400 }; /* pixels of the smallest picture that has a legend */

static const int right_axis[3] = {2, 0, 0}, up_axis[3] = {1, 2, 1};

/* ---- a number per pixel ---- */

static double magnitude_at(const FieldSlice *slice, size_t i)
{
    double square = 0;
    for (int c = 0; c < slice->components; ++c)
        square += (double)slice->u[c][i] * (double)slice->u[c][i];
    return sqrt(square);
}

static double number_at(const FieldSlice *slice, FieldShow show, size_t i)
{
    if (show == SHOW_DIVERGENCE) return (double)slice->divergence[i];
    if (show == SHOW_VALUE) return (double)slice->u[0][i];
    if (show >= SHOW_X && show <= SHOW_Z) return (double)slice->u[show - SHOW_X][i];
    return magnitude_at(slice, i);
}

/* Around zero; for a value that is never negative from the least, for a magnitude from zero; up to
 * three times the rms or the largest number, if that is less. */
static FieldRange range_of(const FieldSlice *slice, FieldShow show)
{
    size_t count = slice->side * slice->side;
    double squares = 0, most = 0, least = HUGE_VAL;
    for (size_t i = 0; i < count; ++i) {
        double a = number_at(slice, show, i);
        squares += a * a, most = fmax(most, fabs(a)), least = fmin(least, a);
    }
    double limit = fmin(most, 3 * sqrt(squares / (double)count));
    bool magnitude = show == SHOW_MAGNITUDE || show == SHOW_STREAMLINES;
    if (!(limit > 0)) limit = 1;
    if (slice->most > 0) limit = slice->most;
    if (magnitude) return (FieldRange){0, limit, "viridis"};
    if (show == SHOW_VALUE && least >= 0)
        return (FieldRange){fmin(least, limit / 2), limit, "magma"};
    return (FieldRange){-limit, limit, "coolwarm"};
}

/* ---- streamlines ---- */

static double white(size_t x, size_t y)
{
    return (double)(hash_mix(((uint64_t)y << 32) + x + 1) >> 11) * 0x1p-53;
}

/* The sum of white noise along one half of a streamline. */
static double follow(const FieldSlice *slice, size_t pixel, double direction, int *met)
{
    const mote_real *right = slice->u[right_axis[slice->axis]],
                    *up = slice->u[up_axis[slice->axis]];
    double x = (double)(pixel % slice->side) + 0.5, y = (double)(pixel / slice->side) + 0.5;
    double side = (double)slice->side, sum = 0;
    for (int step = 0; step < STREAK; ++step) {
        size_t i = (size_t)y * slice->side + (size_t)x;
        double a = (double)right[i], b = -(double)up[i], speed = sqrt(a * a + b * b);
        if (!(speed > 0)) break;
        x += direction * a / speed, y += direction * b / speed;
        if (!(x >= 0 && y >= 0 && x < side && y < side)) break;
        sum += white((size_t)x, (size_t)y);
        ++*met;
    }
    return sum;
}

/* Brightness of the streaks: around 1. */
static double streak_at(const FieldSlice *slice, size_t pixel)
{
    int met = 1;
    double sum = white(pixel % slice->side, pixel / slice->side);
    sum += follow(slice, pixel, 1, &met) + follow(slice, pixel, -1, &met);
    double sigma = sqrt(met / 12.0), off = (sum - 0.5 * met) / sigma;
    return fmax(0.12, 1 + 0.42 * off);
}

/* ---- colliders ---- */

/* Grey where a collider is. */
static void paint_colliders(const FieldSlice *slice, mote_Image *image)
{
    float *pixel = mote_image_pixels(image);
    for (size_t i = 0; i < slice->side * slice->side; ++i, pixel += 4) {
        const mote_Vec3 at = {slice->x[0][i], slice->x[1][i], slice->x[2][i]};
        mote_SolidPoint near;
        if (mote_world_nearest(slice->world, at, &near) && near.inside)
            pixel[0] = pixel[1] = pixel[2] = 0.12f;
    }
}

/* ---- all of it ---- */

enum { ROW_PIXELS = 4096 };

static mote_Status paint(const FieldSlice *slice, FieldShow show, const FieldRange *range,
                         mote_Image *image, mote_Error *error)
{
    double places[ROW_PIXELS];
    float colors[ROW_PIXELS][3], *pixel = mote_image_pixels(image);
    const size_t count = slice->side * slice->side;
    mote_Status status = MOTE_OK;
    for (size_t first = 0; first < count && status == MOTE_OK; first += ROW_PIXELS) {
        size_t n = count - first < ROW_PIXELS ? count - first : ROW_PIXELS;
        for (size_t i = 0; i < n; ++i)
            places[i] =
                (number_at(slice, show, first + i) - range->low) / (range->high - range->low);
        status = mote_colormap(range->map, places, n, colors, error);
        for (size_t i = 0; i < n && status == MOTE_OK; ++i, pixel += 4) {
            float light = show == SHOW_STREAMLINES ? (float)streak_at(slice, first + i) : 1;
            for (int c = 0; c < 3; ++c) pixel[c] = colors[i][c] * light;
            pixel[3] = 1;
        }
    }
    return status;
}

static mote_Status check_show(const FieldSlice *slice, FieldShow *show, mote_Error *error)
{
    bool scalar = slice->components == 1;
    if (*show == SHOW_AUTO) *show = scalar ? SHOW_VALUE : SHOW_MAGNITUDE;
    if (scalar == (*show == SHOW_VALUE)) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "field %s is a %s field, which has no %s to show",
                       slice->field, scalar ? "scalar" : "vector", field_show_names[*show]);
}

/* What the colours mean; small pictures, and builds without Cairo, have no room or means for it. */
static mote_Status add_legend(const FieldSlice *slice, FieldShow show, const FieldRange *range,
                              mote_Image *image, mote_Error *error)
{
    const char *title = field_show_names[show == SHOW_STREAMLINES ? SHOW_MAGNITUDE : show];
    const mote_Legend legend = {title, range->map, range->low, range->high};
    mote_RenderDef def = mote_render_def();
    def.legends = &legend, def.legend_count = 1;
    if (slice->side < LEGEND_SIDE) return MOTE_OK;
    const mote_Status status = legends_draw(NULL, &def, image, error);
    return status == MOTE_UNAVAILABLE ? MOTE_OK : status;
}

mote_Status field_slice_draw(FieldSlice *slice, FieldShow show, const char *path, FieldRange *range,
                             mote_Error *error)
{
    mote_Image *image;
    mote_Status status = check_show(slice, &show, error);
    if (status == MOTE_OK)
        status = mote_image_create((int)slice->side, (int)slice->side, &image, error);
    if (status != MOTE_OK) return status;
    *range = range_of(slice, show);
    status = paint(slice, show, range, image, error);
    if (status == MOTE_OK) paint_colliders(slice, image);
    if (status == MOTE_OK) status = add_legend(slice, show, range, image, error);
    if (status == MOTE_OK) status = mote_image_write_png(image, path, 8, error);
    mote_image_destroy(image);
    return status;
}
