/* Scenes: the constant description of a world, its looks, camera and output, as JSON5 text. */
#ifndef MOTE_SCENE_H
#define MOTE_SCENE_H

#include <mote/render.h>
#include <mote/surface.h>
#include <mote/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A scene that was read; it never changes. */
typedef struct mote_Scene mote_Scene;

/* Which scene is read. */
typedef struct mote_SceneDef {
    size_t size;                 /* bytes, by mote_scene_def() */
    const char *path;            /* a file; NULL: `text` */
    const char *text;            /* a scene in memory; path and text NULL: the built-in demo */
    const char *name;            /* of a text, for messages; NULL: "scene" */
    const char *const *settings; /* "key=value", as --set of the command line; errors blame
                                    "--name:key=value" on the option --name */
    size_t setting_count;
    mote_Allocator allocator; /* of the scene and its worlds */
} mote_SceneDef;

MOTE_API void mote_scene_def_init(mote_SceneDef *def, size_t size);
MOTE_MAKER(mote_SceneDef, mote_scene_def)

/* Reads and checks a scene. On MOTE_BAD_VALUE the scene is there all the same, for its messages
 * alone; destroy it in any case. */
MOTE_API mote_Status mote_scene_load(const mote_SceneDef *def, mote_Scene **scene,
                                     mote_Error *error);
MOTE_API void mote_scene_destroy(mote_Scene *scene); /* NULL is allowed */

/* All errors and warnings found by loading, each with place, source line and hint, for people.
 * "" when there are none. Valid until the next call for this scene. */
MOTE_API const char *mote_scene_messages(mote_Scene *scene, bool color);

/* The scene with includes, params and settings worked in, as JSON5. Valid until the next call. */
MOTE_API const char *mote_scene_print(mote_Scene *scene);

/* Whether `path` leads, by any name or link, to a file that the scene was read from. */
MOTE_API bool mote_scene_reads(const mote_Scene *scene, const char *path);

/* The JSON schema of scenes for editors, from the tables. Valid until the next call. */
MOTE_API const char *mote_scene_schema(mote_Scene *scene);

/* What the scene asks for. */
typedef struct mote_SceneInfo {
    const char *name;         /* the file's name without folder and extension, or the text's name */
    double duration;          /* s */
    double fps;               /* 1/s */
    double max_step;          /* s, longest sub-step */
    uint64_t frames;          /* last frame's index; frame 0 is the start */
    int width, height;        /* of pictures */
    bool cache;               /* write frames */
    bool pictures;            /* write PNGs */
    int bits;                 /* of their channels: 8 or 16 (PNG), 32 (EXR) */
    bool video;               /* write a video */
    const char *video_format; /* its ending: "mp4", "webm", "webp", "gif" */
    uint32_t history;         /* earlier frames that pictures need, for trails */
    uint64_t checkpoint_every; /* frames between checkpoints */
    double checkpoint_seconds; /* s by the clock after which one is due too; 0: never */
    uint64_t hash;             /* of everything that the simulation depends on */
} mote_SceneInfo;

/* The texts live as long as the scene. */
MOTE_API mote_SceneInfo mote_scene_info(const mote_Scene *scene);

/* One value that the simulation depends on, as a hash; NULL path after the last. */
typedef struct mote_SceneValue {
    const char *path; /* "systems.drops.solver.integrator" */
    uint64_t hash;
} mote_SceneValue;

/* Number i of them. */
MOTE_API mote_SceneValue mote_scene_value(const mote_Scene *scene, size_t i);

/* A new world as the scene describes it, at its start. The scene must outlive it. */
MOTE_API mote_Status mote_scene_world(mote_Scene *scene, mote_Tasks *tasks, mote_World **world,
                                      mote_Error *error);

/* The same on one of several ranks, all of which call it: MOTE_UNAVAILABLE where the world cannot
 * be spread over them. `ranks` is borrowed; NULL: this program alone. */
MOTE_API mote_Status mote_scene_world_on(mote_Scene *scene, mote_Tasks *tasks,
                                         const mote_Ranks *ranks, mote_World **world,
                                         mote_Error *error);

/* The i-th system that a surface is made around, and how; false after the last. What the definition
 * points to lives as long as the scene. */
MOTE_API bool mote_scene_surface(const mote_Scene *scene, size_t i, const char **system,
                                 mote_SurfaceDef *def);

/* How a frame is to be drawn, and the frame as it is to be drawn: columns that looks compute
 * (size, color, opacity) replace the frame's. Both are valid until the next call for this scene. */
MOTE_API mote_Status mote_scene_picture(mote_Scene *scene, const mote_Frame *frame,
                                        mote_RenderDef *def, const mote_Frame **drawn,
                                        mote_Error *error);

/* Warnings about what would go wrong or look bad when the scene runs, one line each with what to
 * change ("" when there are none), and what the run will need. Valid until the next call. */
typedef struct mote_SceneForecast {
    const char *warnings; /* a line each */
    uint64_t particles;   /* most at a time, estimated */
    uint64_t mean;        /* the same over the whole scene */
    uint64_t memory;      /* bytes */
    uint64_t disk;        /* bytes */
    double frame_disk;    /* bytes of a frame in the cache, with its share of checkpoints; mean */
    double drawn_disk;    /* bytes of a frame in pictures and video */
    double spacing;       /* m: the least of a liquid; 0: there is none */
    int dimension;        /* of space: 2 or 3 */
    double max_step; /* s: the longest sub-step that the warnings advise; 0: they advise none */
} mote_SceneForecast;

/* Tries the start of the scene for its warnings. */
MOTE_API mote_Status mote_scene_forecast(mote_Scene *scene, mote_SceneForecast *forecast,
                                         mote_Error *error);
/* The numbers alone, without warnings: quick, however large the scene is. */
MOTE_API mote_Status mote_scene_needs(mote_Scene *scene, mote_SceneForecast *forecast,
                                      mote_Error *error);

/* What ranks (mote/ranks.h) would need of it. */
typedef struct mote_SceneShare {
    uint64_t memory;  /* bytes of a rank, the one with the most particles */
    uint64_t first;   /* bytes of the first, which writes all files */
    uint64_t drawing; /* bytes more, where it also draws pictures while the scene runs */
    double ghosts;    /* particles of others that a rank has copies of, over its own */
    int most;         /* ranks that share it well; with more, messages and copies take over */
    bool copied;      /* ranks share the work of some system, but each has all of its particles */
} mote_SceneShare;

/* For so many ranks; quick, too. Whether it can be spread at all, its world says. */
MOTE_API mote_Status mote_scene_share(mote_Scene *scene, int ranks, mote_SceneShare *share,
                                      mote_Error *error);

/* ---- the tables ---- */

/* Families of rows: "integrators", "forces", "fields", "shapes", "sources", ... NULL after the
 * last. */
MOTE_API const char *mote_family(size_t i);
/* The rows of a family; NULL when there is no such family. */
MOTE_API const mote_Row *const *mote_family_rows(const char *family, size_t *count);

/* A key of a scene's object that is no parameter of its table: `system` and `from` of an emitter.
 */
typedef struct mote_SceneKey {
    const char *key, *doc; /* static; NULL after the last */
    bool required;
} mote_SceneKey;

/* The i-th such key of a row of the family "objects". */
MOTE_API mote_SceneKey mote_scene_object_key(const char *object, size_t i);

#ifdef __cplusplus
}
#endif
#endif
