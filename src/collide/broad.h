/* The colliders of a system, and which of them a box meets. */
#ifndef COLLIDE_BROAD_H
#define COLLIDE_BROAD_H

#include "collide/collider.h"

typedef struct Broad {
    const Collider **colliders; /* those without end first */
    size_t count;
    size_t endless; /* how many have no end: they are always looked at */
    bool moves;     /* any of them */
    bool sticks;    /* any of them */
    struct BroadNode *nodes;
    size_t node_count;
} Broad;

typedef struct BroadNode {
    Aabb box;
    uint32_t first; /* leaf: first collider; else: the left child, whose brother follows */
    uint32_t count; /* of a leaf's colliders; 0: not a leaf */
} BroadNode;

enum { BROAD_LEAF = 4, BROAD_DEPTH = 64 };

/* Nodes that a tree of `count` colliders needs at most. */
size_t broad_most_nodes(size_t count);

/* Sorts the colliders and builds the tree over those with an end, in the memory at broad->nodes:
 * broad_most_nodes(count) of them. */
void broad_build(Broad *broad);

/* Walks through the colliders whose bounds meet a box: start with broad_walk, then call broad_next
 * until it returns NULL. */
typedef struct BroadWalk {
    const Broad *broad;
    Aabb box;
    size_t endless; /* next one without end */
    uint32_t leaf, leaf_end;
    uint32_t stack[BROAD_DEPTH];
    int depth;
} BroadWalk;

BroadWalk broad_walk(const Broad *broad, Aabb box);
const Collider *broad_next(BroadWalk *walk);

#endif
