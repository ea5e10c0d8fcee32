/* The run: scene -> world -> frames -> cache, pictures, video. */
#ifndef MOTE_RUN_H
#define MOTE_RUN_H

#include <mote/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How far a run, or what is made of one, has got. */
typedef struct mote_RunProgress {
    const char *doing;    /* "checking", "simulating", "rendering", "exporting" */
    uint64_t frame;       /* done */
    uint64_t first, last; /* of this run */
    uint64_t particles;   /* of that frame */
    double seconds;       /* since the start */
    double picture;       /* part of the next frame's picture that is traced; 0: none is */
} mote_RunProgress;

/* Draws over a finished picture what the library has no means for: text, legends (`def` has what
 * they show). MOTE_UNAVAILABLE is no failure: its sentence becomes a note of the report, and no
 * further picture is offered. */
typedef mote_Status (*mote_Overlay)(void *context, const mote_RenderDef *def, mote_Image *image,
                                    mote_Error *error);

/* How a scene is run. */
typedef struct mote_RunDef {
    size_t size;        /* bytes, by mote_run_def() */
    const char *folder; /* where everything goes; made when missing */
    bool resume;        /* go on from the newest checkpoint that is whole */
    bool force;         /* throw away what runs have written there, and nothing else */
    int64_t from;       /* >= 0: run again from this frame, at most one after the last reached */
    int64_t last;       /* >= 0: stop after this frame instead of the scene's last */
    bool no_pictures;   /* whatever the scene says */
    double checkpoint_seconds; /* >= 0: between checkpoints, instead of the scene's; 0: none */
    bool anyway;               /* also where memory or disk will not do */
    /* Bytes that are free for the folder; NULL: the system is asked. */
    uint64_t (*disk_free)(void *context);
    const char *command; /* what made the run, for those who look at it later; may be NULL */
    mote_Tasks *tasks;
    /* What is damaged or missing in the folder and is made again, a sentence each; may be NULL. */
    void (*notice)(void *context, const char *text);
    mote_Overlay overlay; /* may be NULL */
    /* Called once, when nothing stands against the run and it begins; may be NULL. */
    void (*started)(void *context);
    /* Called after every frame; may be NULL. */
    void (*progress)(void *context, const mote_RunProgress *progress);
    /* True: finish the frame, write a checkpoint and return MOTE_CANCELLED; may be NULL. */
    bool (*cancelled)(void *context);
    void *context;
    /* Borrowed: programs that share the world, all of which call mote_run with the same scene. The
     * first decides: it alone reads and writes the folder and makes the calls above, and its report
     * is the run's; the others follow. NULL: this one alone. */
    const mote_Ranks *ranks;
} mote_RunDef;

MOTE_API void mote_run_def_init(mote_RunDef *def, size_t size);
MOTE_MAKER(mote_RunDef, mote_run_def)

/* The longest path or note of a report, with its end. */
enum { MOTE_RUN_TEXT = 1024 };

/* What a run, or a rendering, has done. */
typedef struct mote_RunReport {
    uint64_t first, last;      /* frames done */
    uint64_t written;          /* how many they are; 0: all were there already */
    uint64_t particles;        /* at the end */
    uint64_t substeps;         /* of all frames */
    uint64_t solves, unsolved; /* equations of implicit schemes, and those left above tolerance */
    uint64_t inside;   /* times that a particle was inside a collider before and after a sub-step */
    uint64_t trapped;  /* times that no place outside was found for one */
    uint64_t left_out; /* particles of liquids born in walls or where there was liquid: taken out */
    double seconds;    /* by the clock */
    char picture[MOTE_RUN_TEXT]; /* path of the last picture; "" for none */
    char video[MOTE_RUN_TEXT];   /* path of the video; "" for none */
    char no_video[200];          /* why a rendering that could have made one did not; "" */
    char note[MOTE_RUN_TEXT];    /* what the user should know, as how to make the video; "" */
} mote_RunReport;

/* Simulates the scene into the folder. A folder that holds a finished run, or one of another scene,
 * is refused unless `force`; `resume` continues a run that was stopped or killed, to the same bits
 * as an uninterrupted one, and makes again what is damaged or missing; `from` makes frames again
 * and keeps those behind `last`. One run at a time writes into a folder: another one gets
 * MOTE_IO_FAILED. A run that needs more memory or disk than there is is refused; one that would
 * fill the disk stops before it does, with a checkpoint. After a failure every frame that the
 * manifest lists can be read. */
MOTE_API mote_Status mote_run(mote_Scene *scene, const mote_RunDef *def, mote_RunReport *report,
                              mote_Error *error);

/* What a run needs, and what there is for it. */
typedef struct mote_RunRoom {
    mote_SceneForecast needs; /* without warnings */
    double frames;            /* that are still to be written */
    uint64_t memory;          /* bytes that the machine and its control groups allow */
    uint64_t disk_needed;     /* bytes, for those frames */
    uint64_t disk;            /* bytes that are free for them */
} mote_RunRoom;

/* Asks the scene, the machine and the disk. */
MOTE_API mote_Status mote_run_room(mote_Scene *scene, const mote_RunDef *def, mote_RunRoom *room,
                                   mote_Error *error);
/* MOTE_OK when it fits. Otherwise the error has the numbers and what would fit: MOTE_NO_MEMORY, or
 * MOTE_IO_FAILED for the disk. A run asks this itself, unless it is wanted `anyway`. */
MOTE_API mote_Status mote_run_judge(const mote_Scene *scene, const mote_RunDef *def,
                                    const mote_RunRoom *room, mote_Error *error);

/* How frames of a run are drawn. */
typedef struct mote_RenderRunDef {
    size_t size;         /* bytes, by mote_render_run_def() */
    const char *folder;  /* of a run with a cache */
    const char *output;  /* a folder, "shot.png", "shot_%04d.exr" or "clip.mp4"; NULL: images
                            and video of the folder */
    bool force;          /* write over what is there; else that is refused */
    int64_t first, last; /* frames; < 0: all that are there */
    const char *const *settings; /* changes to camera, render and looks: "camera.fov=30" */
    size_t setting_count;
    bool frame_all;       /* aim the camera so that the particles of all frames fill the picture */
    const char *view;     /* a name of mote_camera_view; NULL: the scene's camera */
    mote_Tasks *tasks;    /* NULL: on the calling thread */
    mote_Overlay overlay; /* may be NULL */
    void (*progress)(void *context, const mote_RunProgress *progress); /* as of mote_RunDef */
    bool (*cancelled)(void *context);                                  /* as of mote_RunDef */
    void *context;
    uint64_t turntable; /* pictures of one turn around a frame, the last like the first: `last`, or
                           the newest that is there; 0: none */
    uint32_t sheet[2];  /* columns and rows of a page of frames that are evenly apart, each with its
                           time; 0: a picture for each frame */
    const char *beside; /* the folder of another run, drawn to the right with the same settings;
                           NULL: none */
    const char *const *plots; /* probes set into the picture: "NAME", or "NAME.COLUMN" */
    size_t plot_count;
    const mote_Slice *slice; /* drawn instead of the scene, all of it in the picture unless the
                                camera has a `height`; NULL: none */
    const mote_Ranks *ranks; /* programs that draw the frames together, each some of them, to the
                                same files; all call this with the same definition. NULL: this one
                                alone, which also draws sheets and runs side by side */
    /* Asked before the call fails because a scene has errors with these settings, which
     * mote_scene_messages shows; may write another error for what it has shown. May be NULL. */
    void (*explain)(void *context, mote_Scene *scene, mote_Error *error);
} mote_RenderRunDef;

MOTE_API void mote_render_run_def_init(mote_RenderRunDef *def, size_t size);
MOTE_MAKER(mote_RenderRunDef, mote_render_run_def)

/* Draws frames of a cache: the same pictures, bit by bit, as the run itself draws. A video is made
 * when the scene wants one and all frames are drawn, or when the output is one; a scene without
 * pictures gets them here. */
MOTE_API mote_Status mote_run_render(const mote_RenderRunDef *def, mote_RunReport *report,
                                     mote_Error *error);

/* Frames of a cache in another format. */
typedef struct mote_ExportDef {
    size_t size;         /* bytes, by mote_export_def() */
    const char *folder;  /* of a run with a cache */
    const char *output;  /* folder for the files; NULL: folder/export */
    const char *format;  /* name of a mote_export_format */
    const char *part;    /* a system, surface, body or collider; NULL: all that it can hold */
    int64_t first, last; /* frames; < 0: all that are there */
    int up;              /* axis that is up in the files: 0, 1, 2; < 0: as in the scene */
    double scale;        /* on all lengths */
    void (*progress)(void *context, const mote_RunProgress *progress); /* may be NULL */
    bool (*cancelled)(void *context);                                  /* may be NULL */
    void *context;
    double cell; /* m, of volumes (vti, vdb); 0: as the particles' sizes say */
} mote_ExportDef;

MOTE_API void mote_export_def_init(mote_ExportDef *def, size_t size);
MOTE_MAKER(mote_ExportDef, mote_export_def)

/* What an export has written. */
typedef struct mote_ExportReport {
    uint64_t files;             /* without collections */
    uint64_t first, last;       /* frames done */
    uint64_t written;           /* how many they are */
    double seconds;             /* by the clock */
    char folder[MOTE_RUN_TEXT]; /* where the files are */
    char note[MOTE_RUN_TEXT];   /* what the user should know; "" */
} mote_ExportReport;

/* Writes PART_000000.EXTENSION for every part and frame, with PART_collection.pvd for vtp and
 * PART_volumes.pvd for vti; or, in formats that hold all frames, SCENE_frames.EXTENSION or
 * PART_frames.EXTENSION. Particles have the colours of their looks. A format that can hold nothing
 * of the run is refused. */
MOTE_API mote_Status mote_run_export(const mote_ExportDef *def, mote_ExportReport *report,
                                     mote_Error *error);

/* True when there is a run in the folder, whole or not. */
MOTE_API bool mote_run_is_there(const char *folder);

/* Calls `visit` for every frame of a run's cache, in order, with the file that mote_frame_read
 * reads; false ends it. */
MOTE_API mote_Status mote_run_frames(const char *folder,
                                     bool (*visit)(void *context, uint64_t index, const char *path),
                                     void *context, mote_Error *error);

/* What a probe of a run has measured: a mote_ProbeSamples of all its samples so far. Destroy it
 * with mote_probe_table_destroy. */
MOTE_API mote_Status mote_run_probe(const char *folder, const char *probe,
                                    mote_ProbeSamples **table, mote_Error *error);
MOTE_API void mote_probe_table_destroy(mote_ProbeSamples *table); /* NULL is allowed */

/* What a folder holds, and whether it is whole. */
typedef struct mote_RunInfo {
    char scene[128], version[32]; /* of what was run, and of the library */
    char command[4096];           /* that made the run; "": not known */
    const char *state;            /* "running", "killed", "stopped", "finished" */
    int real_size;                /* bytes */
    double fps;                   /* 1/s */
    uint64_t planned;             /* last frame */
    uint64_t frames;              /* that are whole */
    uint64_t first, last;         /* frames, of those */
    uint64_t checkpoints;         /* that are whole */
    uint64_t newest;              /* frame of the last of them */
    uint64_t tables;              /* log and probes that are whole */
    uint64_t pictures;            /* files */
    char video[32];               /* its name; "": none */
    uint64_t bytes;               /* of all files in the folder */
    uint64_t damaged;             /* files that are damaged or missing */
    char damage[2048];            /* which, a line each */
} mote_RunInfo;

/* Which folder is looked at. */
typedef struct mote_RunInfoDef {
    size_t size;        /* bytes, by mote_run_info_def() */
    const char *folder; /* of a run */
    void (*progress)(void *context, const mote_RunProgress *progress); /* may be NULL */
    void *context;
} mote_RunInfoDef;

MOTE_API void mote_run_info_def_init(mote_RunInfoDef *def, size_t size);
MOTE_MAKER(mote_RunInfoDef, mote_run_info_def)

/* Reads everything that the manifest lists and compares it with its check sums. */
MOTE_API mote_Status mote_run_info(const mote_RunInfoDef *def, mote_RunInfo *info,
                                   mote_Error *error);

/* Where two caches differ first. */
typedef struct mote_CacheDiff {
    bool same;       /* in everything */
    uint64_t frames; /* compared */
    uint64_t frame;  /* the first that differs */
    char what[128];  /* "drops/position", "number of frames", ... */
    uint64_t rows;   /* that differ in it; 0 when no rows were compared */
    double largest;  /* difference of a value; infinite when not comparable */
} mote_CacheDiff;

/* Compares the frames of two runs. */
MOTE_API mote_Status mote_run_diff(const char *folder_a, const char *folder_b, mote_CacheDiff *diff,
                                   mote_Error *error);

#ifdef __cplusplus
}
#endif
#endif
