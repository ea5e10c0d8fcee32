/* Counting sort of points into bins. */
#include "solvers/vortex/bins.h"

void bins_place(const PointBins *bins, const mote_real *const x[3], size_t i, size_t at[3])
{
    for (int c = 0; c < 3; ++c) {
        mote_real place = (x[c][i] - bins->low[c]) * bins->inverse[c];
        at[c] = place > 0 ? (size_t)place : 0;
        at[c] = at[c] < bins->cells[c] ? at[c] : bins->cells[c] - 1;
    }
}

/* At most a few bins a point: larger ones where points are far apart. */
static void shape_bins(PointBins *bins, const mote_real *const x[3], size_t count,
                       const mote_real side[3])
{
    double total = 1, most = 4.0 * (double)count + 64;
    mote_real extent[3];
    for (int c = 0; c < 3; ++c) {
        mote_real low = x[c][0], high = x[c][0];
        for (size_t i = 1; i < count; ++i) {
            low = x[c][i] < low ? x[c][i] : low;
            high = x[c][i] > high ? x[c][i] : high;
        }
        bins->low[c] = low;
        extent[c] = high - low;
    }
    for (double scale = 1;; scale *= 2) {
        total = 1;
        for (int c = 0; c < 3; ++c) {
            double cells = (double)extent[c] / ((double)side[c] * scale);
            cells = cells < 1 ? 1 : cells > 1e6 ? 1e6 : cells;
            bins->cells[c] = (size_t)cells;
            total *= (double)bins->cells[c];
        }
        if (total <= most) break;
    }
    for (int c = 0; c < 3; ++c)
        bins->inverse[c] = extent[c] > 0 ? (mote_real)bins->cells[c] / extent[c] : 0;
}

bool bins_make(PointBins *bins, const mote_real *const x[3], size_t count, const mote_real side[3],
               Arena *arena)
{
    size_t at[3];
    if (count == 0) return true;
    shape_bins(bins, x, count, side);
    size_t total = bins->cells[0] * bins->cells[1] * bins->cells[2];
    bins->start = arena_take(arena, (total + 2) * sizeof *bins->start);
    bins->items = arena_take(arena, count * sizeof *bins->items);
    if (bins->start == NULL || bins->items == NULL) return false;
    for (size_t b = 0; b < total + 2; ++b) bins->start[b] = 0;
    for (size_t i = 0; i < count; ++i) {
        bins_place(bins, x, i, at);
        ++bins->start[bins_number(bins, at) + 2];
    }
    for (size_t b = 2; b < total + 2; ++b) bins->start[b] += bins->start[b - 1];
    for (size_t i = 0; i < count; ++i) {
        bins_place(bins, x, i, at);
        bins->items[bins->start[bins_number(bins, at) + 1]++] = (uint32_t)i;
    }
    return true;
}
