/* Loops from particles to the points of a grid within their reach. */
#ifndef SURFACE_SPLAT_H
#define SURFACE_SPLAT_H

#include "surface/field.h"

/* A particle beside a grid: the whole part of its place and the fraction. */
typedef struct SurfaceSplat {
    int cell[3];
    float part[3];
    int low[3], high[3]; /* points within reach, inclusive; none where low > high */
} SurfaceSplat;

static inline int splat_least(int a, int b)
{
    return a < b ? a : b;
}

static inline int splat_most(int a, int b)
{
    return a > b ? a : b;
}

/* Points within the given distances along the axes. */
static inline SurfaceSplat splat_within(const FieldGrid *grid, const SurfaceParticle *p,
                                        const int shift[3], const float reach[3])
{
    SurfaceSplat s;
    for (int k = 0; k < 3; ++k) {
        int cell = (int)p->at[k], whole = (int)reach[k];
        whole += (float)whole < reach[k];
        s.part[k] = p->at[k] - (float)cell;
        s.cell[k] = cell + shift[k];
        s.low[k] = splat_most(s.cell[k] - whole + (s.part[k] > 0), grid->low[k]);
        s.high[k] = splat_least(s.cell[k] + whole, grid->high[k]);
    }
    return s;
}

static inline SurfaceSplat splat_place(const FieldGrid *grid, const SurfaceParticle *p,
                                       const int shift[3])
{
    const float reach = grid->scale.reach;
    return splat_within(grid, p, shift, (const float[3]){reach, reach, reach});
}

/* From the particle to point i along axis k. */
static inline float splat_offset(const SurfaceSplat *s, int k, int i)
{
    return (float)(i - s->cell[k]) - s->part[k];
}

/* A field with one plane is done when its isovalue is zero. */
static inline void splat_finish(const FieldGrid *grid)
{
    float isovalue = grid->scale.isovalue;
    for (int z = grid->low[2]; z <= grid->high[2]; ++z)
        for (int y = grid->low[1]; y <= grid->high[1]; ++y) {
            float *row = grid->plane[0] + grid_at(GRID_LOW, y, z);
            FOR_ROWS (i, GRID_SIDE) row[i] -= isovalue;
        }
}

#endif
