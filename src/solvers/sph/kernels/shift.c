/* Where particles are too crowded, gathered per particle (formulas/shift.h). */
#include "solvers/sph/kernels.h"

#include "space/smoothing_lanes.h"

#include "solvers/sph/formulas/shift.h"

/* Packets at[0 .. 7], a vector for each quantity. */
EIGHT_INLINE void load_packets(const ShiftPacket *packets, const uint32_t *at, Eight out[4])
{
#define SIDE_BY_SIDE(a, b)                                                                         \
    eight_fours((const mote_real *)&packets[at[a]], (const mote_real *)&packets[at[b]])
    eight_turn(SIDE_BY_SIDE(0, 4), SIDE_BY_SIDE(1, 5), SIDE_BY_SIDE(2, 6), SIDE_BY_SIDE(3, 7), out);
#undef SIDE_BY_SIDE
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
            shift_eight(&in->law, &own, j, &sums);
        }
        for (int c = 0; c < 3; ++c) {
            in->crowd[c][i] = in->law.volume * eight_sum(sums.crowd[c]);
            in->outward[c][i] = in->law.volume * eight_sum(sums.outward[c]);
        }
    }
}

const ShiftKernels ISA(shift_table) = {crowd};
