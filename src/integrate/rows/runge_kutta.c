/* Explicit Runge-Kutta methods: one loop over a tableau. Slope k is evaluated at y0 + dt sum_j
 * A[k][j] slope_j; the last row of A holds the weights. Kutta, Z. Math. Phys. 46, 1901. */
#include "base/loop.h"
#include "integrate/integrator.h"

#include <string.h>

enum { MOST_STAGES = 4, PLANES = 6 };

typedef struct Tableau {
    double a[MOST_STAGES][MOST_STAGES]; /* row k: state after slope k is known */
} Tableau;

/* y = y0 + dt sum_{j <= k} a[j] slope_j */
static void combine(const Range *r, const double *a, int k, int plane)
{
    mote_real *y = range_state(r, plane);
    const mote_real *y0 = range_start(r, plane);
    memcpy(y, y0, r->count * sizeof *y);
    for (int j = 0; j <= k; ++j) {
        const mote_real *slope = range_scratch(r, j * PLANES + plane);
        const mote_real w = (mote_real)(a[j] * r->dt);
        if (a[j] == 0) continue;
        FOR_ROWS (i, r->count) y[i] += w * slope[i];
    }
}

static void stage(const IntegratorRow *row, const Range *r, int k, int planes)
{
    const Tableau *tableau = row->scheme;
    for (int p = 0; p < planes; ++p)
        memcpy(range_scratch(r, k * PLANES + p), range_derivative(r, p),
               r->count * sizeof(mote_real));
    for (int p = 0; p < planes; ++p) combine(r, tableau->a[k], k, p);
}

#define RUNGE_KUTTA(row, name_, doc_, stages_, order_)                                             \
    const IntegratorRow ISA(integrator_##row) = {                                                  \
        .head = {.name = name_, .doc = doc_},                                                      \
        .stages = stages_,                                                                         \
        .nodes = row##_nodes,                                                                      \
        .order = order_,                                                                           \
        .order_with_drag = order_,                                                                 \
        .first_order_too = true,                                                                   \
        .needs_start = true,                                                                       \
        .scratch_planes = (stages_)*PLANES,                                                        \
        .scheme = &row,                                                                            \
        .stage = stage,                                                                            \
    }

static const double midpoint_nodes[] = {0, 0.5};
static const Tableau midpoint = {{{0.5}, {0, 1}}};
RUNGE_KUTTA(midpoint, "midpoint", "explicit midpoint rule: order 2, two evaluations", 2, 2);

static const double heun_nodes[] = {0, 1};
static const Tableau heun = {{{1}, {0.5, 0.5}}};
RUNGE_KUTTA(heun, "heun", "Heun's method, the explicit trapezoidal rule: order 2", 2, 2);

static const double ralston_nodes[] = {0, 2.0 / 3};
static const Tableau ralston = {{{2.0 / 3}, {0.25, 0.75}}};
RUNGE_KUTTA(ralston, "ralston", "Ralston's order 2 with the least error bound: node 2/3", 2, 2);

static const double ralston34_nodes[] = {0, 0.75};
static const Tableau ralston34 = {{{0.75}, {1.0 / 3, 2.0 / 3}}};
RUNGE_KUTTA(ralston34, "ralston-3/4", "order 2 with its node at 3/4, often called Ralston's", 2, 2);

static const double rk4_nodes[] = {0, 0.5, 0.5, 1};
static const Tableau rk4 = {{{0.5}, {0, 0.5}, {0, 0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}};
RUNGE_KUTTA(rk4, "rk4", "classical Runge-Kutta: order 4, four evaluations", 4, 4);

static const double rk4_38_nodes[] = {0, 1.0 / 3, 2.0 / 3, 1};
static const Tableau rk4_38 = {
    {{1.0 / 3}, {-1.0 / 3, 1}, {1, -1, 1}, {0.125, 0.375, 0.375, 0.125}}};
RUNGE_KUTTA(rk4_38, "rk4-3/8", "Kutta's 3/8 rule: order 4, four evaluations", 4, 4);
