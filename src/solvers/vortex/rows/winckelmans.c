/* The high-order algebraic core: q = s^3 (s^2 + 5/2) / (s^2 + 1)^(5/2), vorticity ~ (s^2 +
 * 1)^(-7/2). Winckelmans and Leonard, JCP 109, 1993. */
#include "solvers/vortex/kernels/induce.h"

#define THREE_HALVES ((mote_real)1.5)

LANES_INLINE Lanes f_of(Lanes r2, Lanes core2)
{
    Lanes d = r2 + core2;
    return (d + THREE_HALVES * core2) / (d * d * lanes_sqrt(d));
}

LANES_INLINE Lanes slope_of(Lanes r2, Lanes core2, Lanes *g)
{
    Lanes d = r2 + core2, inverse = 1 / (d * d * lanes_sqrt(d));
    *g = -(3 * d + 5 * THREE_HALVES * core2) * inverse / d;
    return (d + THREE_HALVES * core2) * inverse;
}

LANES_INLINE Lanes potential_of(Lanes r2, Lanes core2)
{
    Lanes d = r2 + core2;
    return (d + core2 / 2) / (d * lanes_sqrt(d));
}

CORE_FUNCTIONS(f_of, slope_of, potential_of)

const CoreRow ISA(core_winckelmans) =
    CORE_ROW("winckelmans", "high-order algebraic (Winckelmans and Leonard 1993)", 0.5);
