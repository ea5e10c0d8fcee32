/* What a run has to make: everything up to its last frame that is not there, or is asked for again.
 */
#ifndef RUN_NEEDS_H
#define RUN_NEEDS_H

#include "run/cache.h"

typedef struct Needs {
    const Cache *cache;
    int64_t from;     /* >= 0: make frames from here on again */
    uint64_t last;    /* of this run */
    uint64_t reached; /* by the runs before; 0 without one */
} Needs;

/* Whether the frame is made again though it is there. */
bool needs_again(const Needs *needs, uint64_t frame);
/* Whether the frame is to be written, and drawn. */
bool needs_frame(const Needs *needs, uint64_t frame);
/* The first frame from `after` on that the world must come to, for the frame itself, for lines of
 * tables, or for the last checkpoint; UINT64_MAX when there is none. */
uint64_t needs_next(const Needs *needs, uint64_t after);

#endif
