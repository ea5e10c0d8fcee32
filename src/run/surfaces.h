/* Surfaces of a run: the meshes that a scene wants around its systems, made for every frame. */
#ifndef RUN_SURFACES_H
#define RUN_SURFACES_H

#include <mote/scene.h>

typedef struct Surfaces {
    struct RunSurface *items; /* one per system with a surface */
    size_t count;
    mote_FrameSurface *meshes; /* of the present frame */
    mote_Frame frame;          /* the present frame with them */
} Surfaces;

mote_Status surfaces_open(Surfaces *surfaces, const mote_Scene *scene, mote_Tasks *tasks,
                          mote_Error *error);
void surfaces_close(Surfaces *surfaces);

/* The frame with its surfaces in *out, valid until the next call; the frame itself when the scene
 * wants none. */
mote_Status surfaces_make(Surfaces *surfaces, const mote_Frame *frame, const mote_Frame **out,
                          mote_Error *error);

#endif
