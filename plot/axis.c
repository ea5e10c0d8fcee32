/* Axes. Linear ticks stand at 1, 2 or 5 times a power of ten; logarithmic ones at decades, thinned
 * out when there are many, and also at 2 and 5 times a decade where there are fewer than two. */
#include "plot/axis.h"

#include "base/math.h"

#include <math.h>

enum { WANTED_TICKS = 8 };

/* Log10, to the last digits that a plot can show. */
static double log10_of(double value)
{
    return math_log(value) * 0.43429448190325182765;
}

int axis_decade(double tick)
{
    return (int)floor(log10_of(tick) + 0.5);
}

double axis_power(int exponent)
{
    double power = 1;
    for (int i = 0; i < exponent; ++i) power *= 10;
    for (int i = 0; i > exponent; --i) power /= 10;
    return power;
}

static bool can_show(PlotScale scale, double value)
{
    return fabs(value) <= 1e300 && (scale == PLOT_LINEAR || value >= 1e-300);
}

/* ---- the range ---- */

static void data_range(const Plot *plot, bool vertical, Axis *axis)
{
    const PlotScale across = plot->x.scale, up = plot->y.scale;
    axis->min = (double)INFINITY, axis->max = -(double)INFINITY;
    for (size_t s = 0; s < plot->series_count; ++s) {
        const PlotSeries *series = &plot->series[s];
        for (size_t i = 0; i < series->count; ++i) {
            double value = vertical ? series->y[i] : series->x[i];
            if (!can_show(across, series->x[i]) || !can_show(up, series->y[i])) continue;
            if (value < axis->min) axis->min = value;
            if (value > axis->max) axis->max = value;
        }
    }
}

/* An axis needs some length. */
static void widen(Axis *axis)
{
    bool log = axis->scale == PLOT_LOG;
    if (!(axis->min <= axis->max)) axis->min = log ? 0.1 : 0, axis->max = log ? 10 : 1;
    if (axis->min < axis->max && (!log || axis->max / axis->min > 1.001)) return;
    double middle = axis->min, room = middle != 0 ? fabs(middle) / 2 : 1;
    axis->min = log ? middle / 3 : middle - room;
    axis->max = log ? middle * 3 : middle + room;
}

/* ---- ticks ---- */

static void linear_ticks(Axis *axis, bool fixed)
{
    double length = axis->max - axis->min, rough = length / WANTED_TICKS;
    int decade = (int)floor(log10_of(rough));
    double unit = axis_power(decade), share = rough / unit;
    double step = share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10;
    axis->digits = decade < 0 && step < 10 ? -decade : decade < -1 ? -decade - 1 : 0;
    step *= unit;
    double first = ceil(axis->min / step - 1e-9), last = floor(axis->max / step + 1e-9);
    if (!fixed) {
        first = floor(axis->min / step + 1e-9), last = ceil(axis->max / step - 1e-9);
        axis->min = first * step, axis->max = last * step;
    }
    for (double n = first; n <= last && axis->tick_count < MOST_TICKS; n += 1)
        axis->ticks[axis->tick_count++] = n * step + 0.0; /* never -0 */
}

/* From a decade on, at 1, 2 and 5 times each, or at every multiple where the axis is short. */
static void part_ticks(Axis *axis, int decade)
{
    const bool near = axis->max / axis->min < 6;
    axis->tick_count = 0;
    for (int i = 0; i < 27 && axis->tick_count < MOST_TICKS; ++i) {
        const int part = 1 + i % 9;
        const double tick = part * axis_power(decade + i / 9);
        const bool wanted = near || part == 1 || part == 2 || part == 5;
        if (wanted && tick > axis->min * (1 - 1e-9) && tick < axis->max * (1 + 1e-9))
            axis->ticks[axis->tick_count++] = tick;
    }
}

static void log_ticks(Axis *axis)
{
    int first = (int)ceil(log10_of(axis->min) - 1e-9);
    int last = (int)floor(log10_of(axis->max) + 1e-9);
    int every = 1 + (last - first) / (WANTED_TICKS + 2);
    while (first % every != 0) ++first;
    for (int d = first; d <= last && axis->tick_count < MOST_TICKS; d += every)
        axis->ticks[axis->tick_count++] = axis_power(d);
    if (axis->tick_count < 2) part_ticks(axis, first - 1);
}

Axis axis_make(const Plot *plot, bool vertical)
{
    const PlotAxis *wanted = vertical ? &plot->y : &plot->x;
    bool fixed = wanted->min != 0 || wanted->max != 0;
    Axis axis = {.scale = wanted->scale, .min = wanted->min, .max = wanted->max};
    if (!fixed) data_range(plot, vertical, &axis);
    widen(&axis);
    if (axis.scale == PLOT_LOG)
        log_ticks(&axis);
    else
        linear_ticks(&axis, fixed);
    return axis;
}

double axis_place(const Axis *axis, double value)
{
    if (!can_show(axis->scale, value)) return (double)NAN;
    if (axis->scale == PLOT_LINEAR) return (value - axis->min) / (axis->max - axis->min);
    double low = log10_of(axis->min), high = log10_of(axis->max);
    return (log10_of(value) - low) / (high - low);
}
