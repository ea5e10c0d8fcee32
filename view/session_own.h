/* A session's insides: what its thread alone touches, and the queue of requests. */
#ifndef VIEW_SESSION_OWN_H
#define VIEW_SESSION_OWN_H

#include "base/machine.h"
#include "run/pictures.h"
#include "view/controls.h"
#include "view/message.h"
#include "view/picked.h"
#include "view/session.h"

#include <pthread.h>

enum { SESSION_REQUESTS = 64, SESSION_SETTINGS = 256, SESSION_PATH = 1024 };

/* Where frames come from: a world, or a run's folder. */
typedef struct ViewSource {
    const char *name; /* "scene", "run" */
    size_t size;      /* of session->own, which is zeros when it is opened */
    /* Shows the first frame; closed afterwards, also when it fails. */
    mote_Status (*open)(ViewSession *session, mote_Error *error);
    void (*close)(ViewSession *session);
    /* One frame on; session->frame is that, or stays when there is none yet. */
    mote_Status (*next)(ViewSession *session, mote_Error *error);
    mote_Status (*seek)(ViewSession *session, uint64_t index, mote_Error *error);
    /* Frames that can be sought. */
    void (*span)(const ViewSession *session, uint64_t *first, uint64_t *last);
    /* A frame that was posted, for seeking; NULL: there is no need. */
    void (*keep)(ViewSession *session, ViewLetter *letter);
    /* What probes have measured, as items of a list. */
    void (*probes)(ViewSession *session, JsonWriter *json);
    /* A value of the running world, without a new start; false when it takes one. */
    bool (*change)(ViewSession *session, const char *key, const char *value);
} ViewSource;
extern const ViewSource source_live, source_replay;

/* What a picture needs beside the frame. */
typedef struct ViewExtras {
    Surfaces surfaces; /* of a world */
    History history;   /* for trails */
    Folder folder;     /* of a run */
    double surface_seconds;
    bool plain; /* the last message lacks its surfaces: they take too long while it runs */
} ViewExtras;

struct ViewSession {
    ViewSessionDef def;
    char path[SESSION_PATH], folder[SESSION_PATH], files[SESSION_PATH], name[128];
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows up to `stop` */
    pthread_cond_t news;
    ViewRequest queue[SESSION_REQUESTS];
    size_t first, waiting;
    bool stop;
    /* the thread's own */
    const ViewSource *source;
    void *own; /* of the source */
    mote_Scene *scene;
    mote_SceneInfo info;
    char *text;                       /* of the scene, as it was read */
    char *written;                    /* the file's content when it was read or saved; NULL: none */
    char *settings[SESSION_SETTINGS]; /* key=value */
    size_t setting_count, given;      /* given: by the command line */
    const mote_Frame *frame;          /* NULL: `letter` alone */
    ViewLetter *letter;               /* of an earlier frame that is shown again; else NULL */
    uint64_t shown;                   /* its index */
    double time;                      /* s, of it */
    uint64_t particles;               /* of it */
    uint64_t newest;                  /* last frame that there is; atomic */
    bool running, stale, meshes;      /* stale: not posted yet; meshes: the next has them */
    bool begun, whole;                /* the step: a sub-step was begun; it is not to be stopped */
    double speed, due;                /* s by the clock: when the next frame is due */
    double told, measured;            /* s by the clock: last state and probes that were posted */
    uint64_t probed;                  /* frame that probes were last posted of */
    double step_seconds;              /* of the last step */
    char note[MOTE_MESSAGE_SIZE];     /* what went wrong; "" */
    Picked picked;                    /* the particle that is looked at */
    ViewMessage message;
    ViewExtras extras;
    Memory memory;
    mote_Video *video; /* being recorded; NULL */
    mote_Image *image; /* of it */
    ViewRequest filming;
    char film[256];
    bool film_failed;
};

/* ---- session_tell.c: what clients are told ---- */

void tell_state(ViewSession *session, uint64_t client);
void tell_controls(ViewSession *session, uint64_t client);
void tell_scene(ViewSession *session, uint64_t client, const char *outcome);
void tell_messages(ViewSession *session, uint64_t client, const char *text, const char *outcome);
void tell_probes(ViewSession *session, uint64_t client);
void tell_picked(ViewSession *session, uint64_t client);
void tell_file(ViewSession *session, uint64_t client, const char *name);
void tell_note(ViewSession *session, uint64_t client, const char *text);
void tell_hash(ViewSession *session, uint64_t client);
/* A probe's table as an object, of at most so many samples as a plot shows. */
void put_samples(JsonWriter *json, const mote_ProbeSamples *samples);

/* ---- scene_text.c ---- */

/* Reads the scene again, from `text` or, NULL, from where it came from, with all settings. On
 * failure the old one stays, and the messages go to the client. */
bool text_take(ViewSession *session, const char *text, uint64_t client, const char *outcome);
/* What is wrong with a text. */
void text_check(ViewSession *session, const char *text, uint64_t client);
void text_save(ViewSession *session, const char *text, uint64_t client);
bool setting_put(ViewSession *session, const char *key, const char *value);
void settings_drop(ViewSession *session, size_t from);

/* ---- extras.c ---- */

mote_Status extras_open(ViewSession *session, mote_Error *error);
void extras_close(ViewSession *session);
/* A frame that will be followed by another, for trails; nothing when it is there already. */
mote_Status extras_keep(ViewSession *session, const mote_Frame *frame, mote_Error *error);
/* A run: the frames before this one. */
void extras_recall(ViewSession *session, const mote_Frame *frame);
/* How session->frame is drawn; `whole`: with surfaces however long they take. */
mote_Status extras_dress(ViewSession *session, bool whole, mote_RenderDef *def,
                         const mote_Frame **drawn, mote_Error *error);

/* ---- shots.c ---- */

void shot_picture(ViewSession *session, const ViewRequest *request);
void shot_video(ViewSession *session, const ViewRequest *request);
/* The frame that is shown, into the video that is being recorded. */
void shot_film(ViewSession *session);
void shot_end(ViewSession *session);

/* ---- answer.c ---- */

void session_answer(ViewSession *session, const ViewRequest *request);

/* ---- session.c ---- */

/* One frame on, and when the next is due. */
void session_advance(ViewSession *session);
/* Begins anew with the scene as it is; false when that fails, which has been noted. */
bool session_begin(ViewSession *session);
/* Ends what is shown, with all that belongs to it. */
void session_close(ViewSession *session);
/* True when a request waits, or the session ends: a step is to stop between two sub-steps. */
bool session_called(void *session);
void session_note(ViewSession *session, const mote_Error *error);
/* frame is what is shown now, and not posted yet. */
void session_turn(ViewSession *session, const mote_Frame *frame);
/* The scene's sliders, with what has been set. */
Controls session_controls(ViewSession *session);

#endif
