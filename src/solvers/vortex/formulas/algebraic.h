/* The algebraic cores and the linear one: no exponential in them.
 *
 * q is the share of a vorton's strength within s = r / core radius.
 *
 * Each function has f = q / r^3, and with it g = f' / r or the potential p, in one expression of d
 * = r^2 + core^2, which has no pole: nothing is asked about r = 0, and a vorton at its own place
 * gets 0 because alpha x r is 0. Formulas: they include nothing, and are compiled for the processor
 * and for devices. */
#ifndef SOLVERS_VORTEX_FORMULAS_ALGEBRAIC_H
#define SOLVERS_VORTEX_FORMULAS_ALGEBRAIC_H

#define THREE_HALVES ((mote_real)1.5)

/* The high-order algebraic core: q = s^3 (s^2 + 5/2) / (s^2 + 1)^(5/2), vorticity ~ (s^2 +
 * 1)^(-7/2). Winckelmans and Leonard, JCP 109, 1993. */
EIGHT_INLINE Eight winckelmans(Eight r2, Eight core2)
{
    Eight d = r2 + core2, inverse3 = 1 / (d * d * d);
    return (d + THREE_HALVES * core2) * eight_sqrt(d) * inverse3;
}

EIGHT_INLINE Eight winckelmans_slope(Eight r2, Eight core2, Eight *g)
{
    Eight d = r2 + core2, inverse = 1 / d;
    Eight power = eight_sqrt(d) * (inverse * inverse) * inverse; /* d^(-5/2) */
    *g = -(3 * d + 5 * THREE_HALVES * core2) * power * inverse;
    return (d + THREE_HALVES * core2) * power;
}

EIGHT_INLINE Eight winckelmans_potential(Eight r2, Eight core2)
{
    Eight d = r2 + core2, inverse2 = 1 / (d * d);
    return (d + core2 / 2) * eight_sqrt(d) * inverse2;
}

/* Rosenhead and Moore, the low-order algebraic core: q = s^3 / (s^2 + 1)^(3/2).
 * Rosenhead, Proc. R. Soc. A 127, 1930; Moore, Stud. Appl. Math. 50, 1972. */
EIGHT_INLINE Eight rosenhead(Eight r2, Eight core2)
{
    Eight d = r2 + core2, inverse2 = 1 / (d * d);
    return eight_sqrt(d) * inverse2;
}

EIGHT_INLINE Eight rosenhead_slope(Eight r2, Eight core2, Eight *g)
{
    Eight d = r2 + core2, inverse = 1 / d;
    Eight f = eight_sqrt(d) * (inverse * inverse);
    *g = -3 * f * inverse;
    return f;
}

EIGHT_INLINE Eight rosenhead_potential(Eight r2, Eight core2)
{
    return 1 / eight_sqrt(r2 + core2);
}

/* The linear core: a ball of uniform vorticity, q = s^3 inside and 1 outside. The velocity has a
 * kink at the ball's surface, so errors do not vanish with overlap; published for games. It is kept
 * because runs of the articles are to be repeated, and because it is what a ball that turns drags
 * along (spins.c). */
EIGHT_INLINE Eight linear(Eight r2, Eight core2)
{
    Eight d = eight_most(r2, core2), inverse2 = 1 / (d * d);
    return eight_sqrt(d) * inverse2;
}

EIGHT_INLINE Eight linear_slope(Eight r2, Eight core2, Eight *g)
{
    Eight d = eight_most(r2, core2), inverse = 1 / d;
    Eight f = eight_sqrt(d) * (inverse * inverse);
    *g = eight_where(EIGHT_MASK(r2 > core2), -3 * f * inverse);
    return f;
}

/* (3 s^2 - r^2) / (2 s^3) inside: its curl is the velocity there. */
EIGHT_INLINE Eight linear_potential(Eight r2, Eight core2)
{
    Eight outside = 1 / eight_sqrt(eight_most(r2, core2));
    Eight inside = (3 * core2 - r2) / (2 * core2 * eight_sqrt(core2));
    return eight_choose(EIGHT_MASK(r2 > core2), outside, inside);
}

#endif
