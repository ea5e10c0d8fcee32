/* Where the sky is bright: directions that paths go by more often, as much as light comes from
 * there. */
#ifndef RENDER_TRACE_SKY_H
#define RENDER_TRACE_SKY_H

#include "render/backdrop.h"

typedef struct TraceSky {
    float odds;       /* how often a path is led by the sky; 0: it is much the same everywhere */
    float axis[3][3]; /* the last is up */
    size_t across, rows;
    float *sums; /* of the cells' odds, before each and after all; cells have the same angle */
} TraceSky;

/* False when out of memory. */
bool trace_sky_make(const Backdrop *backdrop, Arena *arena, TraceSky *sky);

/* A direction from two numbers in [0, 1), and how densely such directions lie (1/sr). */
void trace_sky_choose(const TraceSky *sky, const float u[2], float direction[3]);
float trace_sky_density(const TraceSky *sky, const float direction[3]);

#endif
