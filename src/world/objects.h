/* Making objects of a world: names, parameters and references, for the files that add kinds of
 * them. */
#ifndef WORLD_OBJECTS_H
#define WORLD_OBJECTS_H

#include "world/world.h"

enum { NAME_SIZE = 96 };

typedef struct NewObject {
    const char *kind; /* for messages: "force" */
    const char *name; /* NULL: the row's name and a number */
    const mote_Row *row;
    const void *params; /* NULL: defaults */
    size_t size;        /* of the object's struct */
    mote_Status (*check)(const void *params, const char *where, mote_Error *error);
} NewObject;

/* "where: a name has at most 95 letters". */
mote_Status world_long_name(const char *where, mote_Error *error);

/* Makes the object with its name and parameters, checked; it is not in the list yet. */
mote_Status world_make_object(mote_World *world, ObjectList *list, const NewObject *fresh,
                              void **out, mote_Error *error);
/* Puts a finished object into its list, or gives it back when something failed. */
mote_Status world_keep_object(mote_World *world, ObjectList *list, void *object, size_t size,
                              mote_Status status);

/* Frees an object that is in no list (any more). */
void world_free_object(mote_World *world, void *object, size_t size);

/* The field of that name, which must have that many components. */
mote_Status world_find_field(const mote_World *world, const char *where, const char *name,
                             int components, const Field **field, mote_Error *error);
/* The field or collider of that name; without a name: that it must name one. */
mote_Status world_find_object(const mote_World *world, const char *where, const char *kind,
                              const char *name, void **object, mote_Error *error);
/* The number of the system of that name. */
mote_Status world_find_system(const mote_World *world, const char *where, const char *name,
                              size_t *number, mote_Error *error);

#endif
