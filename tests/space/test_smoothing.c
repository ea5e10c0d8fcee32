/* Smoothing kernels: integral one by quadrature, derivatives against differences, zero outside, the
 * loops over eight against the scalar formulas, lattices. */
#include "setup.h"

#include "base/loop.h"
#include "space/smoothing.h"

enum { CELLS = 240, NODES = 8 };

static const double half_nodes[NODES / 2] = {0.1834346424956498, 0.5255324099163290,
                                             0.7966664774136267, 0.9602898564975363};
static const double half_weights[NODES / 2] = {0.3626837833783620, 0.3137066458778873,
                                               0.2223810344533745, 0.1012285362903763};

/* Gauss-Legendre over [0, H] in pieces that end at the splines' knots. */
static double integral(double (*f)(double r, const void *context), const void *context,
                       double support)
{
    double sum = 0, width = support / CELLS;
    for (int cell = 0; cell < CELLS; ++cell)
        for (int node = 0; node < NODES / 2; ++node)
            for (int side = -1; side <= 1; side += 2) {
                double r = (cell + 0.5 + 0.5 * side * half_nodes[node]) * width;
                sum += half_weights[node] / 2 * width * f(r, context);
            }
    return sum;
}

typedef struct Case {
    const SmoothingRow *row;
    int dimension;
    double support;
} Case;

static const double pi = 3.14159265358979323846;

static double ring(const Case *c, double r)
{
    return c->dimension == 2 ? 2 * pi * r : 4 * pi * r * r;
}

static double shell(double r, const void *context)
{
    const Case *c = context;
    return ring(c, r) * smoothing_value(c->row, c->dimension, c->support, r);
}

/* The integral of the Laplacian is the flux through the surface: 0 where the kernel ends flat. */
static double laplacian_shell(double r, const void *context)
{
    const Case *c = context;
    return ring(c, r) * smoothing_laplacian(c->row, c->dimension, c->support, r);
}

static void for_all(void (*check)(const Case *c))
{
    static const double supports[] = {0.04, 1, 2.5};
    size_t count;
    const mote_Row *const *rows = smoothing_rows(ISA_V1, &count);
    CHECK(count == SMOOTHING_KINDS);
    for (size_t i = 0; i < count; ++i)
        for (int dimension = 2; dimension <= 3; ++dimension)
            for (size_t s = 0; s < COUNT_OF(supports); ++s)
                check(&(Case){(const SmoothingRow *)rows[i], dimension, supports[s]});
}

static void check_integral(const Case *c)
{
    CHECK_NEAR(integral(shell, c, c->support), 1, 1e-10);
    if (c->row->kind == SMOOTHING_SPIKY) return; /* a cusp: its Laplacian has a point source */
    CHECK_NEAR(integral(laplacian_shell, c, c->support) * c->support * c->support, 0, 1e-7);
}

static void integrals_are_one(void)
{
    for_all(check_integral);
}

static void check_derivatives(const Case *c)
{
    const double H = c->support, e = 1e-5 * H;
    double top = smoothing_value(c->row, c->dimension, H, 0);
    for (double q = 0.003; q < 0.999; q += 0.0071) {
        double r = q * H;
        double below = smoothing_value(c->row, c->dimension, H, r - e);
        double above = smoothing_value(c->row, c->dimension, H, r + e);
        double here = smoothing_value(c->row, c->dimension, H, r);
        double slope = smoothing_slope(c->row, c->dimension, H, r) * r;
        double second = (above - 2 * here + below) / (e * e);
        CHECK_NEAR(slope * H / top, (above - below) / (2 * e) * H / top, 1e-7);
        double laplacian = second + (c->dimension - 1) * slope / r;
        CHECK_NEAR(smoothing_laplacian(c->row, c->dimension, H, r) * H * H / top,
                   laplacian * H * H / top, 2e-3);
        CHECK(here > 0 && slope < 0);
    }
}

static void derivatives_match_differences(void)
{
    for_all(check_derivatives);
}

static void check_outside(const Case *c)
{
    for (double q = 1; q < 3; q += 0.125) {
        CHECK(smoothing_value(c->row, c->dimension, c->support, q * c->support) == 0);
        CHECK(smoothing_slope(c->row, c->dimension, c->support, q * c->support) == 0);
        CHECK(smoothing_laplacian(c->row, c->dimension, c->support, q * c->support) == 0);
    }
    double last = smoothing_value(c->row, c->dimension, c->support, 0.999999 * c->support);
    CHECK_NEAR(last / smoothing_value(c->row, c->dimension, c->support, 0), 0, 1e-8);
}

static void kernels_end_at_their_support(void)
{
    for_all(check_outside);
}

/* Relative to the largest value, 8 rounding errors of each of the few operations. */
static void check_loops(const Case *c)
{
    enum { COUNT = 83 };
    mote_real r[COUNT], w[COUNT], g[COUNT];
    const SmoothingRow *gradient = smoothing_row(c->row->gradient);
    Smoothing k = smoothing_make(c->row, c->dimension, c->support);
    for (int i = 0; i < COUNT; ++i) r[i] = (mote_real)(c->support * (0.02 + i * 0.0125));
    r[7] = (mote_real)NAN;
    smoothing_kernels(isa_pick())->values(&k, COUNT, r, w);
    smoothing_kernels(isa_pick())->slopes(&k, COUNT, r, g);
    double top = smoothing_value(c->row, c->dimension, c->support, 0);
    double steep = fabs(smoothing_slope(gradient, c->dimension, c->support, 0.1 * c->support));
    CHECK_NEAR(k.middle, top, 1e-6 * top);
    for (int i = 0; i < COUNT; ++i) {
        double wanted = smoothing_value(c->row, c->dimension, c->support, (double)r[i]);
        double slope = smoothing_slope(gradient, c->dimension, c->support, (double)r[i]);
        if (i == 7) wanted = slope = 0;
        CHECK_NEAR((double)w[i], wanted, 64 * (double)REAL_EPSILON * top);
        CHECK_NEAR((double)g[i], slope, 1024 * (double)REAL_EPSILON * steep);
    }
}

static void loops_match_the_formulas(void)
{
    for_all(check_loops);
}

/* With many neighbours a lattice sums to its number density. */
static void check_lattice(const Case *c)
{
    LatticeSums sums = smoothing_lattice(c->row, c->dimension, c->support, c->support / 6);
    CHECK_NEAR(sums.value, 1, 0.02);
    CHECK_NEAR(sums.gradient, 1, c->row->gradient == SMOOTHING_SPIKY ? 0.06 : 0.02);
}

static void lattices_sum_to_one(void)
{
    for_all(check_lattice);
}

static void rows_are_found_by_kind(void)
{
    for (int kind = 0; kind < SMOOTHING_KINDS; ++kind)
        CHECK(smoothing_row((SmoothingKind)kind)->kind == (SmoothingKind)kind);
    CHECK(smoothing_row(SMOOTHING_POLY6)->gradient == SMOOTHING_SPIKY);
}

TESTS({"integrals are one", integrals_are_one},
      {"derivatives match differences", derivatives_match_differences},
      {"kernels end at their support", kernels_end_at_their_support},
      {"loops match the formulas", loops_match_the_formulas},
      {"lattices sum to one", lattices_sum_to_one}, {"rows by kind", rows_are_found_by_kind})
