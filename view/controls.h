/* Sliders from the parameter tables: what a scene's objects can be told, with unit, range and what
 * it means, and what it is now; and the way back, from a slider into the running world. Numbers
 * that a scene computes have no slider: an expression is changed in the text. */
#ifndef VIEW_CONTROLS_H
#define VIEW_CONTROLS_H

#include "text/json_read.h"

#include <mote/scene.h>

typedef struct Controls {
    Memory *memory;
    mote_Scene *scene;
    const char *const *settings; /* "key=value": what has been changed since the scene was read */
    size_t setting_count;
} Controls;

/* Groups of controls, as items of a list. */
void controls_put(const Controls *controls, JsonWriter *json);
bool controls_have_probes(const Controls *controls);

/* Gives the running world a new value; false when it takes a new start, as for what is no plain
 * value of an object that may change. */
bool controls_change(const Controls *controls, mote_World *world, const char *key,
                     const char *value);

#endif
