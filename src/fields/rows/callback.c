/* A field of the user's. */
#include "base/row.h"
#include "base/status.h"
#include "fields/field.h"

static void sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_CallbackField *p = field->object.params;
    p->sample(p->context, points->count, points->x, points->t, out);
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_CallbackField *p = raw;
    if (p->sample != NULL) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: a callback field needs a sample function",
                       where);
}

const FieldRow ISA(field_callback) = {
    .head = {.name = "callback",
             .doc = "a field computed by a function of the host program",
             .params_size = sizeof(mote_CallbackField)},
    .components = 3,
    .sample = sample,
    .check = check,
};
