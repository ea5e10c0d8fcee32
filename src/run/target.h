/* Where pictures and video go that somebody asks for: a folder, one file, or a file a frame.
 *
 *     shots            shots/frame_000010.png and so on, and shots/video.mp4
 *     shot.png         one picture
 *     shot_%04d.exr    a picture a frame, by its number
 *     clip.gif         a video of the frames, and no pictures */
#ifndef RUN_TARGET_H
#define RUN_TARGET_H

#include <mote/run.h>

#include "run/folder.h"

typedef struct RunTarget {
    char before[FOLDER_PATH]; /* of a picture's path, up to its number; all of it without digits */
    char after[32];
    int digits;              /* of the number, filled up with zeros; 0: there is none */
    char video[FOLDER_PATH]; /* "": none can be */
    bool pictures;
    bool exr;
    bool chosen; /* the ending says what the pictures or the video are */
} RunTarget;

/* NULL is the folder's own place: images/ and the video beside it. */
mote_Status target_read(const char *output, const Folder *folder, const mote_SceneInfo *info,
                        RunTarget *target, mote_Error *error);

/* Makes the folders that it needs. */
mote_Status target_make(const RunTarget *target, mote_Error *error);

/* Pictures of a folder that videos can be made of. */
void target_use_png(RunTarget *target);

void target_picture(const RunTarget *target, uint64_t frame, char path[FOLDER_PATH]);

/* As ffmpeg reads it: "shots/frame_%06d.png". */
void target_pattern(const RunTarget *target, char path[FOLDER_PATH]);

#endif
