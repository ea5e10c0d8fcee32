/* A table of ranks that stands between a world and its host's, and counts what goes through it. */
#ifndef BENCH_TOLL_H
#define BENCH_TOLL_H

#include <mote/ranks.h>

typedef enum TollKind { TOLL_SUM, TOLL_MOST, TOLL_AGREE, TOLL_TRADE, TOLL_KINDS } TollKind;

/* "sum", "most", "agree", "trade". */
const char *toll_name(TollKind kind);

typedef struct TollCalls {
    uint64_t calls, bytes; /* that leave this rank */
    double seconds;        /* waiting for others is among it */
} TollCalls;

typedef struct Toll {
    const mote_Ranks *host;
    double processor; /* s of this thread's, in calls */
    TollCalls of[TOLL_KINDS];
} Toll;

/* Nothing was called yet. */
Toll toll_make(const mote_Ranks *host);
mote_Ranks toll_table(Toll *toll);
/* Of all kinds. */
TollCalls toll_all(const Toll *toll);

#endif
