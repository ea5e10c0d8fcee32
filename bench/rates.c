/* The processor's rates, the best of several tries. */
#include "bench/rates.h"

#include "bench/bench.h"

#include <math.h>

ISA_KERNELS(bench_rate_kernels, RateKernels, bench_rates)

/* Seconds for one vector of eight. */
static double time_of(void (*kernel)(mote_real *values, size_t times))
{
    enum { TIMES = 20000, TRIALS = 40 };
    mote_real values[8 * RATE_CHAINS];
    double best = 1e30;
    for (size_t i = 0; i < 8 * RATE_CHAINS; ++i) values[i] = 1 + (mote_real)i / 64;
    for (int trial = 0; trial < TRIALS; ++trial) {
        double before = bench_clock_of(1);
        kernel(values, TIMES);
        best = fmin(best, bench_clock_of(1) - before);
    }
    return best / TIMES / RATE_CHAINS;
}

double bench_pair_floor(int operations)
{
    const RateKernels *kernels = bench_rate_kernels(isa_pick());
    double root = time_of(kernels->roots), operation = time_of(kernels->sums) / 2;
    return 8 / fmax(root, operations * operation);
}
