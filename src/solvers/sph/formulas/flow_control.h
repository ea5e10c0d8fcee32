/* What to do about what the pressures of a trial leave (dfsph_solve.c).
 *
 * Formulas: they include nothing, and are compiled for the processor and for devices, which go on
 * by themselves for some iterations (device/control.cl). */
#ifndef SOLVERS_SPH_FORMULAS_FLOW_CONTROL_H
#define SOLVERS_SPH_FORMULAS_FLOW_CONTROL_H

/* Sums of what is left; kernels.h says of what. */
typedef struct FlowLeft {
    double residual, balance;
    double uu, uy, yy, ue, ye;
    double worst;
} FlowLeft;

/* Goals for the sums over all particles, and for the largest. */
typedef struct FlowLimits {
    double residual, balance, worst;
    uint64_t most; /* iterations */
} FlowLimits;

typedef enum FlowNext { FLOW_DONE, FLOW_LONG_WAVES, FLOW_MEND } FlowNext;

typedef struct FlowControl {
    FlowLeft left;
    double best;                             /* least residual so far */
    uint64_t used;                           /* iterations */
    mote_real along, before, relax, further; /* of the next trial (MendLaw) */
    uint32_t anew;                           /* which starts from the pressures that there are */
    uint32_t next;                           /* FlowNext */
} FlowControl;

/* All three: a small mean hides single bad places, and means of sizes hide that the liquid as a
 * whole lacks some of its weight. */
static inline bool flow_is_done(const FlowLimits *limits, const FlowLeft *left)
{
    return left->residual <= limits->residual && fabs(left->balance) <= limits->balance &&
           left->worst <= limits->worst;
}

/* Where long waves are missing, the excess does not sum up to nothing: asked for at first, and when
 * nothing else is left to do. */
static inline bool flow_lacks_long_waves(const FlowLimits *limits, const FlowControl *c)
{
    return fabs(c->left.balance) > limits->balance &&
           (c->used == 0 || c->left.residual <= limits->residual);
}

/* The least of |e - a u - b y|: how far to go beyond the trial along both ways. Normal equations of
 * two unknowns; ways that are nearly the same have no plane, and then the trial's alone is taken.
 */
static inline void flow_choose_ways(FlowControl *c)
{
    const FlowLeft *s = &c->left;
    const double det = s->uu * s->yy - s->uy * s->uy;
    double a = 0, b = 0;
    if (det > 1e-6 * s->uu * s->yy) {
        a = (s->ue * s->yy - s->ye * s->uy) / det;
        b = (s->ye * s->uu - s->ue * s->uy) / det;
    } else if (s->uu > 0) {
        a = s->ue / s->uu;
    }
    c->along = (mote_real)a, c->before = (mote_real)b;
}

/* Both change little from one iteration to the next: what would have been best for this trial, of
 * Jacobi's step and of the way before it, is what the next one is made of. Then it lies near the
 * least of its plane, and one iteration less has to show it. */
static inline void flow_foresee(FlowControl *c)
{
    const mote_real a = 1 + c->along, least = (mote_real)0.3, most = (mote_real)1.5;
    const mote_real relax = a * c->relax, further = a * c->further + c->before;
    c->relax = relax > least ? relax < most ? relax : most : least;
    c->further = further > 0 ? further < (mote_real)0.9 ? further : (mote_real)0.9 : 0;
}

/* Nothing was tried yet. The share of Jacobi's steps: one that is too long for some particles is
 * taken back. */
static inline FlowControl flow_first(const FlowLeft *left)
{
    FlowControl c;
    c.left = *left;
    c.left.uu = c.left.uy = c.left.yy = 0;
    c.best = left->residual, c.used = 0;
    c.along = c.before = c.further = 0, c.relax = (mote_real)0.6;
    c.anew = 1, c.next = FLOW_DONE;
    return c;
}

/* By what is left: sets `next`, and for FLOW_MEND the next trial. */
static inline void flow_decide(const FlowLimits *limits, FlowControl *c)
{
    const double residual = c->left.residual;
    c->anew = c->used == 0 ? 1 : 0;
    c->next = FLOW_DONE;
    if (flow_is_done(limits, &c->left) || !(c->used < limits->most) || !(residual >= 0)) return;
    c->next = FLOW_LONG_WAVES;
    if (flow_lacks_long_waves(limits, c)) return;
    c->next = FLOW_MEND;
    if (residual > 2 * c->best) {
        c->relax *= (mote_real)0.7;
        c->along = c->before = c->further = 0, c->anew = 1;
        c->best = residual;
    } else {
        flow_choose_ways(c);
        flow_foresee(c);
    }
    if (residual < c->best) c->best = residual;
}

#endif
