/* Counting sort of points into bins. */
#include "solvers/vortex/bins.h"

#include <string.h>

enum { POINTS_PER_TASK = 1024 };

static size_t most_bins(const BinsRequest *r)
{
    return 4 * r->count + 64;
}

/* At most a few bins a point: larger ones where points are far apart. */
static void shape_bins(PointBins *bins, const BinsRequest *r)
{
    double total = 1, most = (double)most_bins(r);
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
} Binning;

static void number_body(void *context, size_t begin, size_t end, int worker)
{
    const Binning *b = context;
    const PointBins bins = *b->bins;
    size_t at[3];
    (void)worker;
    for (size_t i = begin; i < end; ++i) {
        bins_place(&bins, b->request->x, i, at);
        bins.number[i] = (uint32_t)bins_number(&bins, at);
    }
}

bool bins_room(PointBins *bins, const BinsRequest *r)
{
    bins->number = arena_take(r->arena, (r->count + 1) * sizeof *bins->number);
    bins->start = arena_take(r->arena, (most_bins(r) + 2) * sizeof *bins->start);
    bins->items = arena_take(r->arena, (r->count + 1) * sizeof *bins->items);
    return bins->number != NULL && bins->start != NULL && bins->items != NULL;
}

void bins_sort(PointBins *bins, const BinsRequest *r)
{
    uint32_t *start = bins->start;
    if (r->count == 0) return;
    shape_bins(bins, r);
    const size_t total = bins->cells[0] * bins->cells[1] * bins->cells[2];
    mote_parallel_for(r->tasks, r->count, POINTS_PER_TASK, number_body, &(Binning){bins, r});
    memset(start, 0, (total + 2) * sizeof *start);
    for (size_t i = 0; i < r->count; ++i) ++start[bins->number[i] + 2];
    for (size_t k = 2; k < total + 2; ++k) start[k] += start[k - 1];
    for (size_t i = 0; i < r->count; ++i) bins->items[start[bins->number[i] + 1]++] = (uint32_t)i;
}

bool bins_make(PointBins *bins, const BinsRequest *r)
{
    if (!bins_room(bins, r)) return false;
    bins_sort(bins, r);
    return true;
}
