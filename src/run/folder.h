/* The output folder: where everything lies.
 *
 *     manifest.json  scene.json5  log.jsonl  video.mp4
 *     frames/frame_000000.npz  checkpoints/checkpoint_000010.npz  images/frame_000000.png */
#ifndef RUN_FOLDER_H
#define RUN_FOLDER_H

#include <mote/base.h>

enum { FOLDER_PATH = 1024 };

typedef struct Folder {
    char path[FOLDER_PATH - 128]; /* room for the longest name inside */
} Folder;

/* Refuses a path that is too long. Makes nothing. */
mote_Status folder_open(Folder *folder, const char *path, mote_Error *error);
/* Makes the folder, those above it and those inside. */
mote_Status folder_make(const Folder *folder, mote_Error *error);
/* Removes what a run writes, and nothing else. */
mote_Status folder_clear(const Folder *folder, mote_Error *error);

void folder_file(const Folder *folder, const char *name, char path[FOLDER_PATH]);
void folder_frame(const Folder *folder, uint64_t index, char path[FOLDER_PATH]);
void folder_image(const Folder *folder, uint64_t index, char path[FOLDER_PATH]);
void folder_checkpoint(const Folder *folder, uint64_t index, char path[FOLDER_PATH]);
/* The checkpoint's name inside the folder, as manifests list it. */
void folder_checkpoint_name(uint64_t index, char name[64]);

bool folder_has(const Folder *folder, const char *name);
uint64_t folder_file_size(const char *path); /* 0 when there is none */

/* Writes a small text file whole or not at all. */
mote_Status folder_write_text(const Folder *folder, const char *name, const char *text,
                              mote_Error *error);

#endif
