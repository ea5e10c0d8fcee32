/* What a world shows and saves, in parts: every rank has some of the rows of each column, rank
 * after rank in the order of files, and the heads count all. */
#ifndef WORLD_PARTS_H
#define WORLD_PARTS_H

#include <mote/world.h>

typedef struct WorldPart {
    mote_StateArray array; /* of this rank */
    uint64_t total;        /* rows of all ranks */
    bool shared;           /* false: the first rank has all of it */
} WorldPart;

/* The frame, whose systems count all rows, without their data; parts: one for each of their
 * columns, one system after another. By all ranks; NULL: no memory. */
const mote_Frame *world_frame_parts(mote_World *world, const WorldPart **parts);

/* The arrays of mote_world_state. */
mote_Status world_state_parts(mote_World *world, const WorldPart **parts, size_t *count,
                              mote_Error *error);

/* Where a saved array of `total` rows is cut: ends[r] is the end of what rank r is given of it.
 * False: it is not dealt, and all get the whole. */
bool world_cut_state(mote_World *world, const char *array, size_t total, size_t *ends);
/* mote_world_restore where no rank has more than its parts, as they were cut. */
mote_Status world_restore_parts(mote_World *world, const WorldPart *parts, size_t count,
                                mote_Error *error);

#endif
