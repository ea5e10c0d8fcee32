/* What a state must be for a world to go on from it. */
#ifndef WORLD_STATE_CHECK_H
#define WORLD_STATE_CHECK_H

#include "world/world.h"

/* Looks at a state that was copied into the world; MOTE_BAD_VALUE says what is wrong. */
mote_Status world_check_state(const mote_World *world, mote_Error *error);

#endif
