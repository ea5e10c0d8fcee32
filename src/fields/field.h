/* The field family: a row samples a field at planar arrays of points. */
#ifndef FIELDS_FIELD_H
#define FIELDS_FIELD_H

#include <mote/fields.h>

#include "base/isa.h"
#include "base/row.h"

/* The list of rows: X(row, parameter struct, name of its defaults function). */
#define FIELD_ROWS(X)                                                                              \
    X(field_uniform, mote_UniformField, mote_uniform_field_def)                                    \
    X(field_vortex, mote_VortexField, mote_vortex_field_def)                                       \
    X(field_callback, mote_CallbackField, mote_callback_field_def)

typedef struct FieldPoints {
    size_t count;
    const mote_real *x[3]; /* m */
    double t;              /* s */
} FieldPoints;

typedef struct FieldRow {
    mote_Row head;
    int components; /* 1 scalar, 3 vector */
    /* Writes `components` planes. */
    void (*sample)(const void *params, const FieldPoints *points, mote_real *const out[3]);
    /* Optional: what the table of ranges cannot say. */
    mote_Status (*check)(const void *params, const char *where, mote_Error *error);
} FieldRow;

typedef struct Field {
    Object object;
    const FieldRow *row;
} Field;

const mote_Row *const *field_rows(Isa isa, size_t *count);

static inline void field_sample(const Field *field, const FieldPoints *points,
                                mote_real *const out[3])
{
    field->row->sample(field->object.params, points, out);
}

#endif
