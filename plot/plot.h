/* Plots: lines and points over two axes, as PNG or SVG.
 *
 * A plot is plain data; one call draws it. Without Cairo the call answers MOTE_UNAVAILABLE, so
 * whoever plots has printed or written its numbers before. */
#ifndef PLOT_PLOT_H
#define PLOT_PLOT_H

#include <mote/base.h>

typedef enum PlotScale { PLOT_LINEAR, PLOT_LOG } PlotScale;

typedef enum PlotStyle {
    PLOT_LINE,
    PLOT_LINE_POINTS,
    PLOT_POINTS,
    PLOT_DASHED, /* thin: for slopes and limits to compare with */
} PlotStyle;

typedef struct PlotAxis {
    const char *label; /* "step (s)" */
    PlotScale scale;
    double min, max; /* both 0: from the data */
} PlotAxis;

/* Values that are not finite, or not positive on a logarithmic axis, interrupt the line; values
 * beyond the axes are cut off. */
typedef struct PlotSeries {
    const char *name; /* in the legend; NULL: not listed */
    const double *x, *y;
    size_t count;
    PlotStyle style;
    int color; /* 0: the series' number picks; 1 and on: that colour of the palette; -1: dark */
} PlotSeries;

typedef struct Plot {
    const char *title; /* NULL: none */
    PlotAxis x, y;
    const PlotSeries *series;
    size_t series_count;
    int width, height; /* pixels; 0: 900 x 600 */
} Plot;

/* Writes the plot to a file whose name ends in .png or .svg. Nothing is left behind on failure. */
mote_Status plot_write(const Plot *plot, const char *path, mote_Error *error);

#endif
