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

/* Of Jacobi's steps; a step that is too long for some particles is taken back. */
static const mote_real relax_first = (mote_real)0.8, relax_less = (mote_real)0.7;

static void compress_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    const uint32_t *first = f->step->rods.first;
    (void)worker;
    const bool *kept = f->step->rods.kept;
    if (kept == NULL) f->operators->compress(&f->in, first[begin], first[end]);
    for (size_t rod = begin; rod < end; ++rod) {
        f->sums[rod] = (FlowSums){.worst = 0};
        if (kept != NULL && !kept[rod]) continue; /* of ghosts */
        if (kept != NULL) f->operators->compress(&f->in, first[rod], first[rod + 1]);
        f->sums[rod] = f->kernels->judge(&f->in, first[rod], first[rod + 1]);
    }
}

static void mend_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    (void)worker;
    f->kernels->mend(&f->in, begin, end);
}

static void restart_body(void *context, size_t begin, size_t end, int worker)
{
    const Flow *f = context;
    (void)worker;
    f->kernels->restart(&f->in, begin, end);
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
    flow_accelerate(f);
    flow_ahead(f, FLOW_COMPRESS);
    rods_for(&f->step->rods, f->step->outer->tasks, compress_body, f);
    return all_sums(f);
}

static void restart(Flow *f)
{
    flow_for_own(f, restart_body);
}

static void mend(Flow *f)
{
    flow_for_own(f, mend_body);
}

static void mend_long(Flow *f)
{
    coarse_mend(f->coarse, f);
}

const FlowHands flow_host_hands = {evaluate, restart, mend, mend_long};

/* All three: a small mean hides single bad places, and means of sizes hide that the liquid as a
 * whole lacks some of its weight. */
static bool is_done(const Flow *f, const FlowGoal *goal, const FlowSums *all)
{
    const double particles = (double)f->step->particles;
    return all->residual <= goal->residual * particles &&
           fabs(all->balance) <= goal->balance * particles && all->worst <= goal->worst;
}

/* The least of |e - a u - b y|: how far to go beyond the trial along both ways. Normal equations of
 * two unknowns; ways that are nearly the same have no plane, and then the trial's alone is taken.
 */
static void choose_ways(Flow *f, const FlowSums *s)
{
    double det = s->uu * s->yy - s->uy * s->uy, a = 0, b = 0;
    if (det > 1e-6 * s->uu * s->yy) {
        a = (s->ue * s->yy - s->ye * s->uy) / det;
        b = (s->ye * s->uu - s->ue * s->uy) / det;
    } else if (s->uu > 0) {
        a = s->ue / s->uu;
    }
    f->in.along = (mote_real)a, f->in.before = (mote_real)b;
}

static void start_anew(Flow *f, const FlowHands *hands)
{
    hands->restart(f);
    f->in.along = f->in.before = 0;
}

/* The next trial. */
static void mend_all(Flow *f, const FlowHands *hands, const FlowSums *all, double *best)
{
    if (all->residual > 2 * *best) {
        f->in.relax *= relax_less;
        start_anew(f, hands);
        *best = all->residual;
    } else {
        choose_ways(f, all);
    }
    if (all->residual < *best) *best = all->residual;
    hands->mend(f);
}

/* Where long waves are missing, the excess does not sum up to nothing: asked for at first, and when
 * nothing else is left to do. */
static bool lacks_long_waves(const Flow *f, const FlowGoal *goal, const FlowSums *all,
                             uint64_t used)
{
    const double particles = (double)f->step->particles;
    return fabs(all->balance) > goal->balance * particles &&
           (used == 0 || all->residual <= goal->residual * particles);
}

/* A way from the coarse grid, as far as the sum of the excess asks for, and a trial from there. */
static void mend_long_waves(Flow *f, const FlowHands *hands, const FlowSums *all, double *best)
{
    const double before = all->balance;
    start_anew(f, hands);
    hands->mend_long(f);
    FlowSums after = hands->evaluate(f);
    double share = before / (before - after.balance);
    if (!(share > 0)) share = 0;
    f->in.along = (mote_real)((share < 2 ? share : 2) - 1);
    hands->mend(f);
    *best = HUGE_VAL;
}

FlowSolved flow_solve_by(Flow *f, const FlowHands *hands, const FlowGoal *goal)
{
    FlowSums all = hands->evaluate(f);
    double best = all.residual;
    uint64_t used = 0;
    f->in.relax = relax_first;
    start_anew(f, hands);
    all.uu = all.uy = all.yy = 0;
    while (!is_done(f, goal, &all) && used < goal->most && all.residual >= 0) {
        if (lacks_long_waves(f, goal, &all, used)) {
            mend_long_waves(f, hands, &all, &best);
            ++used;
        } else {
            mend_all(f, hands, &all, &best);
        }
        all = hands->evaluate(f);
        ++used;
    }
    return (FlowSolved){all, used};
}

bool flow_accept_solved(const Flow *f, const FlowGoal *goal, const FlowSolved *solved)
{
    f->step->outer->solver->tally.iterations += solved->used;
    return flow_accept(f, is_done(f, goal, &solved->left), solved->left.residual,
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
