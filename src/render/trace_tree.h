/* The tracer's trees of Embree's, shared by the files that fill them. */
#ifndef RENDER_TRACE_TREE_H
#define RENDER_TRACE_TREE_H

#include "render/ahead.h"
#include "render/facets.h"
#include "render/trace.h"

#include <embree3/rtcore.h>

/* A box, relative to the eye, as rays cross it fastest. */
typedef struct TraceBox {
    V4 columns[3], halves;                /* the axes side by side: their x, y and z; m */
    float middle[3], axis[3][3], half[3]; /* m; half[0] is 0: it is no box */
} TraceBox;

/* The normals at a triangle's corners, of 32767, side by side: those of the surface lie apart. */
typedef struct TraceNormals {
    int16_t at[3][3];
} TraceNormals;

/* What geometry number i of the surfaces is made of. */
typedef struct TraceThing {
    TraceMatter matter;
    const mote_FrameSurface *surface; /* a liquid's */
    const TraceNormals *normals;      /* and of its triangles */
    const Facets *facets;             /* of cloth */
    const SplatSource *source;        /* of balls */
    const uint32_t *rows;             /* ball -> row of the source */
    const Line *lines;                /* of tubes */
    const RenderSolid *solid;
    TraceBox box;              /* the solid, where it is one */
    const SolidMoment *motion; /* the solid's, of the moments; NULL: it stands still */
    float color[3], roughness, gloss, refraction, absorption[3];
    const float *open_to; /* unit vector: the pane on that side is missing; NULL: none is */
} TraceThing;

/* A particle or a piece of a line that light passes in part: from `at` along `way`, that thick. */
typedef struct Wisp {
    float at[3], way[3], radius; /* m; a puff has no length */
    float drift[3];              /* m that it moves while the shutter is open */
    float alpha, color[3];
    float scatter;
    Profile form;
    bool lit;
} Wisp;

typedef struct WispSprite WispSprite;

typedef struct Wisps {
    Wisp *items;
    WispSprite *sprites; /* of those that are some; NULL: none is */
    const View *view;
    float *most; /* their alphas, close together */
    float *sums; /* of the odds that a glow is looked for, before each and after all; NULL: never */
    size_t count;
    RTCScene tree; /* NULL: there are none */
    bool hides;    /* else they add light and hide nothing */
} Wisps;

struct TraceScene {
    const TraceInput *input;
    Arena *arena;
    RTCDevice device;
    RTCScene tree; /* of surfaces */
    AheadScene ahead;
    const RenderKernels *kernels;
    TraceThing *things;
    size_t count;
    bool carried; /* photons carry what is bent: ways to what is no puff end at what bends light */
    Wisps mist, glow; /* that hide what is behind, and that add light */
};

/* Adds a geometry to the surfaces' tree. */
void trace_attach(TraceScene *scene, RTCGeometry geometry, const TraceThing *thing);

/* The pane of a box on this side is missing where it is above all others. */
bool trace_pane_missing(const TraceThing *thing, int axis, int side);
void trace_add_panes(TraceScene *scene, const TraceThing *thing);

/* Lengths of the direction along which a ray is inside, and the axes of the sides that it passes
 * then. */
bool trace_box_cross(const TraceBox *box, const float start[3], const float direction[3],
                     float span[2], int side[2]);

/* What rays have before them within a->reach by a->chance; at most TRACE_TOGETHER. */
void trace_look_ahead(const TraceScene *scene, const TraceRay *const rays[], size_t count,
                      Ahead *ahead);

/* The pane that mirrors ray number `i`. */
void trace_pane_hit(const TraceScene *scene, const TraceRay *ray, const Ahead *ahead, size_t i,
                    TraceHit *hit);

/* Each adds what it is named after. */
mote_Status trace_add_liquids(TraceScene *scene, mote_Error *error);
mote_Status trace_add_cloth(TraceScene *scene, mote_Error *error);
mote_Status trace_add_balls(TraceScene *scene, const SplatSource *source, mote_Error *error);
mote_Status trace_add_tubes(TraceScene *scene, mote_Error *error);
void trace_add_solids(TraceScene *scene);
mote_Status trace_add_wisps(TraceScene *scene, mote_Error *error);

/* A body that lets light through has crossed a ray's straight way to a light. */
void trace_way_cross(struct RTCIntersectContext *way, const TraceThing *thing, float distance,
                     const float normal[3], const float smooth[3]);

/* The same by Embree, of triangles. */
void trace_way_filter(const struct RTCFilterFunctionNArguments *args);

/* Where a corner of a liquid is when the shutter opens and when it closes, and a box around a solid
 * while it is open. */
void trace_liquid_corner(const TraceInput *input, const mote_FrameSurface *s, size_t vertex,
                         float ends[2][3]);
void trace_solid_bounds(const TraceThing *thing, float low[3], float high[3]);

/* Between the corners of a triangle. */
void trace_liquid_hit(const TraceThing *thing, unsigned triangle, const float at[2], TraceHit *hit);
void trace_cloth_hit(const Facets *facets, unsigned triangle, const float at[2], TraceHit *hit);

/* The first wisp that stops the ray before hit->distance, into the hit. */
void trace_wisp_cast(const Wisps *mist, const TraceRay *ray, uint32_t seed, TraceHit *hit);
/* What passes all wisps of the ray, and what light they add to it; `density` as below, where it is
 * not NULL. */
float trace_wisp_sum(const Wisps *wisps, const TraceRay *ray, float reach, float light[3],
                     float *density);

/* Glows as lights: which of them a dull place looks for is left to chance, by their power. How
 * densely directions lie in which glow number `wisp` is looked for (1/sr): `part` is its profile
 * there, `away` how far it is, `along` how far along the ray. */
bool trace_glow_prepare(Wisps *glow, Arena *arena);
float trace_glow_density(const Wisps *glow, uint32_t wisp, float part, float away, float along);
bool trace_glow_choose(const Wisps *glow, const TraceRay *from, const float u[4],
                       float direction[3]);

/* Room for the sprites of so many wisps, where there are some, and the one of a row of a source. */
bool trace_sprites_make(const TraceInput *input, Wisps *wisps, size_t most, Arena *arena);
void trace_sprite_add(const Wisps *wisps, const SplatSource *source, size_t row, size_t wisp);

static inline bool trace_is_sprite(const Wisps *wisps, uint32_t wisp)
{
    return wisps->sprites != NULL && wisps->items[wisp].form == PROFILE_SPRITE;
}

/* How opaque a sprite is where a ray passes it, how far that is, and its colour times that part. */
float trace_sprite_meet(const Wisps *wisps, uint32_t wisp, const struct RTCRay *ray,
                        float *distance, float color[3]);

/* Whether a ray passes the disc around a sprite, how far that is, and the square of how far from
 * its middle. */
bool trace_sprite_disc(const Wisps *wisps, uint32_t wisp, const struct RTCRay *ray, float *distance,
                       float *aside2);

/* Times the mean light of a sprite. */
void trace_sprite_mean(const Wisps *wisps, uint32_t wisp, float color[3]);

/* Times the colour of a sprite at a place of it, at a moment of the shutter; returns how opaque it
 * is. */
float trace_sprite_color(const Wisps *wisps, uint32_t wisp, const float place[3], float moment,
                         float color[3]);

/* The profile of a wisp at the square of d / r, and where it ends, in radii. */
float trace_wisp_profile(Profile form, float q2);
#define WISP_GAUSS_END 1.6f /* where splats cut Gaussians */

/* Whether no wisp stops the ray. */
bool trace_wisp_free(const Wisps *mist, const TraceRay *ray, float reach, uint32_t seed);

/* A ray for Embree. */
static inline struct RTCRay trace_embree_ray(const TraceRay *ray, float reach)
{
    struct RTCRay out = {.tfar = reach, .mask = 0xffffffffu};
    __builtin_memcpy(&out, ray, 8 * sizeof(float));
    return out;
}

#endif
