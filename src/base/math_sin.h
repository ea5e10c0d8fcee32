/* Sine and cosine; include base/math.h, which says how and how precisely.
 *
 * Both polynomials are computed and the quadrant picks one by masks: no branches in loops. */
#ifndef BASE_MATH_SIN_H
#define BASE_MATH_SIN_H

#include <mote/base.h>
#include <string.h>

/* ---- the bits of doubles, and constants, for the elementary functions of base/math.h ---- */

#define MATH_INFINITY __builtin_huge_val()
#define MATH_NAN      __builtin_nan("")

static inline uint64_t math_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double math_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#define MATH_SIGN     0x8000000000000000u
#define MATH_MANTISSA 0x000fffffffffffffu
/* Adding this rounds |x| < 2^51 to an integer, and leaves the integer in the low bits. */
#define MATH_ROUNDER      0x1.8p52
#define MATH_ROUNDER_BITS 0x4338000000000000u

#define MATH_LOG2_E 0x1.71547652b82fep+0
#define MATH_LN2    0x1.62e42fefa39efp-1
/* ln 2 in two parts: the first times an exponent is exact. */
#define MATH_LN2_1 0x1.62e42fefa3800p-1
#define MATH_LN2_2 0x1.ef35793c76730p-45

/* 2^k for -1023 < k < 1024. */
static inline double math_power_of_two(uint64_t k)
{
    return math_from_bits((k + 1023) << 52);
}

/* Where the ..._small functions end, in radians. */
#define MATH_SMALL 8192.0
/* Where the float ones end; the float functions take the fast way up to here. */
#define MATH_SMALLF 1048576.0

/* An angle less a multiple of pi/2: hi + lo in about [-pi/4, pi/4], and the multiple modulo 4. */
typedef struct MathAngle {
    double hi, lo;
    uint64_t quadrant;
} MathAngle;

/* For any finite x > MATH_SMALL. */
MathAngle math_angle_large(double x);

/* 0 <= x <= MATH_SMALL. */
static inline MathAngle math_angle_small(double x)
{
    double rounded = x * 0x1.45f306dc9c883p-1 + MATH_ROUNDER;
    double k = rounded - MATH_ROUNDER;
    double a = x - k * 0x1.921fb54442000p+0; /* exact, like the next product */
    double b = k * 0x1.a308d31318000p-41;
    double sum = a - b, back = sum - a;
    double error = (a - (sum - back)) - (b + back);
    double rest = error - k * 0x1.8a2e03707344ap-81;
    double hi = sum + rest;
    return (MathAngle){hi, (sum - hi) + rest, math_bits(rounded)};
}

/* 0 <= x <= MATH_SMALLF; x is a float, so `hi` alone is precise enough. */
static inline MathAngle math_angle_smallf(double x)
{
    double rounded = x * 0x1.45f306dc9c883p-1 + MATH_ROUNDER;
    double k = rounded - MATH_ROUNDER;
    double a = x - k * 0x1.921fb54400000p+0;
    return (MathAngle){a - k * 0x1.0b4611a626331p-34, 0, math_bits(rounded)};
}

/* sin(hi + lo) - hi */
static inline double math_sin_rest(MathAngle a)
{
    double z = a.hi * a.hi, z2 = z * z;
    double even =
        -0x1.5555555555555p-3 + z2 * (-0x1.a01a019e820aep-13 + z2 * -0x1.ae6008d114485p-26);
    double odd = 0x1.1111111110babp-7 + z2 * (0x1.71de37946ed6dp-19 + z2 * 0x1.5e0a4fc16be59p-33);
    return a.hi * z * (even + z * odd) + a.lo * (1 - 0.5 * z);
}

/* cos(hi + lo) - (1 - hi^2 / 2), the second rounded as written */
static inline double math_cos_rest(MathAngle a)
{
    double z = a.hi * a.hi, z2 = z * z, w = 1 - 0.5 * z;
    double even = 0x1.5555555555555p-5 + z2 * (0x1.a01a019f4ddfdp-16 + z2 * 0x1.1eeb67d026ec6p-29);
    double odd =
        -0x1.6c16c16c16963p-10 + z2 * (-0x1.27e4fa16cc2d1p-22 + z2 * -0x1.907cd8ff5ede7p-37);
    return ((1 - w) - 0.5 * z) + (z2 * (even + z * odd) - a.hi * a.lo);
}

/* sine or cosine, as the quadrant says, with the sign it says and `sign` besides. */
static inline double math_choose(double sine, double cosine, uint64_t quadrant, uint64_t sign)
{
    uint64_t use_cosine = -(quadrant & 1);
    uint64_t chosen = (math_bits(sine) & ~use_cosine) | (math_bits(cosine) & use_cosine);
    return math_from_bits(chosen ^ ((quadrant & 2) << 62) ^ sign);
}

static inline double math_sine(MathAngle a, uint64_t quadrant, uint64_t sign)
{
    double cosine = (1 - 0.5 * (a.hi * a.hi)) + math_cos_rest(a);
    return math_choose(a.hi + math_sin_rest(a), cosine, quadrant, sign);
}

static inline float math_sinef(MathAngle a, uint64_t quadrant, uint64_t sign)
{
    double z = a.hi * a.hi, z2 = z * z;
    double s = (-0x1.555555545d0dap-3 + z * 0x1.11110decc73fdp-7) +
               z2 * (-0x1.a013a455bd213p-13 + z * 0x1.6dbcfb4dee452p-19);
    double c = 0x1.55555440a4ef1p-5 + z * (-0x1.6c12d0ed61124p-10 + z * 0x1.9bd7865700ebap-16);
    double cosine = (1 - 0.5 * z) + z2 * c;
    return (float)math_choose(a.hi + a.hi * z * s, cosine, quadrant, sign);
}

static inline MathAngle math_angle(double x)
{
    return x <= MATH_SMALL ? math_angle_small(x) : math_angle_large(x);
}

static inline MathAngle math_anglef(double x)
{
    return x <= MATH_SMALLF ? math_angle_smallf(x) : math_angle_large(x);
}

static inline double math_sin_small(double x)
{
    MathAngle a = math_angle_small(__builtin_fabs(x));
    return math_sine(a, a.quadrant, math_bits(x) & MATH_SIGN);
}

static inline double math_cos_small(double x)
{
    MathAngle a = math_angle_small(__builtin_fabs(x));
    return math_sine(a, a.quadrant + 1, 0);
}

static inline float math_sinf_small(float x)
{
    MathAngle a = math_angle_smallf(__builtin_fabs((double)x));
    return math_sinef(a, a.quadrant, math_bits((double)x) & MATH_SIGN);
}

static inline float math_cosf_small(float x)
{
    MathAngle a = math_angle_smallf(__builtin_fabs((double)x));
    return math_sinef(a, a.quadrant + 1, 0);
}

static inline void math_sincos(double x, double *sine, double *cosine)
{
    double size = __builtin_fabs(x);
    MathAngle a = math_angle(size);
    bool good = size < MATH_INFINITY;
    *sine = good ? math_sine(a, a.quadrant, math_bits(x) & MATH_SIGN) : MATH_NAN;
    *cosine = good ? math_sine(a, a.quadrant + 1, 0) : MATH_NAN;
}

static inline void math_sincosf(float x, float *sine, float *cosine)
{
    double size = __builtin_fabs((double)x);
    MathAngle a = math_anglef(size);
    bool good = size < MATH_INFINITY;
    *sine = good ? math_sinef(a, a.quadrant, math_bits((double)x) & MATH_SIGN) : (float)MATH_NAN;
    *cosine = good ? math_sinef(a, a.quadrant + 1, 0) : (float)MATH_NAN;
}

static inline void math_sincos_small(double x, double *sine, double *cosine)
{
    *sine = math_sin_small(x), *cosine = math_cos_small(x);
}

static inline void math_sincosf_small(float x, float *sine, float *cosine)
{
    *sine = math_sinf_small(x), *cosine = math_cosf_small(x);
}

/* One of the two: the other costs nothing where it is not used. */
#define MATH_ONE_OF(real, name, both, wanted)                                                      \
    static inline real name(real x)                                                                \
    {                                                                                              \
        real sine, cosine;                                                                         \
        both(x, &sine, &cosine);                                                                   \
        return wanted;                                                                             \
    }
MATH_ONE_OF(double, math_sin, math_sincos, sine)
MATH_ONE_OF(double, math_cos, math_sincos, cosine)
MATH_ONE_OF(float, math_sinf, math_sincosf, sine)
MATH_ONE_OF(float, math_cosf, math_sincosf, cosine)
#undef MATH_ONE_OF

#endif
