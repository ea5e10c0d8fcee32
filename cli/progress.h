/* Progress on standard error: one redrawn line on a terminal, else a plain line now and then. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/terminal.h"

#include <mote/run.h>

typedef struct Progress {
    Terminal terminal;
    bool quiet;
    const char *doing;
    double begun;         /* s, when `doing` began */
    uint64_t begun_frame; /* where */
    double shown;         /* s, when the line was last shown; < 0: never */
    double last;          /* s, of the last frame */
    double seconds_per_frame;
    bool drawn; /* there is a line on the terminal to clear */
} Progress;

Progress progress_make(bool quiet);

/* Fits the `progress` callbacks; the context is a Progress. */
void progress_show(void *context, const mote_RunProgress *now);

/* Clears the line. */
void progress_end(Progress *progress);

#endif
