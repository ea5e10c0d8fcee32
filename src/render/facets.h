/* Facets: triangles between particles, as lit surfaces of two sides. */
#ifndef RENDER_FACETS_H
#define RENDER_FACETS_H

#include "base/memory.h"
#include "render/splat.h"

struct Light;

typedef struct FacetCorner {
    float place[3], normal[3]; /* m, relative to the eye; unit */
    float color[3];
    float uv[2];      /* its place on the paint, across and down */
    float x, y, near; /* px; nearness, see facet_nearness */
    bool seen;        /* before the near plane and finite */
} FacetCorner;

typedef struct Facet {
    uint32_t corners[3];
    uint32_t liquid; /* 0: cloth; else number of the liquid, from 1 */
    uint32_t paint;  /* 0: its corners' colours; else number of the paint, from 1 */
} Facet;

typedef struct FacetLiquid {
    float refraction, absorption[3]; /* index; 1/m */
} FacetLiquid;

typedef struct Facets {
    const View *view;
    FacetCorner *corners;
    Facet *items;
    size_t corner_count, count;
    FacetLiquid *liquids;
    size_t liquid_count;
    struct TexturePaint *paints; /* of systems with a texture or a checker */
    size_t paint_count;
    /* the facets of tile t: list[starts[t]] .. list[starts[t + 1]] */
    uint32_t *starts, *list;
    int tile, columns, rows;
    float low[3], high[3]; /* of the corners, m */
    float cut;             /* m: depth at which those that cross the near plane are cut */
} Facets;

/* Larger where nearer, and affine on the screen: 1 / depth, or -depth without perspective. */
static inline float view_nearness(const View *view, float depth)
{
    return view->orthographic ? -depth : 1 / depth;
}

static inline float view_depth_of(const View *view, float nearness)
{
    return view->orthographic ? -nearness : 1 / nearness;
}

/* The triangles of all systems that are drawn as surfaces. False when out of memory. */
bool facets_make(Facets *facets, const mote_Frame *frame, const SplatSource *sources,
                 const View *view, int tile, Arena *arena);

/* The same without tiles: corners and triangles alone, of a `facets` that has its view. */
bool facets_collect(Facets *facets, const mote_Frame *frame, const SplatSource *sources,
                    Arena *arena);

/* The mean colour of a source's particles: that of surfaces which carry none. */
void facets_surface_color(const SplatSource *source, float color[3]);

/* Where a corner is on the screen. */
void facet_corner_project(const View *view, FacetCorner *corner);

/* Adds the pieces of those that cross the near plane. False when out of memory. */
bool facets_cut(Facets *facets, Arena *arena);

/* Samples of a pixel: places in it, and what is nearest there. */
enum { SAMPLES = 16 };
extern const float sample_places[2][SAMPLES];

typedef struct SampleTile {
    SplatBounds box;
    float *near;      /* [pixel][SAMPLES]: nearness; -infinity: nothing */
    uint32_t *id;     /* [pixel][SAMPLES]: facet + 1; 0: none */
    uint8_t *touched; /* [pixel] */
    float *thick;     /* [pixel]: m of liquid along the view, through its middle */
} SampleTile;

/* Draws the facets of a tile into its samples. */
void facets_draw(const Facets *facets, size_t tile, SampleTile *samples);

/* A facet at a place of the screen: place, normal (not turned to the eye), colour and uv. */
void facet_at(const Facets *facets, size_t facet, float x, float y, FacetCorner *out);

/* Adds the paint of a system and returns its number; 0: it has none. */
uint32_t facets_add_paint(Facets *facets, const SplatSource *source);

/* Gives a place of a facet the colour of its paint, where there is one; `wide`: the mean over a
 * pixel of the eye's. */
void facet_paint(const Facets *facets, size_t facet, FacetCorner *at, bool wide);

/* Turns a smooth normal to the side of the facet that a ray in this direction sees: the facet's own
 * normal decides, because near an outline the smooth one may lean away. */
void facet_turn(const Facets *facets, size_t facet, const float direction[3], float normal[3]);

/* Depth from a light, for shadows. */
typedef struct FacetShadow {
    const struct FacetShadow *liquid; /* of the liquids, which let a part of it through; or NULL */
    float through;                    /* that part */
    float axis[3][3];                 /* the third away from the light */
    float low[2], cell;
    int count;
    float *depth; /* infinite: nothing */
} FacetShadow;

/* Shadows of a sun. *present stays false without facets. False when out of memory. */
bool facet_shadow_make(FacetShadow *shadow, const Facets *facets, const float toward[3],
                       Arena *arena);
float facets_let_through(const FacetShadow *shadow, const float place[3], const float normal[3]);

#endif
