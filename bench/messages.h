/* What each call between ranks takes, when nobody is late. */
#ifndef BENCH_MESSAGES_H
#define BENCH_MESSAGES_H

#include "ranks/ranks.h"

typedef struct MessageTime {
    const char *name;
    double seconds; /* a call */
} MessageTime;

typedef struct MessageTimes {
    size_t count;
    MessageTime of[16];
} MessageTimes;

/* A RankBody: `context` is MessageTimes, of which the first rank's are filled in. */
mote_Status messages_measure(void *context, const mote_Ranks *ranks, mote_Error *error);

#endif
