/* Loops of surface tension: gradients of the filled share around some particles,
 *
 *     n_i = V sum_j grad W(x_i - x_j),  grad W = (W' / r) (x_i - x_j)            Morris 2000
 *
 * with a kernel that is wider than the liquid's, so that the surface's direction is that of a layer
 * and not of the nearest particles; what pairs of the band are to each other; and pulls between
 * pairs (tension_pair.c). */
#include "solvers/sph/kernels/cell_around.h"
#include "solvers/sph/kernels/flow_lanes.h"

#include "space/smoothing_lanes.h"

typedef Eight SlopesOf(const Smoothing *kernel, Eight r);

EIGHT_INLINE Eight colour_slopes(const Smoothing *kernel, Eight r)
{
    return smoothing_slopes(kernel, r);
}

/* q (1 - q)^2 (PULL_REST - q) over r. */
EIGHT_INLINE Eight pull_slopes(const Smoothing *kernel, Eight r)
{
    const Eight q = r * kernel->inverse, far = 1 - q;
    return kernel->slope_scale * (far * far * ((mote_real)PULL_REST - q));
}

EIGHT_INLINE void add_run(const ColourInput *in, const CellRun *run, const mote_real x[3],
                          SlopesOf *slopes, Eight sum[4])
{
    const int axes = in->cells->space.flat ? 2 : 3;
    for (uint32_t k = run->begin; k < run->end; k += 8) {
        Eight d[3] = {{0}}, r2;
        const EightBits near = run_near(in->cells, run, k, x, in->kernel.square, d, &r2);
        if (eight_bits(near) == 0) continue;
        const Eight slope = eight_where(near, slopes(&in->kernel, eight_sqrt(r2)));
        for (int c = 0; c < axes; ++c) sum[c] = sum[c] + slope * eight_where(near, d[c]);
    }
}

EIGHT_INLINE void sum_around(const ColourInput *in, size_t count, mote_real *const x[3],
                             SlopesOf *slopes, mote_real *const n[3])
{
    CellAround cell = {.count = -1};
    for (size_t i = 0; i < count; ++i) {
        const mote_real at[3] = {x[0][i], x[1][i], x[2][i]};
        Eight sum[4] = {{0}};
        cell_around(in->cells, at, &cell);
        for (int k = 0; k < cell.count; ++k) add_run(in, &cell.runs[k], at, slopes, sum);
        const Four all = eight_sums(sum);
        for (int c = 0; c < 3; ++c) n[c][i] = in->volume * all[c];
    }
}

static void colours(const ColourInput *in, size_t count, mote_real *const x[3],
                    mote_real *const n[3])
{
    sum_around(in, count, x, colour_slopes, n);
}

static void pulls(const ColourInput *in, size_t count, mote_real *const x[3], mote_real *const a[3])
{
    sum_around(in, count, x, pull_slopes, a);
}

EIGHT_INLINE Eight gather(const mote_real *plane, const uint32_t *at)
{
    Eight all = {0};
    for (int k = 0; k < 8; ++k) all[k] = plane[at[k]];
    return all;
}

static void pairs(const PairsInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t first = (size_t)in->lists->start[i] * 8,
                     count = neighbours_padded(in->lists, i);
        for (size_t k = 0; k < count; k += 8) {
            Eight r2 = {0};
            for (int c = 0; c < (in->flat ? 2 : 3); ++c) {
                Eight d = in->x[c][i] - gather(in->x[c], list + k);
                if (in->period[c] > 0) d = eight_nearest_image(d, in->period[c]);
                r2 = r2 + d * d;
            }
            const Eight r = eight_sqrt(r2);
            eight_store(in->weights + first + k, smoothing_values(&in->kernel, r));
            eight_store(in->slopes + first + k, -in->volume * smoothing_slopes(&in->kernel, r));
        }
    }
}

const BandKernels ISA(band_table) = {colours, pairs, pulls};
