/* Forces instead of collisions. */
#include "collide/collide.h"

static mote_real reach(const mote_CollideDef *def)
{
    return def->law == MOTE_REPULSION_PENALTY ? 0 : def->reach;
}

const CollideRow ISA(collide_repulsion) = {
    .head = {.name = "repulsion",
             .doc = "forces near surfaces instead of collisions; stiff, and not robust"},
    .needs_start = true,
    .reach = reach,
    .resolve = row_resolve_repulsion,
};
