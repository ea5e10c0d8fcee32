/* The elementary controller: h error^(-1/order), with a margin and limits. Hairer, Norsett and
 * Wanner, Solving Ordinary Differential Equations I, 2nd ed., 1993, section II.4. */
#include "integrate/step_control.h"

#include "base/math.h"

/* A margin, because the estimate is one; factors, because it says little about steps that are much
 * longer or shorter. */
static const char column_name[] = "adaptive_step";
static const double MARGIN = 0.9, LEAST_FACTOR = 0.2, MOST_FACTOR = 5;
static const uint64_t MOST_STEPS = 1000000; /* in one piece of time */

mote_Status step_control_add_column(mote_System *system, mote_Error *error)
{
    const mote_Column column = {.name = column_name,
                                .unit = "s",
                                .stage = "solve",
                                .type = MOTE_COLUMN_DOUBLE,
                                .components = 1,
                                .internal = true};
    return mote_system_add_column(system, &column, error);
}

static double *wishes(const Range *r)
{
    return (double *)mote_system_column(r->system, column_name)->data + r->first;
}

static void cut_at_end(StepControl *control)
{
    double left = control->longest > 0 ? control->longest : control->end - control->t;
    control->h = control->wish < left ? control->wish : left;
}

StepControl step_control_begin(const Range *r)
{
    StepControl control = {.t = r->t, .end = r->t + r->dt, .wish = r->dt};
    const double *wish = wishes(r);
    for (size_t i = 0; i < r->count; ++i)
        if (wish[i] > 0 && wish[i] < control.wish) control.wish = wish[i];
    cut_at_end(&control);
    return control;
}

void step_control_set_time(StepControl *control, double t)
{
    control->t = t;
    cut_at_end(control);
}

void step_control_look_ahead(StepControl *control, const Range *r, double longest)
{
    const double *wish = wishes(r);
    double least = 0;
    for (size_t i = 0; i < r->count; ++i)
        if (wish[i] > 0 && !(least > 0 && least <= wish[i])) least = wish[i];
    if (least > 0) control->wish = least;
    control->longest = longest;
    cut_at_end(control);
}

/* The error goes with h^order, so that h error^(-1/order) would just be good. After a rejection the
 * next step is not longer, or they would take turns. */
bool step_control_judge(StepControl *control, double error, int order)
{
    bool good = error <= 1; /* not when it is no number */
    double factor = MOST_FACTOR;
    if (!good || error > 0) factor = MARGIN * math_pow(error, -1.0 / order);
    if (!(factor > LEAST_FACTOR)) factor = LEAST_FACTOR;
    double most = control->last_rejected ? 1 : MOST_FACTOR;
    if (factor > most) factor = most;
    double wish = factor * control->h;
    if (good) control->t += control->h;
    /* a step that the end cut short says little about longer ones */
    control->wish =
        good && wish < control->wish && control->h < control->wish ? control->wish : wish;
    control->rejected += !good;
    control->last_rejected = !good;
    ++control->steps;
    cut_at_end(control);
    return good;
}

bool step_control_done(const StepControl *control)
{
    double size = control->end > 0 ? control->end : -control->end;
    return control->end - control->t <= 1e-15 * size;
}

bool step_control_stuck(const StepControl *control, uint64_t most_rejections)
{
    return control->rejected > most_rejections || control->steps > MOST_STEPS;
}

void step_control_end(const StepControl *control, const Range *r)
{
    double *wish = wishes(r);
    for (size_t i = 0; i < r->count; ++i) wish[i] = control->wish;
}
