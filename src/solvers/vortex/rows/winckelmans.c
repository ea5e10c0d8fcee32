/* The high-order algebraic core: q = s^3 (s^2 + 5/2) / (s^2 + 1)^(5/2), vorticity ~ (s^2 +
 * 1)^(-7/2). Winckelmans and Leonard, JCP 109, 1993. */
#include "solvers/vortex/kernels/induce.h"

#define THREE_HALVES ((mote_real)1.5)

EIGHT_INLINE Eight f_of(Eight r2, Eight core2)
{
    Eight d = r2 + core2, inverse3 = 1 / (d * d * d);
    return (d + THREE_HALVES * core2) * eight_sqrt(d) * inverse3;
}

EIGHT_INLINE Eight slope_of(Eight r2, Eight core2, Eight *g)
{
    Eight d = r2 + core2, inverse = 1 / d;
    Eight power = eight_sqrt(d) * (inverse * inverse) * inverse; /* d^(-5/2) */
    *g = -(3 * d + 5 * THREE_HALVES * core2) * power * inverse;
    return (d + THREE_HALVES * core2) * power;
}

EIGHT_INLINE Eight potential_of(Eight r2, Eight core2)
{
    Eight d = r2 + core2, inverse2 = 1 / (d * d);
    return (d + core2 / 2) * eight_sqrt(d) * inverse2;
}

CORE_FUNCTIONS(f_of, slope_of, potential_of)

const CoreRow ISA(core_winckelmans) =
    CORE_ROW("winckelmans", "high-order algebraic (Winckelmans and Leonard 1993)", 0.5);
