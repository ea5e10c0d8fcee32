/* Splats: particles as footprints on the picture, and the tiles they are blended into.
 *
 * A footprint is a weight 0 <= w <= 1 for each pixel, exactly 0 farther than `reach` from where the
 * particle is; what moves while the shutter is open is a streak: the same, integrated along the
 * motion in closed form. */
#ifndef RENDER_SPLAT_H
#define RENDER_SPLAT_H

#include "base/isa.h"
#include "base/lanes.h"
#include "render/deflate.h"
#include "render/view.h"

#include <string.h>

#define DISC_EDGE  0.70710678f /* px from a disc's edge to where its coverage is surely 0 */
#define DISC_LARGE 16.0f       /* px: radius from which the edge is straight within a pixel */
#define DISC_SHORT 4.0f        /* px: motion for which it is not, even on average */

enum { RUN = 8 }; /* pixels that are blended at a time, at multiples of 8 */

typedef enum Profile {
    PROFILE_GAUSSIAN, /* sampled at the pixel's middle */
    PROFILE_FINE,     /* a Gaussian of at most a run, integrated over the pixel */
    PROFILE_SOFT,
    PROFILE_DISC,
    PROFILE_TENT, /* a disc much smaller than a pixel: its area, shared by four pixels */
    PROFILE_SPHERE,
    PROFILE_BAR,    /* streaks only: a rectangle with sharp edges */
    PROFILE_SPRITE, /* a cell of a sheet; always with a second slot, see kernels/sprite.h */
    PROFILE_COUNT
} Profile;

/* What is copied into the tiles: one slot, and for streaks a second one. */
typedef struct Splat {
    float x, y;        /* px, centre */
    float depth;       /* m along the view, positive: its bits sort like its value */
    uint32_t id;       /* low half of the particle's id: order at equal depths */
    float reach;       /* px, see above */
    float alpha;       /* factor on the weight: opacity at the peak of profiles that peak at 1 */
    uint16_t color[3]; /* linear light, in steps of 2^(exponent - 143) */
    uint8_t exponent;
    uint8_t kind; /* profile, KIND_STREAK, KIND_ADDED */
} Splat;

/* The second slot of a streak. along = U . d, across = U x d, d from the centre to the pixel. */
typedef struct Streak {
    float u[2];      /* unit vector of the motion */
    float half;      /* px, half of the way */
    float scale;     /* factor on the weight, which is then cut at 1 */
    float extent[2]; /* px, half width and height */
    float sharp[2];  /* 1/px: 1 / deviation along and across, of Gaussians */
} Streak;

_Static_assert(sizeof(Splat) == 32 && sizeof(Streak) == 32, "slots are copied: keep them small");

#define EXTENT_SLACK 0.01f /* px, for rounding: what is farther away has exactly no weight */
#define SMALL_REACH  (0.5f * RUN - EXTENT_SLACK) /* px: of splats that fit a run */
#define FINE_SHARED  (SMALL_REACH - 0.5f)        /* px: see bell_pixels */

/* The soft profile is e^2 (1 - m + m e^2) with e = 1 - d^2 / reach^2; KIND_MIX counts m in eighths,
 * and MIX_SMALL of them stand for e^6. */
enum { KIND_PROFILE = 7, KIND_STREAK = 8, KIND_ADDED = 16, KIND_MIX = 32, MIX_SMALL = 7 };
#define SOFT_SHORT 8.0f /* px: motion that soft profiles average over moments */

static inline Profile splat_profile(const Splat *splat)
{
    return (Profile)(splat->kind & KIND_PROFILE);
}

static inline const Streak *splat_streak(const Splat *splat)
{
    return (const Streak *)(const void *)(splat + 1);
}

static inline size_t splat_slots(const Splat *splat)
{
    return splat->kind & KIND_STREAK ? 2 : 1;
}

typedef struct SplatBounds {
    int x0, y0, x1, y1; /* px; empty when x0 >= x1 or y0 >= y1 */
} SplatBounds;

static inline bool bounds_empty(SplatBounds b)
{
    return b.x0 >= b.x1 || b.y0 >= b.y1;
}

/* Bounds as a vector that others are held against. */
typedef struct Limits {
    V4 low, high; /* px: x, y, x, y */
} Limits;

static inline Limits limits_make(SplatBounds b)
{
    float x0 = (float)b.x0, y0 = (float)b.y0, x1 = (float)b.x1, y1 = (float)b.y1;
    return (Limits){{x0, y0, x0, y0}, {x1, y1, x1, y1}};
}

/* Within limits; NaN gives the lower one. */
static inline V4 limited(V4 x, const Limits *limits)
{
#if defined(__SSE2__)
    return (V4)_mm_min_ps(_mm_max_ps((__m128)x, (__m128)limits->low), (__m128)limits->high);
#else
    I4 above = x > limits->low;
    x = (V4)(((I4)x & above) | ((I4)limits->low & ~above));
    I4 below = x < limits->high;
    return (V4)(((I4)x & below) | ((I4)limits->high & ~below));
#endif
}

/* The pixels within limits whose middle is less than the splat's extent from its centre. */
static inline SplatBounds splat_bounds(const Splat *s, const Limits *limits)
{
    float ex = s->reach + EXTENT_SLACK, ey = ex;
    if (s->kind & KIND_STREAK) ex = splat_streak(s)->extent[0], ey = splat_streak(s)->extent[1];
    V4 center = {s->x, s->y, s->x, s->y}, extent = {-ex, -ey, ex, ey};
    I4 pixels = __builtin_convertvector(limited(center + extent + 0.5f, limits), I4);
    SplatBounds bounds;
    memcpy(&bounds, &pixels, sizeof bounds);
    return bounds;
}

/* How a streak crosses a row of pixels: |across| < reach with across = U.x dy - U.y dx, and a
 * little more, for rounding. */
typedef struct Slant {
    float x, y, slope, reach; /* px; reach along the row */
} Slant;

static inline Slant slant_make(const Splat *s)
{
    const float *u = splat_streak(s)->u;
    if (!(u[1] * u[1] > 1e-12f)) return (Slant){s->x, s->y, 0, 1e9f};
    float inverse = 1 / u[1], wide = s->reach * inverse;
    return (Slant){s->x, s->y, u[0] * inverse, (wide > 0 ? wide : -wide) + 0.01f};
}

typedef struct Span {
    int begin, end;
} Span;

/* The pixels between first and last of a row dy below the streak's centre. */
static inline Span slant_span(const Slant *s, float dy, float first, float last)
{
    float middle = s->x + s->slope * dy + 0.5f, low = middle - s->reach, high = middle + s->reach;
    low = low > first ? low : first, high = high > first ? high : first;
    return (Span){(int)(low < last ? low : last), (int)(high < last ? high : last)};
}

/* ---- looks, made ready ---- */

/* A row of the kernels that users can name. Every profile has the area 2 pi deviation^2. */
typedef struct ProfileRow {
    mote_Row head;
    Profile form;
    float deviation; /* standard deviation of the footprint per radius */
    bool liquid;     /* no splats: a surface around all of them */
} ProfileRow;

/* Pictures of sprites, see sheet.h. */
typedef struct Sheet Sheet;
typedef struct SheetList {
    const Sheet *items;
    size_t count;
} SheetList;

enum { MOST_PLANES = 8 };

typedef struct SplatPlane {
    float normal[3], offset; /* unit; offset measured from the view's `from` */
} SplatPlane;

struct ProjectJob;

/* A system's rows and look. Planes that are NULL have a constant value. */
typedef struct SplatSource {
    const mote_real *position[3], *velocity[3], *radius, *color[3], *opacity;
    const float *light[3]; /* per row: factor on the colour, from lights and shadows; NULL: 1 */
    const mote_real *cell, *turn; /* of sprites: number of the cell; degrees */
    const Sheet *sheet;           /* NULL: no sprites */
    const mote_Image *texture;    /* of triangles; NULL: none */
    int checker;                  /* squares of theirs; 0: none */
    float color2[3];              /* of every other square */
    const mote_real *uv[2];       /* places of corners on them */
    const uint64_t *id;
    size_t count;
    const ProfileRow *profile;
    float size, brightness, occlusion; /* occlusion 1: over, 0: added light */
    bool blur;
    bool lit;                        /* by the lights */
    bool surface, linked, hidden;    /* triangles and links are drawn; particles are not */
    bool around;                     /* the surfaces around its particles are drawn */
    float scatter;                   /* Henyey and Greenstein's g */
    float refraction, absorption[3]; /* of the surfaces: index; 1/m */
    bool opaque;                     /* light does not enter them */
    /* Not NULL: what makes the splats of rows first.., at most two slots each, and returns how many
     * slots it has written. */
    size_t (*project)(const struct ProjectJob *job, size_t first, size_t count, Splat *out,
                      uint32_t *cells);
    const struct Lines *lines;
} SplatSource;

typedef struct ProjectJob {
    const View *view;
    const SplatSource *source;
    const SplatPlane *planes; /* hide what is on their far side */
    size_t plane_count;
    int shift, columns; /* of the tiles: logarithm of the side in px, number in a row */
} ProjectJob;

/* Where a splat goes: 4 x the tile of its upper left pixel, + 1 when it reaches the next one to the
 * right, + 2 when it reaches the one below. CELL_ASK: not known, or more than that. */
#define CELL_ASK UINT32_MAX

/* A straight line between two points of the picture. */
typedef struct Stroke {
    float ends[2][2]; /* px */
    float depth;      /* m */
    float width;      /* px; thinner than a pixel: fainter */
    float alpha, color[3];
    uint32_t id;
    bool added; /* light, that hides nothing */
} Stroke;

/* Writes the slots of a line and returns their number; 0 for what cannot be seen. */
size_t stroke_splat(const View *view, const Stroke *stroke, Splat *out);

/* ---- what is around the splats ---- */

/* Depth along the view, in m, of the opaque scene at the middle of each pixel; infinite where there
 * is none. Rows are `stride` floats apart, at least the picture's width + RUN. */
typedef struct DepthPlane {
    const float *z; /* NULL: there is no opaque scene */
    size_t stride;
} DepthPlane;

enum { MOST_LIGHTS = 8 };

/* Light on opaque spheres: color * (ambient + sum of max(0, normal . toward) * light). */
typedef struct Shading {
    float ambient[3];
    struct {
        float toward[3]; /* unit vector to the light, along the view's axes: right, down, forward */
        float color[3];
    } lights[MOST_LIGHTS];
    int count;
} Shading;

/* ---- tiles ---- */

/* Rows of red, green, blue and transmittance, each `stride` floats: size and a run of padding. */
typedef struct Tile {
    SplatBounds box; /* of the picture */
    Limits limits;
    int stride;
    float *planes;   /* [row][4][stride] */
    float *behind;   /* [row][stride]: transmittance of closed runs */
    uint8_t *closed; /* [row][stride / RUN]: runs that nothing can change visibly */
    int open;        /* runs that are not closed */
    float *z;        /* [row][stride]: depth of what is opaque; NULL: nothing is */
    float *solid;    /* [row][4][stride]: colour and 0 or 1, of opaque spheres; NULL: none */
    const View *view;
    const Shading *shading;
    const SheetList *sheets;
} Tile;

static inline float *tile_row(const Tile *tile, int y)
{
    return tile->planes + (size_t)(y - tile->box.y0) * 4 * (size_t)tile->stride;
}

/* Colour steps along a row of pixels, from the planes to the image. */
typedef struct StoreJob {
    const float *planes; /* a row of the tile */
    const float *closed; /* a row of tile->behind */
    const float *solid;  /* a row, or NULL */
    int stride;
    const float (*backdrop)[4]; /* colours and alpha of what is behind all splats; NULL: 0 */
    int count;
} StoreJob;

/* How linear values become integers. */
typedef struct Coding {
    float most;   /* code of 1 */
    float dither; /* 1: a triangular noise of one step; 0: none */
    bool alpha;   /* every fourth value is not light: linear, and not dithered */
    uint32_t row; /* of the picture: what the noise depends on, with the place in the row */
} Coding;

/* A row of `width` pixels, and the two rows of half the size that are nearest to it. */
typedef struct MixJob {
    const float *near, *far;
    int width;
    float weight;
} MixJob;

/* Slots that splat_project may touch for a number of rows. */
static inline size_t project_slots(size_t rows)
{
    return 2 * rows + 1;
}

struct GroundRow;
struct AheadScene;
struct Ahead;
struct AverageJob;
struct LayerSums;
struct GuideSums;
struct LayerWeights;
struct StartJob;
struct TurnJob;
struct LitJob;

/* Where bits go: whole bytes are at `at` already, `count` < 8 of the next one are held. */
typedef struct BitWriter {
    uint8_t *at;
    uint64_t held;
    uint32_t count;
} BitWriter;

typedef struct RenderKernels {
    /* Projects rows first.. of the source, writes those that can be seen and where they go (cells
     * of first slots), returns their slots. */
    size_t (*project)(const ProjectJob *job, size_t first, size_t count, Splat *out,
                      uint32_t *cells);
    /* Opaque spheres among splats[order[i] as its low half], into tile->z and tile->solid. */
    void (*solid)(Tile *tile, const Splat *const *splats, const uint64_t *order, size_t count);
    /* Blends them and all others from front to back. */
    void (*blend)(Tile *tile, const Splat *const *splats, const uint64_t *order, size_t count);
    /* Writes count pixels of RGBA to multiples of 16 bytes, past the caches: stores_end() must
     * follow before another thread reads them. */
    void (*store)(const StoreJob *job, float *out);
    /* Sky and one plane along a row of pixels. */
    void (*ground)(struct GroundRow *row);
    /* What eight rays have before them. */
    void (*ahead)(const struct AheadScene *scene, struct Ahead *rays);
    /* Layers of a traced picture that are alike: see average.h. */
    void (*average)(const struct AverageJob *job, struct LayerSums *out);
    void (*guide)(const struct AverageJob *job, struct GuideSums *out);
    void (*weigh)(const struct AverageJob *job, struct LayerWeights *out);
    /* Where eight paths start. */
    void (*start)(const struct StartJob *job);
    /* How eight paths go on from what is opaque, and what they get straight from a light. */
    void (*turn)(struct TurnJob *job);
    void (*lit)(struct LitJob *job);
    /* Codes of a row's values as bytes, or as two bytes each, the high one first. */
    void (*encode_row)(const float *values, size_t count, const Coding *coding, uint8_t *out);
    /* One of PNG's filters and then the row of n bytes, n + 1 in all; `step` bytes before `row` are
     * 0, above NULL: there is no row above. */
    void (*filter_row)(const uint8_t *row, const uint8_t *above, size_t n, size_t step,
                       uint8_t *out);
    /* Adler-32 (RFC 1950). */
    uint32_t (*adler)(const uint8_t *bytes, size_t size);
    /* The codes of bytes, bit by bit from the lowest on; see kernels/png.c. */
    BitWriter (*put_literals)(BitWriter to, const ByteCodes *codes, const uint8_t *bytes,
                              size_t size);
    /* See kernels/finish.c. */
    void (*shrink_row)(const float *const rows[4], int width, float *spare, float *out);
    void (*mix_row)(const MixJob *job, float *spare, float *out);
    void (*scale_row)(float *rgba, size_t values, float factor);
    void (*film_row)(float *rgba, size_t values);
    void (*natural_row)(float *rgba, size_t values);
} RenderKernels;

/* After `store`. */
static inline void stores_end(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

const RenderKernels *render_kernels_of(Isa isa);
const RenderKernels *render_kernels(void); /* of this machine */

/* NULL when there is none of that name. */
const ProfileRow *profile_row(const char *name);
const ProfileRow *profile_rows(size_t *count);

#endif
