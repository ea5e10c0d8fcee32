/* Lights, what they meet on their way, and the light that arrives at a point. Places are relative
 * to the eye, along the world's axes. */
#ifndef RENDER_LIGHT_H
#define RENDER_LIGHT_H

#include "render/solid.h"

typedef struct Light {
    bool point;
    float toward[3]; /* unit vector to a sun */
    float at[3];     /* of a point light */
    float color[3];
    float size;                 /* sun: tangent of its radius; point light: m */
    float cosine, across[2][3]; /* sun: of its radius; unit vectors across its direction */
    bool shadows;
} Light;

struct Smoke;
struct FacetShadow;

typedef struct Lights {
    const RenderSolids *solids;
    const struct Smoke *smoke;        /* NULL: none */
    const struct FacetShadow *facets; /* of each light; NULL: there are no triangles */
    Light lights[MOTE_LIGHTS_MOST];
    size_t count;
    float ambient[3];
    float up[3];
    bool plain; /* no lights are given and nothing is in the way: a level ground has light 1 */
} Lights;

/* A point of a surface. */
typedef struct Surfel {
    float place[3], normal[3];
    float toward_eye[3]; /* unit */
    size_t solid;        /* NO_SOLID: of none */
    float own[3];        /* its place, where the solid is in the middle of the shutter */
} Surfel;

mote_Status lights_make(const mote_RenderDef *def, const View *view, const RenderSolids *solids,
                        Lights *lights, mote_Error *error);

/* Direction to the light (unit) and its colour at a place, without anything in the way. */
void light_reach(const Light *light, const float place[3], float toward[3], float color[3]);

/* What part of a light arrives: 0 in full shadow. */
float light_through(const Lights *lights, const Light *light, const Surfel *surfel,
                    const float toward[3]);

/* What a white, dull surface shows, and what highlights add, for gloss 1. */
void light_on(const Lights *lights, const Surfel *surfel, float roughness, float diffuse[3],
              float highlight[3]);

/* The lights as spheres see them, without anything in the way: of point lights, from the middle of
 * the picture. */
Shading shading_make(const Lights *lights, const View *view);

/* Henyey and Greenstein's phase function, times 4 pi: its mean over all directions is 1. cosine:
 * between the directions of the light before and after. */
float phase_of(float cosine, float g);

#endif
