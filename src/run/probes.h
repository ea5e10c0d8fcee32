/* probes/NAME.csv: a line for each sample of a probe, with its time. */
#ifndef RUN_PROBES_H
#define RUN_PROBES_H

#include "run/cache.h"

/* Begins the tables, or forgets the lines of frames from `again` on, which will be written again;
 * lists their columns in the manifest. */
mote_Status probes_open(Cache *cache, const mote_World *world, uint64_t again, mote_Error *error);
/* A sample of every probe at the start. */
mote_Status probes_start(const Folder *folder, mote_World *world, mote_Error *error);
/* The samples of the last step. */
mote_Status probes_add(const Folder *folder, const mote_World *world, mote_Error *error);

#endif
