/* Vectors of eight, many times over: roots and divisions, products and sums. */
#include "bench/rates.h"
#include "base/lanes.h"

static void roots(mote_real *values, size_t times)
{
    Eight a[RATE_CHAINS];
    for (size_t k = 0; k < RATE_CHAINS; ++k) a[k] = eight_load(values + 8 * k);
    for (size_t i = 0; i < times; ++i)
        for (size_t k = 0; k < RATE_CHAINS; ++k) a[k] = 1 / eight_sqrt(a[k]);
    for (size_t k = 0; k < RATE_CHAINS; ++k) eight_store(values + 8 * k, a[k]);
}

static void sums(mote_real *values, size_t times)
{
    const Eight s = eight_all((mote_real)0.5), b = eight_all(1);
    Eight a[RATE_CHAINS];
    for (size_t k = 0; k < RATE_CHAINS; ++k) a[k] = eight_load(values + 8 * k);
    for (size_t i = 0; i < times; ++i)
        for (size_t k = 0; k < RATE_CHAINS; ++k) a[k] = a[k] * s + b;
    for (size_t k = 0; k < RATE_CHAINS; ++k) eight_store(values + 8 * k, a[k]);
}

const RateKernels ISA(bench_rates) = {.roots = roots, .sums = sums};
