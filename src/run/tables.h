/* Tables of a run, which grow by lines: log.jsonl, and probes/NAME.csv. The manifest has the sum of
 * what is complete, so that damage is seen and a line cut by a kill is dropped. */
#ifndef RUN_TABLES_H
#define RUN_TABLES_H

#include "run/cache.h"

/* Lists the tables of the world in the manifest and begins those that are missing. Of those that
 * the manifest `old` (NULL: none) lists, what is whole is kept, and damage is told. */
mote_Status tables_open(Cache *cache, const mote_World *world, const Manifest *old,
                        mote_Error *error);
/* The probes at frame 0, where the world stands. */
mote_Status tables_start(Cache *cache, mote_World *world, mote_Error *error);
/* The lines of the last step, for tables that do not have them. */
mote_Status tables_add(Cache *cache, const mote_World *world, const mote_StepReport *report,
                       mote_Error *error);

#endif
