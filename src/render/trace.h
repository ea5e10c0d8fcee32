/* Ray tracing: paths of light through liquids and glass, around shapes, over the ground.
 *
 * Places are relative to the eye, along the world's axes. Needs Embree (trace_scene.c). */
#ifndef RENDER_TRACE_H
#define RENDER_TRACE_H

#include "render/backdrop.h"

typedef enum TraceMatter {
    TRACE_NOTHING, /* the sky */
    TRACE_LIQUID,  /* what is behind the surface refracts and absorbs light */
    TRACE_GLASS,   /* a thin pane: mirrors a little, lets the rest through */
    TRACE_SOLID    /* dull, with a glossy coat */
} TraceMatter;

/* What a ray meets first. */
typedef struct TraceHit {
    TraceMatter matter;
    float distance;                  /* m along the ray */
    float place[3];                  /* relative to the eye */
    float normal[3];                 /* of the true surface, outward; unit */
    float smooth[3];                 /* the normal that light sees */
    float color[3];                  /* of a solid */
    float roughness, gloss;          /* of a solid's coat */
    float refraction, absorption[3]; /* of a liquid: index; 1/m */
} TraceHit;

typedef struct TraceRay {
    float origin[3], direction[3]; /* unit */
} TraceRay;

/* What there is to meet. */
typedef struct TraceScene TraceScene;

/* Everything the tracer looks at, made ready by the renderer. */
typedef struct TraceInput {
    const mote_RenderDef *def;
    const mote_Frame *frame;
    const View *view;
    const Backdrop *backdrop;
    const RenderSolids *solids;
    const Lights *lights;
    const SplatSource *sources; /* of the frame's systems */
} TraceInput;

/* MOTE_UNAVAILABLE in a build without Embree. */
mote_Status trace_scene_open(const TraceInput *input, Arena *arena, TraceScene **scene,
                             mote_Error *error);
void trace_scene_close(TraceScene *scene);

/* The first thing on the ray within `reach`. */
void trace_scene_cast(const TraceScene *scene, const TraceRay *ray, float reach, TraceHit *hit);

/* Light that arrives at the eye along a ray, for sample number `sample` of a pixel. */
void trace_path(const TraceInput *input, const TraceScene *scene, const TraceRay *ray,
                uint32_t pixel, uint32_t sample, float light[3]);

/* The whole picture, before exposure and tone. */
mote_Status trace_picture(const TraceInput *input, mote_Image *image, mote_Error *error);

#endif
