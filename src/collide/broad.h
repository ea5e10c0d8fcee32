/* The colliders of a system, and which of them a box meets. */
#ifndef COLLIDE_BROAD_H
#define COLLIDE_BROAD_H

#include "collide/collider.h"
#include "geometry/bounds_tree.h"

typedef struct Broad {
    const Collider **colliders; /* those without end first, each kind in the order of numbers */
    size_t count;
    size_t endless;  /* how many have no end: they are always looked at */
    bool moves;      /* any of them */
    bool sticks;     /* any of them */
    BoundsTree tree; /* over those with an end: item i is colliders[endless + i] */
    Aabb *boxes;     /* that the tree is around */
    size_t box_capacity;
    int refits; /* since it was built */
} Broad;

Broad broad_make(Memory *memory);
void broad_free(Broad *broad); /* but the list of colliders, which is the caller's */

/* Sorts the colliders and builds the tree, or what is left to do of it where the boxes are those of
 * the last time, or have moved a little. */
mote_Status broad_build(Broad *broad, mote_Error *error);

/* Walks through the colliders whose bounds meet a box: start with broad_walk, then call broad_next
 * until it returns NULL. The order is the tree's: nobody may depend on it. */
typedef struct BroadWalk {
    const Broad *broad;
    size_t endless; /* next one without end */
    TreeWalk tree;
} BroadWalk;

void broad_walk(BroadWalk *walk, const Broad *broad, Aabb box);
const Collider *broad_next(BroadWalk *walk);

#endif
