/* Monaghan's kernel M4' (JCP 60, 1985): what is dealt out to four nodes along each axis and read
 * back from them keeps sums, first and second moments, and is exact for quadratic functions.
 *
 * W(s) = 1 - 5 s^2 / 2 + 3 s^3 / 2 for s < 1, (2 - s)^2 (1 - s) / 2 for 1 <= s < 2, else 0. It is
 * smooth once and negative beyond 1: what must not fall below zero is dealt out otherwise
 * (lattice.h). */
#ifndef SOLVERS_VORTEX_M4_H
#define SOLVERS_VORTEX_M4_H

#include "base/row.h"

enum { M4_NODES = 4 };

/* The weights of the nodes floor(x) - 1 to floor(x) + 2, x in cells; returns the first of them. W
 * at distances 1 + t, t, 1 - t and 2 - t, with t the place in the cell. */
static inline ptrdiff_t m4_weights(double x, double weight[M4_NODES])
{
    const double floor = __builtin_floor(x), t = x - floor, s = 1 - t;
    weight[0] = 0.5 * s * s * (-t);
    weight[1] = 1 + t * t * (1.5 * t - 2.5);
    weight[2] = 1 + s * s * (1.5 * s - 2.5);
    weight[3] = 0.5 * t * t * (-s);
    return (ptrdiff_t)floor - 1;
}

/* Their slopes, per cell. */
static inline void m4_slopes(double x, double slope[M4_NODES])
{
    const double t = x - __builtin_floor(x), s = 1 - t;
    slope[0] = -0.5 * s * (1 - 3 * t);
    slope[1] = t * (4.5 * t - 5);
    slope[2] = -s * (4.5 * s - 5);
    slope[3] = 0.5 * t * (1 - 3 * s);
}

#endif
