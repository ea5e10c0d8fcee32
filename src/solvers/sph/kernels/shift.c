/* Where particles are too crowded, and which way the surface is: gradients of the share of the
 * kernel that is filled, gathered per particle. The factor 1 + R (W / W(d))^4 parts pairs that are
 * nearer than a spacing (Monaghan 2000). */
#include "solvers/sph/kernels.h"

#include "space/smoothing_lanes.h"

typedef struct ShiftSums {
    Eight crowd[3], outward[3];
} ShiftSums;

/* Packets at[0 .. 7], a vector for each quantity. */
EIGHT_INLINE void load_packets(const ShiftPacket *packets, const uint32_t *at, Eight out[4])
{
#define SIDE_BY_SIDE(a, b)                                                                         \
    eight_fours((const mote_real *)&packets[at[a]], (const mote_real *)&packets[at[b]])
    eight_turn(SIDE_BY_SIDE(0, 4), SIDE_BY_SIDE(1, 5), SIDE_BY_SIDE(2, 6), SIDE_BY_SIDE(3, 7), out);
#undef SIDE_BY_SIDE
}

/* The factor's 0.2 and fourth power are those of Monaghan 2000. */
EIGHT_INLINE void add_eight(const ShiftInput *in, const ShiftPacket *i, const Eight j[4],
                            ShiftSums *sums)
{
    const mote_real share = (mote_real)0.2; /* R */
    Eight d[3], r2 = {0};
    for (int c = 0; c < 3; ++c) {
        d[c] = i->x[c] - j[c];
        if (in->period[c] > 0) d[c] = eight_nearest_image(d[c], in->period[c]);
        r2 = r2 + d[c] * d[c];
    }
    Eight r = eight_sqrt(r2), slope = smoothing_slopes(&in->kernel, r);
    Eight near = eight_square(eight_square(smoothing_values(&in->kernel, r) * in->usual));
    Eight crowd = slope * (1 + share * near), outward = slope * (i->fill - j[3]);
    for (int c = 0; c < 3; ++c) {
        sums->crowd[c] = sums->crowd[c] + crowd * d[c];
        sums->outward[c] = sums->outward[c] + outward * d[c];
    }
}

static void crowd(const ShiftInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        const ShiftPacket own = in->packets[i];
        ShiftSums sums = {{{0}}, {{0}}};
        for (size_t k = 0; k < count; k += 8) {
            Eight j[4];
            load_packets(in->packets, list + k, j);
            add_eight(in, &own, j, &sums);
        }
        for (int c = 0; c < 3; ++c) {
            in->crowd[c][i] = in->volume * eight_sum(sums.crowd[c]);
            in->outward[c][i] = in->volume * eight_sum(sums.outward[c]);
        }
    }
}

const ShiftKernels ISA(shift_table) = {crowd};
