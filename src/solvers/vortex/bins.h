/* Points in cubic bins: who is near whom, in a fixed order. */
#ifndef SOLVERS_VORTEX_BINS_H
#define SOLVERS_VORTEX_BINS_H

#include <mote/tasks.h>

#include "base/memory.h"

typedef struct PointBins {
    mote_real low[3], inverse[3]; /* 1/m */
    size_t cells[3];
    uint32_t *start;  /* of each bin in `items`, one more at the end */
    uint32_t *items;  /* points, bin by bin, each bin in ascending order */
    uint32_t *number; /* of each point's bin */
} PointBins;

/* Points, and where what is made of them goes. */
typedef struct BinsRequest {
    const mote_real *x[3];
    size_t count;
    mote_real side[3]; /* bins are no smaller */
    Arena *arena;
    mote_Tasks *tasks; /* may be NULL */
} BinsRequest;

/* False when out of memory. */
bool bins_make(PointBins *bins, const BinsRequest *request);
/* The same in two: room for it, and then without any more. */
bool bins_room(PointBins *bins, const BinsRequest *request);
void bins_sort(PointBins *bins, const BinsRequest *request);

/* The bin of a point along each axis. */
static inline void bins_place(const PointBins *bins, const mote_real *const x[3], size_t i,
                              size_t at[3])
{
    for (int c = 0; c < 3; ++c) {
        mote_real place = (x[c][i] - bins->low[c]) * bins->inverse[c];
        at[c] = place > 0 ? (size_t)place : 0;
        at[c] = at[c] < bins->cells[c] ? at[c] : bins->cells[c] - 1;
    }
}

static inline size_t bins_number(const PointBins *bins, const size_t at[3])
{
    return (at[2] * bins->cells[1] + at[1]) * bins->cells[0] + at[0];
}

#endif
