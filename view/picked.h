/* The particle that is looked at, and its columns. */
#ifndef VIEW_PICKED_H
#define VIEW_PICKED_H

#include "text/json_read.h"

#include <mote/frame.h>

typedef struct Picked {
    char system[128]; /* "": none */
    uint64_t id;
} Picked;

/* The particle of a system that is nearest to a place: the frame that was clicked at may be another
 * than this one, with its rows in another order. A system that is drawn as several has names with
 * "/". */
Picked picked_at(const mote_Frame *frame, const char *system, mote_Vec3 place);

/* system, id, there, columns: keys of an object that is open. frame NULL: it is not there. */
void picked_put(const Picked *picked, const mote_Frame *frame, JsonWriter *json);

/* A number; what JSON lacks as text. */
void picked_put_number(JsonWriter *json, double value);

#endif
