/* The world of a run, which one rank has alone or several share. The first rank decides, and it
 * alone reads and writes files: whatever all must do together it orders before it does it, and the
 * others do as they are told until the run has ended. */
#ifndef RUN_CREW_H
#define RUN_CREW_H

#include <mote/run.h>

typedef struct Crew {
    const mote_Ranks *ranks; /* NULL: alone */
    mote_Scene *scene;
    mote_Tasks *tasks;
    mote_World *world; /* NULL: not made yet */
} Crew;

/* ---- on the first rank: what is called like this of a world ---- */

/* A new world in the place of the one before. */
mote_Status crew_make(Crew *crew, mote_Error *error);
mote_Status crew_restore(Crew *crew, const mote_StateArray *arrays, size_t count,
                         mote_Error *error);
mote_Status crew_start(Crew *crew, mote_Error *error);
mote_Status crew_sample_probes(Crew *crew, mote_Error *error);
mote_Status crew_step(Crew *crew, mote_StepReport *report, mote_Error *error);
mote_Status crew_frame(Crew *crew, const mote_Frame **frame, mote_Error *error);
mote_Status crew_state(Crew *crew, const mote_StateArray **arrays, size_t *count,
                       mote_Error *error);
/* The last: the others leave with this status, and its words. */
void crew_end(Crew *crew, mote_Status status, mote_Error *error);

/* ---- on the others ---- */

mote_Status crew_follow(Crew *crew, mote_Error *error);

#endif
