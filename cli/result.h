/* What run and render say at the end. */
#ifndef CLI_RESULT_H
#define CLI_RESULT_H

#include <mote/run.h>

typedef struct Result {
    mote_Status status; /* MOTE_OK or MOTE_CANCELLED */
    const mote_RunReport *report;
    const char *folder;
    bool cache; /* frames were written */
    bool json;
    bool quiet;
} Result;

/* Where everything is, to standard output; the note, which is for acting on, to standard error.
 * Returns the exit code. */
int result_print(const Result *result);

#endif
