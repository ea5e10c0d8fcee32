/* Pictures and video of a run. */
#ifndef RUN_PICTURES_H
#define RUN_PICTURES_H

#include <mote/run.h>

#include "run/folder.h"

typedef struct Pictures {
    mote_Scene *scene;
    const Folder *folder;
    mote_Tasks *tasks;
    mote_Image *image; /* NULL: no pictures are wanted */
    mote_Video *video; /* NULL: none, or ffmpeg is missing */
    bool files;        /* write PNGs */
    bool fit;          /* aim the camera at the particles */
    mote_RunReport *report;
} Pictures;

/* Opens what the scene asks for; a missing ffmpeg is a note in the report. */
mote_Status pictures_open(Pictures *pictures, bool video, mote_Error *error);
mote_Status pictures_add(Pictures *pictures, const mote_Frame *frame, mote_Error *error);
/* Draws frames [first, last] of the cache into the video alone: what a resumed run starts from. */
mote_Status pictures_replay(Pictures *pictures, uint64_t first, uint64_t last, mote_Error *error);
/* Finishes the video, also after a failure of something else. */
mote_Status pictures_close(Pictures *pictures, mote_Error *error);

/* Reads a frame of the cache with the shapes that this library knows. */
mote_Status pictures_read_frame(const Folder *folder, uint64_t index, mote_Frame **frame,
                                mote_Error *error);

#endif
