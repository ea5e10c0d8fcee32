/* Explicit Runge-Kutta methods: one loop over a tableau. Slope k is evaluated at y0 + dt sum_j
 * A[k][j] slope_j; the last row of A holds the weights. Kutta, Z. Math. Phys. 46, 1901.
 *
 * The result is summed up as the slopes come (`sum`), and a slope is kept only if a later row but
 * the last asks for it: with A's rows holding their newest slope alone, as the classical method's,
 * that is none, and the planes of a block stay in the cache.
 *
 * In Teschner's letters k_1, k_2, ... are slopes of position and l_1, l_2, ... of velocity: here
 * `slope` of planes 0 to 2 and 3 to 5. The method that his slide calls Ralston's has its node at
 * 3/4; the one with the least error has it at 2/3. Both are here. */
#include "base/loop.h"
#include "integrate/integrator.h"

enum { MOST_STAGES = 4, PLANES = 6 };

typedef struct Tableau {
    double a[MOST_STAGES][MOST_STAGES]; /* row k: state after slope k is known */
    bool keeps_slopes;                  /* rows before the last use older slopes */
} Tableau;

/* Scratch planes: the start, the sum, then slopes. */
enum { START = 0, SUM = PLANES, SLOPES = 2 * PLANES };

/* sum += weight slope, beginning with the start; and the state for the next slope. */
static void add_slope(const Range *r, const Tableau *tableau, int stages, int k, int plane)
{
    mote_real *y = range_state(r, plane), *sum = range_scratch(r, SUM + plane);
    mote_real *start = range_scratch(r, START + plane);
    const mote_real *slope = range_derivative(r, plane);
    const mote_real weight = (mote_real)(tableau->a[stages - 1][k] * r->dt);
    const mote_real ahead = (mote_real)(tableau->a[k][k] * r->dt);
    if (k == 0)
        FOR_ROWS (i, r->count) {
            mote_real y0 = y[i], s = slope[i];
            start[i] = y0;
            sum[i] = y0 + weight * s;
            y[i] = y0 + ahead * s;
        }
    else if (k < stages - 1)
        FOR_ROWS (i, r->count) {
            mote_real s = slope[i];
            sum[i] += weight * s;
            y[i] = start[i] + ahead * s;
        }
    else
        FOR_ROWS (i, r->count) y[i] = sum[i] + weight * slope[i];
}

static void keep_slope(const Range *r, int k, int plane)
{
    const mote_real *slope = range_derivative(r, plane);
    mote_real *kept = range_scratch(r, SLOPES + k * PLANES + plane);
    FOR_ROWS (i, r->count) kept[i] = slope[i];
}

static void add_older(const Range *r, const double *a, int k, int plane)
{
    mote_real *y = range_state(r, plane);
    for (int j = 0; j < k; ++j) {
        const mote_real *slope = range_scratch(r, SLOPES + j * PLANES + plane);
        const mote_real w = (mote_real)(a[j] * r->dt);
        FOR_ROWS (i, r->count) y[i] += w * slope[i];
    }
}

/* The same for position and velocity of component c in one loop: fewer loops, fewer loads. */
static void add_slopes(const Range *r, const Tableau *tableau, int stages, int k, int c)
{
    mote_real *x = r->x[c], *v = r->v[c];
    mote_real *sum_x = range_scratch(r, SUM + c), *sum_v = range_scratch(r, SUM + 3 + c);
    mote_real *x0 = range_scratch(r, START + c), *v0 = range_scratch(r, START + 3 + c);
    const mote_real *a = r->a[c];
    const mote_real weight = (mote_real)(tableau->a[stages - 1][k] * r->dt);
    const mote_real ahead = (mote_real)(tableau->a[k][k] * r->dt);
    if (k == 0)
        FOR_ROWS (i, r->count) {
            mote_real y = x[i], u = v[i], b = a[i];
            x0[i] = y, sum_x[i] = y + weight * u, x[i] = y + ahead * u;
            v0[i] = u, sum_v[i] = u + weight * b, v[i] = u + ahead * b;
        }
    else if (k < stages - 1)
        FOR_ROWS (i, r->count) {
            mote_real u = v[i], b = a[i];
            sum_x[i] += weight * u, x[i] = x0[i] + ahead * u;
            sum_v[i] += weight * b, v[i] = v0[i] + ahead * b;
        }
    else
        FOR_ROWS (i, r->count) {
            x[i] = sum_x[i] + weight * v[i];
            v[i] = sum_v[i] + weight * a[i];
        }
}

/* Positions come first: their slope is the velocity, which the later planes change. */
static void stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const Tableau *tableau = row->scheme;
    if (planes == PLANES && !tableau->keeps_slopes) {
        for (int c = 0; c < 3; ++c) add_slopes(r, tableau, row->stages, k, c);
        return;
    }
    bool keeps = tableau->keeps_slopes && k < row->stages - 1;
    for (int p = 0; p < planes; ++p) {
        if (keeps) keep_slope(r, k, p);
        add_slope(r, tableau, row->stages, k, p);
        if (keeps) add_older(r, tableau->a[k], k, p);
    }
}

#define RUNGE_KUTTA(row, name_, doc_, stages_, order_, window_, stable, usable)                    \
    const IntegratorRow ISA(integrator_##row) = {                                                  \
        .head = ROW_PLAIN(name_, doc_),                                                            \
        .stages = stages_,                                                                         \
        .nodes = row##_nodes,                                                                      \
        .first_order_too = true,                                                                   \
        INTEGRATOR_ORDERS(order_, order_, window_),                                                \
        INTEGRATOR_STEPS(stable, usable),                                                          \
        .scratch_planes = SLOPES + ((stages_)-1) * PLANES,                                         \
        .scheme = &row,                                                                            \
        .stage = stage,                                                                            \
    }

static const double midpoint_nodes[] = {0, 0.5};
static const Tableau midpoint = {.a = {{0.5}, {0, 1}}};
RUNGE_KUTTA(midpoint, "midpoint", "explicit midpoint rule: order 2, two evaluations", 2, 2, 0.08, 0,
            0.532);

static const double heun_nodes[] = {0, 1};
static const Tableau heun = {.a = {{1}, {0.5, 0.5}}};
RUNGE_KUTTA(heun, "heun", "Heun's method, the explicit trapezoidal rule: order 2", 2, 2, 0.08, 0,
            0.532);

static const double ralston_nodes[] = {0, 2.0 / 3};
static const Tableau ralston = {.a = {{2.0 / 3}, {0.25, 0.75}}};
RUNGE_KUTTA(ralston, "ralston", "Ralston's order 2 with the least error bound: node 2/3", 2, 2,
            0.08, 0, 0.532);

static const double ralston34_nodes[] = {0, 0.75};
static const Tableau ralston34 = {.a = {{0.75}, {1.0 / 3, 2.0 / 3}}};
RUNGE_KUTTA(ralston34, "ralston-3/4", "order 2 with its node at 3/4, often called Ralston's", 2, 2,
            0.08, 0, 0.532);

static const double rk4_nodes[] = {0, 0.5, 0.5, 1};
static const Tableau rk4 = {
    .a = {{0.5}, {0, 0.5}, {0, 0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}};
RUNGE_KUTTA(rk4, "rk4", "classical Runge-Kutta: order 4, four evaluations", 4, 4, 0.16, 2.828,
            2.832);

static const double rk4_38_nodes[] = {0, 1.0 / 3, 2.0 / 3, 1};
static const Tableau rk4_38 = {
    .a = {{1.0 / 3}, {-1.0 / 3, 1}, {1, -1, 1}, {0.125, 0.375, 0.375, 0.125}}, true};
RUNGE_KUTTA(rk4_38, "rk4-3/8", "Kutta's 3/8 rule: order 4, four evaluations", 4, 4, 0.16, 2.828,
            2.832);
