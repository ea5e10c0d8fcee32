/* The dam break that liquids are measured with: a block of side^3 particles in a tank four times as
 * long, the first layer a spacing from each wall. */
#ifndef BENCH_DAM_H
#define BENCH_DAM_H

#include "bench/bench.h"

typedef struct Dam {
    const char *name, *pressure;
    double support;      /* spacings */
    double frame, until; /* s: a frame, and how long */
    const char *kernel;  /* NULL: the usual one */
} Dam;

/* Of a block with about so many particles. */
size_t dam_side(size_t count);

/* NULL: `error` says why. ranks may be NULL. */
mote_World *dam_world(const Dam *dam, size_t side, mote_Tasks *tasks, const mote_Ranks *ranks,
                      mote_Error *error);

#endif
