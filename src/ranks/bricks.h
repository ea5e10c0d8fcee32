/* Who has which brick: space cut in two again and again (recursive coordinate bisection), so that
 * all ranks have about the same to do. A rank has whole bricks, because sums over all particles
 * are taken brick by brick (src/space/rods.h).
 *
 * Bricks have distinct coordinates: what an axis leaves open the next one decides. So a cut is one
 * brick, the first of the upper part, and whose any brick is follows from the cuts alone. */
#ifndef RANKS_BRICKS_H
#define RANKS_BRICKS_H

#include "ranks/ranks.h"

/* Numbers of bricks go from -BRICK_MOST to BRICK_MOST; what is further away counts as there. */
enum { BRICK_MOST = (1 << 20) - 1 };

typedef struct Brick {
    int32_t at[3];
    uint64_t weight; /* what there is to do in it: particles */
} Brick;

/* The first brick of the upper part, in the order of the axis. */
typedef struct BrickCut {
    int64_t axis;
    int64_t at[3];
} BrickCut;

/* Cuts for so many ranks, one each: that of rank r > 0 is where its part begins when it is cut
 * off. A brick may be named several times: its weights are added. False: no memory. */
bool bricks_cut(const Brick *bricks, size_t count, int ranks, BrickCut *cuts, Arena *arena);

/* Whose a brick is. */
int bricks_owner(const BrickCut *cuts, int ranks, const int32_t at[3]);

/* The same, remembered: whoever goes through rows asks for few bricks, again and again. */
enum { BRICKS_REMEMBERED = 512 };
typedef struct BrickOwners {
    const BrickCut *cuts;
    int ranks;
    struct {
        int32_t at[3];
        int owner; /* < 0: none is remembered here */
    } of[BRICKS_REMEMBERED];
} BrickOwners;

void brick_owners_start(BrickOwners *owners, const BrickCut *cuts, int ranks);
int brick_owner(BrickOwners *owners, const int32_t at[3]);

/* The same cuts on all ranks, for the bricks that each of them has. */
mote_Status bricks_divide(const mote_Ranks *ranks, const Brick *own, size_t count, BrickCut *cuts,
                          Arena *arena, mote_Error *error);

#endif
