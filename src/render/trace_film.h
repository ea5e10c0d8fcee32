/* What the paths of a picture bring: light, and what the surfaces are like that the eye sees.
 *
 * A pixel on an edge sees two surfaces in two lights. Their mean is like neither of them, and like
 * no neighbour; so a pixel keeps both apart, as layers. */
#ifndef RENDER_TRACE_FILM_H
#define RENDER_TRACE_FILM_H

#include "base/memory.h"

#include "render/image.h"

#define TRACE_DARKEST 0.02f /* colours are divided by no less */

enum { TRACE_LAYERS_MOST = 4 };

/* What a path brings. */
typedef struct TraceSample {
    float light[4];             /* and how much of it is not the sky behind all */
    float direct[3];            /* of this light, what a dull surface gets straight from lights */
    float own[3];               /* of what glows before the eye itself, and of photons: no noise */
    float albedo[3], normal[3]; /* of what the eye sees first behind
                                   smoke, liquids and panes; light that shines by
                                   itself has the colour 1 */
    float place[3];             /* of it, m from the eye; 0: the sky */
    bool plain;                 /* it is seen directly, not in or through liquids and panes */
} TraceSample;

/* Two kinds of light, because their noise differs: straight from lights, which is sharp and known
 * well, and from all around, which changes slowly and is known badly. */
typedef enum TraceKind { TRACE_DIRECT, TRACE_REST, TRACE_KINDS } TraceKind;

/* A surface in a pixel: sums over its paths until the pixel is done, then their means. */
typedef struct TraceLayer {
    float count[TRACE_KINDS];             /* paths that know its light; 0: it was only looked at */
    float part;                           /* of the pixel that it covers */
    float alpha;                          /* not the sky behind all */
    float albedo[3], normal[3], place[3]; /* as a sample has them */
    float light[TRACE_KINDS][3];          /* divided by the path's colour */
    float spread[TRACE_KINDS];            /* sum of squares of the luminance's differences from
                                             its mean */
} TraceLayer;

/* A pixel's paths. */
typedef struct TracePixel {
    float light[4], own[3]; /* sums */
    float paths;
    float looks; /* rays that looked what surface there is, paths among them */
    bool plain;  /* all paths see directly what they see */
    bool amid;   /* and so do all pixels around it, of the same surface */
    size_t layer_count;
    TraceLayer layers[TRACE_LAYERS_MOST];
} TracePixel;

/* The picture, and the layers of its pixels one after another: those of pixel (x, y) from
 * rows[y][first[y width + x] - first[y width]] on. */
typedef struct TraceFilm {
    int width, height;
    float (*light)[4]; /* the picture itself */
    TraceLayer **rows; /* NULL: they are not asked for */
    uint32_t *first;   /* pixels + 1 */
} TraceFilm;

mote_Status trace_film_make(mote_Image *image, bool guided, TraceFilm *film, mote_Error *error);

/* Without paths; layers are cleared when they are begun. */
static inline void trace_pixel_begin(TracePixel *pixel)
{
    __builtin_memset(pixel, 0, offsetof(TracePixel, layers));
}

/* Adds a path; to the layers, where they are asked for; and what a ray saw that was not followed
 * further: the surface, or with `lit` also what it gets straight from lights. */
void trace_pixel_add(TracePixel *pixel, const TraceSample *sample);
void trace_pixel_sort(TracePixel *pixel, const TraceSample *sample);
void trace_pixel_look(TracePixel *pixel, const TraceSample *sample, bool lit);

/* Whether both see one surface, the same. */
bool trace_pixels_alike(const TracePixel *pixel, const TracePixel *other);

/* Whether light that comes straight from lights differs within a surface of the pixel, and whether
 * how much each of its surfaces covers is not known well enough. */
bool trace_pixel_uneven(const TracePixel *pixel);
bool trace_pixel_unsure(const TracePixel *pixel);

/* The pixel is done. */
void trace_pixel_finish(TracePixel *pixel);

/* Keeps some rows of pixels that are done, in order from the first row on. */
mote_Status trace_film_keep(TraceFilm *film, size_t row, size_t count, const TracePixel *pixels,
                            Arena *arena, mote_Error *error);

/* What each pixel sees, for files that hold it; NULL: there is no memory. */
ImageFeatures *trace_film_features(const TraceFilm *film, Arena *arena);

/* Averages the light of layers over those that are much the same. */
mote_Status trace_denoise(const TraceFilm *film, mote_Tasks *tasks, Arena *arena,
                          mote_Error *error);

#endif
