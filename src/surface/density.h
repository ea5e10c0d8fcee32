/* What the fields share that are a normalised density of smoothed particles. */
#ifndef SURFACE_DENSITY_H
#define SURFACE_DENSITY_H

#include "surface/splat.h"

#include <string.h>

/* Their parameter structs have the same members; `half` is the density on a flat surface. */
#define DENSITY_PARAMS(type, half)                                                                 \
    PARAM_REAL(type, support, "spacings", "radius of the kernel", 2, 1.2, 4),                      \
        PARAM_REAL(type, isovalue, "", "of the density, where the surface is", half, 0.05, 0.95),  \
        PARAM_BOOL(type, spray, "isolated particles keep their volume", true),                     \
        PARAM_BOOL(type, keep_volume,                                                              \
                   "choose the isovalue at which the surface holds the particles' volume", false)

typedef struct DensityField {
    float support, isovalue;
    bool spray, keep_volume;
} DensityField;

/* The members of a parameter struct, and the callbacks that need no more. */
#define DENSITY_CALLBACKS(type)                                                                    \
    static DensityField field_of(const void *params_)                                              \
    {                                                                                              \
        const type *f = params_;                                                                   \
        return (DensityField){(float)f->support, (float)f->isovalue, f->spray, f->keep_volume};    \
    }                                                                                              \
    static float spray(const void *params_, float spacing, float field)                            \
    {                                                                                              \
        const DensityField f = field_of(params_);                                                  \
        return density_spray(&f, spacing, field);                                                  \
    }

/* What their rows have alike; `scale` and `add` are the file's. */
#define DENSITY_ROW                                                                                \
    .planes = 1, .weighs = WEIGHT_VOLUME, .scale = scale, .clear = splat_clear, .add = add,        \
    .finish = splat_finish, .spray = spray

/* W at a particle, in particles per cube of a spacing. With lengths in spacings, so that V_j = 1
 * for particles that are all alike. */
static inline float density_peak(const DensityField *field)
{
    const float s = field->support;
    return 1.5666815f / (s * s * s); /* 315 / (64 pi) */
}

static inline FieldScale density_scale(const DensityField *field, float spacing)
{
    return (FieldScale){.reach = field->support * spacing,
                        .kernel = field->support * spacing,
                        .weight = density_peak(field),
                        .empty = 0,
                        .full = 1,
                        .isovalue = field->isovalue,
                        .range = {0.05f, 0.95f},
                        .keeps_volume = field->keep_volume};
}

static inline void splat_clear(const FieldGrid *grid)
{
    for (int z = grid->low[2]; z <= grid->high[2]; ++z)
        for (int y = grid->low[1]; y <= grid->high[1]; ++y)
            memset(grid->plane[0] + grid_at(-GRID_PAD, y, z), 0, GRID_PITCH * sizeof(float));
}

/* Alone, a particle has the field `alone`, and needs isovalue / (1 - (radius / support)^2)^3.
 * Coarse cells cut corners off small balls, by about 0.3 cells^2 per spacing of their radius. With
 * this, single particles hold 0.93 to 0.98 of their volume and pairs 1.03 to 1.12, for cells of 1/4
 * to 3/4 of a spacing. */
static inline float density_spray(const DensityField *f, float spacing, float field)
{
    /* (3 / 4 pi)^(1/3): the ball of a cube's volume. */
    float radius = 0.6203505f + 0.3f / (spacing * spacing), s = f->support;
    float alone = density_peak(f), inside = 1 - radius * radius / (s * s);
    float most = f->isovalue / (inside * inside * inside) / alone;
    float limit = 0.4f > alone ? 0.4f : alone;
    if (!f->spray || most <= 1 || field >= limit) return 1;
    float t = (limit - field) / (limit - alone);
    t = t < 1 ? t : 1;
    /* By the smooth step 3 t^2 - 2 t^3, so that a particle that leaves the liquid does not jump. */
    return 1 + (most - 1) * t * t * (3 - 2 * t);
}

#endif
