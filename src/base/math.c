/* The elementary functions that are not worth inlining: large angles, and what is rare in loops.
 *
 * Pairs hold a number as the unevaluated sum of two doubles, with the products and sums of Dekker,
 * A Floating-Point Technique for Extending the Available Precision, 1971, and Knuth's two-sum. */
#include "base/math.h"

#include <assert.h>

typedef struct MathPair {
    double hi, lo;
} MathPair;

static const MathPair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/* |a| >= |b|, or a + b is exact. */
static MathPair fast_sum(double a, double b)
{
    double sum = a + b;
    return (MathPair){sum, (a - sum) + b};
}

static MathPair two_sum(double a, double b)
{
    double sum = a + b, back = sum - a;
    return (MathPair){sum, (a - (sum - back)) + (b - back)};
}

/* The first 26 bits of a; |a| < 2^990. */
static double first_half(double a)
{
    double c = 0x1.0000002p27 * a;
    return c - (c - a);
}

static MathPair two_product(double a, double b)
{
    double product = a * b, ah = first_half(a), bh = first_half(b), al = a - ah, bl = b - bh;
    return (MathPair){product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}

static MathPair pair_add(MathPair a, MathPair b)
{
    MathPair sum = two_sum(a.hi, b.hi);
    return fast_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

static MathPair pair_sub(MathPair a, MathPair b)
{
    return pair_add(a, (MathPair){-b.hi, -b.lo});
}

static MathPair pair_mul(MathPair a, MathPair b)
{
    MathPair product = two_product(a.hi, b.hi);
    return fast_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

static MathPair pair_div(MathPair a, MathPair b)
{
    double quotient = a.hi / b.hi;
    MathPair product = two_product(quotient, b.hi);
    double left = ((a.hi - product.hi) - product.lo) + (a.lo - quotient * b.lo);
    return fast_sum(quotient, left / b.hi);
}

static double with_sign(double size, double sign)
{
    return math_from_bits(math_bits(size) | (math_bits(sign) & MATH_SIGN));
}

/* ---- large angles ---- */

/* 192 bits of 2/pi, last word first, from the bit `start`; the table has 64 zero bits in front. */
static void two_over_pi_bits(unsigned start, uint64_t out[3])
{
    static const uint64_t words[] = {
        0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u,
        0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu,
        0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu,
        0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du,
        0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu,
    };
    const uint64_t *from = words + start / 64;
    unsigned shift = start % 64;
    for (int i = 0; i < 3; ++i)
        out[2 - i] = from[i] << shift | (shift > 0 ? from[i + 1] >> (64 - shift) : 0);
}

/* (hi + lo) of a positive 192-bit fraction, relative to its size; it has a bit in the top word,
 * since no double comes closer than 2^-62 to a multiple of pi/2. */
static MathPair fraction_to_pair(const uint64_t words[3])
{
    unsigned shift = (unsigned)__builtin_clzll(words[2] | 1), rest = 63 - shift;
    uint64_t top = words[2] << shift | words[1] >> 1 >> rest;
    uint64_t next = words[1] << shift | words[0] >> 1 >> rest;
    double unit = math_power_of_two(-(uint64_t)(53 + shift));
    double hi = (double)(int64_t)(top >> 11);
    double lo = (double)(int64_t)((top & 0x7ff) << 42 | next >> 22);
    return (MathPair){hi * unit, lo * unit * 0x1p-53};
}

/* The upper word of a product, from those of halves: not every machine has words of 128 bits. */
static uint64_t high_product(uint64_t a, uint64_t b)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t cross = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t)cross;
    return a1 * b1 + (cross >> 32) + (other >> 32);
}

/* x = m 2^e. Bits of 2/pi worth 4 and more after multiplication do not matter, and 192 bits after
 * those do: the product modulo 2^192 is x (2/pi) modulo 4, with 190 bits after the point. */
MathAngle math_angle_large(double x)
{
    if (!(x < MATH_INFINITY)) return (MathAngle){MATH_NAN, 0, 0};
    assert(x > 1);
    uint64_t bits = math_bits(x), m = (bits & MATH_MANTISSA) | (MATH_MANTISSA + 1), words[3];
    two_over_pi_bits((unsigned)(bits >> 52) - 1075 + 62, words);
    const uint64_t carried = high_product(words[0], m), middle = words[1] * m + carried;
    uint64_t product[3] = {words[0] * m, middle,
                           words[2] * m + high_product(words[1], m) + (middle < carried)};
    uint64_t quadrant = (product[2] + (UINT64_C(1) << 61)) >> 62;

    /* Without the two bits of the quadrant, a signed fraction in [-1/2, 1/2). */
    product[2] = product[2] << 2 | product[1] >> 62;
    product[1] = product[1] << 2 | product[0] >> 62;
    product[0] = product[0] << 2;
    uint64_t negative = -(product[2] >> 63);
    for (int i = 0; i < 3; ++i) product[i] ^= negative; /* less 2^-192: far below the precision */
    MathPair r = pair_mul(fraction_to_pair(product), half_pi);
    return negative ? (MathAngle){-r.hi, -r.lo, quadrant} : (MathAngle){r.hi, r.lo, quadrant};
}

/* ---- tan ---- */

double math_tan(double x)
{
    double size = __builtin_fabs(x);
    if (!(size < MATH_INFINITY)) return MATH_NAN;
    MathAngle a = math_angle(size);
    MathPair s = fast_sum(a.hi, math_sin_rest(a));
    MathPair c = fast_sum(1 - 0.5 * (a.hi * a.hi), math_cos_rest(a));
    MathPair t = a.quadrant & 1 ? pair_div((MathPair){-c.hi, -c.lo}, s) : pair_div(s, c);
    return math_from_bits(math_bits(t.hi) ^ (math_bits(x) & MATH_SIGN));
}

/* ---- asin, acos, atan2 ---- */

/* asin(x) - x for |x| <= 1/2, z = x^2. */
static double asin_rest(double x, double z)
{
    static const double c[] = {0x1.5555555555556p-3, 0x1.3333333332ecap-4, 0x1.6db6db6e31f13p-5,
                               0x1.f1c71c1db0623p-6, 0x1.6e8bb1c8209a2p-6, 0x1.1c4d35cf95421p-6,
                               0x1.c9cf07674736ap-7, 0x1.782651caa6547p-7, 0x1.52420b04b37bep-7,
                               0x1.65a9c4dfcf8b2p-8, 0x1.1d189408314eep-6, -0x1.e6aaa8a0a04ccp-7,
                               0x1.d72b2bc8155f8p-6};
    double sum = c[12];
    for (int i = 11; i >= 0; --i) sum = c[i] + z * sum;
    return x * z * sum;
}

/* acos(x) = 2 asin(sqrt((1 - x) / 2)) for 1/2 <= x <= 1. */
static MathPair acos_near_one(double x)
{
    double z = 0.5 * (1 - x), root = __builtin_sqrt(z);
    if (root == 0) return (MathPair){0, 0};
    MathPair square = two_product(root, root);
    double root_error = ((z - square.hi) - square.lo) / (2 * root);
    MathPair half = fast_sum(root, root_error + asin_rest(root, z));
    return (MathPair){2 * half.hi, 2 * half.lo};
}

double math_asin(double x)
{
    double size = __builtin_fabs(x);
    if (!(size <= 1)) return MATH_NAN;
    if (size <= 0.5) return x + asin_rest(x, x * x);
    return with_sign(pair_sub(half_pi, acos_near_one(size)).hi, x);
}

double math_acos(double x)
{
    double size = __builtin_fabs(x);
    if (!(size <= 1)) return MATH_NAN;
    if (size <= 0.5) return pair_sub(half_pi, fast_sum(x, asin_rest(x, x * x))).hi;
    MathPair angle = acos_near_one(size);
    if (x > 0) return angle.hi;
    return pair_sub((MathPair){2 * half_pi.hi, 2 * half_pi.lo}, angle).hi;
}

/* atan(n / d) for 0 <= n <= d: atan(c) + atan((n - c d) / (d + c n)) with c = 0, 2/8, ... 8/8. */
static MathPair atan_ratio(double n, double d)
{
    static const MathPair table[] = {{0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                     {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                     {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                     {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                     {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                     {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                     {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
    double ratio = n / d;
    if (ratio < 0x1p-500) return (MathPair){ratio, 0};
    int eighths = ratio < 0.1875 ? 0 : (int)(8 * ratio + 0.5);
    MathPair top = pair_sub((MathPair){n, 0}, two_product(0.125 * eighths, d));
    MathPair u = pair_div(top, pair_add((MathPair){d, 0}, two_product(0.125 * eighths, n)));
    double z = u.hi * u.hi, z2 = z * z;
    double even = (-0x1.5555555555555p-2 + z2 * -0x1.2492492452f47p-3) +
                  z2 * z2 * (-0x1.745ce5cd88404p-4 + z2 * -0x1.0f7f618324350p-4);
    double odd = (0x1.99999999997e8p-3 + z2 * 0x1.c71c71563eed4p-4) +
                 z2 * z2 * (0x1.3b07e2cb42347p-4 + z2 * 0x1.a992d2c5379c5p-5);
    MathPair angle = fast_sum(u.hi, u.lo + u.hi * z * (even + z * odd));
    return eighths > 0 ? pair_add(table[eighths - 2], angle) : angle;
}

double math_atan2(double y, double x)
{
    if (x != x || y != y) return MATH_NAN;
    double along = __builtin_fabs(x), across = __builtin_fabs(y);
    if (along == across) along = across = 1 - (double)(along == 0); /* infinities and zeros too */
    bool steep = across > along;
    double n = steep ? along : across, d = steep ? across : along;
    if (d > 0x1p900) n *= 0x1p-200, d *= 0x1p-200;
    if (d < 0x1p-400) n *= 0x1p600, d *= 0x1p600;
    MathPair angle = d > 0 ? atan_ratio(n, d) : (MathPair){0, 0};
    if (steep) angle = pair_sub(half_pi, angle);
    if (math_bits(x) & MATH_SIGN)
        angle = pair_sub((MathPair){2 * half_pi.hi, 2 * half_pi.lo}, angle);
    return with_sign(angle.hi, y);
}

/* ---- pow ---- */

/* log x to about 68 bits, for finite x > 0: 2 s + s z (2/3 + z (2/5 + ...)) + k ln 2. */
static MathPair log_pair(double x)
{
    static const MathPair third = {0x1.5555555555555p-1, 0x1.5555555555555p-55};
    static const MathPair fifth = {0x1.999999999999ap-2, -0x1.999999999999ap-56};
    MathScaled m = math_scaled_any(x);
    MathPair s = pair_div((MathPair){m.fraction, 0}, fast_sum(2, m.fraction)), z = pair_mul(s, s);
    double w = z.hi, w2 = w * w, w4 = w2 * w2;
    double tail = (0x1.2492492492492p-2 + w * 0x1.c71c71c71c824p-3) +
                  w2 * (0x1.745d1745a3aecp-3 + w * 0x1.3b13b16b845a0p-3) +
                  w4 * ((0x1.1110f7ed90f7bp-3 + w * 0x1.e1f004ce6b5cap-4) +
                        w2 * (0x1.acf7370081675p-4 + w * 0x1.b2ebd5566f660p-4));
    MathPair series = pair_add(third, pair_mul(z, fast_sum(fifth.hi, fifth.lo + w * tail)));
    MathPair cubic = pair_mul(pair_mul(s, z), series);
    MathPair fraction = pair_add((MathPair){2 * s.hi, 2 * s.lo}, cubic);
    return pair_add((MathPair){m.exponent * MATH_LN2_1, m.exponent * MATH_LN2_2}, fraction);
}

/* Whether y is an integer, and an odd one. */
static bool is_whole(double y)
{
    double size = __builtin_fabs(y);
    return size >= 0x1p52 || (size + 0x1p52) - 0x1p52 == size;
}

static bool is_odd(double y)
{
    double size = __builtin_fabs(y);
    return size < 0x1p53 && is_whole(y) && (uint64_t)size % 2 == 1;
}

/* x^y for x >= 0: not NaN, and not the cases that give 1. */
static double pow_positive(double x, double y)
{
    if (x == 0 || x == MATH_INFINITY) return (x == 0) == (y < 0) ? MATH_INFINITY : 0;
    /* No log of a double but 0 is below 2^-53: from here on everything is 0 or infinite. */
    if (__builtin_fabs(y) > 0x1p66) y = with_sign(0x1p66, y);
    MathPair logarithm = log_pair(x), product = two_product(y, logarithm.hi);
    double rest = __builtin_fabs(product.hi) < 800 ? product.lo + y * logarithm.lo : 0;
    return math_exp_sum(product.hi, rest);
}

double math_pow(double x, double y)
{
    double size = __builtin_fabs(x);
    if (x == 1 || y == 0) return 1;
    if (x != x || y != y) return MATH_NAN;
    if (x < 0 && size < MATH_INFINITY && !is_whole(y)) return MATH_NAN;
    double power = size == 1 ? 1 : pow_positive(size, y);
    return is_odd(y) ? with_sign(power, x) : power;
}

/* ---- colour ---- */

static double clamped(double x)
{
    return x > 0 ? x < 1 ? x : 1 : 0;
}

double math_srgb_light(double code)
{
    code = clamped(code);
    return code <= 0.04045 ? code / 12.92 : math_pow((code + 0.055) / 1.055, 2.4);
}

double math_srgb_code(double light)
{
    light = clamped(light);
    return light <= 0.0031308 ? 12.92 * light : 1.055 * math_pow(light, 1 / 2.4) - 0.055;
}
