/* Algorithms that work particle by particle. */
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

/* A spring of stiffness K on a mass m: explicit schemes need dt < 2 / sqrt(K / m), and damping D
 * needs dt < 2 m / D. Implicit Euler needs nothing; schemes between give back more than they took
 * where a step that is too long ends deep in the wall (Crank-Nicolson, K = 1e6 N/m: from half a
 * metre to ten). */
static void forecast(const mote_CollideDef *def, const Outlook *o)
{
    double mass = outlook_lightest(o, o->name), stiffness = (double)def->stiffness;
    if (!(mass < HUGE_VAL)) mass = 1;
    if (def->law == MOTE_REPULSION_INVERSE) /* its slope a tenth of the reach off the wall */
        stiffness *= 100 / ((double)def->reach * (double)def->reach);
    double longest = 1 / sqrt(stiffness / mass + 1e-30);
    if (def->law != MOTE_REPULSION_PENALTY && def->damping > 0)
        longest = fmin(longest, mass / (double)def->damping);
    if (o->theta >= 1) return;
    if (o->theta > 0) longest *= 2;
    if (o->dt > longest)
        OUTLOOK_WARN(o,
                     "systems.%s: repulsion is too stiff for sub-steps of %.3g s; set "
                     "world.max_step: %.2g or less, or solver.integrator: implicit-euler, or "
                     "collide.algorithm: contact\n",
                     o->name, o->dt, outlook_advise(o->longest, longest));
}

const CollideRow ISA(collide_repulsion) = {
    .head = ROW_PLAIN("repulsion", "forces near surfaces instead of collisions"),
    .needs_start = true,
    .reach = repulsion_reach,
    .is_force = true,
    .resolve = row_resolve_repulsion,
    .forecast = forecast,
};
