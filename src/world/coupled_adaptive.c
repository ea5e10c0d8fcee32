/* Adaptive schemes where rows act on each other: one length of step for the whole system. */
#include "base/status.h"
#include "integrate/step_control.h"
#include "world/coupled.h"

static void error_of_block(CoupledStep *step, size_t block, int worker)
{
    const PointsSolver *solver = &step->slot->solver;
    Range r = coupled_range(step, block, worker);
    step->errors[block] = solver->integrator->error(solver->integrator, &r, 6, solver->tolerance);
    step->errors[block].worst += r.first;
}

static void reject_block(CoupledStep *step, size_t block, int worker)
{
    const IntegratorRow *row = step->slot->solver.integrator;
    Range r = coupled_range(step, block, worker);
    row->reject(row, &r, 6);
}

/* The largest error; what is no number is largest. */
static StepError worst_of(const CoupledStep *step)
{
    StepError worst = step->errors[0];
    for (size_t block = 1; block < coupled_blocks(step); ++block)
        if (!(step->errors[block].size <= worst.size) && worst.size >= 0)
            worst = step->errors[block];
    return worst;
}

static void note_end(const CoupledStep *step, const StepControl *control, const Range *all,
                     size_t worst)
{
    SolveNotes *notes = all->notes;
    step_control_end(control, all);
    notes->accepted += control->steps - control->rejected;
    notes->rejected += control->rejected;
    if (!step_control_stuck(control, step->slot->solver.most_rejections)) return;
    notes->stuck_row = worst;
    notes->stuck_rejections = control->rejected;
    notes->stuck_t = control->t, notes->stuck_dt = control->h;
}

static StepError try_step(CoupledStep *step, const StepControl *control)
{
    step->t = control->t, step->dt = control->h;
    coupled_try(step);
    coupled_for_blocks(step, error_of_block);
    step->goes_on = true;
    return worst_of(step);
}

mote_Status coupled_solve_adaptively(CoupledStep *step, mote_Error *error)
{
    const PointsSolver *solver = &step->slot->solver;
    const double t = step->t, dt = step->dt;
    size_t size = coupled_blocks(step) * sizeof *step->errors;
    if (step->rows == 0) return MOTE_OK;
    step->errors = arena_take(&step->world->arena, size);
    if (step->errors == NULL) return status_no_memory(error, "an adaptive step", size);
    Range all = *world_range(step->world, step->slot->system, 0, step->rows, 0);
    all.t = t, all.dt = dt;
    StepControl control = step_control_begin(&all);
    StepError worst = {0, 0};
    while (!step_control_done(&control) && !step_control_stuck(&control, solver->most_rejections)) {
        worst = try_step(step, &control);
        if (!step_control_judge(&control, worst.size, solver->integrator->order))
            coupled_for_blocks(step, reject_block);
    }
    note_end(step, &control, &all, worst.worst);
    step->t = t, step->dt = dt, step->goes_on = false;
    return MOTE_OK;
}
