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
    Eight gradient[3], squares;
} PrepareSums;

EIGHT_INLINE void prepare_eight(const FlowInput *in, SmoothingKind kind, bool periodic,
                                const FlowPacket *i, const Flows *j, mote_real *slopes,
                                PrepareSums *s)
{
    Eight d[3];
    differences(in, periodic, i->x, j->x, d);
    Eight r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    Eight q = eight_sqrt(r2) * in->kernel.inverse;
    Eight slope = in->volume * in->kernel.slope_scale * smoothing_shape_slope(kind, q);
    eight_store(slopes, slope);
    for (int c = 0; c < 3; ++c) s->gradient[c] = s->gradient[c] + slope * d[c];
    s->squares = s->squares + slope * slope * r2;
}

EIGHT_INLINE void prepare_with(const FlowInput *in, SmoothingKind kind, bool periodic, size_t begin,
                               size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        mote_real *slopes = in->slopes + (list - in->lists->index);
        const FlowPacket own = in->flow[i];
        PrepareSums s = {.squares = {0}};
        for (size_t k = 0; k < count; k += 8) {
            Flows j = flows_load(in->flow, list + k);
            prepare_eight(in, kind, periodic, &own, &j, slopes + k, &s);
        }
        mote_real square = 0;
        for (int c = 0; c < 3; ++c) {
            mote_real g = eight_sum(s.gradient[c]) + in->wall[c][i];
            square += g * g;
        }
        in->stiffness[i] = square + eight_sum(s.squares);
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

/* Sum of (u_i - u_j).g_ij. */
EIGHT_INLINE mote_real closing(const FlowInput *in, bool periodic, size_t i)
{
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
    return eight_sum(sum);
}

EIGHT_INLINE void compress_with(const FlowInput *in, bool periodic, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        const mote_real *v = in->moves[i].v;
        mote_real at_walls = v[0] * in->wall[0][i] + v[1] * in->wall[1][i] + v[2] * in->wall[2][i];
        in->excess[i] = in->source[i] + in->dt2 * (closing(in, periodic, i) + at_walls);
    }
}

static void compress(const FlowInput *in, size_t begin, size_t end)
{
    if (in->periodic)
        compress_with(in, true, begin, end);
    else
        compress_with(in, false, begin, end);
}

static void rate(const FlowInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) in->source[i] = closing(in, in->periodic, i);
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
    FlowSums s = {0};
    for (size_t i = begin; i < end; ++i) {
        const mote_real e = in->excess[i], q = in->flow[i].q, scale = scale_of(in, i);
        const mote_real most = (q - in->least) * scale, left = e > -most ? e : -most;
        s.residual += (double)(left < 0 ? -left : left);
        s.balance += (double)left;
        s.worst = e > s.worst || !(e == e) ? e : s.worst;
        if (!(scale > 0) || (!(q > in->least) && e < 0)) continue;
        const double weight = 1 / (double)scale;
        const double u = (double)(in->error[i] - e), y = (double)in->answer[i];
        s.uu += weight * u * u, s.uy += weight * u * y, s.yy += weight * y * y;
        s.ue += weight * u * (double)e, s.ye += weight * y * (double)e;
    }
    return s;
}

/* From the trial to the best of the plane that the last two ways span, and on to the next trial,
 * which is a step of Jacobi's. */
static void mend(const FlowInput *in, size_t begin, size_t end)
{
    const mote_real a = 1 + in->along, b = in->before, least = in->least;
    for (size_t i = begin; i < end; ++i) {
        const mote_real scale = scale_of(in, i);
        const mote_real way = a * (in->flow[i].q - in->pressure[i]) + b * in->way[i];
        const mote_real answer = a * (in->error[i] - in->excess[i]) + b * in->answer[i];
        mote_real q = in->pressure[i] + way, e = in->error[i] - answer;
        q = !(scale > 0) ? 0 : q > least ? q : least;
        mote_real next = scale > 0 ? q + in->relax * e / scale : 0;
        in->way[i] = way, in->answer[i] = answer;
        in->pressure[i] = q, in->error[i] = e;
        in->flow[i].q = next > least ? next : least;
    }
}

/* Starts anew from the trial. */
static void restart(const FlowInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        in->pressure[i] = in->flow[i].q, in->error[i] = in->excess[i];
        in->way[i] = in->answer[i] = 0;
    }
}

const FlowKernels ISA(flow_table) = {prepare, accelerate, rate, compress, judge, mend, restart};
