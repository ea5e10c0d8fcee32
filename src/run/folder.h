/* The output folder: where everything lies.
 *
 *     manifest.json  scene.json5  log.jsonl  video.mp4
 *     frames/frame_000000.npz  checkpoints/checkpoint_000010.npz  images/frame_000000.png
 *     probes/NAME.csv
 *     export/PART_000000.vtp  export/PART_collection.pvd  export/SCENE_frames.glb */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include <mote/base.h>
#include <mote/run.h>
#include <mote/scene.h>

#include "io/manifest.h"

#include <stdint.h>

enum { FOLDER_PATH = 1024, FOLDER_LONGEST_NAME = 140 };

typedef struct Folder {
    char path[FOLDER_PATH - FOLDER_LONGEST_NAME - 2]; /* room for the longest name inside */
} Folder;

/* Refuses a path that is too long. Makes nothing. */
mote_Status folder_open(Folder *folder, const char *path, mote_Error *error);
/* Makes the folder and those above it; and those inside too. */
mote_Status folder_make_path(const Folder *folder, mote_Error *error);
mote_Status folder_make(const Folder *folder, mote_Error *error);
mote_Status folder_make_inner(const Folder *folder, const char *name, mote_Error *error);
/* Removes what a run and its exports write but the manifest, and nothing else. */
mote_Status folder_clear(const Folder *folder, mote_Error *error);
/* Removes temporary files that a killed run has left behind. */
mote_Status folder_tidy(const Folder *folder, mote_Error *error);

/* Only one run at a time may write here: MOTE_IO_FAILED when another one does. The lock ends with
 * folder_unlock or with the process. *lock is -1 when there is no folder yet, or no locks on its
 * file system. */
mote_Status folder_lock(const Folder *folder, int *lock, mote_Error *error);
void folder_unlock(int lock);
/* Whether a run is writing there now. */
bool folder_is_locked(const Folder *folder);

/* The name has at most FOLDER_LONGEST_NAME letters. */
void folder_file(const Folder *folder, const char *name, char path[FOLDER_PATH]);
void folder_frame(const Folder *folder, uint64_t index, char path[FOLDER_PATH]);
void folder_checkpoint(const Folder *folder, uint64_t index, char path[FOLDER_PATH]);
/* The checkpoint's name inside the folder, as manifests list it. */
void folder_checkpoint_name(uint64_t index, char name[64]);

/* The i-th file that a run writes into the folder itself; NULL after the last. */
const char *folder_own_file(size_t i);
/* A folder that every run makes inside: "frames". */
bool folder_is_inner(const char *name);
/* The temporary name of a file of the folder itself, as a kill leaves it. */
bool folder_is_leftover(const char *name);

bool folder_has(const Folder *folder, const char *name);
uint64_t folder_file_size(const char *path); /* 0 when there is none */

/* Writes a small text file whole or not at all. */
mote_Status folder_write_text(const Folder *folder, const char *name, const char *text,
                              mote_Error *error);

/* ---- frame_list: numbers of frames as people write them: "3, 7 to 9" ---- */

typedef struct FrameList {
    uint64_t count;
    uint64_t first, last; /* of the range that is not in the text yet */
    char text[160];
} FrameList;

/* In ascending order; from `first` to `last`. */
void frame_list_add_range(FrameList *list, uint64_t first, uint64_t last);
void frame_list_add(FrameList *list, uint64_t frame);
/* The whole text, cut with "..." when it is long; "" when there are none. */
const char *frame_list_text(FrameList *list);

/* ---- claim.c ---- */

/* Whose a folder is. A folder belongs to a run when its manifest is one of ours; such a folder was
 * empty when the run began, so what has one of the names of folder.h in it is the run's. A folder
 * that holds anything else is the user's, and nothing is written there. */

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

/* ---- room.c ---- */

/* Whether a run fits: into the memory of the machine, and onto its disk. All numbers come from the
 * scene's forecast and from the machine, and are judged here alone. */

/* Fails with the numbers and with what would fit, unless the run is wanted anyway. */
mote_Status room_check(mote_Scene *scene, const mote_RunDef *def, mote_Error *error);

/* While it runs: fails when the disk would be full after another frame and checkpoint like the last
 * ones. `picture`: bytes of one, about. */
mote_Status room_left(const mote_RunDef *def, const Manifest *manifest, double picture,
                      mote_Error *error);

#endif
