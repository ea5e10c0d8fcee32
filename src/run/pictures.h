/* Pictures and video of a run. */
#ifndef RUN_PICTURES_H
#define RUN_PICTURES_H

#include <mote/run.h>

#include "run/folder.h"

/* "video." and the format's name. */
void pictures_video_name(const mote_SceneInfo *info, char name[32]);

typedef struct Pictures {
    mote_Scene *scene;
    const Folder *folder;
    mote_Tasks *tasks;
    mote_Image *image; /* NULL: no pictures are wanted */
    mote_Video *video; /* NULL: none, or ffmpeg is missing */
    bool files;        /* write PNGs */
    bool abandoned;    /* the video lacks frames and is thrown away */
    bool fit;          /* aim the camera at the particles */
    mote_RunReport *report;
} Pictures;

/* A missing ffmpeg is a note in the report, and the pictures that its command needs are written. */
mote_Status pictures_open(Pictures *pictures, bool files, bool video, mote_Error *error);
mote_Status pictures_add(Pictures *pictures, const mote_Frame *frame, mote_Error *error);
/* Into the video alone. */
mote_Status pictures_film(Pictures *pictures, const mote_Frame *frame, mote_Error *error);
/* Finishes the video, also after a failure of something else; an abandoned one leaves no file. */
mote_Status pictures_close(Pictures *pictures, mote_Error *error);

#endif
