/* W and W' / r of many distances. */
#include "space/smoothing_kernels.h"

#include "space/smoothing_lanes.h"

static void values(const Smoothing *k, size_t count, const mote_real *r, mote_real *w)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8) eight_store(w + i, smoothing_values(k, eight_load(r + i)));
    for (; i < count; ++i) w[i] = smoothing_values(k, eight_all(r[i]))[0];
}

static void slopes(const Smoothing *k, size_t count, const mote_real *r, mote_real *g)
{
    size_t i = 0;
    for (; i + 8 <= count; i += 8) eight_store(g + i, smoothing_slopes(k, eight_load(r + i)));
    for (; i < count; ++i) g[i] = smoothing_slopes(k, eight_all(r[i]))[0];
}

const SmoothingKernels ISA(smoothing_table) = {values, slopes};
