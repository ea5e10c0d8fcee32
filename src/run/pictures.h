/* Pictures and video of a run. */
#ifndef RUN_PICTURES_H
#define RUN_PICTURES_H

#include <mote/run.h>

#include "run/folder.h"
#include "run/history.h"
#include "run/target.h"

typedef struct Pictures {
    mote_Scene *scene;
    const Folder *folder;
    RunTarget target; /* where they go */
    mote_Tasks *tasks;
    mote_Image *image; /* NULL: no pictures are wanted */
    mote_Video *video; /* NULL: none, or ffmpeg is missing */
    bool files;        /* write PNGs */
    bool abandoned;    /* the video lacks frames and is thrown away */
    bool fit;          /* aim the camera at this box */
    mote_Vec3 low, high;
    const char *view;     /* a side to look from; NULL: as the scene says */
    int bits;             /* of PNG files; 32: EXR */
    History history;      /* for trails */
    mote_Overlay overlay; /* NULL: none, or there are no means for it, which has been said */
    mote_RunReport *report;
    /* While a picture is traced: how much of it is done; false stops it. May be NULL. */
    bool (*progress)(void *context, double done);
    void *context; /* of `progress` */
    void *overlay_context;
} Pictures;

/* The video's name in the folder: "video.mp4", "video.gif". */
void pictures_video_name(const mote_Scene *scene, char name[32]);

/* A missing ffmpeg is a note in the report, and the pictures that its command needs are written. */
mote_Status pictures_open(Pictures *pictures, bool files, bool video, mote_Error *error);
mote_Status pictures_add(Pictures *pictures, const mote_Frame *frame, mote_Error *error);
/* Into the video alone. */
mote_Status pictures_film(Pictures *pictures, const mote_Frame *frame, mote_Error *error);
/* Finishes the video, also after a failure of something else; an abandoned one leaves no file. */
mote_Status pictures_close(Pictures *pictures, mote_Error *error);

#endif
