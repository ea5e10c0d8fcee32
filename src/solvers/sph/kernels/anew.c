/* Loops of the row `pbf`: densities where particles have been moved to, and repulsion. */
#include "solvers/sph/kernels/flow_lanes.h"

#include "space/smoothing_lanes.h"

/* W of eight neighbours; 0 of what fills up the list. */
EIGHT_INLINE Eight weights(const FlowInput *in, size_t i, size_t k, Eight d[3])
{
    static const Eight lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const Flows j = flows_load(in->flow, neighbours_of(in->lists, i) + k);
    differences(in->period, in->periodic, in->flow[i].x, j.x, d);
    const Eight r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const Eight left = eight_all((mote_real)(in->lists->count[i] - k));
    return eight_where((EightBits)(lane < left), smoothing_values(&in->kernel, eight_sqrt(r2)));
}

static void densities(const FlowInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        Eight sum = {0}, d[3];
        for (size_t k = 0; k < in->lists->count[i]; k += 8) sum = sum + weights(in, i, k, d);
        in->excess[i] = in->volume * (in->kernel.middle + eight_sum(sum)) - 1;
    }
}

static void repel(const FlowInput *in, mote_real strength, mote_real usual, size_t begin,
                  size_t end)
{
    const mote_real inverse = 1 / usual;
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const mote_real *slopes = in->slopes + (list - in->lists->index);
        Eight sum[4] = {{0}};
        for (size_t k = 0; k < in->lists->count[i]; k += 8) {
            Eight d[3];
            const Eight share = eight_square(eight_square(weights(in, i, k, d) * inverse));
            const Eight push = share * eight_load(slopes + k);
            for (int c = 0; c < 3; ++c) sum[c] = sum[c] + push * d[c];
        }
        const Four all = eight_sums(sum);
        for (int c = 0; c < 3; ++c) in->moves[i].u[c] -= light_of(in, i) * strength * all[c];
    }
}

const AnewKernels ISA(anew_table) = {densities, repel};
