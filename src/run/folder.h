/* The output folder: where everything lies.
 *
 *     manifest.json  scene.json5  log.jsonl  video.mp4
 *     frames/frame_000000.npz  checkpoints/checkpoint_000010.npz  images/frame_000000.png
 *     probes/NAME.csv
 *     export/SYSTEM_000000.vtp  export/SYSTEM_collection.pvd */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include <mote/base.h>

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

#endif
