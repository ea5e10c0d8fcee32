/* The same value everywhere. */
#include "base/loop.h"
#include "base/row.h"
#include "fields/field.h"

static const mote_Param params[] = {
    PARAM_VEC3(mote_UniformField, value, "m/s", "velocity of the wind", 0, 0, 0),
};

static void sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_UniformField *p = field->object.params;
    const mote_real value[3] = {p->value.x, p->value.y, p->value.z};
    for (int c = 0; c < 3; ++c) {
        mote_real *o = out[c], u = value[c];
        FOR_ROWS (i, points->count) o[i] = u;
    }
}

const FieldRow ISA(field_uniform) = {
    .head = ROW_HEAD("uniform", "the same velocity everywhere", params, mote_UniformField),
    .components = 3,
    .sample = sample,
};
