/* Steps under error control, for all rows of a range together, and steps with columns that have a
 * rate: away from the short path of plain steps. */
#include "solvers/points/points.h"

#include "integrate/step_control.h"
#include "particles/dense.h"
#include "solvers/points/rates.h"
#include "solvers/points/slot.h"

/* All stages of a one-step scheme, with the columns that have a rate. */
static void make_stages(const PointsSolver *solver, const Range *r, const RateRanges *rates)
{
    const IntegratorRow *row = solver->integrator;
    const int planes = points_planes(solver);
    if (row->open != NULL) row->open(row, r);
    rates_begin(rates);
    for (int k = 0; k < row->stages; ++k) {
        const double t = r->t + row->nodes[k] * r->dt;
        points_evaluate(solver, r, t);
        rates_evaluate(rates, r, t);
        row->stage(row, r, k, planes);
        rates_stage(rates, k);
    }
}

/* The step of r->dt from r->t on; its error. */
static StepError try_step(const PointsSolver *solver, const Range *r, int planes)
{
    const IntegratorRow *row = solver->integrator;
    RateRanges rates;
    rates_of(solver->rates, r, &rates);
    make_stages(solver, r, &rates);
    const StepError error = row->error(row, r, planes, solver->tolerance);
    return rates_error(&rates, error, solver->tolerance);
}

static void reject_step(const PointsSolver *solver, const Range *r, int planes)
{
    RateRanges rates;
    rates_of(solver->rates, r, &rates);
    solver->integrator->reject(solver->integrator, r, planes);
    rates_reject(&rates);
}

/* Rows are reported by the lowest number, so that it does not depend on threads. */
static void note_stuck(const StepControl *control, const Range *r, size_t row)
{
    SolveNotes *notes = r->notes;
    if (r->first + row >= notes->stuck_row) return;
    notes->stuck_row = r->first + row;
    notes->stuck_rejections = control->rejected;
    notes->stuck_t = control->t, notes->stuck_dt = control->h;
}

static void count_steps(const StepControl *control, const Range *r)
{
    step_control_end(control, r);
    r->notes->accepted += control->steps - control->rejected;
    r->notes->rejected += control->rejected;
}

/* Steps until control->t >= control->end; false when stuck. The last one that was made may be kept
 * for dense output. */
static bool make_steps(const PointsSolver *solver, const Range *r, StepControl *control, bool keeps)
{
    const IntegratorRow *row = solver->integrator;
    const int planes = points_planes(solver);
    Range part = *r;
    while (!step_control_done(control)) {
        part.t = control->t, part.dt = control->h;
        StepError error = try_step(solver, &part, planes);
        bool good = step_control_judge(control, error.size, row->order);
        if (!good) reject_step(solver, &part, planes);
        if (good && keeps && step_control_done(control)) {
            row->keep(row, &part, planes);
            for (size_t i = 0; i < r->count; ++i)
                dense_ends(r)[i] = control->t, dense_steps(r)[i] = part.dt;
        }
        if (!step_control_stuck(control, solver->most_rejections)) continue;
        note_stuck(control, r, error.worst);
        return false;
    }
    return true;
}

static void solve_to_the_end(const PointsSolver *solver, const Range *r)
{
    StepControl control = step_control_begin(r);
    if (has_dense(r->system)) dense_forget(r);
    make_steps(solver, r, &control, false);
    count_steps(&control, r);
}

/* ---- steps over the end of the piece ---- */

/* Rows with the same step behind them: on from where the scheme is, until the end lies within a
 * step; then what they are there. */
static void solve_ahead(const PointsSolver *solver, const Range *r)
{
    const IntegratorRow *row = solver->integrator;
    const int planes = points_planes(solver);
    const bool ahead = dense_steps(r)[0] > 0 && dense_ends(r)[0] >= r->t;
    StepControl control = step_control_begin(r);
    if (ahead) {
        row->recall(row, r, planes, 1);
        step_control_set_time(&control, dense_ends(r)[0]);
    } else {
        dense_forget(r);
    }
    step_control_look_ahead(&control, r, solver->longest);
    bool good = make_steps(solver, r, &control, true);
    count_steps(&control, r);
    if (!good || !(dense_steps(r)[0] > 0)) return;
    const double over = (dense_ends(r)[0] - control.end) / dense_steps(r)[0];
    row->recall(row, r, planes, over > 0 ? 1 - over : 1);
    if (planes == 3) points_evaluate(solver, r, control.end); /* the velocity of where they are */
}

void points_solve_adaptively(const PointsSolver *solver, const Range *r)
{
    if (!(solver->longest > 0)) {
        solve_to_the_end(solver, r);
        return;
    }
    for (size_t i = 0, same; i < r->count; i += same) {
        same = dense_same_step(r, i);
        const Range part = range_part(r, i, same);
        solve_ahead(solver, &part);
    }
}

void points_solve_with_rates(const PointsSolver *solver, const Range *r)
{
    RateRanges rates;
    rates_of(solver->rates, r, &rates);
    if (solver->integrator->error != NULL)
        points_solve_adaptively(solver, r);
    else
        make_stages(solver, r, &rates);
    rates_check(&rates, r);
}

bool slot_may_look_ahead(const SystemSlot *slot, const Workshop *shop)
{
    const PointsSolver *points = &slot->points;
    const mote_real *period = shop->period;
    if (points->integrator->recall == NULL || !points->params.dense) return false;
    if (slot->rates != NULL || slot->solver->row != &points_solver_row || slot->check > 0 ||
        slot->sink_count > 0 || slot->broad.count > 0)
        return false;
    for (size_t f = 0; f < points->force_count; ++f)
        if (points->forces[f]->collider != NULL) return false;
    return !(period[0] > 0 || period[1] > 0 || period[2] > 0);
}
