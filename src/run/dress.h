/* Frames of a cache as they look: with the colours that the scene's looks compute. */
#ifndef RUN_DRESS_H
#define RUN_DRESS_H

#include <mote/run.h>

#include "io/part.h"
#include "run/folder.h"

typedef struct Dress {
    mote_Scene *scene; /* NULL: the scene cannot be read, and frames come as they are */
    Arena arena;
    mote_Frame *read; /* the frame that was read last: its meshes are kept for the next one */
    mote_Frame frame;
} Dress;

/* A scene that cannot be read is a sentence in the note, whose size is MOTE_RUN_TEXT. */
void dress_open(Dress *dress, const Folder *folder, Memory *memory, char *note);
void dress_close(Dress *dress);

/* The frame, and the colours of its shapes in the view; valid until the next call. */
mote_Status dress_frame(Dress *dress, const Folder *folder, uint64_t index,
                        const mote_Frame **frame, PartView *view, mote_Error *error);

#endif
