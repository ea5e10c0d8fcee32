/* The length of steps of adaptive rows.
 *
 * A range's rows go through its piece of time in steps of their own, all of one length; the length
 * that suited last is kept per row in the column `adaptive_step`, so that it survives sorting and
 * saving, and a range begins with the shortest of its rows'. */
#ifndef INTEGRATE_STEP_CONTROL_H
#define INTEGRATE_STEP_CONTROL_H

#include "integrate/integrator.h"

typedef struct StepControl {
    double t, end;     /* s: reached, and where the piece ends */
    double h;          /* s: the step to try next, cut at the end */
    double wish;       /* s: what the error would allow */
    double longest;    /* s: of steps that may reach over the end; 0: they are cut there */
    uint64_t rejected; /* steps in this piece */
    uint64_t steps;    /* tried in this piece */
    bool last_rejected;
} StepControl;

mote_Status step_control_add_column(mote_System *system, mote_Error *error);

StepControl step_control_begin(const Range *r);
/* The state is that of time t, not of the piece's start. */
void step_control_set_time(StepControl *control, double t);
/* Steps may reach over the end of the piece, but are no longer than `longest`. */
void step_control_look_ahead(StepControl *control, const Range *r, double longest);
/* Told the error of the step h: true when it is accepted. Sets the next h. */
bool step_control_judge(StepControl *control, double error, int order);
bool step_control_done(const StepControl *control);
/* Too many rejections, or more steps than a piece of time can need. */
bool step_control_stuck(const StepControl *control, uint64_t most_rejections);
void step_control_end(const StepControl *control, const Range *r);

#endif
