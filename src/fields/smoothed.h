/* Smoothed interpolation over a system's particles: what the rows call. */
#ifndef FIELDS_SMOOTHED_H
#define FIELDS_SMOOTHED_H

#include "fields/field.h"

mote_Status smoothed_open(const FieldSite *site, Field *field, mote_Error *error);
void smoothed_close(Memory *memory, void *state);
mote_Status smoothed_prepare(Field *field, double t, double dt, mote_Error *error);

/* Writes one plane, three planes, the gradient's three planes. */
void smoothed_sample(const Field *field, const FieldPoints *points, mote_real *const out[3]);
void smoothed_sample_vector(const Field *field, const FieldPoints *points, mote_real *const out[3]);
void smoothed_sample_gradient(const Field *field, const FieldPoints *points,
                              mote_real *const out[3]);

#endif
