/* The linear core: a ball of uniform vorticity, q = s^3 inside and 1 outside. The velocity has a
 * kink at the ball's surface, so errors do not vanish with overlap; published for games. */
#include "solvers/vortex/kernels/induce.h"

EIGHT_INLINE Eight f_of(Eight r2, Eight core2)
{
    Eight d = eight_most(r2, core2), inverse2 = 1 / (d * d);
    return eight_sqrt(d) * inverse2;
}

EIGHT_INLINE Eight slope_of(Eight r2, Eight core2, Eight *g)
{
    Eight d = eight_most(r2, core2), inverse = 1 / d;
    Eight f = eight_sqrt(d) * (inverse * inverse);
    *g = eight_where((EightBits)(r2 > core2), -3 * f * inverse);
    return f;
}

/* (3 s^2 - r^2) / (2 s^3) inside: its curl is the velocity there. */
EIGHT_INLINE Eight potential_of(Eight r2, Eight core2)
{
    Eight outside = 1 / eight_sqrt(eight_most(r2, core2));
    Eight inside = (3 * core2 - r2) / (2 * core2 * eight_sqrt(core2));
    return eight_choose((EightBits)(r2 > core2), outside, inside);
}

CORE_FUNCTIONS(f_of, slope_of, potential_of)

const CoreRow ISA(core_linear) = CORE_ROW(
    "linear", "a ball of uniform vorticity, as in Gourlay's articles", 0.35981384722661197);
