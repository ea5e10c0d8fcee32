/* Loops of the divergence-free solver: the pressures' accelerations and the compression that
 * velocities cause, gathered per particle in the order of its list. */
#include "solvers/sph/kernels/flow_lanes.h"

/* ---- slopes ---- */

/* stiffness_i = |sum_j g_ij + G_i|^2 + sum_j |g_ij|^2, the diagonal of A = D D'. */
EIGHT_INLINE void prepare_with(const FlowInput *in, FlowTerms t, size_t begin, size_t end)
{
    const FlowLaw law = flow_law(in);
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        mote_real *slopes = in->slopes + (list - in->lists->index);
        const FlowPacket own = in->flow[i];
        Eight all[4] = {{0}}, light = {0};
        for (size_t k = 0; k < count; k += 8) {
            const Flows j = flows_load(in->flow, list + k);
            if (t.mixed) light = lights_of(in, list + k);
            eight_store(slopes + k, flow_prepare_eight(&law, &t, &own, &j, light, all));
        }
        for (size_t k = in->lists->count[i]; k < count; ++k) slopes[k] = 0;
        const Four four = eight_sums(all);
        const mote_real sums[4] = {four[0], four[1], four[2], four[3]};
        const mote_real wall[3] = {in->wall[0][i], in->wall[1][i], in->wall[2][i]};
        for (int c = 0; c < 3; ++c) in->uneven[c][i] = sums[c];
        in->stiffness[i] = flow_stiffness(light_of(in, i), sums, wall);
        in->soft[i] = flow_soft(in, i);
    }
}

static void prepare(const FlowInput *in, size_t begin, size_t end)
{
    const FlowTerms t = {in->kernel.gradient_kind, in->periodic, in->traits != NULL};
    if (!t.periodic && !t.mixed && t.kind == SMOOTHING_CUBIC)
        prepare_with(in, (FlowTerms){SMOOTHING_CUBIC, false, false}, begin, end);
    else if (!t.periodic && !t.mixed && t.kind == SMOOTHING_EVEN)
        prepare_with(in, (FlowTerms){SMOOTHING_EVEN, false, false}, begin, end);
    else
        prepare_with(in, t, begin, end);
}

/* ---- what pressures do ---- */

/* a_i = - sum_j (q_i + q_j) g_ij - q_i G_i. */
EIGHT_INLINE void accelerate_with(const FlowInput *in, bool periodic, size_t begin, size_t end)
{
    const FlowLaw law = flow_law(in);
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        const mote_real *slopes = in->slopes + (list - in->lists->index);
        const FlowPacket own = in->flow[i];
        Eight sum[4] = {{0}};
        for (size_t k = 0; k < count; k += 8) {
            const Flows j = flows_load(in->flow, list + k);
            flow_push_eight(&law, periodic, &own, &j, eight_load(slopes + k), sum);
        }
        accelerate_one(in, i, sum);
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

EIGHT_INLINE mote_real closing(const FlowInput *in, size_t i)
{
    const uint32_t *list = neighbours_of(in->lists, i);
    const size_t count = neighbours_padded(in->lists, i);
    const mote_real *slopes = in->slopes + (list - in->lists->index);
    const mote_real *u = in->moves[i].u;
    Eight sum[4] = {{0}};
    for (size_t k = 0; k < count; k += 8) add_scaled_moves(in->moves, list + k, slopes + k, sum);
    Four s = pairs_sum(sum);
    const mote_real own[3] = {in->uneven[0][i], in->uneven[1][i], in->uneven[2][i]};
    const mote_real others[4] = {s[0], s[1], s[2], s[3]};
    return flow_closing(u, own, others, in->flow[i].x);
}

EIGHT_INLINE mote_real closing_periodic(const FlowInput *in, size_t i)
{
    const uint32_t *list = neighbours_of(in->lists, i);
    const size_t count = neighbours_padded(in->lists, i);
    const mote_real *slopes = in->slopes + (list - in->lists->index);
    const FlowLaw law = flow_law(in);
    const FlowPacket own = in->flow[i];
    Eight sum = {0};
    for (size_t k = 0; k < count; k += 8) {
        const Flows at = flows_load(in->flow, list + k);
        Eight j[4];
        moves_load(in->moves, list + k, j);
        sum = flow_closing_eight(&law, in->moves[i].u, &own, &at, j, eight_load(slopes + k), sum);
    }
    return eight_sum(sum);
}

EIGHT_INLINE void compress_with(const FlowInput *in, bool periodic, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        const mote_real wall[3] = {in->wall[0][i], in->wall[1][i], in->wall[2][i]};
        mote_real between = periodic ? closing_periodic(in, i) : closing(in, i);
        in->excess[i] = flow_excess(in, i, between + along_x(in->moves[i].u, wall));
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
    for (size_t i = begin; i < end; ++i)
        in->source[i] = in->periodic ? closing_periodic(in, i) : closing(in, i);
}

/* ---- mending it ---- */

/* Sums by lanes: of the places of a rod, so that single precision will do. */
typedef struct Judged {
    Eight residual, balance, worst, odd; /* odd: not a number when any excess is */
    Eight uu, uy, yy, ue, ye;
} Judged;

EIGHT_INLINE Eight plane_eight(const mote_real *plane, size_t i, EightBits inside)
{
    return eight_where(inside, eight_load(plane + i));
}

/* Pressures cannot fall below the least: what lies beyond is no error. `left` is what is wrong
 * there: the whole excess where the particle may be pushed harder, and no more of a lack than
 * letting go of all its pressure could mend. */
EIGHT_INLINE void judge_eight(const FlowInput *in, size_t i, size_t end, Judged *s)
{
    static const Eight lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const EightBits inside = (EightBits)(lane < (mote_real)(end - i));
    uint32_t at[8];
    for (size_t k = 0; k < 8; ++k) at[k] = (uint32_t)(i + k < end ? i + k : end - 1);
    const Eight above = flows_load(in->flow, at).q - in->least;
    const Eight e = plane_eight(in->excess, i, inside), soft = plane_eight(in->soft, i, inside);
    const Eight y = plane_eight(in->answer, i, inside);
    const Eight u = plane_eight(in->error, i, inside) - e;
    const EightBits firm = (EightBits)(soft > 0),
                    held = (EightBits)(above > 0) | (EightBits)(e >= 0);
    const Eight most = eight_where(firm, above * in->dt2 * eight_load(in->stiffness + i));
    const Eight left = eight_most(e, -most), u_weight = eight_where(held, soft * u),
                y_weight = eight_where(held, soft * y);
    s->residual = s->residual + eight_most(left, -left), s->balance = s->balance + left;
    s->worst = eight_most(e, s->worst), s->odd = s->odd + (e - e);
    s->uu = s->uu + u_weight * u, s->uy = s->uy + u_weight * y, s->yy = s->yy + y_weight * y;
    s->ue = s->ue + u_weight * e, s->ye = s->ye + y_weight * e;
}

static FlowSums judge(const FlowInput *in, size_t begin, size_t end)
{
    Judged s = {.odd = {0}};
    for (size_t i = begin; i < end; i += 8) judge_eight(in, i, end, &s);
    FlowSums sums = {.residual = (double)eight_sum(s.residual),
                     .balance = (double)eight_sum(s.balance),
                     .worst = (double)eight_sum(s.odd),
                     .uu = (double)eight_sum(s.uu),
                     .uy = (double)eight_sum(s.uy),
                     .yy = (double)eight_sum(s.yy),
                     .ue = (double)eight_sum(s.ue),
                     .ye = (double)eight_sum(s.ye)};
    for (int k = 0; k < 8; ++k)
        sums.worst = (double)s.worst[k] > sums.worst ? (double)s.worst[k] : sums.worst;
    return sums;
}

/* From the trial to the best of the plane that the last two ways span, and on to the next trial,
 * which is a step of Jacobi's. */
static void mend(const FlowInput *in, size_t begin, size_t end)
{
    const mote_real a = 1 + in->along, b = in->before, least = in->least;
    for (size_t i = begin; i < end; ++i) {
        const mote_real way = a * (in->flow[i].q - in->pressure[i]) + b * in->way[i];
        const mote_real answer = a * (in->error[i] - in->excess[i]) + b * in->answer[i];
        const mote_real soft = in->soft[i], e = in->error[i] - answer;
        mote_real q = in->pressure[i] + way;
        q = !(soft > 0) ? 0 : q > least ? q : least;
        mote_real next = q + in->relax * e * soft;
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

const FlowOperators ISA(flow_sum_table) = {
    .prepare = prepare, .accelerate = accelerate, .rate = rate, .compress = compress};
const FlowKernels ISA(flow_table) = {judge, mend, restart};
