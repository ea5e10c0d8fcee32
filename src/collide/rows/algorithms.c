/* Algorithms that work particle by particle. */
#include "collide/collide.h"

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
