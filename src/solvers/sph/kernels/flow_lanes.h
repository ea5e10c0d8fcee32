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

/* ---- what is done with sums over neighbours, at eight places at once ---- */

/* Eight places from `first` on, of which `count` are there: behind them the last one again. */
typedef struct EightPlaces {
    size_t first, count;
    uint32_t at[8];
} EightPlaces;

EIGHT_INLINE EightPlaces eight_places(size_t first, size_t end)
{
    EightPlaces p = {first, end - first < 8 ? end - first : 8, {0}};
    for (size_t k = 0; k < 8; ++k) p.at[k] = (uint32_t)(first + (k < p.count ? k : p.count - 1));
    return p;
}

EIGHT_INLINE void places_store(const EightPlaces *p, mote_real *plane, Eight a)
{
    if (p->count == 8) eight_store(plane + p->first, a);
    for (size_t k = 0; p->count < 8 && k < p->count; ++k) plane[p->first + k] = a[k];
}

EIGHT_INLINE void planes_load(const EightPlaces *p, mote_real *const plane[3], Eight out[3])
{
    for (int c = 0; c < 3; ++c) out[c] = eight_load(plane[c] + p->first);
}

/* Four numbers of each place, by number. */
EIGHT_INLINE void fours_turn(const Four of[8], Eight out[4])
{
    mote_real a[8][4];
    __builtin_memcpy(a, of, sizeof a);
    eight_turn(eight_fours(a[0], a[4]), eight_fours(a[1], a[5]), eight_fours(a[2], a[6]),
               eight_fours(a[3], a[7]), out);
}

EIGHT_INLINE void moves_store(const EightPlaces *p, MovePacket *moves, const Eight u[4])
{
    Eight pair[4]; /* turning twice is nothing */
    eight_turn(u[0], u[1], u[2], u[3], pair);
    for (size_t k = 0; k < p->count; ++k)
        __builtin_memcpy(moves[p->first + k].u, (const mote_real *)&pair[k % 4] + k / 4 * 4,
                         sizeof *moves);
}

/* What pressures do: the sums over neighbours, and walls. */
EIGHT_INLINE void accelerate_places(const FlowInput *in, const EightPlaces *p, const Four of[8])
{
    const Flows own = flows_load(in->flow, p->at);
    const Eight light = in->traits != NULL ? lights_of(in, p->at) : eight_all(1);
    Eight sums[4], wall[3], move[4];
    fours_turn(of, sums);
    planes_load(p, in->wall, wall);
    for (int c = 0; c < 3; ++c)
        move[c] = flow_acceleration_of_eight(light, sums[c], own.q, wall[c]);
    move[3] = along_eight(move, own.x);
    places_store(p, in->push, own.q);
    moves_store(p, in->moves, move);
}

/* Lists and slopes of the places some way on: they are read once, and from far away. */
EIGHT_INLINE void fetch_ahead(const uint32_t *list, const mote_real *slopes)
{
    enum { ENTRIES = 256, LINE = 64 / sizeof(uint32_t) };
    __builtin_prefetch(list + ENTRIES);
    __builtin_prefetch(list + ENTRIES + LINE);
    __builtin_prefetch(slopes + ENTRIES);
    __builtin_prefetch(slopes + ENTRIES + LINE);
}

#endif
