/* Where a run may start. */
#ifndef RUN_START_H
#define RUN_START_H

#include "run/cache.h"

/* MOTE_OK when the run of `old` may be gone on with or run again, as `def` asks. */
mote_Status start_check(const Cache *cache, const Manifest *old, const mote_RunDef *def,
                        mote_Error *error);

/* Brings the world to the last checkpoint of `old` that fits, and takes over what is kept of it.
 * *again: the first frame to be written. */
mote_Status start_go_on(Cache *cache, const Manifest *old, mote_Scene *scene,
                        const mote_RunDef *def, mote_World **world, uint64_t *again,
                        mote_Error *error);

#endif
