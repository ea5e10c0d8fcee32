/* The cores of a world of two dimensions: vortons are columns along z, and u = f (alpha x r) / (4
 * pi) with f = 2 q(r / s) / r^2, alpha / (2 pi r) far away. Each is the integral of the core of the
 * same name along z, but for the linear one, which is a disc of uniform vorticity (Rankine's).
 * Formulas: they include nothing, and are compiled for the processor and for devices. */
#ifndef SOLVERS_VORTEX_FORMULAS_FLAT_H
#define SOLVERS_VORTEX_FORMULAS_FLAT_H

/* q = s^2 (s^2 + 2) / (s^2 + 1)^2. Of (s^2 + 1)^(-7/2) along a line (s^2 + 1)^(-3) is left, 2 / pi
 * of which is 1 in sum. */
EIGHT_INLINE Eight flat_winckelmans(Eight r2, Eight core2)
{
    Eight d = r2 + core2;
    return 2 * (d + core2) / (d * d);
}

EIGHT_INLINE Eight flat_winckelmans_slope(Eight r2, Eight core2, Eight *g)
{
    Eight d = r2 + core2;
    *g = -4 * (d + 2 * core2) / (d * d * d);
    return flat_winckelmans(r2, core2);
}

/* q = s^2 / (s^2 + 1). Of (s^2 + 1)^(-5/2) it is (s^2 + 1)^(-2) / pi. */
EIGHT_INLINE Eight flat_rosenhead(Eight r2, Eight core2)
{
    return 2 / (r2 + core2);
}

EIGHT_INLINE Eight flat_rosenhead_slope(Eight r2, Eight core2, Eight *g)
{
    Eight f = flat_rosenhead(r2, core2);
    *g = -(f * f);
    return f;
}

/* q = s^2 within. */
EIGHT_INLINE Eight flat_linear(Eight r2, Eight core2)
{
    return 2 / eight_most(r2, core2);
}

EIGHT_INLINE Eight flat_linear_slope(Eight r2, Eight core2, Eight *g)
{
    Eight f = flat_linear(r2, core2);
    *g = eight_where(EIGHT_MASK(r2 > core2), -(f * f));
    return f;
}

/* q = 1 - exp(-x), x = s^2 / 2: Lamb's and Oseen's. f = h / core^2 with h = (1 - exp(-x)) / x, near
 * the centre by its series sum of (-x)^k / (k + 1)!. */
enum { FLAT_TERMS = 14 };
EIGHT_TABLE mote_real flat_series[FLAT_TERMS] = {1,
                                                 (mote_real)(-1 / 2.0),
                                                 (mote_real)(1 / 6.0),
                                                 (mote_real)(-1 / 24.0),
                                                 (mote_real)(1 / 120.0),
                                                 (mote_real)(-1 / 720.0),
                                                 (mote_real)(1 / 5040.0),
                                                 (mote_real)(-1 / 40320.0),
                                                 (mote_real)(1 / 362880.0),
                                                 (mote_real)(-1 / 3628800.0),
                                                 (mote_real)(1 / 39916800.0),
                                                 (mote_real)(-1 / 479001600.0),
                                                 (mote_real)(1 / 6227020800.0),
                                                 (mote_real)(-1 / 87178291200.0)};
/* 1 - exp(-x) loses its digits where x is small; of the series the first term that is left out is
 * 8e-13 at x = 1. */
EIGHT_INLINE Eight flat_gaussian(Eight r2, Eight core2)
{
    Eight x = r2 / (2 * core2);
    EightBits near = EIGHT_MASK(x < 1);
    Eight inner = eight_polynomial(flat_series, FLAT_TERMS, eight_least(x, eight_all(1)));
    Eight outer = (1 - eight_exp(-x)) / eight_most(x, eight_all(1));
    return eight_choose(near, inner, outer) / core2;
}

/* h' = (exp(-x) - h) / x, and -1/2 in the centre. Below x = 1e-4 floats lose more in the difference
 * than the limit is off, 2 x / 3 of it. */
EIGHT_INLINE Eight flat_gaussian_slope(Eight r2, Eight core2, Eight *g)
{
    const mote_real least = (mote_real)1e-4;
    Eight x = r2 / (2 * core2), f = flat_gaussian(r2, core2);
    Eight slope = (eight_exp(-x) - f * core2) / eight_most(x, eight_all(least));
    *g = eight_choose(EIGHT_MASK(x < least), eight_all((mote_real)-0.5), slope) / (core2 * core2);
    return f;
}

#endif
