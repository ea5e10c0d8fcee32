/* log.jsonl: one JSON object per frame, for people and plots. */
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include <mote/world.h>

#include "run/folder.h"

/* Forgets the lines of frames from `again` on, which will be written again. */
mote_Status log_open(const Folder *folder, uint64_t again, mote_Error *error);
mote_Status log_add(const Folder *folder, const mote_StepReport *report, mote_Error *error);

#endif
