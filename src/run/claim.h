/* Whose a folder is. A folder belongs to a run when its manifest is one of ours; such a folder was
 * empty when the run began, so what has one of the names of folder.h in it is the run's. A folder
 * that holds anything else is the user's, and nothing is written there. */
#ifndef RUN_CLAIM_H
#define RUN_CLAIM_H

#include <mote/scene.h>

#include "run/folder.h"

/* Fails, and names some of it, when the folder holds something that `own` does not know. Hidden
 * files are passed over; a folder that is not there holds nothing. */
mote_Status claim_empty(const Folder *folder, bool (*own)(const Folder *folder, const char *name),
                        mote_Error *error);

/* May a run of the scene write here? `again`: what is there is thrown away first. Neither files of
 * the user's own nor files that the scene was read from are ever written over. */
mote_Status claim_check(const Folder *folder, mote_Scene *scene, bool again, mote_Error *error);

/* Writes the copy of the scene that a run keeps, unless it is there already. Its first line has a
 * check sum, so that a copy that was changed by hand is known as the user's. */
mote_Status claim_write_scene(const Folder *folder, mote_Scene *scene, mote_Error *error);

#endif
