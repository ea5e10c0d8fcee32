/* a[i] = a[i] * s + b: what the memory can do when a step reads and writes in place. */
#include "bench/update.h"
#include "base/isa.h"
#include "base/loop.h"

static void update(float *values, size_t count, float s, float b)
{
    FOR_ROWS (i, count) values[i] = values[i] * s + b;
}

const UpdateKernels ISA(bench_update) = {.update = update};
