/* Two layers: one value below a level and another above, with a straight transition between. The
 * density of a stratified fluid, for buoyancy. */
#include "base/loop.h"
#include "base/row.h"
#include "base/status.h"
#include "base/vec.h"
#include "fields/field.h"

static const mote_Param params[] = {
    PARAM_REAL(mote_LayersField, below, "", "value below the level", 1000, -PARAM_LARGEST,
               PARAM_LARGEST),
    PARAM_REAL(mote_LayersField, above, "", "value above it", 0, -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_VEC3(mote_LayersField, up, "", "direction across the layers", 0, 1, 0),
    PARAM_REAL(mote_LayersField, level, "m", "height of the middle of the transition", 0,
               -PARAM_LARGEST, PARAM_LARGEST),
    PARAM_REAL(mote_LayersField, thickness, "m", "height of the transition", 0, 0, PARAM_LARGEST),
};

static void sample(const Field *field, const FieldPoints *points, mote_real *const out[3])
{
    const mote_LayersField *p = field->object.params;
    const mote_Vec3 n = vec3_unit(p->up, vec3(0, 1, 0));
    const mote_real level = p->level, below = p->below, change = p->above - p->below;
    const mote_real half = (mote_real)0.5;
    const mote_real rate = p->thickness > 0 ? 1 / p->thickness : (mote_real)1e30;
    const mote_real *x = points->x[0], *y = points->x[1], *z = points->x[2];
    mote_real *o = out[0];
    FOR_ROWS (i, points->count) {
        mote_real share = (n.x * x[i] + n.y * y[i] + n.z * z[i] - level) * rate + half;
        share = share > 0 ? share : 0;
        o[i] = below + change * (share < 1 ? share : 1);
    }
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    if (vec3_length(((const mote_LayersField *)raw)->up) > 0) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: up is zero, but must be a direction", where);
}

const FieldRow ISA(field_layers) = {
    .head = ROW_HEAD("layers", "one value below a level and another above: stratified fluid",
                     params, mote_LayersField),
    .components = 1,
    .sample = sample,
    .check = check,
};
