/* Bodies in a world: what their files share. */
#ifndef WORLD_BODIES_H
#define WORLD_BODIES_H

#include "world/objects.h"

static inline Body *world_body_at(const mote_World *world, size_t i)
{
    return world->bodies.items[i];
}

/* ---- body_solids.c ---- */

/* Colliders that are solid to bodies, from t to t + dt; anew: their pieces are made again. */
mote_Status world_prepare_walls(mote_World *world, double t, double dt, bool anew,
                                mote_Error *error);
void world_free_walls(mote_World *world);

#endif
