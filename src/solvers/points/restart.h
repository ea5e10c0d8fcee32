/* Restarting histories of rows that a collision changed. */
#ifndef SOLVERS_POINTS_RESTART_H
#define SOLVERS_POINTS_RESTART_H

#include "particles/history.h"

/* The state of a range before its collide stage; rows that the stage changes are restarted. Both
 * calls do nothing for systems without histories. */
typedef struct RestartWatch {
    mote_real state[6][BLOCK_ROWS];
} RestartWatch;

void restart_watch(RestartWatch *watch, const Range *r);
void restart_changed(const RestartWatch *watch, const Range *r);

/* Restarts all rows of the range. */
void restart_rows(const Range *r);

#endif
