/* Pictures and video of a run, and where they go. */
#ifndef RUN_PICTURES_H
#define RUN_PICTURES_H

#include <mote/frame.h>
#include <mote/run.h>
#include <mote/scene.h>

#include "base/memory.h"
#include "run/folder.h"

/* Where pictures and video go that somebody asks for: a folder, one file, or a file a frame.
 *
 *     shots            shots/frame_000010.png and so on, and shots/video.mp4
 *     shot.png         one picture
 *     shot_%04d.exr    a picture a frame, by its number
 *     clip.gif         a video of the frames, and no pictures */

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

/* ---- history: the frames before the one that is drawn, for trails ---- */

typedef struct History {
    Memory memory;
    mote_Frame **frames; /* newest first; room for `most` */
    size_t count, most;
} History;

mote_Status history_open(History *history, size_t most, mote_Error *error);
void history_close(History *history);

/* Makes the frames before `frame` the history: those that are there already, or else from the
 * cache; what no cache holds is missing. */
void history_recall(History *history, const Folder *folder, const mote_Frame *frame);

/* Keeps a copy of a frame that has been drawn. */
mote_Status history_keep(History *history, const mote_Frame *frame, mote_Error *error);

/* Surfaces of a run: the meshes that a scene wants around its systems, made for every frame. */

typedef struct Surfaces {
    struct RunSurface *items; /* one per system with a surface */
    size_t count;
    mote_FrameSurface *meshes; /* of the present frame */
    mote_Frame frame;          /* the present frame with them */
} Surfaces;

mote_Status surfaces_open(Surfaces *surfaces, const mote_Scene *scene, mote_Tasks *tasks,
                          mote_Error *error);
void surfaces_close(Surfaces *surfaces);

/* The frame with its surfaces in *out, valid until the next call; the frame itself when the scene
 * wants none. */
mote_Status surfaces_make(Surfaces *surfaces, const mote_Frame *frame, const mote_Frame **out,
                          mote_Error *error);

/* ---- page.c: several pictures on one page ---- */

typedef struct Page {
    mote_Image *image; /* NULL: pictures stand alone */
    int columns;
    size_t cells, filled;
} Page;

mote_Status page_open(Page *page, int columns, int rows, const mote_SceneInfo *info,
                      mote_Error *error);
void page_close(Page *page);
void page_clear(const Page *page);
/* Pictures have the size of the scene's. */
void page_put(const Page *page, size_t cell, mote_Image *picture);

/* ---- insets.c: probes of a run, for plots in its pictures ---- */

typedef struct Insets {
    Memory memory;
    mote_ProbeSamples **tables;
    mote_PicturePlot *plots;
    char (*titles)[96];
    size_t count;
} Insets;

mote_Status insets_open(Insets *insets, const char *folder, const char *const *names, size_t count,
                        mote_Error *error);
void insets_close(Insets *insets);

/* ---- pictures.c ---- */

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
    const char *view; /* a side to look from; NULL: as the scene says */
    double orbit;     /* degrees that the camera goes around what it looks at, beside its own */
    int bits;         /* of PNG files; 32: EXR */
    History history;  /* for trails */
    Page page;        /* what is written, where it is not the pictures themselves */
    Insets insets;    /* plots in them */
    const mote_Slice *slice; /* drawn instead; NULL: none */
    const char *label;       /* words in them; NULL: none */
    bool clock;              /* the time, whatever the scene says */
    mote_Overlay overlay;    /* NULL: none, or there are no means for it, which has been said */
    mote_RunReport *report;
    /* While a picture is traced: how much of it is done; false stops it. May be NULL. */
    bool (*progress)(void *context, double done);
    void *context; /* of `progress` */
    void *overlay_context;
} Pictures;

/* ---- slices.c: a plane cut through the frame instead of the scene ---- */

typedef struct PictureSlice {
    mote_Slice slice;
    mote_Legend legend;
    char title[96];
} PictureSlice;

/* Makes `def` draw pictures->slice; what it points to is in `words`. */
mote_Status picture_slice(const Pictures *pictures, const mote_Frame *frame, PictureSlice *words,
                          mote_RenderDef *def, mote_Error *error);

/* The video's name in the folder: "video.mp4", "video.gif". */
void pictures_video_name(const mote_Scene *scene, char name[32]);

/* A missing ffmpeg is a note in the report, and the pictures that its command needs are written. */
mote_Status pictures_open(Pictures *pictures, bool files, bool video, mote_Error *error);
mote_Status pictures_add(Pictures *pictures, const mote_Frame *frame, uint64_t number,
                         mote_Error *error);
/* The two halves of that: the frame into pictures->image; an image, of these pictures or of others
 * of their size, into files and video, or on the page, which is written when it is full. */
mote_Status pictures_draw(Pictures *pictures, const mote_Frame *frame, mote_Error *error);
mote_Status pictures_show(Pictures *pictures, mote_Image *image, uint64_t number,
                          mote_Error *error);
/* Into the video alone. */
mote_Status pictures_film(Pictures *pictures, const mote_Frame *frame, mote_Error *error);
/* Finishes the video, also after a failure of something else; an abandoned one leaves no file. */
mote_Status pictures_close(Pictures *pictures, mote_Error *error);

#endif
