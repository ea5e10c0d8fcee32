/* Loops of the divergence-free solver: the pressures' accelerations and the compression that
 * velocities cause, gathered per particle in the order of its list. */
#include "solvers/sph/kernels/flow_lanes.h"

#include "solvers/sph/formulas/flow_judge.h"

/* ---- slopes ---- */

/* The last eight of so many neighbours; 0 of what fills up the list. */
EIGHT_INLINE Eight listed(size_t count, Eight a)
{
    static const Eight lane = {0, 1, 2, 3, 4, 5, 6, 7};
    return eight_where((EightBits)(lane < (mote_real)((count - 1) % 8 + 1)), a);
}

/* stiffness_i = |sum_j g_ij + G_i|^2 + sum_j |g_ij|^2, the diagonal of A = D D'. */
EIGHT_INLINE void prepare_with(const FlowInput *in, FlowTerms t, size_t begin, size_t end)
{
    const FlowLaw law = flow_law(in);
    for (size_t i = begin; i < end; ++i) {
        const uint32_t *list = neighbours_of(in->lists, i);
        const size_t count = neighbours_padded(in->lists, i);
        mote_real *slopes = in->slopes + (list - in->lists->index);
        const FlowPacket own = in->flow[i];
        Eight all[4] = {{0}}, light = {0}, slope = {0};
        for (size_t k = 0; k < count; k += 8) {
            const Flows j = flows_load(in->flow, list + k);
            if (t.mixed) light = lights_of(in, list + k);
            slope = flow_prepare_eight(&law, &t, &own, &j, light, all);
            eight_store(slopes + k, slope);
        }
        if (count > 0) eight_store(slopes + count - 8, listed(in->lists->count[i], slope));
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

/* Of a_i = - sum_j (q_i + q_j) g_ij - q_i G_i the sum, without its sign. */
EIGHT_INLINE Four pushed(const FlowInput *in, const FlowLaw *law, bool periodic, size_t i)
{
    const uint32_t *list = neighbours_of(in->lists, i);
    const size_t count = neighbours_padded(in->lists, i);
    const mote_real *slopes = in->slopes + (list - in->lists->index);
    const FlowPacket own = in->flow[i];
    Eight sum[4] = {{0}};
    fetch_ahead(list, slopes);
    for (size_t k = 0; k < count; k += 8) {
        const Flows j = flows_load(in->flow, list + k);
        flow_push_eight(law, periodic, &own, &j, eight_load(slopes + k), sum);
    }
    return eight_sums(sum);
}

EIGHT_INLINE void accelerate_with(const FlowInput *in, bool periodic, size_t begin, size_t end)
{
    const FlowLaw law = flow_law(in);
    for (size_t i = begin; i < end; i += 8) {
        const EightPlaces p = eight_places(i, end);
        Four sums[8] = {{0}};
        for (size_t k = 0; k < p.count; ++k) sums[k] = pushed(in, &law, periodic, i + k);
        accelerate_places(in, &p, sums);
    }
}

PERIODIC_OR_NOT(accelerate, FlowInput)

/* ---- what that does to densities ---- */

/* sum s u_j, and sum s u_j.x_j. */
EIGHT_INLINE Four others(const FlowInput *in, size_t i)
{
    const uint32_t *list = neighbours_of(in->lists, i);
    const size_t count = neighbours_padded(in->lists, i);
    const mote_real *slopes = in->slopes + (list - in->lists->index);
    Eight sum[4] = {{0}};
    fetch_ahead(list, slopes);
    for (size_t k = 0; k < count; k += 8) add_scaled_moves(in->moves, list + k, slopes + k, sum);
    return pairs_sum(sum);
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

/* Between pairs; u: of the places. */
EIGHT_INLINE Eight closing(const FlowInput *in, const EightPlaces *p, bool periodic, Eight u[4])
{
    const Flows own = flows_load(in->flow, p->at);
    Eight sums[4], uneven[3], between = {0};
    moves_load(in->moves, p->at, u);
    for (size_t k = 0; periodic && k < p->count; ++k)
        between[k] = closing_periodic(in, p->first + k);
    if (periodic) return between;
    Four of[8] = {{0}};
    for (size_t k = 0; k < p->count; ++k) of[k] = others(in, p->first + k);
    fours_turn(of, sums);
    planes_load(p, in->uneven, uneven);
    return flow_closing_of_eight(u, uneven, sums, own.x);
}

EIGHT_INLINE void compress_with(const FlowInput *in, bool periodic, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i += 8) {
        const EightPlaces p = eight_places(i, end);
        Eight u[4], wall[3];
        const Eight between = closing(in, &p, periodic, u);
        planes_load(&p, in->wall, wall);
        const Eight rate = between + along_eight(u, wall);
        places_store(&p, in->excess, eight_load(in->source + i) + in->dt2 * rate);
    }
}

PERIODIC_OR_NOT(compress, FlowInput)

EIGHT_INLINE void rate_with(const FlowInput *in, bool periodic, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i += 8) {
        const EightPlaces p = eight_places(i, end);
        Eight u[4];
        places_store(&p, in->source, closing(in, &p, periodic, u));
    }
}

PERIODIC_OR_NOT(rate, FlowInput)

/* ---- mending it ---- */

EIGHT_INLINE Eight plane_eight(const mote_real *plane, size_t i, EightBits inside)
{
    return eight_where(inside, eight_load(plane + i));
}

/* The places from i on, of those before end. */
EIGHT_INLINE JudgedAt judged_at(const FlowInput *in, size_t i, size_t end)
{
    static const Eight lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const EightBits inside = (EightBits)(lane < (mote_real)(end - i));
    const EightPlaces p = eight_places(i, end);
    return (JudgedAt){.q = flows_load(in->flow, p.at).q,
                      .excess = plane_eight(in->excess, i, inside),
                      .error = plane_eight(in->error, i, inside),
                      .answer = plane_eight(in->answer, i, inside),
                      .soft = plane_eight(in->soft, i, inside),
                      .stiffness = eight_load(in->stiffness + i)};
}

static FlowSums judge(const FlowInput *in, size_t begin, size_t end)
{
    Judged s = {.odd = {0}};
    for (size_t i = begin; i < end; i += 8) {
        const JudgedAt at = judged_at(in, i, end);
        judge_eight(in->least, in->dt2, &at, &s);
    }
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

INLINE FlowTrial trial_at(const FlowInput *in, size_t i)
{
    return (FlowTrial){in->flow[i].q, in->pressure[i], in->error[i], in->way[i], in->answer[i]};
}

INLINE void keep_trial(const FlowInput *in, size_t i, const FlowTrial *t)
{
    in->pressure[i] = t->pressure, in->error[i] = t->error;
    in->way[i] = t->way, in->answer[i] = t->answer;
}

static void mend(const FlowInput *in, size_t begin, size_t end)
{
    const MendLaw law = {in->along, in->before, in->relax, in->further, in->least};
    for (size_t i = begin; i < end; ++i) {
        FlowTrial t = trial_at(in, i);
        flow_mend(&law, in->soft[i], in->excess[i], &t);
        keep_trial(in, i, &t);
        in->flow[i].q = t.q;
    }
}

static void restart(const FlowInput *in, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; ++i) {
        FlowTrial t = {.q = in->flow[i].q};
        flow_restart(in->excess[i], &t);
        keep_trial(in, i, &t);
    }
}

const FlowOperators ISA(flow_sum_table) = {
    .prepare = prepare, .accelerate = accelerate, .rate = rate, .compress = compress};
const FlowKernels ISA(flow_table) = {judge, mend, restart};
