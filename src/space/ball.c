/* Balls of points. */
#include "space/ball.h"

#include <math.h>

static bool is_finite(mote_real x)
{
    return x - x == 0;
}

/* Cell numbers are clamped before they become integers; open axes end at their last cell, where
 * everything beyond was put, too. */
static void axis_range(BallWalk *walk, int c, mote_real radius)
{
    const Cells *cells = walk->cells;
    double at = (double)walk->centre[c] - (double)cells->origin[c];
    double inverse = (double)cells->inverse[c], slack = 1e-5 * (double)cells->reach;
    double low = floor((at - (double)radius - slack) * inverse);
    double high = floor((at + (double)radius + slack) * inverse);
    double last = (double)cells->side[c] - 1, first = 0;
    if (cells->space.period[c] > 0) first -= last + 1, last += last + 1;
    walk->low[c] = (int64_t)(low < first ? first : low > last ? last : low);
    walk->high[c] = (int64_t)(high > last ? last : high < first ? first : high);
}

BallWalk ball_walk(const Cells *cells, const mote_real centre[3], mote_real radius)
{
    BallWalk walk = {.cells = cells, .centre = {centre[0], centre[1], centre[2]}};
    bool flat = cells->space.flat;
    walk.z = 1, walk.high[2] = 0; /* nothing */
    if (!is_finite(centre[0]) || !is_finite(centre[1]) || !(flat || is_finite(centre[2])) ||
        !(radius > 0) || cells->cell_count == 0)
        return walk;
    for (int c = 0; c < 2; ++c) axis_range(&walk, c, radius);
    walk.low[2] = walk.high[2] = 0;
    if (!flat) axis_range(&walk, 2, radius);
    walk.x = walk.low[0], walk.y = walk.low[1], walk.z = walk.low[2];
    return walk;
}

/* The cell of an axis, and how far its points must be moved. */
static uint64_t wrap_cell(const Cells *cells, int c, int64_t cell, mote_real *shift)
{
    int64_t side = cells->side[c];
    mote_real period = cells->space.period[c];
    *shift = cell < 0 ? -period : cell >= side ? period : 0;
    return (uint64_t)(cell < 0 ? cell + side : cell >= side ? cell - side : cell);
}

/* First cell whose key is not below `key`. */
static size_t seek(const Cells *cells, uint64_t key)
{
    size_t low = 0, high = cells->cell_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cells->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* From walk->x to the end of the ball or of the box, whichever comes first. */
static bool part_of_row(BallWalk *walk, CellRun *run)
{
    const Cells *cells = walk->cells;
    const int64_t side = cells->side[0];
    int64_t from = walk->x, end = from < 0 ? -1 : from < side ? side - 1 : 2 * side - 1;
    int64_t to = walk->high[0] < end ? walk->high[0] : end;
    mote_real shift[3];
    uint64_t y = wrap_cell(cells, 1, walk->y, &shift[1]);
    uint64_t z = wrap_cell(cells, 2, walk->z, &shift[2]);
    uint64_t x = wrap_cell(cells, 0, from, &shift[0]);
    uint64_t key = (z * cells->side[1] + y) * cells->side[0] + x;
    size_t first = seek(cells, key), last = seek(cells, key + (uint64_t)(to - from) + 1);
    walk->x = to + 1;
    *run = (CellRun){cells->first[first], cells->first[last], {shift[0], shift[1], shift[2]}};
    return first < last;
}

bool ball_next(BallWalk *walk, CellRun *run)
{
    for (; walk->z <= walk->high[2]; ++walk->z, walk->y = walk->low[1])
        for (; walk->y <= walk->high[1]; ++walk->y, walk->x = walk->low[0])
            while (walk->x <= walk->high[0])
                if (part_of_row(walk, run)) return true;
    return false;
}

static mote_real square(const Cells *cells, const CellRun *run, uint32_t i,
                        const mote_real centre[3])
{
    mote_real sum = 0;
    for (int c = 0; c < (cells->space.flat ? 2 : 3); ++c) {
        mote_real d = cells->x[c][i] + run->shift[c] - centre[c];
        sum += d * d;
    }
    return sum;
}

size_t ball_points(const Cells *cells, const mote_real centre[3], mote_real radius,
                   uint32_t *places, size_t room)
{
    BallWalk walk = ball_walk(cells, centre, radius);
    CellRun run;
    size_t count = 0;
    while (ball_next(&walk, &run))
        for (uint32_t i = run.begin; i < run.end; ++i) {
            if (!(square(cells, &run, i, centre) < radius * radius)) continue;
            if (count < room) places[count] = i;
            ++count;
        }
    return count;
}
