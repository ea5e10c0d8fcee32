/* The bins of a block and around it: how full they are, which points need no field because the
 * liquid is deep there, and which particles count.
 *
 * A bin is deep when the boxes of three spacings around it and its neighbours hold 88 % of the
 * particles that fill them. Its points are inside whatever the field says (voids of two or three
 * particles close), and
 * particles that reach only such points are left out. Being deep depends on the particles alone, so
 * two blocks agree on the points that they share. */
#ifndef SURFACE_WINDOW_H
#define SURFACE_WINDOW_H

#include "surface/kernels.h"

/* A cube of bins around a block's own, which begin at 0. */
typedef struct WindowBins {
    int halo; /* bins on each side */
    size_t side;
} WindowBins;

static inline size_t bins_at(const WindowBins *b, int x, int y, int z)
{
    size_t side = b->side;
    return ((size_t)(z + b->halo) * side + (size_t)(y + b->halo)) * side + (size_t)(x + b->halo);
}

static inline size_t bins_count(const WindowBins *b)
{
    return b->side * b->side * b->side;
}

typedef struct Window {
    const Blocks *blocks;
    const SurfaceKernels *kernels;
    float relative; /* 1 / weight of a mean particle */
    FieldWeight weighs;
    int box;   /* radius of the boxes, bins */
    int reach; /* of particles, bins */
    WindowBins
        near; /* cube of the fields `fill` and `deep`, valid from bin -1 to the count of bins */
    WindowBins far;  /* cube of the field `source` */
    float full;      /* particles in a box of full liquid */
    float *fill;     /* particles in boxes; valid where has_fill */
    uint8_t *deep;   /* valid where has_deep */
    uint8_t *source; /* particles of this bin count; valid where has_deep */
    float *float_scratch;
    uint8_t *byte_scratch;
    bool uniform; /* all particles have one size */
    bool has_fill, has_deep;
} Window;

typedef struct WindowDef {
    const Blocks *blocks;
    const SurfaceKernels *kernels;
    float weight; /* of a mean particle */
    FieldWeight weighs;
    double spacing; /* cells */
    bool uniform;   /* all particles have one size */
} WindowDef;

mote_Status window_make(Window *window, const WindowDef *def, mote_Error *error);
void window_free(Window *window);

/* Looks at a block. False when all its points are deep: there is nothing to do. fill: the sums over
 * boxes are wanted even where nothing can be deep; whole: nothing is left out. */
bool window_look(Window *window, const SurfaceBlock *block, bool fill, bool whole);

/* How full the liquid is around a point (cells of the block): 0 to 1 and a bit. */
float window_fill_at(const Window *window, const float at[3]);

/* How full the box around the bin of a particle is. */
static inline float window_box_at(const Window *w, const float at[3])
{
    const int bin = w->blocks->bin;
    const size_t i = bins_at(&w->near, (int)at[0] / bin, (int)at[1] / bin, (int)at[2] / bin);
    return w->fill[i] / w->full;
}

/* Calls visit for runs of particles that count, in an order that all blocks share: by the place of
 * their bins in the world. shift: where their block begins, in cells of this block. */
typedef struct WindowVisit {
    void (*run)(void *context, const SurfaceParticle *particles, size_t count, const int shift[3]);
    void *context;
} WindowVisit;

void window_visit(const Window *window, const SurfaceBlock *block, const WindowVisit *visit);

#endif
