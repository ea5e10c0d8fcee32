/* Loops of foam: sums over the liquid around points that are none of its particles,
 *
 *     sum V W,  sum V W v,  sum V W P
 *
 * whose quotients are the liquid's velocity and pressure where foam is; and the gradient of the
 * share of the kernel that is filled, sum V grad W, which looks into the liquid and is long at its
 * surface alone. */
#include "solvers/sph/kernels/cell_around.h"
#include "solvers/sph/kernels/flow_lanes.h"

#include "space/smoothing_lanes.h"

/* ---- around points ---- */

typedef struct AroundEights {
    Eight of[5]; /* as AroundSums */
} AroundEights;

EIGHT_INLINE void add_run(const AroundInput *in, const CellRun *run, const mote_real x[3],
                          AroundEights *sums)
{
    for (uint32_t k = run->begin; k < run->end; k += 8) {
        Eight d[3], r2;
        const EightBits near = run_near(in->cells, run, k, x, in->kernel.square, d, &r2);
        if (eight_bits(near) == 0) continue;
        const Eight w = eight_where(near, smoothing_values(&in->kernel, eight_sqrt(r2)));
        sums->of[0] = sums->of[0] + w;
        for (int c = 0; c < 3; ++c)
            sums->of[1 + c] = sums->of[1 + c] + w * eight_where(near, eight_load(in->v[c] + k));
        sums->of[4] = sums->of[4] + w * eight_where(near, eight_load(in->pressure + k));
    }
}

static void around(const AroundInput *in, size_t count, mote_real *const x[3], AroundSums *sums)
{
    CellAround cell = {.count = -1};
    for (size_t i = 0; i < count; ++i) {
        const mote_real at[3] = {x[0][i], x[1][i], x[2][i]};
        AroundEights eights = {{{0}}};
        cell_around(in->cells, at, &cell);
        for (int k = 0; k < cell.count; ++k) add_run(in, &cell.runs[k], at, &eights);
        const Four first = eight_sums(eights.of);
        sums[i] =
            (AroundSums){.fill = in->volume * first[0],
                         .v = {in->volume * first[1], in->volume * first[2], in->volume * first[3]},
                         .pressure = in->volume * eight_sum(eights.of[4])};
    }
}

/* ---- the surface ---- */

EIGHT_INLINE void outline_with(const OutlineInput *in, bool periodic, size_t begin, size_t end)
{
    const mote_real scale = in->volume * in->kernel.slope_scale;
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        Eight sum[4] = {{0}};
        for (size_t k = 0; k < count; k += 8) {
            const Flows j = flows_load(in->packets, list + k);
            Eight d[3];
            differences(in->period, periodic, in->packets[i].x, j.x, d);
            const Eight r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            const Eight q = eight_sqrt(r2) * in->kernel.inverse;
            const Eight slope = scale * smoothing_shape_slope(in->kernel.gradient_kind, q);
            for (int c = 0; c < 3; ++c) sum[c] = sum[c] + slope * d[c];
        }
        const Four all = eight_sums(sum);
        for (int c = 0; c < 3; ++c) in->inward[c][i] = all[c];
    }
}

PERIODIC_OR_NOT(outline, OutlineInput)

const FoamKernels ISA(foam_table) = {around, outline};
