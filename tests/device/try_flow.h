/* Formulas of incompressible liquids that devices share, of three numbers: what is judged by lanes,
 * what is done place by place, and the coarse grid. Compiled for the processor and, as text, for
 * the device: it includes nothing. */

enum { TRY_JUDGED = 9, TRY_PLACES = 14 + 8 + 3 + 4 };

EIGHT_INLINE void try_judge(Eight a, Eight b, Eight c, Eight out[TRY_JUDGED])
{
    const JudgedAt first = {a * a, b - c, c, a * b, eight_most(a, eight_all(0)), b * b};
    const JudgedAt second = {b, a, a - b, c, eight_most(c, eight_all(0)), a * a};
    const Eight none = eight_all(0);
    Judged s = {none, none, none, none, none, none, none, none, none};
    judge_eight(0, (mote_real)0.01, &first, &s);
    judge_eight((mote_real)-0.5, (mote_real)0.25, &second, &s);
    out[0] = s.residual, out[1] = s.balance, out[2] = s.worst, out[3] = s.odd;
    out[4] = s.uu, out[5] = s.uy, out[6] = s.yy, out[7] = s.ue, out[8] = s.ye;
}

static inline mote_real *try_trial(const FlowTrial *t, mote_real *out)
{
    out[0] = t->q, out[1] = t->pressure, out[2] = t->error, out[3] = t->way, out[4] = t->answer;
    return out + 5;
}

/* Weights as shares of a cell, which a real can hold: whole numbers of 2^20. */
static inline mote_real *try_coarse(mote_real a, mote_real b, mote_real c, mote_real *out)
{
    const CoarseLaw g = {{-0.3, -0.2, 0.1}, {3.7, 2.9, 4.1}, {3, 2, 4}, {4, 2, 5}, {0, 1, 0}, 0};
    const mote_real x[3] = {a, b, c};
    const CoarsePlace p = coarse_place(&g, x);
    const double scale = coarse_scale((double)(a * a), 1000);
    for (int k = 0; k < 8; ++k)
        *out++ = (mote_real)(coarse_share(p.weight[k], 1 << 20) + (int64_t)(p.node[k] * 64));
    *out++ = (mote_real)coarse_cell(&g, x);
    *out++ = (mote_real)(scale * 0x1p-50);
    *out++ = coarse_lifted(a, (double)b / 3, c) + (coarse_is_free(a, b, c) ? 1 : 0);
    return out;
}

/* What is decided about sums, once with a sum of limbs that may be below 0. */
static inline mote_real *try_decision(mote_real a, mote_real b, mote_real c, mote_real *out)
{
    const int64_t unit = 1 << 20;
    const int64_t middle = b == b ? (int64_t)(b * 1000) : 0, high = a == a ? (int64_t)(a * 3) : 0;
    const mote_real much = (mote_real)1.2, little = (mote_real)0.2;
    const int64_t words[LIMB_WORDS] = {
        unit, 0, 0, middle * unit, 7, high, a > much ? 1 : 0, 0, b > much ? 1 : 0};
    const double x = (double)a, y = (double)b, z = (double)c;
    const FlowLeft left = {
        x, y, (double)(c * c), (double)(a * b), (double)(b * b), limb_total(words), z, x};
    const FlowLimits limits = {0.2, 0.1, 0.4, 10};
    FlowControl control = flow_first(&left);
    control.left.uu = left.uu, control.left.uy = left.uy, control.left.yy = left.yy;
    control.used = b > little ? 1 : 0, control.best = x > 0.5 ? x / 3 : x;
    flow_decide(&limits, &control);
    out[0] = control.along, out[1] = control.before,
    out[2] = control.relax + (mote_real)control.anew + 2 * control.further;
    out[3] = (mote_real)control.best + (mote_real)control.next;
    return out + 4;
}

static inline void try_flow(mote_real a, mote_real b, mote_real c, mote_real *out)
{
    const MendLaw law = {b, c, (mote_real)0.7, (mote_real)0.3, 0};
    const FlowPlaceLaw places = {1000, (mote_real)0.001, 200, (mote_real)0.8, b > 0};
    const mote_real density = 1000 + 20 * a;
    FlowTrial t = {a, b, c, a * c, b * c};
    flow_mend(&law, a > 0 ? b * b : 0, c, &t);
    out = try_trial(&t, out);
    flow_restart(b, &t);
    *out++ = t.pressure + t.error;
    *out++ = flow_softness(20, (mote_real)1e-6, b * b * 1000);
    *out++ = flow_left(a, b, c);
    *out++ = flow_over(&places, density);
    *out++ = flow_slack(&places, density);
    *out++ = flow_position_source(&places, density, c);
    *out++ = flow_unlifted(a, c);
    *out++ = flow_wall_push(a, b);
    *out++ = flow_wall_push(flow_unlifted(b, c), c);
    try_coarse(a, b, c, try_decision(a, b, c, out));
}
