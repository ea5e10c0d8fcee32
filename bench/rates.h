/* How fast the processor computes: for floors. */
#ifndef BENCH_RATES_H
#define BENCH_RATES_H

#include "base/isa.h"

typedef struct RateKernels {
    /* So often: 1 / sqrt of RATE_CHAINS vectors of eight; a product and a sum of each. */
    void (*roots)(mote_real *values, size_t times);
    void (*sums)(mote_real *values, size_t times);
} RateKernels;

/* Independent vectors, so that nothing waits for the last result. */
enum { RATE_CHAINS = 12 };

const RateKernels *bench_rate_kernels(Isa isa);

/* Pairs a second that a core could do if a pair took one root, one division and `operations`
 * products and sums, which go on beside them: the slower of the two decides. */
double bench_pair_floor(int operations);

#endif
