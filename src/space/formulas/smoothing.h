/* Smoothing kernels for eight pairs at a time; the formulas of smoothing.c. The kind is the same
 * for all pairs, so the branches cost next to nothing. q may be anything: beyond 1 the result is 0,
 * and so it is for what is not a number.
 *
 * A formula: it includes nothing, and is compiled for the processor (space/smoothing_lanes.h) and
 * for devices, to the same bits. */
#ifndef SPACE_FORMULAS_SMOOTHING_H
#define SPACE_FORMULAS_SMOOTHING_H

#define SMOOTHING_NEAREST ((mote_real)1e-4)

EIGHT_INLINE Eight eight_square(Eight a)
{
    return a * a;
}

/* max(a, 0)^4 and ^5 */
EIGHT_INLINE Eight eight_part4(Eight a)
{
    return eight_square(eight_square(eight_where(EIGHT_MASK(a > 0), a)));
}

EIGHT_INLINE Eight eight_part5(Eight a)
{
    return eight_part4(a) * a;
}

/* w(q), without the scale. */
EIGHT_INLINE Eight smoothing_shape(SmoothingKind kind, Eight q)
{
    const EightBits inside = EIGHT_MASK(q < 1);
    const Eight far = 1 - q, far2 = far * far;
    Eight w;
    switch (kind) {
    case SMOOTHING_CUBIC:
        w = eight_choose(EIGHT_MASK(q < (mote_real)0.5), 1 - 6 * (q * q) * far, 2 * (far2 * far));
        break;
    case SMOOTHING_QUINTIC:
        w = eight_part5(3 - 3 * q) - 6 * eight_part5(2 - 3 * q) + 15 * eight_part5(1 - 3 * q);
        break;
    case SMOOTHING_WENDLAND_C2:
        w = far2 * far2 * (1 + 4 * q);
        break;
    case SMOOTHING_WENDLAND_C4:
        w = far2 * far2 * far2 * (1 + 6 * q + (mote_real)(35.0 / 3) * (q * q));
        break;
    case SMOOTHING_WENDLAND_C6:
        w = eight_square(far2 * far2) * (1 + q * (8 + q * (25 + 32 * q)));
        break;
    case SMOOTHING_POLY6:
        w = 1 - q * q;
        w = w * w * w;
        break;
    case SMOOTHING_EVEN:
        w = 1 - q * q;
        w = eight_square(eight_square(w)) * w;
        break;
    default:
        w = far2 * far;
    }
    return eight_where(inside, w);
}

/* What the slopes of a kind are divided by; 1 for those that divide by nothing. */
EIGHT_INLINE Eight smoothing_divisor(SmoothingKind kind, Eight q)
{
    switch (kind) {
    case SMOOTHING_CUBIC:
        return eight_most(q, eight_all((mote_real)0.5));
    case SMOOTHING_QUINTIC:
    case SMOOTHING_SPIKY:
        return eight_most(q, eight_all(SMOOTHING_NEAREST));
    default:
        return eight_all(1);
    }
}

/* w'(q) / q, without the scale, where `part` is 1 over the divisor. Of the polynomials above; where
 * q divides out, as in Wendland's, it is left out, and where it does not, q is kept from 0. */
EIGHT_INLINE Eight smoothing_divided_slope(SmoothingKind kind, Eight q, Eight part)
{
    const EightBits inside = EIGHT_MASK(q < 1);
    const Eight far = 1 - q, far2 = far * far;
    Eight s, g;
    switch (kind) {
    case SMOOTHING_CUBIC:
        g = eight_choose(EIGHT_MASK(q < (mote_real)0.5), 18 * q - 12, -6 * far2 * part);
        break;
    case SMOOTHING_QUINTIC:
        s = 3 * eight_most(q, eight_all(SMOOTHING_NEAREST));
        g = -5 * eight_part4(3 - s) + 30 * eight_part4(2 - s) - 75 * eight_part4(1 - s);
        g = 3 * g * part;
        break;
    case SMOOTHING_WENDLAND_C2:
        g = -20 * (far2 * far);
        break;
    case SMOOTHING_WENDLAND_C4:
        g = (mote_real)(-56.0 / 3) * (far2 * far2 * far) * (1 + 5 * q);
        break;
    case SMOOTHING_WENDLAND_C6:
        g = -22 * (far2 * far2 * far2 * far) * (1 + q * (7 + 16 * q));
        break;
    case SMOOTHING_POLY6:
        s = 1 - q * q;
        g = -6 * (s * s);
        break;
    case SMOOTHING_EVEN:
        s = 1 - q * q;
        g = -10 * eight_square(s * s);
        break;
    default:
        g = -3 * far2 * part;
    }
    return eight_where(inside, g);
}

EIGHT_INLINE Eight smoothing_shape_slope(SmoothingKind kind, Eight q)
{
    return smoothing_divided_slope(kind, q, 1 / smoothing_divisor(kind, q));
}

/* The slope, and the slope over another number, by one division. */
EIGHT_INLINE Eight smoothing_slope_over(SmoothingKind kind, Eight q, Eight other, Eight *quotient)
{
    Eight divisor = smoothing_divisor(kind, q), part = 1 / (divisor * other);
    Eight slope = smoothing_divided_slope(kind, q, part * other);
    *quotient = slope * (part * divisor);
    return slope;
}

/* The same from r^2 and 1 / H^2 for kernels of even powers, which need no root and no divisor. */
EIGHT_INLINE Eight smoothing_even_part(Eight q2)
{
    const Eight part = 1 - q2;
    return eight_where(EIGHT_MASK(part > 0), part);
}

EIGHT_INLINE Eight smoothing_even_slope(Eight q2)
{
    return -10 * eight_square(eight_square(smoothing_even_part(q2)));
}

EIGHT_INLINE Eight smoothing_even_shape(Eight q2)
{
    const Eight part = smoothing_even_part(q2);
    return eight_square(eight_square(part)) * part;
}

/* w(q) from r^2 and 1 / H. */
EIGHT_INLINE Eight smoothing_shape_of_square(SmoothingKind kind, Eight r2, mote_real inverse)
{
    if (kind == SMOOTHING_EVEN) return smoothing_even_shape(r2 * (inverse * inverse));
    return smoothing_shape(kind, eight_sqrt(r2) * inverse);
}

#endif
