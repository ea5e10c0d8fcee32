/* A force of the user's. */
#include "base/row.h"
#include "base/status.h"
#include "forces/force.h"

static void accelerate(const Force *force, const Range *r, double t, mote_real *const a[3])
{
    const mote_CallbackForce *p = force->object.params;
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    const mote_real *x[3] = {r->x[0], r->x[1], r->x[2]}, *v[3] = {r->v[0], r->v[1], r->v[2]};
    p->accelerate(p->context, r->first, r->count, x, v, mass, t, a);
}

static mote_Status check(const void *raw, const char *where, mote_Error *error)
{
    const mote_CallbackForce *p = raw;
    if (p->accelerate != NULL) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE, "%s: a callback force needs an accelerate function",
                       where);
}

const ForceRow ISA(force_callback) = {
    .head = {.name = "callback",
             .doc = "a force computed by a function of the host program",
             .params_size = sizeof(mote_CallbackForce)},
    .uses_velocity = true,
    .accelerate = accelerate,
    .check = check,
};
