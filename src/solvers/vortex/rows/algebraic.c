/* The algebraic cores and the linear one: no exponential in them (formulas/algebraic.h).
 *
 * Last numbers of the rows: beta of a ring's speed, and the variance of zeta along an axis, 4 pi /
 * 3 int zeta s^4 ds, which has no end for Rosenhead's (s^2 + 1)^(-5/2). */
#include "solvers/vortex/kernels/induce.h"

#include "solvers/vortex/formulas/algebraic.h"

CORE(winckelmans, "high-order algebraic (Winckelmans and Leonard 1993)", 0.5, 0.5)

CORE(rosenhead, "low-order algebraic (Rosenhead 1930, Moore 1972)", 1, 0)

CORE(linear, "a ball of uniform vorticity, as in Gourlay's articles", 0.35981384722661197, 0.2)
