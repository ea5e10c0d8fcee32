/* Axes: from values to places in [0, 1], and where the ticks stand. */
#ifndef PLOT_AXIS_H
#define PLOT_AXIS_H

#include "plot/plot.h"

enum { MOST_TICKS = 24 };

typedef struct Axis {
    PlotScale scale;
    double min, max; /* as values; min < max, and positive on a logarithmic axis */
    double ticks[MOST_TICKS];
    int tick_count;
    int digits; /* behind the point, in labels of a linear axis */
} Axis;

/* Of the plot's x axis (vertical false) or y axis. */
Axis axis_make(const Plot *plot, bool vertical);

/* 0 at min, 1 at max; NaN for what the axis cannot show. */
double axis_place(const Axis *axis, double value);

/* The decade of a logarithmic tick, the nearest one, and ten to a power. */
int axis_decade(double tick);
double axis_power(int exponent);

#endif
