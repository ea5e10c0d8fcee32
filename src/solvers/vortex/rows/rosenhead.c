/* Rosenhead and Moore, the low-order algebraic core: q = s^3 / (s^2 + 1)^(3/2).
 * Rosenhead, Proc. R. Soc. A 127, 1930; Moore, Stud. Appl. Math. 50, 1972. */
#include "solvers/vortex/kernels/induce.h"

LANES_INLINE Lanes f_of(Lanes r2, Lanes core2)
{
    Lanes d = r2 + core2;
    return 1 / (d * lanes_sqrt(d));
}

LANES_INLINE Lanes slope_of(Lanes r2, Lanes core2, Lanes *g)
{
    Lanes d = r2 + core2, f = 1 / (d * lanes_sqrt(d));
    *g = -3 * f / d;
    return f;
}

LANES_INLINE Lanes potential_of(Lanes r2, Lanes core2)
{
    return 1 / lanes_sqrt(r2 + core2);
}

CORE_FUNCTIONS(f_of, slope_of, potential_of)

const CoreRow ISA(core_rosenhead) =
    CORE_ROW("rosenhead", "low-order algebraic (Rosenhead 1930, Moore 1972)", 1);
