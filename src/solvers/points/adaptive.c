/* Steps under error control, for all rows of a range together. */
#include "solvers/points/points.h"

#include "integrate/step_control.h"

/* The step of r->dt from r->t on; its error. */
static StepError try_step(const PointsSolver *solver, const Range *r, int planes)
{
    const IntegratorRow *row = solver->integrator;
    row->open(row, r);
    for (int k = 0; k < row->stages; ++k) {
        points_evaluate(solver, r, r->t + row->nodes[k] * r->dt);
        row->stage(row, r, k, planes);
    }
    return row->error(row, r, planes, solver->tolerance);
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

void points_solve_adaptively(const PointsSolver *solver, const Range *r)
{
    const IntegratorRow *row = solver->integrator;
    const int planes = points_planes(solver);
    StepControl control = step_control_begin(r);
    Range part = *r;
    while (!step_control_done(&control)) {
        part.t = control.t, part.dt = control.h;
        StepError error = try_step(solver, &part, planes);
        if (!step_control_judge(&control, error.size, row->order)) row->reject(row, &part, planes);
        if (!step_control_stuck(&control, solver->most_rejections)) continue;
        note_stuck(&control, r, error.worst);
        break;
    }
    step_control_end(&control, r);
    r->notes->accepted += control.steps - control.rejected;
    r->notes->rejected += control.rejected;
}
