/* Cubic B-splines through the points of a table: the value, and the curl, whose divergence is zero
 * in every point because the second derivatives of a spline commute. Four taps per axis; the
 * weights of a point at part f of its cell are
 *
 *     b = ((1 - f)^3, 3 f^3 - 6 f^2 + 4, -3 f^3 + 3 f^2 + 3 f + 1, f^3) / 6
 *
 * and their derivatives by f. */
#include "fields/kernels/spectral_lanes.h"

INLINE Four weights(mote_real f)
{
    const mote_real sixth = (mote_real)(1 / 6.0);
    const Four c0 = {1, 4, 1, 0}, c1 = {-3, 0, 3, 0}, c2 = {3, -6, 3, 0}, c3 = {-1, 3, -3, 1};
    return (c0 + f * (c1 + f * (c2 + f * c3))) * sixth;
}

INLINE Four slopes(mote_real f)
{
    const mote_real half = (mote_real)0.5;
    const Four c0 = {-1, 0, 1, 0}, c1 = {2, -4, 2, 0}, c2 = {-1, 3, -3, 1};
    return (c0 + f * (c1 + f * c2)) * half;
}

/* Four neighbours along x. */
typedef struct Taps {
    SpectralPair near, far;
} Taps;

INLINE Taps no_taps(void)
{
    return (Taps){pair_none(), pair_none()};
}

INLINE Taps load_taps(const SpectralView *view, size_t offset, bool still)
{
    return (Taps){pair_now(view, offset, still),
                  pair_now(view, offset + 2 * SPECTRAL_LANES, still)};
}

INLINE Taps add_taps(Taps sum, mote_real weight, Taps taps)
{
    return (Taps){pair_add(sum.near, weight, taps.near), pair_add(sum.far, weight, taps.far)};
}

INLINE Four along_x(Taps taps, Four weight)
{
    return (weight[0] * pair_first(taps.near) + weight[1] * pair_second(taps.near)) +
           (weight[2] * pair_first(taps.far) + weight[3] * pair_second(taps.far));
}

/* How a loop is compiled: once for every case. */
typedef struct Case {
    bool still;
    int depth; /* taps along z: 4, or 1 in two dimensions */
} Case;

#define EACH_CASE(loop)                                                                            \
    if (view->plane == 0)                                                                          \
        loop(view, places, (Case){false, 1}, values);                                              \
    else if (view->blend == 0)                                                                     \
        loop(view, places, (Case){true, 4}, values);                                               \
    else                                                                                           \
        loop(view, places, (Case){false, 4}, values)

/* ---- the value ---- */

INLINE void cubic(const SpectralView *view, const SpectralPlaces *places, Case is,
                  mote_real *values)
{
    const Four only = {1, 0, 0, 0};
    for (size_t i = 0; i < places->count; ++i) {
        const size_t base = (size_t)places->base[i];
        const Four wy = weights(places->part[1][i]);
        const Four wz = is.depth > 1 ? weights(places->part[2][i]) : only;
        Taps sum = no_taps();
        for (int z = 0; z < is.depth; ++z) {
            Taps value = no_taps();
            for (int y = 0; y < 4; ++y) {
                size_t at = base + (size_t)z * view->plane + (size_t)y * view->row;
                value = add_taps(value, wy[y], load_taps(view, at, is.still));
            }
            sum = add_taps(sum, wz[z], value);
        }
        store_quad(values + i * SPECTRAL_LANES, along_x(sum, weights(places->part[0][i])));
    }
}

void ISA(spectral_cubic)(const SpectralView *view, const SpectralPlaces *places, mote_real *values)
{
    EACH_CASE(cubic);
}

/* ---- the curl ---- */

/* Sums over y and z: plain, and with the slopes along y or along z. */
typedef struct Slopes {
    Taps plain, y, z;
} Slopes;

INLINE Slopes sum_slopes(const SpectralView *view, size_t base, mote_real fy, mote_real fz, Case is)
{
    const Four only = {1, 0, 0, 0}, none = {0, 0, 0, 0};
    const Four wy = weights(fy), dy = slopes(fy);
    const Four wz = is.depth > 1 ? weights(fz) : only, dz = is.depth > 1 ? slopes(fz) : none;
    Slopes sum = {no_taps(), no_taps(), no_taps()};
    for (int z = 0; z < is.depth; ++z) {
        Taps value = no_taps(), slope = no_taps();
        for (int y = 0; y < 4; ++y) {
            size_t at = base + (size_t)z * view->plane + (size_t)y * view->row;
            Taps taps = load_taps(view, at, is.still);
            value = add_taps(value, wy[y], taps);
            slope = add_taps(slope, dy[y], taps);
        }
        sum.plain = add_taps(sum.plain, wz[z], value);
        sum.y = add_taps(sum.y, wz[z], slope);
        sum.z = add_taps(sum.z, dz[z], value);
    }
    return sum;
}

INLINE void curl(const SpectralView *view, const SpectralPlaces *places, Case is, mote_real *values)
{
    const mote_real scale = view->inverse;
    for (size_t i = 0; i < places->count; ++i) {
        const mote_real f = places->part[0][i];
        Slopes sum =
            sum_slopes(view, (size_t)places->base[i], places->part[1][i], places->part[2][i], is);
        Four x = along_x(sum.plain, slopes(f)), wx = weights(f);
        Four y = along_x(sum.y, wx), z = along_x(sum.z, wx);
        Four u = {y[2] - z[1], z[0] - x[2], x[1] - y[0], 0};
        store_quad(values + i * SPECTRAL_LANES, scale * u);
    }
}

void ISA(spectral_curl)(const SpectralView *view, const SpectralPlaces *places, mote_real *values)
{
    EACH_CASE(curl);
}
