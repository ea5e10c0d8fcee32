/* What pressures of an incompressible liquid leave, summed for dfsph_solve.c.
 *
 * A formula: it includes nothing, and is compiled for the processor (kernels/dfsph.c) and for
 * devices (device/judge.cl), to the same bits. */
#ifndef SOLVERS_SPH_FORMULAS_FLOW_JUDGE_H
#define SOLVERS_SPH_FORMULAS_FLOW_JUDGE_H

/* Eight places, zeros where there is none. */
typedef struct JudgedAt {
    Eight q, excess, error, answer;
    Eight soft, stiffness;
} JudgedAt;

/* Sums by lanes: of the places of a rod, so that single precision will do. */
typedef struct Judged {
    Eight residual, balance, worst, odd; /* odd: not a number when any excess is */
    Eight uu, uy, yy, ue, ye;
} Judged;

/* Pressures cannot fall below the least: what lies beyond is no error. `left` is what is wrong
 * there: the whole excess where the particle may be pushed harder, and no more of a lack than
 * letting go of all its pressure could mend. */
EIGHT_INLINE void judge_eight(mote_real least, mote_real dt2, const JudgedAt *at, Judged *s)
{
    const Eight above = at->q - least, e = at->excess, y = at->answer, u = at->error - e;
    const EightBits firm = EIGHT_MASK(at->soft > 0),
                    held = EIGHT_MASK(above > 0) | EIGHT_MASK(e >= 0);
    const Eight most = eight_where(firm, above * dt2 * at->stiffness);
    const Eight left = eight_most(e, -most), u_weight = eight_where(held, at->soft * u),
                y_weight = eight_where(held, at->soft * y);
    s->residual = s->residual + eight_most(left, -left), s->balance = s->balance + left;
    s->worst = eight_most(e, s->worst), s->odd = s->odd + (e - e);
    s->uu = s->uu + u_weight * u, s->uy = s->uy + u_weight * y, s->yy = s->yy + y_weight * y;
    s->ue = s->ue + u_weight * e, s->ye = s->ye + y_weight * e;
}

#endif
