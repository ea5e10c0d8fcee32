/* Solids: the bounded shapes of a frame, ready for rays from the eye. */
#ifndef RENDER_SOLID_H
#define RENDER_SOLID_H

#include "base/memory.h"
#include "geometry/posed.h"
#include "render/splat.h"

#define NO_SOLID       ((size_t)-1)
#define SOLID_FARTHEST 1e7f /* m: farther away is endless */

/* A ray at a moment of the shutter becomes one at its middle: turn, then shift. */
typedef struct SolidMoment {
    float turn[3][3], shift[3]; /* m */
    float middle[3];            /* m: of the ball around the solid, at the moment */
} SolidMoment;

enum { MOMENTS = 64, MID_SHUTTER = -1 };

/* normal . x = offset, relative to the eye; the solid is where the left side is less. */
typedef struct SolidPlane {
    float normal[3], offset;
} SolidPlane;

typedef struct RenderSolid {
    PosedShape shape;        /* its pose relative to the eye */
    float middle[3], radius; /* m: a ball around it */
    float ball;              /* m: > 0: it is this ball itself */
    float front;             /* m along the view: no part of it is nearer to the eye */
    SolidPlane *planes;      /* it is behind all of them */
    size_t plane_count;      /* 0: none are known */
    bool flat;               /* and it is all that is behind them */
    float color[3], roughness, gloss;
    const mote_Image *texture;  /* instead of the colour; NULL: none */
    float texture_size;         /* m */
    int checker;                /* squares across a copy; 0: none */
    float color2[3];            /* of every other square */
    const mote_Mesh *mesh;      /* that says where a texture lies; NULL: none */
    bool drawn;                 /* else it only casts shadows */
    bool hollow;                /* the inside of a container: it has edges, and no shadow */
    bool wire;                  /* edges are drawn */
    bool glass, open, metal;    /* see mote_ShapeLook */
    float refraction, frost;    /* of glass */
    SplatBounds box;            /* px that it may cover while the shutter is open */
    const SolidMoment *moments; /* MOMENTS of them; NULL: it stands still */
    float gap;                  /* m: between four even moments, half of the way */
    float motion;               /* px that no point of it moves more than, about */
    int passes;                 /* 2 or 4: sets of samples that its motion needs */
} RenderSolid;

typedef struct RenderSolids {
    const View *view;
    RenderSolid *items;
    size_t count;
    const SplatPlane *planes; /* the ground, for contact shadows on solids */
    size_t plane_count;
    /* The solids that may shade what is asked about: all, or those near a tile's ground. */
    const size_t *shading;
    size_t shading_count;
} RenderSolids;

/* Whether a solid can touch points within `radius` of `middle`: as a contact shadow, or in the way
 * to a sun that is `slope` wide. */
bool solid_contacts(const RenderSolid *solid, const float middle[3], float radius);
bool solid_shades(const RenderSolid *solid, const float middle[3], float radius,
                  const float toward[3], float slope);

/* The colour that a shape of this name is drawn in, linear RGB. */
void solid_color(const mote_RenderDef *def, const char *name, float color[3]);

/* The box around a shape in the world; false when it has no end. */
bool frame_shape_bounds(const mote_FrameShape *shape, Aabb *box);

/* Where a ray is inside a ball, as lengths of its direction; false when it misses. */
bool solid_ball_span(const float middle[3], float radius, const float origin[3],
                     const float direction[3], float span[2]);

/* Pixels between two corners of the screen, with a border. */
SplatBounds solid_pixels(const View *view, const float low[2], const float high[2]);

/* Pixels that a ball may cover. */
SplatBounds solid_ball_box(const View *view, const float middle[3], float radius);

/* Notes how the solid moves while the shutter is open. False when out of memory. */
bool solid_move(RenderSolid *solid, const mote_FrameShape *shape, const View *view, Arena *arena);

/* False when no ray within a pixel of this one can meet the solid while the shutter is open. */
bool solid_near_ray(const RenderSolid *solid, const View *view, const float origin[3],
                    const float direction[3]);

/* Everything but planes. A solid around the eye is not drawn. */
mote_Status solids_make(const mote_RenderDef *def, const mote_Frame *frame, const View *view,
                        Arena *arena, RenderSolids *solids, mote_Error *error);

typedef struct SolidHit {
    size_t solid; /* NO_SOLID: none */
    float depth;  /* along the view */
    float normal[3];
    int moment; /* of the shutter; MID_SHUTTER too where the solid stands still */
} SolidHit;

/* Takes over a solid that is hit before hit->depth, on a ray whose direction has depth 1, at a
 * moment or at MID_SHUTTER. */
void solids_cast(const RenderSolids *solids, size_t which, const float origin[3],
                 const float direction[3], int moment, SolidHit *hit);

/* Signed distance of a point. */
float solid_distance(const RenderSolid *solid, const float place[3]);

/* ---- solid_planes.c ---- */

/* Finds the planes, and fewer pixels. False when out of memory. */
bool solid_find_planes(RenderSolid *solid, const View *view, Arena *arena);

/* Where a ray enters a flat solid before hit->depth. */
bool solid_planes_cast(const RenderSolid *solid, const float origin[3], const float direction[3],
                       SolidHit *hit);

/* True when a ray stays in front of the planes as far as it reaches. */
bool solid_planes_miss(const RenderSolid *solid, const float origin[3], const float direction[3],
                       float reach);

/* No more than the signed distance. */
float solid_planes_distance(const RenderSolid *solid, const float place[3]);

/* True when all cones of light of this slope from within `radius` of a place pass the solid; true
 * when the cone from a place does not pass at all. */
bool solid_planes_clear(const RenderSolid *solid, const float place[3], float radius,
                        const float toward[3], float slope, float reach);
bool solid_planes_dark(const RenderSolid *solid, const float place[3], const float toward[3],
                       float slope, const float span[2]);

/* A point that light is to reach, and the solid that it is a point of, or NO_SOLID. Solids stand as
 * in the middle of the shutter: `own` is where this one has the point then. */
typedef struct SolidPoint {
    const float *place, *own;
    size_t solid;
} SolidPoint;

/* Where the solid that was hit has the place in the middle of the shutter. */
void solid_own_place(const RenderSolids *solids, const SolidHit *hit, const float place[3],
                     float own[3]);

/* What part of a cone of light of this slope along a ray passes the solids. reach: where the light
 * is. */
float solids_let_through(const RenderSolids *solids, const SolidPoint *from, const float toward[3],
                         float slope, float reach);

/* What part of the light from all around a surface reaches it. */
float solids_openness(const RenderSolids *solids, const float place[3], const float normal[3],
                      size_t without);

#endif
