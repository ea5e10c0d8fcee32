/* A state of a world, copied, so that it can be changed and put back. */
#ifndef TESTS_WORLD_SAVED_H
#define TESTS_WORLD_SAVED_H

#include "setup.h"

typedef struct Saved {
    mote_StateArray *arrays;
    size_t count;
} Saved;

/* A deep copy, packed: stride 0. */
static inline Saved save(mote_World *world)
{
    const mote_StateArray *arrays;
    Saved saved;
    mote_Error error;
    SETUP_OK(mote_world_state(world, &arrays, &saved.count, &error), error);
    saved.arrays = calloc(saved.count, sizeof *saved.arrays);
    for (size_t i = 0; i < saved.count; ++i) {
        const mote_StateArray *from = &arrays[i];
        size_t item = mote_array_item_size(from->type), plane = from->rows * item;
        mote_StateArray *to = &saved.arrays[i];
        *to = *from;
        to->name = strdup(from->name);
        to->stride = 0;
        to->data = malloc(plane * (size_t)from->components + 1);
        for (size_t c = 0; c < (size_t)from->components && plane > 0; ++c)
            memcpy((char *)to->data + c * plane, (const char *)from->data + c * from->stride * item,
                   plane);
    }
    return saved;
}

static inline void discard(Saved *saved)
{
    for (size_t i = 0; i < saved->count; ++i) {
        free((char *)(uintptr_t)saved->arrays[i].name);
        free(saved->arrays[i].data);
    }
    free(saved->arrays);
}

#endif
