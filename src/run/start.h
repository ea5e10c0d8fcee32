/* Where a run may start, and what it takes over of the runs before it. */
#ifndef RUN_START_H
#define RUN_START_H

#include "run/cache.h"

/* MOTE_OK when the run of `old` may be gone on with or run again, as the run is asked to. */
mote_Status start_check(const Cache *cache, const Manifest *old, mote_Error *error);

/* Lists what is whole of the frames and checkpoints of `old`; damage is told. */
mote_Status start_take_over(Cache *cache, const Manifest *old, mote_Error *error);

/* The last frame that the run of the manifest is known to have reached. */
uint64_t start_reached(const Manifest *manifest);

/* Brings the world to the newest checkpoint of a frame below `before`, unless it stands at that
 * frame or behind it already. A checkpoint that turns out to be damaged is told and forgotten.
 * *at: the frame that the world has come to; -1: it has yet to be started, there or at its start.
 */
mote_Status start_world(Cache *cache, mote_Scene *scene, uint64_t before, int64_t *at,
                        mote_World **world, mote_Error *error);

#endif
