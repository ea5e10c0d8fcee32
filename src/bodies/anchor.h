/* Anchors: places of contact that go with a solid. */
#ifndef BODIES_ANCHOR_H
#define BODIES_ANCHOR_H

#include "bodies/solid.h"

/* A place of a surface that goes with its solid, but does not turn about what is round in it. */
typedef struct Anchor {
    D3 at;       /* in the solid's frame: the surface, or the middle of what is round */
    Round round; /* its axis in the solid's frame */
} Anchor;

/* Of a place x (m, in the world) on the surface of a piece, which looks along `outward` there. */
Anchor anchor_make(const Solid *solid, const Placed *placed, D3 x, D3 outward);

/* Where the anchor is on a surface that looks along `outward`, in the world. */
D3 anchor_place(const Anchor *anchor, const DPose *solid, D3 outward);

#endif
