/* The linear core: a ball of uniform vorticity, q = s^3 inside and 1 outside. The velocity has a
 * kink at the ball's surface, so errors do not vanish with overlap; published for games. */
#include "solvers/vortex/kernels/induce.h"

LANES_INLINE Lanes larger(Lanes a, Lanes b)
{
    return lanes_choose((LaneBits)(a > b), a, b);
}

LANES_INLINE Lanes f_of(Lanes r2, Lanes core2)
{
    Lanes d = larger(r2, core2);
    return 1 / (d * lanes_sqrt(d));
}

LANES_INLINE Lanes slope_of(Lanes r2, Lanes core2, Lanes *g)
{
    Lanes d = larger(r2, core2), f = 1 / (d * lanes_sqrt(d));
    *g = lanes_choose((LaneBits)(r2 > core2), -3 * f / d, lanes_all(0));
    return f;
}

/* (3 s^2 - r^2) / (2 s^3) inside: its curl is the velocity there. */
LANES_INLINE Lanes potential_of(Lanes r2, Lanes core2)
{
    Lanes outside = 1 / lanes_sqrt(larger(r2, core2));
    Lanes inside = (3 * core2 - r2) / (2 * core2 * lanes_sqrt(core2));
    return lanes_choose((LaneBits)(r2 > core2), outside, inside);
}

CORE_FUNCTIONS(f_of, slope_of, potential_of)

const CoreRow ISA(core_linear) = CORE_ROW(
    "linear", "a ball of uniform vorticity, as in Gourlay's articles", 0.35981384722661197);
