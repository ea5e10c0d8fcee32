/* Eight neighbours at once, for the loops of the divergence-free solver. */
#ifndef SOLVERS_SPH_FLOW_LANES_H
#define SOLVERS_SPH_FLOW_LANES_H

#include "solvers/sph/kernels.h"
#include "space/smoothing_lanes.h"

#include "solvers/sph/formulas/flow.h"

/* Defines a loop over places from NAME_with(in, periodic, begin, end), which is compiled twice:
 * most boxes have no period, and each neighbour would be asked for its nearest image. */
#define PERIODIC_OR_NOT(name, Input)                                                               \
    static void name(const Input *in, size_t begin, size_t end)                                    \
    {                                                                                              \
        if (in->periodic)                                                                          \
            name##_with(in, true, begin, end);                                                     \
        else                                                                                       \
            name##_with(in, false, begin, end);                                                    \
    }

EIGHT_INLINE Eight flow_pair(const FlowPacket *a, const FlowPacket *b)
{
    return eight_fours(a->x, b->x);
}

EIGHT_INLINE Flows flows_load(const FlowPacket *flow, const uint32_t *at)
{
    Eight out[4];
    eight_turn(flow_pair(&flow[at[0]], &flow[at[4]]), flow_pair(&flow[at[1]], &flow[at[5]]),
               flow_pair(&flow[at[2]], &flow[at[6]]), flow_pair(&flow[at[3]], &flow[at[7]]), out);
    return (Flows){{out[0], out[1], out[2]}, out[3]};
}

EIGHT_INLINE void moves_load(const MovePacket *moves, const uint32_t *at, Eight out[4])
{
    eight_turn(eight_fours(moves[at[0]].u, moves[at[4]].u),
               eight_fours(moves[at[1]].u, moves[at[5]].u),
               eight_fours(moves[at[2]].u, moves[at[6]].u),
               eight_fours(moves[at[3]].u, moves[at[7]].u), out);
}

/* Adds slope times move of neighbours 0 and 4 to sum[0], of 1 and 5 to sum[1], and so on: lanes as
 * ever, but records stay whole. */
EIGHT_INLINE void add_scaled_moves(const MovePacket *moves, const uint32_t *at,
                                   const mote_real *slopes, Eight sum[4])
{
    const Eight s = eight_load(slopes);
    const Eight scale[4] = {__builtin_shufflevector(s, s, 0, 0, 0, 0, 4, 4, 4, 4),
                            __builtin_shufflevector(s, s, 1, 1, 1, 1, 5, 5, 5, 5),
                            __builtin_shufflevector(s, s, 2, 2, 2, 2, 6, 6, 6, 6),
                            __builtin_shufflevector(s, s, 3, 3, 3, 3, 7, 7, 7, 7)};
    for (int k = 0; k < 4; ++k)
        sum[k] = sum[k] + scale[k] * eight_fours(moves[at[k]].u, moves[at[k + 4]].u);
}

/* The sums over the lanes of such, in the order of eight_sum. */
EIGHT_INLINE Four pairs_sum(const Eight a[4])
{
    Four h[4];
    for (int k = 0; k < 4; ++k)
        h[k] = __builtin_shufflevector(a[k], a[k], 0, 1, 2, 3) +
               __builtin_shufflevector(a[k], a[k], 4, 5, 6, 7);
    return (h[0] + h[2]) + (h[1] + h[3]);
}

/* 1/s of the particle at place i, and of eight; 1 where there is one liquid. */
EIGHT_INLINE mote_real light_of(const FlowInput *in, size_t i)
{
    return in->traits != NULL ? in->traits[i].light : 1;
}

EIGHT_INLINE Eight lights_of(const FlowInput *in, const uint32_t *at)
{
    Eight light = {0};
    for (int k = 0; k < 8; ++k) light[k] = in->traits[at[k]].light;
    return light;
}

/* What pressures do at place i: the sum over its neighbours, and walls. */
EIGHT_INLINE void accelerate_one(const FlowInput *in, size_t i, const Eight sum[4])
{
    const Four sums = eight_sums(sum);
    const mote_real q = in->flow[i].q, light = light_of(in, i);
    MovePacket *move = &in->moves[i];
    in->push[i] = q;
    for (int c = 0; c < 3; ++c) move->u[c] = flow_acceleration(light, sums[c], q, in->wall[c][i]);
    move->along = along_x(move->u, in->flow[i].x);
}

#endif
