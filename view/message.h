/* A frame and how it is drawn as one binary message, for a page that draws it: the browser's view.
 *
 *   byte 0   "mote"
 *        4   u16 version (VIEW_VERSION), u16 kind (VIEW_KIND_FRAME)
 *        8   u32 bytes of the JSON part, a multiple of 8 (spaces at its end)
 *       12   u32 bytes of the data part
 *       16   JSON, then the data
 *
 * All numbers are little endian. The JSON part names systems, camera, sky, lights and legends;
 * where it has {at, type, count} it means `count` numbers of that type ("u8", "i8", "u16", "u32",
 * "f32") that begin `at` bytes into the data, a multiple of 8. Places of many points are "u16": low
 * + step times the number, along each axis. Colours are square roots of linear light over the
 * system's `gain`, with the opacity as it is, a byte each. `view/page/decode.js` reads it. */
#ifndef VIEW_MESSAGE_H
#define VIEW_MESSAGE_H

#include "base/memory.h"
#include "text/json_read.h"

#include <mote/render.h>

enum { VIEW_VERSION = 1, VIEW_KIND_FRAME = 1, VIEW_HEAD = 16 };

/* What is made into a message. */
typedef struct ViewFrame {
    const mote_Frame *frame;   /* as it is drawn: by mote_scene_picture */
    const mote_RenderDef *def; /* of the same call */
    bool meshes;               /* with the meshes of shapes; else their hashes alone */
} ViewFrame;

/* Bytes that grow. */
typedef struct ViewBytes {
    Memory *memory;
    unsigned char *bytes;
    size_t size, capacity;
    bool failed; /* out of memory */
} ViewBytes;

/* A message on its way. It keeps its memory: use one for all frames of a run. */
typedef struct ViewMessage {
    Memory memory;
    Arena scratch;
    JsonWriter json;
    ViewBytes data;  /* the data part */
    ViewBytes bytes; /* the message, when it is made */
} ViewMessage;

void view_message_init(ViewMessage *message);
void view_message_free(ViewMessage *message);

/* Makes message->bytes, valid until the next call. MOTE_NO_MEMORY, or MOTE_BAD_VALUE for more than
 * 4 GB. */
mote_Status view_message_make(ViewMessage *message, const ViewFrame *input, mote_Error *error);

/* ---- its parts ---- */

/* Room for `size` bytes at a multiple of 8, with its place in the data part; NULL when out of
 * memory. Valid until the next call. */
void *view_block(ViewMessage *message, size_t size, size_t *at);
/* {at, type, count}, left open for further keys. */
void view_block_begin(ViewMessage *message, const char *key, size_t at, const char *type,
                      size_t count);
/* A block of numbers as they are. */
void view_put_block(ViewMessage *message, const char *key, const char *type, const void *numbers,
                    size_t count);

/* Points as a block of u16, component by component (planar) or point by point. A plane's number i
 * is planes[k][i * stride]. */
typedef struct ViewPoints {
    const mote_real *planes[3];
    size_t count, stride;
    bool planar; /* how they are written */
    double fine; /* m: steps longer than this give "f32" instead; 0: never */
} ViewPoints;
void view_put_points(ViewMessage *message, const char *key, const ViewPoints *points);

void view_put_numbers(JsonWriter *json, const char *key, const double *numbers, size_t count);
void view_put_vec(JsonWriter *json, const char *key, mote_Vec3 v);

/* Camera, sky, ground, lights, tone, legends. */
void view_put_picture(ViewMessage *message, const mote_RenderDef *def);
/* Particles, links, triangles and surfaces. */
void view_put_systems(ViewMessage *message, const ViewFrame *input);
void view_put_links(ViewMessage *message, const mote_Frame *frame);
/* The trails of a system's particles, from def->history: "trail" of the object that is open. */
void view_put_trail(ViewMessage *message, const ViewFrame *input, size_t system,
                    const mote_Look *look);
void view_put_surfaces(ViewMessage *message, const mote_Frame *frame);
/* Colliders and bodies: each form once, with the poses of all that have it. */
void view_put_shapes(ViewMessage *message, const ViewFrame *input);

/* How a system is drawn, as the renderer finds it. */
mote_Look view_look_of(const mote_RenderDef *def, const char *system);

#endif
