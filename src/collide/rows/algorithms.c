/* Algorithms that work particle by particle. */
#include "base/status.h"
#include "collide/collide.h"
#include "collide/row_case.h"

#include <math.h>

const CollideRow ISA(collide_exact) = {
    .head =
        ROW_PLAIN("exact", "from impact to impact on the parabola of the step, as often as needed"),
    .needs_start = true,
    .keeps_out = true,
    .resolve = row_resolve_exact,
};

const CollideRow ISA(collide_micro_safe) = {
    .head = ROW_PLAIN("micro-safe",
                      "micro-collisions with the average velocity, repeated without bouncing until "
                      "outside (Bridson's second algorithm)"),
    .needs_start = true,
    .keeps_out = true,
    .resolve = row_resolve_micro_safe,
};

const CollideRow ISA(collide_micro) = {
    .head = ROW_PLAIN("micro",
                      "one micro-collision with the average velocity (Bridson's first algorithm)"),
    .needs_start = true,
    .resolve = row_resolve_micro,
};

const CollideRow ISA(collide_interference) = {
    .head = ROW_PLAIN("interference", "pushes what is inside out to the nearest surface"),
    .needs_start = true,
    .resolve = row_resolve_interference,
};

const CollideRow ISA(collide_none) = {
    .head = ROW_PLAIN("none", "particles pass through colliders"),
};

/* ---- forces instead of collisions ---- */

/* The lightest particle that is pushed; without any that is known of, 1 kg. */
static double pushed_mass(const Outlook *o)
{
    const double mass = fmin(outlook_lightest(o, o->name), o->linked);
    return mass < HUGE_VAL ? mass : 1;
}

/* 1 / w, where w = sqrt(K / m) is how fast a particle swings on the wall. */
static double swing(const mote_CollideDef *def, const Outlook *o)
{
    double stiffness = (double)def->stiffness;
    if (def->law == MOTE_REPULSION_INVERSE) /* its slope a tenth of the reach off the wall */
        stiffness *= 100 / ((double)def->reach * (double)def->reach);
    return 1 / sqrt(stiffness / pushed_mass(o) + 1e-30);
}

/* Explicit schemes need w dt < 2, and half of it to follow the swing; damping D needs
 * dt < 2 m / D. */
static void forecast(const mote_CollideDef *def, const Outlook *o)
{
    double longest = swing(def, o);
    if (def->law != MOTE_REPULSION_PENALTY && def->damping > 0)
        longest = fmin(longest, pushed_mass(o) / (double)def->damping);
    if (o->theta < 0 && o->dt > longest)
        OUTLOOK_WARN(o,
                     "systems.%s: repulsion is too stiff for sub-steps of %.3g s; set "
                     "world.max_step: %.2g or less, or solver.integrator: implicit-euler, or "
                     "collide.algorithm: contact\n",
                     o->name, o->dt, outlook_advise(o->longest, longest));
}

/* Implicit Euler needs nothing. Schemes with less weight on the end of a step are stable on a
 * spring that holds on to its particle, but a wall lets go: what ends a step a little inside
 * starts the next one with the whole force of it (Crank-Nicolson, K = 1e6 N/m, 60 steps a second:
 * from half a metre to ten). */
static mote_Status refuse_throws(const mote_CollideDef *def, const Outlook *o, mote_Error *error)
{
    const double longest = 2 * swing(def, o);
    if (o->theta < 0 || o->theta >= 1 || o->dt <= longest) return MOTE_OK;
    return status_fail(error, MOTE_BAD_VALUE,
                       "systems.%s: repulsion is so stiff that theta = %.3g would throw particles "
                       "off in sub-steps of %.3g s; set world.max_step: %.2g or less, or "
                       "solver.integrator: implicit-euler, or collide.algorithm: contact",
                       o->name, o->theta, o->dt, outlook_advise(NULL, 0.95 * longest));
}

const CollideRow ISA(collide_repulsion) = {
    .head = ROW_PLAIN("repulsion", "forces near surfaces instead of collisions"),
    .needs_start = true,
    .reach = repulsion_reach,
    .is_force = true,
    .resolve = row_resolve_repulsion,
    .forecast = forecast,
    .check = refuse_throws,
};
