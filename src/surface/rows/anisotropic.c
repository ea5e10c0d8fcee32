/* The density of `density` with kernels that are ellipsoids after the particles around them (see
 * kernels/shapes.c): flat at a surface, long in a jet, so that both are smooth before any mesh is
 * smoothed,
 *
 *     phi(x) = sum_j V_j W(sqrt((x - x_j)^T A_j (x - x_j))),   det A_j as that of a ball. */
#include "base/lanes.h"
#include "base/row.h"
#include "surface/density.h"

/* Kernels of the first layer are thinner than those behind them, and at 0.5 the surface of a
 * lattice would lie 0.018 spacings too high. */
static const mote_Param params[] = {
    DENSITY_PARAMS(mote_AnisotropicField, 0.51),
    PARAM_BOOL(mote_AnisotropicField, sheets,
               "thin sheets that are drawn out are filled, so that they have no holes", true)};

DENSITY_CALLBACKS(mote_AnisotropicField)

/* The longest half-axis: the other two half as long, and the ball's volume. */
#define LONGEST 1.5875f /* 16^(1/6) */

static FieldScale scale(const void *params_, float spacing, float largest)
{
    const DensityField field = field_of(params_);
    FieldScale scale = density_scale(&field, spacing);
    (void)largest;
    scale.reach *= LONGEST;
    return scale;
}

/* A sheet of a particles on a square of a spacing is a spacings thick, and its kernels, cut off at
 * half, 2^(-1/3) of their radius R: thin. Integrals of (1 - q^2)^3 over planes: the field in the
 * middle of the sheet is c a / R with round kernels and c a / thin with flat ones, c = 315 / 256;
 * with these it is (1 - z^2 / thin^2)^4 as much at a height z. So the isovalue is where it should
 * be, half the thickness above the middle, if weights are larger by this. Thinner than a grid can
 * show a sheet is not made: it would have holes between the points. */
static float sheet(const void *params_, float spacing, float field)
{
    const float cells = 1.6f; /* of a sheet, at least; a cell's diagonal is 1.73 */
    const mote_AnisotropicField *own = params_;
    const DensityField f = field_of(params_);
    const float c = 315.f / 256, thin = 0.7937005f * f.support, a = field * f.support / c;
    const float shown = cells / spacing > a ? cells / spacing : a;
    const float z = shown / (2 * thin), inside = 1 - z * z,
                fourth = inside * inside * inside * inside;
    if (!own->sheets || !(a > 0) || !(fourth > 0)) return 0;
    return f.isovalue * thin / (c * fourth) / a - 1;
}

/* Points across a kernel, at most: eight a time. */
enum { MOST_EIGHTS = 8 };

/* One particle beside rows of points: 1 - q^2 = rest - x (a x + b). Along a row only x changes, so
 * q^2 = (x, y, z) A (x, y, z)^T is a parabola in x: a = A_xx, b = 2 (A_xy y + A_zx z), and the rest
 * is 1 less the part without x. */
typedef struct EllipsoidRows {
    V8 x[MOST_EIGHTS], ax[MOST_EIGHTS];
    int eights;
    float weight;
} EllipsoidRows;

static inline void add_row(float *row, const EllipsoidRows *e, float rest, float b)
{
    for (int n = 0; n < e->eights; ++n, row += 8) {
        V8 t = rest - e->x[n] * (e->ax[n] + b);
        t = (V8)((I8)t & (t > 0));
        store8(row, load8(row) + e->weight * (t * t * t));
    }
}

static inline EllipsoidRows ellipsoid_rows(const SurfaceSplat *s, float a, float weight)
{
    EllipsoidRows e = {.weight = weight, .eights = (s->high[0] - s->low[0] + 8) / 8};
    for (int n = 0; n < e.eights; ++n) {
        const float first = (float)(s->low[0] - s->cell[0] + 8 * n);
        e.x[n] = ((V8){0, 1, 2, 3, 4, 5, 6, 7} + first) - s->part[0];
        e.ax[n] = a * e.x[n];
    }
    return e;
}

static void add_one(const FieldGrid *grid, const SurfaceParticle *p, const int shift[3])
{
    const SurfaceShape *shape = &grid->shapes[p - grid->particles];
    /* A parabola rest - a x^2 - b x has its top at rest + b^2 / 4 a: rows where even that is not
     * positive are left out. */
    const float *a = shape->inner, quarter = 0.25f / a[0];
    const SurfaceSplat s = splat_within(grid, p, shift, shape->extent);
    if (s.low[0] > s.high[0]) return;
    const EllipsoidRows e = ellipsoid_rows(&s, a[0], p->weight);
    for (int z = s.low[2]; z <= s.high[2]; ++z) {
        const float dz = splat_offset(&s, 2, z);
        float *row = grid->plane[0] + grid_at(s.low[0], s.low[1], z);
        for (int y = s.low[1]; y <= s.high[1]; ++y, row += GRID_PITCH) {
            const float dy = splat_offset(&s, 1, y), b = 2 * (a[3] * dy + a[5] * dz);
            const float rest = 1 - (a[1] * dy * dy + (2 * a[4] * dy + a[2] * dz) * dz);
            if (rest + b * b * quarter > 0) add_row(row, &e, rest, b);
        }
    }
}

static void add(const FieldGrid *grid, const SurfaceParticle *particles, size_t count,
                const int shift[3])
{
    for (size_t i = 0; i < count; ++i) add_one(grid, &particles[i], shift);
}

const SurfaceFieldRow ISA(surface_anisotropic) = {
    .head = ROW_HEAD("anisotropic",
                     "density with kernels that are flat at surfaces and long in jets (Yu and Turk "
                     "2013, volume kept)",
                     params, mote_AnisotropicField),
    DENSITY_ROW,
    .shaped = true,
    .sheet = sheet,
};
