/* Dormand and Prince's pair of orders 5 and 4, with steps of a length that the difference of the
 * two allows. J. Comput. Appl. Math. 6, 1980. The step is advanced with order 5; its last slope is
 * the first of the next step, but is evaluated again, so that steps know nothing of each other.
 * Within a step the state is known with order 4. */
#include "base/loop.h"
#include "base/row.h"
#include "integrate/integrator.h"
#include "particles/dense.h"

#include <string.h>

enum { STAGES = 7, PLANES = 6, START = STAGES * PLANES };

/* Butcher's table of the pair, as Hairer, Norsett and Wanner print it in section II.5. */
static const double nodes[STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};

/* Row k: the state at which slope k + 1 is evaluated; the last one is the result. */
static const double to_next[STAGES - 1][STAGES - 1] = {
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};

/* Weights of order 5 less those of order 4. */
static const double difference[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                          -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

static mote_real *start(const Range *r, int plane)
{
    return range_scratch(r, START + plane);
}

static mote_real *slope(const Range *r, int stage, int plane)
{
    return range_scratch(r, stage * PLANES + plane);
}

static void open(const IntegratorRow *row, const Range *r)
{
    (void)row;
    for (int p = 0; p < PLANES; ++p)
        memcpy(start(r, p), range_state(r, p), r->count * sizeof(mote_real));
}

static void reject(const IntegratorRow *row, const Range *r, int planes)
{
    (void)row;
    for (int p = 0; p < planes; ++p)
        memcpy(range_state(r, p), start(r, p), r->count * sizeof(mote_real));
}

static void stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    (void)row;
    for (int p = 0; p < planes; ++p)
        memcpy(slope(r, k, p), range_derivative(r, p), r->count * sizeof(mote_real));
    if (k == STAGES - 1) return;
    for (int p = 0; p < planes; ++p) {
        mote_real *y = range_state(r, p);
        const mote_real *y0 = start(r, p), *newest = slope(r, k, p);
        const mote_real w = (mote_real)(to_next[k][k] * r->dt);
        FOR_ROWS (i, r->count) y[i] = y0[i] + w * newest[i];
        for (int j = 0; j < k; ++j) {
            const mote_real *s = slope(r, j, p), v = (mote_real)(to_next[k][j] * r->dt);
            FOR_ROWS (i, r->count) y[i] += v * s[i];
        }
    }
}

/* ---- the error ---- */

/* Adds the square of a plane's error to `error`, and of its size at the step's end to `size`. */
static void add_plane(const Range *r, int plane, mote_real *error, mote_real *size)
{
    mote_real *sum = start(r, PLANES); /* a plane to spare */
    const mote_real *y = range_state(r, plane), *first = slope(r, 0, plane);
    const mote_real w = (mote_real)(difference[0] * r->dt);
    FOR_ROWS (i, r->count) sum[i] = w * first[i];
    for (int j = 2; j < STAGES; ++j) {
        const mote_real *s = slope(r, j, plane), v = (mote_real)(difference[j] * r->dt);
        FOR_ROWS (i, r->count) sum[i] += v * s[i];
    }
    FOR_ROWS (i, r->count) {
        error[i] += sum[i] * sum[i];
        size[i] += y[i] * y[i];
    }
}

/* |error| / (absolute + relative |y|), y being position or velocity. */
static void find_worst(const Range *r, const mote_real *error, const mote_real *size,
                       Tolerance tolerance, StepError *worst)
{
    double ratio[BLOCK_ROWS]; /* first: roots and divisions are quick for many rows at once */
    FOR_ROWS (i, r->count)
        ratio[i] = (double)REAL_SQRT(error[i]) /
                   (tolerance.absolute + tolerance.relative * (double)REAL_SQRT(size[i]));
    for (size_t i = 0; i < r->count; ++i) {
        if (ratio[i] <= worst->size) continue; /* what is no number is worst */
        *worst = (StepError){ratio[i], i};
        if (!(ratio[i] >= 0)) return;
    }
}

/* Position and velocity are judged each by itself, as vectors, and the worst row counts: one length
 * of step for the range. */
static StepError step_error(const IntegratorRow *row, const Range *r, int planes,
                            Tolerance tolerance)
{
    StepError worst = {0, 0};
    mote_real *error = start(r, PLANES + 1), *size = start(r, PLANES + 2);
    (void)row;
    for (int p = 0; p < planes; p += 3) {
        memset(error, 0, r->count * sizeof *error);
        memset(size, 0, r->count * sizeof *size);
        for (int c = 0; c < 3; ++c) add_plane(r, p + c, error, size);
        if (worst.size >= 0) find_worst(r, error, size, tolerance, &worst);
    }
    return worst;
}

/* ---- dense output ---- */

/* Of order 4: y(s) = y1 - (1 - s) d + s (1 - s) (b + s (c + (1 - s) e)), with d = y1 - y0,
 * b = h k1 - d, c = d - h k7 - b and e = h sum_j middle[j] k_j. Hairer, Norsett and Wanner,
 * section II.6. Written from the step's end, which it hits to the bit. */
static const double middle[STAGES] = {-12715105075.0 / 11282082432,  0,
                                      87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                      701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                      69997945.0 / 29380423};

static void keep(const IntegratorRow *row, const Range *r, int planes)
{
    const mote_real h = (mote_real)r->dt;
    (void)row;
    for (int p = 0; p < planes; ++p) {
        const mote_real *y0 = start(r, p), *y = range_state(r, p);
        const mote_real *k1 = slope(r, 0, p), *k7 = slope(r, STAGES - 1, p);
        mote_real *y1 = dense_entry(r, 0, p), *d = dense_entry(r, 1, p);
        mote_real *b = dense_entry(r, 2, p), *c = dense_entry(r, 3, p), *e = dense_entry(r, 4, p);
        FOR_ROWS (i, r->count) {
            y1[i] = y[i];
            d[i] = y[i] - y0[i];
            b[i] = h * k1[i] - d[i];
            c[i] = d[i] - h * k7[i] - b[i];
            e[i] = 0;
        }
        for (int j = 0; j < STAGES; ++j) {
            const mote_real *s = slope(r, j, p), w = (mote_real)(middle[j] * r->dt);
            FOR_ROWS (i, r->count) e[i] += w * s[i];
        }
    }
}

static void recall(const IntegratorRow *row, const Range *r, int planes, double share)
{
    const mote_real s = (mote_real)share, left = (mote_real)(1 - share);
    (void)row;
    for (int p = 0; p < planes; ++p) {
        mote_real *y = range_state(r, p);
        const mote_real *y1 = dense_entry(r, 0, p), *d = dense_entry(r, 1, p);
        const mote_real *b = dense_entry(r, 2, p), *c = dense_entry(r, 3, p);
        const mote_real *e = dense_entry(r, 4, p);
        FOR_ROWS (i, r->count) y[i] = y1[i] + left * (s * (b[i] + s * (c[i] + left * e[i])) - d[i]);
    }
}

const IntegratorRow ISA(integrator_dormand_prince) = {
    .head = ROW_PLAIN("dormand-prince",
                      "Dormand-Prince 5(4): order 5, steps as short as the tolerance asks for"),
    INTEGRATOR_STAGES(STAGES, nodes),
    .first_order_too = true,
    INTEGRATOR_ORDERS(5, 5, 0.4),
    INTEGRATOR_STEPS(PARAM_NO_LIMIT, PARAM_NO_LIMIT),
    .scratch_planes = START + PLANES + 3,
    .open = open,
    .stage = stage,
    .error = step_error,
    .reject = reject,
    .keep = keep,
    .recall = recall,
};
