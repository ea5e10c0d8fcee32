/* Plots that are set into pictures: a number over time, as far as the picture's time. */
#ifndef PLOT_INSET_H
#define PLOT_INSET_H

#include <mote/render.h>

#if MOTE_WITH_CAIRO

#include <cairo/cairo.h>

/* The corner that insets stand in, one below the other. */
typedef struct InsetCorner {
    double right, top; /* px; top moves down */
    double scale;      /* of a picture 1080 px high */
} InsetCorner;

void inset_draw(cairo_t *cairo, const mote_PicturePlot *plot, double now, InsetCorner *corner);

#endif
#endif
