/* Slices: what a system's particles say of a quantity on a plane, as colours, lines of equal value
 * and arrows. */
#ifndef RENDER_SLICE_H
#define RENDER_SLICE_H

#include "base/memory.h"
#include "render/view.h"

/* Samples of a plane: (i, j) is at corner + i across + j down. */
typedef struct SliceGrid {
    int columns, rows;
    double corner[3], across[3], down[3]; /* m; both directions as long as `step` */
    double step;                          /* m */
} SliceGrid;

/* A quantity of a system: one part of a column, or the length of a vector. */
typedef struct SliceQuantity {
    const mote_FrameSystem *system;
    const mote_Column *column;
    int component; /* -1: the length */
} SliceQuantity;

/* "pressure", "velocity.x", "velocity" for its length, or "speed", which is the same. */
mote_Status slice_quantity(const mote_Frame *frame, const mote_Slice *slice, SliceQuantity *out,
                           mote_Error *error);

/* m around a place in which particles are asked: 1.7 times as far as the eighth neighbour is. */
double slice_reach(const mote_FrameSystem *system);

/* The quantity at every sample: where particles are around it, the value there of the linear
 * function that fits theirs best (moving least squares, Lancaster and Salkauskas 1981), so that
 * linear fields are exact, also at walls and surfaces. `covered` is 1 amid particles and falls to 0
 * outside of them; half a spacing outside of a level surface it is SLICE_EDGE. False when out of
 * memory. */
#define SLICE_EDGE 0.3
bool slice_sample(const SliceGrid *grid, const SliceQuantity *quantity, double reach, Arena *arena,
                  double *values, double *covered);

/* Least and greatest value of the particles near the plane, without the last half percent at each
 * end. */
void slice_range(const mote_Slice *slice, const SliceQuantity *quantity, double reach, double *low,
                 double *high);

/* ---- slice_lines.c ---- */

/* Told of each piece of a line of equal value, in samples from the corner. */
typedef void SlicePiece(void *context, const double from[2], const double to[2]);

/* Lines where `values` pass `level`; none through samples that are not covered. */
void slice_lines(const SliceGrid *grid, const double *values, const double *covered, double level,
                 SlicePiece *piece, void *context);

/* How much of each pixel is covered by strokes so far, 0 to 1. */
typedef struct SliceMask {
    int width, height;
    float *cover;
} SliceMask;

/* A straight stroke between two places, px. */
void slice_stroke(const SliceMask *mask, const double from[2], const double to[2], double width);

/* An arrow around a place. */
void slice_arrow(const SliceMask *mask, const double at[2], const double along[2], double width);

/* ---- slice_draw.c ---- */

/* Draws def->slice into the whole image. */
mote_Status slice_render(const mote_RenderDef *def, const mote_Frame *frame, mote_Image *image,
                         mote_Error *error);

#endif
