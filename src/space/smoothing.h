/* Smoothing kernels of SPH as rows.
 *
 *     W(r) = sigma_D / H^D w(q),  q = r / H,  w = 0 from q = 1 on,
 *
 * in D = 2 and 3 dimensions, H the support radius (the cubic spline's h is H / 2). Gradients are
 * given as W'(r) / r, which is finite at r = 0 for all but the spiky kernel.
 *
 * References: Monaghan and Lattanzio 1985 (cubic spline), Morris 1996 (quintic spline), Wendland
 * 1995 with Dehnen and Aly 2012 (C2, C4, C6), Mueller, Charypar and Gross 2003 (poly6, spiky).
 *
 * The cubic spline is that of GAMES103's notes, P13 and P14, whose q is r / h = 2 r / H: 3 / (2 pi
 * h^3) (2/3 - q^2 + q^3 / 2) is 8 / (pi H^3) (1 - 6 q^2 + 6 q^3) in ours. Their P15 has lap W = W''
 * / h^2 + 2 W' / h; the second term is 2 W' / (q h^2). */
#ifndef SPACE_SMOOTHING_H
#define SPACE_SMOOTHING_H

#include "base/isa.h"
#include "base/row.h"
#include "space/formulas/smoothing_kind.h"

typedef struct SmoothingRow {
    mote_Row head;
    SmoothingKind kind;
    SmoothingKind gradient; /* what solvers take gradients of: itself, or spiky for poly6 */
    double sigma[4];        /* by dimension: 2, 3 */
    /* The shape and its derivatives, 0 <= q <= 1; 0 beyond. */
    double (*value)(double q);
    double (*slope)(double q);     /* w' / q */
    double (*curvature)(double q); /* w'' */
} SmoothingRow;

/* The rows; in the order of SmoothingKind. */
const mote_Row *const *smoothing_rows(Isa isa, size_t *count);
const SmoothingRow *smoothing_row(SmoothingKind kind);

/* What gradients are taken of; shapes that are in no table (SMOOTHING_KINDS) have their own. */
static inline const SmoothingRow *smoothing_gradient(const SmoothingRow *row)
{
    return row->gradient < SMOOTHING_KINDS ? smoothing_row(row->gradient) : row;
}

/* At distance r, in `dimension` 2 or 3, with support H. */
double smoothing_value(const SmoothingRow *row, int dimension, double support, double r);
double smoothing_slope(const SmoothingRow *row, int dimension, double support, double r);
double smoothing_laplacian(const SmoothingRow *row, int dimension, double support, double r);

/* A kernel ready for loops over pairs (space/smoothing_lanes.h). */
typedef struct Smoothing {
    SmoothingKind kind;          /* of values */
    SmoothingKind gradient_kind; /* of gradients */
    mote_real support;           /* H, m */
    mote_real inverse;           /* 1 / H */
    mote_real square;            /* H^2 */
    mote_real value_scale;       /* sigma / H^D */
    mote_real slope_scale;       /* of the gradient's kernel: sigma / H^(D + 2) */
    mote_real middle;            /* W(0) */
} Smoothing;

Smoothing smoothing_make(const SmoothingRow *row, int dimension, double support);

/* What sums over a full lattice (simple cubic; square in two dimensions) make of constants and of
 * gradients: both are 1 for infinitely many neighbours. */
typedef struct LatticeSums {
    double value;    /* d^D sum W, the point itself included */
    double gradient; /* -d^D sum x^2 W'/r: the slope that is found for a slope of 1 */
} LatticeSums;

LatticeSums smoothing_lattice(const SmoothingRow *row, int dimension, double support,
                              double spacing);

/* The sum of W alone, 1/m^D. */
static inline double smoothing_lattice_sum(const SmoothingRow *row, int dimension, double support,
                                           double spacing)
{
    double cell = dimension == 2 ? spacing * spacing : spacing * spacing * spacing;
    return smoothing_lattice(row, dimension, support, spacing).value / cell;
}

/* Scaled so that both are exact on a lattice of that spacing: a full lattice of particles of mass
 * rho0 d^D has the density rho0, linear pressures have their gradient, quadratic velocities their
 * Laplacian. */
Smoothing smoothing_calibrated(const SmoothingRow *row, int dimension, double support,
                               double spacing);

/* ---- over arrays of distances, per instruction set ---- */

typedef struct SmoothingKernels {
    void (*values)(const Smoothing *k, size_t count, const mote_real *r, mote_real *w);
    void (*slopes)(const Smoothing *k, size_t count, const mote_real *r, mote_real *g);
} SmoothingKernels;

const SmoothingKernels *smoothing_kernels(Isa isa);

#endif
