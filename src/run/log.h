/* log.jsonl: one JSON object per frame, for people and plots. */
#ifndef RUN_LOG_H
#define RUN_LOG_H

#include <mote/world.h>

#define LOG_NAME "log.jsonl"

/* The frames, from 0 on, whose lines are whole, and the bytes of those lines. Frame 0 has none. */
uint64_t log_scan(const char *path, long *bytes);
mote_Status log_add(const char *path, const mote_StepReport *report, mote_Error *error);

#endif
