/* Rosenhead and Moore, the low-order algebraic core: q = s^3 / (s^2 + 1)^(3/2).
 * Rosenhead, Proc. R. Soc. A 127, 1930; Moore, Stud. Appl. Math. 50, 1972. */
#include "solvers/vortex/kernels/induce.h"

EIGHT_INLINE Eight f_of(Eight r2, Eight core2)
{
    Eight d = r2 + core2, inverse2 = 1 / (d * d);
    return eight_sqrt(d) * inverse2;
}

EIGHT_INLINE Eight slope_of(Eight r2, Eight core2, Eight *g)
{
    Eight d = r2 + core2, inverse = 1 / d;
    Eight f = eight_sqrt(d) * (inverse * inverse);
    *g = -3 * f * inverse;
    return f;
}

EIGHT_INLINE Eight potential_of(Eight r2, Eight core2)
{
    return 1 / eight_sqrt(r2 + core2);
}

CORE_FUNCTIONS(f_of, slope_of, potential_of)

const CoreRow ISA(core_rosenhead) =
    CORE_ROW("rosenhead", "low-order algebraic (Rosenhead 1930, Moore 1972)", 1);
