/* The bits of doubles, and constants, for the elementary functions of base/math.h. */
#ifndef BASE_MATH_BITS_H
#define BASE_MATH_BITS_H

#include <mote/base.h>

#include <string.h>

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

#endif
