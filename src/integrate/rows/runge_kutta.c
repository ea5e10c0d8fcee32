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

static const double rk4_nodes[] = {0, 0.5, 0.5, 1};
static const Tableau rk4 = {{{0.5}, {0, 0.5}, {0, 0, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}};

const IntegratorRow ISA(integrator_rk4) = {
    .head = {.name = "rk4", .doc = "classical Runge-Kutta: order 4, four evaluations"},
    .stages = 4,
    .nodes = rk4_nodes,
    .order = 4,
    .order_with_drag = 4,
    .first_order_too = true,
    .needs_start = true,
    .scratch_planes = 4 * PLANES,
    .scheme = &rk4,
    .stage = stage,
};
