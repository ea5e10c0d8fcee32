/* Whether a run fits: into the memory of the machine, and onto its disk. All numbers come from the
 * scene's forecast and from the machine, and are judged here alone. */
#ifndef RUN_ROOM_H
#define RUN_ROOM_H

#include <mote/run.h>

#include "io/manifest.h"

/* Fails with the numbers and with what would fit, unless the run is wanted anyway. */
mote_Status room_check(mote_Scene *scene, const mote_RunDef *def, mote_Error *error);

/* While it runs: fails when the disk would be full after another frame and checkpoint like the last
 * ones. `picture`: bytes of one, about. */
mote_Status room_left(const mote_RunDef *def, const Manifest *manifest, double picture,
                      mote_Error *error);

#endif
