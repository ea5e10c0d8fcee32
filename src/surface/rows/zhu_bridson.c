/* Distance from the mean place of the neighbours,
 *
 *     phi(x) = f rbar(x) - |x - xbar(x)|,   xbar = sum w_j x_j / sum w_j,   rbar likewise,
 *     w = (1 - |x - x_j|^2 / R^2)^3,
 *
 * smooth where the liquid is flat. Zhu and Bridson, "Animating sand as a fluid", SIGGRAPH 2005.
 * In hollows and between bodies xbar jumps from one side to the other and makes a surface where
 * there is none; there the largest eigenvalue E of the gradient of xbar is large, and
 *
 *     f = 1 for E < gentle, 1 - (1 - g)^3 above, g = (steep - E) / (steep - gentle), at least 0.
 *
 * Solenthaler, Schlaefli and Pajarola, "A unified particle model for fluid-solid interactions",
 * Computer Animation and Virtual Worlds 18, 2007. With u_j = x_j - x, m = xbar - x and
 * s = (1 - |u|^2 / R^2)^2 the gradient is 6 / R^2 (sum s u u^T - m (sum s u)^T) / sum w. */
#include "base/row.h"
#include "surface/splat.h"

#include <string.h>

static const mote_Param params[] = {
    PARAM_REAL(mote_ZhuBridsonField, support, "spacings", "radius of the kernel", 2, 1.2, 4),
    PARAM_REAL(mote_ZhuBridsonField, size, "spacings", "radius of a particle", 0.6, 0.3, 1.2),
    PARAM_REAL(mote_ZhuBridsonField, gentle, "",
               "gradient of the mean place from which on the radius shrinks", 0.4, 0, 100),
    PARAM_REAL(mote_ZhuBridsonField, steep, "", "gradient at which the radius is gone", 3.5, 0.01,
               100),
    PARAM_BOOL(mote_ZhuBridsonField, keep_volume,
               "shift the surface until it holds the particles' volume", true),
};

/* Planes of sums: w, w u (3), w r, s u (3), and s u u^T (xx, yy, zz, xy, yz, zx). */
enum { W, WU, WR = 4, SU, SUU = 8, PLANES = 14 };

static FieldScale scale(const void *params_, float spacing, float largest)
{
    const mote_ZhuBridsonField *field = params_;
    float radius = (float)field->size * spacing, reach = (float)field->support * spacing;
    (void)largest;
    return (FieldScale){.reach = reach,
                        .weight = radius,
                        .empty = radius - reach,
                        .full = radius,
                        .range = {-0.5f * radius, 0.9f * radius},
                        .keeps_volume = field->keep_volume};
}

static void clear(const FieldGrid *grid)
{
    for (int p = 0; p < PLANES; ++p)
        for (int z = grid->low[2]; z <= grid->high[2]; ++z)
            for (int y = grid->low[1]; y <= grid->high[1]; ++y)
                memset(grid->plane[p] + grid_at(-GRID_PAD, y, z), 0, GRID_PITCH * sizeof(float));
}

/* One row of points beside one particle; u is minus the offset from particle to point. */
static void add_row(const FieldGrid *grid, const SurfaceSplat *s, float radius, const int at[3])
{
    float dy = splat_offset(s, 1, at[1]), dz = splat_offset(s, 2, at[2]);
    float inverse = 1 / (grid->scale.reach * grid->scale.reach);
    float rest = 1 - (dy * dy + dz * dz) * inverse, *sum[PLANES];
    size_t count = (size_t)(s->high[0] - at[0] + 1);
    if (rest <= 0) return;
    for (int p = 0; p < PLANES; ++p) sum[p] = grid->plane[p] + grid_at(at[0], at[1], at[2]);
    FOR_ROWS (i, count) {
        float dx = ((float)(at[0] - s->cell[0]) + (float)(int)i) - s->part[0];
        float t = rest - dx * dx * inverse;
        t = t > 0 ? t : 0;
        float s2 = t * t, w = s2 * t;
        sum[W][i] += w;
        sum[WU][i] -= w * dx, sum[WU + 1][i] -= w * dy, sum[WU + 2][i] -= w * dz;
        sum[WR][i] += w * radius;
        sum[SU][i] -= s2 * dx, sum[SU + 1][i] -= s2 * dy, sum[SU + 2][i] -= s2 * dz;
        sum[SUU][i] += s2 * dx * dx, sum[SUU + 1][i] += s2 * dy * dy;
        sum[SUU + 2][i] += s2 * dz * dz, sum[SUU + 3][i] += s2 * dx * dy;
        sum[SUU + 4][i] += s2 * dy * dz, sum[SUU + 5][i] += s2 * dz * dx;
    }
}

static void add(const FieldGrid *grid, const SurfaceParticle *particles, size_t count,
                const int shift[3])
{
    for (size_t i = 0; i < count; ++i) {
        SurfaceSplat s = splat_place(grid, &particles[i], shift);
        if (s.low[0] > s.high[0]) continue;
        for (int z = s.low[2]; z <= s.high[2]; ++z)
            for (int y = s.low[1]; y <= s.high[1]; ++y)
                add_row(grid, &s, particles[i].weight, (int[3]){s.low[0], y, z});
    }
}

/* The largest eigenvalue of a symmetric matrix (diagonal, then xy, yz, zx), by power iterations on
 * the matrix plus its norm, which has no negative eigenvalue. */
static float largest_eigenvalue(const float a[6])
{
    float norm = 0, v[3] = {0.57f, 0.58f, 0.59f}, n[3], length = 1;
    for (int k = 0; k < 3; ++k) norm += a[k] * a[k] + 2 * a[k + 3] * a[k + 3];
    norm = __builtin_sqrtf(norm);
    for (int iteration = 0; iteration < 12 && length > 0; ++iteration) {
        n[0] = (a[0] + norm) * v[0] + a[3] * v[1] + a[5] * v[2];
        n[1] = a[3] * v[0] + (a[1] + norm) * v[1] + a[4] * v[2];
        n[2] = a[5] * v[0] + a[4] * v[1] + (a[2] + norm) * v[2];
        length = __builtin_sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3 && length > 0; ++k) v[k] = n[k] / length;
    }
    return length - norm;
}

/* The largest eigenvalue of the symmetric part of the gradient of xbar. */
static float steepness(const FieldGrid *grid, const float *const sum[PLANES], size_t i,
                       const float m[3])
{
    float factor = 6 / (grid->scale.reach * grid->scale.reach) / sum[W][i], a[6];
    for (int k = 0; k < 3; ++k) {
        int next = (k + 1) % 3;
        a[k] = factor * (sum[SUU + k][i] - m[k] * sum[SU + k][i]);
        a[k + 3] = factor * (sum[SUU + 3 + k][i] -
                             0.5f * (m[k] * sum[SU + next][i] + m[next] * sum[SU + k][i]));
    }
    return largest_eigenvalue(a);
}

static float shrink(const mote_ZhuBridsonField *field, float e)
{
    float gentle = (float)field->gentle, steep = (float)field->steep;
    if (e < gentle) return 1;
    float g = steep > gentle ? (steep - e) / (steep - gentle) : 0;
    g = g > 0 ? g : 0;
    return 1 - (1 - g) * (1 - g) * (1 - g);
}

/* Where even an unshrunk radius leaves the point outside of every isovalue that is looked at, the
 * gradient is not needed: most points are of that kind. */
static float value_at(const FieldGrid *grid, const float *const sum[PLANES], size_t i)
{
    float w = sum[W][i], m[3];
    if (!(w > 1e-20f)) return grid->scale.empty;
    for (int k = 0; k < 3; ++k) m[k] = sum[WU + k][i] / w;
    float radius = sum[WR][i] / w;
    float distance = __builtin_sqrtf(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    if (radius - distance <= grid->scale.range[0]) return radius - distance;
    return radius * shrink(grid->params, steepness(grid, sum, i, m)) - distance;
}

static void finish(const FieldGrid *grid)
{
    for (int z = grid->low[2]; z <= grid->high[2]; ++z)
        for (int y = grid->low[1]; y <= grid->high[1]; ++y) {
            size_t at = grid_at(GRID_LOW, y, z);
            const float *sum[PLANES];
            for (int p = 0; p < PLANES; ++p) sum[p] = grid->plane[p] + at;
            for (size_t i = 0; i < GRID_SIDE; ++i) {
                float value = value_at(grid, sum, i) - grid->scale.isovalue;
                grid->plane[0][at + i] = value;
            }
        }
}

const SurfaceFieldRow ISA(surface_zhu_bridson) = {
    .head = ROW_HEAD("zhu-bridson",
                     "distance from the neighbours' mean place (Zhu and Bridson 2005, with "
                     "Solenthaler's correction of hollows)",
                     params, mote_ZhuBridsonField),
    .planes = PLANES,
    .weighs = WEIGHT_LENGTH,
    SPLAT_CALLBACKS,
    .finish = finish,
};
