/* Guarding, wrapping and energies of a range. */
#include "base/loop.h"
#include "world/kernels.h"

enum { LANES = 8 };

static int inside(const mote_real *x, size_t count, mote_real min, mote_real max)
{
    int good = 1;
    FOR_ROWS (i, count) good &= (x[i] >= min) & (x[i] <= max);
    return good;
}

/* Every component in one pass; NaN fails every comparison. */
static bool all_well(const Range *r, const Bounds *bounds)
{
    const mote_real most = (mote_real)1e30;
    int good = 1;
    for (int c = 0; c < 3; ++c) {
        good &= inside(r->x[c], r->count, bounds->min[c], bounds->max[c]);
        good &= inside(r->v[c], r->count, -most, most);
    }
    return good;
}

/* x - size floor((x - min) / size), with an integer floor that vectorises. What is a million boxes
 * away, or not finite, stays for the guard to see. */
static void wrap(size_t count, mote_real *x, mote_real min, mote_real max)
{
    const mote_real size = max - min, rate = 1 / size;
    FOR_ROWS (i, count) {
        mote_real boxes = (x[i] - min) * rate;
        mote_real bounded = REAL_ABS(boxes) < (mote_real)1e6 ? boxes : 0;
        int whole = (int)bounded;
        whole -= bounded < (mote_real)whole;
        mote_real back = x[i] - size * (mote_real)whole;
        x[i] = whole != 0 && back >= max ? min : back;
    }
}

static double sum_lanes(const double lanes[LANES])
{
    double sum = 0;
    for (int l = 0; l < LANES; ++l) sum += lanes[l];
    return sum;
}

static Motion motion(const Range *r)
{
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    double kinetic[LANES] = {0}, momentum[3][LANES] = {{0}};
    for (size_t base = 0; base < r->count; base += LANES) {
        size_t width = r->count - base < LANES ? r->count - base : LANES;
        for (size_t l = 0; l < width; ++l) {
            double m = (double)mass[base + l], v2 = 0;
            for (int c = 0; c < 3; ++c) {
                double v = (double)r->v[c][base + l];
                momentum[c][l] += m * v;
                v2 += v * v;
            }
            kinetic[l] += 0.5 * m * v2;
        }
    }
    return (Motion){sum_lanes(kinetic),
                    {sum_lanes(momentum[0]), sum_lanes(momentum[1]), sum_lanes(momentum[2])}};
}

static double sum(size_t count, const mote_real *values)
{
    double lanes[LANES] = {0};
    for (size_t i = 0; i < count; ++i) lanes[i % LANES] += (double)values[i];
    return sum_lanes(lanes);
}

const WorldKernels ISA(world_range) = {
    .head = {.name = "range"},
    .all_well = all_well,
    .wrap = wrap,
    .motion = motion,
    .sum = sum,
};
