/* Contact shadows: how much light particles near the ground keep from it. */
#ifndef RENDER_SHADOW_H
#define RENDER_SHADOW_H

#include "base/memory.h"
#include "render/splat.h"

enum { SHADOW_LEVELS = 7 };

/* Square maps over one square of the plane, each half as fine as the one before. */
typedef struct Shadow {
    bool present;
    SplatPlane plane;
    float axis[2][3];   /* unit vectors in the plane */
    float low[2], side; /* m: corner and side of the square, along the axes */
    int cells;          /* of the finest map, along a side */
    uint64_t *sums;     /* the maps one after the other: optical depth in fixed point */
    float *depth;       /* the same, each with all coarser ones added */
} Shadow;

/* Sums are integers, so that they do not depend on the order. False when out of memory. */
bool shadow_make(Shadow *shadow, const View *view, const SplatPlane *plane,
                 const SplatSource *sources, size_t count, Arena *arena);

/* What part of the light arrives at a point of the plane, relative to the eye. */
float shadow_light(const Shadow *shadow, const float point[3]);

#endif
