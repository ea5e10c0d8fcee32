/* The library in a page: what the page's worker calls, as exports of the WebAssembly module. One
 * scene and one world at a time.
 *
 * Texts go in through a room that the page writes into, answers come out as bytes: `answer_bytes`
 * and `answer_size` say where the last one is, until the next call. A function that can fail
 * returns 0, or 1 with an answer {"error": "..."}. */
#ifndef PLAYGROUND_PLAYGROUND_H
#define PLAYGROUND_PLAYGROUND_H

#include "run/pictures.h"
#include "view/message.h"
#include "view/picked.h"

#include <mote/scene.h>

/* EXPORT(type, name, parameters) { ... }: a function that the page calls. */
#define EXPORT(type, name, ...)                                                                    \
    type name(__VA_ARGS__);                                                                        \
    __attribute__((export_name(#name))) type name(__VA_ARGS__)

/* What there is at the moment. */
typedef struct Playground {
    Memory memory;
    char *room; /* what the page has written */
    size_t room_size;
    JsonWriter json; /* answers that are JSON */
    ViewBytes png;   /* the last picture */
    const void *answer;
    size_t answer_size;
    mote_Scene *scene;
    mote_World *world;
    const mote_Frame *frame; /* with surfaces */
    Surfaces surfaces;
    History history;
    ViewMessage message;
    Picked picked; /* the particle that is looked at */
} Playground;

extern Playground playground;

/* Begins and ends an answer that is JSON. */
JsonWriter *answer_begin(void);
int answer_end(int code);
int answer_error(const mote_Error *error);
void answer_is(const void *bytes, size_t size);

/* The next of the texts in the room, from the place *at on; "" behind the last. */
const char *room_text(size_t *at);

/* Ends the world with what belongs to it. */
void playground_stop(void);

#endif
