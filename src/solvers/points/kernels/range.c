/* Guarding, wrapping and energies of a range. */
#include "base/loop.h"
#include "solvers/points/kernels.h"

#include <string.h>

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
    const mote_real size = max - min, rate = 1 / size;
    FOR_ROWS (i, count) {
        mote_real at = x[i], boxes = (at - min) * rate;
        int near = REAL_ABS(boxes) < (mote_real)1e6, inside = (at >= min) & (at < max);
        mote_real bounded = real_pick(near, boxes, 0);
        int whole = (int)bounded;
        whole -= bounded < (mote_real)whole;
        mote_real back = at - size * (mote_real)whole;
        back += real_pick(back < min, size, 0);  /* `boxes` was rounded up */
        back = real_pick(back < max, back, min); /* or down, or the sum was */
        x[i] = real_pick(near > inside, back, at);
    }
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

/* Numbers of a block are added to limbs by slices of 40 bits, the same ones for all blocks: what a
 * number has above the bits of 2^low is rounded off by adding and taking away a number whose last
 * bit that is, and the rest is left for the next slice. A slice of 256 numbers has at most 49 bits:
 * its sum is exact, in any order. */
enum { SLICE = 40, LEAST = -128, BEYOND = 64 };

/* 2^exponent. */
static double power(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* The largest; not below 2^64 where one is no number. */
static double largest_of(size_t count, const double *numbers)
{
    double largest[LANES] = {0}, odd[LANES] = {0}, all = 0, any = 0;
    for (size_t base = 0; base < count; base += LANES)
        for (size_t l = 0; l < LANES; ++l) {
            const double number = numbers[base + l], size = number < 0 ? -number : number;
            largest[l] = size > largest[l] ? size : largest[l];
            odd[l] += number - number;
        }
    for (int l = 0; l < LANES; ++l) {
        all = largest[l] > all ? largest[l] : all;
        any += odd[l];
    }
    return any == 0 ? all : power(BEYOND);
}

/* The slice's sum. Numbers become what is left of them. */
static double take_slice(size_t count, double *numbers, int low)
{
    const double cut = 1.5 * power(52 + low);
    double lanes[LANES] = {0};
    for (size_t base = 0; base < count; base += LANES)
        for (size_t l = 0; l < LANES; ++l) {
            const double part = (numbers[base + l] + cut) - cut;
            lanes[l] += part;
            numbers[base + l] -= part;
        }
    double sum = 0;
    for (int l = 0; l < LANES; ++l) sum += lanes[l];
    return sum;
}

/* Of at most BLOCK_ROWS numbers, with zeros up to a multiple of LANES; they are used up. */
static void add_block(Limbs *sum, size_t count, double *numbers)
{
    double left = largest_of(count, numbers);
    int low = LEAST + 4 * SLICE;
    if (!(left < power(BEYOND))) {
        for (size_t i = 0; i < count; ++i) limbs_add(sum, numbers[i]);
        return;
    }
    for (; left > 0 && low >= LEAST; low -= SLICE) {
        if (left < power(low - 1)) continue;
        limbs_add(sum, take_slice(count, numbers, low));
        left = largest_of(count, numbers);
    }
}

static size_t with_zeros(size_t count, double numbers[BLOCK_ROWS + LANES])
{
    for (size_t i = count; i < count + LANES; ++i) numbers[i] = 0;
    return (count + LANES - 1) / LANES * LANES;
}

static void motion_of_each(const Range *r, RowMotion *sums)
{
    const mote_real *mass = column_real(&r->system->columns[COLUMN_MASS], 0) + r->first;
    double kinetic[BLOCK_ROWS + LANES], along[BLOCK_ROWS + LANES];
    FOR_ROWS (i, r->count) kinetic[i] = 0;
    for (int c = 0; c < 3; ++c) {
        const mote_real *v = r->v[c];
        FOR_ROWS (i, r->count) {
            const double m = (double)mass[i], speed = (double)v[i];
            kinetic[i] += 0.5 * m * (speed * speed);
            along[i] = m * speed;
        }
        add_block(&sums->momentum[c], with_zeros(r->count, along), along);
    }
    add_block(&sums->kinetic, with_zeros(r->count, kinetic), kinetic);
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
    double numbers[BLOCK_ROWS + LANES];
    if (!each) {
        limbs_add(all, sum_together(count, values));
        return;
    }
    FOR_ROWS (i, count) numbers[i] = (double)values[i];
    add_block(all, with_zeros(count, numbers), numbers);
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
