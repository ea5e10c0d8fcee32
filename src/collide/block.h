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
    Aabb box; /* around all ways: where was looked for colliders that have an end */
} Near;

typedef struct CollideBlock {
    const CollideRow *row;
    const CollideKernels *kernels;
    const CollideInput *input;
    const Range *r;
    Ways ways;            /* of the range */
    mote_real radius;     /* the largest of the system */
    mote_real start, end; /* shares of the sub-step */
} CollideBlock;

/* Who may meet what. */
typedef struct Meetings {
    uint32_t masks[BLOCK_ROWS]; /* per row: bit k for near->colliders[k] */
    uint8_t rows[BLOCK_ROWS];   /* those that have, or had, a bit, in their order */
    size_t listed;
} Meetings;

/* Rows that may meet a single wall are done, and lose their bits; the others keep them. Returns the
 * number of rows to be solved again. */
size_t block_meet_walls(const CollideBlock *b, const Near *near, Meetings *meetings,
                        CollideTally *tally);

#endif
