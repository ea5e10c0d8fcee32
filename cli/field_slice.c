/* Samples of a slice, their statistics, and the spectrum around it. Derivatives are central
 * differences: a measure that knows nothing of how the field was made. */
#include "cli/field_slice.h"

#include "base/status.h"
#include "plot/plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLANES = 13 }; /* x, u, two shifted samples, divergence */

const char *const field_show_names[] = {"auto",      "value",      "x",           "y", "z",
                                        "magnitude", "divergence", "streamlines", NULL};

/* The axes of the picture: to the right and upwards. */
static const int right_axis[3] = {2, 0, 0}, up_axis[3] = {1, 2, 1};

static void set_points(const FieldSlice *slice, int along, double shift)
{
    size_t side = slice->side;
    double pixel = slice->width / (double)side;
    for (size_t i = 0; i < side * side; ++i) {
        double at[3] = {slice->centre[0], slice->centre[1], slice->centre[2]};
        at[right_axis[slice->axis]] += ((double)(i % side) + 0.5) * pixel - slice->width / 2;
        at[up_axis[slice->axis]] -= ((double)(i / side) + 0.5) * pixel - slice->width / 2;
        if (along >= 0) at[along] += shift;
        for (int k = 0; k < 3; ++k) slice->x[k][i] = (mote_real)at[k];
    }
}

static mote_Status sample(const FieldSlice *slice, mote_real *const out[3], mote_Error *error)
{
    mote_FieldPoints points = {.count = slice->side * slice->side,
                               .x = {slice->x[0], slice->x[1], slice->x[2]},
                               .t = slice->t};
    return mote_world_sample_field(slice->world, slice->field, &points, out, error);
}

/* ---- statistics ---- */

static void count_values(const FieldSlice *slice, FieldStatistics *s)
{
    size_t count = slice->side * slice->side;
    double squares = 0;
    s->least = HUGE_VAL, s->most = -HUGE_VAL;
    for (size_t i = 0; i < count; ++i) {
        double square = 0;
        for (int c = 0; c < slice->components; ++c) {
            double u = (double)slice->u[c][i];
            s->mean[c] += u / (double)count, square += u * u;
        }
        double value = slice->components == 1 ? (double)slice->u[0][i] : sqrt(square);
        squares += square;
        s->least = fmin(s->least, value), s->most = fmax(s->most, value);
    }
    s->rms = sqrt(squares / (double)count);
}

/* Adds the slopes along an axis: ahead and behind are samples h on either side. */
static void add_slopes(const FieldSlice *slice, int along, double h, mote_real *const ahead[3],
                       mote_real *const behind[3], FieldStatistics *s)
{
    size_t count = slice->side * slice->side;
    for (size_t i = 0; i < count; ++i)
        for (int c = 0; c < slice->components; ++c) {
            double slope = ((double)ahead[c][i] - (double)behind[c][i]) / (2 * h);
            s->gradient += slope * slope / (double)count;
            if (c == along && slice->components == 3) slice->divergence[i] += (mote_real)slope;
        }
}

static mote_Status measure_slopes(const FieldSlice *slice, mote_real *const ahead[3],
                                  mote_real *const behind[3], FieldStatistics *s, mote_Error *error)
{
    size_t count = slice->side * slice->side;
    double h = slice->width * (sizeof(mote_real) == 8 ? 1e-6 : 1e-3);
    for (int along = 0; along < 3; ++along) {
        set_points(slice, along, h);
        mote_Status status = sample(slice, ahead, error);
        set_points(slice, along, -h);
        if (status == MOTE_OK) status = sample(slice, behind, error);
        if (status != MOTE_OK) return status;
        add_slopes(slice, along, h, ahead, behind, s);
    }
    double squares = 0;
    for (size_t i = 0; i < count; ++i)
        squares += (double)slice->divergence[i] * (double)slice->divergence[i];
    s->divergence = sqrt(squares / (double)count);
    s->gradient = sqrt(s->gradient);
    set_points(slice, -1, 0);
    return MOTE_OK;
}

mote_Status field_slice_sample(FieldSlice *slice, FieldStatistics *statistics, mote_Error *error)
{
    size_t count = slice->side * slice->side, bytes = PLANES * count * sizeof(mote_real);
    mote_real *ahead[3], *behind[3];
    slice->planes = memory_zeroed(&slice->memory, bytes);
    if (slice->planes == NULL) return status_no_memory(error, "the slice", bytes);
    for (int k = 0; k < 3; ++k) {
        slice->x[k] = slice->planes + (size_t)k * count;
        slice->u[k] = slice->planes + (size_t)(3 + k) * count;
        ahead[k] = slice->planes + (size_t)(6 + k) * count;
        behind[k] = slice->planes + (size_t)(9 + k) * count;
    }
    slice->divergence = slice->planes + (size_t)12 * count;
    *statistics = (FieldStatistics){.rms = 0};
    set_points(slice, -1, 0);
    mote_Status status = sample(slice, slice->u, error);
    if (status != MOTE_OK) return status;
    count_values(slice, statistics);
    return measure_slopes(slice, ahead, behind, statistics, error);
}

void field_slice_free(FieldSlice *slice)
{
    size_t count = slice->side * slice->side;
    memory_free(&slice->memory, slice->planes, PLANES * count * sizeof(mote_real));
    slice->planes = NULL;
}

/* ---- the spectrum ---- */

static bool text_ends(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* With a line of the slope -5/3 (Kolmogorov 1941) from the peak on, to compare with. */
static mote_Status plot_spectrum(const char *path, size_t shells, double step, const double *energy,
                                 mote_Error *error)
{
    enum { SHELLS_MOST = 257 };
    double k[SHELLS_MOST];
    size_t peak = 1, count = shells < SHELLS_MOST ? shells : SHELLS_MOST;
    for (size_t n = 0; n < count; ++n) {
        k[n] = (double)n * step;
        if (n > 0 && energy[n] > energy[peak]) peak = n;
    }
    double end = k[count - 1];
    const double line_k[] = {k[peak], end};
    const double line_e[] = {energy[peak], energy[peak] * pow(k[peak] / end, 5.0 / 3)};
    const PlotSeries series[] = {{.name = "E(k)",
                                  .x = k + 1,
                                  .y = energy + 1,
                                  .count = count - 1,
                                  .style = PLOT_LINE_POINTS},
                                 {.name = "slope -5/3",
                                  .x = line_k,
                                  .y = line_e,
                                  .count = 2,
                                  .style = PLOT_DASHED,
                                  .color = -1}};
    Plot plot = {.x = {.label = "wave number k (rad/m)", .scale = PLOT_LOG},
                 .y = {.label = "energy spectrum E", .scale = PLOT_LOG},
                 .series = series,
                 .series_count = 2,
                 .width = 560,
                 .height = 380};
    if (energy[peak] > 0) plot.y.min = energy[peak] * 1e-5, plot.y.max = energy[peak] * 3;
    return plot_write(&plot, path, error);
}

static mote_Status write_spectrum(const char *path, size_t shells, double step,
                                  const double *energy, mote_Error *error)
{
    if (text_ends(path, ".png") || text_ends(path, ".svg"))
        return plot_spectrum(path, shells, step, energy, error);
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    bool written = file != NULL && fprintf(file, "k,E\n") > 0;
    for (size_t n = 1; n < shells && written; ++n)
        written = fprintf(file, "%.9g,%.9g\n", (double)n * step, energy[n]) > 0;
    if (file != NULL && file != stdout) written = fclose(file) == 0 && written;
    if (written) return MOTE_OK;
    return status_fail(error, MOTE_IO_FAILED, "%s: %s", path, strerror(errno));
}

/* Samples of the cube; planes: x, then u. */
static mote_Status sample_cube(const FieldSlice *slice, size_t points, mote_real *const planes[6],
                               mote_Error *error)
{
    size_t count = points * points * points;
    for (size_t i = 0; i < count; ++i) {
        const size_t index[3] = {i % points, i / points % points, i / points / points};
        for (int k = 0; k < 3; ++k)
            planes[k][i] = (mote_real)(slice->centre[k] +
                                       slice->width * ((double)index[k] / (double)points - 0.5));
    }
    mote_FieldPoints at = {.count = count, .x = {planes[0], planes[1], planes[2]}, .t = slice->t};
    return mote_world_sample_field(slice->world, slice->field, &at, planes + 3, error);
}

mote_Status field_slice_spectrum(FieldSlice *slice, size_t points, const char *path,
                                 mote_Error *error)
{
    size_t count = points * points * points, bytes = 6 * count * sizeof(mote_real);
    size_t shells = mote_spectrum_shells(points);
    mote_real *all = memory_take(&slice->memory, bytes), *planes[6];
    double *energy = memory_zeroed(&slice->memory, shells * sizeof *energy);
    mote_Status status = MOTE_OK;
    if (all == NULL || energy == NULL) status = status_no_memory(error, "the spectrum", bytes);
    for (int k = 0; k < 6 && all != NULL; ++k) planes[k] = all + (size_t)k * count;
    if (status == MOTE_OK) status = sample_cube(slice, points, planes, error);
    mote_SpectrumSamples samples = {
        .dimension = 3, .points = points, .size = slice->width, .components = slice->components};
    for (int c = 0; c < 3 && status == MOTE_OK; ++c) samples.planes[c] = planes[3 + c];
    if (status == MOTE_OK) status = mote_spectrum_estimate(&samples, slice->tasks, energy, error);
    if (status == MOTE_OK)
        status = write_spectrum(path, shells, 2 * M_PI / slice->width, energy, error);
    memory_free(&slice->memory, all, bytes);
    memory_free(&slice->memory, energy, shells * sizeof *energy);
    return status;
}
