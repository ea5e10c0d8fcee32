/* Smoothing kernels: shapes, their derivatives, and what sums over lattices need. */
#include "space/smoothing.h"

#include <math.h>

ISA_KERNELS(smoothing_kernels, SmoothingKernels, smoothing_table)

/* Nearer than this share of the support, w' / q of kernels with a cusp is that at it. */
static const double nearest = 1e-4;

static double square(double a)
{
    return a * a;
}

static double cube(double a)
{
    return a * a * a;
}

/* max(a, 0)^n */
static double part(double a, int n)
{
    double power = 1;
    for (int i = 0; i < n; ++i) power *= a;
    return a > 0 ? power : 0;
}

static double away(double q)
{
    return q > nearest ? q : nearest;
}

/* ---- cubic spline ---- */

static double cubic_value(double q)
{
    return q < 0.5 ? 1 - 6 * square(q) * (1 - q) : 2 * cube(1 - q);
}

/* Finite at 0, so that pairs at one place make no infinity; the branch for q >= 1/2 divides by no
 * less. */
static double cubic_slope(double q)
{
    return q < 0.5 ? 18 * q - 12 : -6 * square(1 - q) / q;
}

static double cubic_curvature(double q)
{
    return q < 0.5 ? 36 * q - 12 : 12 * (1 - q);
}

/* ---- quintic spline, in s = 3 q ---- */

static double quintic_value(double q)
{
    return part(3 - 3 * q, 5) - 6 * part(2 - 3 * q, 5) + 15 * part(1 - 3 * q, 5);
}

static double quintic_slope(double q)
{
    double s = 3 * away(q);
    return 9 * (-5 * part(3 - s, 4) + 30 * part(2 - s, 4) - 75 * part(1 - s, 4)) / s;
}

static double quintic_curvature(double q)
{
    return 9 * (20 * part(3 - 3 * q, 3) - 120 * part(2 - 3 * q, 3) + 300 * part(1 - 3 * q, 3));
}

/* ---- Wendland ---- */

static double wendland_c2_value(double q)
{
    return part(1 - q, 4) * (1 + 4 * q);
}

/* Without a division: (1 - q)^3 is all that is left of w' / q. */
static double wendland_c2_slope(double q)
{
    return -20 * cube(1 - q);
}

static double wendland_c2_curvature(double q)
{
    return square(1 - q) * (80 * q - 20);
}

static double wendland_c4_value(double q)
{
    return part(1 - q, 6) * (1 + 6 * q + 35.0 / 3 * square(q));
}

static double wendland_c4_slope(double q)
{
    return -56.0 / 3 * part(1 - q, 5) * (1 + 5 * q);
}

static double wendland_c4_curvature(double q)
{
    return -56.0 / 3 * part(1 - q, 4) * (1 + 4 * q - 35 * square(q));
}

static double wendland_c6_value(double q)
{
    return part(1 - q, 8) * (1 + 8 * q + 25 * square(q) + 32 * cube(q));
}

static double wendland_c6_slope(double q)
{
    return -22 * part(1 - q, 7) * (1 + 7 * q + 16 * square(q));
}

static double wendland_c6_curvature(double q)
{
    return -22 * part(1 - q, 6) * (1 + 6 * q - 15 * square(q) - 160 * cube(q));
}

/* ---- poly6 and spiky ---- */

static double poly6_value(double q)
{
    return cube(1 - square(q));
}

static double poly6_slope(double q)
{
    return -6 * square(1 - square(q));
}

static double poly6_curvature(double q)
{
    return -6 * (1 - square(q)) * (1 - 5 * square(q));
}

static double spiky_value(double q)
{
    return cube(1 - q);
}

/* Its force does not vanish as two particles meet, which is what it is for; so w' / q has a pole.
 */
static double spiky_slope(double q)
{
    return -3 * square(1 - q) / away(q);
}

static double spiky_curvature(double q)
{
    return 6 * (1 - q);
}

/* ---- even: powers of q^2 alone ---- */

static double even_value(double q)
{
    return part(1 - square(q), 5);
}

static double even_slope(double q)
{
    return -10 * part(1 - square(q), 4);
}

static double even_curvature(double q)
{
    return -10 * part(1 - square(q), 3) * (1 - 9 * square(q));
}

/* ---- the rows ---- */

#define PI 3.14159265358979323846
#define ROW(name_, doc_, kind_, gradient_, sigma_2, sigma_3, shape)                                \
    [kind_] = {.head = {.name = name_, .doc = doc_},                                               \
               .kind = kind_,                                                                      \
               .gradient = gradient_,                                                              \
               .sigma = {0, 0, sigma_2, sigma_3},                                                  \
               .value = shape##_value,                                                             \
               .slope = shape##_slope,                                                             \
               .curvature = shape##_curvature}

static const SmoothingRow rows[SMOOTHING_KINDS] = {
    ROW("cubic-spline", "Monaghan and Lattanzio's cubic spline: few neighbours, the usual choice",
        SMOOTHING_CUBIC, SMOOTHING_CUBIC, 40 / (7 * PI), 8 / PI, cubic),
    ROW("quintic-spline", "Morris's quintic spline: smooth, best with H of 3 spacings or more",
        SMOOTHING_QUINTIC, SMOOTHING_QUINTIC, 63 / (478 * PI), 27 / (120 * PI), quintic),
    ROW("wendland-c2", "Wendland's C2: particles do not pair, cheap gradient",
        SMOOTHING_WENDLAND_C2, SMOOTHING_WENDLAND_C2, 7 / PI, 21 / (2 * PI), wendland_c2),
    ROW("wendland-c4", "Wendland's C4: for H of 2.5 spacings or more", SMOOTHING_WENDLAND_C4,
        SMOOTHING_WENDLAND_C4, 9 / PI, 495 / (32 * PI), wendland_c4),
    ROW("wendland-c6", "Wendland's C6: for H of 3 spacings or more", SMOOTHING_WENDLAND_C6,
        SMOOTHING_WENDLAND_C6, 78 / (7 * PI), 1365 / (64 * PI), wendland_c6),
    ROW("poly6", "Mueller's poly6 for sums, with the gradient of spiky", SMOOTHING_POLY6,
        SMOOTHING_SPIKY, 4 / PI, 315 / (64 * PI), poly6),
    ROW("spiky", "Desbrun's spiky kernel: its gradient does not vanish in the middle",
        SMOOTHING_SPIKY, SMOOTHING_SPIKY, 10 / PI, 15 / PI, spiky),
    ROW("even", "(1 - q^2)^5: steepest where the cubic spline is, without a root; the fastest",
        SMOOTHING_EVEN, SMOOTHING_EVEN, 6 / PI, 9009 / (1024 * PI), even),
};

ROW_TABLE(smoothing_rows, &rows[SMOOTHING_CUBIC].head, &rows[SMOOTHING_QUINTIC].head,
          &rows[SMOOTHING_WENDLAND_C2].head, &rows[SMOOTHING_WENDLAND_C4].head,
          &rows[SMOOTHING_WENDLAND_C6].head, &rows[SMOOTHING_POLY6].head,
          &rows[SMOOTHING_SPIKY].head, &rows[SMOOTHING_EVEN].head)

const SmoothingRow *smoothing_row(SmoothingKind kind)
{
    return &rows[kind];
}

/* ---- at a distance ---- */

static double scale(const SmoothingRow *row, int dimension, double support)
{
    double power = dimension == 2 ? support * support : support * support * support;
    return row->sigma[dimension] / power;
}

double smoothing_value(const SmoothingRow *row, int dimension, double support, double r)
{
    double q = r / support;
    return q < 1 ? scale(row, dimension, support) * row->value(q) : 0;
}

double smoothing_slope(const SmoothingRow *row, int dimension, double support, double r)
{
    double q = r / support;
    return q < 1 ? scale(row, dimension, support) / square(support) * row->slope(q) : 0;
}

/* In D dimensions: W'' + (D - 1) W' / r. */
double smoothing_laplacian(const SmoothingRow *row, int dimension, double support, double r)
{
    double q = r / support;
    if (!(q < 1)) return 0;
    double sum = row->curvature(q) + (dimension - 1) * row->slope(q);
    return scale(row, dimension, support) / square(support) * sum;
}

Smoothing smoothing_make(const SmoothingRow *row, int dimension, double support)
{
    const SmoothingRow *gradient = &rows[row->gradient];
    return (Smoothing){.kind = row->kind,
                       .gradient_kind = row->gradient,
                       .support = (mote_real)support,
                       .inverse = (mote_real)(1 / support),
                       .square = (mote_real)(support * support),
                       .value_scale = (mote_real)scale(row, dimension, support),
                       .slope_scale =
                           (mote_real)(scale(gradient, dimension, support) / square(support)),
                       .middle = (mote_real)(scale(row, dimension, support) * row->value(0))};
}

LatticeSums smoothing_lattice(const SmoothingRow *row, int dimension, double support,
                              double spacing)
{
    const SmoothingRow *gradient = &rows[row->gradient];
    int reach = (int)ceil(support / spacing), depth = dimension == 2 ? 0 : reach;
    double cell = dimension == 2 ? spacing * spacing : spacing * spacing * spacing;
    LatticeSums sums = {0, 0};
    for (int k = -depth; k <= depth; ++k)
        for (int j = -reach; j <= reach; ++j)
            for (int i = -reach; i <= reach; ++i) {
                double r = spacing * sqrt((double)(i * i + j * j + k * k)), x = spacing * i;
                sums.value += cell * smoothing_value(row, dimension, support, r);
                if (r > 0)
                    sums.gradient -=
                        cell * x * x * smoothing_slope(gradient, dimension, support, r);
            }
    return sums;
}

Smoothing smoothing_calibrated(const SmoothingRow *row, int dimension, double support,
                               double spacing)
{
    Smoothing k = smoothing_make(row, dimension, support);
    LatticeSums sums = smoothing_lattice(row, dimension, support, spacing);
    k.value_scale = (mote_real)((double)k.value_scale / sums.value);
    k.middle = (mote_real)((double)k.middle / sums.value);
    k.slope_scale = (mote_real)((double)k.slope_scale / sums.gradient);
    return k;
}
