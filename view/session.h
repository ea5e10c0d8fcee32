/* A session: one scene that is simulated, or one run that is looked at, in a thread of its own. It
 * takes requests and posts frames and texts; all clients see the same. */
#ifndef VIEW_SESSION_H
#define VIEW_SESSION_H

#include "view/post.h"
#include "view/request.h"

#include <mote/run.h>

typedef struct ViewSession ViewSession;

typedef struct ViewSessionDef {
    const char *folder; /* of a run; NULL: a scene */
    const char *path;   /* a scene's file; NULL: `text` */
    const char *text;   /* a scene in memory */
    const char *name;   /* of a text, for messages */
    const char *const *settings;
    size_t setting_count;
    mote_Tasks *tasks;
    mote_Overlay overlay;
    const char *files; /* folder for pictures and videos; there already */
    bool paused;       /* at first */
    double speed;      /* times as fast as the clock; 0: as fast as it goes */
    ViewPost *post;
} ViewSessionDef;

/* Reads the scene or the run, and starts the thread. On MOTE_BAD_VALUE of a scene the session is
 * there all the same, with its messages, so that the scene can be mended; else *session is NULL. */
mote_Status session_create(const ViewSessionDef *def, ViewSession **session, mote_Error *error);
void session_destroy(ViewSession *session); /* NULL is allowed */

/* Takes over the request. False when too many wait. Never waits itself. */
bool session_ask(ViewSession *session, ViewRequest *request);

/* Of the scene or the run; lives as long. */
const char *session_name(const ViewSession *session);

/* The last whole frame that was simulated or read. */
uint64_t session_frame(ViewSession *session);

#endif
