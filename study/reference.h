/* Reference values that the program carries: experiments, put in by the build from tests/data. */
#ifndef STUDY_REFERENCE_H
#define STUDY_REFERENCE_H

#include <mote/base.h>

enum { REFERENCE_COLUMNS = 16, REFERENCE_ROWS = 1024 };

typedef struct Reference {
    size_t rows, columns;
    double values[REFERENCE_COLUMNS][REFERENCE_ROWS];
} Reference;

/* Reads the file NAME.csv. */
mote_Status reference_read(const char *name, Reference *reference, mote_Error *error);

/* The value of a curve at x, by straight lines between its points; NaN beyond its ends. */
double curve_at(const double *x, const double *y, size_t count, double at);

#endif
