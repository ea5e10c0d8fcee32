/* Legends: what the colours of a picture mean, drawn over its lower right corner, and how long a
 * metre is, in its lower left corner. */
#ifndef PLOT_LEGEND_H
#define PLOT_LEGEND_H

#include <mote/render.h>

enum { LEGEND_COLORS = 64 };

typedef struct PlotLegend {
    const char *title;
    double low, high;               /* values at the ends, low < high */
    uint32_t colors[LEGEND_COLORS]; /* sRGB, 0xrrggbb, from low to high */
} PlotLegend;

/* Everything that is laid over one picture. */
typedef struct PlotLegends {
    const PlotLegend *legends; /* side by side in the lower right corner */
    size_t count;
    double scale;       /* pixels per metre of the scale bar in the lower left corner; 0: none */
    const double *time; /* s, in the upper left corner; NULL: none */
    const char *label;  /* in the upper right corner; NULL: none */
    const mote_PicturePlot *plots; /* below it */
    size_t plot_count;
    double now; /* s: as far as the plots go */
} PlotLegends;

/* "1.25 s": as many digits as frames differ by, and no more than fit. */
void plot_clock_text(double time, char text[32]);

/* Draws them into width x height pixels of 0xaarrggbb, premultiplied and clear before.
 * MOTE_UNAVAILABLE without Cairo. */
mote_Status plot_legends(const PlotLegends *legends, uint32_t *pixels, int width, int height,
                         mote_Error *error);

#endif
