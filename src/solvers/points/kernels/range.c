/* Guarding, wrapping and energies of a range. */
#include "base/loop.h"
#include "solvers/points/kernels.h"

#include <string.h>

#include "solvers/points/formulas/wrap.h"

enum { LANES = 8 };

static void copy(const Range *r, mote_real *const to_x[3], mote_real *const to_v[3],
                 mote_real *const from_x[3], mote_real *const from_v[3])
{
    mote_real *x = to_x[0], *y = to_x[1], *z = to_x[2], *u = to_v[0], *v = to_v[1], *w = to_v[2];
    const mote_real *x0 = from_x[0], *y0 = from_x[1], *z0 = from_x[2];
    const mote_real *u0 = from_v[0], *v0 = from_v[1], *w0 = from_v[2];
    FOR_ROWS (i, r->count) {
        x[i] = x0[i], y[i] = y0[i], z[i] = z0[i];
        u[i] = u0[i], v[i] = v0[i], w[i] = w0[i];
    }
}

/* NaN fails every comparison. A velocity that is not finite shows in the position at once, or with
 * schemes that move first, one step later. */
static bool all_well(const Range *r, const RowBounds *bounds)
{
    const mote_real *x = r->x[0], *y = r->x[1], *z = r->x[2];
    const mote_real x0 = bounds->min[0], y0 = bounds->min[1], z0 = bounds->min[2];
    const mote_real x1 = bounds->max[0], y1 = bounds->max[1], z1 = bounds->max[2];
    int good = 1;
    FOR_ROWS (i, r->count) {
        good &= (x[i] >= x0) & (x[i] <= x1) & (y[i] >= y0) & (y[i] <= y1);
        good &= (z[i] >= z0) & (z[i] <= z1);
    }
    return good;
}

/* x - size floor((x - min) / size), with an integer floor that vectorises. What is a million boxes
 * away, or not finite, stays for the guard to see. */
static void wrap(size_t count, mote_real *x, mote_real min, mote_real max)
{
    FOR_ROWS (i, count) x[i] = wrap_into(x[i], min, max);
}

/* ---- sums together ---- */

/* They run in eight lanes whatever the width of the vectors, so that the order of the additions is
 * the same on every instruction set. */
static double sum_lanes(const double lanes[LANES])
{
    double total = 0;
    for (int l = 0; l < LANES; ++l) total += lanes[l];
    return total;
}

typedef struct MotionLanes {
    double kinetic[LANES], momentum[3][LANES];
} MotionLanes;

static inline void add_motion(MotionLanes *lanes, int l, double m, double vx, double vy, double vz)
{
    lanes->kinetic[l] += 0.5 * m * (vx * vx + vy * vy + vz * vz);
    lanes->momentum[0][l] += m * vx;
    lanes->momentum[1][l] += m * vy;
    lanes->momentum[2][l] += m * vz;
}

static void motion_together(const Range *r, RowMotion *sums)
{
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    const mote_real *x = r->v[0], *y = r->v[1], *z = r->v[2];
    MotionLanes lanes = {{0}, {{0}}};
    size_t base = 0;
    for (; base + LANES <= r->count; base += LANES)
        for (size_t l = 0; l < LANES; ++l) {
            size_t i = base + l;
            add_motion(&lanes, (int)l, (double)mass[i], (double)x[i], (double)y[i], (double)z[i]);
        }
    for (int l = 0; base < r->count; ++base, ++l)
        add_motion(&lanes, l, (double)mass[base], (double)x[base], (double)y[base],
                   (double)z[base]);
    limbs_add(&sums->kinetic, sum_lanes(lanes.kinetic));
    for (int c = 0; c < 3; ++c) limbs_add(&sums->momentum[c], sum_lanes(lanes.momentum[c]));
}

static double sum_together(size_t count, const mote_real *values)
{
    double lanes[LANES] = {0};
    size_t base = 0;
    for (; base + LANES <= count; base += LANES)
        for (size_t l = 0; l < LANES; ++l) lanes[l] += (double)values[base + l];
    for (int l = 0; base < count; ++base, ++l) lanes[l] += (double)values[base];
    return sum_lanes(lanes);
}

/* ---- sums of each by itself ---- */

static void motion_of_each(const Range *r, RowMotion *sums)
{
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    double kinetic[BLOCK_ROWS], along[BLOCK_ROWS];
    memset(kinetic, 0, r->count * sizeof *kinetic);
    for (int c = 0; c < 3; ++c) {
        const mote_real *v = r->v[c];
        FOR_ROWS (i, r->count) {
            const double m = (double)mass[i], speed = (double)v[i];
            kinetic[i] += 0.5 * m * (speed * speed);
            along[i] = m * speed;
        }
        limbs_add_many(&sums->momentum[c], along, r->count);
    }
    limbs_add_many(&sums->kinetic, kinetic, r->count);
}

static void motion(const Range *r, bool each, RowMotion *sums)
{
    if (each)
        motion_of_each(r, sums);
    else
        motion_together(r, sums);
}

static void sum(size_t count, const mote_real *values, bool each, Limbs *all)
{
    double numbers[BLOCK_ROWS];
    if (!each) {
        limbs_add(all, sum_together(count, values));
        return;
    }
    FOR_ROWS (i, count) numbers[i] = (double)values[i];
    limbs_add_many(all, numbers, count);
}

static void settle(const Range *r, const uint32_t *pinned, mote_real *const force[3])
{
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    for (int c = 0; c < 3; ++c) {
        mote_real *a = r->a[c];
        const mote_real *f = force[c];
        FOR_ROWS (i, r->count) a[i] += f[i] / mass[i];
    }
    for (size_t i = 0; pinned != NULL && i < r->count; ++i)
        if (pinned[r->first + i] != 0) r->a[0][i] = r->a[1][i] = r->a[2][i] = 0;
}

const RowKernels ISA(points_range) = {
    .settle = settle,
    .copy = copy,
    .all_well = all_well,
    .wrap = wrap,
    .motion = motion,
    .sum = sum,
};
