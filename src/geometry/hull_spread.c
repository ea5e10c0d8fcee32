/* Four points that are far from each other, which a hull begins with. */
#include "geometry/hull_faces.h"

#include <math.h>

/* Along each axis the outermost points; the two that are farthest apart. */
static double find_pair(const HullFaces *h, size_t count, uint32_t spread[4])
{
    double widest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        uint32_t low = 0, high = 0;
        const double *x = h->points + axis;
        for (uint32_t i = 1; i < count; ++i) {
            if (x[3 * (size_t)i] < x[3 * (size_t)low]) low = i;
            if (x[3 * (size_t)i] > x[3 * (size_t)high]) high = i;
        }
        const double wide = x[3 * (size_t)high] - x[3 * (size_t)low];
        if (wide > widest) widest = wide, spread[0] = low, spread[1] = high;
    }
    return widest;
}

/* The point that is farthest from the line of the first two, and that from the plane of the first
 * three, with how far. */
static double find_third(const HullFaces *h, size_t count, uint32_t spread[4])
{
    const D3 a = hull_point(h, spread[0]);
    const D3 way = d3_sub(hull_point(h, spread[1]), a);
    double most = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double off = d3_length(d3_cross(way, d3_sub(hull_point(h, i), a)));
        if (off > most) most = off, spread[2] = i;
    }
    return most / d3_length(way);
}

static double find_fourth(const HullFaces *h, size_t count, uint32_t spread[4])
{
    const D3 a = hull_point(h, spread[0]);
    D3 way = d3_sub(hull_point(h, spread[1]), a);
    D3 off_way = d3_sub(hull_point(h, spread[2]), a);
    way = d3_scale(way, 1 / d3_length(way));
    off_way = d3_madd(off_way, -d3_dot(way, off_way), way); /* else a needle's normal is rounding */
    D3 normal = d3_cross(way, off_way);
    normal = d3_scale(normal, 1 / d3_length(normal));
    double most = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const double off = d3_dot(normal, d3_sub(hull_point(h, i), a));
        if (fabs(off) > fabs(most)) most = off, spread[3] = i;
    }
    return most;
}

double hull_spread(const HullFaces *h, size_t count, double rounding, uint32_t spread[4])
{
    if (!(find_pair(h, count, spread) > rounding) || !(find_third(h, count, spread) > rounding))
        return 0;
    const double height = find_fourth(h, count, spread);
    if (height > 0) {
        const uint32_t first = spread[0];
        spread[0] = spread[1], spread[1] = first;
    }
    return fabs(height);
}
