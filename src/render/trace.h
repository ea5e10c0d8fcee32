/* Ray tracing: paths of light through everything that a frame holds.
 *
 * Places are relative to the eye, along the world's axes. Needs Embree (trace_tree.h). */
#ifndef RENDER_TRACE_H
#define RENDER_TRACE_H

#include "render/backdrop.h"
#include "render/line.h"
#include "render/trace_film.h"
#include "render/trace_sky.h"

typedef enum TraceMatter {
    TRACE_NOTHING, /* the sky */
    TRACE_LIQUID,  /* what is behind the surface refracts and absorbs light */
    TRACE_GLASS,   /* a thin pane: mirrors a little, lets the rest through */
    TRACE_SOLID,   /* dull, with a glossy coat */
    TRACE_METAL,   /* mirrors in its colour */
    TRACE_PUFF,    /* a particle of smoke or dust: sends light on in all directions */
    TRACE_PAINT    /* what shows its colour in any light: unlit particles, lines */
} TraceMatter;

#define NO_WISP  UINT32_MAX
#define FAR_AWAY 1e8f

/* What a ray meets first. Four numbers at a time are what kernels load. */
typedef struct TraceHit {
    float place[3], distance;        /* relative to the eye; m along the ray */
    float normal[3], roughness;      /* of the true surface, outward, unit; of a solid's coat, a
                                        metal, or solid glass */
    float smooth[3], gloss;          /* the normal that light sees */
    float color[3], scatter;         /* of solids, puffs and paint; of a puff, Henyey and
                                        Greenstein's g */
    float absorption[3], refraction; /* of a liquid: 1/m; index */
    TraceMatter matter;
    uint32_t wisp; /* number of the puff; NO_WISP: it is none */
    bool passed;   /* panes, on the way there */
    bool mirrors;  /* a pane, by chance */
    bool card;     /* a sprite, where more of it is opaque than clear */
} TraceHit;

/* The first eight numbers lie as in rays of Embree's. */
typedef struct TraceRay {
    float origin[3], start; /* m along the ray where it begins: 0 */
    float direction[3];     /* unit */
    float moment;           /* 0 to 1, from the shutter's opening to its closing */
    uint32_t without;       /* the puff that it comes from; NO_WISP: none */
} TraceRay;

enum { TRACE_TOGETHER = 8 }; /* rays that are asked for side by side */

/* What there is to meet. */
typedef struct TraceScene TraceScene;

/* What of it need not be asked for. */
typedef struct TraceParts {
    bool panes; /* of tanks */
    bool mist;  /* particles that hide what is behind */
    bool cards; /* some of them are sprites */
    bool glow;  /* particles that add light */
    bool lamps; /* some of these are looked for as lights */
} TraceParts;

/* Whether light ends there, or is sent on from where it came. */
static inline bool trace_opaque(TraceMatter matter)
{
    return matter == TRACE_SOLID || matter == TRACE_METAL;
}

/* Everything the tracer looks at, made ready by the renderer. */
typedef struct TraceInput {
    const mote_RenderDef *def;
    const mote_Frame *frame;
    const View *view;
    const Backdrop *backdrop;
    const RenderSolids *solids;
    const Lights *lights;
    const SplatSource *sources; /* of the frame's systems */
    const PictureLines *lines;
    const TraceSky *sky; /* where it is bright */
    const RenderKernels *kernels;
    const struct PhotonMap *photons; /* light that was bent; NULL: it goes straight on */
} TraceInput;

/* MOTE_UNAVAILABLE in a build without Embree. */
mote_Status trace_scene_open(const TraceInput *input, Arena *arena, TraceScene **scene,
                             mote_Error *error);
void trace_scene_close(TraceScene *scene);

TraceParts trace_scene_parts(const TraceScene *scene);

/* The first surface on each of some rays, at most TRACE_TOGETHER. Which panes of tanks mirror a ray
 * is left to its chance, a number in [0, 1): it passes the others, and its hit->passed says whether
 * it passed any. With chance 0 the first of them does. */
void trace_scene_meet(const TraceScene *scene, const TraceRay *const rays[], const float chances[],
                      size_t count, TraceHit hits[]);

/* What is left of light on its straight ways through liquids and glass, within their reaches; 0
 * behind what is opaque. At most TRACE_TOGETHER. */
void trace_scene_ways(const TraceScene *scene, const TraceRay *const ways[], const float reaches[],
                      size_t count, float left[][3]);

/* The particle before it that stops the ray, if there is one: by chance, `seed` decides for each of
 * them. */
void trace_scene_cloud(const TraceScene *scene, const TraceRay *ray, uint32_t seed, TraceHit *hit);

/* What part of the light passes the particles along the ray. */
float trace_scene_through(const TraceScene *scene, const TraceRay *ray, float reach);

/* The same by chance, 0 or 1, which is known much sooner in thick smoke. */
float trace_scene_passes(const TraceScene *scene, const TraceRay *ray, float reach, uint32_t seed);

/* The light of glowing particles along the ray, added to `light`; returns how densely rays from
 * there that look for a glow go this way (1/sr). */
float trace_scene_glow(const TraceScene *scene, const TraceRay *ray, float reach, float light[3]);

/* A direction to one of the glows that are looked for, by four numbers in [0, 1). */
bool trace_scene_toward_glow(const TraceScene *scene, const TraceRay *from, const float u[4],
                             float direction[3]);

/* A path's start: sample number `sample` of a pixel; `pixel` is a hash. */
typedef struct TraceSeed {
    uint32_t pixel, sample, pair; /* sample: its bits last first; pair: of choices, the next one */
} TraceSeed;

/* A ray through a pixel, and its choices. */
typedef struct TraceStart {
    TraceRay ray;
    TraceSeed seed;
} TraceStart;

enum { TRACE_WAVE = 32 }; /* most paths that are followed at once */

/* Light that arrives at the eye along rays. */
void trace_paths(const TraceInput *input, const TraceScene *scene, const TraceStart starts[],
                 size_t count, TraceSample found[]);

/* What the eye sees first along rays, with `lit` also the light that comes to it straight from
 * lights. */
void trace_looks(const TraceInput *input, const TraceScene *scene, const TraceStart starts[],
                 size_t count, bool lit, TraceSample found[]);

/* The whole picture, before exposure and tone. */
mote_Status trace_picture(const TraceInput *input, mote_Image *image, mote_Error *error);

#endif
