/* The world of a run, which one rank has alone or several share. The first rank decides, and it
 * alone reads and writes files: whatever all must do together it orders before it does it, and the
 * others do as they are told until the run has ended. */
#ifndef RUN_CREW_H
#define RUN_CREW_H

#include <mote/run.h>

struct CrewHeads;

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
/* Writes the frame, or the state, that the world stands at, without room for all rows: `write` is
 * given its heads, and planes as they are asked for. */
typedef struct CrewFile {
    mote_Status (*write)(void *context, const struct CrewHeads *heads, mote_Error *error);
    void *context;
} CrewFile;

typedef struct CrewHeads {
    const mote_Frame *frame;       /* or */
    const mote_StateArray *arrays; /* of the state */
    size_t count;
    const struct NpzFeed *feed;
} CrewHeads;

mote_Status crew_write_frame(Crew *crew, const CrewFile *file, const mote_Frame **frame,
                             mote_Error *error);
mote_Status crew_write_state(Crew *crew, const CrewFile *file, mote_Error *error);
/* The last: the others leave with this status, and its words. */
void crew_end(Crew *crew, mote_Status status, mote_Error *error);

/* Do ranks share the world? */
static inline bool crew_is_many(const Crew *crew)
{
    return crew->ranks != NULL && crew->ranks->count > 1;
}

/* ---- on the others ---- */

mote_Status crew_follow(Crew *crew, mote_Error *error);

#endif
