/* Slices: lines of equal value by marching squares, and strokes of any width in pictures. */
#include "render/slice.h"

#include <math.h>

/* ---- lines ---- */

/* The sides of a square of samples, by their ends; corners go around it. */
static const int corner_place[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};

/* Where the line crosses side `s` of the square at (i, j); false: it does not. */
static bool cross_side(const double v[4], double level, int s, const int at[2], double place[2])
{
    const double a = v[s], b = v[(s + 1) % 4];
    if ((a < level) == (b < level)) return false;
    const double part = (level - a) / (b - a);
    for (int k = 0; k < 2; ++k) {
        const int from = corner_place[s][k], to = corner_place[(s + 1) % 4][k];
        place[k] = at[k] + from + part * (to - from);
    }
    return true;
}

/* A square has none, two or four crossings. With four, the mean of the corners says which two
 * belong together. */
static void march(const double v[4], double level, const int at[2], SlicePiece *piece,
                  void *context)
{
    double places[4][2];
    int count = 0;
    for (int s = 0; s < 4; ++s) count += cross_side(v, level, s, at, places[count]);
    if (count == 2) piece(context, places[0], places[1]);
    if (count != 4) return;
    const bool same = ((v[0] + v[1] + v[2] + v[3]) / 4 < level) == (v[0] < level);
    piece(context, places[0], places[same ? 1 : 3]);
    piece(context, places[2], places[same ? 3 : 1]);
}

void slice_lines(const SliceGrid *grid, const double *values, const double *covered, double level,
                 SlicePiece *piece, void *context)
{
    for (int j = 0; j + 1 < grid->rows; ++j)
        for (int i = 0; i + 1 < grid->columns; ++i) {
            double v[4];
            bool all = true;
            for (int c = 0; c < 4; ++c) {
                const size_t n = (size_t)(j + corner_place[c][1]) * (size_t)grid->columns +
                                 (size_t)(i + corner_place[c][0]);
                v[c] = values[n];
                all = all && covered[n] >= SLICE_EDGE;
            }
            if (all) march(v, level, (const int[2]){i, j}, piece, context);
        }
}

/* ---- strokes ---- */

static double segment_distance(const double from[2], const double to[2], double x, double y)
{
    const double way[2] = {to[0] - from[0], to[1] - from[1]}, at[2] = {x - from[0], y - from[1]};
    const double length2 = way[0] * way[0] + way[1] * way[1];
    double along = length2 > 0 ? (at[0] * way[0] + at[1] * way[1]) / length2 : 0;
    along = along > 0 ? along < 1 ? along : 1 : 0;
    const double off[2] = {at[0] - along * way[0], at[1] - along * way[1]};
    return sqrt(off[0] * off[0] + off[1] * off[1]);
}

static int clamped(double x, int most)
{
    return x > 0 ? x < most ? (int)x : most : 0;
}

/* A pixel is covered by how far its middle is inside. Strokes that meet do not count twice. */
void slice_stroke(const SliceMask *mask, const double from[2], const double to[2], double width)
{
    const double room = width / 2 + 1;
    const int x0 = clamped(fmin(from[0], to[0]) - room, mask->width);
    const int x1 = clamped(fmax(from[0], to[0]) + room + 1, mask->width);
    const int y0 = clamped(fmin(from[1], to[1]) - room, mask->height);
    const int y1 = clamped(fmax(from[1], to[1]) + room + 1, mask->height);
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) {
            const double inside = width / 2 + 0.5 - segment_distance(from, to, x + 0.5, y + 0.5);
            float *cover = &mask->cover[(size_t)y * (size_t)mask->width + (size_t)x];
            const float part = (float)(inside > 0 ? inside < 1 ? inside : 1 : 0);
            if (part > *cover) *cover = part;
        }
}

void slice_arrow(const SliceMask *mask, const double at[2], const double along[2], double width)
{
    double tail[2], tip[2];
    for (int k = 0; k < 2; ++k) tail[k] = at[k] - along[k] / 2, tip[k] = at[k] + along[k] / 2;
    slice_stroke(mask, tail, tip, width);
    for (int side = -1; side <= 1; side += 2) {
        const double barb[2] = {tip[0] - 0.32 * along[0] + side * 0.2 * along[1],
                                tip[1] - 0.32 * along[1] - side * 0.2 * along[0]};
        slice_stroke(mask, tip, barb, width);
    }
}
