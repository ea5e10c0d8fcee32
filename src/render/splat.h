/* Splats: particles as footprints on the picture, and the tiles they are blended into.
 *
 * A footprint is a profile w(q), 0 <= w <= 1, zero for q >= 1, of a form q(pixel):
 *   round    q = |U d|^2                      d: from the centre to the pixel's middle
 *   ellipse  q = (m along)^2 + across^2       along = U . d, across = U x d, m < 1
 *   capsule  q = max(|along| - m, 0)^2 + across^2
 * U points along the motion and has length 1 / (reach of the profile in pixels). */
#ifndef RENDER_SPLAT_H
#define RENDER_SPLAT_H

#include "base/isa.h"
#include "render/view.h"

#define DISC_EDGE 0.70710678f /* px from a disc's edge to where its coverage is surely 0 */

enum { RUN = 8 }; /* pixels that are blended at a time, at multiples of 8 */

typedef enum Profile { PROFILE_GAUSSIAN, PROFILE_SOFT, PROFILE_DISC, PROFILE_TENT } Profile;
typedef enum Form { FORM_ROUND, FORM_ELLIPSE, FORM_CAPSULE } Form;

/* What is copied into the tiles. */
typedef struct Splat {
    float x, y;     /* px, centre */
    float depth;    /* m along the view, positive: its bits sort like its value */
    uint32_t id;    /* low half of the particle's id: order at equal depths */
    float u[2];     /* 1/px, see above */
    float m;        /* see above */
    float alpha;    /* opacity at the peak; 0 for added light */
    float color[3]; /* linear light at the peak */
    uint32_t shape; /* half width and half height in quarter pixels, profile, form */
} Splat;

_Static_assert(sizeof(Splat) == 48, "splats are copied per tile: keep them small");

enum { EXTENT_BITS = 14, EXTENT_MOST = (1 << EXTENT_BITS) - 1 };

static inline uint32_t shape_pack(uint32_t half_width, uint32_t half_height, Profile profile,
                                  Form form)
{
    return half_width | half_height << EXTENT_BITS | (uint32_t)profile << 28 | (uint32_t)form << 30;
}

static inline Profile shape_profile(uint32_t shape)
{
    return (Profile)(shape >> 28 & 3);
}

static inline Form shape_form(uint32_t shape)
{
    return (Form)(shape >> 30);
}

typedef struct Bounds {
    int x0, y0, x1, y1; /* px; empty when x0 >= x1 or y0 >= y1 */
} Bounds;

/* The pixels whose middle is within `extent` quarters of `center`, in [limit[0], limit[1]). */
static inline void extent_interval(float center, uint32_t extent, const int limit[2], int out[2])
{
    float half = extent == EXTENT_MOST ? 1e8f : 0.25f * (float)extent;
    float low = center - half + 0.5f, high = center + half + 0.5f;
    out[0] = low > (float)limit[0] ? low < (float)limit[1] ? (int)low : limit[1] : limit[0];
    out[1] = high < (float)limit[1] ? high > (float)limit[0] ? (int)high : limit[0] : limit[1];
}

/* The pixels of a box that a splat may touch. */
static inline Bounds splat_bounds(const Splat *splat, Bounds box)
{
    int x[2], y[2];
    extent_interval(splat->x, splat->shape & EXTENT_MOST, (int[2]){box.x0, box.x1}, x);
    extent_interval(splat->y, splat->shape >> EXTENT_BITS & EXTENT_MOST, (int[2]){box.y0, box.y1},
                    y);
    return (Bounds){x[0], y[0], x[1], y[1]};
}

/* Narrows [x[0], x[1]) to where a streak crosses the rows y0 to y1 (px, edges). */
static inline void streak_span(const Splat *s, float y0, float y1, int x[2])
{
    if (shape_form(s->shape) == FORM_ROUND || !(s->u[1] * s->u[1] > 1e-12f)) return;
    /* |across| < 1 with across = U.x dy - U.y dx */
    float slope = s->u[0] / s->u[1], reach = 1 / (s->u[1] > 0 ? s->u[1] : -s->u[1]);
    float a = slope * (y0 - s->y), b = slope * (y1 - s->y);
    float low = s->x + (a < b ? a : b) - reach - 1, high = s->x + (a < b ? b : a) + reach + 1;
    if (low >= (float)x[1] || high <= (float)x[0]) {
        x[1] = x[0];
        return;
    }
    if (low > (float)x[0]) x[0] = (int)low;
    if (high < (float)x[1]) x[1] = (int)high + 1 < x[1] ? (int)high + 1 : x[1];
}

/* ---- looks, made ready ---- */

/* A row of the kernels that users can name. */
typedef struct KernelRow {
    mote_Row head;
    Profile profile;
    float deviation; /* standard deviation of the footprint per radius */
    float reach;     /* where the profile ends, in standard deviations */
    float line;      /* integral along a line through the middle, in standard deviations */
} KernelRow;

enum { MOST_PLANES = 8 };

typedef struct Plane {
    float normal[3], offset; /* unit; offset measured from the view's `from` */
} Plane;

struct ProjectJob;

/* A system's rows and look. Planes that are NULL have a constant value. */
typedef struct Source {
    const mote_real *position[3], *velocity[3], *radius, *color[3], *opacity;
    const float *light[3]; /* per row: factor on the colour, from lights and shadows; NULL: 1 */
    const uint64_t *id;
    size_t count;
    const KernelRow *kernel;
    float size, brightness, occlusion; /* occlusion 1: over, 0: added light */
    bool blur;
    bool lit;                     /* by the lights */
    bool surface, linked, hidden; /* triangles and links are drawn; particles are not */
    float scatter;                /* Henyey and Greenstein's g */
    /* Not NULL: rows are lines, and this makes their splats. */
    size_t (*project)(const struct ProjectJob *job, size_t first, size_t count, struct Splat *out);
    const struct Lines *lines;
} Source;

typedef struct ProjectJob {
    const View *view;
    const Source *source;
    const Plane *planes; /* hide what is on their far side */
    size_t plane_count;
} ProjectJob;

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
    Bounds box; /* of the picture */
    int stride;
    float *planes;   /* [row][4][stride] */
    float *behind;   /* [row][stride]: transmittance of closed runs */
    uint8_t *closed; /* [row][stride / RUN]: runs that nothing can change visibly */
    int open;        /* runs that are not closed */
    const View *view;
    DepthPlane depth; /* splats fade where they come near to it */
} Tile;

static inline float *tile_row(const Tile *tile, int y)
{
    return tile->planes + (size_t)(y - tile->box.y0) * 4 * (size_t)tile->stride;
}

typedef struct RenderKernels {
    /* Projects rows first.. of the source, writes those that can be seen, returns their count. */
    size_t (*project)(const ProjectJob *job, size_t first, size_t count, Splat *out);
    /* Blends splats[order[i] as its low half] from front to back. */
    void (*blend)(Tile *tile, const Splat *splats, const uint64_t *order, size_t count);
    /* sRGB codes 0..1 of linear values; in and out may be the same. */
    void (*encode)(const float *linear, float *code, size_t count);
} RenderKernels;

const RenderKernels *render_kernels_of(Isa isa);
const RenderKernels *render_kernels(void); /* of this machine */

/* NULL when there is none of that name. */
const KernelRow *kernel_row(const char *name);
const KernelRow *kernel_rows(size_t *count);

#endif
