/* Exit codes, and messages to the user: one clear sentence each, on standard error. */
#ifndef CLI_EXIT_H
#define CLI_EXIT_H

#include <mote/base.h>

#include <stdio.h>

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_BAD_INPUT = 3,
    EXIT_DIVERGED = 4,
    EXIT_IO = 5,
    EXIT_INTERRUPTED = 130, /* 128 and the number of SIGINT, as shells have it */
    EXIT_TERMINATED = 143   /* the same of SIGTERM */
};

typedef struct ExitCode {
    int code;
    const char *doc;
} ExitCode;

/* The codes in order, for the manual; doc NULL after the last. */
ExitCode exit_code_at(size_t i);

int exit_code_of(mote_Status status);

/* From now on nothing is said, on standard output neither. */
void message_silence(void);

/* Where messages go. */
FILE *message_stream(void);

/* Prints "mote: MESSAGE". */
__attribute__((format(printf, 1, 2))) void message(const char *format, ...);

/* The same for wrong use of the command line; returns EXIT_USAGE. */
__attribute__((format(printf, 1, 2))) int message_usage(const char *format, ...);

/* The error's message; returns the exit code of its status. */
int message_failure(mote_Status status, const mote_Error *error);

/* Prints every line of `text` as a message of its own, each started with `start`. */
void message_lines(const char *start, const char *text);

/* Makes sure that all of standard output has been written: a reader that has gone away is no
 * failure, a full disk is. Returns `code`, or EXIT_IO with a message. */
int exit_flushed(int code);

#endif
