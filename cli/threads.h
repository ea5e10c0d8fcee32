/* The --threads option of commands that compute. */
#ifndef CLI_THREADS_H
#define CLI_THREADS_H

#include <mote/tasks.h>

#define OPTION_THREADS(S)                                                                          \
    {                                                                                              \
        .name = "threads", .letter = 't', .argument = "N",                                         \
        .doc = "number of threads; without it, one per core", .type = OPTION_COUNT,                \
        OPTION_HERE(S, threads), .min = 1, .max = 1024                                             \
    }

/* Starts the threads, 0: one per core, and checks MOTE_ISA. Returns EXIT_DONE, or another exit code
 * after a message. */
int threads_start(int64_t threads, mote_Tasks **tasks);

#endif
