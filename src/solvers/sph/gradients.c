#include "solvers/sph/gradients.h"

enum { PLACES_PER_TASK = 512 };

static void sum_body(void *context, size_t begin, size_t end, int worker)
{
    const Gradients *g = context;
    const uint32_t *first = g->step->rods.first;
    (void)worker;
    for (size_t rod = begin; rod < end; ++rod)
        g->sums[rod] = g->of(g->context, first[rod], first[rod + 1]);
}

double gradients_sum(Gradients *g, GradientsSum *of)
{
    g->of = of;
    return sph_sum_rods(g->step, sum_body, g, g->sums);
}

void gradients_for_places(const Gradients *g, mote_TaskBody *body)
{
    mote_parallel_for(g->step->outer->tasks, g->step->rows, PLACES_PER_TASK, body, g->context);
}

void gradients_solve(Gradients *g, double left, double goal, uint64_t most)
{
    SolverTally *tally = &g->step->outer->solver->tally;
    uint64_t used = 0;
    for (; left > goal && used < most; ++used) {
        g->apply(g->context);
        g->along = (mote_real)(left / gradients_sum(g, g->answer));
        const double after = gradients_sum(g, g->advance);
        g->forward = (mote_real)(after / left), left = after;
        gradients_for_places(g, g->turn);
    }
    tally->iterations += used, ++tally->solves;
    if (!(left <= goal)) ++tally->unsolved;
}
