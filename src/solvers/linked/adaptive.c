/* Adaptive schemes where rows act on each other: one length of step for the whole system.
 *
 * Rows that pull at each other must be at one time, so the worst row of all decides for all. */
#include "base/status.h"

#include "integrate/step_control.h"
#include "particles/history.h"
#include "solvers/linked/linked.h"

static void error_of_block(CoupledStep *step, size_t block, int worker)
{
    const PointsSolver *solver = &step->slot->points;
    Range r = coupled_range(step, block, worker);
    step->errors[block] = solver->integrator->error(solver->integrator, &r, 6, solver->tolerance);
    step->errors[block].worst += r.first;
}

static void reject_block(CoupledStep *step, size_t block, int worker)
{
    const IntegratorRow *row = step->slot->points.integrator;
    Range r = coupled_range(step, block, worker);
    row->reject(row, &r, 6);
}

/* The largest error, and whose it is; what is no number is largest. */
typedef struct Worst {
    StepError error;
    const CoupledStep *step;
} Worst;

static void take_worst(const CoupledStep *step, Worst *worst)
{
    for (size_t block = 0; block < coupled_blocks(step); ++block) {
        const StepError *error = &step->errors[block];
        bool first = worst->step == NULL;
        if (first || (!(error->size <= worst->error.size) && worst->error.size >= 0))
            *worst = (Worst){*error, step};
    }
}

/* Notes are kept by the first worker, until they are reported for the system that is stuck. */
static void note_end(CoupledStep *step, const StepControl *control, const Worst *worst)
{
    SolveNotes *notes = &step->shop->workers[0].notes;
    for (const CoupledStep *s = step; s != NULL; s = s->next)
        step_control_end(control, shop_range(s->shop, s->slot->system, 0, s->rows, 0));
    notes->accepted += control->steps - control->rejected;
    notes->rejected += control->rejected;
    if (!step_control_stuck(control, step->slot->points.most_rejections)) return;
    notes->stuck_system = worst->step->slot->system;
    notes->stuck_row = worst->error.worst;
    notes->stuck_rejections = control->rejected;
    notes->stuck_t = control->t, notes->stuck_dt = control->h;
}

static mote_Status try_step(CoupledStep *step, const StepControl *control, Worst *worst,
                            mote_Error *error)
{
    for (CoupledStep *s = step; s != NULL; s = s->next) s->t = control->t, s->dt = control->h;
    mote_Status status = coupled_try(step, error);
    *worst = (Worst){{0, 0}, NULL};
    for (CoupledStep *s = step; s != NULL && status == MOTE_OK; s = s->next) {
        coupled_for_blocks(s, error_of_block);
        take_worst(s, worst);
        s->goes_on = true;
    }
    return status;
}

/* Memory for the errors, and the shortest step that any row wants. */
static mote_Status begin(CoupledStep *step, StepControl *control, mote_Error *error)
{
    for (CoupledStep *s = step; s != NULL; s = s->next) {
        size_t size = (coupled_blocks(s) + 1) * sizeof *s->errors;
        s->errors = arena_take(s->shop->arena, size);
        if (s->errors == NULL) return status_no_memory(error, "an adaptive step", size);
        Range *all = shop_range(s->shop, s->slot->system, 0, s->rows, 0);
        all->t = s->t, all->dt = s->dt;
        StepControl own = step_control_begin(all);
        if (s == step || own.h < control->h) *control = own;
    }
    return MOTE_OK;
}

mote_Status coupled_solve_adaptively(CoupledStep *step, mote_Error *error)
{
    const PointsSolver *solver = &step->slot->points;
    const double t = step->t, dt = step->dt;
    StepControl control;
    Worst worst = {{0, 0}, step};
    mote_Status status = begin(step, &control, error);
    while (status == MOTE_OK && !step_control_done(&control) &&
           !step_control_stuck(&control, solver->most_rejections)) {
        status = try_step(step, &control, &worst, error);
        bool good = step_control_judge(&control, worst.error.size, solver->integrator->order);
        for (CoupledStep *s = step; s != NULL && !good; s = s->next)
            coupled_for_blocks(s, reject_block);
    }
    for (CoupledStep *s = step; s != NULL; s = s->next) s->t = t, s->dt = dt, s->goes_on = false;
    if (status == MOTE_OK) note_end(step, &control, &worst);
    return status;
}

/* ---- what a scheme with a history does ---- */

static Range all_rows(const CoupledStep *step)
{
    Range all = *shop_range(step->shop, step->slot->system, 0, step->rows, 0);
    all.dt = step->dt;
    return all;
}

/* The row that remembers least decides for all, of all systems that are solved together. */
Advance coupled_advance(const CoupledStep *step)
{
    const IntegratorRow *row = step->slot->points.integrator;
    uint32_t least = UINT32_MAX;
    for (const CoupledStep *s = step; s != NULL; s = s->next) {
        if (!has_history(s->slot->system)) return advance_by(row, ADVANCE_RUN);
        Range all = all_rows(s);
        history_check_step(&all);
        uint32_t own = history_least(&all);
        least = own < least ? own : least;
    }
    for (const CoupledStep *s = step; s != NULL; s = s->next) {
        Range all = all_rows(s);
        history_limit(&all, least);
    }
    return advance_by(row, advance_phase(row, least));
}

/* Pinned rows go on with the velocity they were given, whatever the scheme remembers of them. */
void coupled_place_pinned(const CoupledStep *step, const Range *r)
{
    const mote_real dt = (mote_real)r->dt;
    for (size_t i = 0; step->pinned != NULL && i < r->count; ++i) {
        if (step->pinned[r->first + i] == 0) continue;
        for (int c = 0; c < 3; ++c) {
            r->x[c][i] = r->x0[c][i] + dt * r->v0[c][i];
            r->v[c][i] = r->v0[c][i];
        }
    }
}
