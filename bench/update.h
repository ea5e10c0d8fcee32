/* The kernel of the memory's speed. */
#ifndef BENCH_UPDATE_H
#define BENCH_UPDATE_H

#include <mote/base.h>

typedef struct UpdateKernel {
    mote_Row head;
    void (*update)(float *values, size_t count, float s, float b);
} UpdateKernel;

#endif
