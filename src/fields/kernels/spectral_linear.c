/* Where points lie in a table, and trilinear interpolation there, of one table or between two. */
#include "fields/kernels/spectral_lanes.h"

#ifdef MOTE_DOUBLE
#define REAL_FLOOR(x) __builtin_floor(x)
#else
#define REAL_FLOOR(x) __builtin_floorf(x)
#endif

/* What is no number, or rounded up to the end of the box, goes to its start. */
static void locate_axis(const SpectralView *view, size_t count, const mote_real *x, mote_real *part)
{
    const mote_real points = view->points, scale = view->inverse / points;
    FOR_ROWS (i, count) {
        mote_real turns = x[i] * scale, g = (turns - REAL_FLOOR(turns)) * points;
        g = g >= 0 ? g : 0;
        part[i] = g < points ? g : 0;
    }
}

static void split_axis(size_t count, int32_t stride, mote_real *part, int32_t *base)
{
    FOR_ROWS (i, count) {
        int32_t below = (int32_t)part[i];
        part[i] -= (mote_real)below;
        base[i] += below * stride;
    }
}

void ISA(spectral_locate)(const SpectralView *view, size_t count, mote_real *const x[3],
                          SpectralPlaces *places)
{
    const int32_t strides[3] = {SPECTRAL_LANES, (int32_t)view->row, (int32_t)view->plane};
    places->count = count;
    memset(places->base, 0, sizeof places->base);
    for (int c = 0; c < 3; ++c) {
        locate_axis(view, count, x[c], places->part[c]);
        split_axis(count, strides[c], places->part[c], places->base);
    }
}

/* One y and z after the other; x is in the pair. */
INLINE void linear(const SpectralView *view, const SpectralPlaces *places, bool still,
                   mote_real *values)
{
    const size_t row = view->row, plane = view->plane;
    const size_t origin = SPECTRAL_BEFORE * (SPECTRAL_LANES + row + plane);
    for (size_t i = 0; i < places->count; ++i) {
        const size_t at = origin + (size_t)places->base[i];
        const mote_real x = places->part[0][i], y = places->part[1][i], z = places->part[2][i];
        SpectralPair near =
            pair_between(pair_now(view, at, still), pair_now(view, at + row, still), y);
        SpectralPair far = pair_between(pair_now(view, at + plane, still),
                                        pair_now(view, at + row + plane, still), y);
        SpectralPair both = pair_between(near, far, z);
        Four left = pair_first(both), right = pair_second(both);
        store_quad(values + i * SPECTRAL_LANES, left + x * (right - left));
    }
}

void ISA(spectral_linear)(const SpectralView *view, const SpectralPlaces *places, mote_real *values)
{
    if (view->blend == 0)
        linear(view, places, true, values);
    else
        linear(view, places, false, values);
}
