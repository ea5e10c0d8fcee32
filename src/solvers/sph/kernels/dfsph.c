/* Loops of the divergence-free solver: the pressures' accelerations and the compression that
 * velocities cause, gathered per particle in the order of its list. */
#include "solvers/sph/dfsph_kernels.h"
#include "solvers/sph/kernels/packets.h"

#include "space/smoothing_lanes.h"

typedef struct Flows {
    Eight x[3], q;
} Flows;

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

EIGHT_INLINE void differences(const FlowInput *in, bool periodic, const mote_real own[3],
                              const Eight other[3], Eight d[3])
{
    for (int c = 0; c < 3; ++c) {
        d[c] = own[c] - other[c];
        if (periodic && in->period[c] > 0) d[c] = eight_nearest_image(d[c], in->period[c]);
    }
}

/* ---- slopes ---- */

typedef struct PrepareSums {
    Eight gradient[3], squares, compression;
} PrepareSums;

EIGHT_INLINE void prepare_eight(const FlowInput *in, SmoothingKind kind, bool periodic,
                                const Packet *i, const Packets *j, mote_real *slopes,
                                PrepareSums *s)
{
    Eight d[3], rate = {0};
    differences(in, periodic, i->x, j->x, d);
    Eight r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    Eight q = eight_sqrt(r2) * in->kernel.inverse;
    Eight slope = in->volume * in->kernel.slope_scale * smoothing_shape_slope(kind, q);
    eight_store(slopes, slope);
    for (int c = 0; c < 3; ++c) {
        Eight g = slope * d[c];
        s->gradient[c] = s->gradient[c] + g;
        rate = rate + (i->v[c] - j->v[c]) * g;
    }
    s->squares = s->squares + slope * slope * r2;
    s->compression = s->compression + rate;
}

EIGHT_INLINE void prepare_with(const FlowInput *in, SmoothingKind kind, bool periodic, size_t begin,
                               size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        mote_real *slopes = in->slopes + (list - in->lists->index);
        const Packet own = in->moves[i];
        PrepareSums s = {.squares = {0}};
        for (size_t k = 0; k < count; k += 8) {
            Packets j = packets_load(in->moves, list + k);
            prepare_eight(in, kind, periodic, &own, &j, slopes + k, &s);
        }
        mote_real square = 0;
        for (int c = 0; c < 3; ++c) {
            mote_real g = eight_sum(s.gradient[c]) + in->wall[c][i];
            square += g * g;
        }
        in->stiffness[i] = square + eight_sum(s.squares);
        in->source[i] = eight_sum(s.compression);
    }
}

static void prepare(const FlowInput *in, size_t begin, size_t end)
{
    const SmoothingKind kind = in->kernel.gradient_kind;
    if (!in->periodic && kind == SMOOTHING_CUBIC)
        prepare_with(in, SMOOTHING_CUBIC, false, begin, end);
    else
        prepare_with(in, kind, in->periodic, begin, end);
}

/* ---- what pressures do ---- */

EIGHT_INLINE void accelerate_with(const FlowInput *in, bool periodic, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        const mote_real *slopes = in->slopes + (list - in->lists->index);
        const FlowPacket own = in->flow[i];
        Eight sum[3] = {{0}};
        for (size_t k = 0; k < count; k += 8) {
            Flows j = flows_load(in->flow, list + k);
            Eight d[3], push = (own.q + j.q) * eight_load(slopes + k);
            differences(in, periodic, own.x, j.x, d);
            for (int c = 0; c < 3; ++c) sum[c] = sum[c] + push * d[c];
        }
        in->push[i] = own.q;
        for (int c = 0; c < 3; ++c) in->moves[i].v[c] = -eight_sum(sum[c]) - own.q * in->wall[c][i];
    }
}

static void accelerate(const FlowInput *in, size_t begin, size_t end)
{
    if (in->periodic)
        accelerate_with(in, true, begin, end);
    else
        accelerate_with(in, false, begin, end);
}

/* ---- what that does to densities ---- */

EIGHT_INLINE void compress_with(const FlowInput *in, bool periodic, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        const mote_real *slopes = in->slopes + (list - in->lists->index);
        const Packet own = in->moves[i];
        Eight sum = {0};
        for (size_t k = 0; k < count; k += 8) {
            Packets j = packets_load(in->moves, list + k);
            Eight d[3], along = {0};
            differences(in, periodic, own.x, j.x, d);
            for (int c = 0; c < 3; ++c) along = along + (own.v[c] - j.v[c]) * d[c];
            sum = sum + along * eight_load(slopes + k);
        }
        mote_real at_walls =
            own.v[0] * in->wall[0][i] + own.v[1] * in->wall[1][i] + own.v[2] * in->wall[2][i];
        in->excess[i] = in->source[i] + in->dt2 * (eight_sum(sum) + at_walls);
    }
}

static void compress(const FlowInput *in, size_t begin, size_t end)
{
    if (in->periodic)
        compress_with(in, true, begin, end);
    else
        compress_with(in, false, begin, end);
}

/* ---- mending it ---- */

/* Particles without neighbours have no stiffness and no pressure. */
EIGHT_INLINE mote_real scale_of(const FlowInput *in, size_t i)
{
    const mote_real least = in->kernel.inverse * in->kernel.inverse * (mote_real)1e-6;
    return in->stiffness[i] > least ? in->dt2 * in->stiffness[i] : 0;
}

/* Pressures cannot fall below zero: what lies beyond is no error. */
static FlowSums judge(const FlowInput *in, size_t begin, size_t end)
{
    FlowSums s = {0, 0, 0};
    for (size_t i = begin; i < end; ++i) {
        const mote_real e = in->excess[i], most = in->flow[i].q * scale_of(in, i);
        mote_real left = e > -most ? e : -most;
        s.residual += (double)(left < 0 ? -left : left);
        s.balance += (double)left;
        s.worst = e > s.worst || !(e == e) ? e : s.worst;
    }
    return s;
}

/* q' = max(0, y + relax excess / (dt^2 stiffness)), y' = q' + momentum (q' - q), with y in flow and
 * q in pressure (Nesterov 1983, projected; restarts: O'Donoghue and Candes 2015). */
static double mend(const FlowInput *in, size_t begin, size_t end)
{
    double wrong = 0;
    for (size_t i = begin; i < end; ++i) {
        const mote_real y = in->flow[i].q, before = in->pressure[i], scale = scale_of(in, i);
        mote_real q = scale > 0 ? y + in->relax * in->excess[i] / scale : 0;
        q = q > 0 ? q : 0;
        mote_real next = q + in->momentum * (q - before);
        wrong += (double)((y - q) * (q - before) * scale);
        in->pressure[i] = q;
        in->flow[i].q = next > 0 ? next : 0;
    }
    return wrong;
}

const FlowKernels ISA(flow_table) = {prepare, accelerate, compress, judge, mend};
