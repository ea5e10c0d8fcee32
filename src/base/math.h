/* Elementary functions with the same bits on every machine: libm's last bits differ between CPUs.
 *
 * Only + - * / sqrt, comparisons and integer operations; no FMA, no table lookups in the inline
 * part. Every function is within 1.25 ulp over the whole range (measured by tests/base/test_math.c,
 * which asserts it), special values are those of C17 Annex F, and a NaN result is always the same
 * positive quiet NaN. sin, tan, asin are odd and cos is even in every bit.
 *
 * Methods: reduction to an octant by a three-part pi/2 (Cody and Waite), for large arguments by
 * the bits of 2/pi (Payne and Hanek, 1983); exp by exp(r) 2^k; log by atanh of (m - 1) / (m + 1);
 * pow by a log of twice the precision (Dekker, 1971). Muller, Elementary Functions, 3rd ed., 2016.
 * Polynomials are Chebyshev interpolants printed by scripts/fit-math.py.
 *
 * Loops: exp, log, powf and the ..._small functions have no branches, so FOR_ROWS loops over them
 * vectorise. sin and cos branch to a call for large arguments: inside loops use ..._small, which
 * give the same bits for |x| <= MATH_SMALL and nothing useful beyond. The float functions compute
 * in double with shorter polynomials: half the lanes, but no care for rounding is needed. The
 * functions of math.c (double pow, tan, asin, acos, atan2) are calls, and pow costs ten exps. */
#ifndef BASE_MATH_H
#define BASE_MATH_H

#include "base/math_sin.h"

double math_pow(double x, double y);

/* sRGB (IEC 61966-2-1): a code in [0, 1] as linear light, and light as a code. What lies outside
 * counts as the end beside it. */
double math_srgb_light(double code);
double math_srgb_code(double light);
double math_tan(double x);
double math_asin(double x);
double math_acos(double x);
double math_atan2(double y, double x);

/* ---- exp ---- */

/* exp(hi + lo), |lo| below hi's last bits. Two scalings, since 2^k alone may not be a number. */
static inline double math_exp_sum(double hi, double lo)
{
    hi = hi > 800 ? 800 : hi;
    hi = hi < -800 ? -800 : hi;
    double rounded = hi * MATH_LOG2_E + MATH_ROUNDER, k = rounded - MATH_ROUNDER;
    double a = hi - k * MATH_LN2_1, b = lo - k * MATH_LN2_2;
    double r = a + b, error = (a - r) + b, z = r * r, z2 = z * z;
    double even = (0x1.0000000000000p-1 + z * 0x1.5555555555556p-5) +
                  z2 * ((0x1.6c16c16c15d70p-10 + z * 0x1.a01a01a918f90p-16) +
                        z2 * (0x1.27e4d55b2ad71p-22 + z * 0x1.1f7e306e975b7p-29));
    double odd =
        (0x1.5555555555557p-3 + z * 0x1.11111111100acp-7) +
        z2 * ((0x1.a01a01ac01acep-13 + z * 0x1.71de01e046135p-19) + z2 * 0x1.af4e926dc2e45p-26);
    double power = 1 + (r + (error + z * (even + r * odd)));
    uint64_t n = math_bits(rounded) - MATH_ROUNDER_BITS, half = ((n + 4096) >> 1) - 2048;
    return power * math_power_of_two(half) * math_power_of_two(n - half);
}

static inline double math_exp(double x)
{
    double y = math_exp_sum(x, 0);
    return x == x ? y : MATH_NAN;
}

/* exp(x) to float's precision; 0 or over float's range beyond |x| = 200. */
static inline double math_exp_for_float(double x)
{
    x = x > 200 ? 200 : x;
    x = x < -200 ? -200 : x;
    double rounded = x * MATH_LOG2_E + MATH_ROUNDER, k = rounded - MATH_ROUNDER;
    double r = x - k * MATH_LN2, z = r * r;
    double rest = (0x1.0000000baa7aap-1 + r * 0x1.5555555cef5b0p-3) +
                  z * ((0x1.5554e868617f7p-5 + r * 0x1.1110d9fafa3d2p-7) +
                       z * (0x1.6d43ff0ccc568p-10 + r * 0x1.a13396c78186ep-13));
    return (1 + (r + z * rest)) * math_power_of_two(math_bits(rounded) - MATH_ROUNDER_BITS);
}

static inline float math_expf(float x)
{
    float y = (float)math_exp_for_float((double)x);
    return x == x ? y : (float)MATH_NAN;
}

/* ---- log ---- */

/* x = 2^exponent (1 + fraction), 1 + fraction in [sqrt(1/2), sqrt(2)): no cancellation near 1. */
typedef struct MathScaled {
    double exponent, fraction;
} MathScaled;

/* x > 0, finite, normal. */
static inline MathScaled math_scaled(double x)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcdu, one = 0x3ff0000000000000u;
    uint64_t bits = math_bits(x) + (one - root_half);
    double mantissa = math_from_bits((bits & MATH_MANTISSA) + root_half);
    double biased = math_from_bits((bits >> 52) | 0x4330000000000000u); /* 2^52 + exponent */
    return (MathScaled){biased - (0x1p52 + 1023), mantissa - 1};
}

/* The same with denormals. */
static inline MathScaled math_scaled_any(double x)
{
    bool tiny = x < 0x1p-1022;
    MathScaled m = math_scaled(tiny ? x * 0x1p54 : x);
    return (MathScaled){m.exponent - (tiny ? 54.0 : 0.0), m.fraction};
}

/* What log gives outside of the positive numbers; y inside. */
static inline double math_log_special(double x, double y)
{
    y = x > 0 ? y : MATH_NAN;
    y = x == 0 ? -MATH_INFINITY : y;
    return x == MATH_INFINITY ? x : y;
}

/* log(1 + f) = f - s (f - z R(z)) with s = f / (2 + f), z = s^2: f is exact, the rest small. */
static inline double math_log(double x)
{
    MathScaled m = math_scaled_any(x);
    double f = m.fraction, s = f / (2 + f), z = s * s, z2 = z * z;
    double series =
        (0x1.5555555555558p-1 + z * 0x1.9999999995273p-2) +
        z2 * ((0x1.2492492dfd86cp-2 + z * 0x1.c71c62d5e53e0p-3) +
              z2 * ((0x1.7462b91b8df65p-3 + z * 0x1.39fdcceb4bb45p-3) + z2 * 0x1.2b5f68a50d903p-3));
    double y = f - (s * (f - z * series) - m.exponent * MATH_LN2_2);
    return math_log_special(x, m.exponent * MATH_LN2_1 + y);
}

static inline float math_logf(float x)
{
    MathScaled m = math_scaled((double)x);
    double f = m.fraction, s = f / (2 + f), z = s * s;
    double series = (0x1.5555554ba8b0ep-1 + z * 0x1.9999eb9d6ddfep-2) +
                    z * z * (0x1.245c273432202p-2 + z * 0x1.ddd4dad98e4c4p-3);
    double y = m.exponent * MATH_LN2 + (f - s * (f - z * series));
    return (float)math_log_special((double)x, y);
}

/* ---- pow and atan2 of floats ---- */

/* Floats from 2^24 on are even integers. One choice at a time: gcc does not vectorise `|` of
 * comparisons here. */
static inline float math_powf(float base, float exponent)
{
    double x = (double)base, y = (double)exponent, size = __builtin_fabs(x);
    double logarithm = math_log(size), product = y * logarithm;
    product = logarithm == 0 ? 0 : product;
    product = y == 0 ? 0 : product;
    double steps = __builtin_fabs(y) < 0x1p24 ? __builtin_fabs(y) : 0x1p24;
    double rounded = steps + MATH_ROUNDER, whole = rounded - MATH_ROUNDER;
    uint64_t odd = math_bits(whole == steps ? rounded : MATH_ROUNDER) << 63;
    double power = math_from_bits(math_bits(math_exp_for_float(product)) | (odd & math_bits(x)));
    double of_negative = whole == steps ? power : MATH_NAN;
    of_negative = size < MATH_INFINITY ? of_negative : power;
    power = x < 0 ? of_negative : power;
    double of_nan = x == 1 ? power : MATH_NAN;
    power = y == y ? power : of_nan;
    return (float)(power == power ? power : MATH_NAN);
}

static inline float math_atan2f(float y, float x)
{
    return (float)math_atan2((double)y, (double)x);
}

/* ---- the names for mote_real ---- */

#ifdef MOTE_DOUBLE
#define real_sin          math_sin
#define real_cos          math_cos
#define real_sincos       math_sincos
#define real_sin_small    math_sin_small
#define real_cos_small    math_cos_small
#define real_sincos_small math_sincos_small
#define real_exp          math_exp
#define real_log          math_log
#define real_pow          math_pow
#define real_atan2        math_atan2
#else
#define real_sin          math_sinf
#define real_cos          math_cosf
#define real_sincos       math_sincosf
#define real_sin_small    math_sinf_small
#define real_cos_small    math_cosf_small
#define real_sincos_small math_sincosf_small
#define real_exp          math_expf
#define real_log          math_logf
#define real_pow          math_powf
#define real_atan2        math_atan2f
#endif

#endif
