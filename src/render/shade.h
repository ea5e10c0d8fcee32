/* What becomes of light where paths meet something, for eight of them side by side. */
#ifndef RENDER_SHADE_H
#define RENDER_SHADE_H

#include "render/trace_path.h"

/* Samples of pixels of one row, and where their paths start. */
typedef struct StartJob {
    const View *view;
    uint32_t hash; /* of the picture */
    uint32_t row, columns[TRACE_TOGETHER], samples[TRACE_TOGETHER];
    TraceStart *starts; /* out: eight */
} StartJob;

/* How paths go on from what is opaque. */
typedef struct TurnJob {
    TracePath *paths[TRACE_TOGETHER];
    const TraceHit *hits[TRACE_TOGETHER];
    PathTurn turns[TRACE_TOGETHER]; /* out */
} TurnJob;

/* Light of one of the lights that would arrive at the paths' beginnings, were nothing in its way.
 */
typedef struct LitJob {
    TracePath *paths[TRACE_TOGETHER];
    const TraceHit *hits[TRACE_TOGETHER];
    const PathTurn *turns[TRACE_TOGETHER]; /* normal and coat; of a puff, no coat */
    const Light *light;
    /* out */
    float ways[TRACE_TOGETHER][8]; /* to the light: as rays begin */
    float lights[TRACE_TOGETHER][4];
    float reaches[TRACE_TOGETHER];
} LitJob;

#endif
