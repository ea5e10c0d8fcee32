/* Counting sort of points into bins. */
#include "solvers/vortex/bins.h"

#include <string.h>

enum { POINTS_PER_TASK = 1024 };

/* At most a few bins a point: larger ones where points are far apart. */
static void shape_bins(PointBins *bins, const BinsRequest *r)
{
    double total = 1, most = 4.0 * (double)r->count + 64;
    mote_real extent[3];
    for (int c = 0; c < 3; ++c) {
        const mote_real *x = r->x[c];
        mote_real low = x[0], high = x[0];
        for (size_t i = 1; i < r->count; ++i) {
            low = x[i] < low ? x[i] : low;
            high = x[i] > high ? x[i] : high;
        }
        bins->low[c] = low;
        extent[c] = high - low;
    }
    for (double scale = 1;; scale *= 2) {
        total = 1;
        for (int c = 0; c < 3; ++c) {
            double cells = (double)extent[c] / ((double)r->side[c] * scale);
            cells = cells < 1 ? 1 : cells > 1e6 ? 1e6 : cells;
            bins->cells[c] = (size_t)cells;
            total *= (double)bins->cells[c];
        }
        if (total <= most) break;
    }
    for (int c = 0; c < 3; ++c)
        bins->inverse[c] = extent[c] > 0 ? (mote_real)bins->cells[c] / extent[c] : 0;
}

typedef struct Binning {
    const PointBins *bins;
    const BinsRequest *request;
    uint32_t *number; /* of each point's bin */
} Binning;

static void number_body(void *context, size_t begin, size_t end, int worker)
{
    const Binning *b = context;
    const PointBins bins = *b->bins;
    size_t at[3];
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        bins_place(&bins, b->request->x, i, at);
        b->number[i] = (uint32_t)bins_number(&bins, at);
    }
}

bool bins_make(PointBins *bins, const BinsRequest *r)
{
    if (r->count == 0) return true;
    shape_bins(bins, r);
    size_t total = bins->cells[0] * bins->cells[1] * bins->cells[2];
    Binning b = {bins, r, arena_take(r->arena, r->count * sizeof *b.number)};
    uint32_t *start = arena_take(r->arena, (total + 2) * sizeof *start);
    bins->items = arena_take(r->arena, r->count * sizeof *bins->items);
    if (b.number == NULL || start == NULL || bins->items == NULL) return false;
    mote_parallel_for(r->tasks, r->count, POINTS_PER_TASK, number_body, &b);
    memset(start, 0, (total + 2) * sizeof *start);
    for (size_t i = 0; i < r->count; ++i) ++start[b.number[i] + 2];
    for (size_t k = 2; k < total + 2; ++k) start[k] += start[k - 1];
    for (size_t i = 0; i < r->count; ++i) bins->items[start[b.number[i] + 1]++] = (uint32_t)i;
    bins->start = start;
    return true;
}
