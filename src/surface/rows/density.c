/* The normalised density of smoothed particle hydrodynamics,
 *
 *     phi(x) = sum_j V_j W(|x - x_j|),   W(r) = 315 / (64 pi R^3) (1 - r^2 / R^2)^3,
 *
 * 1 deep inside, 0 outside and 1/2 on a flat surface half a spacing above the outermost particles,
 * so its volume is that of the particles. Mueller, Charypar and Gross, "Particle-based fluid
 * simulation for interactive applications", SCA 2003.
 *
 * An isolated particle has phi < 1/2 everywhere: spray would vanish. So a particle that finds
 * itself where phi is low counts more, from once where phi >= 1/2 to what gives a single particle
 * the volume of its cube, a ball of radius 0.62 spacings. */
#include "base/lanes.h"
#include "base/row.h"
#include "surface/splat.h"

#include <string.h>

static const mote_Param params[] = {
    PARAM_REAL(mote_DensityField, support, "spacings", "radius of the kernel", 2, 1.2, 4),
    PARAM_REAL(mote_DensityField, isovalue, "", "of the density, where the surface is", 0.5, 0.05,
               0.95),
    PARAM_BOOL(mote_DensityField, spray, "isolated particles keep their volume", true),
    PARAM_BOOL(mote_DensityField, keep_volume,
               "choose the isovalue at which the surface holds the particles' volume", false),
};

/* W at a particle, in particles per cube of a spacing. */
static float peak(const mote_DensityField *field)
{
    float s = (float)field->support;
    return 1.5666815f / (s * s * s); /* 315 / (64 pi) */
}

static FieldScale scale(const void *params_, float spacing, float largest)
{
    const mote_DensityField *field = params_;
    (void)largest;
    return (FieldScale){.reach = (float)field->support * spacing,
                        .weight = peak(field),
                        .empty = 0,
                        .full = 1,
                        .isovalue = (float)field->isovalue,
                        .range = {0.05f, 0.95f},
                        .keeps_volume = field->keep_volume};
}

static void clear(const FieldGrid *grid)
{
    for (int z = grid->low[2]; z <= grid->high[2]; ++z)
        for (int y = grid->low[1]; y <= grid->high[1]; ++y)
            memset(grid->plane[0] + grid_at(-GRID_PAD, y, z), 0, GRID_PITCH * sizeof(float));
}

/* V8 floats by the compilers' vector extensions: gcc unrolls a loop of eight before it would
 * vectorise it. */
static inline void add_row(float *row, float rest, V8 across, float weight)
{
    V8 t = rest - across, sum;
    t = (V8)((I8)t & (t > 0));
    memcpy(&sum, row, sizeof sum);
    sum += weight * (t * t * t);
    memcpy(row, &sum, sizeof sum);
}

/* Rows of eight points: all there are within a reach of four cells. */
static void add_eight(const FieldGrid *grid, const SurfaceParticle *p, const int shift[3])
{
    SurfaceSplat s = splat_place(grid, p, shift);
    float inverse = 1 / (grid->scale.reach * grid->scale.reach), weight = p->weight;
    int first = s.cell[0] - 3;
    if (s.low[0] > s.high[0]) return;
    V8 across = (V8){-3, -2, -1, 0, 1, 2, 3, 4} - s.part[0];
    across = across * across * inverse;
    for (int z = s.low[2]; z <= s.high[2]; ++z) {
        float dz = splat_offset(&s, 2, z), left = 1 - dz * dz * inverse;
        float *row = grid->plane[0] + grid_at(first, s.low[1], z);
        for (int y = s.low[1]; y <= s.high[1]; ++y, row += GRID_PITCH) {
            float dy = splat_offset(&s, 1, y), rest = left - dy * dy * inverse;
            if (rest > 0) add_row(row, rest, across, weight);
        }
    }
}

static void add_any(const FieldGrid *grid, const SurfaceParticle *p, const int shift[3])
{
    SurfaceSplat s = splat_place(grid, p, shift);
    float inverse = 1 / (grid->scale.reach * grid->scale.reach);
    if (s.low[0] > s.high[0]) return;
    size_t count = (size_t)(s.high[0] - s.low[0] + 1);
    for (int z = s.low[2]; z <= s.high[2]; ++z) {
        float dz = splat_offset(&s, 2, z), left = 1 - dz * dz * inverse;
        for (int y = s.low[1]; y <= s.high[1]; ++y) {
            float dy = splat_offset(&s, 1, y), rest = left - dy * dy * inverse;
            float *row = grid->plane[0] + grid_at(s.low[0], y, z);
            if (rest <= 0) continue;
            FOR_ROWS (i, count) {
                float dx = ((float)(s.low[0] - s.cell[0]) + (float)(int)i) - s.part[0];
                float t = rest - dx * dx * inverse;
                t = t > 0 ? t : 0;
                row[i] += p->weight * (t * t * t);
            }
        }
    }
}

static void add(const FieldGrid *grid, const SurfaceParticle *particles, size_t count,
                const int shift[3])
{
    if (grid->scale.reach <= 4)
        for (size_t i = 0; i < count; ++i) add_eight(grid, &particles[i], shift);
    else
        for (size_t i = 0; i < count; ++i) add_any(grid, &particles[i], shift);
}

/* Alone, a particle has the field `alone`, and needs isovalue / (1 - (radius / support)^2)^3.
 * Coarse cells cut corners off small balls, by about 0.3 cells^2 per spacing of their radius. With
 * this, single particles hold 0.93 to 0.98 of their volume and pairs 1.03 to 1.12, for cells of 1/4
 * to 3/4 of a spacing. */
static float spray(const void *params_, float spacing, float field)
{
    const mote_DensityField *f = params_;
    float radius = 0.6203505f + 0.3f / (spacing * spacing), s = (float)f->support;
    float alone = peak(f), inside = 1 - radius * radius / (s * s);
    float most = (float)f->isovalue / (inside * inside * inside) / alone;
    float limit = 0.4f > alone ? 0.4f : alone;
    if (!f->spray || most <= 1 || field >= limit) return 1;
    float t = (limit - field) / (limit - alone);
    t = t < 1 ? t : 1;
    return 1 + (most - 1) * t * t * (3 - 2 * t);
}

const SurfaceFieldRow ISA(surface_density) = {
    .head = ROW_HEAD("density",
                     "normalised density of smoothed particles (Mueller et al. 2003); keeps the "
                     "particles' volume",
                     params, mote_DensityField),
    .planes = 1,
    .weighs = WEIGHT_VOLUME,
    SPLAT_CALLBACKS,
    .finish = splat_finish,
    .spray = spray,
};
