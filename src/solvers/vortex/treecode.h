/* What a walk of the tree goes by, here and where a device sums. */
#ifndef SOLVERS_VORTEX_TREECODE_H
#define SOLVERS_VORTEX_TREECODE_H

#include "solvers/vortex/proxies.h"

/* A group's points and a short sum's sources stay in the L1 cache together. */
enum { GROUP_POINTS = 192 };

typedef struct TreecodeWalk {
    const InduceRequest *request;
    InduceKernel *kernel;
    int planes;
    Tree points, vortons;
    Proxies proxies;
    size_t *groups;
    size_t group_count;
    mote_real *out[INDUCE_GRADIENT]; /* in the order of `points` */
} TreecodeWalk;

#endif
