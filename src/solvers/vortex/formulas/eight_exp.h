/* exp of eight numbers, for Gaussians: range reduction by whole multiples of ln 2 and a minimax
 * polynomial; the same bits for every instruction set. A formula: it includes nothing, and is
 * compiled for the processor (base/lanes.h) and for devices (device/lanes.cl). */
#ifndef SOLVERS_VORTEX_FORMULAS_EIGHT_EXP_H
#define SOLVERS_VORTEX_FORMULAS_EIGHT_EXP_H

#ifdef MOTE_DOUBLE
enum { EXP_TERMS = 13, MANTISSA_BITS = 52 };
#define EXP_ROUNDER 0x1.8p52
EIGHT_TABLE mote_real exp_terms[EXP_TERMS] = {1,
                                              1,
                                              0x1p-1,
                                              0x1.5555555555562p-3,
                                              0x1.5555555555559p-5,
                                              0x1.111111110db76p-7,
                                              0x1.6c16c16c14d77p-10,
                                              0x1.a01a01b80226cp-13,
                                              0x1.a01a01adc27e2p-16,
                                              0x1.71dde76ab2f81p-19,
                                              0x1.27e4cc1847a65p-22,
                                              0x1.af785d433f066p-26,
                                              0x1.1f8b43f2637adp-29};
#else
enum { EXP_TERMS = 7, MANTISSA_BITS = 23 };
#define EXP_ROUNDER 0x1.8p23f
EIGHT_TABLE mote_real exp_terms[EXP_TERMS] = {1,
                                              0x1.000000a1fd6a7p+0f,
                                              0x1.00000028794dfp-1f,
                                              0x1.5554043e289bcp-3f,
                                              0x1.5554ace120b86p-5f,
                                              0x1.126fa6fd6e815p-7f,
                                              0x1.6d7531eae5468p-10f};
#endif

/* terms[0] + terms[1] x + ..., by Horner's rule. */
EIGHT_INLINE Eight eight_polynomial(EIGHT_OF_TABLE mote_real *terms, int count, Eight x)
{
    Eight sum = eight_all(terms[count - 1]);
    for (int k = count - 2; k >= 0; --k) sum = sum * x + terms[k];
    return sum;
}

/* exp(x) for x <= 0; below -80 as at -80. */
EIGHT_INLINE Eight eight_exp(Eight x)
{
    const mote_real log2_e = (mote_real)1.4426950408889634, least = -80;
    const mote_real ln2_1 = (mote_real)0.693145751953125; /* 16 bits: whole multiples are exact */
    const mote_real ln2_2 = (mote_real)1.4286068203094172e-6;
    x = eight_most(x, eight_all(least));
    Eight rounded = x * log2_e + EXP_ROUNDER, n = rounded - EXP_ROUNDER;
    Eight r = (x - n * ln2_1) - n * ln2_2;
    EightBits power = EIGHT_MASK(rounded) << MANTISSA_BITS;
    return EIGHT_OF_MASK(EIGHT_MASK(eight_polynomial(exp_terms, EXP_TERMS, r)) + power);
}

#endif
