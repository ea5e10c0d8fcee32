/* Friction laws: what is left of a tangential velocity when the normal one changes by dv_N.
 *
 * All are Bridson's impulse forms: the force law of contact with forces replaced by impulses, so
 * that collision and contact share one formula.
 *
 * In Bridson's letters (docs/course.md): v_N = (v . n) n and v_T = v - v_N of the velocity relative
 * to the wall, epsilon `restitution`, dv_N = -(1 + epsilon) v_N, mu `mu`, D `damping`; |dv_N| is
 * `stopped`, |v_T| `speed`. (His slides have v_T = v v_N and no sign in dv_N; neither matters
 * below, where sizes alone count.) */
#ifndef COLLIDE_FRICTION_H
#define COLLIDE_FRICTION_H

#include <mote/collide.h>

#include "base/isa.h"

/* X(row, parameter struct). */
#define FRICTION_ROWS(X)                                                                           \
    X(friction_dry)                                                                                \
    X(friction_wet)                                                                                \
    X(friction_wet_linear)                                                                         \
    X(friction_none)                                                                               \
    X(friction_stick)

typedef union FrictionParams {
    mote_DryFriction dry;
    mote_WetFriction wet;
} FrictionParams;

typedef struct FrictionRow {
    mote_Row head;
    /* Factor on the tangential velocity, from 0 to 1; speed is its length, stopped = |dv_N|. */
    mote_real (*factor)(const FrictionParams *params, mote_real stopped, mote_real speed);
    bool is_dry; /* with FrictionParams.dry: for loops that do without the callback */
    bool sticks; /* what touches stays, whatever pulls: no restitution, no leaving */
} FrictionRow;

const mote_Row *const *friction_rows(Isa isa, size_t *count);

static inline mote_real dry_still(const mote_DryFriction *p)
{
    return p->still >= 0 ? p->still : p->mu;
}

/* Not above the static one: starting to slide cannot reverse a motion. */
static inline mote_real dry_sliding(const mote_DryFriction *p)
{
    mote_real still = dry_still(p), sliding = p->sliding >= 0 ? p->sliding : p->mu;
    return sliding < still ? sliding : still;
}

/* max(0, 1 - mu |dv_N| / |v_T|), 0 where v_T is 0 and the static law where it holds. One formula
 * for both of his cases: with |v_T| <= mu_s |dv_N| nothing is left, else mu_k |dv_N| is taken off.
 * At v_T = 0 the slides' form is 0 / 0. */
static inline mote_real dry_factor(mote_real still, mote_real sliding, mote_real stopped,
                                   mote_real speed)
{
    return speed > still * stopped ? 1 - sliding * stopped / speed : 0;
}

#endif
