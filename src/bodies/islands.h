/* Islands: free bodies that touch each other, directly or through others. What has come to rest is
 * put to sleep island by island: it stays where it is, bit by bit, until something happens to it.
 */
#ifndef BODIES_ISLANDS_H
#define BODIES_ISLANDS_H

#include "bodies/solver.h"

/* Scratch, one for each body. */
typedef struct IslandRoom {
    uint32_t *roots;
    uint8_t *marks;
} IslandRoom;

/* Sets `asleep` of solids and manifolds for the next sub-step. */
void islands_rest(const Solids *solids, Contacts *contacts, const IslandRoom *room);

/* After the sub-step of dt (s): notes who was slow, in pieces of h (s). */
void islands_note(const Solids *solids, double gravity, double h, double dt);

#endif
