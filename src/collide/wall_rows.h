/* Rows of a block that may meet one convex collider and nothing else: what most hits are. They go
 * through sweep and response together, lane beside lane; whatever is not simple is left to the
 * algorithm for single particles, which gives the same up to rounding. */
#ifndef COLLIDE_WALL_ROWS_H
#define COLLIDE_WALL_ROWS_H

#include "collide/row_case.h"

enum {
    WALL_MISSED,  /* the way does not enter */
    WALL_BOUNCED, /* v0 has changed, and x1, v1 with it unless the row is solved again */
    WALL_HELD,    /* contact: x1 and v1 have changed */
    WALL_OPEN     /* for the algorithm of single particles; nothing has changed */
};

/* Planes of a batch, SCRATCH_STRIDE apart: vectors take three. */
enum {
    WALL_X0 = 0,      /* the range's start and end: m, m/s */
    WALL_V0 = 3,      /* changed by bounces */
    WALL_X1 = 6,      /* changed */
    WALL_V1 = 9,      /* changed */
    WALL_FROM = 12,   /* the way in the collider's frame */
    WALL_ANCHOR = 12, /* later: where the place is at the end of the step */
    WALL_ALONG = 15,
    WALL_PLACE = 18,  /* a point of it, or where the row meets the wall, in the world */
    WALL_NORMAL = 21, /* there */
    WALL_RADIUS = 24,
    WALL_SHARE = 25, /* of the way until it meets the wall */
    WALL_GAP = 26,   /* there */
    WALL_SLACK = 27, /* what rounding does to gaps at the start */
    WALL_BOTH = 28,  /* the same and at the end */
    WALL_PLANES = 29
};

typedef struct WallBatch {
    size_t count, padded; /* a multiple of 8: the last row again, so that no lane is left over */
    uint8_t *rows;        /* of the range; room for a block of them */
    uint32_t state[BLOCK_ROWS];
    uint32_t arrives[BLOCK_ROWS]; /* counts as a hit */
    mote_real planes[WALL_PLANES][SCRATCH_STRIDE];
} WallBatch;

typedef struct WallTask {
    const Range *r;
    const Collider *wall;
    mote_real start, end; /* shares of the sub-step */
    mote_real dt, lag;    /* as in RowCase */
    bool may_bounce, solves_again, as_points;
} WallTask;

/* Leads the rows along or off the wall; false when all have missed it. */
typedef bool WallMeet(const WallTask *task, WallBatch *batch);

#ifdef MOTE_ISA_SUFFIX
WallMeet ISA(wall_rows_meet);
#endif

static inline mote_Vec3 wall_vector(const WallBatch *b, int plane, size_t i)
{
    return vec3(b->planes[plane][i], b->planes[plane + 1][i], b->planes[plane + 2][i]);
}

#endif
