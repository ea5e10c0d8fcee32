/* Legends: what the colours of a picture mean, drawn over its lower right corner. */
#ifndef PLOT_LEGEND_H
#define PLOT_LEGEND_H

#include <mote/base.h>

enum { LEGEND_COLORS = 64 };

typedef struct PlotLegend {
    const char *title;
    double low, high;               /* values at the ends, low < high */
    uint32_t colors[LEGEND_COLORS]; /* sRGB, 0xrrggbb, from low to high */
} PlotLegend;

/* Draws the legends side by side into width x height pixels of 0xaarrggbb, premultiplied and clear
 * before. MOTE_UNAVAILABLE without Cairo. */
mote_Status plot_legends(const PlotLegend *legends, size_t count, uint32_t *pixels, int width,
                         int height, mote_Error *error);

#endif
