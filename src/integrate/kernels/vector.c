/* Kernels of vectors and of 3 x 3 matrices. */
#include "integrate/vector.h"

enum { LANES = 8 };

static void scale_add(size_t first, size_t count, mote_real s, const Vector *x, const Vector *y)
{
    for (int c = 0; c < 3; ++c) {
        const mote_real *from = x->plane[c] + first;
        mote_real *to = y->plane[c] + first;
        FOR_ROWS (i, count) to[i] = from[i] + s * to[i];
    }
}

static void add(size_t first, size_t count, mote_real s, const Vector *x, const Vector *y)
{
    for (int c = 0; c < 3; ++c) {
        const mote_real *from = x->plane[c] + first;
        mote_real *to = y->plane[c] + first;
        FOR_ROWS (i, count) to[i] += s * from[i];
    }
}

static void combine(size_t first, size_t count, mote_real s, const Vector *x, const Vector *y,
                    const Vector *z)
{
    for (int c = 0; c < 3; ++c) {
        const mote_real *a = x->plane[c] + first, *b = y->plane[c] + first;
        mote_real *to = z->plane[c] + first;
        FOR_ROWS (i, count) to[i] = a[i] + s * b[i];
    }
}

static void weigh(size_t first, size_t count, const mote_real *m, const Vector *x, const Vector *y)
{
    for (int c = 0; c < 3; ++c) {
        const mote_real *from = x->plane[c] + first, *own = m + first;
        mote_real *to = y->plane[c] + first;
        FOR_ROWS (i, count) to[i] = own[i] * (to[i] - from[i]);
    }
}

static void weigh_blocks(size_t first, size_t count, const mote_real *m, const Matrices *a)
{
    for (int p = 0; p < MATRIX_PLANES; ++p) {
        const mote_real *own = m + first, unit = (mote_real)(p < 3);
        mote_real *to = a->plane[p] + first;
        FOR_ROWS (i, count) to[i] = own[i] * (to[i] + unit);
    }
}

static void multiply(size_t first, size_t count, const Matrices *a, const Vector *r,
                     const Vector *z)
{
    const mote_real *xx = a->plane[0] + first, *yy = a->plane[1] + first;
    const mote_real *zz = a->plane[2] + first, *yz = a->plane[3] + first;
    const mote_real *xz = a->plane[4] + first, *xy = a->plane[5] + first;
    const mote_real *rx = r->plane[0] + first, *ry = r->plane[1] + first;
    const mote_real *rz = r->plane[2] + first;
    mote_real *zx = z->plane[0] + first, *zy = z->plane[1] + first, *zz_ = z->plane[2] + first;
    FOR_ROWS (i, count) {
        zx[i] = xx[i] * rx[i] + xy[i] * ry[i] + xz[i] * rz[i];
        zy[i] = xy[i] * rx[i] + yy[i] * ry[i] + yz[i] * rz[i];
        zz_[i] = xz[i] * rx[i] + yz[i] * ry[i] + zz[i] * rz[i];
    }
}

static double sum_lanes(const double lanes[LANES])
{
    return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) +
           ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/* Products in mote_real, sums in double. */
static double dot(size_t first, size_t count, const Vector *a, const Vector *b)
{
    double lanes[LANES] = {0};
    size_t base = first, end = first + count;
    const mote_real *ax = a->plane[0], *ay = a->plane[1], *az = a->plane[2];
    const mote_real *bx = b->plane[0], *by = b->plane[1], *bz = b->plane[2];
    for (; base + LANES <= end; base += LANES)
        for (size_t l = 0; l < LANES; ++l) {
            size_t i = base + l;
            lanes[l] += (double)(ax[i] * bx[i] + ay[i] * by[i] + az[i] * bz[i]);
        }
    for (size_t l = 0; base < end; ++base, ++l)
        lanes[l] += (double)(ax[base] * bx[base] + ay[base] * by[base] + az[base] * bz[base]);
    return sum_lanes(lanes);
}

/* What is no number is larger than all. */
INLINE mote_real larger(mote_real a, mote_real b)
{
    return a <= b ? b : a;
}

static double largest(size_t first, size_t count, const Vector *x)
{
    const mote_real *px = x->plane[0] + first, *py = x->plane[1] + first;
    const mote_real *pz = x->plane[2] + first;
    mote_real lanes[LANES] = {0}, most = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t l = 0; l < LANES; ++l)
            lanes[l] = larger(px[i + l] * px[i + l] + py[i + l] * py[i + l] + pz[i + l] * pz[i + l],
                              lanes[l]);
    for (size_t l = 0; l < LANES; ++l) most = larger(lanes[l], most);
    for (; i < count; ++i) most = larger(px[i] * px[i] + py[i] * py[i] + pz[i] * pz[i], most);
    return (double)most;
}

static mote_real reach(size_t first, size_t count, const Vector *x)
{
    mote_real lanes[LANES] = {0}, most = 0;
    for (int c = 0; c < 3; ++c) {
        const mote_real *p = x->plane[c] + first;
        size_t i = 0;
        for (; i + LANES <= count; i += LANES)
            for (size_t l = 0; l < LANES; ++l) {
                mote_real at = REAL_ABS(p[i + l]);
                lanes[l] = at > lanes[l] ? at : lanes[l];
            }
        for (; i < count; ++i) most = REAL_ABS(p[i]) > most ? REAL_ABS(p[i]) : most;
    }
    for (size_t l = 0; l < LANES; ++l) most = lanes[l] > most ? lanes[l] : most;
    return most;
}

/* By cofactors; definite when all leading minors are positive (Sylvester). Rows are scaled by their
 * trace first, so that squares and cubes stay in range. A block that is not definite becomes that
 * of the mass alone, which is: the preconditioner must be, whatever A is. */
static void invert(size_t first, size_t count, const mote_real *fallback, const Matrices *a)
{
    mote_real *xx = a->plane[0] + first, *yy = a->plane[1] + first, *zz = a->plane[2] + first;
    mote_real *yz = a->plane[3] + first, *xz = a->plane[4] + first, *xy = a->plane[5] + first;
    const mote_real *other = fallback + first;
    FOR_ROWS (i, count) {
        mote_real s = 1 / (xx[i] + yy[i] + zz[i]);
        mote_real p = xx[i] * s, q = yy[i] * s, r = zz[i] * s;
        mote_real u = yz[i] * s, v = xz[i] * s, w = xy[i] * s;
        mote_real minor = p * q - w * w;
        mote_real c0 = q * r - u * u, c1 = u * v - w * r, c2 = w * u - q * v;
        mote_real determinant = p * c0 + w * c1 + v * c2;
        int good = (s > 0) & (p > 0) & (minor > 0) & (determinant > 0);
        mote_real f = real_pick(good, s / determinant, 0), g = 1 / other[i];
        xx[i] = real_pick(good, c0 * f, g), yy[i] = real_pick(good, (p * r - v * v) * f, g);
        zz[i] = real_pick(good, minor * f, g), yz[i] = real_pick(good, (w * v - p * u) * f, 0);
        xz[i] = real_pick(good, c2 * f, 0), xy[i] = real_pick(good, c1 * f, 0);
    }
}

const VectorKernels ISA(vector_table) = {
    .scale_add = scale_add,
    .add = add,
    .combine = combine,
    .weigh = weigh,
    .weigh_blocks = weigh_blocks,
    .multiply = multiply,
    .dot = dot,
    .largest = largest,
    .reach = reach,
    .invert = invert,
};
