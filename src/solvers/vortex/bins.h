/* Points in cubic bins: who is near whom, in a fixed order. */
#ifndef SOLVERS_VORTEX_BINS_H
#define SOLVERS_VORTEX_BINS_H

#include "base/memory.h"

typedef struct PointBins {
    mote_real low[3], inverse[3]; /* 1/m */
    size_t cells[3];
    uint32_t *start; /* of each bin in `items`, one more at the end */
    uint32_t *items; /* points, bin by bin, each bin in ascending order */
} PointBins;

/* Bins whose sides are at least `side`. False when out of memory. */
bool bins_make(PointBins *bins, const mote_real *const x[3], size_t count, const mote_real side[3],
               Arena *arena);

/* The bin of a point along each axis. */
void bins_place(const PointBins *bins, const mote_real *const x[3], size_t i, size_t at[3]);

static inline size_t bins_number(const PointBins *bins, const size_t at[3])
{
    return (at[2] * bins->cells[1] + at[1]) * bins->cells[0] + at[0];
}

#endif
