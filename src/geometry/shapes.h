/* Posed shapes that make up another: shared and immutable. */
#ifndef GEOMETRY_SHAPES_H
#define GEOMETRY_SHAPES_H

#include "base/memory.h"
#include "geometry/posed.h"

#include <stdatomic.h>

enum { SHAPES_DEEPEST = 8 }; /* shapes within shapes */

struct mote_Shapes {
    Memory memory;
    atomic_uint owners;
    PosedShape *parts;      /* each owns its params */
    Aabb *boxes;            /* of the parts, posed */
    ShapeMeasure *measures; /* of the parts, posed; zero for those without */
    size_t count;
    Aabb bounds;  /* of all */
    int depth;    /* 1 without shapes within */
    bool sampled; /* every part has an end, a surface and a volume */
};

#endif
