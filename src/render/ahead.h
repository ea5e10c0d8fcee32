/* What eight rays have before them that needs no tree: panes of tanks, the ground, and whether they
 * pass the bounds of all else. Nearly every ray asks for these, and side by side they are cheap. */
#ifndef RENDER_AHEAD_H
#define RENDER_AHEAD_H

#include "base/lanes.h"
#include "render/splat.h"

enum { AHEAD_RAYS = 8, MOST_BOXES = 4 }; /* other boxes are in the tree */

/* Panes of a box of glass that stands still. */
typedef struct AheadBox {
    float middle[3], axis[3][3], half[3]; /* m */
    float refraction;
    unsigned missing; /* bit 2 k + 1: the side at the end of axis k; bit 2 k: at its beginning */
} AheadBox;

/* Places are relative to the eye. */
typedef struct AheadScene {
    float bounds[2][3]; /* of all that is in the tree */
    float whole[2][3];  /* the same with the panes of tanks */
    const SplatPlane *planes;
    size_t plane_count;
    AheadBox boxes[MOST_BOXES];
    size_t box_count;
} AheadScene;

/* Eight rays, each where it begins, a number, and its direction. Which of the panes on its way
 * mirrors a ray is left to chance: a number in [0, 1), or above 1 where it shall pass all of them.
 */
typedef struct Ahead {
    const float *rays[AHEAD_RAYS];
    V8 reach, chance;
    /* out: distances, where there is nothing the reach (of the ground, infinity) */
    V8 ground, mirror, passed; /* of the first pane that mirrors, and of the first that does not */
    I8 plane, pane;            /* pane: six for each box, numbered as its missing ones are */
    I8 near;                   /* the tree must be asked what is before the ground and the pane */
    V8 clear;                  /* the part of the light that panes let through */
} Ahead;

#endif
