/* A range on its way through the collide stage, with the colliders that are near it. */
#ifndef COLLIDE_BLOCK_H
#define COLLIDE_BLOCK_H

#include "collide/collide.h"

/* Beyond so many colliders near a block, each particle asks the tree itself. */
enum { MOST_NEAR = 32 };

typedef struct Near {
    const Collider *colliders[MOST_NEAR];
    size_t count;
    bool many;
    Aabb box; /* where was looked for colliders that have an end */
} Near;

typedef struct Block {
    const CollideRow *row;
    const CollideKernels *kernels;
    const CollideInput *input;
    const Range *r;
    mote_real radius;     /* the largest of the system */
    mote_real start, end; /* shares of the sub-step */
} Block;

/* Rows that may meet a single wall are done, and lose their flag; the others are flagged. Returns
 * the number of rows to be solved again. */
size_t block_meet_walls(const Block *b, const Near *near, uint8_t *flags, CollideTally *tally);

#endif
