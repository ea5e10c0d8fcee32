/* A square slice through a field of a world: samples, statistics, picture and spectrum. */
#ifndef CLI_FIELD_SLICE_H
#define CLI_FIELD_SLICE_H

#include "base/memory.h"

#include <mote/world.h>

/* What a picture shows; the names are field_show_names. */
typedef enum FieldShow {
    SHOW_AUTO,  /* the value of a scalar field, the magnitude of a vector field */
    SHOW_VALUE, /* of a scalar field */
    SHOW_X,     /* a component of a vector field */
    SHOW_Y,
    SHOW_Z,
    SHOW_MAGNITUDE,
    SHOW_DIVERGENCE,
    SHOW_STREAMLINES, /* line integral convolution, coloured by magnitude */
} FieldShow;

extern const char *const field_show_names[]; /* ended by NULL */

typedef struct FieldSlice {
    Memory memory;
    mote_World *world;
    mote_Tasks *tasks;
    const char *field; /* its name */
    int components;    /* 1 or 3 */
    int axis;          /* the slice's normal: 0, 1, 2 */
    double t;          /* s */
    double centre[3];  /* m */
    double width;      /* m, of the square */
    size_t side;       /* pixels */
    double most;       /* number at the end of the colours; 0: from the samples */
    /* made by field_slice_sample, all side * side, rows from the top down */
    mote_real *x[3], *u[3], *divergence;
    mote_real *planes;
} FieldSlice;

typedef struct FieldStatistics {
    double mean[3], rms, least, most; /* of the value, or the magnitude */
    double divergence;                /* rms, 1/s; 0 for a scalar field */
    double gradient;                  /* rms, per m */
} FieldStatistics;

/* Fills the planes; the caller has set all before them. Frees with field_slice_free. */
mote_Status field_slice_sample(FieldSlice *slice, FieldStatistics *statistics, mote_Error *error);
void field_slice_free(FieldSlice *slice);

typedef struct FieldRange {
    double low, high; /* values at the ends of the colour map */
    const char *map;
} FieldRange;

mote_Status field_slice_draw(FieldSlice *slice, FieldShow show, const char *path, FieldRange *range,
                             mote_Error *error);

/* Writes E(k) of a cube of `points` samples per side and the slice's width around its centre. */
mote_Status field_slice_spectrum(FieldSlice *slice, size_t points, const char *path,
                                 mote_Error *error);

#endif
