/* A scene's insides: definitions read from the document, ready for a world. */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include <mote/scene.h>

#include "base/isa.h"
#include "look/look.h"
#include "scene/document.h"

/* What of an object changes with time: parameters of a struct that mote_world_find finds. */
typedef struct SceneBinding {
    mote_ObjectKind kind;
    const char *name; /* of the object */
    ParamBindings bindings;
} SceneBinding;

/* A collider whose motion varies with time. */
typedef struct SceneMotion {
    const mote_Scene *scene;
    ParamBindings bindings; /* of a mote_Motion */
} SceneMotion;

typedef struct SceneWorld {
    mote_WorldDef def;
    double duration; /* s */
} SceneWorld;

typedef struct SceneOutput {
    bool cache;
    int frames, video; /* choices; 0: none */
    uint64_t checkpoint_every;
    double checkpoint_seconds;
} SceneOutput;

typedef struct ScenePicture {
    mote_RenderDef def; /* what of it has parameters of its own; first, for its table */
    uint64_t width, height;
} ScenePicture;

/* A light, and what of it changes with time. */
typedef struct SceneLight {
    mote_Light def;
    ParamBindings bindings;
} SceneLight;

/* The mesh around a system's particles. */
typedef struct SceneSurface {
    bool present;
    mote_SurfaceDef def;
} SceneSurface;

typedef struct SceneSystem {
    mote_SystemDef def;
    mote_PointsSolver solver; /* of solver `points`; else its defaults */
    Look look;
    SceneSurface surface;
    const char **published; /* names of fields that its solver publishes */
    size_t published_count;
} SceneSystem;

/* A lattice of bodies. */
typedef struct SceneCopies {
    mote_Vec3 count; /* along x, y, z */
    mote_Vec3 step;  /* m, from one to the next */
} SceneCopies;

/* A growing array in the scene's store. */
typedef struct SceneList {
    void *items;
    size_t count;
} SceneList;

/* What the camera is at a time. */
typedef struct SceneCameraKey {
    double time; /* s */
    mote_Camera camera;
    uint32_t given; /* a bit for each of the camera's parameters that the key says */
} SceneCameraKey;

struct mote_Scene {
    Memory memory;
    Document *document;
    char *name;
    SceneWorld world;
    SceneOutput output;
    ScenePicture picture;
    mote_Camera camera;
    ParamBindings camera_bindings;
    SceneList camera_keys; /* SceneCameraKey, in the order of their times */
    bool has_camera;       /* else it is placed by what the scene says about its objects */
    mote_Backdrop sky;
    mote_GroundLook ground;
    mote_TraceDef trace;
    SceneLight lights[MOTE_LIGHTS_MOST];
    size_t light_count;
    uint32_t show;
    SceneList systems;     /* SceneSystem */
    SceneList fields;      /* mote_FieldDef */
    SceneList forces;      /* mote_ForceDef */
    SceneList emitters;    /* mote_EmitterDef */
    SceneList colliders;   /* mote_ColliderDef */
    SceneList bodies;      /* mote_BodyDef */
    SceneList links;       /* mote_LinksDef */
    SceneList probes;      /* mote_ProbeDef */
    SceneList bindings;    /* SceneBinding */
    SceneList values;      /* mote_SceneValue */
    SceneList shape_looks; /* mote_ShapeLook */
    /* handed out */
    TextBuffer messages, print, schema, report;
    Arena drawing; /* of the last picture */
};

/* Reads all of the document into the definitions; errors go to the diagnostics. */
void scene_read(mote_Scene *scene);

/* Fails where the steps of a system cannot do for it; at: its number. */
mote_Status scene_refuse(mote_Scene *scene, size_t *at, mote_Error *error);

/* The motion of a collider at time t; context is its SceneMotion. */
mote_Status scene_motion_at(void *context, double t, mote_Motion *motion, mote_Error *error);

/* The camera at a time, as its keys have it; left alone without keys. */
void scene_follow_camera_keys(const mote_Scene *scene, double t, mote_Camera *camera);

/* Lists every value that the simulation depends on. */
void scene_list_values(mote_Scene *scene);

/* Rows that a scene can ask for; a row whose struct no table fills needs a program. */
bool scene_can_say(const mote_Row *row);

/* What a NAME parameter may say, by the kind its table gives. */
NameList scene_names_of_kind(const mote_Scene *scene, const char *kind);

/* Empties a text that is handed out; and what is handed out, never NULL. */
void scene_empty_text(TextBuffer *buffer);
const char *scene_text(const TextBuffer *buffer);

/* The tables of objects that belong to no module below. */
extern const mote_Row scene_time_row, scene_output_row, scene_picture_row, scene_copies_row;

/* The text of the built-in demo. */
extern const char scene_demo_text[];

#endif
