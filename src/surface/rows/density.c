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
 * the volume of its cube, a ball of radius 0.62 spacings.
 *
 * Names: `reach` is R, `rest` what (1 - r^2 / R^2) is without the part along x, `across` that part,
 * and V_j with the constant of W is the particle's weight. The kernel is their W_poly6. */
#include "surface/density.h"
#include "base/lanes.h"
#include "base/row.h"

#include <string.h>

static const mote_Param params[] = {DENSITY_PARAMS(mote_DensityField, 0.5)};

DENSITY_CALLBACKS(mote_DensityField)

static FieldScale scale(const void *params_, float spacing, float largest)
{
    const DensityField field = field_of(params_);
    (void)largest;
    return density_scale(&field, spacing);
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

const SurfaceFieldRow ISA(surface_density) = {
    .head = ROW_HEAD("density",
                     "normalised density of smoothed particles (Mueller et al. 2003); keeps the "
                     "particles' volume",
                     params, mote_DensityField),
    DENSITY_ROW,
};
