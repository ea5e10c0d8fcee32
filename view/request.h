/* What clients ask for: a JSON object a message, {"do": "seek", "frame": 12}. Reading is bounded
 * and changes nothing; whoever sends what is none of these is cut off. */
#ifndef VIEW_REQUEST_H
#define VIEW_REQUEST_H

#include <mote/base.h>
#include <mote/render.h>

enum { VIEW_REQUEST_MOST = 1 << 20, VIEW_KEY = 200 };

/* Requests by name: X(name). */
#define VIEW_REQUESTS(X)                                                                           \
    X(ready)   /* a frame has been dealt with */                                                   \
    X(hello)   /* all that there is to know */                                                     \
    X(play)    /* on */                                                                            \
    X(step)    /* number: frames on, or back */                                                    \
    X(seek)    /* number: the frame */                                                             \
    X(speed)   /* number: times as fast as the clock; 0: as fast as it goes */                     \
    X(restart) /* from the start, as the sliders say */                                            \
    X(set)     /* key, text: a value of the scene, as --set */                                     \
    X(unset)   /* all that was set is as the scene says */                                         \
    X(pick)    /* key: a system, number: its row, place; without a key: nothing */                 \
    X(meshes)  /* a frame with the meshes of shapes */                                             \
    X(check)   /* text: is it a scene? */                                                          \
    X(use)     /* text: show it */                                                                 \
    X(save)    /* text: write it to the scene's file */                                            \
    X(reload)  /* the scene's file, as it is now */                                                \
    X(picture) /* camera: by the renderer */                                                       \
    X(video)   /* camera: the same */                                                              \
    X(hash)    /* a value for the frame */

#define VIEW_REQUEST_ENUM(name) VIEW_DO_##name,
typedef enum ViewDo { VIEW_REQUESTS(VIEW_REQUEST_ENUM) VIEW_DO_COUNT } ViewDo;

typedef struct ViewRequest {
    ViewDo what;
    uint64_t client; /* number of who asks */
    bool on;
    double number;
    char key[VIEW_KEY];
    mote_Vec3 place;
    bool has_camera;
    mote_Camera camera; /* from, to, up, fov, height */
    char *text;         /* NULL: none */
} ViewRequest;

/* MOTE_BAD_VALUE for what is no request; nothing is to be freed then. */
mote_Status view_request_read(const char *bytes, size_t size, ViewRequest *request,
                              mote_Error *error);
void view_request_free(ViewRequest *request);

#endif
