/* The frames before the one that is drawn, for trails. */
#ifndef RUN_HISTORY_H
#define RUN_HISTORY_H

#include <mote/frame.h>

#include "base/memory.h"
#include "run/folder.h"

typedef struct History {
    Memory memory;
    mote_Frame **frames; /* newest first; room for `most` */
    size_t count, most;
} History;

mote_Status history_open(History *history, size_t most, mote_Error *error);
void history_close(History *history);

/* Makes the frames before `frame` the history: those that are there already, or else from the
 * cache; what no cache holds is missing. */
void history_recall(History *history, const Folder *folder, const mote_Frame *frame);

/* Keeps a copy of a frame that has been drawn. */
mote_Status history_keep(History *history, const mote_Frame *frame, mote_Error *error);

#endif
