/* Heat between the particles of a liquid, gathered per particle: with the harmonic mean of two
 * conductivities, as layers one after another have it, and the slopes of the kernel that find a
 * Laplacian on a lattice (Cleary and Monaghan 1999). */
#include "solvers/sph/kernels/flow_lanes.h"

#include "space/smoothing_lanes.h"

_Static_assert(sizeof(HeatPacket) == sizeof(FlowPacket), "packets are loaded alike");

EIGHT_INLINE Eight resists_of(const Trait *traits, const uint32_t *at)
{
    Eight resist = {0};
    for (int k = 0; k < 8; ++k) resist[k] = traits[at[k]].resist;
    return resist;
}

EIGHT_INLINE void conduct_with(const HeatInput *in, bool periodic, size_t begin, size_t end)
{
    const bool outward = in->outward[0] != NULL;
    const mote_real scale = in->volume * in->kernel.slope_scale;
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        const HeatPacket own = in->packets[i];
        const mote_real resist = in->traits[i].resist;
        Eight sum[4] = {{0}};
        for (size_t k = 0; k < count; k += 8) {
            const Flows j = flows_load((const FlowPacket *)in->packets, list + k);
            Eight d[3];
            differences(in->period, periodic, own.x, j.x, d);
            const Eight r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            const Eight q = eight_sqrt(r2) * in->kernel.inverse;
            const Eight slope = scale * smoothing_shape_slope(in->kernel.gradient_kind, q);
            const Eight twice = 4 / (resist + resists_of(in->traits, list + k));
            sum[3] = sum[3] - twice * slope * (j.q - own.theta);
            for (int c = 0; c < 3 && outward; ++c) sum[c] = sum[c] + slope * d[c];
        }
        const Four all = eight_sums(sum);
        in->flow[i] = all[3];
        for (int c = 0; c < 3 && outward; ++c) in->outward[c][i] = all[c];
    }
}

PERIODIC_OR_NOT(conduct, HeatInput)

const HeatKernels ISA(heat_table) = {conduct};
