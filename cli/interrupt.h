/* Ctrl-C: the first asks to stop after the frame, the second stops at once. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM are caught; signals that are ignored stay so. The first one says
 * what is `done` about it: "finishing the frame before stopping". */
void interrupt_catch(const char *done);

/* They pass by: somebody else decides. */
void interrupt_ignore(void);

/* Was there one? Fits the `cancelled` callbacks; the context is not used. */
bool interrupt_seen(void *context);

/* The exit code of the first one: EXIT_INTERRUPTED or EXIT_TERMINATED. */
int interrupt_exit_code(void);

#endif
