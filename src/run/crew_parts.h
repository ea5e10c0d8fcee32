/* What all ranks do when the first writes a file in parts, or has read one. */
#ifndef RUN_CREW_PARTS_H
#define RUN_CREW_PARTS_H

#include "run/crew.h"

/* `file` is NULL on others; *frame: the heads of what is written. */
mote_Status crew_feed_frame(const Crew *crew, const CrewFile *file, const mote_Frame **frame,
                            mote_Error *error);
mote_Status crew_feed_state(const Crew *crew, const CrewFile *file, mote_Error *error);

/* Restores the world: others have no arrays and get their parts of the first's. */
mote_Status crew_deal_state(const Crew *crew, const mote_StateArray *arrays, size_t count,
                            mote_Error *error);

#endif
