/* Meshes and shapes that a scene's parameters point to; they live as long as the document. */
#ifndef SCENE_SHARES_H
#define SCENE_SHARES_H

#include <mote/shapes.h>

#include "base/memory.h"

typedef struct Share {
    const mote_Mesh *mesh; /* or */
    const mote_Shapes *shapes;
    const char *file;  /* the mesh's, as the scene names it; NULL: none */
    const char *how;   /* with what the file was read */
    uint64_t contents; /* hash of the file */
    struct Share *next;
} Share;

typedef struct Shares {
    Memory *memory;
    Share *first;
} Shares;

void shares_release(Shares *shares);

#endif
