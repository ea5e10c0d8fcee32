/* Pressures that leave no compression: a linear complementarity problem,
 *
 *     q >= 0,   e(q) = source - dt^2 A q <= 0,   one of them zero at every particle,
 *
 * by conjugate residuals with Jacobi's preconditioner, projected: a trial T = max(0, q + w e / d)
 * is evaluated in two loops over pairs, and then the point of least residual is taken in the plane
 * of the trial's way and the last one. Without the bound that is the method of conjugate residuals;
 * with it, every trial's excess is exact, so that what projections change is noticed one step
 * later.
 *
 * References: Stiefel 1955 (conjugate residuals); Bender and Koschier 2017 (the two passes). */
#include "solvers/sph/dfsph_coarse.h"
#include "solvers/sph/ghosts.h"

#include <math.h>

/* Of ghosts nothing is asked. */
static void compress_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const uint32_t *first = f->step->rods.first;
    const bool *kept = f->step->rods.kept;
    (void)worker;
    if (kept == NULL) f->operators->compress(&f->in, first[begin], first[end]);
    for (size_t rod = begin; kept != NULL && rod < end; ++rod)
        if (kept[rod]) f->operators->compress(&f->in, first[rod], first[rod + 1]);
}

static void judge_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const uint32_t *first = f->step->rods.first;
    const bool *kept = f->step->rods.kept;
    (void)worker;
    for (size_t rod = begin; rod < end; ++rod) {
        f->sums[rod] = (FlowSums){.worst = 0};
        if (kept == NULL || kept[rod])
            f->sums[rod] = f->kernels->judge(&f->in, first[rod], first[rod + 1]);
    }
}

static void compress_and_judge(void *context, size_t begin, size_t end, int worker)
{
    compress_body(context, begin, end, worker);
    judge_body(context, begin, end, worker);
}

static FlowSums all_sums(const Flow *f)
{
    const SphStep *step = f->step;
    enum { EACH = sizeof(FlowSums) / sizeof(double) };
    FlowSums all = {.worst = 0};
    Limbs sums[EACH];
    rods_limbs(&step->rods, step->outer->tasks, f->sums[0].of, EACH, sums);
    ghosts_sum(step, sums, EACH);
    for (size_t k = 0; k < EACH; ++k) all.of[k] = limbs_value(&sums[k]);
    all.worst = 0;
    for (size_t rod = 0; rod < step->rods.count; ++rod) {
        const double worst = f->sums[rod].worst;
        if (worst > all.worst || isnan(worst)) all.worst = worst; /* and stays no number */
    }
    ghosts_most(step, &all.worst, 1);
    return all;
}

/* The excess of the pressures in flow. */
static FlowSums evaluate(Flow *f)
{
    const Rods *rods = &f->step->rods;
    mote_Tasks *tasks = f->step->outer->tasks;
    flow_accelerate(f);
    flow_ahead(f, FLOW_COMPRESS);
    rods_for(rods, tasks, f->level != NULL ? compress_body : compress_and_judge, f);
    if (f->level != NULL) {
        f->level->level_excess(f);
        rods_for(rods, tasks, judge_body, f);
    }
    return all_sums(f);
}

static void restart(Flow *f)
{
    flow_loop_own(f, f->kernels->restart);
}

static void mend(Flow *f)
{
    flow_loop_own(f, f->kernels->mend);
}

static void mend_long(Flow *f)
{
    coarse_mend(f->coarse, f);
}

const FlowHands flow_host_hands = {
    .evaluate = evaluate, .restart = restart, .mend = mend, .mend_long = mend_long};

static FlowLimits limits_of(const Flow *f, const FlowGoal *goal)
{
    const double particles = (double)f->step->particles;
    return (FlowLimits){goal->residual * particles, goal->balance * particles, goal->worst,
                        goal->most};
}

static void start_anew(Flow *f, const FlowHands *hands)
{
    hands->restart(f);
    f->in.along = f->in.before = 0;
}

/* A way from the coarse grid, as far as the sum of the excess asks for: what is known then of the
 * trial that comes next. */
static void mend_long_waves(Flow *f, const FlowHands *hands, FlowControl *c)
{
    const double before = c->left.balance;
    start_anew(f, hands);
    hands->mend_long(f);
    const FlowSums after = hands->evaluate(f);
    double share = before / (before - after.balance);
    if (!(share > 0)) share = 0;
    c->along = (mote_real)((share < 2 ? share : 2) - 1), c->before = c->further = 0;
    c->anew = 0, c->best = HUGE_VAL;
    ++c->used;
}

void flow_try(Flow *f, const FlowHands *hands, const FlowControl *c)
{
    if (c->anew) start_anew(f, hands);
    f->in.along = c->along, f->in.before = c->before;
    f->in.relax = c->relax, f->in.further = c->further;
    hands->mend(f);
    if (f->level != NULL) f->level->level_pressures(f);
}

/* The next trial, and what to do about that. */
static void go_on(Flow *f, const FlowHands *hands, const FlowLimits *limits, FlowControl *c)
{
    flow_try(f, hands, c);
    c->left = hands->evaluate(f).left;
    ++c->used;
    flow_decide(limits, c);
}

FlowSolved flow_solve_by(Flow *f, const FlowHands *hands, const FlowGoal *goal)
{
    const FlowLimits limits = limits_of(f, goal);
    const FlowSums start = hands->evaluate(f);
    FlowControl c = flow_first(&start.left);
    flow_decide(&limits, &c);
    while (c.next != FLOW_DONE) {
        if (c.next == FLOW_LONG_WAVES) mend_long_waves(f, hands, &c);
        (hands->go_on != NULL && f->level == NULL ? hands->go_on : go_on)(f, hands, &limits, &c);
    }
    return (FlowSolved){{.left = c.left}, c.used};
}

bool flow_accept_solved(const Flow *f, const FlowGoal *goal, const FlowSolved *solved)
{
    f->step->outer->solver->tally.iterations += solved->used;
    const FlowLimits limits = limits_of(f, goal);
    return flow_accept(f, flow_is_done(&limits, &solved->left.left), solved->left.residual,
                       goal->residual * (double)f->step->particles);
}

bool flow_solve(Flow *f, const FlowGoal *goal)
{
    const SphBackend *backend = f->step->backend;
    const bool sums = f->operators == f->sum_operators;
    FlowSolved solved;
    if (f->status != MOTE_OK || !sums || backend->solve == NULL ||
        !backend->solve(f, goal, &solved)) {
        solved = flow_solve_by(f, &flow_host_hands, goal);
        flow_ahead(f, FLOW_MOVES);
    }
    return flow_accept_solved(f, goal, &solved);
}
