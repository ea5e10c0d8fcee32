/* Smoothing kernels over arrays of distances, per instruction set. */
#ifndef SPACE_SMOOTHING_KERNELS_H
#define SPACE_SMOOTHING_KERNELS_H

#include "space/smoothing.h"

typedef struct SmoothingKernels {
    void (*values)(const Smoothing *k, size_t count, const mote_real *r, mote_real *w);
    void (*slopes)(const Smoothing *k, size_t count, const mote_real *r, mote_real *g);
} SmoothingKernels;

const SmoothingKernels *smoothing_kernels(Isa isa);

#endif
