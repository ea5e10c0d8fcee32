/* The kernel of the memory's speed. */
#ifndef BENCH_UPDATE_H
#define BENCH_UPDATE_H

#include "base/isa.h"

typedef struct UpdateKernels {
    void (*update)(float *values, size_t count, float s, float b);
} UpdateKernels;

const UpdateKernels *bench_update_kernels(Isa isa);

#endif
