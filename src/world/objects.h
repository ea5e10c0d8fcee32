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

/* Copies the parameters, or the defaults, and checks them. */
mote_Status world_check_params(const NewObject *fresh, const char *where, void *params,
                               mote_Error *error);
/* Makes the object with its name and parameters, checked; it is not in the list yet. */
mote_Status world_make_object(mote_World *world, ObjectList *list, const NewObject *fresh,
                              void **out, mote_Error *error);
/* Puts a finished object into its list, or gives it back when something failed. */
mote_Status world_keep_object(mote_World *world, ObjectList *list, void *object, size_t size,
                              mote_Status status);

/* Frees an object that is in no list (any more). */
void world_free_object(mote_World *world, void *object, size_t size);

/* The object of that name, or NULL. */
void *world_object(const ObjectList *list, const char *name);
/* The field of that name, which must have that many components. */
mote_Status world_find_field(const mote_World *world, const char *where, const char *name,
                             int components, const Field **field, mote_Error *error);
/* The field or collider of that name; without a name: that it must name one. */
mote_Status world_find_object(const mote_World *world, const char *where, const char *kind,
                              const char *name, void **object, mote_Error *error);
mote_Status world_find_system(const mote_World *world, const char *where, const char *name,
                              size_t *number, mote_Error *error);
/* The bits of the named systems; all when names is NULL. */
mote_Status world_system_bits(const mote_World *world, const char *where, const char *const *names,
                              size_t count, uint64_t *bits, mote_Error *error);

/* ---- find.c ---- */

/* A kind of objects; the list has the objects that it belongs to. */
typedef struct ObjectKind {
    const char *name;
    size_t list;  /* of the objects, in the world */
    size_t size;  /* of the object's struct; 0: it is a part of one */
    size_t found; /* what mote_world_find returns, in the object; 0: the parameters of its row */
} ObjectKind;

/* NULL: there is no such kind. */
const ObjectKind *world_kind(mote_ObjectKind kind);
ObjectList *world_list(const mote_World *world, mote_ObjectKind kind);

/* What is to be taken out: one of these. */
typedef struct RemovedObject {
    const mote_World *world;
    const Field *field;
    const Collider *collider;
    const mote_System *system;
    size_t slot; /* of the system */
} RemovedObject;

/* Fails, naming who refers to it. */
mote_Status world_refuse_used(const RemovedObject *gone, const char *kind, const char *name,
                              mote_Error *error);

#endif
